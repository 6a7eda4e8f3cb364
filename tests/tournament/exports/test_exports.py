import csv
import io
import json
from decimal import Decimal
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from matches.models import Conclusion
from matches.ratings import rate_matches
from matches.rulings import RulingRequest
from players.errors import Conflict, Refusal
from players.models import Player, RankingList, Rating
from players.services import create_player
from rules.rulings import RulingKind
from rules.score import Side
from rules.sheet import GameResult
from tests.builders import AT, build_event, claim, fixture_of, open_matches, play_out, win
from tests.tournament.money.test_ledger import give_money, settle
from tournament.draw.standings import store_standings
from tournament.exports.formats import FORMATS, Export, write_csv, write_json
from tournament.exports.tables import EXPORTS, RESULT_COLUMNS, Subject, make_table
from tournament.prizes import PayoutPlan, PrizeTable, Share
from tournament.results.enter import enter_result
from tournament.results.rulings import rule_match

pytestmark = pytest.mark.django_db

TEN = (1000,) * 10
"""A payout table that pays everybody."""


def read_csv(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command("export", *arguments, stdout=out)
    return out.getvalue()


def store_ranking(*values: tuple[str, str]) -> None:
    ranking_list = RankingList.objects.create(system="fibs", computed_at=AT, matches=9)
    for name, value in values:
        player = create_player(name=name, club="Aalborg", country="DK", at=AT)
        Rating.objects.create(
            ranking_list=ranking_list, player=player, value=Decimal(value), experience=20, matches=4, wins=3
        )


def test_ranking_is_best_first_and_equal_ratings_share_a_rank():
    store_ranking(("Cy", "1500"), ("Bo", "1512.5"), ("Ann", "1500"), ("Dan", "1499.9999"))
    text = run("ranking", "--list", "fibs")
    lines = text.split("\r\n")
    ids = dict(Player.objects.values_list("name", "pk"))
    assert lines == [
        "rank,player_id,name,country,club,rating,experience,matches,wins",
        f"1,{ids['Bo']},Bo,DK,Aalborg,1512.5000,20,4,3",
        f"2,{ids['Ann']},Ann,DK,Aalborg,1500.0000,20,4,3",
        f"2,{ids['Cy']},Cy,DK,Aalborg,1500.0000,20,4,3",
        f"4,{ids['Dan']},Dan,DK,Aalborg,1499.9999,20,4,3",
        "",
    ]


def test_ranking_as_json_keeps_every_decimal():
    store_ranking(("Åse Ø", "1512.5"))
    assert json.loads(run("ranking", "--list", "fibs", "--format", "json")) == {
        "schema": "sixprime-ranking-1",
        "rows": [
            {
                "rank": 1,
                "player_id": Player.objects.get().pk,
                "name": "Åse Ø",
                "country": "DK",
                "club": "Aalborg",
                "rating": "1512.5000",
                "experience": 20,
                "matches": 4,
                "wins": 3,
            }
        ],
    }


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("+46 70", "'+46 70"),
        ("-Bo", "'-Bo"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\t=1"),
        ("\r=1", "'\r=1"),
        ("  =1", "'  =1"),
        ("＝1+1", "'＝1+1"),
        ("Bo=1", "Bo=1"),
        ("Bo, Ann", "Bo, Ann"),
        ('Bo "the Fox"', 'Bo "the Fox"'),
        ("Bo\nAnn", "Bo\nAnn"),
        ("", ""),
        ("Søren Ærø", "Søren Ærø"),
        (-5, "-5"),
        (Decimal("-0.5"), "-0.5"),
        (True, "true"),
        (None, ""),
        (AT, "2026-03-06T19:00:00Z"),
    ],
)
def test_csv_cell_is_never_a_formula_and_reads_back(text, cell):
    table = Export("test-1", ("cell", "next"), ((text, "x"),))
    assert read_csv(write_csv(table)) == [{"cell": cell, "next": "x"}]


def test_json_cells_are_not_escaped_for_spreadsheets():
    table = Export("test-1", ("a", "b", "c"), (("=1+1", None, AT),))
    assert json.loads(write_json(table))["rows"] == [{"a": "=1+1", "b": None, "c": "2026-03-06T19:00:00Z"}]


def test_results_are_the_decided_matches_and_the_byes(director):
    event = build_event(director, players=3, lengths=(7, 5))
    (first,) = open_matches(event)
    win(first, Side.B, loser_points=3)
    final = fixture_of(event, "M2-1")
    enter_result(
        final.match, claim=claim(conclusion=Conclusion.WALKOVER, awarded_to=Side.A), by=director, at=AT
    )  # fmt: skip
    rows = {row["match_no"]: row for row in read_csv(run("results", "--event", "friday-club/main", "--list", "fibs"))}
    bye = next(row for row in rows.values() if row["outcome"] == "bye")
    played = next(row for row in rows.values() if row["outcome"] == "played")
    assert tuple(played) == RESULT_COLUMNS
    assert {key: played[key] for key in ("score1", "score2", "winner", "rated", "length", "completed_at")} == {
        "score1": "3",
        "score2": "5",
        "winner": str(first.side_b_id),
        "rated": "true",
        "length": "5",
        "completed_at": "2026-03-06T19:00:00Z",
    }
    assert (played["rating1_before"], played["rating1_after"], played["exp1_after"]) == ("1500.0000", "1477.6393", "5")
    assert (played["rating2_before"], played["rating2_after"], played["exp2_after"]) == ("1500.0000", "1522.3607", "5")
    assert (bye["player2_id"], bye["winner"], bye["rated"], bye["score1"]) == ("", "", "false", "")
    walkover = rows["M2-1"]
    assert (walkover["outcome"], walkover["winner"], walkover["rated"], walkover["rating1_after"]) == (
        "walkover",
        str(final.match.side_a_id),
        "false",
        "",
    )


def test_penalty_points_stand_with_the_player_they_were_given_against(director):
    event = build_event(director, players=2)
    (match,) = open_matches(event)
    for key, points, base in (("one", (0, 2), 0), ("two", (1, 0), 1)):
        request = RulingRequest(
            kind=RulingKind.PENALTY_POINTS,
            key=key,
            reason="Late.",
            penalty_points=points,
            base=base,
            ruling_count=base,
        )
        rule_match(match, request=request, by=director, at=AT)
        if not base:
            enter_result(match, claim=claim(games=(GameResult(Side.A),)), by=director, at=AT)
    win(match, Side.A, loser_points=1, base=2)
    (row,) = read_csv(run("results", "--event", "friday-club/main"))
    assert (row["penalty1"], row["penalty2"], row["score1"], row["score2"]) == ("1", "2", "5", "1")


def test_standings_are_brought_up_to_date_and_exported(director):
    event = build_event(director, players=4, format="round-robin", tiebreaks=["point-difference"])
    play_out(event)
    with pytest.raises(Conflict) as caught:
        make_table("standings", Subject(event=event))
    assert caught.value.code == "standings_stale"
    rows = read_csv(run("standings", "--event", "friday-club/main"))
    assert list(rows[0]) == [
        *("schema", "event_id", "division", "place", "place_to", "player_id", "player_name", "country"),
        *("wins", "losses", "points", "points_against", "tiebreak1_point-difference", "entry_fee", "prize", "stage"),
        *("draws", "rate_wins"),
    ]
    assert [int(row["wins"]) for row in rows] == sorted((int(row["wins"]) for row in rows), reverse=True)
    assert sum(int(row["wins"]) for row in rows) == 6
    for row in rows:
        assert int(row["tiebreak1_point-difference"]) == int(row["points"]) - int(row["points_against"])


def test_output_goes_to_a_file_as_utf_8(tmp_path: Path):
    store_ranking(("Åse", "1500"))
    assert run("ranking", "--list", "fibs", "--output", str(tmp_path / "list.csv")) == ""
    assert ",Åse,".encode() in (tmp_path / "list.csv").read_bytes()
    with pytest.raises(CommandError, match="cannot be written"):
        run("ranking", "--list", "fibs", "--output", str(tmp_path))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["ranking"], "name one, such as fibs"),
        (["ranking", "--list", "fibs"], "is computed when an event ends"),
        (["ranking", "--list", "elo"], "There is no rating system “elo”"),
        (["standings"], "name one"),
        (["results", "--event", "nowhere"], "There is no event “nowhere”"),
        (["results", "--event", "friday-club/main"], "has not been drawn"),
        (["results", "--event", "friday-club/other", "--list", "elo"], "There is no event"),
        (
            ["prizes"],
            "There is no export “prizes”. Available exports: ranking, standings, results, schedule, payments, payouts",
        ),
    ],
)
def test_an_impossible_export_is_refused_in_one_sentence(director, arguments, message):
    build_event(director, drawn=False)
    with pytest.raises(CommandError) as caught:
        run(*arguments)
    assert message in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("name", EXPORTS)
@pytest.mark.parametrize("format", FORMATS)
def test_every_export_fills_its_columns_and_the_queries_do_not_grow(director, name, format):
    def queries(players: int) -> int:
        tournament_event = build_event(director, players=players)
        give_money(tournament_event, payouts=PayoutPlan((Share("", 10_000, PrizeTable("percent", values=TEN)),)))
        play_out(tournament_event)
        settle(tournament_event, *(f"entry-{entry.pk}" for entry in tournament_event.entries.all()))
        store_standings(tournament_event.pk)
        rate_matches("fibs", at=AT)
        with CaptureQueriesContext(connection) as captured:
            table = make_table(name, Subject(event=tournament_event, system="fibs"))
        assert len(table.rows) >= players - 1
        assert all(len(row) == len(table.columns) for row in table.rows)
        assert FORMATS[format](table)
        return len(captured)

    assert queries(2) == queries(9)


def test_standings_show_fee_and_prize_in_an_event_with_money(director):
    event = build_event(director, players=2)
    give_money(event, currency="DKK", payouts=PayoutPlan((Share("", 10_000, PrizeTable("template", "two")),), step=100))
    win(fixture_of(event, "M1-1").match, Side.B)
    store_standings(event.pk)
    rows = read_csv(write_csv(make_table("standings", Subject(event=event))))
    assert [(row["entry_fee"], row["prize"]) for row in rows] == [("50.00", "67.00"), ("50.00", "33.00")]


@pytest.mark.parametrize("name", EXPORTS)
def test_every_export_says_what_it_needs(name):
    with pytest.raises(Refusal) as caught:
        make_table(name, Subject())
    assert caught.value.code in {"export_without_list", "export_without_event"}
