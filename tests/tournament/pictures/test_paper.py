"""The printed pages of every format; tests/e2e/test_paper.py tests how they come out of a printer."""

import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format

from players.models import User
from rules.score import Level, Side
from rules.sheet import GameResult
from tests.builders import AT, build_director, build_event, claim, fixture_of, open_matches, win
from tournament.draw.make import make_draw
from tournament.entries.links import link_of
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries
from tournament.formats import FORMATS
from tournament.hall.calling import call_match
from tournament.hall.tables import add_tables
from tournament.models import Entry, Fixture
from tournament.pages.tags.paper import badge_size
from tournament.pictures.paper import SHEETS, draw_code
from tournament.results.enter import enter_result

pytestmark = pytest.mark.django_db


PUBLIC = [slug for slug, sheet in SHEETS.items() if not sheet.action]


@pytest.fixture
def director() -> User:
    return build_director()


WITHOUT_NAMES = {"pairings", "pairings-by-name", "cards", "score-sheets", "standings", "poster", "table-codes"}
"""The sheets that need not name everybody."""


@pytest.mark.parametrize("format", FORMATS)
def test_every_sheet_of_every_format_can_be_read(as_director: Client, director: User, format: str) -> None:
    event = build_event(director, players=8, format=format)
    for slug in SHEETS:
        page = as_director.get(f"{event.get_absolute_url()}print/{slug}/")
        assert page.status_code == 200, slug
        named = {number for number in range(1, 9) if f"Player {number}" in page.content.decode()}
        assert named == set(range(1, 9)) or slug in WITHOUT_NAMES, slug


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
        assert re.findall(r"/print/([a-z-]+)/", page) == ["round", *named]


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
        with django_assert_num_queries(13 if slug == "table-codes" else 12):  # the tables too
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


def rows_of(page: str) -> list[str]:
    """The rows of the tables on the page, as text."""
    rows = re.findall(r"<tr>(.*?)</tr>", page, re.DOTALL)
    return [" ".join(unescape(re.sub(r"<[^>]+>", " ", row)).split()) for row in rows]


def test_everybody_is_listed_by_name_with_opponent_and_table(client: Client, director: User) -> None:
    event = build_event(director, players=5, format="single-elimination")
    add_tables(event.tournament, first=7, last=9, by=None, at=AT)
    fixtures = Fixture.objects.filter(stage__event=event, match__isnull=False).select_related("match")
    for fixture in fixtures:
        call_match(fixture.match, by=None, at=AT)
    page = client.get(f"{event.get_absolute_url()}print/pairings-by-name/").content.decode()
    rows = rows_of(page)[1:]
    assert [row[:8] for row in rows] == sorted(row[:8] for row in rows)
    first = fixture_of(event, fixtures[0].key)
    assert f"{first.entry_a} {first.entry_b} 7 {first.key} 5" in rows
    assert f"{first.entry_b} {first.entry_a} 7 {first.key} 5" in rows
    assert {f"Player {number}" for number in range(1, 6)} == {row[:8] for row in rows}


def test_both_of_a_pair_find_themselves(client: Client, director: User) -> None:
    event = build_event(director, players=0, drawn=False, doubles=True)
    lines = [EntryLine(name=name, line=1) for name in ("Ann & Zoe", "Bo & Cy")]
    add_entries(event, lines=lines, by=None, at=AT)
    make_draw(event, by=None, at=AT)
    page = client.get(f"{event.get_absolute_url()}print/pairings-by-name/").content.decode()
    assert [row.split(" M1")[0] for row in rows_of(page)[1:]] == [
        "Ann Zoe Bo & Cy",
        "Bo Cy Ann & Zoe",
        "Cy Bo Ann & Zoe",
        "Zoe Ann Bo & Cy",
    ]


def test_a_score_sheet_has_table_day_and_the_score_at_its_start(client: Client, director: User) -> None:
    event = build_event(director, players=2)
    add_tables(event.tournament, first=4, last=4, by=None, at=AT)
    match = fixture_of(event, "M1-1").match
    call_match(match, by=None, at=AT)
    game = GameResult(Side.A, 2, Level.SINGLE)
    enter_result(match, claim=claim(games=(game,)), by=None, at=AT)
    page = client.get(f"{event.get_absolute_url()}print/score-sheets/").content.decode()
    text = " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())
    for said in (
        "Table 4",
        f"{match.name_a} (A) {match.name_b} (B)",
        "starts at 0–0",
        date_format(timezone.localdate()),
    ):
        assert said in text


def test_all_sheets_of_a_round_are_printed_in_one_go(client: Client, director: User) -> None:
    event = build_event(director, players=4)
    path = f"{event.get_absolute_url()}print/round/"
    whole, chosen = (client.get(path + query).content.decode() for query in ("", "?sheet=cards&sheet=nothing"))
    assert [whole.count(f'class="{name}') for name in ("in-one-go", "sheet score-sheet", "table-card")] == [4, 2, 0]
    assert [chosen.count(f'class="{name}') for name in ("in-one-go", "sheet score-sheet", "table-card")] == [1, 0, 2]
    assert client.get(f"{path}?sheet=player-cards").content.decode().count("in-one-go") == 0


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("Bo Li", 14),
        ("Anna Kristensen", 11),
        ("Mette Ravn Sørensen", 10),
        ("Nicolai Kornerup-Bang", 10),
        ("Maximiliane-Charlotte Feddersen-Petersen", 7),
    ],
)
def test_the_name_on_a_badge_is_as_large_as_fits(name: str, least: int) -> None:
    """In type of ten millimetres a capital is seven millimetres high, and is read from two metres."""
    assert badge_size(name) >= least
