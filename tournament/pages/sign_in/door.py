"""Pages of allauth that behave otherwise here."""

from typing import Any

from allauth.account.forms import default_token_generator
from allauth.account.views import EmailView, PasswordResetFromKeyView, PasswordResetView
from allauth.mfa.totp.views import ActivateTOTPView
from allauth.mfa.webauthn.views import ReauthenticateWebAuthnView
from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from players.models import User
from tournament.roles.permissions import require_signed_in
from tournament.sign_in.adapter import SAID
from tournament.sign_in.factors import use_up
from tournament.sign_in.forgotten import ask_for_link
from tournament.sign_in.links import site_of


class ForgottenPasswordView(PasswordResetView):
    """Gives the same answer whatever address is typed, and leaves the rest to a worker."""

    def form_valid(self, form: forms.Form) -> HttpResponse:
        ask_for_link(form.cleaned_data["email"], self.request)
        return redirect(self.get_success_url())


class PasswordByLinkView(PasswordResetFromKeyView):
    """Sets the password if the link still works when it is this request's turn: one link sets one password."""

    @transaction.atomic
    def form_valid(self, form: Any) -> HttpResponse:
        user = User.objects.select_for_update().filter(pk=form.user.pk).first()
        if user is None or not (user.is_active and default_token_generator.check_token(user, self.key)):
            self.reset_user = None
            return self.render_to_response(self.get_context_data(form=form, token_fail=True))
        form.user = self.reset_user = user
        return super().form_valid(form)


class FirstAppView(ActivateTOTPView):
    """Uses up the code by which the app is added: nobody who saw it signs in with it."""

    @transaction.atomic
    def form_valid(self, form: forms.Form) -> HttpResponse:
        answer = super().form_valid(form)
        use_up(require_signed_in(self.request.user), form.cleaned_data["code"])
        return answer


class AddressesView(EmailView):
    """Sends mail only to an address that was confirmed, and says it when no link is sent again.

    Where no link can be made, no address is stored or asked for either.
    """

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if {"action_add", "action_send"} & request.POST.keys():
            site_of(request)
        return super().post(request, *args, **kwargs)

    def _action_primary(self, request: HttpRequest) -> HttpResponse | None:
        address = self._get_email_address(request)
        if address is not None and not address.verified:
            messages.error(request, SAID["account/messages/unverified_primary_email.txt"])
            return None
        return super()._action_primary(request)

    def _action_send(self, request: HttpRequest) -> HttpResponse | None:
        answer = super()._action_send(request)
        if not self._did_send_verification_email:
            messages.info(request, _("The link has been sent already. Look among the spam as well, and wait a little."))
        return answer


class PasskeyAgainView(ReauthenticateWebAuthnView):
    """Asks again after an answer that was wrong."""

    def form_invalid(self, form: forms.Form) -> HttpResponse:
        super().form_invalid(form)
        return redirect(self.request.get_full_path())
