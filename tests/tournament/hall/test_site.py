"""The site address, with which QR codes begin, and the codes that are not printed without it."""

import pytest
from django.test import Client

from players.errors import Refusal
from players.models import User
from tests.builders import AT, build_director, build_event
from tests.tournament.api.client import CheckedClient
from tournament.entries.links import link_of
from tournament.hall.addresses import is_local, read_site_address
from tournament.hall.site import set_site_address
from tournament.log.words import tell
from tournament.models import Event
from tournament.pictures.paper import draw_code

SENTENCE = "No QR codes: phones cannot open this computer's own address."
LOCAL = ["localhost:8000", "127.0.0.1:8000", "127.1", "[::1]:8000", "0.0.0.0:8000", "[::]", "club.localhost"]


@pytest.fixture(autouse=True)
def _laptop(settings) -> None:
    """The hosts that people type are not named in the settings of a laptop."""
    settings.ALLOWED_HOSTS = ["*"]


@pytest.fixture
def director(db) -> User:
    return build_director()


@pytest.fixture
def event(director: User) -> Event:
    return build_event(director, players=4)


@pytest.fixture
def desk(client: Client, director: User) -> Client:
    client.force_login(director)
    return client


def page(client: Client, event: Event, path: str, host: str = "localhost:8000", status: int = 200) -> str:
    answer = client.get(f"{event.get_absolute_url()}{path}", headers={"host": host})
    assert answer.status_code == status
    return answer.content.decode()


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("", ""),
        ("  ", ""),
        ("https://play.example.org", "https://play.example.org"),
        (" HTTP://192.168.1.20:8000/ ", "http://192.168.1.20:8000"),
        ("http://[fd00:0::1]:80", "http://[fd00::1]:80"),
        ("https://bär.example", "https://xn--br-via.example"),
    ],
)
def test_an_address_is_written_in_one_way(typed: str, read: str) -> None:
    assert read_site_address(typed) == read


@pytest.mark.parametrize(
    "typed",
    [
        *("play.example.org", "ftp://play.example.org", "http://", "//play.example.org", "javascript:alert(1)"),
        *("http://a/b", "http://a?b", "http://a?", "http://a#b", "http://me:secret@a", "http://a:99999", "http://a:0"),
        *("http://[::1", "http://a b", "http://-a", "https://a..b", "http://" + "a" * 300, "http://[fe80::1%25x]"),
        "http://\ud800.example",
    ],
)
def test_other_text_is_no_address(event: Event, typed: str) -> None:
    with pytest.raises(Refusal) as refused:
        set_site_address(event.tournament, address=typed, by=None, at=AT)
    assert refused.value.code == "site_address_invalid"


@pytest.mark.parametrize("host", [*LOCAL, "2130706433", "[::ffff:127.0.0.1]", "localhost."])
def test_an_address_that_leads_each_device_to_itself_is_local(host: str) -> None:
    assert is_local(f"http://{host}")


@pytest.mark.parametrize("address", ["", "http://192.168.1.20", "https://play.example.org", "http://[fd00::1]"])
def test_other_addresses_are_not_local(address: str) -> None:
    assert not is_local(address)


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1:8000", "[::1]:8000", "0.0.0.0:8000"])
@pytest.mark.parametrize("path", ["print/cards/", "print/score-sheets/", "print/player-cards/", "entries/{}/"])
def test_no_code_is_printed_for_a_loopback_address(desk: Client, event: Event, path: str, host: str) -> None:
    text = page(desk, event, path.format(event.entries.first().pk), host)
    assert ('class="code"' in text, text.count(SENTENCE)) == (False, 1)
    assert f"/t/{event.tournament.slug}/tables/#site" in text


@pytest.mark.parametrize("path", ["print/cards/", "print/score-sheets/", "print/player-cards/", "entries/{}/"])
def test_codes_have_the_site_address_whatever_the_browser_asked_for(desk: Client, event: Event, path: str) -> None:
    set_site_address(event.tournament, address="https://play.example.org", by=None, at=AT)
    entry, match = event.entries.first(), event.stages.get().fixtures.get(key="M1-1").match_id
    link = link_of(entry) if "player" in path or "entries" in path else f"/matches/{match}/"
    text = page(desk, event, path.format(entry.pk))
    assert draw_code(f"https://play.example.org{link}") in text
    assert SENTENCE not in text


def test_without_a_site_address_codes_have_that_of_the_browser(desk: Client, event: Event, settings) -> None:
    settings.ALLOWED_HOSTS = ["192.168.1.20"]
    entry = event.entries.first()
    text = page(desk, event, "print/player-cards/", "192.168.1.20:8000")
    assert draw_code(f"http://192.168.1.20:8000{link_of(entry)}") in text


def test_the_environment_gives_the_default(desk: Client, event: Event, settings) -> None:
    settings.SITE_ADDRESS = "https://all.example.org"
    entry = event.entries.first()
    assert draw_code(f"https://all.example.org{link_of(entry)}") in page(desk, event, "print/player-cards/")
    set_site_address(event.tournament, address="https://own.example.org", by=None, at=AT)
    assert draw_code(f"https://own.example.org{link_of(entry)}") in page(desk, event, "print/player-cards/")


def test_the_page_of_the_tables_asks_for_the_address_and_keeps_what_was_typed(desk: Client, event: Event) -> None:
    address = f"/t/{event.tournament.slug}/tables/"
    refused = desk.post(f"{address}site/", {"address": "play.example.org"})
    assert refused.status_code == 400
    assert 'value="play.example.org"' in refused.content.decode()
    assert "Write the site address as https://play.example.org" in refused.content.decode()
    saved = desk.post(f"{address}site/", {"address": "https://play.example.org/"})
    assert saved.url == f"{address}#site"
    assert 'value="https://play.example.org"' in desk.get(address).content.decode()
    row = event.tournament.log.first()
    assert (row.verb, tell(row)) == ("set_site_address", "Site address: https://play.example.org")
    rows = event.tournament.log.count()
    desk.post(f"{address}site/", {"address": "https://play.example.org"})
    assert event.tournament.log.count() == rows
    desk.post(f"{address}site/", {"address": ""})
    assert tell(event.tournament.log.first()) == "Site address removed"


def test_an_address_that_phones_cannot_open_is_refused(event: Event) -> None:
    with pytest.raises(Refusal) as refused:
        set_site_address(event.tournament, address="http://localhost:8000", by=None, at=AT)
    assert refused.value.code == "site_address_local"


def test_invitations_lead_to_the_site_address(desk: Client, event: Event) -> None:
    set_site_address(event.tournament, address="https://play.example.org", by=None, at=AT)
    made = desk.post(f"/t/{event.tournament.slug}/roles/", {"role": "reader", "days": 7})
    assert "https://play.example.org/invitations/" in made.content.decode()


def test_the_api_reads_and_sets_the_address(director: User, event: Event) -> None:
    api = CheckedClient()
    api.force_authenticate(director)
    path = f"tournaments/{event.tournament_id}/site-address/"
    assert api.get(path).json() == {"site_address": ""}
    assert api.put(path, {"site_address": "http://10.0.0.4:8000/"}).json() == {"site_address": "http://10.0.0.4:8000"}
    for wrong, code in (("http://10.0.0.4/x", "site_address_invalid"), ("http://[::1]", "site_address_local")):
        answer = api.put(path, {"site_address": wrong})
        assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert api.get(path).json() == {"site_address": "http://10.0.0.4:8000"}
    made = api.post(f"tournaments/{event.tournament_id}/invitations/", {"role": "reader"}).json()
    assert made["link"].startswith("http://10.0.0.4:8000/invitations/")
