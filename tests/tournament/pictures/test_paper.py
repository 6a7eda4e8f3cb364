"""The printed pages of every format; tests/e2e/test_paper.py tests how they come out of a printer."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from players.models import User
from rules.score import Side
from tests.builders import AT, build_director, build_event, open_matches, win
from tournament.entries.links import link_of
from tournament.formats import FORMATS
from tournament.models import Entry
from tournament.pictures.paper import SHEETS, draw_code

pytestmark = pytest.mark.django_db


PUBLIC = [slug for slug, sheet in SHEETS.items() if not sheet.action]


@pytest.fixture
def director() -> User:
    return build_director()


@pytest.mark.parametrize("slug", SHEETS)
@pytest.mark.parametrize("format", FORMATS)
def test_every_sheet_of_every_format_can_be_read(as_director: Client, director: User, format: str, slug: str) -> None:
    event = build_event(director, players=8, format=format)
    page = as_director.get(f"{event.get_absolute_url()}print/{slug}/")
    assert page.status_code == 200
    assert all(f"Player {number}" in page.content.decode() for number in range(1, 9)) or slug in (
        "pairings",
        "cards",
        "score-sheets",
    )


@pytest.mark.parametrize("slug", SHEETS)
def test_a_sheet_before_the_draw_says_that_there_is_nothing_yet(as_director: Client, director: User, slug: str) -> None:
    event = build_event(director, players=0, drawn=False)
    assert as_director.get(f"{event.get_absolute_url()}print/{slug}/").status_code == 200


def test_an_unknown_sheet_is_not_found(client: Client, director: User) -> None:
    event = build_event(director, players=0, drawn=False)
    assert client.get(f"{event.get_absolute_url()}print/nothing/").status_code == 404


def test_the_contents_name_every_sheet_that_the_reader_may_see(
    client: Client, as_director: Client, director: User
) -> None:
    event = build_event(director)
    for reader, named in ((client, PUBLIC), (as_director, list(SHEETS))):
        page = reader.get(f"{event.get_absolute_url()}print/").content.decode()
        assert re.findall(r"/print/([a-z-]+)/", page) == named


def test_players_cards_have_the_links_to_their_private_pages_only_for_directors(
    client: Client, as_director: Client, director: User
) -> None:
    event = build_event(director, players=4)
    gone = event.entries.get(player__name="Player 3")
    Entry.objects.filter(pk=gone.pk).update(left_at=AT, left_kind="withdrawn", left_stage=1)
    path = f"{event.get_absolute_url()}print/player-cards/"
    assert client.get(path).status_code == 403
    page = as_director.get(path).content.decode()
    codes = {entry.player.name: draw_code(f"http://testserver{link_of(entry)}") for entry in event.entries.all()}
    assert {name for name, code in codes.items() if code in page} == {"Player 1", "Player 2", "Player 4"}
    assert len(set(codes.values())) == 4


@pytest.mark.parametrize("slug", PUBLIC)
def test_a_sheet_takes_as_many_queries_for_64_players_as_for_8(
    client: Client, director: User, slug: str, django_assert_num_queries
) -> None:
    for players in (8, 64):
        event = build_event(director, players=players)
        with django_assert_num_queries(10):
            client.get(f"{event.get_absolute_url()}print/{slug}/")


def test_the_pairings_name_the_players_with_a_bye_in_the_rounds_being_played(client: Client, director: User) -> None:
    """Of five in a bracket of eight three have a bye in round 1, and two of them meet while the other two play it."""
    event = build_event(director, players=5, format="consolation")
    address = reverse("sheet", args=[event.tournament.slug, event.slug, "pairings"])
    free = client.get(address).context["byes"]
    assert [(bye.bracket, bye.round, len(bye.entry_ids)) for bye in free] == [("M", 1, 1)] * 3
    (first,) = [match for match in open_matches(event) if match.fixture.round == 1]
    win(first, Side.A)
    assert [bye.round for bye in client.get(address).context["byes"] if bye.bracket == "M"] == []


def test_a_card_has_a_code_of_its_own_for_the_page_of_the_match(client: Client, director: User) -> None:
    event = build_event(director, players=4)
    page = client.get(f"{event.get_absolute_url()}print/cards/").content.decode()
    for fixture in event.stages.get().fixtures.filter(match__isnull=False):
        assert draw_code(f"http://testserver/matches/{fixture.match_id}/") in page
