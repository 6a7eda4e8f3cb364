"""Who may do what in the registry: asked under the lock of the row that is changed.

An officer keeps the members, clubs, numbers and titles of a federation; the manager of a club keeps the names and the
club memberships of its own members; a member reads what is recorded of them, and asks to be shown in another way. A
superuser may do everything, and ``by=None`` is the program itself.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from players.errors import Conflict, Forbidden, Refusal
from players.models import Club, Federation, Membership, Player, RegistryRole, User, Visibility


@dataclass(frozen=True, slots=True)
class Reach:
    """Where a user has a role: in ``federations``, in ``clubs``, as ``members``, all by id; or ``everywhere``."""

    everywhere: bool = False
    federations: frozenset[int] = frozenset()
    clubs: frozenset[int] = frozenset()
    members: frozenset[int] = frozenset()

    def __bool__(self) -> bool:
        """Whether the user keeps any part of the registry."""
        return self.everywhere or bool(self.federations or self.clubs)

    @property
    def is_officer(self) -> bool:
        return self.everywhere or bool(self.federations)

    def keeps_federation(self, federation: Federation | None) -> bool:
        return self.everywhere or (federation is not None and federation.pk in self.federations)

    def keeps_club(self, club: Club | None) -> bool:
        """Whether the user manages the club, or is an officer of its federation."""
        if club is None:
            return False
        return self.everywhere or club.pk in self.clubs or club.federation_id in self.federations


ALL = Reach(everywhere=True)
TOLD = ("body_memberships", "external_ids", "titles", "norms", "users", "start_values", "published_lines")
"""The rows of a person by which a federation knows them."""


def reach_of(user: User | AnonymousUser | None) -> Reach:
    """Return where the user has a role, in one query; None is the program itself."""
    if user is None:
        return ALL
    if isinstance(user, AnonymousUser) or not user.is_active:
        return Reach()
    if user.is_superuser:
        return ALL
    held = list(RegistryRole.objects.filter(user=user).values_list("federation", "club", "player"))
    return Reach(
        federations=frozenset(federation for federation, _club, _player in held if federation),
        clubs=frozenset(club for _federation, club, _player in held if club),
        members=frozenset(player for _federation, _club, player in held if player),
    )


def people_of(user: User | AnonymousUser) -> list[Player]:
    """Return the persons that the user is, which is one as a rule, in one query."""
    if isinstance(user, AnonymousUser) or not user.is_active:
        return []
    mine = RegistryRole.objects.filter(user=user, player__isnull=False).values("player")
    return list(Player.objects.filter(pk__in=mine, merged_into=None).order_by("pk"))


@dataclass(frozen=True, slots=True)
class Rights:
    """What a user may do about a person.

    ``sees`` what is recorded, ``edits`` names, country and club memberships, and as an ``officer`` everything else;
    ``is_own`` says that the person is in a federation that the user is an officer of.
    """

    sees: bool = False
    edits: bool = False
    officer: bool = False
    is_own: bool = False


def rights_over(reach: Reach, players: Collection[Player]) -> dict[int, Rights]:
    """Return the rights over each of these people, in at most one query.

    A person who is in no federation and no club of one is any officer's: somebody has to take them in.
    """
    if reach.everywhere:
        return dict.fromkeys(
            (player.pk for player in players), Rights(sees=True, edits=True, officer=True, is_own=True)
        )
    if not reach and not reach.members:
        return dict.fromkeys((player.pk for player in players), Rights())
    federations, clubs = _bodies_of(players)
    found = {}
    for player in players:
        theirs = federations[player.pk]
        officer = bool(reach.federations) and (not theirs or bool(theirs & reach.federations))
        edits = officer or bool(clubs[player.pk] & reach.clubs)
        found[player.pk] = Rights(edits or player.pk in reach.members, edits, officer, bool(theirs & reach.federations))
    return found


def _bodies_of(players: Collection[Player]) -> tuple[dict[int, set[int]], dict[int, set[int]]]:
    """Return the federations and the clubs of these people; of clubs only those that they are in today."""
    federations: dict[int, set[int]] = {player.pk: set() for player in players}
    clubs: dict[int, set[int]] = {player.pk: {player.club_id} if player.club_id else set() for player in players}
    today = timezone.localdate()
    rows = Membership.objects.filter(player__in=federations).select_related("club")
    for row in rows:
        federation = row.club.federation_id if row.club else row.federation_id
        if federation is not None:
            federations[row.player_id].add(federation)
        if row.club_id is not None and row.holds_on(today):
            clubs[row.player_id].add(row.club_id)
    of_clubs = dict(
        Player.objects.filter(pk__in=federations, club__federation__isnull=False).values_list("pk", "club__federation")
    )
    for pk, federation in of_clubs.items():
        federations[pk].add(federation)
    return federations, clubs


def told_in_registry() -> QuerySet[Player]:
    """Return the people of whom the registry or an official list tells more than a name, a country and a club."""
    told = ~Q(visibility=Visibility.PUBLIC) | ~Q(family="", town="", gender="") | Q(birth_year__isnull=False)
    for rows in TOLD:
        told |= Q(**{f"{rows}__isnull": False})
    return Player.objects.filter(told)


def rights_of(user: User | AnonymousUser | None, player: Player) -> Rights:
    """Return what the user may do about the person."""
    return rights_over(reach_of(user), [player])[player.pk]


def require_editor(by: User | None, player: Player) -> None:
    """Raise Forbidden unless the user may edit the person's names."""
    if not rights_of(by, player).edits:
        raise forbidden()


def require_officer_of(by: User | None, players: Iterable[Player]) -> None:
    """Raise Forbidden unless the user is an officer for each of these people."""
    if not is_officer_of(by, list(players)):
        raise forbidden()


def is_officer_of(by: User | AnonymousUser | None, players: Collection[Player]) -> bool:
    return all(rights.officer for rights in rights_over(reach_of(by), players).values())


def require_federation(by: User | None, federation: Federation) -> None:
    """Raise Forbidden unless the user is an officer of the federation."""
    if not reach_of(by).keeps_federation(federation):
        raise forbidden()


def require_club(by: User | None, club: Club) -> None:
    """Raise Forbidden unless the user manages the club, or is an officer of its federation."""
    if not reach_of(by).keeps_club(club):
        raise forbidden()


@transaction.atomic
def require_importer(by: User | None) -> None:
    """Raise Forbidden unless the user may import match records, as officers of a federation may.

    Until the end of the transaction nobody ends their role or their account.
    """
    if by is None:
        return
    user = User.objects.select_for_update(no_key=True).filter(pk=by.pk).first()
    held = RegistryRole.objects.select_for_update().filter(user=by.pk, federation__isnull=False)
    list(held.values_list("pk"))
    if not reach_of(user or AnonymousUser()).is_officer:
        raise Forbidden("not_an_officer", _("Only officers of a federation may import match records."))


def forbidden() -> Forbidden:
    return Forbidden(
        "role_missing",
        _("Only an officer of the federation, and for the members of a club its manager, may do this."),
    )


Place = Federation | Club | Player


@transaction.atomic
def appoint(place: Place, *, username: str, by: User | None, at: datetime) -> RegistryRole:
    """Make the user an officer of the federation, the manager of the club, or the member who the person is.

    An officer appoints officers and managers of their federation, and who keeps a person says who they are. Raises
    Refusal for a user who does not exist, Conflict for one who has the role already, and Forbidden.
    """
    place = _locked(place)
    _require_appointer(by, place)
    user = User.objects.filter(username=username.strip(), is_active=True).first()
    if user is None:
        raise Refusal("user_unknown", _("There is no user of this name."), field="username")
    column = _column(place)
    if RegistryRole.objects.filter(user=user, **{column: place}).exists():
        raise Conflict("role_held", _("This user has the role already."))
    if column == "player" and RegistryRole.objects.filter(user=user, player__isnull=False).exists():
        raise Conflict("user_is_another", _("This user is another person already."))
    return RegistryRole.objects.create(user=user, by=by, since=at, **{column: place})


@transaction.atomic
def dismiss(role: RegistryRole, *, by: User | None) -> None:
    """End the role, which its holder may do too. Raises Forbidden, and Conflict if it has ended already."""
    found = RegistryRole.objects.select_for_update().filter(pk=role.pk).first()
    if found is None:
        raise Conflict("role_ended", _("This role has ended already."))
    place: Place | None = found.federation or found.club or found.player
    if place is not None and (by is None or found.user_id != by.pk):
        _require_appointer(by, place)
    found.delete()


def roles_at(place: Place) -> list[RegistryRole]:
    """Return the roles that users have there, with the users, in one query."""
    return list(RegistryRole.objects.filter(Q(**{_column(place): place})).select_related("user").order_by("pk"))


def _column(place: Place) -> str:
    return {Federation: "federation", Club: "club", Player: "player"}[type(place)]


def _locked(place: Place) -> Place:
    return type(place)._default_manager.select_for_update().get(pk=place.pk)


def _require_appointer(by: User | None, place: Place) -> None:
    if isinstance(place, Federation):
        require_federation(by, place)
    elif isinstance(place, Club):
        if not reach_of(by).everywhere and place.federation_id not in reach_of(by).federations:
            raise forbidden()
    else:
        require_editor(by, place)
