"""Tokens of programs that act for a user, and what has happened at the door: who signed in, who failed."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from players.rows import Row


class Scope(models.TextChoices):
    """What a token may do; a user's roles still say where."""

    READ = "read", _("read only")
    WRITE = "write", _("read and write")


class AccessToken(Row):
    """A program's key to act for the user. Only its SHA-256 is stored; ``prefix`` is how it is recognised.

    Without ``expires_at`` it works until it is ended, and a token that is ended is gone.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="access_tokens")
    name = models.CharField(max_length=80)
    scope = models.CharField(max_length=5, choices=Scope)
    prefix = models.CharField(max_length=12)
    digest = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True, blank=True)
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.prefix}… {self.name}"

    @property
    def scopes(self) -> list[str]:
        return [Scope.READ.value, Scope.WRITE.value] if self.scope == Scope.WRITE else [Scope.READ.value]


class Happening(models.TextChoices):
    """What happens at the door."""

    SIGNED_IN = "signed-in", _("signed in")
    FAILED = "failed", _("failed to sign in")
    CODE_FAILED = "code-failed", _("wrong code of the second factor")
    SIGNED_OUT = "signed-out", _("signed out")
    PASSWORD_CHANGED = "password-changed", _("changed the password")
    PASSWORD_RESET = "password-reset", _("chose a password by a link")
    LINK_MADE = "link-made", _("link to choose a password made")
    FACTOR_ON = "factor-on", _("second factor or passkey added")
    FACTOR_OFF = "factor-off", _("second factor or passkey removed")
    CODES_RENEWED = "codes-renewed", _("recovery codes renewed")
    EMAIL_CONFIRMED = "email-confirmed", _("e-mail address confirmed")
    EMAIL_REMOVED = "email-removed", _("e-mail address removed")
    TOKEN_MADE = "token-made", _("access token made")
    TOKEN_ENDED = "token-ended", _("access token ended")
    SESSIONS_ENDED = "sessions-ended", _("signed out on other devices")
    MADE = "made", _("user account made")
    DISABLED = "disabled", _("user account disabled")
    ENABLED = "enabled", _("user account enabled again")
    RENAMED = "renamed", _("user name changed")
    DELETED_ONE = "deleted-one", _("deleted an unused user account")
    OWNER_ON = "owner-on", _("became an administrator")
    OWNER_OFF = "owner-off", _("is no longer an administrator")


class SignInEvent(Row):
    """What happened, when and from where. ``user`` is None for a name that nobody has.

    ``by`` is the administrator who did it to the user, if it was not the user. A name that was typed in vain is not
    kept: it may be a password.
    """

    at = models.DateTimeField(db_index=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="sign_in_events"
    )
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    what = models.CharField(max_length=16, choices=Happening)
    address = models.GenericIPAddressField(null=True, blank=True)
    agent = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.user_id} {self.what}"
