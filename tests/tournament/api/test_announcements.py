"""Announcements in the API: everybody reads those of now, directors make and withdraw them."""

import pytest

from tests.builders import AT, build_director, build_event
from tests.tournament.api.client import CheckedClient
from tournament.hall.announcements import announce
from tournament.models import Announcement, Appointment, Event, Role

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(director) -> Event:
    return build_event(director, players=4)


@pytest.fixture
def api(director) -> CheckedClient:
    client = CheckedClient()
    client.force_authenticate(director)
    return client


def path(event: Event, more: str = "") -> str:
    return f"/api/v1/tournaments/{event.tournament_id}/announcements/{more}"


def test_everybody_reads_what_is_announced_and_not_by_whom(event, director):
    made = announce(event.tournament, text="Supper at six.", event=event, by=director, at=AT)
    (found,) = CheckedClient().get(path(event)).json()
    assert {name: found[name] for name in ("id", "text", "event", "ends_at")} == {
        "id": made.pk,
        "text": "Supper at six.",
        "event": event.pk,
        "ends_at": None,
    }
    assert set(found) == {"id", "text", "event", "made_at", "ends_at"}


def test_a_tournament_is_named_by_its_id_or_by_its_slug(event, api):
    by_slug = f"/api/v1/tournaments/{event.tournament.slug}/announcements/"
    made = api.post(by_slug, {"text": "Supper at six."})
    assert api.get(by_slug).json() == api.get(path(event)).json() == [made.json()]
    assert api.delete(f"{by_slug}{made.json()['id']}/").status_code == 204
    for unknown in ("elsewhere", "9" * 15, "9" * 40):
        assert api.get(f"/api/v1/tournaments/{unknown}/announcements/").status_code == 404


def test_a_director_announces_and_withdraws(event, api):
    made = api.post(path(event), {"text": "Supper at six.", "ends_at": "2199-01-01T12:00:00Z"})
    assert (made.status_code, made.json()["text"]) == (201, "Supper at six.")
    for _time in range(2):
        assert api.delete(path(event, f"{made.json()['id']}/")).status_code == 204
    assert api.get(path(event)).json() == []


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ({"text": "…"}, "announcement_empty"),
        ({"text": "x" * 281}, "announcement_too_long"),
        ({"text": "Late.", "ends_at": "2020-01-01T12:00:00Z"}, "announcement_is_over"),
        ({"text": "Late.", "ends_at": "2300-01-01T12:00:00Z"}, "time_out_of_range"),
        ({"text": 5}, "invalid"),
    ],
)
def test_what_cannot_be_announced_has_a_code(event, api, sent, code):
    answer = api.post(path(event), sent)
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert not Announcement.objects.exists()


def test_a_deputy_of_one_event_announces_there_alone(event, director):
    other = build_event(director, players=0, drawn=False, tournament=event.tournament, name="Side")
    deputy, api = build_director("deputy"), CheckedClient()
    Appointment.objects.create(tournament=event.tournament, event=event, user=deputy, role=Role.DEPUTY, since=AT)
    api.force_authenticate(deputy)
    sent = [{"text": "Hear."}, {"text": "Hear.", "event": other.pk}, {"text": "Hear.", "event": event.pk}]
    assert [api.post(path(event), one).status_code for one in sent] == [403, 403, 201]


def test_an_announcement_of_another_tournament_is_not_found(event, api):
    elsewhere = build_event(build_director("elsewhere"), players=0, drawn=False)
    made = announce(elsewhere.tournament, text="There.", by=None, at=AT)
    assert api.delete(path(event, f"{made.pk}/")).status_code == 404
    assert api.post(path(event), {"text": "Hear.", "event": elsewhere.pk}).status_code == 404
