"""What federations ask of an event: every result with whether it counts, and everybody's place, once."""

from datetime import timedelta

import pytest

from players.models import ExternalId, Player
from rules.score import Side
from tests.builders import AT, build_event, claim, fixture_of, win
from tests.tournament.money.test_ledger import give_money
from tests.tournament.reporting.lists import build_list, enrol
from tournament.draw.standings import store_standings
from tournament.exports.tables import Subject, make_table
from tournament.models import Event
from tournament.prizes import PayoutPlan
from tournament.results.enter import enter_result

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(director) -> Event:
    """A knockout of five: three byes, a walkover, a match with a stranger, and two that count."""
    dbf = build_list()
    event = build_event(director, players=5, rated_for=["dbf"], event_class="B")
    give_money(event, payouts=PayoutPlan())
    first = next(one for one in ("M1-1", "M1-2", "M1-3", "M1-4") if fixture_of(event, one).match_id)
    walked = fixture_of(event, first).match
    enter_result(walked, claim=claim(conclusion="walkover", awarded_to=Side.A), by=None, at=AT)
    for number, key in enumerate(("M2-1", "M2-2", "M3-1"), start=1):
        match = fixture_of(event, key).match
        played = {"final": (match.length, number), "played_at": AT + timedelta(minutes=number)}
        enter_result(match, claim=claim(**played), by=None, at=AT + timedelta(days=1))
    enrol(dbf, *Player.objects.order_by("pk")[:4])
    ExternalId.objects.create(player=Player.objects.order_by("pk")[0], issuer="dbgf", value="408")
    store_standings(event.pk)
    return Event.objects.get(pk=event.pk)


def rows_of(event: Event, name: str) -> list[dict]:
    table = make_table(name, Subject(event=event))
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def test_every_match_and_bye_says_whether_it_counts_and_why_not(event):
    rows = rows_of(event, "report")
    assert [row["outcome"] for row in rows] == ["walkover", "played", "played", "played", "bye", "bye", "bye"]
    stranger = Player.objects.order_by("pk").last().name
    for row in rows:
        expected = {"walkover": "walkover", "bye": "bye"}.get(row["outcome"])
        if row["outcome"] == "played" and stranger in (row["p1_name"], row["p2_name"]):
            expected = "not_member"
        assert (row["why_not"], row["rated"], row["list"]) == (expected, int(expected is None), "dbf")
    played = [row for row in rows if row["outcome"] == "played"]
    assert [row["completed_at"] for row in played] == [AT + timedelta(minutes=number) for number in (1, 2, 3)]
    assert {(row["class"], row["bracket"], row["length"], row["winner"]) for row in played} == {("B", "main", 5, 1)}
    assert len({row["sheet_sha256"] for row in rows if row["outcome"] != "bye"}) == 4


def test_a_person_is_known_by_the_number_of_the_federation_or_else_by_ours(event):
    known = {
        row[f"p{side}_name"]: (row[f"p{side}_issuer"], row[f"p{side}_no"])
        for row in rows_of(event, "report")
        for side in (1, 2)
        if row[f"p{side}_name"]
    }
    first, *others = Player.objects.order_by("pk")
    assert known == {first.name: ("dbgf", "408"), **{one.name: ("sixprime", str(one.pk)) for one in others}}


def test_everybody_has_a_place_with_fee_and_prize_once(event):
    rows = rows_of(event, "order")
    assert sorted(row["name"] for row in rows) == sorted(Player.objects.values_list("name", flat=True))
    assert [(row["place"], row["place_to"]) for row in rows] == [(1, 1), (2, 2), (3, 4), (3, 4), (5, 5)]
    assert [(row["entry_fee"], row["prize"]) for row in rows] == [(50, 250), *[(50, 0)] * 4]
    assert {(row["entries"], row["rebuys"], row["currency"]) for row in rows} == {(1, 0, "EUR")}
    assert [row["designated"] for row in rows] == [int(bool(row["prize"])) for row in rows]
    assert rows[0]["designated"] == 1


def test_without_a_declaration_nothing_is_said_of_lists(director):
    event = build_event(director, players=2)
    win(fixture_of(event, "M1-1").match, Side.A)
    assert [(row["list"], row["rated"], row["why_not"]) for row in rows_of(event, "report")] == [(None, None, None)]
