"""The fixtures of an event as a process keeps them: found without looking through them, and never changed."""

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace

from matches.models import Match
from tournament.models import Call, Fixture


@dataclass(frozen=True, slots=True)
class Fixtures:
    """Fixtures ``by_stage``, each in its order."""

    by_stage: Mapping[int, Sequence[Fixture]]
    _places: Mapping[int, tuple[int, int]]
    """The stage and the position there, by id."""
    _keys: Mapping[tuple[int, str], int]
    """The id, by stage and key."""
    _matches: Mapping[int, int]
    """The id, by match."""

    def find(self, id: int) -> Fixture | None:
        place = self._places.get(id)
        return None if place is None else self.by_stage[place[0]][place[1]]

    def at(self, stage: int, key: str) -> Fixture | None:
        return self.find(self._keys.get((stage, key), 0))

    def of_match(self, match: int) -> Fixture | None:
        """Return the fixture that the match alone decides."""
        return self.find(self._matches.get(match, 0))

    def with_changed(self, changed: Iterable[Fixture]) -> "Fixtures | None":
        """Return the fixtures with these in place of what they were; None if one of them was not there before."""
        rows: dict[int, list[Fixture]] = {}
        matches: dict[int, int] = {}
        for fixture in changed:
            if fixture.id not in self._places:
                return None
            stage, position = self._places[fixture.id]
            rows.setdefault(stage, list(self.by_stage[stage]))[position] = fixture
            if fixture.match_id is not None:
                matches[fixture.match_id] = fixture.id
        return (
            replace(self, by_stage={**self.by_stage, **rows}, _matches={**self._matches, **matches}) if rows else self
        )

    def with_calls(self, calls: Iterable[Call]) -> "Fixtures":
        """Return the fixtures with these calls of their matches, which are all that are open now."""
        now: dict[int, list[Call]] = {}
        for call in calls:
            now.setdefault(call.match_id, []).append(call)
        return replace(
            self,
            by_stage={
                stage: [_with_calls(row, now.get(row.match_id or 0, [])) for row in rows]
                for stage, rows in self.by_stage.items()
            },
        )


def indexed(by_stage: Mapping[int, Sequence[Fixture]]) -> Fixtures:
    """Return the fixtures, found by id, by place and by match."""
    rows = [(stage, position, row) for stage, found in by_stage.items() for position, row in enumerate(found)]
    return Fixtures(
        by_stage,
        {row.id: (stage, position) for stage, position, row in rows},
        {(stage, row.key): row.id for stage, _position, row in rows},
        {row.match_id: row.id for _stage, _position, row in rows if row.match_id is not None},
    )


def _with_calls(fixture: Fixture, calls: list[Call]) -> Fixture:
    match = fixture.match
    if match is None or list(map(_shown, match.open_calls)) == list(map(_shown, calls)):  # type: ignore[attr-defined]
        return fixture
    match = copy(match)
    match.open_calls = calls  # type: ignore[attr-defined]
    return with_match(fixture, match)


def with_match(fixture: Fixture, match: Match) -> Fixture:
    """Return a copy of the fixture with this match, which does not refer back to it."""
    fixture = copy(fixture)
    fixture.match = match
    Match._meta.get_field("fixture").delete_cached_value(match)
    return fixture


def own_copy(fixture: Fixture) -> Fixture:
    """Return a copy of the fixture, with copies of its match and of that match's sheets, which a writer may change.

    Boards are not kept, and stay as they are.
    """
    if fixture.match is None:
        return copy(fixture)
    match = copy(fixture.match)
    match.open_sheets = [copy(sheet) for sheet in match.open_sheets]
    return with_match(fixture, match)


def _shown(call: Call) -> tuple[object, ...]:
    return call.pk, call.table_number, call.called_at, call.started_at
