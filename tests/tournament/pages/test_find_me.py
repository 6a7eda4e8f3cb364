"""Find me: a name and the code on the badge lead to the private page; a table's code to the match there now."""

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from tests.builders import AT, build_event, fixture_of, open_matches, play_out
from tournament.draw.standings import store_standings
from tournament.entries.codes import code_of
from tournament.entries.links import link_of
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries
from tournament.events.services import finish_event
from tournament.hall.calling import call_match
from tournament.hall.tables import add_tables
from tournament.models import Event
from tournament.pictures.paper import SHEETS, draw_code
from tournament.snapshot import take_snapshot

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def unthrottled():
    cache.clear()


@pytest.fixture
def event(director) -> Event:
    return build_event(director, players=4)


def find(event: Event, entry, code: str, client: Client | None = None):
    address = reverse("find-me", args=[event.tournament.slug, event.slug])
    return (client or Client()).post(address, {"entry": entry.pk, "code": code})


def test_the_code_on_the_badge_leads_to_the_own_page(event):
    entry = event.entries.first()
    answer = find(event, entry, code_of(entry).lower())
    assert (answer.status_code, answer.url) == (302, link_of(entry))


def test_names_stand_where_readers_look_for_them(director):
    event = build_event(director, players=0, drawn=False)
    lines = [EntryLine(name=name, line=line) for line, name in enumerate(("Zoe", "Åse", "Bo"), start=1)]
    add_entries(event, lines=lines, by=director, at=AT)
    address = reverse("find-me", args=[event.tournament.slug, event.slug])
    for language, names in (("da", ["Bo", "Zoe", "Åse"]), ("en", ["Åse", "Bo", "Zoe"])):
        page = Client().get(address, headers={"accept-language": language}).content.decode()
        assert sorted(names, key=lambda name: page.index(f">{name}<")) == names


def test_a_wrong_code_and_a_wrong_name_are_answered_alike(event):
    first, second = event.entries.all()[:2]
    answers = [find(event, first, code) for code in ("222222", code_of(second))]
    assert [answer.status_code for answer in answers] == [400, 400]
    assert all("do not belong together" in answer.content.decode() for answer in answers)
    assert code_of(first) not in answers[0].content.decode()


def test_guessing_is_stopped_for_a_name_from_all_addresses_together(event):
    entry, other = event.entries.all()[:2]
    for number in range(10):
        client = Client(REMOTE_ADDR=f"10.0.0.{number}")
        assert find(event, entry, "222222", client).status_code == 400
    assert find(event, entry, code_of(entry), Client(REMOTE_ADDR="10.0.1.1")).status_code == 429
    assert find(event, other, code_of(other), Client(REMOTE_ADDR="10.0.1.1")).status_code == 302


def test_a_table_shows_the_match_called_there_now_and_asks_who_reads(event):
    add_tables(event.tournament, first=7, last=8, by=None, at=AT)
    fixture = fixture_of(event, "M1-1")
    call_match(fixture.match, table=7, by=None, at=AT)
    here = Client().get(reverse("table-here", args=[event.tournament.slug, 7])).content.decode()
    for entry in (fixture.entry_a, fixture.entry_b):
        assert f'data-entry="{entry.pk}"' in here
        assert link_of(entry) not in here
    empty = Client().get(reverse("table-here", args=[event.tournament.slug, 8])).content.decode()
    assert "No match has been called to this table" in empty


def test_codes_are_printed_only_for_those_who_change_entries(event, as_director):
    address = reverse("sheet", args=[event.tournament.slug, event.slug, "badges-with-codes"])
    assert Client().get(address).status_code == 403
    code = code_of(event.entries.first())
    assert f"{code[:3]}-{code[3:]}" in as_director.get(address).content.decode()


def test_the_poster_and_the_codes_of_tables_are_for_everybody(event):
    add_tables(event.tournament, first=1, last=2, by=None, at=AT)
    for slug, text in (("poster", "Your own page on your phone"), ("table-codes", "Table 2")):
        page = Client().get(reverse("sheet", args=[event.tournament.slug, event.slug, slug]))
        assert text in page.content.decode()


def test_visitors_are_led_to_their_own_page_while_the_event_lasts(event, director, as_director):
    tournament, address = event.tournament, reverse("find-me", args=[event.tournament.slug, event.slug])
    shown = [reverse("tournament", args=[tournament.slug]), open_matches(event)[0].get_absolute_url()]
    shown += [reverse(name, args=[tournament.slug, event.slug]) for name in ("event", "entries", "standings", "story")]
    for page in shown:
        assert address in Client().get(page).content.decode(), page
        assert address not in as_director.get(page).content.decode(), page
    play_out(event)
    store_standings(event.pk)
    finish_event(event, by=director, at=AT)
    for page in shown:
        assert address not in Client().get(page).content.decode(), page


def test_the_tournament_asks_in_which_event_a_visitor_plays(event, director):
    other = build_event(director, players=2, tournament=event.tournament, name="Jackpot")
    page = Client().get(reverse("tournament", args=[event.tournament.slug])).content.decode()
    for one in (event, other):
        assert f'href="{reverse("find-me", args=[event.tournament.slug, one.slug])}">{one.name}</a>' in page


def test_a_name_that_was_found_is_chosen(event):
    address = reverse("find-me", args=[event.tournament.slug, event.slug])
    entry = event.entries.all()[2]
    chosen = f'<option value="{entry.pk}" selected>'
    assert chosen in Client().get(address, {"name": entry.name}).content.decode()
    assert "selected>–" in Client().get(address, {"name": "Nobody"}).content.decode()


def test_a_badge_has_a_code_to_scan_where_the_address_of_the_site_is_known(event, as_director):
    entry = event.entries.first()
    address = reverse("find-me", args=[event.tournament.slug, event.slug])
    drawn = {
        badge.picture
        for badge in SHEETS["badges-with-codes"].content(take_snapshot(event.pk), "https://x.example")["badges"]
    }
    assert len(drawn) == 4
    assert draw_code(f"https://x.example{address}?entry={entry.pk}") in drawn
    unknown = SHEETS["badges-with-codes"].content(take_snapshot(event.pk), "")["badges"]
    assert {badge.picture for badge in unknown} == {""}
