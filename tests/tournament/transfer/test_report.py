"""The tournament report of a Swiss event, as another program reads it, on the page and over the API."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.builders import AT, build_director, build_event, play_out
from tests.tournament.api.client import CheckedClient
from tournament.draw.standings import store_standings
from tournament.interchange.adapters.known import convert
from tournament.interchange.adapters.results import Given
from tournament.transfer.export import export_document

pytestmark = pytest.mark.django_db


def names_of(document) -> list[tuple]:
    """Who met in each pairing of the first stage, how it ended, and who won."""
    people = {person["id"]: person["name"] for person in document["people"]}
    event = document["events"][0]
    names = {entrant["number"]: people[entrant["people"][0]] for entrant in event["entrants"]} | {None: None}
    return sorted(
        (one["round"], *sorted(map(str, (names[one["a"]], names[one["b"]]))), one["outcome"], names[one["winner"]])
        for one in event["stages"][0]["pairings"]
    )


def test_what_another_program_reads_is_what_was_played():
    event = build_event(build_director(), players=7, format="swiss", options={"rounds": 3}, tiebreaks=[])
    play_out(event)
    store_standings(event.pk)
    event.refresh_from_db()
    answer = Client().get(reverse("event-trf", args=[event.tournament.slug, event.slug]))
    read = convert("trf26", answer.content, Given(name="x", length=5, day=AT.date()))
    told = names_of(export_document(event.tournament, [event], with_reasons=False))
    assert names_of(read) == told
    assert len(told) == 12  # three rounds of three matches and a bye
    assert CheckedClient().get(f"events/{event.pk}/report.trf").content == answer.content


def test_a_knockout_has_no_report():
    event = build_event(build_director(), players=4)
    answer = CheckedClient().get(f"events/{event.pk}/report.trf")
    assert (answer.status_code, answer.json()["code"]) == (409, "no_swiss_stage")
