"""The tables of an event in several stages: each has the rows of all of them, and says of which each one is."""

import csv
import io

import pytest
from django.test import Client
from django.urls import reverse

from tests.builders import AT, build_event, play_out
from tests.tournament.api.client import CheckedClient
from tests.tournament.money.test_ledger import give_money
from tournament.draw.make import make_draw
from tournament.draw.standings import store_standings
from tournament.events.stages import add_stage
from tournament.exports.tables import PUBLIC_EXPORTS, Subject, make_table
from tournament.models import Event
from tournament.prizes import PayoutPlan

pytestmark = pytest.mark.django_db

OF_STAGES = ("standings", "results", "pairings", "schedule")


@pytest.fixture
def event(director) -> Event:
    """A round robin of four, and the final of its best two; all played, and paid for."""
    event = build_event(director, players=4, format="round-robin")
    give_money(event, payouts=PayoutPlan())
    add_stage(event, format="single-elimination", options={"lengths": [7]}, qualifiers=2, by=director, at=AT)
    play_out(event)
    store_standings(event.pk)
    make_draw(event, by=director, at=AT)
    play_out(event)
    store_standings(event.pk)
    return Event.objects.get(pk=event.pk)


def stages_of(name: str, event: Event) -> list[object]:
    table = make_table(name, Subject(event=event))
    return [row[table.columns.index("stage")] for row in table.rows]


def test_a_table_has_the_rows_of_every_stage_and_says_of_which(event):
    assert stages_of("standings", event) == [2, 2, 1, 1, 1, 1]
    for name in ("results", "pairings", "schedule"):
        assert stages_of(name, event) == [1, 1, 1, 1, 1, 1, 2]


def test_a_stage_that_is_not_drawn_yet_has_no_rows(director, event):
    add_stage(event, format="single-elimination", options={"lengths": [9]}, qualifiers=2, by=director, at=AT)
    for name in OF_STAGES:
        if name != "standings":
            assert set(stages_of(name, event)) == {1, 2}


def test_fee_and_prize_of_an_entry_stand_once(event):
    table = make_table("standings", Subject(event=event))
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    paid = [(row["player_name"], row["entry_fee"], row["prize"]) for row in rows if row["entry_fee"] is not None]
    assert sorted(name for name, _fee, _prize in paid) == sorted({row["player_name"] for row in rows})
    assert sum(fee for _name, fee, _prize in paid) == sum(prize for _name, _fee, prize in paid) == 200
    assert [row["stage"] for row in rows if row["prize"]] == [2]


@pytest.mark.parametrize("name", OF_STAGES)
def test_the_files_of_the_pages_and_the_tables_of_the_api_have_all_stages(event, name):
    assert name in PUBLIC_EXPORTS
    place = [event.tournament.slug, event.slug]
    file = Client().get(reverse("download", args=[*place, name, "csv"]))
    rows = list(csv.DictReader(io.StringIO(file.content.decode(), newline="")))
    assert {row["stage"] for row in rows} == {"1", "2"}
    told = CheckedClient().get(f"/api/v1/events/{event.pk}/tables/{name}/").json()["rows"]
    assert [str(row["stage"]) for row in told] == [row["stage"] for row in rows]
