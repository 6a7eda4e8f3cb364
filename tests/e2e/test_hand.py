"""A director changes a draw by hand on a phone: two taps, a reason, what changes, and one press."""

import uuid

import pytest
from django.urls import reverse

from tests.desks import open_desk
from tests.processes import Site

pytestmark = pytest.mark.browser


def test_two_seats_are_swapped_with_two_taps_on_a_phone_and_everybody_sees_it(phone, live_site: Site) -> None:
    desk = open_desk(live_site, name=f"Hand {uuid.uuid4().hex[:8]}", players=8)
    phone.goto(reverse("login"))
    phone.get_by_label("User name").fill("director")
    phone.get_by_label("Password").fill("long-enough-for-tests")
    phone.get_by_role("main").get_by_role("button", name="Sign in").click()
    phone.get_by_role("button", name="Sign out").wait_for(state="attached")
    phone.goto(desk.path)
    phone.click("text=Change the draw by hand")
    assert phone.evaluate("document.documentElement.scrollWidth") == 390
    boxes = phone.locator(".draw-seats .pick")
    assert min(box["height"] for box in (boxes.nth(number).bounding_box() for number in range(8))) >= 44
    first, third = boxes.nth(0).inner_text(), boxes.nth(2).inner_text()
    boxes.nth(0).tap()
    boxes.nth(2).tap()
    phone.fill("[name=reason]", "They came in one car.")
    phone.click("text=Show what changes")
    phone.wait_for_selector("text=What changes")
    assert phone.evaluate("document.documentElement.scrollWidth") == 390
    phone.click("button:has-text('Change the draw')")
    phone.wait_for_selector("text=by the director")
    stage = desk.get(live_site.url, f"events/{desk.event}/").body["stage"]
    changed = {fixture["key"]: fixture for fixture in stage["fixtures"] if fixture["is_by_hand"]}
    assert sorted(changed) == ["M1-1", "M1-2"]
    assert (changed["M1-1"]["a"]["label"], changed["M1-2"]["a"]["label"]) == (third.strip(), first.strip())
    assert phone.evaluate("document.documentElement.scrollWidth") == 390
