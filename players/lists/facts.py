"""What a list knows of its players: membership on a day, number, title, name, nation and club."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import islice

from players.lists.document import commit
from players.lists.models import OfficialList
from players.lists.signing import salt_for
from players.lists.values import Facts, Standing
from players.models import ExternalId, Membership, Player, Title, Visibility
from players.registry.countries import one_code

CHUNK = 900


@dataclass(frozen=True, slots=True)
class Known:
    """A player as a publication names them; ``club_id`` is 0 without a club.

    A player whose name is not public has neither number nor title: they would lead to the name, by any older list.
    """

    number: str
    title: str
    name: str
    folded_name: str
    nation: str
    club: str
    club_id: int
    member: bool
    salt: str

    @property
    def facts(self) -> Facts:
        words = self.number, self.title, self.name, self.club
        return Facts(self.member, self.nation, self.club_id, commit(self.salt, *words), self.folded_name)


class Registry:
    """What is known of the players of a list for its publication ``number``, with memberships as of a day.

    ``known`` holds what :meth:`facts_of` was asked for.
    """

    def __init__(self, official_list: OfficialList, number: int, day: date) -> None:
        self.official_list, self.number, self.day = official_list, number, day
        self.known: dict[int, Known] = {}

    def facts_of(self, standings: Mapping[int, Standing]) -> dict[int, Facts]:
        """Return the facts of everybody with a standing, read some hundred at a time."""
        ids = iter(sorted(standings))
        while chunk := list(islice(ids, CHUNK)):
            self.known.update(self._read(chunk))
        return {player: one.facts for player, one in self.known.items()}

    def _read(self, ids: Collection[int]) -> Iterator[tuple[int, Known]]:
        federation = self.official_list.federation
        members, numbers, titles = set[int](), dict[int, str](), dict[int, str]()
        if federation is not None:
            held = Membership.objects.filter(Membership.on(self.day), federation=federation, player__in=ids)
            for player, number in held.exclude(kind=Membership.Kind.GUEST).values_list("player", "number"):
                members.add(player)
                numbers[player] = number
            own = ExternalId.objects.filter(issuer=federation.issuer, player__in=ids)
            numbers |= dict(own.order_by("pk").values_list("player", "value"))
            given = Title.objects.filter(issuer=federation.issuer, player__in=ids, on__lte=self.day)
            titles = dict(given.order_by("on", "pk").values_list("player", "code"))
        columns = ("pk", "name", "folded_name", "country", "club", "club__name", "visibility")
        rows = Player.objects.filter(pk__in=ids).values_list(*columns)
        for pk, name, folded, nation, club, club_name, visibility in rows:
            yield (
                pk,
                Known(
                    number=numbers.get(pk, "") if visibility == Visibility.PUBLIC else "",
                    title=titles.get(pk, "") if visibility == Visibility.PUBLIC else "",
                    name=name,
                    folded_name=folded,
                    nation=one_code(nation),
                    club=club_name or "",
                    club_id=club or 0,
                    member=pk in members,
                    salt=salt_for(self.official_list.slug, self.number, pk),
                ),
            )
