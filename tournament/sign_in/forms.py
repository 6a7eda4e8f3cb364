"""The forms of the door, with labels as the other forms have them."""

from collections.abc import Mapping
from typing import Any

from allauth.account import forms as account
from allauth.account.adapter import get_adapter
from allauth.account.internal import flows
from allauth.account.models import Login
from allauth.core import context
from allauth.mfa.base import forms as codes
from allauth.mfa.models import Authenticator
from allauth.mfa.totp import forms as totp
from allauth.mfa.webauthn import forms as passkeys
from django import forms
from django.contrib.auth.forms import AuthenticationForm
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from players.errors import Refused
from players.models import User
from tournament.roles.throttling import may_guess
from tournament.sign_in.factors import take_code


class Plain(forms.Form):
    """Shows labels, and no placeholder that goes away when somebody types."""

    labels: Mapping[str, Any] = {}
    helps: Mapping[str, Any] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.widget.attrs.pop("placeholder", None)
            field.label = self.labels.get(name, field.label)
            field.help_text = self.helps.get(name, "")


PASSWORDS = {
    "oldpassword": _("Current password"),
    "password": _("Password"),
    "password1": _("New password"),
    "password2": _("New password again"),
}
RULES = {
    "password1": _(
        "At least 10 characters, not one of the common passwords and not like your user name. It signs out all other "
        "devices and ends all access tokens."
    )
}


class SignInForm(AuthenticationForm):
    """Name and password."""

    def login(self, request: HttpRequest, redirect_url: str | None = None) -> HttpResponse:
        """Sign in, or ask for the second factor first; return the answer that leads on."""
        user = self.get_user()
        login = Login(user=user, redirect_url=redirect_url)
        return flows.login.perform_password_login(request, {"username": user.get_username()}, login)


def require_guess(user: User) -> None:
    """Count a guess at the password of one who is signed in. Raises ValidationError after too many."""
    if not may_guess(context.request, user.get_username()):
        raise get_adapter().validation_error("too_many_login_attempts")


class NewPasswordForm(Plain, account.ChangePasswordForm):
    labels = PASSWORDS
    helps = RULES

    def clean_oldpassword(self) -> str:
        require_guess(self.user)
        return str(super().clean_oldpassword())


class OnlyPasswordForm(Plain, account.SetPasswordForm):
    labels = PASSWORDS
    helps = RULES


class FirstPasswordForm(Plain, account.ResetPasswordKeyForm):
    labels = PASSWORDS
    helps = RULES


class PasswordAgainForm(Plain, account.ReauthenticateForm):
    labels = PASSWORDS

    def clean_password(self) -> str:
        require_guess(self.user)
        return str(super().clean_password())


class ForgottenPasswordForm(Plain, account.ResetPasswordForm):
    labels = {"email": _("E-mail address")}


class AddAddressForm(Plain, account.AddEmailForm):
    labels = {"email": _("E-mail address")}


class FirstCodeForm(Plain, totp.ActivateTOTPForm):
    labels = {"code": _("Code from the app")}


class TypedCode(Plain):
    """A code of the second factor."""

    labels = {"code": _("Code")}
    helps = {"code": _("From your authenticator app, or one of your recovery codes.")}
    user: User
    authenticator: Authenticator

    def clean_code(self) -> str:
        code = str(self.cleaned_data["code"])
        try:
            self.authenticator = take_code(self.user, code, context.request)
        except Refused as refused:
            raise forms.ValidationError(str(refused), code=refused.code) from refused
        return code


class CodeForm(TypedCode, codes.AuthenticateForm):
    """After the password."""


class CodeAgainForm(TypedCode, codes.ReauthenticateForm):
    """Before a change."""


MALFORMED = (KeyError, TypeError, ValueError, AttributeError, IndexError)
"""What the library raises for JSON that no browser sends."""

NO_ANSWER = _("The passkey was not used. Try again.")


class NewPasskeyForm(Plain, passkeys.AddWebAuthnForm):
    labels = {"name": _("Name"), "passwordless": _("Sign in with it alone, without a password")}

    def clean(self) -> dict[str, Any]:
        try:
            return super().clean() or {}
        except MALFORMED as error:
            raise forms.ValidationError(NO_ANSWER, code="invalid") from error


class Answered(passkeys.AuthenticateWebAuthnForm):
    """The answer of a passkey."""

    def clean_credential(self) -> Any:
        try:
            return super().clean_credential()
        except MALFORMED as error:
            raise forms.ValidationError(NO_ANSWER, code="invalid") from error


class PasskeyForm(Answered, passkeys.AuthenticateWebAuthnForm):
    """As the second factor."""


class PasskeyAloneForm(Answered, passkeys.LoginWebAuthnForm):
    """Instead of the password."""


class PasskeyAgainForm(Answered, passkeys.ReauthenticateWebAuthnForm):
    """Before a change."""


class PasskeyNameForm(Plain, passkeys.EditWebAuthnForm):
    labels = {"name": _("Name")}
