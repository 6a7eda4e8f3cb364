"""A prize that somebody has won: nothing moves it without consent, and it is due only once every result is counted."""

from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse

from players.errors import Refusal
from rules.score import Side
from tests.builders import build_event, fixture_of, win
from tests.tournament.api.client import CheckedClient
from tests.tournament.money.closed import ANYBODY, lines
from tests.tournament.money.test_ledger import WINNER, differences, give_money, ledger_of, settle
from tournament.draw.standings import store_standings
from tournament.events.services import update_event
from tournament.events.stages import add_stage
from tournament.events.terms import terms_of
from tournament.models import Event
from tournament.money.closing import NOT_ASKED, Consent, MovesUnconfirmed, keeping_prizes
from tournament.money.ledger import take_ledger
from tournament.prizes import PayoutPlan, Rank, Share, share_prizes

pytestmark = pytest.mark.django_db

TO_THE_WINNER = PayoutPlan((Share("", 10_000, WINNER),))
NEXT_STAGE = {"format": "single-elimination", "options": {"lengths": [1]}, "qualifiers": 2}


@pytest.fixture
def cycle(director) -> Event:
    """Three players who have each won a match; the point difference decides, and the winner has been paid."""
    event = build_event(director, players=3, format="round-robin", tiebreaks=["point-difference"])
    give_money(event, payouts=TO_THE_WINNER)
    ahead = {(1, 2): (1, 0), (2, 3): (2, 3), (1, 3): (3, 4)}
    for fixture in event.stages.get().fixtures.exclude(match=None):
        pair = tuple(sorted((fixture.entry_a.number, fixture.entry_b.number)))
        winner, conceded = ahead[pair]
        winner = winner or pair[0]
        win(fixture.match, Side.A if fixture.entry_a.number == winner else Side.B, loser_points=conceded)
    account = f"prize-field-{event.entries.get(number=1).pk}"
    assert [account.slug for account in ledger_of(event).payouts if account.due] == [account]
    settle(event, account)
    return event


def change_tiebreaks(event: Event, consent: Consent = NOT_ASKED) -> None:
    terms = terms_of(event, event.stages.get(number=1))
    with keeping_prizes(event, consent, tiebreaks="none"):
        update_event(event, replace(terms, tiebreaks=["head-to-head"]), **ANYBODY)


def test_tiebreaks_move_a_prize_only_with_consent(cycle):
    with pytest.raises(MovesUnconfirmed) as asked:
        change_tiebreaks(cycle)
    moves = asked.value.moves
    prize = sum(before or 0 for before, _after, _open in lines(moves).values())
    shared = [after for _before, after, _open in lines(moves).values()]
    assert (len(shared), sum(shared)) == (3, prize)
    cycle.refresh_from_db()
    assert cycle.tiebreaks == ["point-difference"]
    with pytest.raises(Refusal) as refused:
        change_tiebreaks(cycle, Consent("", moves.digest))
    assert refused.value.code == "reason_missing"
    change_tiebreaks(cycle, Consent("The poster said so.", moves.digest))
    row = cycle.log.latest("id")
    assert (row.verb, row.detail["reason"], len(row.detail["moves"])) == ("update_event", "The poster said so.", 3)
    assert differences(cycle) == []


def test_a_new_name_moves_nothing_and_is_not_asked_about(cycle, director):
    client = CheckedClient()
    client.force_authenticate(director)
    assert client.patch(f"/api/v1/events/{cycle.pk}/", {"name": "Other"}).status_code == 200


def test_the_api_asks_before_tiebreaks_or_a_stage_move_a_prize(cycle, director):
    client = CheckedClient()
    client.force_authenticate(director)
    ways = [
        (client.post, f"/api/v1/events/{cycle.pk}/stages/", NEXT_STAGE, 201),
        (client.patch, f"/api/v1/events/{cycle.pk}/", {"tiebreaks": ["head-to-head"]}, 200),
    ]
    for send, address, change, status in ways[::-1]:
        asked = send(address, change)
        assert (asked.status_code, asked.json()["code"]) == (409, "confirm_moves")
        consent = {"reason": "Agreed with all three.", "digest": asked.json()["moves"]["digest"]}
        assert send(address, {**change, **consent, "digest": "x"}).status_code == 409
        assert send(address, {**change, **consent}).status_code == status
        assert cycle.log.latest("id").detail["reason"] == "Agreed with all three."


def test_the_settings_ask_on_a_page_and_take_the_consent(cycle, director):
    client = Client()
    client.force_login(director)
    names = [cycle.tournament.slug, cycle.slug]
    settings = client.get(reverse("settings", args=names)).context["form"]
    sent = {name: value for name in settings.fields if (value := settings[name].value())}
    sent |= {"tiebreak_1": "head-to-head", "tiebreak_2": "", "tiebreak_3": "", "tiebreak_4": ""}
    asked = client.post(reverse("settings", args=names), sent)
    assert (asked.status_code, asked.templates[0].name) == (409, "tournament/money/consent.html")
    consent = {"reason": "The poster said so.", "digest": asked.context["moves"].digest}
    assert client.post(reverse("settings", args=names), {**sent, **consent}).status_code == 302
    cycle.refresh_from_db()
    assert cycle.tiebreaks == ["head-to-head"]


def test_a_stage_takes_a_won_prize_back_only_with_consent(cycle):
    with pytest.raises(MovesUnconfirmed) as asked, keeping_prizes(cycle, NOT_ASKED, stage="2"):
        add_stage(cycle, **NEXT_STAGE, **ANYBODY)
    assert cycle.stages.count() == 1
    with keeping_prizes(cycle, Consent("A final is wanted.", asked.value.moves.digest), stage="2"):
        add_stage(cycle, **NEXT_STAGE, **ANYBODY)
    assert (cycle.stages.count(), cycle.log.latest("id").detail["reason"]) == (2, "A final is wanted.")


def test_no_prize_is_due_while_a_newer_result_is_being_counted(director):
    event = build_event(director, players=4)
    give_money(event, payouts=TO_THE_WINNER)
    for key in ("M1-1", "M1-2"):
        win(fixture_of(event, key).match, Side.A)
    store_standings(event.pk)
    win(fixture_of(event, "M2-1").match, Side.A)
    assert [account.due for account in take_ledger(event.pk).payouts if account.due] == []
    store_standings(event.pk)
    assert [account.due for account in take_ledger(event.pk).payouts if account.due] == [-20000]


def test_the_odd_unit_of_a_shared_place_stays_with_the_same_person_in_any_order():
    ranks = [Rank(7, 3, 4), Rank(5, 3, 4)]
    assert share_prizes([0, 0, 2, 1], ranks) == share_prizes([0, 0, 2, 1], ranks[::-1]) == {5: 2, 7: 1}
