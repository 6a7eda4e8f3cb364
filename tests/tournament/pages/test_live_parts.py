"""The live parts of an event's pages: made once for everybody, and sent again only when something there has changed."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Event as Signal

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from rules.score import Side
from tests.builders import AT, build_director, build_event, open_matches, win
from tournament.draw.standings import store_standings
from tournament.hall.calling import call_match
from tournament.hall.tables import add_tables
from tournament.models import Event
from tournament.pages.following import page_of
from tournament.snapshot import EventSnapshot


def address(event: Event, name: str) -> str:
    return reverse(name, args=[event.tournament.slug, event.slug])


def test_live_part_that_has_not_changed_is_not_sent_again(client, director):
    event = build_event(director, players=4)
    path = address(event, "pairings") + "?fragment"
    first = client.get(path)
    again = client.get(path, headers={"If-None-Match": first["ETag"]})
    win(open_matches(event)[0], Side.A)
    changed = client.get(path, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content, changed.status_code) == (304, b"", 200)
    danish = client.get(path, headers={"If-None-Match": changed["ETag"], "Accept-Language": "da"})
    assert danish.status_code == 200


@pytest.mark.parametrize("page", ["pairings", "bracket", "screen", "standings", "history", "prizes"])
def test_the_draw_is_not_read_to_say_that_nothing_has_changed(client, director, page):
    path = address(build_event(director, players=4), page) + "?fragment"
    etag = client.get(path)["ETag"]
    with CaptureQueriesContext(connection) as queries:
        assert client.get(path, headers={"If-None-Match": etag}).status_code == 304
    assert [query["sql"] for query in queries if "tournament_fixture" in query["sql"]] == []


@pytest.mark.parametrize("page", ["pairings", "bracket", "screen", "standings", "history"])
def test_a_page_that_many_phones_ask_for_is_rendered_once(client, director, page):
    event = build_event(director, players=4)
    path = address(event, page) + "?fragment"
    first = client.get(path)
    with CaptureQueriesContext(connection) as queries:
        second = Client().get(path)
    assert (second.content, second["ETag"]) == (first.content, first["ETag"])
    assert [query["sql"] for query in queries if "tournament_fixture" in query["sql"]] == []
    win(open_matches(event)[0], Side.A)
    changed, danish = Client().get(path), Client().get(path, headers={"Accept-Language": "da"})
    assert (changed["ETag"] != first["ETag"]) is (changed.content != first.content)
    assert changed.content != first.content or page == "standings"
    assert (danish["ETag"] != changed["ETag"]) is (danish.content != changed.content)
    assert danish.content != changed.content or page == "screen"


@pytest.mark.django_db(transaction=True)
def test_a_page_that_many_phones_ask_for_at_the_same_moment_is_rendered_once(rf):
    event = build_event(build_director(), players=4)
    made, both = [], Signal()

    def context(snapshot: EventSnapshot) -> dict[str, object]:
        made.append(snapshot.version)
        if len(made) == 2:
            both.set()
        both.wait(0.5)  # for what ought not to happen: that the other makes it too
        return {}

    def ask(_number: int) -> bytes:
        try:
            request = rf.get(address(event, "bracket") + "?fragment")
            return page_of(request, event, allowed=frozenset(), template="event/bracket", context=context).content
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(ask, range(2))
    assert (first, len(made)) == (second, 1)


def test_actions_of_a_director_are_on_nobody_elses_page(client, as_director, director):
    event = build_event(director, players=4)
    win(open_matches(event)[0], Side.A)
    path = address(event, "history") + "?fragment"
    for _each in range(2):
        assert b"csrfmiddlewaretoken" in as_director.get(path).content
        assert b"csrfmiddlewaretoken" not in client.get(path).content


def test_live_part_is_not_sent_again_through_a_proxy_that_compresses(client, director):
    path = address(build_event(director, players=4), "pairings") + "?fragment"
    weak = "W/" + client.get(path)["ETag"]
    assert client.get(path, headers={"If-None-Match": f'"other", {weak}'}).status_code == 304


@pytest.mark.parametrize("page", ["standings", "history"])
def test_a_page_that_shows_no_busy_player_changes_only_with_its_own_event(client, director, page):
    event = build_event(director, players=4)
    other = build_event(director, tournament=event.tournament, players=4)
    add_tables(event.tournament, first=1, last=2, by=director, at=AT)
    path = address(event, page) + "?fragment"
    before = client.get(path)["ETag"]
    call_match(open_matches(other)[0], by=director, at=AT)
    assert client.get(path, headers={"If-None-Match": before}).status_code == 304
    win(open_matches(other)[0], Side.A)
    assert client.get(path, headers={"If-None-Match": before}).status_code == 304
    win(open_matches(event)[1], Side.A)
    store_standings(event.pk)
    assert client.get(path, headers={"If-None-Match": before}).status_code == 200


def test_a_change_that_a_part_does_not_show_is_no_reason_to_send_it_again(client, director):
    """Stored standings raise a version a moment after a result; the pairings look as they did."""
    event = build_event(director, players=4)
    page = address(event, "pairings")
    win(open_matches(event)[0], Side.A)
    etags = {path: client.get(path)["ETag"] for path in (f"{page}?fragment",)}
    store_standings(event.pk)
    for path, etag in etags.items():
        assert client.get(path, headers={"If-None-Match": etag}).status_code == 304


@pytest.mark.parametrize("name", ["pairings", "bracket", "standings"])
def test_a_whole_page_is_not_sent_again_to_a_reader_without_an_account(client, director, name):
    event = build_event(director, players=4)
    page = address(event, name)
    first = client.get(page)
    again = client.get(page, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert set(first["Cache-Control"].split(", ")) == {"private", "no-cache"}
    assert "Cookie" in first["Vary"]
    win(open_matches(event)[0], Side.A)
    assert client.get(page, headers={"If-None-Match": first["ETag"]}).status_code == 200


def test_a_tag_does_not_tell_which_process_has_made_a_page():
    """A browser is answered by one process after another, and by new ones after a restart."""
    code = "from tournament.pages.kept import *; print(Part.of(f'a page {LIVE}{TOKEN}{KEY}'.encode()).tag)"
    tags = {subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout for _each in range(2)}
    assert len(tags) == 1


def test_no_answer_may_be_kept_for_other_readers(client, as_director, director):
    """A proxy keeps what nobody has forbidden it to keep."""
    event = build_event(director, players=4)
    names = ("pairings", "standings", "entries", "history")
    pages = [reverse("home"), reverse("login"), reverse("players"), reverse("desk", args=[event.tournament.slug])]
    for page in (*pages, *(address(event, name) for name in names), "/nothing/there/"):
        for reader in (client, as_director):
            assert "private" in reader.get(page)["Cache-Control"], page
    picture = address(event, "event-picture")
    first = client.get(picture)
    again = client.get(picture, headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 304
    assert first["Cache-Control"] == again["Cache-Control"]
    assert "public" in first["Cache-Control"]


def test_a_whole_page_with_its_readers_name_or_a_token_has_no_etag(client, as_director, director):
    event = build_event(director, players=4)
    shown = client.get(address(event, "pairings"))
    for page in (address(event, "pairings"), reverse("home"), reverse("desk", args=[event.tournament.slug])):
        answer = as_director.get(page, headers={"If-None-Match": shown["ETag"]})
        assert (answer.status_code, answer.has_header("ETag")) == (200, False)
        assert director.username in answer.content.decode()
    assert client.get(reverse("login")).has_header("ETag") is False
