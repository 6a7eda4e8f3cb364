import pytest

from players.models import Player
from players.services import create_player
from tests.builders import AT, build_event
from tests.tournament.api.client import CheckedClient
from tournament.models import Entry


@pytest.fixture
def event(director):
    return build_event(director, players=0, drawn=False)


@pytest.fixture
def address(event) -> str:
    return f"events/{event.pk}/entries/"


def codes(*responses) -> list[tuple[int, str]]:
    return [(response.status_code, response.json()["code"]) for response in responses]


def names(response) -> list[str]:
    return [entry["name"] for entry in response.json()]


def test_one_player_is_entered_by_name(api, address):
    response = api.post(address, {"name": "Åse  Lund", "club": "Odense", "country": "dk", "seed": 1})
    entry = Entry.objects.get()
    assert (response.status_code, response.json()) == (
        201,
        {
            "id": entry.pk,
            "number": 1,
            "seed": 1,
            "player": entry.player_id,
            "partner": None,
            "reentry": 0,
            "name": "Åse Lund",
            "club": "Odense",
            "country": "DK",
            "family": "",
            "presence": [1],
            "home_evening": None,
            "members": [],
            "waiting": False,
            "checked_in_at": None,
            "left_at": None,
            "left_kind": "",
            "left_reason": "",
            "left_bracket": "",
            "bye_taken": 0,
        },
    )
    assert api.get(address).json()["results"] == [response.json()]


def test_one_player_is_entered_by_id(api, address):
    player = create_player(name="Åse Lund", at=AT)
    response = api.post(address, {"player": player.pk})
    assert (response.status_code, response.json()["player"]) == (201, player.pk)
    assert Player.objects.count() == 1


def test_a_list_is_entered_in_its_order(api, address):
    response = api.post(f"{address}list/", {"entries": [{"name": "Bo"}, {"name": "Al", "seed": 1}]})
    assert (response.status_code, names(response)) == (201, ["Bo", "Al"])


def test_a_pasted_list_is_entered_in_its_order(api, address):
    response = api.post(f"{address}list/", {"text": "1. Bo\n\n2. Al; Odense; DK\n"})
    assert (response.status_code, names(response)) == (201, ["Bo", "Al"])
    assert response.json()[1]["club"] == "Odense"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
def test_a_csv_file_is_entered_in_its_order(api, address, encoding):
    data = "Navn;Klub;Seed\nÅse Lund;Odense;2\nBo;;\n".encode(encoding)
    response = api.post(f"{address}csv/", data, content_type="text/csv")
    assert (response.status_code, names(response)) == (201, ["Åse Lund", "Bo"])
    assert [entry["seed"] for entry in response.json()] == [2, None]


REFUSED_ENTRIES = [
    ({"name": "Known"}, "entry_twice"),
    ({"name": "Bo", "seed": 1}, "seed_taken"),
    ({"name": "Bo", "seed": 1025}, "seed_taken"),
    ({"name": "???"}, "name_empty"),
    ({"name": "x" * 81}, "name_too_long"),
    ({"name": "Bo", "country": "Denmark"}, "country_unknown"),
    ({"name": "Namesake"}, "player_ambiguous"),
    ({"player": 2**62}, "player_unknown"),
    ({}, "invalid"),
    ({"name": "Bo", "player": 1}, "invalid"),
    ({"name": "Bo", "nation": "DK"}, "invalid"),
    ({"player": 0}, "invalid"),
    ({"player": 2**63}, "invalid"),
    ({"name": "Bo", "seed": 10**30}, "invalid"),
]


@pytest.fixture
def crowded(event, api, address):
    for club in ("Odense", "Aarhus"):
        create_player(name="Namesake", club=club, at=AT)
    api.post(address, {"name": "Known", "seed": 1})


@pytest.mark.usefixtures("crowded")
@pytest.mark.parametrize(("entry", "code"), REFUSED_ENTRIES)
def test_an_impossible_entry_stores_nothing_alone_or_in_a_list(api, address, unchanged, entry, code):
    with unchanged():
        alone = api.post(address, entry)
        listed = api.post(f"{address}list/", {"entries": [{"name": "Al"}, entry]})
    assert codes(alone, listed) == [(400, code)] * 2
    if code != "invalid":
        assert listed.json()["detail"].startswith("Line 2: ")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"text": " \n "}, "entries_empty"),
        ({"text": "Al\nAl"}, "entry_twice"),
        ({"text": "x" * 200_001}, "invalid"),
        ({"entries": []}, "invalid"),
        ({}, "invalid"),
        ({"entries": [{"name": "Al"}], "text": "Al"}, "invalid"),
        ({"entries": [{"name": f"P{number}"} for number in range(1025)]}, "invalid"),
        ({"text": "\n".join(f"P{number}" for number in range(1025))}, "entries_too_many"),
    ],
)
def test_an_impossible_list_stores_nothing(api, address, unchanged, body, code):
    with unchanged():
        assert codes(api.post(f"{address}list/", body)) == [(400, code)]


@pytest.mark.parametrize(
    ("data", "status", "code"),
    [
        (b"", 400, "entries_empty"),
        (b"name\n", 400, "entries_empty"),
        (b"player id\n5\n", 400, "csv_without_name"),
        (b"name,seed\nBo,first\n", 400, "seed_invalid"),
        (b"name\nBo\nBo\n", 400, "entry_twice"),
        (b'name\n"' + b"x" * 140_000, 400, "csv_unreadable"),
        (b"name\n" + b"x\n" * 100_001, 400, "list_too_large"),
        (b"name\n" + b"x" * 300_000, 413, "too_large"),
        (bytes(range(256)), 400, "csv_unreadable"),
    ],
)
def test_an_impossible_csv_file_stores_nothing(api, address, unchanged, data, status, code):
    with unchanged():
        assert codes(api.post(f"{address}csv/", data, content_type="text/csv")) == [(status, code)]


def test_an_entry_gets_a_seed_and_loses_it(api, address):
    entry = api.post(address, {"name": "Bo"}).json()
    assert api.put(f"entries/{entry['id']}/seed/", {"seed": 3}).json() == {**entry, "seed": 3}
    assert api.put(f"entries/{entry['id']}/seed/", {"seed": None}).json() == entry


@pytest.mark.parametrize(
    ("seed", "code"),
    [(1, "seed_taken"), (0, "seed_out_of_range"), (1025, "seed_out_of_range"), (-1, "invalid"), (2**31, "invalid")],
)
def test_an_impossible_seed_stores_nothing(api, address, unchanged, seed, code):
    api.post(address, {"name": "Al", "seed": 1})
    entry = api.post(address, {"name": "Bo"}).json()
    with unchanged():
        assert codes(api.put(f"entries/{entry['id']}/seed/", {"seed": seed})) == [(400, code)]


def test_an_entry_is_taken_out(api, address):
    entry = api.post(address, {"name": "Bo"}).json()
    assert api.delete(f"entries/{entry['id']}/").status_code == 204
    assert api.get(address).json()["results"] == []
    assert codes(api.delete(f"entries/{entry['id']}/")) == [(404, "not_found")]


def ask_all(client: CheckedClient, entry: Entry) -> list:
    return [
        client.post(f"events/{entry.event_id}/entries/", {"name": "Late"}),
        client.post(f"events/{entry.event_id}/entries/list/", {"text": "Late"}),
        client.post(f"events/{entry.event_id}/entries/csv/", b"name\nLate\n", content_type="text/csv"),
        client.put(f"entries/{entry.pk}/seed/", {"seed": 1}),
        client.delete(f"entries/{entry.pk}/"),
    ]


def test_entries_are_closed_after_the_draw(api, director, unchanged):
    entry = build_event(director, players=4).entries.first()
    with unchanged():
        assert codes(*ask_all(api, entry)) == [(409, "no_bye_left")] * 3 + [(409, "event_drawn")] * 2


def test_only_directors_change_entries(anonymous, stranger, director, unchanged):
    entry = build_event(director, players=4, drawn=False).entries.first()
    with unchanged():
        assert codes(*ask_all(anonymous, entry)) == [(401, "not_authenticated")] * 5
        assert codes(*ask_all(stranger, entry)) == [(403, "role_missing")] * 5


def test_a_home_evening_is_set_and_taken_away(api, director):
    entry = build_event(director, players=2, format="league", options={"starts_on": "2001-01-01"}).entries.first()
    address = f"entries/{entry.pk}/home-evening/"
    assert api.put(address, {"weekday": 2}).json()["home_evening"] == 2
    assert codes(api.put(address, {"weekday": 7})) == [(400, "weekday_unknown")]
    fixtures = api.get(f"events/{entry.event_id}/").json()["stage"]["fixtures"]
    assert [(f["deadline"], f["is_overdue"]) for f in fixtures] == [("2001-01-07", True)]
    days = {f["a"]["entry"]: f["plays_on"] for f in fixtures}
    assert days.get(entry.pk, "2001-01-03") == "2001-01-03"
    assert api.put(address, {"weekday": None}).json()["home_evening"] is None
