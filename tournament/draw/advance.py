"""Advancing the draw past entries that have left: their opponents receive walkovers, round after round."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from random import Random

from matches.models import Conclusion, Match, SheetSource
from matches.services import Claim, Sheets, enter_claim, lock_sheets
from players.models import User
from rules.score import Side
from tournament.draw.calls import close_calls
from tournament.draw.chain import Chain
from tournament.draw.outcomes import load_fixtures, match_has_begun
from tournament.draw.reconcile import Repair, reconcile
from tournament.draw.steps import record_result
from tournament.models import CallEnding, Entry, Event, Fixture, Stage


def advance(
    event: Event,
    stage: Stage,
    *,
    by: User | None,
    at: datetime,
    repair: Repair | None = None,
    reason: str = "",
) -> Chain:
    """Bring this stage and later ones into line with their plans, so that no match waits for an entry that has left.

    The opponent of an entry that has left gets a walkover at once, and so does the next opponent in a consolation or
    last chance that the entry would have fallen to, until nothing changes. A match that has begun is played on.

    If both have left, neither deserves the win, but the bracket needs one of them to advance: lots decide, drawn from
    the seed of the stage, and that entry is walked over by its next opponent, until there is one who is present. A
    walkover is never rated, and the standings mark both as having left, for the person who pays prizes.

    The event must be locked. ``repair`` and its ``reason`` are those of :func:`tournament.draw.reconcile.reconcile`.
    Raises RepairNeeded as :func:`tournament.draw.reconcile.reconcile` does.
    """
    chain = reconcile(event, stage, at=at, repair=repair, by=by, reason=reason)
    while any(entry.left_at is not None for entry in chain.entries.values()):
        given = 0
        for drawn in chain.stages[stage.number - 1 :]:
            if drawn.drawn_at is not None:
                given += _walk_over(event, drawn, chain.entries, by=by, at=at)
        if not given:
            break
        chain = reconcile(event, stage, at=at)
    return chain


def _walk_over(event: Event, stage: Stage, entries: Mapping[int, Entry], *, by: User | None, at: datetime) -> int:
    """Turn every match in the stage that waits for a departed entry into a walkover; return how many there were."""
    given = 0
    gone = [entry.pk for entry in entries.values() if entry.left_at is not None]
    for fixture in load_fixtures(stage, of=gone):
        open_matches = [match for match in fixture.matches.values() if not match_has_begun(match)]
        if not open_matches:
            continue
        fixture.entry_a, fixture.entry_b = entries[fixture.entry_a_id or 0], entries[fixture.entry_b_id or 0]
        sides = {Side.A: fixture.entry_a, Side.B: fixture.entry_b}
        absent = {side: entry for side, entry in sides.items() if entry.is_absent_from(fixture.bracket)}
        if absent:
            winner = next(iter(absent)).other if len(absent) == 1 else draw_lots(stage, fixture)
            for match in open_matches:
                _enter_walkover(event, fixture, match, winner, list(absent.values()), by=by, at=at)
                given += 1
    return given


def is_absent(fixture: Fixture) -> bool:
    """Whether either of the two entries due to meet has left. Reads ``entry_a`` and ``entry_b`` as loaded."""
    return any(entry.is_absent_from(fixture.bracket) for entry in (fixture.entry_a, fixture.entry_b) if entry)


def draw_lots(stage: Stage, fixture: Fixture) -> Side:
    """Return the side that advances if neither is present, drawn from the stage's seed and so always the same."""
    return Side.A if Random(f"{stage.seed}:absent:{fixture.key}").random() < 0.5 else Side.B


def _enter_walkover(
    event: Event,
    fixture: Fixture,
    match: Match,
    winner: Side,
    absent: Sequence[Entry],
    *,
    by: User | None,
    at: datetime,
) -> None:
    reason = ", ".join(f"{entry.name}: {entry.get_left_kind_display()}" for entry in absent)
    claim = Claim(key="", conclusion=Conclusion.WALKOVER, awarded_to=winner, reason=reason)
    close_calls([match], ending=CallEnding.DONE, at=at)
    enter_for_absence(event, fixture, lock_sheets(match), claim, absent=absent, by=by, at=at)


def enter_for_absence(
    event: Event,
    fixture: Fixture,
    sheets: Sheets,
    claim: Claim,
    *,
    absent: Sequence[Entry],
    by: User | None,
    at: datetime,
) -> None:
    """Enter and record the claim for the match because these entries have left or come back.

    The claim gets its key here, and replaces the current sheet of the match.
    """
    base = sheets.current.number if sheets.current is not None else 0
    claim = replace(claim, key=f"absence-{len(sheets.rows) + 1}", base=base)
    sheet, _is_new = enter_claim(sheets, claim=claim, source=SheetSource.ABSENCE, by=by, at=at)
    names = [entry.name for entry in absent]
    record_result(event, fixture, sheet, verb="enter_result", by=by, at=at, base=claim.base, absent=names)
