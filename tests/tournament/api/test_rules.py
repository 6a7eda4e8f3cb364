import json
from urllib.parse import urlencode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.equity import KAZAROSS_XG2, equity
from rules.ids import position_id
from rules.plays import legal_plays
from rules.position import START
from rules.profiles import DBF
from tests.fresh import forget_everything

START_ID = "4HPwATDgc/ABMA"


def ask(client, name, status=200, **question):
    response = client.get(f"rules/{name}/?{urlencode(question)}")
    assert response.status_code == status
    return response.json()


def test_plays_of_the_opening_are_those_of_the_rules_engine(anonymous):
    answer = ask(anonymous, "plays", position=START_ID, roll="31", profile="dbf")
    assert (answer["position"], answer["roll"], answer["profile"]) == (START_ID, "31", "dbf")
    after = {position_id(result.swapped()) for result in legal_plays(START, (3, 1), DBF)}
    assert {play["position"] for play in answer["plays"]} == after
    assert len(answer["plays"]) == 16
    assert {"play": "8/5 6/5", "position": "sGfwATDgc/ABMA"} in answer["plays"]


def test_plays_take_every_kind_of_id(anonymous):
    xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10"
    ogid = "11jjjjjhhhccccc:ooddddd88866666:N0N::W:IW:0:0:1:0"
    answers = [
        ask(anonymous, "plays", position=text, roll="66") for text in (START_ID, f"{START_ID}:cAkAAAAAAAAE", xgid, ogid)
    ]
    assert answers == [answers[0]] * 4


def test_plays_use_the_roll_of_the_id_unless_another_is_asked_about(anonymous):
    rolled = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"
    assert ask(anonymous, "plays", position=rolled)["roll"] == "31"
    assert ask(anonymous, "plays", position=rolled, roll="66")["roll"] == "66"
    assert ask(anonymous, "judge", position=rolled, play="8/5 6/5")["legal"] is True


def test_judge_says_what_follows_an_illegal_play(anonymous):
    answers = {
        profile: ask(anonymous, "judge", position=START_ID, roll="31", play="8/4 6/5", profile=profile)
        for profile in ("dbf", "wbgf", "se-web")
    }
    assert {slug: answer["follows"]["outcome"] for slug, answer in answers.items()} == {
        "dbf": "accept_or_redo",
        "wbgf": "redo",
        "se-web": "unstated",
    }
    left = position_id(START.moved(8, 4).moved(6, 5).swapped())
    assert {answer["made"] for answer in answers.values()} == {left}
    immovable = ask(anonymous, "judge", position=START_ID, roll="31", play="8/7 22/19", profile="dbf")
    assert (immovable["follows"]["rule"], immovable["made"]) == ("row 59", None)
    legal = ask(anonymous, "judge", position=START_ID, roll="31", play="8/5 6/5", profile="dbf")
    miswritten = ask(anonymous, "judge", position=START_ID, roll="31", play="8/5* 6/5", profile="dbf")
    assert [(answer["follows"], answer["made"]) for answer in (legal, miswritten)] == [(None, None)] * 2


def test_judge_says_that_a_text_does_not_state_the_rule(anonymous):
    lone = position_id(START.of({24: 1}, {7: 2}))
    told = [
        ask(anonymous, "judge", position=lone, roll="42", play="24/22", profile=profile)["fault"]
        for profile in ("dbf", "se-web")
    ]
    assert [(fault["code"], fault["filled_in"]) for fault in told] == [("higher_die", False), ("higher_die", True)]


def test_disputes_are_settled_under_the_profile(anonymous):
    answer = ask(anonymous, "disputes", profile="de-leaflet")
    outcomes = {told["dispute"]: told["outcome"] for told in answer["disputes"]}
    assert (answer["profile"], outcomes["late_double"], outcomes["invalid_roll"]) == (
        "de-leaflet",
        "any_time",
        "roll_again",
    )
    assert ask(anonymous, "disputes")["disputes"][0]["outcome"] == "redo"


def test_judge_recognises_a_legal_play(anonymous):
    answer = ask(anonymous, "judge", position=START_ID, roll="31", play="8/5 6/5")
    assert (answer["legal"], answer["after"], answer["fault"]) == (True, "sGfwATDgc/ABMA", None)


@pytest.mark.parametrize(
    ("play", "code", "rule", "move"),
    [
        ("24/21", "more_dice", "row 18", None),
        ("", "must_move", "row 21", None),
        ("8/7 22/19", "no_checker", "row 10", "22/19"),
        ("13/12 6/3", "blocked", "row 9", "13/12"),
    ],
)
def test_judge_names_the_rule_the_move_and_the_legal_plays(anonymous, play, code, rule, move):
    answer = ask(anonymous, "judge", position=START_ID, roll="31", play=play)
    assert (answer["legal"], answer["after"]) == (False, None)
    assert (answer["fault"]["code"], answer["fault"]["rule"], answer["fault"]["move"]) == (code, rule, move)
    assert len(answer["plays"]) == 16


def test_judge_follows_the_profile(anonymous):
    bearing_off = position_id(START.of({6: 1, 4: 1}, {1: 2}))
    answers = {
        profile: ask(anonymous, "judge", position=bearing_off, roll="51", play="4/off 6/5", profile=profile)["legal"]
        for profile in ("dbf", "de-leaflet")
    }
    assert answers == {"dbf": False, "de-leaflet": True}


def test_equity_is_that_of_the_table(anonymous):
    answer = ask(anonymous, "equity", length=7, a=5, b=3)
    assert (answer["a"], answer["phase"], answer["table"]) == (0.6687, "before", "kazaross-xg2")
    assert answer["a"] + answer["b"] == pytest.approx(1)
    crawford = ask(anonymous, "equity", length=7, a=6, b=5, table="rockwell-kazaross")
    assert (crawford["a"], crawford["phase"]) == (0.676888, "crawford")
    assert crawford["a"] != equity(KAZAROSS_XG2, 1, 2)
    assert ask(anonymous, "equity", length=7, a=6, b=5, crawford_done="true")["phase"] == "after"


@pytest.mark.parametrize(
    ("name", "question", "field"),
    [
        ("plays", {"roll": "31"}, "position"),
        ("plays", {"position": START_ID}, "roll"),
        ("plays", {"position": START_ID, "roll": "37"}, "roll"),
        ("plays", {"position": START_ID, "roll": "²1"}, "roll"),
        ("plays", {"position": "nothing", "roll": "31"}, "position"),
        ("plays", {"position": "x" * 1000, "roll": "31"}, "position"),
        ("plays", {"position": START_ID, "roll": "31", "profile": "none"}, "profile"),
        ("plays", {"position": START_ID, "roll": "31", "rool": "31"}, "rool"),
        ("judge", {"position": START_ID, "roll": "31"}, "play"),
        ("judge", {"position": START_ID, "roll": "31", "play": "5/8"}, "play"),
        ("disputes", {"profile": "none"}, "profile"),
        ("judge", {"position": START_ID, "roll": "31", "play": "e4"}, "play"),
        ("judge", {"position": START_ID, "roll": "31", "play": "8/7 " * 40}, "play"),
        ("equity", {"length": 7, "a": 5}, "b"),
        ("equity", {"length": 7, "a": 5, "b": "x"}, "b"),
        ("equity", {"length": 7, "a": 5, "b": -1}, "b"),
        ("equity", {"length": 10**9, "a": 5, "b": 1}, "length"),
        ("equity", {"length": 7, "a": 8, "b": 1}, "non_field_errors"),
        ("equity", {"length": 0, "a": 1, "b": 1}, ""),
        ("equity", {"length": 31, "a": 1, "b": 1}, ""),
    ],
)
def test_a_question_that_cannot_be_answered_names_its_field(anonymous, name, question, field):
    problem = ask(anonymous, name, 400, **question)
    assert [error["field"] for error in problem["errors"]] in ([field], [""])
    assert problem["errors"][0]["message"]


@settings(max_examples=60)
@given(
    name=st.sampled_from(["plays", "judge", "disputes", "equity"]),
    question=st.dictionaries(
        st.sampled_from(["position", "roll", "play", "profile", "length", "a", "b", "table", "crawford_done"]),
        st.sampled_from([START_ID, "31", "8/5 6/5", "dbf", "7", "5", "kazaross-xg2"]) | st.text(max_size=20),
    ),
)
def test_any_question_is_answered_or_refused_as_documented(anonymous, name, question):
    forget_everything()
    text = urlencode({key: value.encode("utf-8", "replace") for key, value in question.items()})
    response = anonymous.get(f"rules/{name}/?{text}")
    assert response.status_code in {200, 400}
    assert json.loads(response.content)


def test_questions_are_limited_by_address(anonymous):
    statuses = [anonymous.get("rules/equity/?length=7&a=1&b=2").status_code for _ in range(121)]
    assert statuses == [200] * 120 + [429]
