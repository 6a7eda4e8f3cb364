"""A player's day as a calendar file: what it holds, and that its lines are those of RFC 5545."""

from datetime import UTC, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from tests.builders import AT, build_director, build_event, fixture_of
from tournament.entries.links import token_of
from tournament.hall.calling import call_match
from tournament.hall.tables import add_break, add_tables
from tournament.mine.calendar import LONGEST, Appointment, write_calendar


def unfolded(text: str) -> list[str]:
    return text.replace("\r\n ", "").split("\r\n")


def test_texts_are_escaped_and_lines_folded_between_characters():
    name = "Ødegård, Ærø; a \\ b\nnext " + "Å" * 80
    text = write_calendar("Day", [Appointment("match-1", name, AT, AT + timedelta(hours=1), "Club, 1st")], at=AT)
    assert text.endswith("END:VCALENDAR\r\n")
    assert all(len(line.encode()) <= LONGEST for line in text.split("\r\n"))
    (summary,) = [line for line in unfolded(text) if line.startswith("SUMMARY:")]
    assert summary == "SUMMARY:Ødegård\\, Ærø\\; a \\\\ b\\nnext " + "Å" * 80
    assert "LOCATION:Club\\, 1st" in unfolded(text)


def test_times_are_in_utc_and_a_day_is_a_date():
    day = AT.date()
    one = Appointment("deadline-1", "Play", day, day + timedelta(days=1))
    lines = unfolded(write_calendar("Day", [one], at=AT))
    assert f"DTSTART;VALUE=DATE:{day:%Y%m%d}" in lines
    assert f"DTSTAMP:{AT.astimezone(UTC):%Y%m%dT%H%M%SZ}" in lines


@pytest.mark.django_db
def test_the_own_day_has_the_called_match_with_its_table_and_the_breaks():
    event = build_event(build_director(), players=4, starts_at=AT)
    add_tables(event.tournament, first=7, last=7, by=None, at=AT)
    add_break(event.tournament, name="Supper", starts_at=AT, ends_at=AT + timedelta(hours=1), by=None, at=AT)
    fixture = fixture_of(event, "M1-1")
    call_match(fixture.match, by=None, at=AT)
    answer = Client().get(reverse("my-day", args=[token_of(fixture.entry_a)]))
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    lines = unfolded(answer.content.decode())
    assert f"SUMMARY:Match against {fixture.entry_b.name}" in lines
    assert {"LOCATION:Table 7", "SUMMARY:Supper", f"SUMMARY:{event.name} begins"} <= set(lines)
    other = fixture_of(event, "M1-2").entry_a
    assert "Match against" not in Client().get(reverse("my-day", args=[token_of(other)])).content.decode()
    assert Client().get(reverse("my-day", args=["1~no"])).status_code == 404
