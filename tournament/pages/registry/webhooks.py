"""The webhooks of a federation: where it is told what has happened, and what did not arrive."""

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from players.errors import Refusal
from players.models import Delivery, User, Webhook
from players.registry.roles import require_federation
from players.webhooks.endpoints import end_webhook, make_webhook, send_again
from players.webhooks.models import EVENTS, MAX_ADDRESS
from tournament.pages.lines import LineField
from tournament.pages.registry.bodies import find_federation
from tournament.pages.returning import refuse
from tournament.roles.permissions import require_signed_in

PAGE = 50


class WebhookForm(forms.Form):
    address = LineField(
        label=gettext_lazy("Address"),
        max_length=MAX_ADDRESS,
        help_text=gettext_lazy("Of your own program, such as https://example.org/hook."),
    )
    events = forms.MultipleChoiceField(
        label=gettext_lazy("Notify it when"), choices=list(EVENTS.items()), widget=forms.CheckboxSelectMultiple
    )


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def webhooks(request: HttpRequest, code: str) -> HttpResponse:
    """Show the addresses that are told; add one, whose secret is shown once."""
    federation, by = find_federation(code), _user(request)
    require_federation(by, federation)
    context: dict[str, object] = {"federation": federation, "form": WebhookForm()}
    status = 200
    if request.method == "POST":
        form, status = WebhookForm(request.POST), 400
        if form.is_valid():
            try:
                made = make_webhook(federation, **form.cleaned_data, by=by, at=timezone.now())
                context["made"], context["secret"] = made
                status = 200
            except Refusal as refusal:
                refuse(form, refusal, field=refusal.field if refusal.field in form.fields else None)
                status = refusal.status
        if form.errors:
            context["form"] = form
    told = [
        (webhook, [EVENTS[event] for event in webhook.events]) for webhook in federation.webhooks.filter(ended_at=None)
    ]
    return render(request, "tournament/registry/webhooks.html", context | {"webhooks": told}, status=status)


@require_safe
@login_required
@never_cache
def webhook_page(request: HttpRequest, webhook_id: int) -> HttpResponse:
    """Show what the address was told, and what it did not take."""
    webhook = _webhook(request, webhook_id)
    rows = webhook.deliveries.all()
    context = {
        "webhook": webhook,
        "federation": webhook.federation,
        "dead": rows.filter(next_at=None, delivered_at=None).count(),
        "page": Paginator(rows.defer("body"), PAGE).get_page(request.GET.get("page")),
    }
    return render(request, "tournament/registry/webhook.html", context)


@require_POST
@login_required
def end(request: HttpRequest, webhook_id: int) -> HttpResponse:
    webhook = end_webhook(_webhook(request, webhook_id), by=_user(request), at=timezone.now())
    messages.success(request, _("The webhook has ended: nothing more is sent to it."))
    return redirect("webhooks", webhook.federation.code)


@require_POST
@login_required
def again(request: HttpRequest, delivery_id: int) -> HttpResponse:
    delivery = get_object_or_404(Delivery.objects.select_related("webhook__federation"), pk=delivery_id)
    send_again(delivery, by=_user(request), at=timezone.now())
    messages.success(request, _("It will be sent again."))
    return redirect("webhook", delivery.webhook_id)


def _webhook(request: HttpRequest, webhook_id: int) -> Webhook:
    webhook = get_object_or_404(Webhook.objects.select_related("federation"), pk=webhook_id)
    require_federation(_user(request), webhook.federation)
    return webhook


def _user(request: HttpRequest) -> User:
    return require_signed_in(request.user)
