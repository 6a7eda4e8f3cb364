"""What else happens when a password changes."""

from django.contrib.auth.models import AbstractBaseUser
from django.utils.translation import gettext as _

from players.models import User
from tournament.sign_in.tokens import end_tokens_of


class EndsTokens:
    """Ends a user's tokens with their password, whatever page or command changes it; named in the settings.

    Django calls it among the validators of passwords. Their sessions end by themselves.
    """

    def validate(self, password: str, user: AbstractBaseUser | None = None) -> None:
        """Every password will do."""

    def password_changed(self, password: str, user: AbstractBaseUser | None = None) -> None:
        if isinstance(user, User) and user.pk is not None:
            end_tokens_of(user)

    def get_help_text(self) -> str:
        return _("A new password signs out all other devices and ends all access tokens.")
