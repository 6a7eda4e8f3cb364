"""One's own user account: an overview, the sessions, and the tokens of programs."""

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.adapter import get_adapter
from allauth.usersessions.models import UserSession
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from players.errors import Refusal
from players.registry.roles import people_of
from tournament.models import Happening, Scope
from tournament.pages.returning import refuse
from tournament.roles.permissions import require_signed_in
from tournament.sign_in.events import own_events, record_event
from tournament.sign_in.factors import factors_of
from tournament.sign_in.fresh import require_fresh
from tournament.sign_in.tokens import DAYS_VALID, MAX_DAYS_VALID, MAX_NAME, end_token, make_token

EVENTS_SHOWN = 20


class TokenForm(forms.Form):
    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=MAX_NAME,
        help_text=gettext_lazy("What the token is for, such as “Score screen”."),
    )
    scope = forms.ChoiceField(label=gettext_lazy("May"), choices=Scope.choices, initial=Scope.READ)
    days = forms.IntegerField(
        label=gettext_lazy("Valid for (days)"), min_value=1, max_value=MAX_DAYS_VALID, initial=DAYS_VALID
    )


@require_GET
@login_required
@never_cache
def overview(request: HttpRequest) -> HttpResponse:
    """Show how the user signs in, and what has happened lately."""
    user = require_signed_in(request.user)
    kinds = [factor.type for factor in factors_of(user)]
    addresses = list(EmailAddress.objects.filter(user=user).order_by("-primary", "pk"))
    if user.email and user.email.lower() not in {address.email.lower() for address in addresses}:
        addresses.insert(0, EmailAddress(email=user.email, verified=False))  # of a user whom a command has made
    context = {
        "addresses": addresses,
        "has_unconfirmed": not all(address.verified for address in addresses),
        "has_app": Authenticator.Type.TOTP in kinds,
        "passkeys": kinds.count(Authenticator.Type.WEBAUTHN),
        "tokens": user.access_tokens.count(),
        "sessions": len(UserSession.objects.purge_and_list(user)),
        "events": own_events(user, most=EVENTS_SHOWN),
        "people": people_of(user),
    }
    return render(request, "tournament/sign_in/overview.html", context)


@login_required
@never_cache
def sessions(request: HttpRequest) -> HttpResponse:
    """Show where the user is signed in; end one session, or all others."""
    user = require_signed_in(request.user)
    held = sorted(UserSession.objects.purge_and_list(user), key=lambda one: (not one.is_current(), -one.pk))
    if request.method != "POST":
        return render(request, "tournament/sign_in/sessions.html", {"sessions": held})
    chosen = request.POST.get("session", "")
    ended = [one for one in held if not one.is_current() and (chosen == "others" or str(one.pk) == chosen)]
    get_adapter().end_sessions(ended)
    if ended:
        record_event(Happening.SESSIONS_ENDED, user, at=timezone.now())
        messages.success(request, _("They are signed out there."))
    return redirect("usersessions_list")


@login_required
@never_cache
def tokens(request: HttpRequest) -> HttpResponse:
    """Show the user's tokens; make one, whose key is shown once, after who is at the keys has been asked again."""
    user = require_signed_in(request.user)
    context: dict[str, object] = {"form": TokenForm()}
    if request.method == "POST":
        form = TokenForm(request.POST)
        if form.is_valid():
            require_fresh(request)
            try:
                context["made"], context["key"] = make_token(user, **form.cleaned_data, at=timezone.now())
            except Refusal as refusal:
                refuse(form, refusal)
        if form.errors:
            context["form"] = form
    context |= {"tokens": user.access_tokens.all(), "now": timezone.now()}
    wrong = request.method == "POST" and "key" not in context
    return render(request, "tournament/sign_in/tokens.html", context, status=400 if wrong else 200)


@require_POST
@login_required
def end(request: HttpRequest, token_id: int) -> HttpResponse:
    user = require_signed_in(request.user)
    end_token(get_object_or_404(user.access_tokens, pk=token_id), at=timezone.now())
    messages.success(request, _("The token has been ended."))
    return redirect("access-tokens")
