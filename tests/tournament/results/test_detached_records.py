"""A record that was attached to the wrong match is taken off it, and nothing else changes."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from matches.evidence import Evidence
from matches.import_records import import_record
from matches.models import Match, Verdict
from matches.services import current_sheet
from players.errors import Conflict, Forbidden
from players.models import User
from rules.records.replay import verify
from rules.score import Side
from tests.builders import AT, build_director, build_event, claim, fixture_of, play_out
from tests.tournament.api.client import CheckedClient, database
from tournament.events.deletion import delete_event
from tournament.events.services import finish_event
from tournament.models import Event
from tournament.results.enter import enter_result
from tournament.results.evidence import attach_record, detach_record
from tournament.results.unplayed import unplayed_matches

DATA = (Path(__file__).parents[2] / "data" / "records" / "gnubg-7pt.mat").read_bytes()
LATER = AT + timedelta(minutes=5)

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> User:
    return build_director()


@pytest.fixture
def event(owner: User) -> Event:
    return build_event(owner, players=4, lengths=(7,))


@pytest.fixture
def match(event: Event) -> Match:
    return fixture_of(event, "M1-1").match


@pytest.fixture
def attached(match: Match) -> Evidence:
    return attach_record(match, DATA, name="one.mat", left=Side.A, by=None, at=AT)


@pytest.fixture
def desk(owner: User) -> Client:
    client = Client()
    client.force_login(owner)
    return client


@pytest.fixture
def api(owner: User) -> CheckedClient:
    client = CheckedClient()
    client.force_authenticate(owner)
    return client


def test_the_desk_detaches_a_record_and_the_sheet_taken_from_it_stays(desk, match, attached, owner):
    enter_result(match, claim=claim(games=verify(DATA).games, confirmed=True), by=None, at=AT)
    button = reverse("detach-record", args=[match.pk, attached.pk])
    assert button in desk.get(match.get_absolute_url()).content.decode()
    assert desk.post(button).status_code == 302
    page = desk.get(match.get_absolute_url()).content.decode()
    assert "one.mat" not in page
    assert button not in page
    sheet = current_sheet(match)
    assert (sheet.number, sheet.state) == (1, "confirmed")
    row = match.fixture.stage.event.log.latest("pk")
    assert (row.verb, row.actor, row.detail["evidence"]) == ("detach_record", owner, attached.pk)


def test_a_detached_record_is_kept_and_may_be_attached_where_it_belongs(event, match, attached):
    detach_record(match, attached.pk, by=None, at=LATER)
    kept = Evidence.objects.get()
    assert (bytes(kept.data), kept.detached_at >= LATER) == (DATA, True)
    other = fixture_of(event, "M1-2").match
    attach_record(other, DATA, name="one.mat", left=Side.A, by=None, at=LATER)
    assert Evidence.attached.get().match == other


def test_an_attached_record_is_attached_to_no_other_match_until_it_is_detached(event, match, attached, api):
    other = fixture_of(event, "M1-2").match
    address = f"matches/{other.pk}/records/?name=again.mat&left=b"
    sent = api.post(address, DATA + b"\n", content_type="application/octet-stream")
    assert (sent.status_code, sent.json()["code"]) == (409, "record_attached")
    assert sent.json()["detail"] == f"This record is attached to match {match.pk} already: detach it there first."
    attach_record(match, DATA, name="one.mat", left=Side.A, by=None, at=AT)
    assert Evidence.objects.get() == attached


def test_an_import_makes_a_match_of_a_record_only_once_it_is_detached(match, attached):
    held = import_record(DATA + b"\n", name="held.mat", at=AT).record
    assert (held.verdict, held.match) == (Verdict.QUARANTINED, None)
    detach_record(match, attached.pk, by=None, at=LATER)
    held.refresh_from_db()
    assert (held.verdict, held.match) == (Verdict.QUARANTINED, None)
    assert import_record(DATA, name="free.mat", at=LATER).record.verdict == Verdict.PROVED
    with pytest.raises(Conflict) as refused:
        attach_record(match, DATA, name="one.mat", left=Side.A, by=None, at=LATER)
    assert refused.value.code == "record_has_match"


def test_a_record_in_a_deleted_event_does_not_keep_it_from_the_right_match(owner, event, attached):
    other = fixture_of(build_event(owner, players=4, lengths=(7,)), "M1-1").match
    with pytest.raises(Conflict) as refused:
        attach_record(other, DATA, name="one.mat", left=Side.A, by=None, at=LATER)
    assert (refused.value.code, Evidence.attached.get()) == ("record_attached", attached)
    delete_event(event, typed=event.name, by=owner, at=LATER)
    assert attach_record(other, DATA, name="one.mat", left=Side.A, by=None, at=LATER).match == other


def test_what_is_detached_already_or_stands_beside_another_match_is_refused(event, match, attached):
    with pytest.raises(Conflict) as elsewhere:
        detach_record(fixture_of(event, "M1-2").match, attached.pk, by=None, at=LATER)
    detach_record(match, attached.pk, by=None, at=LATER)
    before = database()
    with pytest.raises(Conflict) as again:
        detach_record(match, attached.pk, by=None, at=LATER)
    assert {elsewhere.value.code, again.value.code} == {"record_not_attached"}
    assert database() == before


def test_nothing_is_detached_in_an_event_that_has_ended(event, match, attached, owner):
    play_out(event)
    finish_event(event, by=owner, at=LATER)
    with pytest.raises(Conflict) as refused:
        detach_record(match, attached.pk, by=owner, at=LATER)
    assert (refused.value.code, Evidence.attached.count()) == ("event_finished", 1)


def test_a_detached_record_no_longer_keeps_the_rule_of_the_event_from_deciding(owner):
    options = {"starts_on": AT.date().isoformat(), "days": 7, "unplayed": "neither"}
    league = build_event(owner, players=2, format="league", lengths=(7,), options=options)
    match = league.stages.get().fixtures.get(round=1).match
    held = attach_record(match, DATA, name="one.mat", left=Side.A, by=None, at=AT)
    over = AT + timedelta(days=8)
    assert list(unplayed_matches(over)) == []
    detach_record(match, held.pk, by=None, at=LATER)
    assert list(unplayed_matches(over)) == [match.pk]


def test_a_reader_detaches_nothing(match, attached):
    stranger = build_director("stranger")
    with pytest.raises(Forbidden):
        detach_record(match, attached.pk, by=stranger, at=LATER)
    assert Evidence.attached.count() == 1


def test_the_api_attaches_a_record_once(api, match):
    address = f"matches/{match.pk}/records/?name=one.mat"
    unclear = api.post(address, DATA, content_type="application/octet-stream")
    assert (unclear.status_code, unclear.json()["code"]) == (400, "record_sides_unclear")
    for _again in range(2):
        sent = api.post(f"{address}&left=a", DATA, content_type="application/octet-stream")
        assert sent.status_code == 201
        assert (sent.json()["name"], sent.json()["side"], sent.json()["left"]) == ("one.mat", "", "a")
    assert Evidence.attached.get().match == match
    stranger = CheckedClient()
    stranger.force_authenticate(build_director("stranger"))
    assert stranger.post(f"{address}&left=a", DATA, content_type="application/octet-stream").status_code == 403


def test_the_api_lists_the_records_of_a_match_and_detaches_one(api, match, attached):
    [told] = api.get(f"matches/{match.pk}/records/").json()
    assert {key: told[key] for key in ("id", "name", "side", "left")} == {
        "id": attached.pk,
        "name": "one.mat",
        "side": "",
        "left": "a",
    }
    address = f"matches/{match.pk}/records/{attached.pk}/"
    assert api.delete(address).status_code == 204
    assert api.get(f"matches/{match.pk}/records/").json() == []
    again = api.delete(address)
    assert (again.status_code, again.json()["code"]) == (409, "record_not_attached")
    assert api.delete(f"matches/{match.pk}/records/{attached.pk + 1}/").status_code == 404
