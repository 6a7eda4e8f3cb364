"""The pairings on a phone."""

import uuid

import pytest

from tests.desks import open_desk
from tests.processes import Site

pytestmark = pytest.mark.browser

NAME_LONG = """
from players.models import Player
from tournament.models import Event
for entry in Event.objects.get(pk={event}).entries.all():
    Player.objects.filter(pk=entry.player_id).update(name=f"Maximiliane-Charlotte Feddersen-Petersen {{entry.number}}")
"""


def test_whoever_goes_on_by_ruling_fits_on_a_phone_whatever_the_name(phone, live_site: Site) -> None:
    desk = open_desk(live_site, name=f"Long {uuid.uuid4().hex[:8]}", players=4)
    for match in desk.matches:
        desk.enter(live_site.url, match, key=uuid.uuid4().hex, final=(5, 3))
    stage = desk.get(live_site.url, f"events/{desk.event}/").body["stage"]
    (final,) = (fixture["match"] for fixture in stage["fixtures"] if fixture["state"] == "ready")
    desk.enter(live_site.url, final, key=uuid.uuid4().hex, final=(5, 3))
    correction = {"key": uuid.uuid4().hex, "base": 1, "final": [3, 5], "reason": "Swapped.", "repair": "stand"}
    assert desk.post(live_site.url, f"matches/{desk.matches[0]}/result/", correction).status == 201
    live_site.python(NAME_LONG.format(event=desk.event))
    phone.goto(desk.path)
    assert "advances by ruling" in phone.inner_text("#live")
    assert phone.evaluate("document.documentElement.scrollWidth") == 390
