"""Printed sheets: each one printed to PDF by Chromium, checked by its number of pages, their size and their text."""

import io

import pytest
from playwright.sync_api import Page
from pypdf import PdfReader

from tests.desks import open_desk
from tests.processes import Site
from tournament.pages.tags.paper import badge_size
from tournament.pictures.paper import SHEETS

pytestmark = pytest.mark.browser

MILLIMETRES = 25.4 / 72
A4, A3_LANDSCAPE = (210, 297), (420, 297)


def printed(page: Page, path: str) -> PdfReader:
    assert page.goto(path).status == 200
    return PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True, print_background=True)))


def sizes(pdf: PdfReader) -> set[tuple[int, int]]:
    return {(round(p.mediabox.width * MILLIMETRES), round(p.mediabox.height * MILLIMETRES)) for p in pdf.pages}


def text(pdf: PdfReader) -> str:
    return " ".join(page.extract_text() for page in pdf.pages)


@pytest.fixture(scope="module")
def field_of_40(live_site: Site) -> str:
    return open_desk(live_site, name="Paper", players=40).path


@pytest.mark.parametrize(
    ("slug", "size", "pages"),
    [
        ("pairings", A4, 1),
        ("bracket", A3_LANDSCAPE, 3),
        ("cards", A4, 2),
        ("pairings-by-name", A4, 2),
        ("standings", A4, 1),
        ("score-sheets", A4, 8),
        ("players", A4, 2),
        ("badges", A4, 4),
        ("poster", A4, 1),
        ("table-codes", A4, 1),
    ],
)
def test_sheet_comes_out_on_its_paper(
    page: Page, field_of_40: str, slug: str, size: tuple[int, int], pages: int
) -> None:
    pdf = printed(page, f"{field_of_40}print/{slug}/")
    assert (sizes(pdf), len(pdf.pages)) == ({size}, pages)
    words = text(pdf)
    assert [word for word in ("Sign in", "Printable sheets") if word in words] == []


def test_all_sheets_are_tried() -> None:
    public = {slug for slug, sheet in SHEETS.items() if not sheet.action}
    assert public == {
        "pairings",
        "bracket",
        "cards",
        "score-sheets",
        "players",
        "badges",
        "pairings-by-name",
        "standings",
        "poster",
        "table-codes",
    }


def test_every_player_is_on_the_wall_list_and_has_a_badge(page: Page, field_of_40: str) -> None:
    for slug in ("bracket", "players", "badges"):
        words = text(printed(page, f"{field_of_40}print/{slug}/")).replace("\n", " ")
        assert [number for number in range(1, 41) if f"Player {number}" not in words] == []


def test_no_name_leaves_its_badge(page: Page, field_of_40: str, live_site: Site) -> None:
    page.goto(f"{field_of_40}print/badges/")
    page.emulate_media(media="print")
    too_large = """names => names.filter(name => {
        const who = document.querySelector(".name-badge .who");
        who.textContent = name[0];
        who.className = `who is-${name[1]}`;
        const badge = who.closest(".name-badge");
        return badge.scrollHeight > badge.clientHeight || who.scrollWidth > who.clientWidth;
    })"""
    names = ["Bo Li", "Mette Ravn Sørensen", "Wim Maximilian WWMM", "Maximiliane-Charlotte Feddersen-Petersen"]
    assert page.evaluate(too_large, [[name, badge_size(name)] for name in names]) == []


def test_everything_for_a_round_comes_in_one_go(page: Page, field_of_40: str) -> None:
    """Two sheets of names, one of pairings, two score sheets on each of eight, and the standings."""
    pdf = printed(page, f"{field_of_40}print/round/")
    assert (sizes(pdf), len(pdf.pages)) == ({A4}, 12)
