"""The draw on a projector moves through its parts by itself, and stands still for viewers who want that."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

SECONDS = 15


@pytest.fixture(scope="session")
def address(live_site) -> str:
    """The address where a bracket of 64 is shown in four parts."""
    live_site.python(
        "from django.utils import timezone; from players.models import User; "
        "from tournament.management.demo.scenes import Scene, Until, build_demo; "
        "from tournament.hall.calling import call_ready; from tournament.hall.tables import add_tables; "
        "scene = Scene('Large', 'single-elimination', 64, (5,), Until('draw')); "
        "by = User.objects.create_user('screen'); now = timezone.now(); "
        "hall = build_demo(scene, name='On a beamer', by=by, seed=1, now=now); "
        "add_tables(hall, first=1, last=20, by=by, at=now); call_ready(hall, by=by, at=now)"
    )
    return "/t/on-a-beamer/large/screen/"


def shown(page) -> list[str]:
    return page.evaluate("[...document.querySelectorAll('.part')].filter((part) => !part.hidden).map(({ id }) => id)")


def test_the_next_part_comes_by_itself_and_the_first_after_the_last(page, address):
    page.clock.install()
    page.goto(address)
    seen = []
    for _turn in range(5):
        seen += shown(page)
        page.clock.run_for(SECONDS * 1000)
    assert seen == ["part-1", "part-2", "part-3", "part-4", "part-1"]


def test_the_screen_pauses_when_told_to_and_is_moved_by_hand(page, address):
    page.clock.install()
    page.goto(address)
    page.get_by_role("button", name="Pause").click()
    page.clock.run_for(2 * SECONDS * 1000)
    assert shown(page) == ["part-1"]
    page.get_by_role("link", name="3", exact=True).click()
    assert shown(page) == ["part-3"]
    page.keyboard.press("ArrowLeft")
    assert shown(page) == ["part-2"]
    expect(page.locator(".parts [aria-current]")).to_have_text("2")


def test_the_screen_stands_still_for_viewers_who_prefer_reduced_motion(open_page, address):
    page = open_page(reduced_motion="reduce")
    page.clock.install()
    page.goto(address)
    page.clock.run_for(2 * SECONDS * 1000)
    assert shown(page) == ["part-1"]
    page.get_by_role("button", name="Pause").click()
    page.clock.run_for(SECONDS * 1000)
    assert shown(page) == ["part-2"]


def test_every_part_is_a_link_away_without_scripts(open_page, address):
    page = open_page(java_script_enabled=False)
    page.goto(address)
    page.get_by_role("link", name="4", exact=True).click()
    expect(page.locator("#part-4 h2")).to_be_in_viewport()
    expect(page.locator("#part-4 .match").last).to_be_in_viewport()


def test_a_hall_that_does_not_fit_moves_through_its_parts_too(page, address):
    page.clock.install()
    page.goto("/t/on-a-beamer/screen/")
    assert shown(page) == ["part-1"]
    expect(page.locator("#part-1 li:visible")).to_have_count(18)
    page.clock.run_for(SECONDS * 1000)
    assert shown(page) == ["part-2"]


def test_a_hall_that_fits_stands_whole(page, live_site):
    live_site.python(
        "from django.utils import timezone; from players.models import User; "
        "from tournament.management.demo.scenes import Scene, Until, build_demo; "
        "from tournament.hall.calling import call_ready; from tournament.hall.tables import add_tables; "
        "scene = Scene('Small', 'single-elimination', 8, (5,), Until('draw')); "
        "by = User.objects.create_user('small'); now = timezone.now(); "
        "hall = build_demo(scene, name='A small hall', by=by, seed=1, now=now); "
        "add_tables(hall, first=1, last=2, by=by, at=now); call_ready(hall, by=by, at=now)"
    )
    page.goto("/t/a-small-hall/screen/")
    expect(page.locator("#part-2")).to_be_in_viewport(ratio=1)
    assert shown(page) == ["part-1", "part-2"]
    expect(page.get_by_role("button", name="Pause")).to_be_hidden()
