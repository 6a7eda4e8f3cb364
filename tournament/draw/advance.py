"""Advancing the draw past entries that have left: their opponents receive walkovers, round after round."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from datetime import datetime

from matches.claims import Claim
from matches.models import Conclusion, Match, SheetSource
from matches.services import Sheets, enter_claim, lock_sheets, prefetched_sheet
from players.models import User
from rules.score import Side
from tournament.draw.calls import close_calls
from tournament.draw.chain import Chain, open_chance
from tournament.draw.kept import Touched
from tournament.draw.outcomes import begun_at, is_walkover_of_absence, load_fixtures, match_has_begun
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
    touched: Touched | None = None,
) -> Chain:
    """Bring this stage and later ones into line with their plans, so that no match waits for an entry that has left.

    The opponent of an entry that has left gets a walkover at once, and so does the next opponent in a consolation or
    last chance that the entry would have fallen to, until nothing changes. A match that has begun is played on.

    If both have left, the match is void: neither wins, and the next opponent has a bye. So is a walkover whose winner
    then leaves without having begun any match of the event: it has not come either. Where one of two has left only the
    main bracket, lots say who falls into the consolation first. A walkover is never rated.

    The event must be locked. ``repair``, its ``reason`` and ``touched`` are those of
    :func:`tournament.draw.reconcile.reconcile`. Raises RepairNeeded as :func:`tournament.draw.reconcile.reconcile`
    does.
    """
    chain = reconcile(event, stage, at=at, repair=repair, by=by, reason=reason, touched=touched)
    if touched is not None and chain.rewritten is not None and not any(map(is_absent, chain.rewritten.values())):
        return chain
    while any(entry.left_at is not None for entry in chain.entries.values()):
        drawn = [later for later in chain.stages[stage.number - 1 :] if later.drawn_at is not None]
        given = sum(_void_unattended(event, later, chain, by=by, at=at) for later in drawn)
        given = given or sum(_walk_over(event, later, chain, by=by, at=at) for later in drawn)
        if not given:
            break
        chain = reconcile(event, stage, by=by, at=at)
        chain.rewritten = None
    return chain


def _walk_over(event: Event, stage: Stage, chain: Chain, *, by: User | None, at: datetime) -> int:
    """Turn every match in the stage that waits for a departed entry into a walkover; return how many there were."""
    given, entries = 0, chain.entries
    gone = [entry.pk for entry in entries.values() if entry.left_at is not None]
    for fixture in load_fixtures(stage, of=gone):
        open_matches = [match for match in fixture.matches.values() if not match_has_begun(match)]
        absent = absent_sides(fixture, entries) if open_matches else {}
        if absent:
            fixture.entry_a, fixture.entry_b = entries[fixture.entry_a_id or 0], entries[fixture.entry_b_id or 0]
            winner = winner_by_absence(chain, stage, fixture, absent, at=at)
            for match in open_matches:
                _enter_walkover(event, fixture, match, winner, list(absent.values()), by=by, at=at)
                given += 1
    return given


def absent_sides(fixture: Fixture, entries: Mapping[int, Entry]) -> dict[Side, Entry]:
    """Return the sides of the pairing, which has two, that do not play there any more; ``entries`` are by id."""
    sides = {Side.A: entries[fixture.entry_a_id or 0], Side.B: entries[fixture.entry_b_id or 0]}
    return {side: entry for side, entry in sides.items() if entry.is_absent_from(fixture.bracket)}


def winner_by_absence(
    chain: Chain, stage: Stage, fixture: Fixture, absent: Mapping[Side, Entry], *, at: datetime
) -> Side | None:
    """Return the side that is not ``absent``; None if both are, unless one of them plays on in the consolation."""
    if len(absent) == 1:
        return next(iter(absent)).other
    if all(_is_gone(entry) for entry in absent.values()):
        return None
    return _draw_lots(chain, stage, fixture, absent, at=at)


def _is_gone(entry: Entry) -> bool:
    """Whether the entry has left the whole event, and not only the main bracket."""
    return entry.left_at is not None and not entry.left_bracket


def _void_unattended(event: Event, stage: Stage, chain: Chain, *, by: User | None, at: datetime) -> int:
    """Void the stage's walkovers of absence whose winners have left too and never came; return how many there were.

    An entry has come if it has begun a match of the event.
    """
    gone, came = who_never_came(chain)
    given = 0
    for fixture in load_fixtures(stage, of=gone.keys() - came):
        unattended = unattended_matches(fixture, gone, came)
        if unattended:
            fixture.entry_a, fixture.entry_b = sides = gone[fixture.entry_a_id or 0], gone[fixture.entry_b_id or 0]
            for match in unattended:
                _enter_walkover(event, fixture, match, None, sides, by=by, at=at)
                given += 1
    return given


def who_never_came(chain: Chain) -> tuple[dict[int, Entry], set[int | None]]:
    """Return the entries that have left, by id, and those of the event that have begun a match, which so have come."""
    gone = {entry.pk: entry for entry in chain.entries.values() if _is_gone(entry)}
    came = {
        entry
        for fixtures in chain.fixtures.values()
        for fixture in fixtures
        if any(begun_at(match) is not None for match in fixture.matches.values())
        for entry in (fixture.entry_a_id, fixture.entry_b_id)
    }
    return gone, came


def unattended_matches(fixture: Fixture, gone: Mapping[int, Entry], came: Set[int | None]) -> list[Match]:
    """Return the matches of two that have left, won without play by one that has never come."""
    sides = (fixture.entry_a_id, fixture.entry_b_id)
    if not all(entry in gone for entry in sides):
        return []
    sheets = ((match, prefetched_sheet(match)) for match in fixture.matches.values())
    return [
        match
        for match, sheet in sheets
        if sheet is not None
        and is_walkover_of_absence(sheet)
        and sheet.awarded_to
        and sides["AB".index(sheet.awarded_to)] not in came
    ]


def is_absent(fixture: Fixture) -> bool:
    """Whether either of the two entries due to meet has left. Reads ``entry_a`` and ``entry_b`` as loaded."""
    return any(entry.is_absent_from(fixture.bracket) for entry in (fixture.entry_a, fixture.entry_b) if entry)


def _draw_lots(chain: Chain, stage: Stage, fixture: Fixture, absent: Mapping[Side, Entry], *, at: datetime) -> Side:
    """Return the side that advances if neither plays there; drawn again between the same two, it is the same."""
    seeded = f"absent:{fixture.key}"
    chance = open_chance(chain, stage, f"absent {fixture.key}", seeded=seeded, at=at)
    a, b = (f"{absent[side].number} in {fixture.key}" for side in (Side.A, Side.B))
    return Side.A if chance.is_first(a, b) else Side.B


def _enter_walkover(
    event: Event,
    fixture: Fixture,
    match: Match,
    winner: Side | None,
    absent: Sequence[Entry],
    *,
    by: User | None,
    at: datetime,
) -> None:
    claim = claim_of_absence(winner, absent)
    close_calls([match], ending=CallEnding.DONE, at=at)
    enter_for_absence(event, fixture, lock_sheets(match), claim, absent=absent, by=by, at=at)


def claim_of_absence(winner: Side | None, absent: Sequence[Entry]) -> Claim:
    """Return the walkover, or the void match without a winner, that follows from these entries' absence."""
    reason = ", ".join(f"{entry.name}: {entry.get_left_kind_display()}" for entry in absent)
    conclusion = Conclusion.VOID if winner is None else Conclusion.WALKOVER
    return Claim(key="", conclusion=conclusion, awarded_to=winner, reason=reason)


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
    claim = claim_instead(sheets, claim)
    sheet, _is_new = enter_claim(sheets, claim=claim, source=SheetSource.ABSENCE, by=by, at=at)
    names = [entry.name for entry in absent]
    record_result(event, fixture, sheet, verb="enter_result", by=by, at=at, base=claim.base, absent=names)


def claim_instead(sheets: Sheets, claim: Claim) -> Claim:
    """Return the claim with a key of its own, made in place of the current sheet of the match."""
    base = sheets.current.number if sheets.current is not None else 0
    return replace(claim, key=f"absence-{len(sheets.rows) + 1}", base=base)
