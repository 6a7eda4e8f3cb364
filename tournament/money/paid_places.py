"""The places for which prizes are paid: the standings without entries barred from prizes, and what can still change."""

from collections.abc import Collection

from matches.models import Conclusion
from tournament.formats import FORMATS
from tournament.formats.knockout import BUY_IN
from tournament.models import Departure
from tournament.prizes import Rank, settle_ranks
from tournament.prizes.places import number, pass_over
from tournament.snapshot import EventSnapshot, FixtureSnapshot, FixtureState, StageSnapshot, StandingSnapshot

OPEN = {FixtureState.WAITING, FixtureState.READY, FixtureState.LIVE}


def ranks_of_field(snapshot: EventSnapshot) -> tuple[Rank, ...]:
    """Rank all entries: by the last drawn stage, followed by those that did not get that far.

    No place is settled while a stage is still to be drawn or error rates that count are missing, unless the event has
    ended, or while a newer result is still being counted.
    """
    drawn = [stage for stage in snapshot.stages if stage.drawn_at is not None and stage.standings]
    if not drawn:
        return ()
    *earlier, last = drawn
    ranks = list(_ranks(snapshot, last, last.standings, _brackets_of_field(last)))
    for stage in reversed(earlier):
        placed = {rank.who for rank in ranks}
        behind = [_rank(line) for line in stage.standings if line.entry.id not in placed]
        first = len(ranks)
        settled = snapshot.standings_are_current and not snapshot.rates_open
        ranks += [Rank(rank.who, rank.place + first, rank.place_to + first, settled) for rank in number(behind)]
    if snapshot.next_stage is not None and snapshot.finished_at is None:
        ranks = [Rank(rank.who, rank.place, rank.place_to, settled=False) for rank in ranks]
    return pass_over(ranks, _without_prize(snapshot))


def ranks_of_sections(snapshot: EventSnapshot) -> dict[str, tuple[Rank, ...]]:
    """Return the other rankings by bracket: consolations, groups, jackpots."""
    without = _without_prize(snapshot)
    return {
        bracket: pass_over(_ranks(snapshot, stage, lines, {bracket}), without)
        for stage in snapshot.stages
        for bracket, lines in stage.sections.items()
    }


def played_sections(snapshot: EventSnapshot) -> set[str] | None:
    """Return the draw's brackets, and one that players can still buy in to; None before the draw."""
    if not snapshot.is_drawn:
        return None
    played = {fixture.bracket for stage in snapshot.stages for fixture in stage.fixtures}
    return played | {BUY_IN} if snapshot.takes_buy_ins else played


def _without_prize(snapshot: EventSnapshot) -> set[int]:
    """Return the entries that take no prize: disqualified ones, and no-shows that have not played a single match."""
    disqualified = {entry.id for entry in snapshot.entries if entry.left_kind == Departure.DISQUALIFIED}
    absent = {entry.id for entry in snapshot.entries if entry.left_kind == Departure.NO_SHOW}
    if not absent:
        return disqualified
    played = {
        entry
        for stage in snapshot.stages
        for fixture in stage.fixtures
        for sheet in (fixture.sheet, *(board.sheet for board in fixture.boards))
        if sheet is not None and sheet.conclusion == Conclusion.PLAYED
        for entry in fixture.entry_ids
    }
    return disqualified | (absent - played)


def _brackets_of_field(stage: StageSnapshot) -> set[str]:
    """Return the brackets in which places in the whole field are contested."""
    brackets = {fixture.bracket for fixture in stage.fixtures}
    return brackets if stage.ranks_in_groups else brackets - stage.sections.keys()


def _ranks(
    snapshot: EventSnapshot, stage: StageSnapshot, lines: Collection[StandingSnapshot], brackets: set[str]
) -> tuple[Rank, ...]:
    ranks = [_rank(line) for line in lines]
    if not snapshot.standings_are_current or snapshot.rates_open:
        return tuple(Rank(rank.who, rank.place, rank.place_to, settled=False) for rank in ranks)
    if snapshot.finished_at is not None:
        return tuple(ranks)
    fixtures = [fixture for fixture in stage.fixtures if fixture.bracket in brackets and fixture.state in OPEN]
    if FORMATS[stage.format].ranks_by_record:
        # A later round may not be paired yet: only the end of the event settles a Swiss.
        is_over = not fixtures and not FORMATS[stage.format].pairs_by_round
        return tuple(Rank(rank.who, rank.place, rank.place_to, settled=is_over) for rank in ranks)
    return settle_ranks(ranks, _seated(fixtures))


def _rank(line: StandingSnapshot) -> Rank:
    return Rank(line.entry.id, line.place, line.place_to)


def _seated(fixtures: Collection[FixtureSnapshot]) -> set[int]:
    return {entry for fixture in fixtures for entry in fixture.entry_ids}
