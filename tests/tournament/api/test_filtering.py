"""Lists are filtered by what their addresses name, and narrowed to the fields that a client asks for."""

from datetime import UTC, date, datetime

import pytest
from rest_framework.test import APIClient

from players.models import Club, Player
from tests.builders import build_event, build_tournament
from tests.tournament.api.routes import READING, parameters_of

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def people(anonymous, director):
    """A club of two, one of them Danish, and a tournament with two who are in no club."""
    club = Club.objects.create(name="Ålborg")
    build_event(director, players=2)
    for name, country, of in (("Ærø", "DK", club), ("Zoë", "", club)):
        Player.objects.create(name=name, folded_name=name.lower(), country=country, club=of, created_at=BEGAN)
    return club


def names(answer) -> list[str]:
    return [row["name"] for row in answer.json()["results"]]


def test_players_are_found_by_name_club_and_country_together(anonymous, people):
    assert len(names(anonymous.get("players/"))) == 4
    assert names(anonymous.get(f"players/?club={people.pk}")) == ["Zoë", "Ærø"]
    assert names(anonymous.get(f"players/?club={people.pk}&country=dk")) == ["Ærø"]
    assert names(anonymous.get(f"players/?club={people.pk}&q=zo")) == ["Zoë"]
    assert names(anonymous.get("players/?country=SE")) == []
    for code in ("DEN", "dnk"):
        assert names(anonymous.get(f"players/?club={people.pk}&country={code}")) == ["Ærø"]


def test_tournaments_are_found_by_name_and_day(anonymous, director):
    for name, day in (("Early", date(2026, 1, 2)), ("Late", date(2026, 3, 4))):
        tournament = build_tournament(director, name)
        tournament.starts_on = day
        tournament.save()
    assert names(anonymous.get("tournaments/?q=LAT")) == ["Late"]
    assert names(anonymous.get("tournaments/?since=2026-01-02&until=2026-03-03")) == ["Early"]
    assert names(anonymous.get("tournaments/?since=2026-01-02")) == ["Late", "Early"]


def test_the_matches_of_a_player_against_another(anonymous, director):
    a, b, *_others = build_event(director, players=4, format="round-robin").entries.order_by("id")
    one, other = a.player_id, b.player_id
    found = anonymous.get(f"players/{one}/matches/?opponent={other}").json()
    assert (found["count"], anonymous.get(f"players/{one}/matches/").json()["count"]) == (1, 3)
    assert anonymous.get(f"players/{one}/matches/?opponent={one}&length=1").json()["count"] == 0


@pytest.mark.parametrize(
    ("query", "code"),
    [
        *(("players/?club=" + value, "invalid_parameter") for value in ("x", "0", "", "1.5", "9" * 400)),
        *((f"players/?{query}", "invalid") for query in ("country=DENMARK", "country=D", "q=" + "a" * 81)),
        *((f"tournaments/?since={value}", "invalid") for value in ("28.11.2026", "2026-02-30", "x")),
    ],
)
def test_a_filter_takes_what_the_schema_says(anonymous, query, code):
    answer = anonymous.get(query)
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert answer.json()["errors"][0]["field"] == query.partition("?")[2].partition("=")[0]


def test_the_schema_names_the_filters():
    declared = {path: set(parameters_of(operation)) for _method, path, operation in READING}
    assert declared["/api/v1/players/"] >= {"q", "club", "country", "limit", "offset", "fields"}
    assert declared["/api/v1/tournaments/"] >= {"q", "since", "until"}
    assert declared["/api/v1/event-reports/"] >= {"state", "event"}


def test_an_answer_has_the_fields_that_were_asked_for(director):
    client, tournament = APIClient(), build_tournament(director)
    page = client.get("/api/v1/tournaments/?fields=name,id&limit=1").json()
    assert page == {
        "count": 1,
        "next": None,
        "previous": None,
        "results": [{"name": tournament.name, "id": tournament.pk}],
    }
    assert client.get(f"/api/v1/tournaments/{tournament.pk}/?fields=slug").json() == {"slug": tournament.slug}
    assert client.get("/api/v1/formats/?fields=slug").json()[0].keys() == {"slug"}


@pytest.mark.parametrize("address", ["tournaments/?fields=nonsense", "players/?fields=", "players/?fields=id,,name"])
def test_a_field_that_there_is_not_is_refused_even_of_an_empty_list(anonymous, address):
    answer = anonymous.get(address)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_parameter")
    assert answer.json()["errors"][0]["field"] == "fields"
