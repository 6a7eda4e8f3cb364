"""A ladder as displayed: its rungs, and the deadlines of its challenges."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from players.errors import Refusal
from tournament.draw.chain import Chain
from tournament.draw.challenge_rows import deadlines_of, is_ladder
from tournament.models import Stage
from tournament.snapshot.values import EntrySnapshot, FixtureSnapshot


def with_deadlines(stage: Stage, chain: Chain, fixtures: Iterable[FixtureSnapshot]) -> tuple[FixtureSnapshot, ...]:
    """Return the fixtures of the stage, those of a ladder with the deadlines of their challenges."""
    deadlines = deadlines_of(stage, chain.event.tournament.zone)
    if not deadlines:
        return tuple(fixtures)
    return tuple(replace(one, deadline=one.deadline or deadlines.get(one.number)) for one in fixtures)


def rungs_view(stage: Stage, chain: Chain, entries: Mapping[int, EntrySnapshot]) -> tuple[EntrySnapshot, ...]:
    """Return the rungs of a ladder that is drawn; none for any other stage, or while it waits for an earlier one."""
    if not is_ladder(stage) or stage.drawn_at is None or chain.waits(stage):
        return ()
    try:
        placings = chain.at(stage).plan.placings or ()
    except Refusal:
        return ()
    return tuple(entries[placing.entrant] for placing in placings if placing.entrant in entries)
