"""The sheet of one side over its private link: sent, compared, confirmed, disputed, and answered whole each time."""

import uuid

import pytest

from config.logs import FieldFormatter
from matches.models import Match, SheetState
from rules.score import Ending, Level, Side
from rules.sheet import GameResult
from tests.builders import AT, build_director, build_event, claim, fixture_of, win
from tests.tournament.api.client import CheckedClient
from tournament.entries.attendance import leave_event
from tournament.entries.links import token_of
from tournament.entries.renew import renew_links
from tournament.models import Entry, Event
from tournament.results.enter import enter_result
from tournament.results.reports import report_result
from tournament.roles.throttling import LinkThrottle

A, B = Side.A, Side.B
FIRST = {"winner": "a", "ending": "single", "cube": 2}
SECOND = {"winner": "b", "ending": "gammon", "cube": 1}
LAST = {"winner": "a", "ending": "drop", "cube": 4}
WHOLE = [FIRST, SECOND, LAST]
OTHERWISE = [FIRST, {**SECOND, "winner": "a"}, {**LAST, "ending": "single", "cube": 1}]
pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    return build_event(build_director(), players=4)


@pytest.fixture
def match(event) -> Match:
    return fixture_of(event, "M1-1").match


class Phone:
    """The phone of one side, without a cookie."""

    def __init__(self, entry: Entry, match: Match) -> None:
        self.api, self.address = CheckedClient(), f"links/{token_of(entry)}/matches/{match.pk}/sheet/"

    def get(self):
        return self.api.get(self.address)

    def put(self, *games: dict, base: int = 0, key: str = "", **more: object):
        return self.api.put(self.address, {"key": key or uuid.uuid4().hex, "base": base, "games": list(games), **more})

    def confirm(self, number: int):
        return self.api.post(f"{self.address}confirm/", {"number": number})

    def dispute(self, number: int, reason: str = ""):
        return self.api.post(f"{self.address}dispute/", {"number": number, "reason": reason})


@pytest.fixture
def phones(event, match) -> tuple[Phone, Phone]:
    fixture = fixture_of(event, "M1-1")
    return Phone(fixture.entry_a, match), Phone(fixture.entry_b, match)


def states(match: Match) -> list[str]:
    return [sheet.state for sheet in match.sheets.all()]


def refused(answer) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def played(state: dict) -> list[dict]:
    return [{name: game[name] for name in ("winner", "ending", "cube")} for game in state["games"]]


def test_a_phone_begins_with_the_match_its_rules_and_nothing_said(event, match, phones):
    state = phones[1].get().json()
    assert state["rules"]["scores"]["0-0"] == 0
    assert state.pop("rules")["kinds"][0]["endings"] == ["single", "gammon", "backgammon", "drop"]
    assert state == {
        "match": match.pk,
        "event": {"name": "Main", "slug": "main", "url": event.get_absolute_url()},
        "round": "Semifinals",
        "table": "",
        "length": 5,
        "side": "b",
        "players": {"a": match.name_a, "b": match.name_b},
        "crawford": True,
        "phones": True,
        "status": "open",
        "score": {"a": 0, "b": 0},
        **dict.fromkeys(("number", "agreed"), 0),
        **{name: [] for name in ("games", "warnings")},
        **dict.fromkeys(("final", "theirs", "desk", "differs_at", "desk_differs_at", "objection")),
        **dict.fromkeys(("confirm_by", "result")),
    }


def test_what_one_phone_sends_the_other_sees_at_once_with_how_far_they_agree(phones):
    one, other = phones
    assert played(one.put(FIRST, SECOND).json()) == [FIRST, SECOND]
    seen = other.put(FIRST).json()
    assert (seen["number"], seen["agreed"], seen["differs_at"], played(seen["theirs"])) == (2, 1, None, [FIRST, SECOND])
    assert [game["score"] for game in seen["theirs"]["games"]] == ["2-0", "2-2"]
    seen = other.put(FIRST, {**SECOND, "cube": 2}, base=2).json()
    assert (seen["agreed"], seen["differs_at"], seen["status"]) == (1, 2, "open")


def test_two_whole_sheets_alike_are_the_result_and_a_game_more_comes_too_late(match, phones):
    one, other = phones
    waiting = one.put(*WHOLE).json()
    assert (waiting["status"], waiting["score"], waiting["result"]) == ("open", {"a": 5, "b": 2}, None)
    done = other.put(*WHOLE, agree=True).json()
    assert (done["status"], done["result"], done["number"], played(done)) == ("confirmed", {"a": 5, "b": 2}, 0, WHOLE)
    late = one.put(FIRST, base=1)
    assert refused(late) == (409, "result_confirmed")
    assert late.json()["sheet"]["result"] == {"a": 5, "b": 2}
    assert states(match) == [SheetState.CONFIRMED, SheetState.SUPERSEDED]


def test_they_may_differ_in_play_and_it_is_a_dispute_once_one_says_that_it_is_over(match, phones):
    one, other = phones
    other.put(*OTHERWISE[:2])
    assert one.put(*WHOLE[:2]).json()["status"] == "open"
    assert one.put(*WHOLE, base=2).json()["status"] == "disputed"
    assert other.put(*WHOLE[:2], base=1).json()["status"] == "open"
    assert other.confirm(one.get().json()["number"]).json()["result"] == {"a": 5, "b": 2}


def test_the_same_key_again_answers_the_same_and_stores_once(match, phones):
    one, _other = phones
    first = one.put(FIRST, key="once").json()
    assert one.put(FIRST, key="once").json() == first
    assert refused(one.put(FIRST, SECOND, key="once")) == (409, "key_reused")
    assert match.sheets.count() == 1


def test_the_key_of_an_answer_that_was_lost_is_taken_after_a_newer_sheet_too(match, phones):
    one, _other = phones
    one.put(FIRST, key="one")
    one.put(FIRST, SECOND, base=1, key="two")
    assert one.put(FIRST, key="one").json()["number"] == 2
    assert match.sheets.count() == 2


def test_a_sheet_that_continues_its_own_is_taken_on_any_base_and_another_is_a_conflict_with_both_told(match, phones):
    one, _other = phones
    one.put(FIRST)
    assert one.put(FIRST, SECOND, base=0).status_code == 200
    assert one.put(*WHOLE, base=99).json()["number"] == 3
    conflict = one.put(FIRST, FIRST, base=2)
    assert refused(conflict) == (409, "report_changed")
    assert played(conflict.json()["sheet"]) == WHOLE
    assert one.put(FIRST, FIRST, base=3).json()["number"] == 4


def test_undo_of_the_first_game_withdraws_the_report_also_twice(match, phones):
    one, other = phones
    one.put(FIRST)
    for _time in range(2):
        state = one.put(base=1).json()
        assert (state["number"], state["games"]) == (0, [])
    assert other.get().json()["theirs"] is None
    assert one.put(SECOND, base=1).json()["number"] == 2


@pytest.mark.parametrize(
    ("games", "code", "field"),
    [
        ([FIRST, {**FIRST, "cube": 3}], "cube_not_power_of_two", "games.1"),
        ([{**FIRST, "cube": 4}, {**FIRST, "cube": 2}], "crawford_cube", "games.1"),
        ([*WHOLE, FIRST], "game_after_match_over", "games.3"),
        ([{**FIRST, "cube": 2**40}], "cube_too_large", None),
    ],
)
def test_what_the_rules_forbid_is_refused_at_its_game(match, phones, games, code, field):
    answer = phones[0].put(*games)
    assert refused(answer) == (400, code)
    assert [error["field"] for error in answer.json().get("errors", [])] == ([field] if field else [])
    assert not match.sheets.exists()


@pytest.mark.parametrize(
    "body", [{}, {"key": "k", "base": 0}, {"key": "", "base": 0, "games": []}, {"key": "k", "base": -1, "games": [1]}]
)
def test_a_body_that_is_no_sheet_is_refused(phones, body):
    assert refused(phones[0].api.put(phones[0].address, body)) == (400, "invalid")


def test_an_unlikely_game_is_taken_and_said(phones):
    state = phones[0].put(
        {"winner": "a", "ending": "single", "cube": 1}, {"winner": "a", "ending": "single", "cube": 16}
    )
    assert state.status_code == 200
    assert any("neither side needed more than 5" in said for said in state.json()["warnings"])


def test_agreeing_to_a_match_that_is_not_over_is_refused(match, phones):
    assert refused(phones[0].put(FIRST, agree=True)) == (400, "report_not_over")
    assert refused(phones[0].put(agree=True)) == (400, "report_not_over")
    assert not match.sheets.exists()


def test_an_objection_stands_whatever_the_other_sends_until_its_author_agrees(match, phones):
    one, other = phones
    number = one.put(*WHOLE).json()["number"]
    assert refused(one.dispute(number)) == (400, "report_is_own")
    assert other.dispute(number, "I won game 3.").json()["objection"] == "b"
    assert one.put(*WHOLE, base=number).json()["status"] == "disputed"
    assert one.put(*OTHERWISE, base=number).json()["status"] == "disputed"
    assert one.put(*WHOLE, base=2).json()["objection"] == "b"
    assert other.put(*WHOLE).json()["status"] == "disputed"
    assert other.put(*WHOLE, base=4, agree=True).json()["status"] == "confirmed"


def test_a_report_that_is_gone_is_neither_confirmed_nor_disputed(phones):
    one, other = phones
    one.put(*WHOLE)
    one.put(*OTHERWISE, base=1)
    for answer in (other.confirm(1), other.dispute(1)):
        assert refused(answer) == (409, "report_gone")
        assert answer.json()["sheet"]["theirs"]["number"] == 2
    assert refused(one.confirm(2)) == (400, "report_is_own")


def test_the_live_sheet_of_the_desk_is_told_with_how_its_games_ended(match, phones):
    games = (GameResult(A, 2), GameResult(B, 1, Level.GAMMON, Ending.RESIGNED))
    enter_result(match, claim=claim(games=games), by=None, at=AT)
    desk = phones[0].get().json()["desk"]
    assert [game["ending"] for game in desk["games"]] == ["single", "resigned-gammon"]
    sent = [{name: game[name] for name in ("winner", "ending", "cube", "at", "score")} for game in desk["games"]]
    assert phones[0].put(*sent).json()["desk_differs_at"] is None
    assert phones[0].put(FIRST, FIRST, base=2).json()["desk_differs_at"] == 2


def test_a_final_score_that_was_typed_is_told_as_such(match, phones):
    report_result(match, claim=claim(final=(5, 3)), side=A, by=None, at=AT)
    assert phones[0].get().json()["final"] == {"a": 5, "b": 3}
    assert phones[1].get().json()["theirs"]["final"] == {"a": 5, "b": 3}


def test_without_phones_only_a_whole_sheet_is_taken(event, match, phones):
    Event.objects.update(phones=False)
    assert refused(phones[0].put(FIRST)) == (400, "phones_off")
    state = phones[0].put(*WHOLE).json()
    assert (state["phones"], state["number"]) == (False, 1)


def test_a_walkover_closes_the_sheet(event, match, phones):
    enter_result(match, claim=claim(conclusion="walkover", awarded_to=B), by=None, at=AT)
    assert (phones[0].get().json()["status"], phones[0].get().json()["result"]) == ("closed", None)


def test_a_link_that_has_ended_reads_and_sends_nothing(event, match, phones):
    fixture = fixture_of(event, "M1-1")
    renew_links(event, entries=[fixture.entry_a_id], by=None, at=AT)
    leave_event(fixture.entry_b, kind="withdrawn", by=None, at=AT)
    for phone, code in zip(phones, ("link_replaced", "link_closed"), strict=True):
        answers = (phone.get(), phone.put(FIRST), phone.confirm(1), phone.dispute(1))
        assert [refused(answer) for answer in answers] == [(410, code)] * 4


def test_a_match_of_others_and_no_match_and_no_link(event, match, phones):
    other = Phone(fixture_of(event, "M1-2").entry_a, match)
    assert [refused(answer) for answer in (other.get(), other.put(FIRST), other.confirm(1), other.dispute(1))] == [
        (409, "match_of_others")
    ] * 4
    phones[0].address = phones[0].address.replace(f"matches/{match.pk}/", "matches/999999/")
    assert phones[0].get().status_code == 404
    assert CheckedClient().get(f"links/nobody~1/matches/{match.pk}/sheet/").status_code == 404
    assert not match.sheets.exists()


def test_nobody_needs_a_cookie_and_a_signed_in_user_is_nobody_here(match, phones):
    client = CheckedClient(enforce_csrf_checks=True)
    client.force_login(build_director("another"))
    phones[0].api = client
    assert phones[0].put(FIRST).status_code == 200
    assert match.sheets.get().claimed_by is None


def test_one_link_that_sends_too_much_is_asked_to_wait_and_others_go_on(phones, monkeypatch):
    monkeypatch.setattr(LinkThrottle, "rate", "2/min")
    one, other = phones
    assert [one.put(FIRST, key="k").status_code for _time in range(3)] == [200, 200, 429]
    assert other.put(FIRST).status_code == 200
    assert one.get().status_code == 200


def test_the_token_of_a_link_is_in_no_answer_and_in_no_row_of_the_log(event, match, phones, caplog):
    fixture = fixture_of(event, "M1-1")
    caplog.set_level("DEBUG")
    answers = [phones[0].put(FIRST), phones[0].put(SECOND, base=9), phones[0].get()]
    secret = token_of(fixture.entry_a)
    assert not any(secret in answer.content.decode() for answer in answers)
    assert not any(secret in str(row) for row in event.log.values())
    lines = [FieldFormatter().format(record) for record in caplog.records]
    assert any("links/" in line for line in lines)
    assert not any(secret in line for line in lines)


def test_a_phone_of_a_team_keeps_the_sheet_of_its_board():
    event = build_event(build_director(), players=4, boards=3)
    fixture = fixture_of(event, "M1-1")
    board = fixture.boards.get(number=2)
    one, other = Phone(fixture.entry_a, board.match), Phone(fixture.entry_b, board.match)
    assert one.put(*WHOLE).json()["players"] == {"a": board.match.name_a, "b": board.match.name_b}
    assert other.put(*WHOLE).json()["status"] == "confirmed"


def test_the_result_of_two_phones_advances_the_draw(event, match, phones):
    win(fixture_of(event, "M1-2").match, A)
    for phone in phones:
        phone.put(*WHOLE)
    assert fixture_of(event, "M2-1").match is not None


def test_unlikely_games_are_asked_about_by_a_phone_that_wants_to_be_asked(match, phones):
    one, _other = phones
    unlikely = [
        {"winner": "a", "ending": "gammon", "cube": 2},
        {"winner": "b", "ending": "single", "cube": 1},
        {**FIRST, "cube": 1},
    ]
    key = uuid.uuid4().hex
    asked = one.put(*unlikely, agree=True, key=key, confirmed=False)
    assert refused(asked) == (409, "confirm_warnings")
    assert [finding["game"] for finding in asked.json()["findings"]] == [3]
    assert states(match) == []
    assert one.put(*unlikely, agree=True, key=key, confirmed=True).json()["number"] == 1
    assert one.put(*unlikely, base=1, confirmed=False).status_code == 200
