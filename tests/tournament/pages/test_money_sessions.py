"""An evening of money play on the pages: terms, games of a chouette, the account and its settlement."""

import pytest
from django.urls import reverse

from matches.money_sessions import MoneySession
from players.models import User
from tests.pages import forms_of

pytestmark = pytest.mark.django_db

LEAFLET = {"profile": "dk-leaflet", "cube": "on", "automatic_doubles": 1, "jacquet": "on", "stake": 5, "unit": "kr"}


@pytest.fixture
def owner(client):
    client.force_login(User.objects.create_user("owner"))
    return client


def begin(client, names, status=302, **terms):
    answer = client.post(reverse("money-sessions"), {"names": names, **LEAFLET, **terms})
    assert answer.status_code == status
    return MoneySession.objects.last() if status == 302 else answer


def play(client, session, number, status=302, **game):
    answer = client.post(session.get_absolute_url(), {"number": number, "box": 0, **game})
    assert answer.status_code == status
    return answer


def test_an_evening_under_the_danish_leaflet_is_settled_at_the_end(owner, client):
    session = begin(owner, "Ida\nJon\nKim")
    play(owner, session, 1, won_1="box", cube_1=2, how_1="gammon", won_2="other", cube_2=4, how_2="drop")
    play(owner, session, 1, won_1="box", cube_1=2, how_1="gammon", won_2="other", cube_2=4, how_2="drop")
    refused = play(owner, session, 2, 400, won_1="box", cube_1=1, how_1="resigned-single")
    assert "always lost as a backgammon" in refused.content.decode()
    play(owner, session, 2, box=2, won_0="other", cube_0=1, how_0="resigned-backgammon")
    page = owner.get(session.get_absolute_url()).content.decode()
    assert "Jacquet start" in page
    assert " ".join(page.split()).count("Jon pays Ida 15 kr (3 points)") == 1
    assert MoneySession.objects.get().results.count() == 3
    owner.post(reverse("money-act", args=[session.pk, "take-back"]), {"number": 2})
    owner.post(reverse("money-act", args=[session.pk, "settle"]))
    play(owner, session, 2, 400, won_1="box", cube_1=1, how_1="single")
    assert MoneySession.objects.get().results.count() == 2
    client.force_login(User.objects.create_user("other"))
    assert client.get(session.get_absolute_url()).status_code == 404


def test_a_game_of_two_is_won_by_one_of_them_and_has_no_box(owner):
    session = begin(owner, "Anna\nBo", jacquet="", automatic_doubles=0)
    page = owner.get(session.get_absolute_url())
    controls = {control.name: control for form in forms_of(page) for control in form.controls}
    assert {"box", "won_0"}.isdisjoint(controls)
    assert "the box" not in page.content.decode()
    form = page.context["form"]
    assert (form["won_1"].label, form.fields["won_1"].choices) == (
        "Who won the game?",
        [("box", "Anna"), ("other", "Bo")],
    )
    play(owner, session, 1, 400, cube_1=2, how_1="single")
    play(owner, session, 1, won_1="other", cube_1=2, how_1="single")
    play(owner, session, 2, won_1="box", cube_1=4, how_1="single")
    assert owner.get(session.get_absolute_url()).context["totals"] == [("Anna", 2), ("Bo", -2)]


@pytest.mark.parametrize("names", ["Ida\nJon", "Ida\nJon\nKim"])
def test_the_browser_fills_no_game_in_again_and_an_old_page_adds_none(owner, names):
    session = begin(owner, names)
    page = owner.get(session.get_absolute_url()).content.decode()
    assert f'action="{session.get_absolute_url()}" class="panel" autocomplete="off"' in page
    play(owner, session, 1, won_1="box", cube_1=1, how_1="single")
    refused = play(owner, session, 1, 400, won_1="box", cube_1=2, how_1="single").content.decode()
    assert "Game 2 is the next one." in refused
    assert 'name="number" value="2"' in refused
    assert session.results.count() == 1


@pytest.mark.parametrize(
    ("names", "terms", "sentence"),
    [
        ("Ida\nIDA", {}, "each differently"),
        ("Ida\nJon", {"profile": "wbgf"}, "do not include automatic doubles"),
        ("Ida\nJon", {"profile": "wbgf", "automatic_doubles": 0}, "do not include the Jacquet start"),
    ],
)
def test_what_cannot_be_agreed_on_is_refused(owner, names, terms, sentence):
    assert sentence in begin(owner, names, 400, **terms).content.decode()
    assert not MoneySession.objects.exists()


def test_a_line_of_the_player_in_the_box_is_refused_and_the_box_stays_for_the_next_game(owner):
    session = begin(owner, "Ida\nJon\nKim")
    refused = play(owner, session, 1, 400, box=1, won_1="box", cube_1=2, won_2="box", cube_2=1, how_2="single")
    assert "Jon is in the box: a line against the box is of another player." in refused.content.decode()
    assert not session.results.exists()
    play(owner, session, 1, box=1, won_2="box", cube_2=1, how_2="single")
    assert '<option value="1" selected>Jon</option>' in owner.get(session.get_absolute_url()).content.decode()
