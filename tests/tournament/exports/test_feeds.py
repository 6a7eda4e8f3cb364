"""Feeds and calendars are read by other programs: well formed, in UTC, and with what everybody may read only."""

from datetime import UTC, date, datetime, timedelta
from xml.etree import ElementTree

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from rules.score import Side
from tests.builders import AT, build_event, open_matches, win
from tournament.events.deletion import delete_event, delete_tournament
from tournament.exports.ics import OCTETS, escape, folded
from tournament.hall.announcements import announce

ATOM = "{http://www.w3.org/2005/Atom}"


def feed_of(answer) -> ElementTree.Element:
    assert answer["Content-Type"].startswith("application/atom+xml")
    return ElementTree.fromstring(answer.content)  # noqa: S314 - our own


def titles(feed) -> list[str]:
    return [entry.findtext(f"{ATOM}title") for entry in feed.findall(f"{ATOM}entry")]


@pytest.mark.django_db
def test_a_feed_has_results_and_draws_the_newest_first(client, director):
    event = build_event(director, players=4)
    match = open_matches(event)[0]
    win(match, Side.A, loser_points=3, by=director)
    feed = feed_of(client.get(reverse("event-feed", args=[event.tournament.slug, event.slug])))
    found = titles(feed)
    assert str(match.side_a) in found[0]
    assert len(found) >= 2
    ids = [entry.findtext(f"{ATOM}id") for entry in feed.findall(f"{ATOM}entry")]
    assert len(set(ids)) == len(ids)
    assert feed.findtext(f"{ATOM}updated").startswith("2026-")


@pytest.mark.django_db
def test_no_other_site_has_the_ids_of_a_feed_and_they_stay(client, director, settings):
    event = build_event(director, players=4)

    def ids() -> set[str]:
        found = set()
        for name, names in (("event-feed", [event.slug]), ("tournament-feed", [])):
            feed = feed_of(client.get(reverse(name, args=[event.tournament.slug, *names])))
            found |= {one.text for one in feed.iter(f"{ATOM}id")}
        return found

    here = ids()
    made = event.tournament.created_at
    settings.ALLOWED_HOSTS = ["*"]
    client.defaults["HTTP_HOST"] = "other.example"
    assert ids() == here
    type(event.tournament).objects.update(created_at=made + timedelta(microseconds=1))
    assert not ids() & here


@pytest.mark.django_db
def test_a_feed_without_entries_was_updated_when_its_subject_was_made(client, director):
    event = build_event(director, players=0, drawn=False)
    event.log.all().delete()
    feed = feed_of(client.get(reverse("event-feed", args=[event.tournament.slug, event.slug])))
    assert datetime.fromisoformat(feed.findtext(f"{ATOM}updated")) == event.created_at.replace(microsecond=0)


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["\ufffe", "\x0b\x85", "]]>&<", "\u202eשלום 😀"])
def test_a_feed_is_well_formed_whatever_a_name_is(client, director, name):
    event = build_event(director, players=4)
    type(event.tournament).objects.update(name=f"Club {name}")
    assert feed_of(client.get(reverse("tournament-feed", args=[event.tournament.slug]))).findtext(f"{ATOM}title")


@pytest.mark.django_db
def test_a_feed_of_a_tournament_names_the_event_and_what_is_announced(client, director):
    event = build_event(director, players=4, name="A & <B>")
    win(open_matches(event)[0], Side.A, by=director)
    announce(event.tournament, text="Dinner is at eight.", by=director, at=AT)
    feed = feed_of(client.get(reverse("tournament-feed", args=[event.tournament.slug])))
    found = titles(feed)
    assert any(title.startswith("A & <B>: ") for title in found)
    assert any("Dinner is at eight." in title for title in found)
    assert not any("director" in title for title in found)


@pytest.mark.django_db
def test_a_feed_is_not_sent_again_until_something_happens(client, director):
    event = build_event(director, players=4)
    page = reverse("tournament-feed", args=[event.tournament.slug])
    etag = client.get(page)["ETag"]
    assert client.get(page, headers={"if-none-match": etag}).status_code == 304
    win(open_matches(event)[0], Side.A, by=director)
    assert client.get(page, headers={"if-none-match": etag}).status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize("players", [4, 64])
def test_a_feed_takes_the_same_queries_whatever_happened(client, director, players):
    event = build_event(director, players=players)
    for match in open_matches(event):
        win(match, Side.A, by=director)
    with CaptureQueriesContext(connection) as queries:
        client.get(reverse("tournament-feed", args=[event.tournament.slug]))
    assert len(queries) <= 6


@pytest.mark.django_db
def test_what_is_deleted_has_no_feed(client, director):
    event = build_event(director, players=4)
    tournament = event.tournament
    delete_event(event, typed=event.name, by=director, at=AT)
    assert client.get(reverse("event-feed", args=[tournament.slug, event.slug])).status_code == 404
    delete_tournament(tournament, typed=tournament.name, by=director, at=AT)
    for name in ("tournament-feed", "calendar", "tournament-picture"):
        assert client.get(reverse(name, args=[tournament.slug])).status_code == 404


@pytest.mark.django_db
def test_a_calendar_has_the_days_and_the_starts_in_utc(client, director):
    event = build_event(director, players=4, drawn=False, starts_at=datetime(2026, 3, 6, 20, tzinfo=UTC))
    tournament = event.tournament
    tournament.place, tournament.ends_on = "Hotel Nord; Saal 1, Berlin", date(2026, 3, 8)
    tournament.save()
    build_event(director, players=0, drawn=False, tournament=tournament, name="Without a start")
    answer = client.get(reverse("calendar", args=[tournament.slug]))
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    text = answer.content.decode().replace("\r\n ", "")
    lines = text.split("\r\n")
    assert lines[0] == "BEGIN:VCALENDAR"
    assert lines[-2:] == ["END:VCALENDAR", ""]
    assert [line for line in lines if line.startswith("DT") and "STAMP" not in line] == [
        "DTSTART;VALUE=DATE:20260306",
        "DTEND;VALUE=DATE:20260309",
        "DTSTART:20260306T200000Z",
    ]
    assert lines.count("LOCATION:Hotel Nord\\; Saal 1\\, Berlin") == 2
    assert f"SUMMARY:{tournament.name}: {event.name}" in lines


@pytest.mark.django_db
def test_no_other_site_has_the_ids_of_a_calendar_and_they_stay(client, director):
    event = build_event(director, players=4, drawn=False, starts_at=datetime(2026, 3, 6, 20, tzinfo=UTC))
    tournament = event.tournament

    def ids() -> list[str]:
        lines = client.get(reverse("calendar", args=[tournament.slug])).content.decode().replace("\r\n ", "")
        return [line for line in lines.split("\r\n") if line.startswith("UID:")]

    here = ids()
    assert len(set(here)) == 2
    tournament.name, event.starts_at = "Another name", None
    tournament.save()
    assert ids() == here
    tournament.created_at += timedelta(microseconds=1)
    tournament.save()
    assert not set(ids()) & set(here)


@given(st.text(max_size=300))
def test_a_folded_line_is_the_same_once_it_is_unfolded(text):
    line = f"SUMMARY:{escape(text)}"
    written = folded(line)
    pieces = written.removesuffix(b"\r\n").split(b"\r\n")
    assert all(len(piece) <= OCTETS for piece in pieces)
    assert written.removesuffix(b"\r\n").replace(b"\r\n ", b"").decode() == line
    for piece in pieces:
        piece.decode()
