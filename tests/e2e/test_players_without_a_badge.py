"""A phone without a code asks the desk; after a yes its page opens by itself, with the matches of those it follows."""

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

DRAWN = """
from tests.builders import build_director, build_event
event = build_event(build_director("{director}-asked"), players=4)
print(event.get_absolute_url())
"""
YES = """
from django.utils import timezone
from tournament.entries.page_requests import answer_page_request
from tournament.models import PageRequest
request = PageRequest.objects.latest("pk")
answer_page_request(request, yes=True, by=None, at=timezone.now())
print(request.number)
"""


def test_a_phone_without_a_code_opens_its_page_when_the_desk_says_yes(director, phone: Page, live_site):
    home = live_site.python(DRAWN.format(director=director)).strip()
    phone.goto(f"{home}me/")
    # The other tests of this site have their own players, some of the same names.
    _none, _first, followed_name, own_name, _last = phone.get_by_label("Your name").locator("option").all_inner_texts()
    phone.get_by_label("Your name").select_option(label=own_name)
    phone.get_by_role("button", name="No badge: ask the director").click()
    expect(phone.get_by_role("heading", level=1)).to_have_text(own_name)
    number = phone.locator(".asked-number").inner_text()
    phone.evaluate("name => localStorage.setItem('sixprime.follows', JSON.stringify([name]))", followed_name)
    assert live_site.python(YES).strip() == number
    phone.wait_for_url("**/e/**")
    followed = phone.get_by_role("region", name="Players you follow").get_by_role("listitem")
    expect(followed).to_have_count(1)
    expect(followed).to_contain_text(followed_name)
