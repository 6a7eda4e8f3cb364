"""Who keeps export profiles and the files made with them: officers those of their federation, an organiser their own.

Any user may keep some: what they export is of the events that they direct at that moment, as an owner or director.
"""

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from players.errors import Forbidden
from players.models import Federation, User
from players.registry.roles import require_federation
from tournament.models import Appointment, ExportProfile, KeptExport
from tournament.roles.permissions import DIRECTORS

Keeper = Federation | User


def keeper_of(kept: ExportProfile | KeptExport) -> Keeper:
    keeper = kept.federation or kept.organiser
    if keeper is None:
        raise ValueError("A profile has one keeper.")
    return keeper


def require_keeper(by: User | None, keeper: Keeper) -> None:
    """Raise Forbidden unless the user is an officer of the federation, or is this organiser; None is the program."""
    if isinstance(keeper, Federation):
        require_federation(by, keeper)
    elif by is not None and (by.pk != keeper.pk or not by.is_active):
        raise Forbidden("role_missing", _("Only the user who keeps these exports may see and change them."))


def locked(keeper: Keeper) -> Keeper:
    """Return the keeper as it is now, locked until the transaction ends."""
    if isinstance(keeper, Federation):
        return Federation.objects.select_for_update().get(pk=keeper.pk)
    return User.objects.select_for_update().get(pk=keeper.pk)


def directed_by(user: User) -> QuerySet[Appointment]:
    """Return the roles by which the user directs whole tournaments."""
    return Appointment.objects.filter(user=user, event=None, role__in=DIRECTORS)
