"""The tables of a hall and the breaks of its day, through services and pages."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from players.errors import Conflict, Refusal
from tests.builders import AT, build_director, build_event, fixture_of
from tournament.hall.calling import call_match
from tournament.hall.tables import add_break, add_tables, remove_break, update_table
from tournament.models import Break, Event, LogEntry, Table

pytestmark = pytest.mark.django_db

PLAIN = {"event": None, "streamed": False, "out_of_order": False}


@pytest.fixture
def event(director) -> Event:
    event = build_event(director, players=4)
    add_tables(event.tournament, first=1, last=4, by=director, at=AT)
    return event


def refused(action, *args, **said) -> str:
    """The code of the refusal; nothing is logged."""
    before = LogEntry.objects.count()
    with pytest.raises((Conflict, Refusal)) as refusal:
        action(*args, **said, by=None, at=AT)
    assert LogEntry.objects.count() == before
    return refusal.value.code


def hours(start: int, end: int) -> dict:
    return {"starts_at": AT + timedelta(hours=start), "ends_at": AT + timedelta(hours=end)}


def test_existing_tables_stay_as_they_are(event):
    update_table(event.tournament, number=2, **{**PLAIN, "streamed": True}, by=None, at=AT)
    assert [table.number for table in add_tables(event.tournament, first=2, last=6, by=None, at=AT)] == [5, 6]
    assert list(event.tournament.tables.values_list("number", "streamed")) == [
        *((1, False), (2, True), (3, False), (4, False), (5, False), (6, False)),
    ]


def test_a_change_of_a_table_is_logged_once_with_what_was_before(event):
    for _time in range(2):
        update_table(event.tournament, number=1, **{**PLAIN, "event": event}, by=None, at=AT)
    (row,) = LogEntry.objects.filter(verb="update_table")
    changes = {"event": [None, event.pk]}
    assert row.detail == {"table": 1, "changes": changes, "reserved": ["", event.name]}


def test_a_table_in_use_is_not_put_out_of_order_and_one_of_another_hall_not_reserved(event):
    call_match(fixture_of(event, "M1-1").match, by=None, at=AT)
    terms = {**PLAIN, "out_of_order": True}
    assert refused(update_table, event.tournament, number=1, **terms) == "table_taken"
    assert refused(update_table, event.tournament, number=9, **terms) == "table_unknown"
    elsewhere = build_event(build_director("elsewhere"), players=0, drawn=False)
    said = {**PLAIN, "event": elsewhere}
    assert refused(update_table, event.tournament, number=2, **said) == "event_of_another_tournament"


def test_breaks_do_not_overlap_but_may_touch(event):
    tournament = event.tournament
    add_break(tournament, name="Lunch", **hours(3, 4), by=None, at=AT)
    add_break(tournament, name="Coffee", **hours(4, 5), by=None, at=AT)
    assert refused(add_break, tournament, name="Long", **hours(2, 6)) == "breaks_overlap"
    assert refused(add_break, tournament, name="None", **hours(7, 7)) == "break_ends_before_it_starts"
    assert refused(add_break, tournament, name="Far", **hours(0, 24 * 365 * 300)) == "time_out_of_range"
    assert refused(add_break, tournament, name=" ", **hours(8, 9)) == "name_empty"
    assert [found.name for found in Break.objects.order_by("starts_at")] == ["Lunch", "Coffee"]


def test_a_break_that_is_removed_stands_in_the_log(event):
    added = add_break(event.tournament, name="Lunch", **hours(3, 4), by=None, at=AT)
    for _time in range(2):
        remove_break(event.tournament, break_id=added.pk, by=None, at=AT)
    (row,) = LogEntry.objects.filter(verb="remove_break")
    assert row.detail["name"] == "Lunch"
    assert not Break.objects.exists()


def test_a_director_sets_up_the_hall_on_its_page(as_director, event):
    slug = event.tournament.slug
    page = reverse("tables", args=[slug])
    assert as_director.post(page, {"first": 5, "last": 40}).status_code == 302
    assert Table.objects.count() == 40
    assert as_director.post(page, {"first": 5, "last": 1}).status_code == 400
    one = reverse("update-table", args=[slug, 7])
    as_director.post(one, {"event": event.pk, "out_of_order": "on"})
    table = Table.objects.get(number=7)
    assert (table.event, table.streamed, table.out_of_order) == (event, False, True)
    assert (
        "There is no table 77"
        in as_director.post(reverse("update-table", args=[slug, 77]), {}, follow=True).content.decode()
    )


def test_a_director_plans_breaks_on_the_page_of_the_day(as_director, event):
    slug = event.tournament.slug
    moments = {"starts_at": "2026-03-06T12:00", "ends_at": "2026-03-06T13:00"}
    assert as_director.post(reverse("add-break", args=[slug]), {"name": "Lunch", **moments}).status_code == 302
    again = as_director.post(reverse("add-break", args=[slug]), {"name": "Tea", **moments})
    assert (again.status_code, "overlaps another: Lunch" in again.content.decode()) == (400, True)
    (found,) = Break.objects.all()
    assert timezone.localtime(found.starts_at).hour == 12
    as_director.post(reverse("remove-break", args=[slug, found.pk]))
    assert not Break.objects.exists()


def test_everybody_reads_the_day_and_the_tables_of_matches_but_not_the_desk(event, client):
    call_match(fixture_of(event, "M1-1").match, by=None, at=AT)
    names = fixture_of(event, "M1-1").entry_a.name
    screen = client.get(reverse("hall-screen", args=[event.tournament.slug]))
    assert (screen.status_code, names in screen.content.decode()) == (200, True)
    assert client.get(reverse("day", args=[event.tournament.slug])).status_code == 200
    assert client.get(reverse("desk", args=[event.tournament.slug])).status_code == 302


def test_each_table_has_its_overlay_for_a_stream(event, as_director):
    slug = event.tournament.slug
    page = as_director.get(reverse("tables", args=[slug])).content.decode()
    assert all(f'href="{reverse("table-overlay", args=[slug, number])}"' in page for number in (1, 2, 3, 4))
