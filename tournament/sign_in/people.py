"""What administrators do with the users of the site: make and unmake, disable, help back in, make administrators."""

from datetime import datetime

from allauth.account.models import EmailAddress
from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.db.models import ManyToOneRel, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.errors import Conflict, Forbidden
from players.models import User
from tournament.models import Happening, SignInEvent
from tournament.sign_in.events import record_event
from tournament.sign_in.factors import remove_factors
from tournament.sign_in.links import path_to_password
from tournament.sign_in.names import hold_names, require_free_address, require_free_name

WHO_IS_ONE = gettext_lazy(
    "Administrators make others on the page of users. The first one has the login that script/server printed for the "
    "demo, or was made with manage.py createsuperuser."
)
"""Said to everybody else, so that an owner who has no administrator yet finds the way to one."""

OF_THE_USER = {(SignInEvent, "user"), (EmailAddress, "user")}
"""The rows that say nothing of what a user has done, and go with them."""


def require_administrator(user: User | AnonymousUser) -> User:
    """Return the user, if they may do everything. Raises Forbidden otherwise."""
    if isinstance(user, AnonymousUser) or not (user.is_active and user.is_superuser):
        only = _("Only an administrator of this site may do this.")
        raise Forbidden("administrator_only", f"{only} {WHO_IS_ONE}")
    return user


def find_users(words: str = "") -> QuerySet[User]:
    """Return the users in whose user name or e-mail address the words are, by user name."""
    found = User.objects.order_by("username")
    for word in words.split():
        found = found.filter(Q(username__icontains=word) | Q(email__icontains=word))
    return found


@transaction.atomic
def make_user(*, username: str, email: str, by: User, at: datetime) -> tuple[User, str]:
    """Make a user who can direct tournaments; return them, and the path at which they choose their password.

    Raises Forbidden, and Refusal for a name or an address that somebody has.
    """
    hold_names()
    _lock(by)
    require_free_name(username)
    require_free_address(email)
    user = User.objects.create_user(username, email=email)
    if email:
        EmailAddress.objects.create(user=user, email=email.lower(), primary=True, verified=False)
    record_event(Happening.MADE, user, by=by, at=at)
    return user, path_to_password(user)


@transaction.atomic
def rename_user(user: User, username: str, *, by: User, at: datetime) -> None:
    """Give another name to a user who has done nothing yet.

    Raises Forbidden, Conflict, and Refusal for a name that somebody else has.
    """
    hold_names()
    locked = _lock(by, user)
    _require_unused(locked)
    require_free_name(username, than=locked.pk)
    locked.username = username
    locked.save(update_fields=["username"])
    record_event(Happening.RENAMED, locked, by=by, at=at)


@transaction.atomic
def delete_user(user: User, *, by: User, at: datetime) -> None:
    """Delete a user who was made by mistake and has done nothing yet. Raises Forbidden and Conflict."""
    locked = _lock(by, user)
    _require_unused(locked)
    locked.delete()
    _keep_an_administrator()
    record_event(Happening.DELETED_ONE, by, at=at)


def is_unused(user: User) -> bool:
    """Whether the user has never signed in, and nothing names them but their e-mail address and the sign-in log."""
    return user.last_login is None and not any(
        reference.related_model._base_manager.filter(**{reference.field.name: user}).exists()
        for reference in User._meta.get_fields(include_hidden=True)
        if isinstance(reference, ManyToOneRel) and (reference.related_model, reference.field.name) not in OF_THE_USER
    )


def _require_unused(user: User) -> None:
    if not is_unused(user):
        raise Conflict("user_in_use", _("This user has done something already. Disable them instead."))


@transaction.atomic
def make_link(user: User, *, by: User, at: datetime) -> str:
    """Return the path at which the user chooses a new password, once. Raises Forbidden."""
    locked = _lock(by, user)
    record_event(Happening.LINK_MADE, locked, by=by, at=at)
    return path_to_password(locked)


@transaction.atomic
def set_active(user: User, active: bool, *, by: User, at: datetime) -> None:
    """Let the user sign in, or no longer: their sessions and tokens do not work meanwhile.

    Raises Forbidden, and Conflict for the last administrator.
    """
    locked = _lock(by, user)
    if locked.is_active == active:
        return
    locked.is_active = active
    locked.save(update_fields=["is_active"])
    _keep_an_administrator()
    record_event(Happening.ENABLED if active else Happening.DISABLED, locked, by=by, at=at)


@transaction.atomic
def set_administrator(user: User, administrator: bool, *, by: User, at: datetime) -> None:
    """Let the user do everything, or no longer. Raises Forbidden, and Conflict for the last administrator."""
    locked = _lock(by, user)
    if locked.is_superuser == administrator:
        return
    locked.is_superuser = administrator
    locked.save(update_fields=["is_superuser"])
    _keep_an_administrator()
    record_event(Happening.OWNER_ON if administrator else Happening.OWNER_OFF, locked, by=by, at=at)


@transaction.atomic
def forget_factors(user: User, *, by: User, at: datetime) -> None:
    """Remove the second factor of somebody who has lost it. Raises Forbidden."""
    locked = _lock(by, user)
    if remove_factors(locked):
        record_event(Happening.FACTOR_OFF, locked, by=by, at=at)


def _lock(by: User, user: User | None = None) -> User:
    """Lock both users, and return the second as they are now.

    Raises Forbidden if the first is no administrator, and Conflict if the second was deleted.
    """
    named = by if user is None else user
    rows = {one.pk: one for one in User.objects.select_for_update().filter(pk__in={by.pk, named.pk}).order_by("pk")}
    require_administrator(rows[by.pk])
    if named.pk not in rows:
        raise Conflict("user_deleted", _("This user has been deleted meanwhile."))
    return rows[named.pk]


def _keep_an_administrator() -> None:
    if not User.objects.filter(is_superuser=True, is_active=True).exists():
        raise Conflict("last_administrator", _("Somebody must remain who administers this site."))
