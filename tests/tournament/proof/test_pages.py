"""The pages and addresses on which anybody checks a draw."""

import json
import subprocess

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.builders import AT, build_event, play_out
from tests.tournament.api.client import CheckedClient
from tournament.draw.make import cancel_draw, make_draw
from tournament.events.deletion import delete_event
from tournament.models import Event
from tournament.proof.read import read_draw_file

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(director) -> Event:
    event = build_event(director, players=8, seed="")
    play_out(event)
    return event


def downloaded(event: Event) -> bytes:
    return Client().get(reverse("draw-file", args=[event.pk])).content


def sent(data: bytes):
    return Client().post(reverse("check-draw"), {"file": SimpleUploadedFile("draw.json", data)})


def test_the_file_that_a_page_offers_is_checked_by_the_page(event):
    page = sent(downloaded(event))
    assert page.status_code == 200
    assert "This draw holds" in page.content.decode()
    assert page.context["report"].wrong == ()


def test_a_file_that_was_tampered_with_does_not_hold(event):
    file = json.loads(downloaded(event))
    file["urns"][0]["link"] = "0" * 64
    page = sent(json.dumps(file).encode())
    assert "This draw does not hold" in page.content.decode()


def test_the_page_names_the_event_and_says_first_what_is_wrong(event, director):
    second = build_event(director, tournament=event.tournament, players=4, name="Second", seed="")
    cancel_draw(second, by=director, at=AT)
    make_draw(second, by=director, at=AT)
    file = json.loads(downloaded(second))
    file["urns"][1]["link"] = "0" * 64
    page = sent(json.dumps(file).encode())
    assert "<strong>Second</strong>" in page.content.decode()
    verdicts = [finding.verdict for finding, _message in page.context["findings"]]
    assert verdicts == sorted(verdicts, key=["wrong", "note", "ok"].index)
    assert set(verdicts) == {"wrong", "note", "ok"}


def test_times_are_told_as_people_read_them(director):
    event = build_event(director, players=4, seed="")
    cancel_draw(event, by=director, at=AT)
    own = Client().get(reverse("event-draws", args=[event.pk])).content.decode()
    for page in (own, sent(downloaded(event)).content.decode()):
        assert AT.strftime("%Y-%m-%dT") not in page
        assert "6 March 2026" in page


@pytest.mark.parametrize("data", [b"", b"nonsense", b"[]", b"{}", b'{"sixprime_draw_file":1}', b"[" * 100_000, b"\xff"])
def test_what_is_no_draw_file_is_refused_in_one_sentence(data):
    page = sent(data)
    assert page.status_code == 400
    assert page.context["form"].errors["file"]


def test_a_line_of_the_page_makes_the_lot_that_it_shows(event):
    for entry in (1, 2, 5):
        page = Client().get(reverse("event-draws", args=[event.pk]), {"entry": entry})
        made = subprocess.run(["sh", "-c", page.context["command"]], capture_output=True, text=True, check=True)
        lots = {lot.number: lot.lot for lot in page.context["chosen"].lots}
        assert page.context["entry"].number == entry
        assert made.stdout.split()[0] == lots[entry]


def test_cancelled_and_deleted_draws_stay_listed_on_the_page_of_the_tournament(event, director):
    other = build_event(director, tournament=event.tournament, players=4, name="Second", seed="")
    link = other.stages.get().urns.get().link
    cancel_draw(other, by=director, at=AT)
    make_draw(other, by=director, at=AT)
    again = other.stages.get().urns.get(cancelled_at=None).link
    delete_event(other, typed=other.name, by=director, at=AT)
    page = Client().get(event.tournament.get_absolute_url()).content.decode()
    assert link in page
    assert again in page
    proof = reverse("event-draws", args=[other.pk])
    assert proof in page
    assert Client().get(proof).status_code == 200
    assert len(read_draw_file(downloaded(other)).draws) == 2


def test_an_event_that_was_never_drawn_is_gone_once_it_is_deleted(director):
    event = build_event(director, players=4, drawn=False)
    page = reverse("event-draws", args=[event.pk])
    assert Client().get(page).status_code == 200
    delete_event(event, typed=event.name, by=director, at=AT)
    assert Client().get(page).status_code == 404


def test_the_api_gives_and_checks_the_same_file(event):
    client = CheckedClient()
    data = client.get(f"events/{event.pk}/draw-file/").content
    assert data == downloaded(event)
    report = client.post("draw-files/verify/", data, content_type="application/json").json()
    assert report["holds"] is True
    assert len(report["lots"][0]["lots"]) == 8
    refused = client.post("draw-files/verify/", b"{}", content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (400, "not_a_draw_file")


def test_the_page_of_the_tournament_takes_as_many_queries_however_many_draws_were_taken_back(event, director):
    address = event.tournament.get_absolute_url()
    other = build_event(director, tournament=event.tournament, players=4, name="Second", seed="")
    counts = []
    for _again in range(3):
        cancel_draw(other, by=director, at=AT)
        make_draw(other, by=director, at=AT)
        with CaptureQueriesContext(connection) as caught:
            Client().get(address)
        counts.append(len(caught))
    assert len(set(counts)) == 1
