"""What a player's page says of winning and losing, held against what the draw then does."""

import pytest

from rules.score import Side
from tests.builders import AT, build_event, build_money_terms, fixture_of, open_matches, win
from tournament.draw.kept import chain_now
from tournament.draw.standings import store_standings
from tournament.mine.places import places_of
from tournament.mine.stakes import Stake, stakes_of
from tournament.models import Event
from tournament.money.ledger import view_ledger
from tournament.money.services import set_money
from tournament.prizes import EACH_GROUP, PayoutPlan, PrizeTable
from tournament.prizes.plan import Share
from tournament.snapshot import take_snapshot

pytestmark = pytest.mark.django_db


def stakes(event: Event, key: str, side: str = "a", *, with_money: bool = False) -> tuple[Stake, ...]:
    store_standings(event.pk)
    event = Event.objects.select_related("tournament").get(pk=event.pk)
    snapshot = take_snapshot(event.pk)
    (fixture,) = [one for stage in snapshot.stages for one in stage.fixtures if one.key == key]
    entry = getattr(fixture, side).entry
    ledger = view_ledger(snapshot) if with_money else None
    return stakes_of(chain_now(event), snapshot, fixture, entry.id, ledger)


def test_a_knockout_names_the_next_match_and_the_places_of_those_who_go_out(director):
    event = build_event(director, players=4, lengths=(9, 7))
    other = fixture_of(event, "M1-2")
    won, lost = stakes(event, "M1-1")
    assert (won.next.key, won.next.length) == ("M2-1", 9)
    assert won.opponent == f"the winner of {other.entry_a.name} – {other.entry_b.name}"
    assert (won.place, won.place_to) == (1, 2)
    assert (lost.next, lost.place, lost.place_to) == (None, 3, 4)
    win(other.match, Side.B)
    assert stakes(event, "M1-1")[0].opponent == other.entry_b.name


def test_the_final_is_for_the_first_two_places(director):
    event = build_event(director, players=2)
    won, lost = stakes(event, "M1-1")
    assert [(one.next, one.place, one.place_to) for one in (won, lost)] == [(None, 1, 1), (None, 2, 2)]


LAST_CHANCE = {"second_consolation": True, "last_chance": "full"}


@pytest.mark.parametrize(
    ("format", "players", "options"),
    [
        ("single-elimination", 7, {}),
        ("consolation", 7, {}),
        ("consolation", 9, LAST_CHANCE),
        ("double-elimination", 7, {}),
        ("jackpot", 8, {"size": "4"}),
    ],
)
def test_what_is_said_is_what_the_draw_does(director, format, players, options):
    """Play a whole event: after each result both players sit where their stakes said, against whom they said.

    Those who go out then read the same place in the same ranking.
    """
    event = build_event(director, players=players, format=format, options=options)
    while matches := open_matches(event):
        match = matches[-1]
        key = match.fixture.key
        sides = {"a": match.fixture.entry_a_id, "b": match.fixture.entry_b_id}
        said = {sides["a"]: stakes(event, key)[0], sides["b"]: stakes(event, key, "b")[1]}
        win(match, Side.A)
        store_standings(event.pk)
        snapshot = take_snapshot(event.pk)
        fixtures = {one.key: one for one in snapshot.stage.fixtures}
        for entry, stake in said.items():
            if stake.next is None:
                assert not [one for one in fixtures.values() if entry in one.entry_ids and one.state == "waiting"]
                assert not [one for one in fixtures.values() if entry in one.entry_ids and one.state == "ready"]
                own = places_of(snapshot, entry)[0]
                assert (own.place, own.place_to, own.ranking) == (stake.place, stake.place_to, stake.ranking)
            else:
                assert entry in fixtures[stake.next.key].entry_ids
                assert fixtures[stake.next.key].length == stake.next.length
                names = {fixtures[stake.next.key].a.label, fixtures[stake.next.key].b.label}
                assert stake.opponent in names or stake.opponent.startswith("the ")


def test_prizes_are_those_that_are_certain(director):
    event = build_event(director, players=4)
    plan = PayoutPlan((Share("", 10_000, PrizeTable("percent", values=(6000, 2000, 1000, 1000))),))
    set_money(event, build_money_terms(payouts=plan), by=None, at=AT)
    won, lost = stakes(event, "M1-1", with_money=True)
    assert (won.prizes, lost.prizes, won.currency.code) == ((("", 4000),), (("", 2000),), "EUR")


def test_the_winner_of_a_jackpot_wins_its_prize(director):
    event = build_event(director, players=4, format="jackpot", options={"size": "4"})
    plan = PayoutPlan((Share(EACH_GROUP, 10_000, PrizeTable("template", "winner")),))
    set_money(event, build_money_terms(payouts=plan), by=None, at=AT)
    for key in ("JA1-1", "JA1-2"):
        win(fixture_of(event, key).match, Side.A)
    won, lost = stakes(event, "JA2-1", with_money=True)
    assert (won.next, won.ranking, won.place, won.place_to) == (None, "Jackpot A", 1, 1)
    assert (won.prizes, lost.prizes) == ((("Jackpot A", 20_000),), ())
    assert (lost.ranking, lost.place, lost.place_to) == ("Jackpot A", 2, 2)


def test_a_prize_of_the_main_bracket_is_certain_for_those_who_fall_into_the_consolation(director):
    event = build_event(director, players=4, format="consolation")
    plan = PayoutPlan((Share("", 10_000, PrizeTable("percent", values=(6000, 2000, 1000, 1000))),))
    set_money(event, build_money_terms(payouts=plan), by=None, at=AT)
    won, lost = stakes(event, "M1-1", with_money=True)
    assert (won.prizes, won.ranking) == ((("Main", 4000),), "Main")
    assert lost.next.bracket == "C"
    assert (lost.prizes, lost.ranking) == ((("Main", 2000),), "Consolation")


def test_the_rating_moves_as_the_list_would(director):
    event = build_event(director, players=2, lengths=(9,))
    won, lost = stakes(event, "M1-1")
    ((system, up),), ((_same, down),) = won.ratings, lost.ratings
    assert (system, up, down) == ("FIBS", 30, -30)


def test_a_swiss_round_promises_no_opponent(director):
    event = build_event(director, players=8, format="swiss")
    assert [(one.next, one.opponent) for one in stakes(event, "S1-1")] == [(None, "")] * 2


def test_places_are_told_where_they_differ_and_in_the_bracket_of_the_match(director):
    event = build_event(director, players=8, format="consolation")
    won, lost = stakes(event, "M1-1")
    assert (won.next.bracket, won.tells_place) == ("M", True)
    assert (lost.next.bracket, lost.tells_place) == ("C", False)
    event = build_event(director, players=8, name="Alike", format="double-elimination", tournament=event.tournament)
    won, lost = stakes(event, "M1-1")
    assert won.tells_place == lost.tells_place == ((won.place, won.place_to) != (lost.place, lost.place_to))
