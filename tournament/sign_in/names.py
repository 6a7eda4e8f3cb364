"""User names and e-mail addresses belong to one user each, also if two ask for them in the same moment."""

from unicodedata import normalize

from allauth.account.models import EmailAddress
from django.utils.translation import gettext as _

from players.errors import Refusal
from players.models import User


def hold_names() -> None:
    """Have everybody else who asks for a name or an address wait until this transaction has ended.

    They all lock the user who was there first, before any other row.
    """
    User.objects.select_for_update(no_key=True).order_by("pk").first()


def require_free_name(username: str, than: int = 0) -> None:
    """Do nothing if no user but this one has this name, in whatever case and width its letters are.

    Raises Refusal otherwise. Names must be held: see :func:`hold_names`.
    """
    if folded(username) in map(folded, User.objects.exclude(pk=than).values_list("username", flat=True).iterator()):
        raise Refusal("username_taken", _("Somebody has this user name already."), field="username")


def require_free_address(email: str) -> None:
    """Do nothing if no user has this e-mail address, or it is empty. Raises Refusal otherwise; names must be held."""
    if email and is_anothers(email):
        raise Refusal("email_taken", _("Somebody has this e-mail address already."), field="email")


def is_anothers(email: str, than: int = 0) -> bool:
    """Whether mail to another user than this one, or 0 for nobody, goes to the address, or another has confirmed it."""
    users = User.objects.exclude(pk=than).exclude(email="").values_list("email", flat=True)
    confirmed = EmailAddress.objects.exclude(user=than).filter(verified=True).values_list("email", flat=True)
    return any(folded(email) in map(folded, found.iterator()) for found in (users, confirmed))


def folded(text: str) -> str:
    """Return what two names have in common that differ in case and width alone."""
    return normalize("NFKC", normalize("NFKC", text).casefold())
