"""Whole lists of entries through the API: imported, seeded, removed, checked in at once; departures previewed."""

import pytest

from tests.builders import AT, build_event, fixture_of
from tests.tournament.entries.workbooks import workbook
from tournament.api.parsing import XLSXParser
from tournament.draw.make import make_draw
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries, seed_entry
from tournament.jobs.services import run_job
from tournament.models import Job

WHO = {"by": None, "at": AT}


@pytest.fixture
def event(director):
    return build_event(director, players=4, drawn=False)


@pytest.fixture
def address(event) -> str:
    return f"events/{event.pk}/entries/"


def code(response) -> tuple[int, str]:
    return response.status_code, response.json()["code"]


ROWS = [["Navn", "Klub", "Seedning"], ["Anna", "Odense", 1], ["Player 1", "", ""], ["?!", "", ""]]


@pytest.mark.parametrize("media_type", [XLSXParser.media_type, "text/csv"])
def test_file_is_previewed_and_then_imported(api, event, address, media_type):
    text = "\n".join(";".join(map(str, row)) for row in ROWS).encode()
    data = workbook(ROWS) if media_type == XLSXParser.media_type else text
    shown = api.post(f"{address}import/", data, content_type=media_type)
    assert shown.status_code == 200
    known = event.entries.get(number=1)
    assert known.player.name == "Player 1"
    assert [(row["line"], row["name"], row["outcome"], row["code"]) for row in shown.json()["rows"]] == [
        (2, "Anna", "enters", ""),
        (3, "Player 1", "already", "entry_twice"),
        (4, "?!", "refused", "name_empty"),
    ]
    assert shown.json()["rows"][0]["people"] == [{"name": "Anna", "club": "Odense", "country": "", "player": None}]
    assert event.entries.count() == 4
    digest = shown.json()["digest"]
    made = api.post(f"{address}import/?digest={digest}", data, content_type=media_type)
    assert (made.status_code, [(entry["name"], entry["seed"]) for entry in made.json()]) == (201, [("Anna", 1)])
    again = api.post(f"{address}import/?digest={digest}", data, content_type=media_type)
    assert code(again) == (409, "preview_changed")


def test_import_may_be_left_to_a_worker(api, event, address):
    data = b"name\nAnna\n"
    digest = api.post(f"{address}import/", data, content_type="text/csv").json()["digest"]
    answer = api.post(f"{address}import/?digest={digest}&later=true", data, content_type="text/csv")
    assert answer.status_code == 202
    run_job(Job.objects.get().pk, clock=lambda: AT)
    assert event.entries.count() == 5


@pytest.mark.parametrize(
    ("data", "refusal"),
    [
        (b"", "entries_empty"),
        (b"klub\nA\n", "csv_without_name"),
        (b'name\n"A', "csv_unreadable"),
        (b"PK", "file_unreadable"),
        (bytes.fromhex("d0cf11e0a1b11ae1"), "file_unknown"),
        (b"name\n" + b"x\n" * 150_000, "list_too_large"),
        (b"name\n" + b"x\n" * 1_100, "entries_too_many"),
    ],
)
def test_unreadable_file_is_refused(api, address, data, refusal):
    assert code(api.post(f"{address}import/", data, content_type="text/csv")) == (400, refusal)


def test_file_without_anybody_to_enter_is_refused(api, address):
    digest = api.post(f"{address}import/", b"name\n?!\n", content_type="text/csv").json()["digest"]
    answer = api.post(f"{address}import/?digest={digest}", b"name\n?!\n", content_type="text/csv")
    assert code(answer) == (400, "nothing_to_enter")


def row(entry, seed, family="", base=(None, "")):
    return {"id": entry.pk, "seed": seed, "family": family, "base": {"seed": base[0], "family": base[1]}}


def test_seeds_and_families_are_set_at_once(api, event, address):
    one, two = event.entries.order_by("number")[:2]
    answer = api.put(f"{address}seeding/", {"entries": [row(one, 1, "Berg"), row(two, 2)]})
    assert (answer.status_code, [(entry["seed"], entry["family"]) for entry in answer.json()]) == (
        200,
        [(1, "Berg"), (2, "")],
    )


def test_table_that_cannot_be_is_refused(api, event, address):
    one, two = event.entries.order_by("number")[:2]
    for entries, refusal in (
        ([row(one, 1), row(two, 1)], (400, "seed_taken")),
        ([row(one, 0)], (400, "seed_out_of_range")),
        ([row(one, None, "x" * 41)], (400, "family_too_long")),
    ):
        assert code(api.put(f"{address}seeding/", {"entries": entries})) == refusal
    seed_entry(one, seed=7, **WHO)
    assert code(api.put(f"{address}seeding/", {"entries": [row(one, 1)]})) == (409, "seeding_changed")
    make_draw(event, **WHO)
    assert code(api.put(f"{address}seeding/", {"entries": [row(one, 1, base=(7, ""))]})) == (409, "event_drawn")


def test_several_entries_are_removed_or_none(api, event, address):
    one, two, three, _four = (entry.pk for entry in event.entries.order_by("number"))
    assert api.post(f"{address}remove/", {"entries": [one, two]}).status_code == 204
    assert code(api.post(f"{address}remove/", {"entries": [one, three]})) == (409, "entry_gone")
    assert event.entries.count() == 2
    make_draw(event, **WHO)
    assert code(api.post(f"{address}remove/", {"entries": [three]})) == (409, "event_drawn")


def test_everybody_missing_is_checked_in(api, event, address):
    answer = api.post(f"{address}check-in/")
    assert (answer.status_code, [entry["number"] for entry in answer.json()]) == (200, [1, 2, 3, 4])
    assert all(entry["checked_in_at"] for entry in answer.json())
    assert api.post(f"{address}check-in/").json() == []
    make_draw(event, **WHO)
    assert code(api.post(f"{address}check-in/")) == (409, "event_drawn")


def test_departure_is_previewed(api, director):
    event = build_event(director, players=4)
    fixture = fixture_of(event, "M1-1")
    address = f"entries/{fixture.entry_a_id}/departure/"
    answer = api.post(f"{address}preview/", {"kind": "no-show"})
    assert answer.status_code == 200
    gain = {"stage": 1, "key": "M1-1", "winner": fixture.entry_b.name, "began": False}
    assert (answer.json()["gains"], answer.json()["moved_up"]) == ([gain], [])
    assert not event.entries.filter(left_at__isnull=False).exists()
    assert code(api.post(f"{address}preview/", {"kind": "disqualified"})) == (400, "reason_missing")


def test_waiting_entry_that_would_move_up_is_named(api, event):
    event.max_entries = 4
    event.save()
    add_entries(event, lines=[EntryLine(name="Five")], **WHO)
    first = event.entries.get(number=1)
    answer = api.post(f"entries/{first.pk}/departure/preview/", {"kind": "withdrawn"})
    assert answer.json()["moved_up"] == ["Five"]
