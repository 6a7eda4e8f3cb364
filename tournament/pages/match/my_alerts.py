"""What the holder of a private link wants to be told, and the links in e-mails that confirm and end it."""

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_POST

from players.errors import Refusal
from tournament.alerts.mail import find_asked, find_stopping
from tournament.alerts.subscribe import confirm_mail, subscribe_mail, subscribe_push, unsubscribe
from tournament.alerts.telling import KINDS
from tournament.models import Subscription
from tournament.models.alert import MAX_ADDRESS, Channel
from tournament.pages.match.mine import entry_of, render_mine, until_it_ends
from tournament.pages.returning import refuse

WEEK = 7


class AlertsForm(forms.Form):
    """What one wants to be told, and for an e-mail the address; a script sends the keys of the browser instead."""

    kinds = forms.MultipleChoiceField(
        label=gettext_lazy("Tell me when"), choices=list(KINDS.items()), widget=forms.CheckboxSelectMultiple
    )
    days_before = forms.IntegerField(
        label=gettext_lazy("Days before a deadline"), min_value=0, max_value=WEEK, initial=2
    )
    address = forms.CharField(
        label=gettext_lazy("E-mail address"),
        max_length=254,
        widget=forms.TextInput(attrs={"inputmode": "email", "autocomplete": "email", "autocapitalize": "off"}),
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **{"auto_id": "alerts-%s", **kwargs})  # type: ignore[arg-type]
        self.fields["kinds"].initial = list(KINDS)


class BrowserForm(AlertsForm):
    """The same with what a browser gave for its notifications."""

    address = forms.CharField(max_length=MAX_ADDRESS)
    public_key = forms.CharField(max_length=100)
    secret = forms.CharField(max_length=40)


@require_POST
@csrf_protect
@until_it_ends
def subscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Send alerts by e-mail to the address typed, once it has confirmed."""
    entry = entry_of(token)
    form = AlertsForm(request.POST)
    if form.is_valid():
        try:
            found = subscribe_mail(entry, **form.cleaned_data, at=timezone.now())
        except Refusal as refusal:
            refuse(form, refusal, field="address")
        else:
            said = (
                _("Saved.") if found.confirmed_at else _("An e-mail is on its way: open it and confirm your address.")
            )
            messages.success(request, said)
            return redirect("my-entry", token=token)
    return render_mine(request, entry, token, typed={"alerts_form": form}, status=400)


@require_POST
@csrf_protect
@until_it_ends
def subscribe_browser(request: HttpRequest, token: str) -> HttpResponse:
    """Send alerts to the browser whose script asks; the answer is JSON."""
    entry = entry_of(token)
    form = BrowserForm(request.POST)
    if not form.is_valid():
        return JsonResponse({"detail": _what_is_wrong(form)}, status=400)
    try:
        subscribe_push(entry, **form.cleaned_data, at=timezone.now())
    except Refusal as refusal:
        return JsonResponse({"detail": str(refusal)}, status=refusal.status)
    return JsonResponse({"detail": _("This phone will be notified.")})


def _what_is_wrong(form: BrowserForm) -> str:
    """Return one sentence: what the player can choose otherwise, or that the browser has sent what nobody can use."""
    if "kinds" in form.errors:
        return _("Choose at least one kind of alert.")
    if "days_before" in form.errors:
        return _("Days before a deadline: choose a number from 0 to %(most)s.") % {"most": WEEK}
    if "address" in form.errors:
        return _("This browser uses a notification service that is not known here.")
    return _("This browser has sent keys that cannot be used for notifications.")


@require_POST
@csrf_protect
@until_it_ends
def stop(request: HttpRequest, token: str, subscription_id: str) -> HttpResponse:
    """End one of the link's subscriptions; one that has ended already changes nothing."""
    entry = entry_of(token)
    for found in Subscription.objects.filter(entry=entry, epoch=entry.link_epoch, pk=int(subscription_id)):
        unsubscribe(found)
    messages.success(request, _("Nothing more will be sent there."))
    return redirect("my-entry", token=token)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@csrf_exempt
def confirm(request: HttpRequest, token: str) -> HttpResponse:
    """Ask for one more press, as programs that look through e-mails open every link; then begin to send."""
    found = find_asked(token)
    if found is None:
        raise Http404
    if request.method == "POST":
        confirm_mail(found, at=timezone.now())
    context = {"subscription": found, "entry": found.entry, "is_done": request.method == "POST", "confirms": True}
    return render(request, "tournament/match/alerts_by_mail.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@csrf_exempt
def stop_mail(request: HttpRequest, token: str) -> HttpResponse:
    """End the e-mails to an address: with one press here, or at once by the button of a mail program (RFC 8058)."""
    found = find_stopping(token)
    if request.method == "POST" and found is not None:
        unsubscribe(found)
    context = {"is_done": found is None or request.method == "POST", "confirms": False}
    return render(request, "tournament/match/alerts_by_mail.html", context)


def shown_address(subscription: Subscription) -> str:
    """Return as much of the address as its owner needs to know it: several people may hold one link."""
    if subscription.channel == Channel.PUSH:
        return ""
    name, _at, domain = subscription.address.rpartition("@")
    return f"{name[:1]}…@{domain}"
