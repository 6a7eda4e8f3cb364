"""The page of the score keeper: behind the private link, for the matches of its entry alone."""

import json
import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from tests.builders import build_director, build_event, fixture_of
from tournament.entries.links import token_of
from tournament.models import Event

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    return build_event(build_director(), players=4, lengths=(7,))


def keeper_of(entry, match, **headers):
    return Client().get(reverse("score-keeper", args=[token_of(entry), match.pk]), **headers)


def data_of(page, name: str) -> dict:
    [value] = re.findall(rf'data-{name}="([^"]*)"', page.content.decode())
    return json.loads(unescape(value))


def test_the_page_hands_the_terms_of_the_match_and_the_side_of_its_reader_to_its_script(event):
    fixture = fixture_of(event, "M1-1")
    facts = data_of(keeper_of(fixture.entry_b, fixture.match), "facts")
    assert (facts["match"], facts["side"], facts["length"]) == (fixture.match_id, "b", 7)
    assert facts["names"] == {"a": fixture.match.name_a, "b": fixture.match.name_b}
    assert facts["start"] == {"a": 0, "b": 0, "done": False}
    assert facts["zone"] == str(event.tournament.zone)
    assert data_of(keeper_of(fixture.entry_a, fixture.match), "facts")["side"] == "a"


def test_penalty_points_are_handed_over_as_given_to_each_side(event):
    fixture = fixture_of(event, "M1-1")
    fixture.match.penalties = [{"after": 2, "against_a": 1, "against_b": 0}]
    fixture.match.save()
    assert data_of(keeper_of(fixture.entry_a, fixture.match), "facts")["penalties"] == [[2, 0, 1]]


def test_nobody_keeps_the_score_of_others(event):
    others = fixture_of(event, "M1-2").match
    assert keeper_of(fixture_of(event, "M1-1").entry_a, others).status_code == 404
    assert Client().get(reverse("score-keeper", args=["made-up", others.pk])).status_code == 404


def test_a_link_that_has_ended_says_so(event):
    fixture = fixture_of(event, "M1-1")
    address = reverse("score-keeper", args=[token_of(fixture.entry_a), fixture.match_id])
    fixture.entry_a.link_epoch += 1
    fixture.entry_a.save()
    page = Client().get(address)
    assert page.status_code == 410
    assert "This link no longer works" in page.content.decode()


def test_without_javascript_the_page_leads_to_the_form_of_the_players_page(event):
    fixture = fixture_of(event, "M1-1")
    text = keeper_of(fixture.entry_a, fixture.match).content.decode()
    aside = text.partition("<noscript>")[2].partition("</noscript>")[0]
    assert f'href="{reverse("my-entry", args=[token_of(fixture.entry_a)])}#m{fixture.match_id}"' in aside


def test_the_page_shows_no_chance_of_winning(event):
    fixture = fixture_of(event, "M1-1")
    text = keeper_of(fixture.entry_a, fixture.match).content.decode()
    assert "chances" not in text
    assert "%)" not in text.replace("%(", "")


def test_the_script_speaks_the_language_of_its_reader(event):
    fixture = fixture_of(event, "M1-1")
    words = [
        data_of(keeper_of(fixture.entry_a, fixture.match, headers={"accept-language": code}), "words")
        for code in ("en", "de", "da")
    ]
    assert words[0]["drop"] == "Drop"
    assert len({words_of["undo"] for words_of in words}) == 3


def test_my_page_opens_at_its_top(event):
    fixture = fixture_of(event, "M1-1")
    text = keeper_of(fixture.entry_a, fixture.match).content.decode()
    nav = text.partition('class="keeper-top"')[2].partition("</nav>")[0]
    assert f'href="{reverse("my-entry", args=[token_of(fixture.entry_a)])}"' in nav
