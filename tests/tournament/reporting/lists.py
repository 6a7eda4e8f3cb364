"""A list of a federation with its officer, and members of the federation."""

from datetime import date

from players.lists.models import OfficialList
from players.models import Federation, Membership, Player, RegistryRole, User
from tests.builders import AT
from tests.builders import build_director as build_user


def build_list(slug: str = "dbf", code: str = "DBGF") -> OfficialList:
    federation, _is_new = Federation.objects.get_or_create(code=code, defaults={"name": f"{code} Federation"})
    return OfficialList.objects.create(slug=slug, name=slug.upper(), federation=federation, kind="fibs", made_at=AT)


def build_officer(official_list: OfficialList, name: str = "officer") -> User:
    user = build_user(name)
    RegistryRole.objects.create(user=user, federation=official_list.federation, since=AT)
    return user


def enrol(official_list: OfficialList, *players: Player, kind: str = Membership.Kind.ORDINARY) -> None:
    """Make these people members of the list's federation since 2026 began."""
    for player in players:
        Membership.objects.create(
            player=player, federation=official_list.federation, kind=kind, starts=date(2026, 1, 1)
        )
