"""The facts, as loaded, that determine the state of a fixture, of its match or of one of its boards."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from matches.models import Conclusion, Match
from matches.services import is_correction, prefetched_sheet
from tournament.draw.calls import prefetched_call
from tournament.draw.outcomes import begun_at
from tournament.formats.drawn_matches import is_drawn
from tournament.models import Fixture
from tournament.snapshot.states import MatchFacts, MatchState
from tournament.snapshot.values import BoardSnapshot, FixtureState, ReportSnapshot, SheetSnapshot
from tournament.snapshot.views import Known

Begun = Mapping[int, Mapping[tuple[int, str], datetime]]
"""When each entry was last known to play, by fixture; each fixture is identified by its stage and key."""


def begun_by_entry(fixtures: Iterable[Fixture], known: Known[Fixture, datetime | None]) -> Begun:
    """Return when each entry was last known to play, by fixture; ``known`` are the times found before, by fixture."""
    begun: dict[int, dict[tuple[int, str], datetime]] = {}
    for fixture in fixtures:
        at = known.of(fixture, _begun)
        for entry in (fixture.entry_a_id, fixture.entry_b_id):
            if entry is not None and at is not None:
                begun.setdefault(entry, {})[fixture.stage_id, fixture.key] = at
    return begun


def _begun(fixture: Fixture) -> datetime | None:
    return max((at for match in fixture.matches.values() if (at := begun_at(match)) is not None), default=None)


def facts_of(
    fixture: Fixture,
    match: Match | None,
    state: FixtureState,
    sheet: SheetSnapshot | None,
    reports: Sequence[ReportSnapshot],
    boards: Sequence[BoardSnapshot],
    begun: Begun,
    ended: bool,
) -> MatchFacts:
    """Return the facts of the fixture's match, of one of its boards, or, without ``match``, of all its ``boards``."""
    matches = [match] if match is not None else list(fixture.matches.values())
    is_bye = "bye" in (fixture.feed_a, fixture.feed_b)
    if not matches:
        return MatchFacts(is_bye=is_bye, has_match=False)
    calls = [call for one in matches if (call := prefetched_call(one)) is not None]
    current = prefetched_sheet(match)
    decided = sheet if sheet is not None and sheet.is_final else None
    over_at = _over_at(fixture, state, decided)
    waits_for = {board.status for board in boards if board.state is not FixtureState.DONE}
    return MatchFacts(
        is_bye=is_bye,
        called=bool(calls),
        started=any(call.started_at is not None for call in calls),
        has_live_sheet=sheet is not None or (match is None and state is FixtureState.LIVE),
        has_reports=bool(reports),
        reported_over=any(report.sheet.score.over for report in reports) or waits_for == {MatchState.REPORTED},
        disputed=any(report.is_disputed for report in reports) or MatchState.DISPUTED in waits_for,
        conclusion=_concluded(decided, boards).value if state is FixtureState.DONE else "",
        corrected=decided is not None and current is not None and is_correction(current),
        next_begun=over_at is not None and _has_next_begun(fixture, over_at, begun),
        event_ended=ended,
    )


def _concluded(decided: SheetSnapshot | None, boards: Sequence[BoardSnapshot]) -> Conclusion:
    """Return how the match ended; between teams it is a walkover if no board began, void if it has no result."""
    if decided is not None:
        return decided.conclusion
    won_a, won_b = sum(board.a.is_winner for board in boards), sum(board.b.is_winner for board in boards)
    if won_a == won_b and not is_drawn(len(boards), won_a, won_b):
        return Conclusion.VOID
    ends = {board.sheet.conclusion for board in boards if board.sheet is not None}
    return Conclusion.WALKOVER if ends <= {Conclusion.WALKOVER, Conclusion.VOID} else Conclusion.PLAYED


def _has_next_begun(fixture: Fixture, over_at: datetime, begun: Begun) -> bool:
    """Whether either side has begun another match since this one was over."""
    own = (fixture.stage_id, fixture.key)
    sides = [begun.get(entry or 0, {}) for entry in (fixture.entry_a_id, fixture.entry_b_id)]
    return any(at > over_at for times in sides for place, at in times.items() if place != own)


def _over_at(fixture: Fixture, state: FixtureState, decided: SheetSnapshot | None) -> datetime | None:
    """Return when the match was over, for a team match when its last board was; None until then."""
    if decided is not None or state is not FixtureState.DONE:
        return decided.played_at if decided else None
    sheets = [sheet for match in fixture.matches.values() if (sheet := prefetched_sheet(match)) is not None]
    return max((sheet.played_at for sheet in sheets), default=None)
