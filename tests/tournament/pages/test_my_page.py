"""The private page of an entry: its player reports and confirms there, and can touch nobody else's matches."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from matches.claims import claim_of
from matches.models import SheetState
from rules.score import Side
from rules.sheet import GameResult
from tests.builders import AT, build_director, build_event, build_money_terms, claim, fixture_of, open_matches, win
from tests.fresh import forget_everything
from tests.pages import focused_of, form_at, text_of
from tournament.draw.standings import store_standings
from tournament.entries.links import link_of, token_of
from tournament.hall.calling import call_match
from tournament.hall.tables import add_tables
from tournament.models import Entry, Event
from tournament.money.services import set_money
from tournament.prizes import EACH_GROUP, PayoutPlan, PrizeTable
from tournament.prizes.plan import Share
from tournament.results.enter import enter_result
from tournament.snapshot import FixtureState, take_snapshot
from tournament.snapshot.states import MatchState

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    return build_event(build_director(), players=4)


def test_a_live_part_with_the_token_of_another_session_is_sent_again(event):
    """Somebody who signs in or out gets a new token; a form with the one before would be refused."""
    reader, part = Client(), f"{link_of(fixture_of(event, 'M1-1').entry_a)}?fragment"
    reader.get(part)
    etag = reader.get(part)["ETag"]
    assert reader.get(part, headers={"If-None-Match": etag}).status_code == 304
    reader.force_login(build_director("somebody"))
    reader.cookies["csrftoken"] = "b" * 32
    assert reader.get(part, headers={"If-None-Match": etag}).status_code == 200


def send(entry: Entry, match, way: str, **fields):
    address = reverse("my-report", args=[token_of(entry), match.pk, way])
    return Client().post(address, {"key": "-".join(map(str, [entry.pk, way, *fields.values()])), "base": 0, **fields})


def test_both_report_the_same_and_the_draw_goes_on(event):
    fixture = fixture_of(event, "M1-1")
    assert send(fixture.entry_a, fixture.match, "final", final_a=5, final_b=2).status_code == 302
    shown = take_snapshot(event.pk).stage.fixtures[0]
    assert (shown.state, shown.status, shown.score.a, shown.a.is_winner) == (
        FixtureState.LIVE,
        MatchState.REPORTED,
        5,
        False,
    )
    assert fixture_of(event, "M2-1").entry_a is None
    page = Client().get(link_of(fixture.entry_b))
    assert f"{fixture.entry_a.name} reports" in text_of(page)
    answer = form_at(page, reverse("my-answer", args=[token_of(fixture.entry_b), fixture.match.pk, "confirm"]))
    assert Client().post(answer.action, answer.data()).status_code == 302
    assert fixture_of(event, "M2-1").entry_a == fixture.entry_a


def test_a_report_is_answered_in_the_panel_above_all_and_nowhere_else(event):
    fixture = fixture_of(event, "M1-1")
    send(fixture.entry_a, fixture.match, "final", final_a=5, final_b=2)
    shown = Client().get(link_of(fixture.entry_b)).content.decode()
    token = token_of(fixture.entry_b)
    confirm, dispute = (reverse("my-answer", args=[token, fixture.match.pk, act]) for act in ("confirm", "dispute"))
    assert (shown.count(confirm), shown.count(dispute)) == (1, 1)
    panel = shown[shown.index('aria-labelledby="now-title"') :].split("</section>")[0]
    assert "That is right" in panel
    assert "That is wrong" in panel
    assert Client().post(dispute, {"number": 1}).status_code == 302
    assert take_snapshot(event.pk).stage.fixtures[0].status == MatchState.DISPUTED


def test_players_read_their_own_points_first(event):
    fixture = fixture_of(event, "M1-1")
    send(fixture.entry_b, fixture.match, "final", final_a=2, final_b=5)
    assert "You reported 5–2." in text_of(Client().get(link_of(fixture.entry_b)))
    win(fixture.match, Side.B, loser_points=2)
    assert f"Against {fixture.entry_b.name} 2–5" in text_of(Client().get(link_of(fixture.entry_a)))
    assert f"Against {fixture.entry_a.name} 5–2" in text_of(Client().get(link_of(fixture.entry_b)))


def test_a_player_reads_the_table_of_the_call(event):
    fixture = fixture_of(event, "M1-1")
    add_tables(event.tournament, first=7, last=7, by=None, at=AT)
    assert "Table" not in text_of(Client().get(link_of(fixture.entry_a)))
    call_match(fixture.match, by=None, at=AT)
    assert "Table 7" in text_of(Client().get(link_of(fixture.entry_a)))


def test_the_first_report_of_a_game_goes_on_from_the_games_of_the_desk_also_when_sent_twice(event):
    fixture = fixture_of(event, "M1-1")
    enter_result(fixture.match, claim=claim(games=(GameResult(Side.B, 2), GameResult(Side.B))), by=None, at=AT)
    page = Client().get(link_of(fixture.entry_a))
    assert "Report game 3 It follows the games that the desk has: 0–3." in text_of(page)
    address = reverse("my-report", args=[token_of(fixture.entry_a), fixture.match.pk, "game"])
    fields = form_at(page, address).data() | {"winner": "A", "cube": 1, "level": 1, "ending": "bearoff"}
    for _again in range(2):
        assert Client().post(address, fields).status_code == 302
    assert list(fixture.match.sheets.values_list("side", "state")) == [("", "live"), ("A", "reported")]
    assert [game.winner for game in claim_of(fixture.match.sheets.get(side="A")).games] == [Side.B, Side.B, Side.A]
    text = text_of(Client().get(link_of(fixture.entry_a)))
    assert "You reported 1–3." in text
    assert "Report game 4" in text
    assert "It follows" not in text


def test_a_report_on_the_games_of_the_desk_is_no_way_past_another_report_of_the_same_side(event):
    fixture = fixture_of(event, "M1-1")
    enter_result(fixture.match, claim=claim(games=(GameResult(Side.B, 2),)), by=None, at=AT)
    game = {"cube": 1, "level": 1, "ending": "bearoff", "base": 1}
    assert send(fixture.entry_a, fixture.match, "game", winner="A", **game).status_code == 302
    assert send(fixture.entry_a, fixture.match, "game", winner="B", **game).status_code == 409
    assert fixture.match.sheets.count() == 2


def test_players_whose_reports_differ_see_where_and_in_play_that_is_no_dispute(event):
    fixture = fixture_of(event, "M1-1")
    send(fixture.entry_a, fixture.match, "game", winner="A", cube=2, level=1, ending="bearoff")
    send(fixture.entry_b, fixture.match, "game", winner="B", cube=2, level=1, ending="bearoff")
    a, b = fixture.entry_a.name, fixture.entry_b.name
    for entry in (fixture.entry_a, fixture.entry_b):
        text = text_of(Client().get(link_of(entry)))
        assert f"Game 1: {a} says that {a} scored 2, but {b} says that {b} scored 2." in text
        assert "The director will settle it." not in text
    fixture_now = take_snapshot(event.pk).stage.fixtures[0]
    assert (fixture_now.status, fixture_now.score.a, fixture_now.score.b) == (MatchState.PLAYING, 0, 0)
    send(fixture.entry_a, fixture.match, "final", final_a=5, final_b=1, base=1)
    assert take_snapshot(event.pk).stage.fixtures[0].status == MatchState.DISPUTED


def test_nobody_reports_for_others(event):
    first, second = fixture_of(event, "M1-1"), fixture_of(event, "M1-2")
    assert send(first.entry_a, second.match, "final", final_a=5, final_b=2).status_code == 404
    assert Client().get(reverse("my-entry", args=["1~nonsense"])).status_code == 404
    assert second.match.sheets.count() == 0


def test_a_report_that_breaks_a_rule_is_refused_with_a_sentence_and_not_stored(event):
    fixture = fixture_of(event, "M1-1")
    page = send(fixture.entry_a, fixture.match, "final", final_a=4, final_b=2)
    assert page.status_code == 400
    assert "Nothing has been saved." in text_of(page)
    assert fixture.match.sheets.count() == 0


UNLIKELY = {"winner": "B", "cube": "4", "level": "3", "ending": "resigned"}


def ask(entry: Entry, match, way: str, **fields):
    """Send a report as the page's form does; return the page that asks about it, and its form."""
    address = reverse("my-report", args=[token_of(entry), match.pk, way])
    form = form_at(Client().get(link_of(entry)), address)
    page = Client().post(address, {**form.data(), **fields})
    assert (page.status_code, match.sheets.count()) == (409, 0)
    return page, form_at(page, address)


def test_a_report_that_is_asked_about_comes_back_as_typed_and_a_yes_stores_exactly_it(event):
    fixture = fixture_of(event, "M1-1")
    page, form = ask(fixture.entry_a, fixture.match, "game", **UNLIKELY)
    assert "Legal, but unlikely. Is this correct?" in text_of(page)
    assert form.is_open
    assert {name: value for name, [value] in form.data().items() if name in UNLIKELY} == UNLIKELY
    assert focused_of(page) == ["div"]
    [yes] = [button for button in form.buttons if button.get("name") == "confirmed"]
    assert Client().post(form.action, {**form.data(), "confirmed": yes["value"]}).status_code == 302
    [line] = fixture.match.sheets.get().lines.all()
    assert (line.winner, line.cube, line.level, line.ending) == ("B", 4, 3, "resigned")


@pytest.mark.parametrize("changed", [{"cube": "8"}, {"winner": "A"}, {"ending": "bearoff"}])
def test_a_yes_to_one_report_does_not_store_another(event, changed):
    fixture = fixture_of(event, "M1-1")
    _page, form = ask(fixture.entry_a, fixture.match, "game", **UNLIKELY)
    [yes] = [button for button in form.buttons if button.get("name") == "confirmed"]
    again = Client().post(form.action, {**form.data(), **changed, "confirmed": yes["value"]})
    assert (again.status_code, fixture.match.sheets.count()) == (409, 0)
    asked = form_at(again, form.action)
    assert {name: value for name, [value] in asked.data().items() if name in UNLIKELY} == UNLIKELY | changed
    assert [button["value"] for button in asked.buttons if button.get("name") == "confirmed"] != [yes["value"]]


def test_a_question_is_not_answered_by_a_form_that_was_never_asked(event):
    fixture = fixture_of(event, "M1-1")
    page = send(fixture.entry_a, fixture.match, "game", **UNLIKELY, confirmed="on")
    assert (page.status_code, fixture.match.sheets.count()) == (409, 0)


@pytest.mark.parametrize(
    ("way", "fields", "wrong"),
    [
        ("game", {"cube": "4", "level": "3", "ending": "resigned"}, "winner"),
        ("final", {"final_a": "x", "final_b": "3"}, "final_a"),
        ("final", {"final_a": "3", "final_b": ""}, "final_b"),
    ],
)
def test_a_report_with_something_missing_comes_back_open_as_typed(event, way, fields, wrong):
    fixture = fixture_of(event, "M1-1")
    address = reverse("my-report", args=[token_of(fixture.entry_a), fixture.match.pk, way])
    page = Client().post(address, {"key": "k", "base": 0, **fields})
    form = form_at(page, address)
    assert (page.status_code, form.is_open, form.alerts) == (400, True, 1)
    assert {name: values for name, values in form.data().items() if name in fields} == {
        name: [value] for name, value in fields.items()
    }
    assert focused_of(page) == [wrong]
    assert next(control.name for control in form.controls if "aria-invalid" in control.attributes) == wrong


def test_a_refused_report_comes_back_open_as_typed_under_the_sentence(event):
    fixture = fixture_of(event, "M1-1")
    address = reverse("my-report", args=[token_of(fixture.entry_a), fixture.match.pk, "final"])
    page = send(fixture.entry_a, fixture.match, "final", final_a=4, final_b=2)
    form = form_at(page, address)
    sent = {name: form.data()[name] for name in ("final_a", "final_b")}
    assert (form.is_open, form.alerts, sent) == (True, 1, {"final_a": ["4"], "final_b": ["2"]})
    labels = [page.content.decode().count(f">{name}</label>") for name in (fixture.match.name_a, fixture.match.name_b)]
    assert labels == [1, 1]
    assert focused_of(page) == ["div"]


def test_a_confirmed_result_is_changed_only_by_the_director(event):
    fixture = fixture_of(event, "M1-1")
    win(fixture.match, Side.A)
    page = send(fixture.entry_b, fixture.match, "final", final_a=0, final_b=5)
    assert page.status_code == 409
    assert [sheet.state for sheet in fixture.match.sheets.all()] == [SheetState.CONFIRMED]


@pytest.mark.parametrize("players", [8, 64])
def test_the_page_takes_the_same_queries_in_every_field(players):
    event = build_event(build_director(), players=players, format="swiss")
    entry = event.entries.first()
    for match in open_matches(event):
        win(match, Side.A)
    taken = []
    for _time in range(2):
        with CaptureQueriesContext(connection) as queries:
            Client().get(link_of(entry))
        taken.append(len(queries))
    assert taken == [24, 11]


def test_both_players_read_when_a_report_counts_and_others_do_not_ask(event):
    fixture = fixture_of(event, "M1-1")
    send(fixture.entry_a, fixture.match, "final", final_a=5, final_b=2)
    links = [link_of(entry) for entry in (fixture.entry_a, fixture.entry_b)]
    assert not any("If nobody objects" in text_of(Client().get(link)) for link in links)
    Event.objects.filter(pk=event.pk).update(confirm_minutes=10)
    forget_everything()
    due = timezone.localtime(fixture.match.sheets.get().at + timedelta(minutes=10))
    for link in links:
        assert text_of(Client().get(link)).count(f"If nobody objects, it counts at {due:%H:%M}.") == 1
    other = fixture_of(event, "M1-2").entry_a
    assert "If nobody objects" not in text_of(Client().get(link_of(other)))


def test_a_dispute_has_no_time_limit(event):
    fixture = fixture_of(event, "M1-1")
    Event.objects.filter(pk=event.pk).update(confirm_minutes=10)
    send(fixture.entry_a, fixture.match, "final", final_a=5, final_b=2)
    send(fixture.entry_b, fixture.match, "final", final_a=2, final_b=5)
    assert "If nobody objects" not in text_of(Client().get(link_of(fixture.entry_a)))


def test_matches_are_named_by_their_round(event):
    page = text_of(Client().get(link_of(fixture_of(event, "M1-1").entry_a)))
    assert "Semifinals" in page
    assert "M1-1" not in page


def test_the_score_keeper_is_a_small_button_before_the_call_and_none_where_players_are_called(event):
    fixture = fixture_of(event, "M1-1")

    def keeper() -> str:
        shown = Client().get(link_of(fixture.entry_a)).content.decode()
        address = reverse("score-keeper", args=[token_of(fixture.entry_a), fixture.match.pk])
        found = re.search(rf'<a class="([^"]*)"\s+href="{address}"', shown)
        return found[1] if found else ""

    assert keeper() == "button quiet"
    add_tables(event.tournament, first=7, last=7, by=None, at=AT)
    assert keeper() == ""
    call_match(fixture.match, by=None, at=AT)
    assert keeper() == "button"


def test_the_winner_of_a_jackpot_reads_the_prize_before_and_after_the_final():
    event = build_event(build_director(), players=4, format="jackpot", options={"size": "4"})
    plan = PayoutPlan((Share(EACH_GROUP, 10_000, PrizeTable("template", "winner")),))
    set_money(event, build_money_terms(payouts=plan), by=None, at=AT)
    for key in ("JA1-1", "JA1-2"):
        win(fixture_of(event, key).match, Side.A)
    store_standings(event.pk)
    final = fixture_of(event, "JA2-1")
    before = text_of(Client().get(link_of(final.entry_a)))
    assert "You have won: Jackpot A" in before
    assert "You are out: place 2 (Jackpot A)" in before
    assert before.count("Prize: 200.00 EUR (Jackpot A)") == 1
    win(final.match, Side.A)
    store_standings(event.pk)
    after = text_of(Client().get(link_of(final.entry_a)))
    assert "You have won: Jackpot A" in after
    assert "Prize: 200.00 EUR (Jackpot A)" in after
    beaten = text_of(Client().get(link_of(final.entry_b)))
    assert "You are out: place 2 (Jackpot A)" in beaten
    assert "Prize:" not in beaten
