"""Series over the API: everybody reads, an officer makes and changes, and nobody else does."""

import pytest

from players.models import Player
from tests.builders import AT, build_event
from tests.players.registry.people import Registry, build_registry
from tests.tournament.api.client import CheckedClient
from tests.tournament.series.seasons import TABLE, build_people, build_series, hold
from tournament.models import Series
from tournament.registry.people import show_as

pytestmark = pytest.mark.django_db
SENT = {"name": "Tour 2026", "points": "places", "parameters": TABLE, "best": 1}
ALL = "federations/DBGF/series/"
PATH = f"{ALL}tour-2026/"


@pytest.fixture
def registry() -> Registry:
    return build_registry()


def client_of(user) -> CheckedClient:
    client = CheckedClient()
    client.force_authenticate(user)
    return client


@pytest.fixture
def people(registry) -> list[Player]:
    return [registry.holm, *build_people()[1:]]


def test_a_series_is_made_filled_read_and_changed(registry, director, people):
    officer, event, other = client_of(registry.officer), hold(director, people), hold(director, people[::-1])
    made = officer.post(ALL, SENT)
    assert (made.status_code, made.json()["slug"], made.json()["standings"]) == (201, "tour-2026", [])
    assert officer.post(ALL, SENT).json()["code"] == "series_exists"
    for one in (event, other):
        assert officer.post(f"{PATH}events/", {"event": one.pk}).status_code == 201
    assert officer.post(f"{PATH}events/", {"event": event.pk}).json()["code"] == "series_event_twice"
    assert officer.post(f"{PATH}events/", {"event": 987654}).json()["code"] == "series_event_unknown"
    reader = CheckedClient()
    assert [one["slug"] for one in reader.get(ALL).json()["results"]] == ["tour-2026"]
    told = reader.get(PATH).json()
    assert [(one["number"], one["event"], one["state"]) for one in told["events"]] == [
        (1, event.pk, "ended"),
        (2, other.pk, "ended"),
    ]
    first = told["standings"][0]
    assert (first["place"], first["place_to"], first["name"], first["points"]) == (1, 2, "Asta Holm", "10")
    assert first["results"] == [
        {"number": 1, "points": "10", "counts": True},
        {"number": 2, "points": "2", "counts": False},
    ]
    version = officer.get(PATH)["ETag"]
    changed = officer.patch(PATH, {"best": None}, HTTP_IF_MATCH=version)
    assert (changed.status_code, changed.json()["standings"][0]["points"]) == (200, "12")
    assert officer.patch(PATH, {"best": 2}, HTTP_IF_MATCH=version).json()["code"] == "version_changed"
    assert officer.patch(PATH, {"points": "nothing"}).json()["code"] == "point_system_unknown"
    wins = officer.patch(PATH, {"points": "nordic-tour"}).json()
    assert (wins["parameters"]["main"], wins["standings"][0]["points"]) == (7.0, "21")
    assert officer.delete(f"{PATH}events/{other.pk}/").status_code == 204
    assert officer.delete(f"{PATH}events/{other.pk}/").status_code == 404
    assert [one["event"] for one in reader.get(PATH).json()["events"]] == [event.pk]


def test_a_series_is_deleted(registry, director):
    officer = client_of(registry.officer)
    build_series(registry.federation, [build_event(director, players=0, drawn=False)])
    version = officer.get(PATH)["ETag"]
    officer.patch(PATH, {"best": 2})
    assert officer.delete(PATH, HTTP_IF_MATCH=version).json()["code"] == "version_changed"
    assert (officer.delete(PATH).status_code, officer.delete(PATH).status_code) == (204, 404)
    assert CheckedClient().get(ALL).json()["results"] == []


def test_an_event_of_a_series_is_changed(registry, director):
    officer = client_of(registry.officer)
    events = [build_event(director, players=0, drawn=False) for _each in range(2)]
    build_series(registry.federation, events)
    path = f"{PATH}events/{events[1].pk}/"
    told = officer.patch(path, {"number": 1, "weight": 150, "designated": 3}).json()["events"][0]
    assert (told["event"], told["division"], told["weight"], told["designated"]) == (events[1].pk, 1, 150, 3)
    told = officer.patch(path, {"designated": None}).json()["events"][0]
    assert (told["weight"], told["designated"]) == (150, None)
    assert officer.patch(path, {"number": 3}).json()["code"] == "number_out_of_range"
    assert officer.patch(f"{PATH}events/987654/", {"number": 1}).status_code == 404


def test_a_write_is_done_once_under_its_key(registry):
    officer = client_of(registry.officer)
    officer.credentials(HTTP_IDEMPOTENCY_KEY="sent")
    first, again = officer.post(ALL, SENT), officer.post(ALL, SENT)
    assert (first.status_code, again.status_code, again.content) == (201, 201, first.content)
    assert Series.objects.count() == 1


def test_a_hidden_person_is_not_named(registry, director, people):
    build_series(registry.federation, [hold(director, people)])
    show_as(registry.holm, "hidden", by=registry.officer, at=AT)
    for client in (CheckedClient(), client_of(registry.stranger)):
        names = [one["name"] for one in client.get(PATH).json()["standings"]]
        assert names == [f"Player #{registry.holm.pk}", "Bo Lund", "Cy Berg", "Dee Dahl"]


def test_nobody_but_an_officer_writes(registry, director, unchanged):
    event = build_event(director, players=0, drawn=False)
    other = build_event(director, players=0, drawn=False)
    build_series(registry.federation, [event])
    asked = [
        ("post", ALL, {**SENT, "name": "Other"}),
        ("patch", PATH, {"best": 3}),
        ("post", f"{PATH}events/", {"event": other.pk}),
        ("delete", f"{PATH}events/{event.pk}/", None),
        ("delete", PATH, None),
        ("patch", f"{PATH}events/{event.pk}/", {"weight": 50}),
    ]
    for user in (None, registry.stranger, registry.member, registry.manager, director):
        client = client_of(user) if user else CheckedClient()
        with unchanged():
            answers = [getattr(client, method)(path, body).status_code for method, path, body in asked]
        assert answers == [401 if user is None else 403] * len(asked)
