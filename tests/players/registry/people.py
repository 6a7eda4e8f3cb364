"""A federation with a club, its officer, manager and member, and people to be kept in the registry."""

from dataclasses import dataclass
from datetime import date

from players.models import Club, Federation, Player, RegistryRole, User
from players.registry.bodies import ClubData, FederationData, create_club, create_federation
from players.registry.memberships import Term, add_membership
from players.registry.people import Person, create_person
from tests.builders import AT

YEAR = Term(date(2025, 8, 1), date(2026, 7, 31))


@dataclass
class Registry:
    """``holm`` is Asta Holm of Odense, a member of the federation for a year; ``member`` is her user."""

    federation: Federation
    club: Club
    holm: Player
    officer: User
    manager: User
    member: User
    stranger: User


def build_registry() -> Registry:
    federation = create_federation(
        FederationData("dbgf", "Dansk Backgammon Forbund", "DEN", "", 8, 1, r"\d{1,4}"), by=None
    )
    club = create_club(ClubData("Odense", "OD", "Odense", "DBGF"), by=None)
    person = Person("Asta", "Holm", "DK", "Odense", "Odense", "1961", "f")
    holm = create_person(person, by=None, at=AT)
    add_membership(holm, federation, kind="ordinary", term=YEAR, by=None)
    users = [User.objects.create_user(name) for name in ("officer", "manager", "member", "stranger")]
    for user, place in zip(users, ({"federation": federation}, {"club": club}, {"player": holm}), strict=False):
        RegistryRole.objects.create(user=user, since=AT, **place)
    return Registry(federation, club, holm, *users)
