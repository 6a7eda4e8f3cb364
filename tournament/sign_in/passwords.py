"""What no password may be beside the common ones, and what else happens when one changes."""

import re

from django.contrib.auth.models import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from players.models import User
from tournament.sign_in.tokens import end_tokens_of


class NoWordOfTheGame:
    """Refuses passwords that are a word of the game or of this program and figures; named in the settings."""

    WORDS = re.compile(
        "(bg|backgammon)(club|forening|tournament|turnering|turnier|verein)?|gammon|doublingcube|sixprime|"
        "(tournament)?director|tournament|turnering|turnier"
    )

    def validate(self, password: str, user: AbstractBaseUser | None = None) -> None:
        """Raises ValidationError."""
        if self.WORDS.fullmatch(re.sub(r"[\W\d_]", "", password).casefold()):
            raise ValidationError(_("Others would guess this word first."), code="password_of_the_game")

    def get_help_text(self) -> str:
        return _("Your password must not be a word of the game.")


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
