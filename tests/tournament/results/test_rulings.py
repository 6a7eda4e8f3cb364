"""A ruling on a match of a draw advances it, is logged, and passes the audit."""

from dataclasses import replace

import pytest

from matches.audit import audit_free_matches
from matches.models import Match, Ruling, SheetState
from matches.rulings import RulingRequest
from players.errors import Conflict, Refusal
from players.ratings import RATINGS
from rules.rulings import RulingKind
from rules.score import Level, Side
from rules.sheet import GameResult
from tests.builders import AT, build_director, build_event, fixture_of, win
from tournament.audit import audit_event
from tournament.draw.make import cancel_draw
from tournament.draw.outcomes import load_fixtures, results_of
from tournament.draw.standings import store_standings
from tournament.log.words import tell
from tournament.models import Event, LogEntry
from tournament.results.enter import void_result
from tournament.results.rulings import preview_ruling, rule_match
from tournament.snapshot import FixtureState, take_snapshot

pytestmark = pytest.mark.django_db

GAMES = (GameResult(Side.A, 2, Level.GAMMON), GameResult(Side.A, 2))
"""5-0 in a match to 5, with a double in the Crawford game."""


@pytest.fixture
def event() -> Event:
    return build_event(build_director(), players=4)


def first_match(event: Event):
    return fixture_of(event, "M1-1")


def differences(event: Event) -> list[str]:
    """What the audit finds after the standings have been computed."""
    store_standings(event.pk)
    return [str(difference) for difference in audit_event(Event.objects.get(pk=event.pk))]


def rule(event: Event, **said):
    fixture = first_match(event)
    usual = {"kind": RulingKind.CRAWFORD_ANNULLED, "key": "r", "reason": "Seen.", "games": GAMES}
    request = RulingRequest(**{**usual, **said})
    return rule_match(fixture.match, request=request, by=build_director("judge", event.tournament), at=AT)[0]


def test_a_ruling_that_ends_a_match_advances_the_draw_and_is_logged(event):
    ruling = rule(event)
    event.refresh_from_db()
    entry = LogEntry.objects.filter(event=event).latest("id")
    fixture = first_match(event)
    assert ruling.row.sheet.state == SheetState.CONFIRMED
    assert fixture.entry_a_id in (fixture_of(event, "M2-1").entry_a_id, fixture_of(event, "M2-1").entry_b_id)
    assert (entry.verb, entry.actor.username, entry.detail["reason"]) == ("ruling", "judge", "Seen.")
    assert (entry.detail["sheet"], entry.detail["score"], entry.detail["kind"]) == (1, [5, 0], "crawford_annulled")
    assert tell(entry).endswith(
        "ruling: The double in game 2, the Crawford game, is annulled: the game is worth 1, not 2."
    )
    assert differences(event) == []


def test_penalty_points_are_logged_without_a_sheet_and_pass_the_audit(event):
    rule(event, kind=RulingKind.PENALTY_POINTS, penalty_points=(1, 0), games=None)
    entry = LogEntry.objects.filter(event=event).latest("id")
    assert (entry.detail["sheet"], entry.detail["score"]) == (None, [0, 1])
    win(first_match(event).match, Side.A, loser_points=2)
    assert differences(event) == []


def test_a_repeated_ruling_is_answered_even_after_the_event_has_ended(event):
    ruling = rule(event)
    Event.objects.filter(pk=event.pk).update(finished_at=AT)
    version = Event.objects.get(pk=event.pk).version
    fixture = first_match(event)
    request = RulingRequest(kind=RulingKind.CRAWFORD_ANNULLED, key="r", reason="Seen.", games=GAMES)
    assert rule_match(fixture.match, request=request, by=None, at=AT) == (ruling, False)
    assert Event.objects.get(pk=event.pk).version == version


def test_no_ruling_after_the_event_has_ended(event):
    Event.objects.filter(pk=event.pk).update(finished_at=AT)
    with pytest.raises(Conflict) as conflict:
        rule(event)
    assert conflict.value.code == "event_finished"


def test_the_length_that_was_played_to_stands_in_the_draw_and_passes_the_audit(event):
    rule(event, kind=RulingKind.LENGTH_AGREED, games=None, final=(2, 3), played_to=3)
    for key in ("M1-2", "M2-1"):
        win(fixture_of(event, key).match, Side.A)
    fixture = first_match(event)
    assert (fixture.length, fixture.match.length, result_of(event, "M1-1").length) == (5, 3, 3)
    shown = take_snapshot(event.pk).fixture_of(fixture.match_id)
    assert (shown.length, shown.a.points, shown.b.points, shown.b.is_winner) == (3, 2, 3, True)
    assert differences(event) == []


def result_of(event: Event, key: str):
    results = results_of(load_fixtures(event.stages.get()))
    return next(result for result in results if result.key == key)


@pytest.mark.parametrize(
    ("changed", "what"),
    [
        ({"length": 7}, "length of the match"),
        ({"start_a": 1}, "score at the start"),
        ({"waived": [2]}, "games whose cube stands"),
        ({"penalties": [{"after": 0, "against_a": 1, "against_b": 0}]}, "penalty points"),
    ],
)
def test_terms_that_no_ruling_changed_are_a_difference(event, changed, what):
    rule(event, kind=RulingKind.PENALTY_POINTS, penalty_points=(1, 0), games=None)
    assert differences(event) == []
    Match.objects.filter(pk=first_match(event).match_id).update(**changed)
    Ruling.objects.update(before={})
    assert any(f"M1-1: {what}: stored" in difference for difference in differences(event))


def test_points_given_before_the_first_game_are_shown_in_the_draw(event):
    before = take_snapshot(event.pk).stage.fixtures[0]
    rule(event, kind=RulingKind.PENALTY_POINTS, penalty_points=(1, 0), games=None)
    after = take_snapshot(event.pk).stage.fixtures[0]
    assert [(seat.points, seat.is_winner) for seat in (before.a, before.b)] == [(None, False)] * 2
    assert [(seat.points, seat.is_winner) for seat in (after.a, after.b)] == [(0, False), (1, False)]
    assert (before.state, after.state) == (FixtureState.READY, FixtureState.READY)


def test_the_draw_is_not_taken_back_after_a_ruling(event):
    rule(event, kind=RulingKind.PENALTY_POINTS, penalty_points=(1, 0), games=None)
    with pytest.raises(Conflict) as conflict:
        cancel_draw(event, by=None, at=AT)
    assert conflict.value.code == "draw_in_play"


def test_a_match_with_a_ruling_that_leaves_the_draw_is_kept_with_it(event):
    for key in ("M1-1", "M1-2"):
        win(fixture_of(event, key).match, Side.A)
    final = fixture_of(event, "M2-1").match
    request = RulingRequest(kind=RulingKind.PENALTY_POINTS, key="r", reason="Late.", penalty_points=(1, 0))
    rule_match(final, request=request, by=None, at=AT)
    void_result(first_match(event).match, base=1, reason="Wrong.", by=None, at=AT)
    assert fixture_of(event, "M2-1").match is None
    assert Ruling.objects.get().match == final
    assert list(audit_free_matches()) == []


def test_a_preview_says_what_the_ruling_would_change_and_changes_nothing(event):
    match = first_match(event).match
    version = Event.objects.get(pk=event.pk).version
    request = RulingRequest(kind=RulingKind.LENGTH_AGREED, key="r", reason="Seen.", final=(3, 1), played_to=3)
    ruled = preview_ruling(match, request=request, by=None, at=AT)
    assert (ruled.before.length, ruled.after.length, ruled.after.winner) == (5, 3, Side.A)
    assert (match.length, Ruling.objects.count(), Event.objects.get(pk=event.pk).version) == (5, 0, version)
    assert fixture_of(event, "M2-1").entry_a is None
    with pytest.raises(Refusal):
        preview_ruling(match, request=replace(request, reason=""), by=None, at=AT)


def test_a_ruling_on_a_rated_result_asks_for_new_ratings(event, monkeypatch, django_capture_on_commit_callbacks):
    asked = []
    monkeypatch.setattr("tournament.changes.record.rate.delay", lambda system, _covers: asked.append(system))
    with django_capture_on_commit_callbacks(execute=True):
        rule(event, kind=RulingKind.LENGTH_AGREED, games=None, final=(2, 3), played_to=3)
    assert asked == list(RATINGS)
