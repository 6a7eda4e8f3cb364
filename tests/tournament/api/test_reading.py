from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from matches.models import Match, SheetSource
from matches.services import submit_sheet
from players.models import Club, Player, RankingList, Rating
from players.services import create_player
from rules.profiles import PROFILES
from rules.score import Side
from tests.builders import AT, build_event, build_tournament, claim, fixture_of, win
from tests.tournament.api.client import CheckedClient
from tournament.draw.standings import store_standings
from tournament.formats import FORMATS
from tournament.models import Event, LogEntry
from tournament.ranking.tiebreaks import TIEBREAKS


def rank(players: list[Player], *values: int) -> None:
    ranking = RankingList.objects.create(system="fibs", computed_at=AT, matches=len(players))
    Rating.objects.bulk_create(
        Rating(ranking_list=ranking, player=player, value=Decimal(value), experience=5, matches=1, wins=0)
        for player, value in zip(players, values, strict=True)
    )


def queries(client: CheckedClient, address: str) -> int:
    with CaptureQueriesContext(
        connection,
    ) as captured:
        response = client.get(address)
    assert response.status_code == 200
    return len(captured)


def build_all(director, size: int) -> Event:
    """Make an event with this many entries and log rows, among as many tournaments, events and rated players."""
    event = build_event(director, players=size, lengths=(1,))
    for number in range(size):
        build_tournament(director, f"Club {number}")
        build_event(director, players=0, drawn=False, tournament=event.tournament)
    LogEntry.objects.bulk_create(
        LogEntry(tournament_id=event.tournament_id, event=event, actor=director, verb="seed_entry", at=AT)
        for _number in range(size)
    )
    for key in ("M1-1", "M1-2"):
        win(fixture_of(event, key).match, Side.A, by=director)
    store_standings(event.pk)
    for entry in event.entries.all():
        Player.objects.filter(pk=entry.player_id).update(club=Club.objects.create(name=f"Club {entry.number}"))
    rank([entry.player for entry in event.entries.select_related("player")], *range(size))
    return event


ADDRESSES = [
    ("tournaments/", 2),
    ("tournaments/{event.tournament_id}/events/", 4),
    ("events/{event.pk}/", 9),
    ("events/{event.pk}/entries/", 4),
    ("events/{event.pk}/history/", 4),
    ("players/", 2),
    ("players/?q=player", 2),
    ("ranking-lists/fibs/", 3),
]


@pytest.mark.parametrize("size", [8, 64])
def test_lists_take_the_same_queries_whatever_their_size(anonymous, director, size):
    event = build_all(director, size)
    assert [(address, queries(anonymous, address.format(event=event))) for address, _count in ADDRESSES] == ADDRESSES


@pytest.mark.parametrize("players", [8, 64])
def test_the_matches_of_a_player_take_the_same_queries_whatever_their_number(anonymous, director, players):
    event = build_event(director, players=players, lengths=(1,))
    player, *others = [entry.player for entry in event.entries.select_related("player")]
    for other in others:
        match = Match.objects.create(side_a=player, side_b=other, length=1, created_at=AT)
        submit_sheet(match, claim=claim(final=(1, 0)), source=SheetSource.RECORD, by=director, at=AT)
    assert queries(anonymous, f"players/{player.pk}/matches/") == 5
    assert anonymous.get(f"players/{player.pk}/matches/").json()["count"] == players


@pytest.mark.parametrize("corrections", [1, 8])
def test_the_history_of_a_match_takes_the_same_queries_however_long(anonymous, director, corrections):
    match = fixture_of(build_event(director, players=2), "M1-1").match
    for base in range(corrections):
        win(match, Side.A, loser_points=base % 4, base=base, by=director)
    assert queries(anonymous, f"matches/{match.pk}/") == 5


def test_an_unchanged_event_is_not_sent_again(anonymous, director):
    event = build_event(director, players=4)
    address = f"events/{event.pk}/"
    first = anonymous.get(address)
    etag = first.headers["ETag"]
    assert first.headers["Cache-Control"] == "no-cache"
    for known in (etag, f"W/{etag}", f'"other", {etag}', "*"):
        again = anonymous.get(address, headers={"If-None-Match": known})
        assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", etag)
    for unknown in ('"other"', "", "nonsense"):
        assert anonymous.get(address, headers={"If-None-Match": unknown}).status_code == 200


def test_a_304_costs_one_query(anonymous, director):
    event = build_event(director, players=4)
    etag = anonymous.get(f"events/{event.pk}/").headers["ETag"]
    with CaptureQueriesContext(connection) as captured:
        anonymous.get(f"events/{event.pk}/", headers={"If-None-Match": etag})
    assert len(captured) == 1


def test_the_etag_changes_with_a_result_new_standings_and_the_language(anonymous, director):
    event = build_event(director, players=4)
    address = f"events/{event.pk}/"

    def etag(**headers: str) -> str:
        return anonymous.get(address, headers=headers).headers["ETag"]

    seen = [etag(), etag(**{"Accept-Language": "da"})]
    win(fixture_of(event, "M1-1").match, Side.A, by=director)
    seen.append(etag())
    store_standings(event.pk)
    seen.append(etag())
    assert len(set(seen)) == 4
    assert etag() == seen[-1]


def test_a_change_is_answered_with_the_etag_of_the_new_state(anonymous, api, director):
    event = build_event(director, players=4, drawn=False)
    drawn = api.post(f"events/{event.pk}/draw/")
    answer = anonymous.get(f"events/{event.pk}/", headers={"If-None-Match": drawn.headers["ETag"]})
    assert answer.status_code == 304


def test_each_page_starts_where_the_last_one_ended(anonymous, director):
    for number in range(5):
        build_tournament(director, f"Club {number}")
    first = anonymous.get("tournaments/?limit=2").json()
    assert [line["name"] for line in first["results"]] == ["Club 4", "Club 3"]
    assert (first["count"], first["previous"]) == (5, None)
    second = anonymous.get(first["next"].partition("/api/v1/")[2]).json()
    assert [line["name"] for line in second["results"]] == ["Club 2", "Club 1"]


def test_a_page_holds_500_at_most(anonymous, director):
    Player.objects.bulk_create(Player(name=f"P{n}", folded_name=f"p{n}", created_at=AT) for n in range(501))
    assert len(anonymous.get("players/?limit=500").json()["results"]) == 500


def test_players_are_found_by_part_of_their_name(anonymous, db):
    for name in ("Åse Lund", "Bo Lundgren", "Ida Holm"):
        create_player(name=name, club="Odense", country="DK", at=AT)
    found = anonymous.get("players/?q=LUND").json()["results"]
    assert [player["name"] for player in found] == ["Åse Lund", "Bo Lundgren"]
    assert anonymous.get("players/?q=ase").json()["results"] == [
        {"id": found[0]["id"], "name": "Åse Lund", "country": "DK", "club": "Odense"}
    ]
    assert anonymous.get("players/").json()["count"] == 3
    assert anonymous.get("players/?q=").json()["count"] == 3


@pytest.mark.parametrize("text", ["%00", "a%00b", "x" * 81])
def test_players_are_not_searched_by_impossible_names(anonymous, db, text):
    response = anonymous.get(f"players/?q={text}")
    assert (response.status_code, response.json()["errors"][0]["field"]) == (400, "q")


@pytest.mark.parametrize("text", ["%ff", "%ED%A0%80", "%25", "_", "😀", "'", "x" * 80, "ﷺ" * 80])
def test_players_may_be_searched_by_any_other_text(anonymous, db, text):
    assert anonymous.get(f"players/?q={text}").json()["count"] == 0


def test_a_player_is_read_with_ratings_and_matches(anonymous, director):
    event = build_event(director, players=2, lengths=(5,))
    match = fixture_of(event, "M1-1").match
    win(match, Side.B, loser_points=3, by=director)
    rank([match.side_a], 1490)
    assert anonymous.get(f"players/{match.side_a_id}/").json() == {
        "id": match.side_a_id,
        "name": match.side_a.name,
        "country": "",
        "club": "",
        "ratings": [{"system": "fibs", "value": "1490.0000", "experience": 5, "matches": 1, "wins": 0}],
    }
    assert anonymous.get(f"players/{match.side_a_id}/matches/").json()["results"] == [
        {
            "id": match.pk,
            "length": 5,
            "a": {"player": match.side_a_id, "name": match.side_a.name},
            "b": {"player": match.side_b_id, "name": match.side_b.name},
            "event": event.pk,
            "fixture": "M1-1",
            "board": None,
            "sheet": 1,
            "score": [3, 5],
            "phase": "over",
            "is_crawford": False,
            "winner": "B",
        }
    ]


def test_a_ranking_list_is_read_best_first_and_equals_share_a_place(anonymous, db):
    players = [create_player(name=name, at=AT) for name in ("Al", "Bo", "Cy", "Di")]
    rank(players, 1500, 1600, 1500, 1400)
    lists = anonymous.get("ranking-lists/").json()["results"]
    assert [(line["system"], line["matches"]) for line in lists] == [("fibs", 4)]
    lines = anonymous.get("ranking-lists/fibs/").json()["results"]
    assert [(line["place"], line["name"], line["value"]) for line in lines] == [
        (1, "Bo", "1600.0000"),
        (2, "Al", "1500.0000"),
        (2, "Cy", "1500.0000"),
        (4, "Di", "1400.0000"),
    ]


@pytest.mark.parametrize(
    ("address", "table"), [("formats/", FORMATS), ("tiebreaks/", TIEBREAKS), ("profiles/", PROFILES)]
)
def test_the_parts_of_events_are_listed(anonymous, address, table):
    lines = anonymous.get(address).json()
    assert [line["slug"] for line in lines] == list(table)
    assert all(line["name"] for line in lines)


def test_a_profile_gives_what_its_text_states(anonymous):
    profiles = {line["slug"]: line for line in anonymous.get("profiles/").json()}
    assert profiles["dbf"]["parameters"]["cube_cap"] == 64
    assert profiles["dbf"]["defaults"] == ["automatic_double", "jacquet", "opening", "resignation"]
    assert profiles["dbf"]["stated"]["crawford"] == 'S2 "Dobleterningen - afslutning": "Crawfordreglen"'


@pytest.mark.parametrize(
    "address",
    [
        *(
            f"{kind}/{number}/"
            for kind in ("tournaments", "events", "matches", "players")
            for number in (0, 999, 2**70)
        ),
        *("tournaments/999/events/", "events/999/history/", "events/999/entries/", "players/999/matches/"),
        *("ranking-lists/none/", "events/1x/", "events/-1/", "nothing/", "", "events", f"events/{'9' * 5000}/"),
        "events/%00/",
    ],
)
def test_a_row_that_does_not_exist_is_not_found(anonymous, address):
    response = anonymous.get(address)
    assert (response.status_code, response.json()["code"]) == (404, "not_found")


@pytest.mark.parametrize("address", ["", "result/", "call/", "void/", "rulings/"])
def test_there_is_no_match_with_a_number_that_no_column_can_hold(api, address):
    path = f"/api/v1/matches/{10**20}/{address}"
    answer = api.post(path, {"key": "k", "base": 0, "final": [5, 1]}, format="json") if address else api.get(path)
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
