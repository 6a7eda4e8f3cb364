"""Lateness: penalty points become a start score, and past half of the length the match is lost."""

import pytest

from matches.models import Conclusion
from players.errors import Conflict, Refusal
from rules.penalties import lateness_points
from rules.score import Side
from tests.builders import AT, build_event, fixture_of, win
from tournament.audit import audit_event
from tournament.draw.standings import store_standings
from tournament.entries.attendance import set_door
from tournament.results.rulings import Lateness, rule_late


@pytest.fixture
def event(director):
    return build_event(director, players=4, lengths=(7,))


def late(event, *, preview=False, key="late", **minutes):
    match = fixture_of(event, "M1-1").match
    return rule_late(match, late=Lateness(key, **minutes), by=None, at=AT, preview=preview)


@pytest.mark.parametrize(("minutes", "every", "points"), [(4, 5, 0), (5, 5, 1), (9, 5, 1), (10, 5, 2), (20, 10, 2)])
def test_each_full_step_is_a_point(minutes, every, points):
    assert lateness_points(minutes, every=every) == points


@pytest.mark.parametrize(("minutes", "every"), [(-1, 5), (5, 0)])
def test_lateness_is_counted_in_minutes(minutes, every):
    with pytest.raises(ValueError, match="minutes"):
        lateness_points(minutes, every=every)


def test_lateness_is_the_start_score_of_the_opponent(event):
    ruled, is_new = late(event, minutes_a=12)
    match = fixture_of(event, "M1-1").match
    assert is_new
    assert (ruled.after.a, ruled.after.b) == (0, 2)
    assert (match.terms.opening.a, match.terms.opening.b) == (0, 2)
    assert match.rulings.get().reason == f"{match.side_a} 12 minutes late"


def test_past_half_of_the_length_the_match_is_lost_and_the_draw_goes_on(event):
    late(event, minutes_b=20)
    fixture = fixture_of(event, "M1-1")
    sheet = fixture.match.sheets.get()
    assert (sheet.awarded_to, sheet.conclusion) == ("A", Conclusion.WALKOVER)
    assert fixture_of(event, "M2-1").entry_a == fixture.entry_a
    store_standings(event.pk)
    assert audit_event(event) == []


def test_preview_shows_the_score_and_changes_nothing(event):
    ruled, _is_new = late(event, minutes_a=5, minutes_b=10, preview=True)
    match = fixture_of(event, "M1-1").match
    assert (ruled.after.a, ruled.after.b) == (2, 1)
    assert not match.rulings.exists()
    assert (match.terms.opening.a, match.terms.opening.b) == (0, 0)


def test_more_lateness_counts_from_the_start_and_the_same_tap_twice_counts_once(event):
    late(event, minutes_a=5)
    late(event, minutes_a=5)
    ruled, is_new = late(event, minutes_a=10, key="later")
    assert (ruled.after.b, is_new) == (2, True)
    assert fixture_of(event, "M1-1").match.rulings.count() == 2


@pytest.mark.parametrize(
    ("every", "minutes", "code"),
    [(5, 4, "not_late_enough"), (None, 20, "lateness_not_penalised"), (5, 601, "minutes_out_of_range")],
)
def test_lateness_that_gives_no_points_is_refused(event, every, minutes, code):
    set_door(event, max_entries=None, check_in=False, late_minutes=every, by=None, at=AT)
    with pytest.raises(Refusal) as refused:
        late(event, minutes_a=minutes)
    assert refused.value.code == code


def test_a_match_that_has_begun_takes_no_lateness(event):
    win(fixture_of(event, "M1-1").match, Side.A)
    with pytest.raises(Conflict) as refused:
        late(event, minutes_a=10)
    assert refused.value.code == "match_begun"
