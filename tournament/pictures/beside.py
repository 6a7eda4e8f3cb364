"""What stands beside the pairings and the bracket of an event: the rounds in play, calls, and what comes next."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, islice

from django.utils.translation import gettext as _

from tournament.formats import FORMATS
from tournament.hall.desk import Desk
from tournament.hall.values import DeskMatch
from tournament.pictures.draw import address_of, brackets_of, round_name
from tournament.pictures.progress import DECIDED, planned_rounds
from tournament.pictures.wall import WallClock, breaks_of, by_table
from tournament.snapshot import EventSnapshot, FixtureSnapshot, FixtureState
from tournament.snapshot.cards import Card, card_of

MOST_ROUNDS, MOST_CLOCKS, MOST_CALLS, MOST_NEXT = 4, 2, 12, 4


@dataclass(frozen=True, slots=True)
class RoundInPlay:
    """A round with ``playing`` matches at their tables.

    ``ends_at`` is when its last match may end; None while one of its matches is not called yet, or if it is late.
    """

    name: str
    playing: int
    ends_at: datetime | None


@dataclass(frozen=True, slots=True)
class Beside:
    """What stands beside; ``more_calls`` are called too, but not listed."""

    rounds: tuple[RoundInPlay, ...]
    clocks: tuple[WallClock, ...]
    calls: tuple[DeskMatch, ...]
    more_calls: int
    next: tuple[Card, ...]


def beside_of(desk: Desk, event: EventSnapshot) -> Beside | None:
    """Return what stands beside the stage that is shown, as the ``desk`` of its hall says; None if that is nothing."""
    if event.at is not None or event.finished_at is not None or event.stage.drawn_at is None:
        return None
    own = desk.of_event(event.id)
    by_fixture = _by_fixture(own, event)
    groups = list(_groups_in_play(event, by_fixture))
    shown = {match.id for found in by_fixture.values() for match in found}
    calls = [match for match in by_table(own.called) if match.id in shown]
    clocks = [*breaks_of(desk.pauses, desk.at)[:MOST_CLOCKS], *_next_round(event, groups, by_fixture, desk.at)]
    found = Beside(
        rounds=tuple(_in_play(event, group, by_fixture, desk.at) for group in groups[:MOST_ROUNDS]),
        clocks=tuple(sorted(clocks, key=lambda clock: clock.at)),
        calls=tuple(calls[:MOST_CALLS]),
        more_calls=max(len(calls) - MOST_CALLS, 0),
        next=tuple(
            card_of(fixture, round=round_name(event.stage, fixture), address=address_of(event, fixture))
            for fixture in islice(_coming(event, own), MOST_NEXT)
        ),
    )
    return found if found.rounds or found.clocks or found.calls or found.next else None


def _by_fixture(desk: Desk, event: EventSnapshot) -> dict[str, list[DeskMatch]]:
    """Return the open matches of the stage by the key of their fixture: for teams several boards."""
    matches = {match.id: match for match in desk.matches}
    ids = {fixture.key: _match_ids(fixture) for fixture in event.stage.fixtures}
    return {key: [matches[id] for id in found if id in matches] for key, found in ids.items()}


def _match_ids(fixture: FixtureSnapshot) -> list[int]:
    return [id for id in (fixture.match_id, *(board.match_id for board in fixture.boards)) if id is not None]


Group = list[FixtureSnapshot]
"""The undecided fixtures of one round of a bracket."""


def _groups_in_play(event: EventSnapshot, by_fixture: dict[str, list[DeskMatch]]) -> Iterator[Group]:
    """Yield the rounds with a match at a table, the main bracket first."""
    order = brackets_of(event.stage)
    groups: dict[tuple[int, int], Group] = {}
    for fixture in event.stage.fixtures:
        if fixture.state not in DECIDED:
            groups.setdefault((order.index(fixture.bracket), fixture.round), []).append(fixture)
    for _place, group in sorted(groups.items(), key=lambda item: item[0]):
        if any(match.is_at_a_table for fixture in group for match in by_fixture[fixture.key]):
            yield group


def _in_play(event: EventSnapshot, group: Group, by_fixture: dict[str, list[DeskMatch]], at: datetime) -> RoundInPlay:
    matches = [match for fixture in group for match in by_fixture[fixture.key]]
    playing = sum(match.is_at_a_table for match in matches)
    return RoundInPlay(round_name(event.stage, group[0]), playing, _end_of(group, by_fixture, at))


def _end_of(group: Group, by_fixture: dict[str, list[DeskMatch]], at: datetime) -> datetime | None:
    """Return when the last match of the round may end; None while that cannot be said."""
    ends: list[datetime | None] = [None]
    if all(by_fixture[fixture.key] for fixture in group):
        ends = [match.ends_at for fixture in group for match in by_fixture[fixture.key]]
    known = [end for end in ends if end is not None]
    return max(known) if len(known) == len(ends) and max(known) > at else None


def _next_round(
    event: EventSnapshot, groups: list[Group], by_fixture: dict[str, list[DeskMatch]], at: datetime
) -> list[WallClock]:
    """Return when the next round may begin, where rounds are made one by one and another one follows."""
    stage = event.stage
    if len(groups) != 1 or not FORMATS[stage.format].pairs_by_round:
        return []
    current, planned = groups[0][0].round, planned_rounds(event, stage)
    end = _end_of(groups[0], by_fixture, at)
    if end is None or planned is None or current >= planned:
        return []
    return [WallClock(_("Round %(round)s") % {"round": current + 1}, end, is_about=True)]


def _coming(event: EventSnapshot, desk: Desk) -> Iterator[FixtureSnapshot]:
    """Yield what is up next: matches to be called, as the desk orders them, then those that wait for a player."""
    by_match = {id: fixture for fixture in event.stage.fixtures for id in _match_ids(fixture)}
    ready = (by_match[match.id] for match in (*desk.ready, *desk.busy) if match.id in by_match)
    order = brackets_of(event.stage)
    waiting = sorted(
        (fixture for fixture in event.stage.in_state(FixtureState.WAITING) if fixture.entry_ids),
        key=lambda fixture: (order.index(fixture.bracket), fixture.round),
    )
    yield from {fixture.key: fixture for fixture in chain(ready, waiting)}.values()
