"""The rules page and its parts."""

import re
from html import unescape
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from django.template import Context, Template
from django.urls import reverse
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.board import Holder
from rules.ids import parse_id, position_id, xgid
from rules.ids.situation import Situation
from rules.position import START
from rules.score import MatchScore, Side
from tests.rules.boards import board

START_ID = "4HPwATDgc/ABMA"
SCORE_XGID = "XGID=-b----E-C---eE---c-e----B-:1:1:1:00:3:2:0:5:10"
LONG_XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:99999:10"
SIDE = "24:2 13:5 8:3 6:5"


def show(client, status=200, **question):
    response = client.get(reverse("rules"), question)
    assert response.status_code == status
    return response


def send(client, **fields):
    """Send the form, and return the parts of the address that it leads to, where a page can be shown."""
    sent = {"was": START_ID, "id": START_ID, "mine": SIDE, "theirs": SIDE, "profile": "wbgf", "do": ""} | fields
    response = client.get(reverse("rules"), sent)
    assert response.status_code == 302
    assert client.get(response.url).status_code == 200
    return {name: values[0] for name, values in parse_qs(urlsplit(response.url).query).items()}


@pytest.mark.django_db
def test_page_begins_with_the_start_and_no_roll(client):
    page = show(client)
    assert page.context["position"] == START
    assert page.context["plays"] is None
    assert b"<svg" in page.content


@pytest.mark.django_db
def test_page_lists_the_legal_plays_with_their_numbers(client):
    page = show(client, roll="31")
    assert [play["text"] for play in page.context["plays"]][:2] == ["24/20", "24/21 24/23"]
    assert [play["number"] for play in page.context["plays"]] == list(range(1, 17))


@pytest.mark.django_db
def test_page_says_when_the_roll_cannot_be_played(client):
    closed = position_id(board({25: 1, 6: 14}, {24: 2, 23: 2, 22: 2, 21: 2, 20: 2, 19: 2}))
    assert "No legal play: the turn passes" in show(client, id=closed, roll="66").content.decode()


@pytest.mark.django_db
def test_link_of_a_play_shows_the_board_after_it(client):
    play = show(client, roll="31").context["plays"][12]
    page = client.get(f"{reverse('rules')}?{play['query']}")
    assert (play["text"], play["number"]) == ("8/5 6/5", 13)
    assert page.context["before"] == START
    assert page.context["after"] == START.moved(8, 5).moved(6, 5)
    assert [other["text"] for other in page.context["plays"] if other["shown"]] == ["8/5 6/5"]


@pytest.mark.django_db
def test_verdict_on_a_legal_play_shows_the_board_after_it(client):
    page = show(client, roll="31", play="6/5 8/5")
    assert page.context["verdict"].fault is None
    assert page.context["after"] == START.moved(8, 5).moved(6, 5)


@pytest.mark.django_db
def test_verdict_names_the_rule_and_the_move(client):
    verdict = show(client, roll="31", play="8/7 22/19", profile="dbf").context["verdict"]
    assert (verdict.fault.code, verdict.move, verdict.fault.filled_in) == ("no_checker", "22/19", False)


@pytest.mark.django_db
def test_verdict_says_that_a_text_does_not_state_the_higher_die(client):
    lone = position_id(board({24: 1}, {18: 2}))
    told = {
        profile: show(client, id=lone, roll="42", play="24/22", profile=profile).context["verdict"].fault
        for profile in ("dbf", "se-web")
    }
    assert {fault.code for fault in told.values()} == {"higher_die"}
    assert {profile: fault.filled_in for profile, fault in told.items()} == {"dbf": False, "se-web": True}


def citations_on(page):
    """Each citation on the page, in order: the verdict's first."""
    text = " ".join(unescape(re.sub(r"<[^>]+>", " ", page.content.decode())).split())
    return re.findall(r"(Stated in|Not stated in these rules; taken from) (S\d|WBGF)", text)


@pytest.mark.django_db
def test_page_cites_the_text_that_states_a_rule_or_those_that_it_is_taken_from(client):
    lone = position_id(board({24: 1}, {18: 2}))
    cited = {
        profile: citations_on(show(client, id=lone, roll="42", play="24/22", profile=profile))
        for profile in ("dbf", "se-web")
    }
    assert cited["dbf"][0] == ("Stated in", "S2")
    assert cited["se-web"][0] == ("Not stated in these rules; taken from", "S0")


@pytest.mark.django_db
def test_page_cites_each_answer_to_a_dispute_unless_no_text_has_one(client):
    other = ("Not stated in these rules; taken from", "S2")
    assert citations_on(show(client, profile="dbf")) == [("Stated in", "S2")] * 6
    assert citations_on(show(client, profile="de-leaflet")) == [other, other, ("Stated in", "S4"), other, other]


@pytest.mark.django_db
def test_page_reads_rows_of_the_board_and_writes_them_for_the_leaflet(client):
    page = show(client, profile="dk-leaflet", roll="54", play="S1-S5-S10").content.decode()
    assert "S1-S5 S5-S10" in page
    assert "24/20" not in page
    assert "24/20" in show(client, profile="dbf", roll="54", play="S1-S5-S10").content.decode()


@pytest.mark.django_db
def test_form_leads_to_an_address_that_can_be_shared(client):
    assert send(client) == {}
    assert send(client, die1="3", die2="1") == {"roll": "31"}
    assert send(client, die1="3", die2="1", profile="dbf", play="8/5  6/5", do="judge") == {
        "roll": "31",
        "profile": "dbf",
        "play": "8/5 6/5",
    }


@pytest.mark.django_db
def test_form_takes_an_id_over_the_points_and_its_dice_with_it(client):
    rolled = SCORE_XGID.replace(":00:", ":65:")
    assert send(client, id=f" {rolled} ", mine="6:1") == {"id": rolled, "roll": "65"}


@pytest.mark.django_db
def test_form_takes_changed_points_and_keeps_score_and_cube(client):
    found = send(client, was=SCORE_XGID, id=SCORE_XGID, mine="6:2", theirs="bar:1 3:1", die1="2", die2="2")
    situation = parse_id(found["id"])
    assert situation.position == board({6: 2}, {22: 1}, their_bar=1)
    assert (situation.score, situation.cube) == (parse_id(SCORE_XGID).score, parse_id(SCORE_XGID).cube)
    assert send(client, mine="6:2", theirs="") == {"id": position_id(board({6: 2}))}


@pytest.mark.django_db
def test_changed_position_drops_the_judged_play_unless_it_is_judged_now(client):
    fields = {"mine": "6:2", "theirs": "", "die1": "2", "die2": "1", "play": "6/5"}
    assert "play" not in send(client, **fields)
    assert send(client, **fields, do="judge")["play"] == "6/5"


@pytest.mark.parametrize(
    ("do", "expected"),
    [
        ("start", {}),
        ("empty", {"id": "AAAAAAAAAAAAAA"}),
        ("swap", {"id": position_id(board({6: 2}, {24: 3}).swapped())}),
        ("mirror", {"id": position_id(board({6: 2}, {24: 3})), "mirrored": "1"}),
    ],
)
@pytest.mark.django_db
def test_buttons_change_the_position_with_what_was_typed(client, do, expected):
    assert send(client, mine="6:2", theirs="1:3", do=do) == expected


@pytest.mark.django_db
def test_mirror_turns_back(client):
    assert send(client, mirrored="1", do="mirror") == {}


@pytest.mark.django_db
def test_score_of_an_id_is_shown_with_the_equity_of_the_player_on_roll(client):
    equity = show(client, id=SCORE_XGID).context["equity"]
    assert (equity["mine"], equity["theirs"]) == (3, 2)
    assert equity["chance"] == pytest.approx(59.947)
    assert show(client).context["equity"] is None
    long = xgid(Situation(position=START, on_roll=Side.B, acting=Side.B, score=MatchScore(99)))
    assert show(client, id=long).context["equity"]["chance"] is None


@pytest.mark.django_db
def test_ids_of_the_position_are_shown_in_every_format(client):
    ids = dict(show(client, id=SCORE_XGID).context["ids"])
    assert ids["XGID"] == SCORE_XGID
    assert {parse_id(text) for text in ids.values()} == {parse_id(SCORE_XGID)}


@pytest.mark.django_db
def test_ids_of_the_position_include_the_roll_that_is_asked_about(client):
    ids = dict(show(client, id=SCORE_XGID, roll="24").context["ids"])
    assert ids["XGID"] == SCORE_XGID.replace(":00:", ":42:")
    doubled = SCORE_XGID.replace(":00:", ":D:")
    assert dict(show(client, id=doubled, roll="24").context["ids"])["XGID"] == doubled


@pytest.mark.parametrize(
    ("xgid_state", "said"),
    [
        ("0:0:1:00", []),
        ("1:1:1:00", ["Cube at 2 with the player on roll."]),
        ("1:1:-1:31", ["Cube at 2 with the opponent."]),
        ("0:0:1:D", ["The player on roll has doubled to 2; the opponent takes or drops."]),
    ],
)
@pytest.mark.django_db
def test_cube_and_double_of_an_id_are_shown(client, xgid_state, said):
    page = show(client, id=f"XGID=-b----E-C---eE---c-e----B-:{xgid_state}:3:2:0:5:10")
    assert page.context["state"] == said
    assert all(sentence in page.content.decode() for sentence in said)


@pytest.mark.django_db
def test_rules_agreed_on_in_a_money_id_are_shown(client):
    page = show(client, id="XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:3:0:10")
    assert page.context["state"] == ["The Jacoby rule is in force.", "Beavers are allowed."]


@pytest.mark.parametrize(
    ("profile", "outcome", "links"),
    [("dbf", "accept_or_redo", True), ("wbgf", "redo", False), ("se-web", "unstated", False)],
)
@pytest.mark.django_db
def test_verdict_on_an_illegal_play_says_what_follows(client, profile, outcome, links):
    page = show(client, roll="31", play="8/4 6/5", profile=profile)
    assert page.context["verdict"].follows.outcome == outcome
    assert ("accepted" in page.context) is links


@pytest.mark.django_db
def test_accepted_play_leads_to_the_position_after_it_with_the_opponent_on_roll(client):
    page = show(client, id=SCORE_XGID, roll="31", play="8/4 6/5", profile="dbf")
    question = client.get(f"{reverse('rules')}?{page.context['accepted']}").context["question"]
    made = START.moved(8, 4).moved(6, 5)
    before = parse_id(SCORE_XGID)
    assert question.situation.position == made.swapped()
    assert (question.situation.on_roll, question.situation.score) == (before.on_roll.other, before.score)
    assert (question.profile.slug, question.roll, question.play) == ("dbf", None, None)


@pytest.mark.parametrize(("play", "made"), [("13/12 6/3", False), ("8/5* 6/5", None), ("", True)])
@pytest.mark.django_db
def test_a_miswritten_or_impossible_play_cannot_be_accepted(client, play, made):
    verdict = show(client, roll="31", play=play or "24/23", profile="dbf").context["verdict"]
    assert (None if verdict.follows is None else verdict.made is not None) is made


@pytest.mark.django_db
def test_questions_at_the_table_are_answered_under_the_profile(client):
    answers = {
        profile: {dispute.dispute: dispute for dispute in show(client, profile=profile).context["disputes"]}
        for profile in ("dbf", "de-leaflet")
    }
    assert {slug: told["late_double"].outcome for slug, told in answers.items()} == {
        "dbf": "too_late",
        "de-leaflet": "any_time",
    }
    assert [answers[slug]["invalid_roll"].filled_in for slug in ("dbf", "de-leaflet")] == [False, True]
    assert "both dice must be rolled again" in show(client).content.decode()


@pytest.mark.parametrize(
    ("question", "field"),
    [
        ({"id": "nonsense"}, "id"),
        ({"id": "x" * 500}, "id"),
        ({"id": LONG_XGID}, "id"),
        ({"roll": "37"}, "roll"),
        ({"roll": "3"}, "roll"),
        ({"profile": "none"}, "profile"),
        ({"roll": "31", "play": "e4"}, "play"),
        ({"roll": "31", "play": "8/11"}, "play"),
        ({"was": START_ID, "id": START_ID, "mine": "6:16", "theirs": ""}, "mine"),
        ({"was": START_ID, "id": START_ID, "mine": "6:1", "theirs": "19:1"}, "mine"),
    ],
)
@pytest.mark.django_db
def test_bad_question_is_refused_with_one_sentence_at_its_field(client, question, field):
    page = show(client, 400, **question)
    assert [len(errors) for errors in page.context["form"].errors.values()] == [1]
    assert list(page.context["form"].errors) == [field]
    assert b'class="error"' in page.content


@pytest.mark.django_db
def test_valid_parts_of_a_bad_question_are_still_shown(client):
    page = show(client, 400, was=SCORE_XGID, id=SCORE_XGID, mine=SIDE, theirs=SIDE, die1="3", die2="1", play="e4")
    assert (page.context["question"].id, page.context["question"].roll) == (SCORE_XGID, (3, 1))
    assert len(page.context["plays"]) == 16
    page = show(client, 400, was=SCORE_XGID, id="nonsense", mine=SIDE, theirs=SIDE)
    assert page.context["question"].id == SCORE_XGID
    assert 'value="nonsense"' in page.content.decode()


@settings(max_examples=60)
@given(
    question=st.dictionaries(
        st.sampled_from(
            ["id", "was", "mine", "theirs", "roll", "die1", "die2", "profile", "play", "show", "do", "mirrored"]
        ),
        st.sampled_from([START_ID, SCORE_XGID, SIDE, "31", "3", "8/5 6/5", "dbf", "swap", "judge", ""])
        | st.text(max_size=12),
    )
)
@pytest.mark.django_db
def test_any_question_is_answered_or_refused(client, question):
    text = urlencode({name: value.encode("utf-8", "replace") for name, value in question.items()})
    assert client.get(f"{reverse('rules')}?{text}").status_code in {200, 302, 400}


def test_board_tag_describes_the_position_in_words():
    template = Template("{% load board %}{% board position dice=roll cube=cube %}")
    svg = template.render(
        Context({"position": board({6: 2, 25: 1}, {19: 1}), "roll": (3, 1), "cube": (2, Holder.THEIRS)})
    )
    assert (
        "Player on roll: 1 on the bar, 2 on 6, 12 off; 37 pips. Opponent: 1 on 6, 14 off; 6 pips. "
        "Roll: 3 and 1. Cube at 2 with the opponent." in svg
    )
