"""Buying in after a loss in the main bracket: by the services, the page and the API, and played to the end."""

import pytest

from players.errors import Conflict, Refusal
from rules.score import Side
from tests.builders import AT, build_event, build_money_terms, open_matches, play_out, win
from tests.tournament.entries.test_attendance import assert_audited, late, set_limit, sides
from tournament.corrections.undo import undo_step
from tournament.draw.make import make_draw
from tournament.entries.attendance import move_up
from tournament.entries.links import link_of
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries, remove_entry
from tournament.events.services import finish_event
from tournament.models import Entry, Event
from tournament.money.ledger import take_ledger
from tournament.money.services import set_money
from tournament.results.enter import void_result
from tournament.snapshot import take_snapshot


def evening(director, players: int = 8, **terms: object) -> Event:
    """A knockout with buy-ins in which round 1 has been played."""
    event = build_event(director, players=players, format="buy-in", options=terms)
    play_round(event, 1)
    return event


def play_round(event: Event, round: int, bracket: str = "M") -> None:
    for match in open_matches(event):
        if (match.fixture.bracket, match.fixture.round) == (bracket, round):
            win(match, Side.A)


def losers(event: Event) -> list[Entry]:
    fixtures = event.stages.get().fixtures.filter(bracket="M", round=1).order_by("number")
    return [fixture.entry_b for fixture in fixtures.select_related("entry_b__player")]


def refused(act, *args: object, **kwargs: object) -> tuple[str, str]:
    with pytest.raises((Conflict, Refusal)) as refusal:
        act(*args, **kwargs)
    return refusal.value.code, str(refusal.value)


def test_losers_buy_in_are_drawn_when_buy_ins_close_and_play_to_the_end(director):
    event = evening(director)
    main = sides(event)
    first, second, third, _fourth = losers(event)
    bought = [late(event, entry.player.name)[0] for entry in (first, second, third)]
    assert [(entry.reentry, entry.presence, entry.name) for entry in bought] == [
        (1, [2], f"{entry.player.name} (2)") for entry in (first, second, third)
    ]
    assert {key: seats for key, seats in sides(event).items() if key in main} == main
    assert_audited(event)
    play_round(event, 2)
    seated = {entry for key, seats in sides(event).items() if key.startswith("B") for entry in seats if entry}
    assert seated == {entry.pk for entry in bought}
    assert_audited(event)
    play_out(event)
    finish_event(event, by=None, at=AT)
    assert_audited(event)
    stage = take_snapshot(event.pk).stage
    assert len(stage.standings) == 11
    assert [line.entry.reentry for line in stage.sections["B"]] == [1, 1, 1]


def test_refusals_name_the_reason(director):
    event = evening(director)
    loser, still_in = losers(event)[0], event.stages.get().fixtures.get(key="M1-1").entry_a.player.name
    assert refused(late, event, still_in) == ("buy_in_still_in", f"{still_in} is still in the main bracket.")
    assert refused(late, event, "Newcomer") == (
        "buy_in_not_drawn",
        "Newcomer was not drawn in the main bracket: only players who have lost there may buy in.",
    )
    late(event, loser.player.name)
    assert refused(late, event, loser.player.name)[0] == "buy_in_again"
    assert event.entries.count() == 9
    play_round(event, 2)
    assert refused(late, event, losers(event)[1].player.name) == (
        "buy_ins_closed",
        "Buy-ins are closed: the buy-in bracket has been drawn.",
    )
    assert event.entries.count() == 9


def test_before_the_draw_nobody_is_entered_twice(director):
    event = build_event(director, players=8, format="buy-in", drawn=False)
    assert refused(late, event, "Player 1")[0] == "entry_twice"


def test_a_player_who_waited_since_before_the_draw_does_not_get_into_it(director):
    event = build_event(director, players=8, format="buy-in", drawn=False)
    set_limit(event, 8)
    (waiting,) = late(event, "Late")
    make_draw(event, by=None, at=AT)
    set_limit(event, None)
    assert refused(move_up, waiting, by=None, at=AT)[0] == "buy_in_not_drawn"


def test_a_buy_in_is_removed_undone_and_restored_until_buy_ins_close(director):
    event = evening(director)
    one, other = losers(event)[:2]
    (bought,) = late(event, one.player.name)
    row = event.log.first()
    undone = undo_step(row, by=None, at=AT)
    assert (event.entries.count(), undone.verb) == (8, "remove_entry")
    undo_step(undone, by=None, at=AT)
    again = event.entries.get(reentry=1)
    assert (again.name, again.number, again.presence) == (bought.name, 9, [2])
    late(event, other.player.name)
    play_round(event, 2)
    assert refused(remove_entry, again, by=None, at=AT)[0] == "buy_ins_closed"
    assert_audited(event)


def test_a_result_that_closed_buy_ins_is_taken_back_until_somebody_plays_there(director):
    event = evening(director)
    for loser in losers(event)[:3]:
        late(event, loser.player.name)
    play_round(event, 2)
    fixture = event.stages.get().fixtures.get(key="M2-1")
    void_result(fixture.match, base=1, reason="misread", by=None, at=AT)
    assert [key for key in sides(event) if key.startswith("B")] == []
    win(fixture.match, Side.A)
    assert [key for key in sides(event) if key.startswith("B")] == ["B1-1", "B1-2", "B2-1"]
    play_round(event, 1, "B")
    assert_audited(event)


def test_a_buy_in_costs_the_reentry_fee(director):
    event = build_event(director, players=8, format="buy-in", drawn=False)
    set_money(event, build_money_terms(fee=5000, reentry_fee=2000), by=director, at=AT)
    make_draw(event, by=None, at=AT)
    play_round(event, 1)
    late(event, losers(event)[0].player.name)
    assert take_ledger(event.pk).pool.amount == 8 * 5000 + 2000


def test_the_private_page_of_a_player_who_lost_says_so_while_they_may_buy_in(client, director):
    event = evening(director)
    first, second, *_others = losers(event)
    winner = event.stages.get().fixtures.get(key="M1-1").entry_a
    sentence = "You have lost, and can buy in again for the buy-in bracket: ask the director."

    def told(*entries: Entry) -> list[bool]:
        return [sentence in client.get(link_of(entry)).content.decode() for entry in entries]

    assert told(first, second, winner) == [True, True, False]
    (bought,) = late(event, first.player.name)
    assert told(first, bought, second) == [False, False, True]
    play_round(event, 2)
    assert told(first, second, winner) == [False, False, False]


def test_no_other_format_says_that_players_may_buy_in(client, director):
    event = build_event(director, players=4)
    play_round(event, 1)
    loser = event.stages.get().fixtures.get(key="M1-1").entry_b
    assert "buy in" not in client.get(link_of(loser)).content.decode()


def test_the_page_says_that_players_may_buy_in_until_they_no_longer_can(as_director, director):
    event = evening(director)
    page = f"{event.get_absolute_url()}entries/"
    assert "A player who has lost can buy in" in as_director.get(page).content.decode()
    name = losers(event)[0].player.name
    assert as_director.post(page, {"way": "one", "name": name}).status_code == 302
    shown = as_director.get(page).content.decode()
    assert f"{name} (2)" in shown
    assert "from round 2" not in shown
    late(event, losers(event)[1].player.name)
    play_round(event, 2)
    assert "Enter players" not in as_director.get(page).content.decode()
    bracket = as_director.get(f"{event.get_absolute_url()}bracket/").content.decode()
    assert "Buy-in bracket" in bracket


def test_the_api_answers_with_the_reason(director, as_director):
    event = evening(director)
    name = event.stages.get().fixtures.get(key="M1-1").entry_a.player.name
    answer = as_director.post(f"/api/v1/events/{event.pk}/entries/", {"name": name}, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (409, "buy_in_still_in")


def test_teams_buy_in_under_their_name(director):
    event = build_event(director, players=4, format="buy-in", boards=3)
    play_out_round(event)
    team = losers(event)[0]
    lines = [EntryLine(name=f"{team.team}: {', '.join(person.name for person in team.people)}", line=1)]
    (bought,) = add_entries(event, lines=lines, by=None, at=AT)
    assert bought.name == f"{team.team} (2)"
    play_out(event)
    assert_audited(event)


def play_out_round(event: Event) -> None:
    for match in open_matches(event):
        if match.board.fixture.round == 1:
            win(match, Side.A)
