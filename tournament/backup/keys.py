"""The secret key and its fingerprint, by which a backup says which key its links and chains of draws belong to.

The key itself is no part of a backup: somebody who has both can compute the links of players and of draws to come.
"""

from pathlib import Path

from django.conf import settings
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from players.errors import Refusal
from tournament.backup.files import draft_of

LEAST = 50
"""The fewest characters of a key that this program made."""


def fingerprint_of(key: str) -> str:
    """Return a text that tells keys apart and from which no key of this length can be found."""
    return salted_hmac("sixprime.backup.key", "fingerprint", secret=key, algorithm="sha256").hexdigest()[:16]


def keys_here() -> list[str]:
    """Return the keys of this installation, the present one first."""
    return [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]


def key_file() -> Path | None:
    """Return the file in which the present key is kept; None if the environment gives it."""
    path = Path(settings.VAR_DIR, "secret_key")
    return path if path.is_file() and path.read_text().strip() == settings.SECRET_KEY else None


def read_key(path: Path) -> str:
    """Return the key in the file. Raises Refusal."""
    try:
        key = path.read_text().strip()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or _("it is no text")
        raise Refusal(
            "key_unreadable", _("%(file)s cannot be read: %(reason)s.") % {"file": path, "reason": reason}
        ) from error
    if not LEAST <= len(key) <= 500 or not key.isprintable():
        raise Refusal("not_a_key", _("%(file)s holds no secret key.") % {"file": path})
    return key


def keep_key(key: str) -> None:
    """Let this installation have the key from now on."""
    with draft_of(Path(settings.VAR_DIR, "secret_key"), replaces=True) as draft:
        draft.write_text(key)
    settings.SECRET_KEY = key
