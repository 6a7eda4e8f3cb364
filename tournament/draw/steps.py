"""A step on a fixture: locking the event, finding the place named in its log row, and logging a result."""

from collections.abc import Callable, Collection
from datetime import datetime
from functools import partial
from typing import Any

from django.utils.translation import gettext as _

from matches.claims import claim_as_dict, claim_of, score_of
from matches.models import MAX_REASON, Match, Scoresheet
from matches.services import AGAIN
from players.errors import Conflict
from players.models import User
from rules.score import MatchScore
from tournament.changes.record import begin_at, event_deleted, lock_event_of, record_change, record_in_fixtures
from tournament.draw.kept import keep_before_writing, kept_place
from tournament.draw.reconcile import Repair
from tournament.models import Event, Fixture
from tournament.models.team import event_of

PEOPLE = ("match", "stage", "entry_a__player", "entry_a__partner", "entry_b__player", "entry_b__partner")
"""The relations to load with a fixture for :func:`fixture_details`."""


def lock_fixture(match: Match, at: datetime) -> tuple[Event, Fixture, datetime]:
    """Lock the event in which the match is played, and find the fixture that it decides, alone or with other boards.

    Call this before anything is written: what this process keeps of the event is brought up to date.
    Returns the event, the fixture and the moment of the step, which is that of
    :func:`tournament.changes.record.begin_step`. Raises Conflict if the match belongs to no draw any more, or if its
    event has been deleted.
    """
    event = lock_event_of(match)
    if event is None:
        raise not_in_draw() if event_of(match) is None else event_deleted()
    at = begin_at(event, at)
    keep_before_writing(event)
    return event, fixture_in(event, match), at


def fixture_in(event: Event, match: Match) -> Fixture:
    """Return the fixture in the locked event that the match decides, as :func:`lock_fixture` does.

    Raises Conflict if the match belongs to no draw any more.
    """
    fixture = kept_place(event, match) or find_place(event, match)
    fixture.stage.event = event
    return fixture


def find_place(event: Event, match: Match) -> Fixture:
    """Find the fixture in the event that the match decides, with its players.

    Raises Conflict if the match belongs to no draw any more.
    """
    path = "boards__match" if event.has_teams else "match"
    fixture = Fixture.objects.select_related(*PEOPLE).filter(**{path: match}).first()
    if fixture is None:
        raise not_in_draw()
    return fixture


def not_in_draw() -> Conflict:
    return Conflict("match_not_in_draw", _("This match no longer belongs to a draw."))


def place_details(fixture: Fixture, match: Match) -> dict[str, Any]:
    """Return the match's place for the log: the details of its fixture, and for a board its number and players."""
    details = fixture_details(fixture)
    if fixture.match_id is not None:
        return details
    board = fixture.boards.select_related("match__side_a", "match__side_b").get(match=match)
    return {**details, "board": board.number, "players": [board.match.name_a, board.match.name_b]}


def fixture_details(fixture: Fixture) -> dict[str, Any]:
    """Return the pairing and the names of the entries that meet, for the log; and the stage if it is a later one.

    Reads the people as :data:`PEOPLE` loads them.
    """
    names = [entry.name for entry in (fixture.entry_a, fixture.entry_b) if entry is not None]
    later = {"stage": fixture.stage.number} if fixture.stage.number > 1 else {}
    return {"fixture": fixture.key, "players": names, **later}


def score_of_sheet(match: Match, sheet: Scoresheet) -> MatchScore:
    """Return the match score on this sheet."""
    claim = claim_of(sheet)
    return score_of(match.terms, claim.games, claim.final, claim.awarded_to)


def record_result(
    event: Event,
    fixture: Fixture,
    sheet: Scoresheet,
    *,
    verb: str,
    by: User | None,
    at: datetime,
    reason: str | None = None,
    repair: Repair | None = None,
    fixtures: Collection[int] | None = None,
    **detail: object,
) -> None:
    """Write the log row for a changed result: which match, between whom, what was claimed, and the resulting score.

    ``fixtures`` are those that have changed if nothing else has, given as in
    :func:`tournament.changes.record.record_in_fixtures`.
    """
    match, claim = sheet.match, claim_of(sheet)
    score = score_of(match.terms, claim.games, claim.final, claim.awarded_to)
    if repair is not None:
        detail["repair"] = repair.value
    if sheet.key.startswith(AGAIN):
        detail["again"] = True
    record: Callable[..., None] = record_change if fixtures is None else partial(record_in_fixtures, fixtures=fixtures)
    record(
        event,
        verb=verb,
        by=by,
        at=at,
        **place_details(fixture, match),
        match=match.pk,
        sheet=sheet.number,
        score=[score.a, score.b],
        conclusion=sheet.conclusion,
        claim=claim_as_dict(claim),
        reason=sheet.reason if reason is None else reason.strip()[:MAX_REASON],
        **detail,
    )
