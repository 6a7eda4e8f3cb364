"""An evening under the Danish leaflet on the pages: a cup, a record in its notation, and money play settled."""

import re
from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from matches.import_records import import_record
from matches.money_sessions import MoneySession
from matches.services import current_sheet
from players.models import User
from rules.position import BAR
from rules.profiles import DK_LEAFLET
from tests.builders import AT, build_director, build_tournament, fixture_of
from tests.pages import forms_of
from tournament.models import Event

RECORD = """\
3 point match

 Game 1
 Ann : 0                        Bo : 0
  1) 31: W8-W5 W6-W5             63: W1-W4 W4-W10
  2)                             Losses 3 points
      Wins 3 points and the match
"""

pytestmark = pytest.mark.django_db


def text_of(answer) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).split())


def sent(client: Client, path: str, status: int = 302, **fields: object):
    answer = client.post(path, fields)
    assert answer.status_code == status, text_of(answer)
    return answer


def begin(client: Client, **terms: object) -> MoneySession:
    agreed = {"names": "Ida\nJon\nKim", "profile": "dk-leaflet", "cube": "on", "stake": 5, "unit": "kr"}
    sent(client, reverse("money-sessions"), **agreed, **{"automatic_doubles": 0, **terms})
    return MoneySession.objects.latest("pk")


@pytest.fixture
def director() -> User:
    return build_director()


@pytest.fixture
def desk(client, director) -> Client:
    client.force_login(director)
    return client


def test_games_with_automatic_doubles_from_the_jacquet_start_are_settled_to_the_point(desk):
    """A tie at the opening puts the cube on 2; a game that is given up is lost as a backgammon."""
    session = begin(desk, automatic_doubles=1, jacquet="on")
    page = session.get_absolute_url()
    shown = text_of(desk.get(page))
    assert "1 automatic double at most" in shown
    assert "The cube includes automatic doubles." in shown
    board = re.search(r'href="([^"]+\?profile=dk-leaflet[^"]*)"', desk.get(page).content.decode())[1]
    entered = desk.get(f"{unescape(board)}&roll=31")
    assert entered.context["position"].checkers(BAR) == 15
    assert "slået-S3 slået-S1" in text_of(entered)
    sent(desk, page, number=1, box=0, won_1="box", cube_1=2, how_1="gammon", won_2="box", cube_2=4, how_2="single")
    sent(desk, page, number=2, box=2, won_0="box", cube_0=2, how_0="drop", won_1="box", cube_1=2)
    sent(desk, reverse("money-act", args=[session.pk, "take-back"]), number=2)
    how = "resigned-backgammon"
    sent(desk, page, number=2, box=2, won_0="box", cube_0=2, how_0="drop", won_1="box", cube_1=2, how_1=how)
    sent(desk, page, number=3, box=1, won_0="box", cube_0=1, how_0="backgammon", won_2="other", cube_2=2)
    assert desk.get(page).context["totals"] == [("Ida", 3), ("Jon", -9), ("Kim", 6)]
    sent(desk, reverse("money-act", args=[session.pk, "settle"]))
    settled = text_of(desk.get(page))
    assert "Jon pays Kim 30 kr (6 points)" in settled
    assert "Jon pays Ida 15 kr (3 points)" in settled


@pytest.mark.parametrize(
    ("terms", "cubes", "endings"),
    [
        ({}, 7, {"single", "gammon", "backgammon", "drop", "resigned-backgammon"}),
        ({"cube": ""}, 1, {"single", "gammon", "backgammon", "resigned-backgammon"}),
        (
            {"profile": "dbf"},
            7,
            {"single", "gammon", "backgammon", "drop", "resigned-single", "resigned-gammon", "resigned-backgammon"},
        ),
    ],
)
def test_a_game_offers_only_what_the_rules_of_the_session_allow(desk, terms, cubes, endings):
    agreed = {"names": "Ida\nJon", "profile": "dk-leaflet", "cube": "on", "automatic_doubles": 0, "stake": 1}
    sent(desk, reverse("money-sessions"), **{**agreed, **terms})
    page = desk.get(MoneySession.objects.get().get_absolute_url())
    controls = {control.name: control for form in forms_of(page) for control in form.controls}
    assert len(controls["cube_1"].options) == cubes
    assert {value for value, _label in controls["how_1"].options} == endings


def test_a_cup_counts_a_game_that_was_given_up_as_a_backgammon_and_takes_a_record_in_s_and_w(desk, director):
    tournament = build_tournament(director)
    terms = {"name": "Cup", "format": "single-elimination", "lengths": "3", "seeding": "random"}
    sent(desk, reverse("new-event", args=[tournament.slug]), **terms, profile="dk-leaflet", crawford="on")
    event = Event.objects.get()
    assert event.profile == DK_LEAFLET.slug
    where = [tournament.slug, event.slug]
    sent(desk, reverse("entries", args=where), way="list", text="Ann\nBo")
    sent(desk, reverse("act", args=[*where, "draw"]))
    match = fixture_of(event, "M1-1").match
    left = "A" if match.name_a == "Ann" else "B"
    enter, game = reverse("enter", args=[match.pk, "game"]), {"base": 0, "winner": left, "cube": 1, "key": "one"}
    lower = sent(desk, enter, 400, **game, level=1, ending="resigned")
    assert "always lost as a backgammon" in text_of(lower)
    sent(desk, enter, **game, level=3, ending="resigned")
    sheet = current_sheet(match)
    assert [(line.winner, line.cube * line.level) for line in sheet.lines.all()] == [(left, 3)]
    file = SimpleUploadedFile("evening.mat", RECORD.encode())
    sent(desk, reverse("attach-record", args=[match.pk]), file=file, left=left)
    assert "Score sheet and record tell the same games." in text_of(desk.get(match.get_absolute_url()))


def test_a_record_in_s_and_w_is_played_through_in_s_and_w(desk):
    record = import_record(RECORD.encode(), name="evening.mat", at=AT).record
    first = text_of(desk.get(record.get_absolute_url(), {"game": 1, "move": 1}))
    assert "W8-W5 W6-W5" in first
    assert "W1-W4 W4-W10" in first
    assert "24/21" not in first
    numbered = RECORD.replace("W8-W5 W6-W5", "8/5 6/5").replace("W1-W4 W4-W10", "24/21 21/15").replace("Ann", "Cy ")
    usual = import_record(numbered.encode(), name="usual.mat", at=AT).record
    assert "24/21 21/15" in text_of(desk.get(usual.get_absolute_url(), {"game": 1, "move": 1}))
