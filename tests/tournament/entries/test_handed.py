"""Sheets handed from phone to phone: signed by both links, delivered by anybody, taken together or not at all."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st

from matches.models import Match, SheetState
from rules.score import Side
from tests.builders import AT, build_director, build_event, claim, fixture_of
from tests.tournament.api.client import CheckedClient
from tournament.entries.attendance import leave_event
from tournament.entries.handed import digest_of, sign
from tournament.entries.links import token_of
from tournament.entries.renew import renew_links
from tournament.entries.report import dispute_by_link, report_by_link
from tournament.events.deletion import delete_event
from tournament.models import Event
from tournament.results.enter import enter_result, void_result

WHOLE = [["a", "single", 2], ["b", "gammon", 1], ["a", "drop", 4]]
pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    return build_event(build_director(), players=4)


@pytest.fixture
def match(event) -> Match:
    return fixture_of(event, "M1-1").match


def sheet_of(event: Event, match: Match, **said: object) -> str:
    says = {"m": match.pk, "s": "a", "k": "kept", "b": 0, "g": WHOLE, "t": "2026-03-06T20:00:00Z", **said}
    return sign(says, token_of(fixture_of(event, "M1-1").entry_a))


def yes_to(event: Event, match: Match, sheet: str, **said: object) -> str:
    says = {"m": match.pk, "s": "b", "h": digest_of(sheet.partition(".")[0]), **said}
    return sign(says, token_of(fixture_of(event, "M1-1").entry_b))


def deliver(sheet: str, yes: str = ""):
    return CheckedClient().post("handed-over/", {"sheet": sheet, "yes": yes})


def refused(answer) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def states(match: Match) -> list[str]:
    return [sheet.state for sheet in match.sheets.all()]


def test_a_sheet_with_the_opponents_yes_is_the_result_also_when_it_is_delivered_twice(event, match):
    sheet = sheet_of(event, match)
    yes = yes_to(event, match, sheet)
    for _time in range(2):
        state = deliver(sheet, yes).json()
        assert (state["side"], state["status"], state["result"]) == ("a", "confirmed", {"a": 5, "b": 2})
    assert states(match) == [SheetState.CONFIRMED]


def test_a_sheet_alone_is_a_report(event, match):
    assert deliver(sheet_of(event, match)).json()["status"] == "open"
    assert states(match) == [SheetState.REPORTED]


def test_a_yes_to_another_sheet_or_by_another_side_takes_neither(event, match):
    sheet, other = sheet_of(event, match), sheet_of(event, match, k="other")
    own = sign({"m": match.pk, "s": "a", "h": digest_of(sheet.partition(".")[0])}, "x")
    for yes in (yes_to(event, match, other), yes_to(event, match, sheet, s="a"), own, "x.y"):
        assert refused(deliver(sheet, yes)) == (400, "handed_invalid")
    assert states(match) == []


@pytest.mark.parametrize(
    "said",
    [
        {"m": 10**7},
        {"m": "1"},
        {"s": "c"},
        {"k": 1},
        {"b": -1},
        {"t": "now"},
        {"t": "2026-03-06T20:00:00"},
        {"g": None},
        {"g": [["a", "single"]]},
        {"g": [["a", "single", True]]},
        {"g": [["a", "fell", 1]]},
        {"k": ""},
        {"k": "k" * 65},
        {"k": "two words"},
        {"k": "nul\0"},
        {"k": "\ud800"},
        {"k": "again-2"},
        {"k": "undo-1"},
    ],
    ids=str,
)
def test_what_no_phone_writes_is_refused(event, match, said):
    assert refused(deliver(sheet_of(event, match, **said))) == (400, "handed_invalid")


@pytest.mark.parametrize("text", ["x", "x.y", ".", "{}.x", "é.é", "W10.AA", "e30.AA", f"{'W1tb' * 4000}.AA"])
def test_text_that_is_no_sheet_is_refused(event, text):
    assert refused(deliver(text)) == (400, "handed_invalid")


@pytest.mark.parametrize("text", ["", "x" * 20_001])
def test_no_text_and_too_much_are_no_request(event, text):
    assert refused(deliver(text)) == (400, "invalid")


def test_a_sheet_that_was_changed_after_it_was_signed_is_refused(event, match):
    says = sheet_of(event, match).partition(".")[2]
    forged = sheet_of(event, match, g=[["b", "single", 8]]).partition(".")[0]
    assert refused(deliver(f"{forged}.{says}")) == (400, "handed_invalid")
    assert states(match) == []


def test_a_sheet_signed_with_a_link_that_was_replaced_since_says_so(event, match):
    sheet = sheet_of(event, match)
    renew_links(event, entries=[fixture_of(event, "M1-1").entry_a_id], by=None, at=AT)
    assert refused(deliver(sheet)) == (410, "link_replaced")


def test_a_yes_to_a_match_that_is_not_over_takes_neither(event, match):
    sheet = sheet_of(event, match, g=WHOLE[:1])
    assert refused(deliver(sheet, yes_to(event, match, sheet))) == (400, "report_not_over")
    assert states(match) == []


def test_games_that_break_a_rule_are_refused_by_it(event, match):
    assert refused(deliver(sheet_of(event, match, g=[["a", "single", 3]]))) == (400, "cube_not_power_of_two")


SAID = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters())
    | st.sampled_from(["a", "single"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=60)
@given(said=st.dictionaries(st.sampled_from(["m", "s", "k", "b", "g", "t", "h"]), SAID), yes=st.none() | SAID)
def test_whatever_is_signed_is_stored_whole_or_refused_with_a_known_code(said, yes):
    event = Event.objects.first() or build_event(build_director(), players=4)
    match = fixture_of(event, "M1-1").match
    sheet = sheet_of(event, match, **said)
    yes = "" if yes is None else yes_to(event, match, sheet, h=yes)
    answer = deliver(sheet, yes)
    assert answer.status_code in {200, 400, 409}
    assert match.sheets.exists() == (answer.status_code == 200)
    match.sheets.all().delete()


def test_after_a_correction_the_sheet_of_both_that_comes_again_changes_nothing(event, match):
    sheet = sheet_of(event, match)
    yes = yes_to(event, match, sheet)
    deliver(sheet, yes)
    enter_result(match, claim=claim(final=(2, 5), base=1, confirmed=True, reason="Swapped."), by=None, at=AT)
    assert refused(deliver(sheet, yes)) == (409, "result_confirmed")
    assert deliver(sheet).json()["result"] == {"a": 2, "b": 5}
    assert refused(deliver(sheet_of(event, match, k="new"))) == (409, "result_confirmed")
    assert states(match) == [SheetState.SUPERSEDED, SheetState.CONFIRMED]


def test_after_the_result_was_taken_back_the_sheet_of_both_that_comes_again_is_no_result(event, match):
    sheet = sheet_of(event, match)
    yes = yes_to(event, match, sheet)
    deliver(sheet, yes)
    void_result(match, base=1, reason="They play again.", by=None, at=AT)
    assert refused(deliver(sheet, yes)) == (409, "report_gone")
    assert deliver(sheet).json()["status"] == "open"
    assert states(match) == [SheetState.VOID]


def test_a_sheet_that_its_side_has_replaced_meanwhile_is_confirmed_by_nobody(event, match):
    sheet = sheet_of(event, match)
    deliver(sheet)
    deliver(sheet_of(event, match, k="newer", b=1, g=WHOLE[:1]))
    assert refused(deliver(sheet, yes_to(event, match, sheet))) == (409, "report_gone")
    assert refused(deliver(sheet_of(event, match, k="older", b=0, g=[["b", "single", 1]]))) == (409, "report_changed")
    assert states(match) == [SheetState.SUPERSEDED, SheetState.REPORTED]


def test_an_objection_outweighs_a_yes_to_the_same_sheet_that_comes_later(event, match):
    sheet = sheet_of(event, match)
    deliver(sheet)
    dispute_by_link(fixture_of(event, "M1-1").entry_b, match, number=1, reason="Not so.", at=timezone.now())
    assert refused(deliver(sheet, yes_to(event, match, sheet))) == (409, "report_disputed")
    assert states(match) == [SheetState.DISPUTED]


def test_a_yes_to_a_new_sheet_ends_an_objection_to_the_one_before(event, match):
    first = sheet_of(event, match, g=[["a", "single", 2], ["a", "single", 4]], k="first")
    deliver(first)
    dispute_by_link(fixture_of(event, "M1-1").entry_b, match, number=1, reason="A game more.", at=timezone.now())
    sheet = sheet_of(event, match, b=1)
    assert deliver(sheet, yes_to(event, match, sheet)).json()["status"] == "confirmed"


def test_what_was_signed_before_a_result_was_taken_back_is_no_result(event, match):
    before = sheet_of(event, match, t=AT.isoformat())
    enter_result(match, claim=claim(final=(5, 0)), by=None, at=AT)
    void_result(match, base=1, reason="Of another table.", by=None, at=AT + timedelta(minutes=5))
    assert refused(deliver(before, yes_to(event, match, before))) == (409, "handed_outdated")
    assert states(match) == [SheetState.VOID]
    after = sheet_of(event, match, t=(AT + timedelta(minutes=6)).isoformat())
    assert deliver(after, yes_to(event, match, after)).json()["status"] == "confirmed"


def test_an_opponent_cannot_use_up_the_key_of_a_sheet(event, match):
    theirs = replace(claim(final=(0, 5)), key="kept")
    report_by_link(fixture_of(event, "M1-1").entry_b, match, claim=theirs, at=timezone.now())
    assert deliver(sheet_of(event, match)).json()["status"] == "disputed"
    assert sorted(match.sheets.values_list("side", "key")) == [("A", "kept"), ("B", "kept")]


@pytest.mark.parametrize("side", Side)
def test_signatures_of_links_that_have_ended_take_neither(event, match, side):
    sheet = sheet_of(event, match)
    yes = yes_to(event, match, sheet)
    fixture = fixture_of(event, "M1-1")
    entry = fixture.entry_a if side is Side.A else fixture.entry_b
    renew_links(event, entries=[entry.pk], by=None, at=AT)
    assert refused(deliver(sheet, yes)) == (410, "link_replaced")
    assert states(match) == []


def test_a_sheet_of_a_player_who_has_left_is_not_taken(event, match):
    sheet = sheet_of(event, match)
    leave_event(fixture_of(event, "M1-1").entry_a, kind="withdrawn", by=None, at=AT)
    assert refused(deliver(sheet)) == (410, "link_closed")


def test_a_sheet_of_another_match_or_of_a_deleted_event_is_not_taken(event, match):
    other = fixture_of(event, "M1-2").match
    assert refused(deliver(sheet_of(event, other))) == (400, "handed_invalid")
    sheet = sheet_of(event, match)
    delete_event(event, typed=event.name, by=None, at=AT)
    assert refused(deliver(sheet)) == (409, "event_deleted")
    assert not Match.objects.filter(sheets__isnull=False).exists()
