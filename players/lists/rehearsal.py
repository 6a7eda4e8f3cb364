"""Rehearsing a switch: last season replayed from files, and every difference to the official list with its reason.

Nothing is stored, and nobody needs to be in the registry: people are known by number, else by the folded name.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from players.lists.differences import Difference, Judge, Replayed
from players.lists.numbers import number_from, whole_from, why_no_number
from players.lists.played import Played, Unread, read_played
from players.lists.run import Run, run_through
from players.lists.starts import Listed, read_listed
from players.lists.values import Counted, Start
from players.ratings import RatingSystem
from players.registry.names import in_order
from players.services import fold_name


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """What came out: how many matches were replayed and ratings are the same, what differs, and what was not read.

    ``unlisted`` are people who played and are not on the official list, by name. Rows are unread of any of the files.
    """

    matches: int
    same: int
    differences: tuple[Difference, ...]
    unread: tuple[Unread, ...]
    unlisted: tuple[str, ...]

    @property
    def unexplained(self) -> int:
        return sum(one.code == "unexplained" for one in self.differences)


class _People:
    """Small numbers for people, who are known by number or by name; a name that two numbers have is nobody's."""

    def __init__(self) -> None:
        self._by_number: dict[str, int] = {}
        self._by_name: dict[str, int] = {}
        self._numbered: set[int] = set()
        self.names: dict[int, str] = {}

    def find(self, number: str, name: str) -> int:
        """Return the person, a new one if nobody is known yet."""
        folded = fold_name(in_order(name))
        found = self._by_number.get(number) if number else self._by_name.get(folded)
        if found is None and number and folded in self._by_name and self._by_name[folded] not in self._numbered:
            found = self._by_name[folded]
        if found is None:
            found = len(self.names) + 1
            self.names[found] = name or number
        if number:
            self._by_number.setdefault(number, found)
            self._numbered.add(found)
        if folded:
            self._by_name.setdefault(folded, found)
        return found


def rehearse(system: RatingSystem, *, starts: bytes | None, results: bytes, official: bytes) -> Rehearsal:
    """Replay the results from the start values, and compare with the official list. Raises Refusal for a file.

    ``starts`` is the list from before the season; without it everybody begins as a newcomer. Results are in the order
    of their days, then of the file; other orders within the days are tried for what differs.
    """
    people = _People()
    rows, before = read_listed(official), read_listed(starts) if starts is not None else []
    theirs = [(people.find(row.number, row.name), row) for row in rows]
    began = _starts(people, before)
    played, unread = read_played(results)
    replayed = _replay(system, began, people, played)
    judge = Judge(replayed, began, people.names, unread, has_starts=starts is not None)
    same, differences = judge.compare(theirs)
    listed = {player for player, _row in theirs}
    unlisted = sorted(people.names[player] for player in replayed.players - listed)
    unread = [*_unread("starts", before), *unread, *_unread("official", rows)]
    return Rehearsal(len(replayed.effects), same, tuple(differences), tuple(unread), tuple(unlisted))


def _starts(people: _People, rows: Iterable[Listed]) -> dict[int, Start]:
    found = {}
    for row in rows:
        value = number_from(row.value)
        if value is not None:
            found[people.find(row.number, row.name)] = Start(float(value), whole_from(row.experience) or 0)
    return found


def _unread(file: str, rows: Iterable[Listed]) -> Iterator[Unread]:
    for row in rows:
        if number_from(row.value) is None:
            yield Unread(row.row, why_no_number(row.value), (row.name,), (row.number,), file)


def _replay(system: RatingSystem, starts: Mapping[int, Start], people: _People, played: Sequence[Played]) -> Replayed:
    """Replay the matches in the order of the file, and in the others of :data:`players.lists.differences.ORDERS`."""
    as_filed = sorted(played, key=lambda one: (one.day, one.row))
    run = Run(system, {}, starts)
    effects = list(run.effects(_counted(people, as_filed)))
    tried = {
        "reversed": sorted(played, key=lambda one: (one.day, -one.row)),
        "told": sorted(played, key=lambda one: (one.day, one.turn, one.row)),
    }
    others = {
        name: run_through(Run(system, {}, starts), _counted(people, order))
        for name, order in tried.items()
        if order != as_filed
    }
    return Replayed(system, effects, run.standings, others)


def _counted(people: _People, played: Sequence[Played]) -> Iterator[Counted]:
    for place, one in enumerate(played, start=1):
        winner, loser = people.find(one.winner_number, one.winner), people.find(one.loser_number, one.loser)
        yield Counted(place, f"{one.day.isoformat()}T00:00:00+00:00", winner, loser, one.length)
