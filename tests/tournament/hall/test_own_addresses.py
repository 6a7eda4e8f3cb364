"""Whole addresses that leave the site: none begins with a host that anybody can send."""

import re

import pytest
from django.http import HttpRequest
from django.test import Client, RequestFactory
from django.urls import reverse

from tests.builders import build_event
from tests.processes import ROOT
from tests.tournament.api.client import CheckedClient
from tournament.entries.links import link_of
from tournament.hall import machine
from tournament.hall.machine import is_own_host, site_on_lan
from tournament.hall.site import set_site_address, site_of, whole_address
from tournament.models import Event
from tournament.pictures.paper import draw_code

EVIL = "evil.example"
STREAM = re.compile(r'data-live-url="[^"]*"')
"""Where the page listens is at the host of the browser that asks, and nobody else gets it."""
OF_THE_HOST = {
    "config/security.py",  # the stream, see above
    "tournament/hall/site.py",
    "tournament/pages/answers.py",  # what a kept page depends on
    "tournament/pages/language.py",  # where the browser goes back to
}


@pytest.fixture
def laptop(settings, monkeypatch) -> None:
    """A laptop in a hall whose network has given it an address."""
    settings.ALLOWED_HOSTS, settings.HOST, settings.PORT = ["*"], "::", 8000
    monkeypatch.setattr(machine, "lan_address", lambda: "192.168.1.20")
    monkeypatch.setattr(machine, "_is_of_interface", lambda name: name in ("192.168.1.20", "10.42.0.1"))


@pytest.fixture
def event(director) -> Event:
    return build_event(director, players=4)


def asked(host: str) -> HttpRequest:
    return RequestFactory().get("/t/open/?page=2", headers={"host": host})


def pages(event: Event) -> list[str]:
    """Every page that has whole addresses on it."""
    own, whole = [event.tournament.slug, event.slug], [event.tournament.slug]
    prints = [f"{event.get_absolute_url()}print/{name}/" for name in ("cards", "score-sheets", "player-cards")]
    named = [reverse(name, args=own) for name in ("event", "standings", "event-feed", "story", "bracket")]
    named += [
        reverse(name, args=whole) for name in ("tournament", "tournament-feed", "calendar", "hall-screen", "roles")
    ]
    return [*prints, *named, f"{event.get_absolute_url()}entries/{event.entries.first().pk}/"]


@pytest.mark.usefixtures("laptop")
def test_no_page_has_a_host_that_anybody_can_send(as_director, event):
    for page in pages(event):
        answer = as_director.get(page, headers={"host": EVIL})
        assert answer.status_code == 200, page
        assert EVIL not in STREAM.sub("", answer.content.decode()), page
        headers = {name: value for name, value in answer.headers.items() if name != "Content-Security-Policy"}
        assert EVIL not in str(headers), page


@pytest.mark.usefixtures("laptop")
def test_no_answer_of_the_api_has_one(director, event):
    api = CheckedClient(headers={"host": EVIL})
    api.force_authenticate(director)
    listed = api.get("players/?limit=1").json()
    assert listed["next"].startswith("http://192.168.1.20:8000/api/v1/players/?")
    invited = api.post(f"tournaments/{event.tournament_id}/invitations/", {"role": "scorer"}, format="json").json()
    assert invited["link"].startswith("http://192.168.1.20:8000/invitations/")


@pytest.mark.usefixtures("laptop")
@pytest.mark.parametrize("host", [EVIL, "192.168.1.66:8000", "192.168.1.20:9999", "192.168.1.20:8000"])
def test_a_laptop_prints_codes_with_its_own_address_whatever_the_browser_says(as_director, event, host):
    text = as_director.get(f"{event.get_absolute_url()}print/player-cards/", headers={"host": host})
    expected = draw_code(f"http://192.168.1.20:8000{link_of(event.entries.first())}")
    assert expected in text.content.decode()


@pytest.mark.usefixtures("laptop")
def test_an_address_of_another_interface_is_its_own_too():
    assert site_of(asked("10.42.0.1:8000")) == "http://10.42.0.1:8000"


def test_hosts_that_the_settings_name_are_believed(settings):
    settings.ALLOWED_HOSTS = ["play.example.org", ".club.example"]
    assert site_of(asked("play.example.org")) == "http://play.example.org"
    assert site_of(asked("a.club.example:81")) == "http://a.club.example:81"
    assert EVIL not in site_of(asked(EVIL))


@pytest.mark.usefixtures("laptop")
def test_the_site_address_goes_before_that_of_the_network(settings):
    settings.SITE_ADDRESS = "https://play.example.org"
    assert site_of(asked(EVIL)) == "https://play.example.org"
    assert site_of(asked("192.168.1.20:8000")) == "http://192.168.1.20:8000"


def test_where_nothing_is_known_addresses_are_those_of_the_page(client, director, event, settings, monkeypatch):
    settings.ALLOWED_HOSTS, settings.HOST = ["*"], "127.0.0.1"
    assert site_of(asked(EVIL)) == ""
    assert whole_address(asked(EVIL), "/a/") == "/a/"
    assert whole_address(asked(EVIL), "b/?c=ø") == "/t/open/b/?c=%C3%B8"
    assert whole_address(asked(EVIL)) == "/t/open/?page=2"
    text = client.get(event.get_absolute_url(), headers={"host": EVIL}).content.decode()
    assert ("og:title" in text, "og:url" in text, "og:image" in text) == (True, False, False)
    monkeypatch.setattr(machine, "lan_address", lambda: None)
    settings.HOST = "::"
    assert site_on_lan("http") == ""


@pytest.mark.usefixtures("laptop")
def test_whole_addresses_are_those_that_django_makes_for_a_host_that_is_believed():
    request = asked("192.168.1.20:8000")
    for location in (None, "/a/", "b/", "?c=1", "//evil.example/a", "https://other.example/x?y=ø"):
        made, of_django = whole_address(request, location), request.build_absolute_uri(location)
        assert made == of_django


def test_this_machine_knows_its_own_addresses(settings):
    found = machine.lan_address()
    settings.PORT = 8000
    assert is_own_host("127.0.0.1", 1234)
    assert not is_own_host("192.0.2.1", 8000)
    assert not is_own_host("2001:db8::1", 8000)
    assert not is_own_host("evil.example", 8000)
    assert not is_own_host("", None)
    if found:
        assert is_own_host(found, 8000)
        assert not is_own_host(found, 8001)


@pytest.mark.usefixtures("laptop")
def test_the_tournament_s_own_address_goes_before_all(client, event):
    set_site_address(event.tournament, address="https://play.example.org", by=None, at=event.tournament.created_at)
    feed = client.get(reverse("event-feed", args=[event.tournament.slug, event.slug]), headers={"host": EVIL})
    assert b"https://play.example.org/t/" in feed.content


@pytest.mark.django_db
def test_one_place_decides_how_addresses_begin():
    """What asks a request for its host elsewhere would make addresses of whatever was sent."""
    asks = re.compile(r"get_host\(|get_host\b.*}}|_current_scheme_host|HTTP_HOST|get_raw_uri|_get_raw_host")
    sources = [path for room in ("config", "tournament", "players", "matches") for path in (ROOT / room).rglob("*.py")]
    found = {
        path.relative_to(ROOT).as_posix()
        for path in [*sources, *(ROOT / "templates").rglob("*.html")]
        if asks.search(path.read_text())
    }
    assert found - {"config/quick.py"} == OF_THE_HOST
    assert Client().get("/").wsgi_request.build_absolute_uri("/") == "http://testserver/"
