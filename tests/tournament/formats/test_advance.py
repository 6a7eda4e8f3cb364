import pytest

from tests.tournament.formats.events import Event, play_out
from tournament.formats import FORMATS
from tournament.formats.errors import PlanError
from tournament.formats.plan import Bye, Draw, LoserOf, Outcome, WinnerOf

CONSOLATION = FORMATS["consolation"]
DOUBLE = FORMATS["double-elimination"]


def test_losers_wait_in_the_consolation_for_their_opponents():
    event = Event(CONSOLATION, 8)
    assert event.seats("C1-1") == [LoserOf("M1-1"), LoserOf("M1-2")]
    event.wins(1, "M1-1")
    assert event.seats("C1-1") == [8, LoserOf("M1-2")]
    assert event.pairing("C1-1").feed_a == "loser:M1-1"
    assert event.seats("C2-1") == [WinnerOf("C1-1"), LoserOf("M2-2")]


def test_first_loser_without_a_win_comes_into_the_simple_consolation():
    event = Event(CONSOLATION, 6, consolation="simple")
    event.wins(4, "M1-2")
    event.wins(3, "M1-4")
    (waiting,) = [pairing for pairing in event.plan.pairings if "loser:M2-1" in (pairing.feed_a, pairing.feed_b)]
    event.wins(4, "M2-1")
    came = event.pairing(waiting.key)
    assert event.entrants[0].id in came.entrant_ids
    assert not came.is_bye


def test_loser_with_a_win_leaves_a_bye_in_the_simple_consolation():
    event = Event(CONSOLATION, 6, consolation="simple")
    event.wins(4, "M1-2")
    event.wins(3, "M1-4")
    (waiting,) = [pairing for pairing in event.plan.pairings if "loser:M2-1" in (pairing.feed_a, pairing.feed_b)]
    event.wins(1, "M2-1")
    left = event.pairing(waiting.key)
    assert (left.b, left.feed_b, left.is_bye) == (Bye(), "bye", True)
    assert left.why.text == "Bye: the loser of M2-1 had already won a match, and so does not enter here."


def test_result_of_what_became_a_bye_is_stale():
    event = Event(CONSOLATION, 6, consolation="simple")
    event.wins(4, "M1-2")
    event.wins(3, "M1-4")
    event.wins(4, "M2-1")
    (key,) = [pairing.key for pairing in event.plan.pairings if "loser:M2-1" in (pairing.feed_a, pairing.feed_b)]
    event.wins(1, key)
    event.wins(1, "M2-1")
    assert event.plan.stale == (key,)


def test_result_of_what_is_always_a_bye_is_stale_where_a_result_brought_the_player_there():
    event = Event(CONSOLATION, 11)
    bye = next(pairing for pairing in event.plan.pairings if pairing.bracket == "C" and pairing.is_bye)
    event.outcomes[bye.key] = Outcome(event.entrants[0].id, event.entrants[1].id)
    assert event.plan.stale == (bye.key,)


def test_result_of_a_drawn_bye_is_refused():
    event = Event(CONSOLATION, 6)
    event.outcomes["M1-1"] = Outcome(event.entrants[0].id, event.entrants[1].id)
    with pytest.raises(PlanError) as refusal:
        _ = event.plan
    assert refusal.value.code == "outcome_of_bye"


def test_second_grand_final_is_there_only_as_long_as_it_may_be_needed():
    event = Event(DOUBLE, 2)
    assert event.seats("F2-1") == [LoserOf("F1-1"), WinnerOf("F1-1")]
    event.wins(1, "M1-1")
    event.wins(1, "F1-1")
    assert event.pairing("F2-1") is None
    assert event.plan.finished
    event.wins(2, "F1-1")
    assert event.seats("F2-1") == [1, 2]
    assert not event.plan.finished
    event.wins(2, "F2-1")
    assert event.plan.winners == (event.entrants[1].id,)


def test_result_of_a_second_grand_final_that_is_not_needed_is_stale():
    event = Event(DOUBLE, 4)
    played = play_out(DOUBLE, Draw(event.entrants, event.options))
    event.outcomes = dict(played.outcomes)
    unbeaten = event.pairing("F1-1").a
    event.outcomes["F1-1"] = Outcome(unbeaten.id, event.pairing("F1-1").b.id)
    event.outcomes["F2-1"] = Outcome(event.pairing("F1-1").b.id, unbeaten.id)
    assert (event.plan.stale, event.plan.winners) == (("F2-1",), (unbeaten.id,))


def test_outcome_of_others_is_stale_in_every_bracket():
    event = Event(CONSOLATION, 16, last_chance="full", third_place=True, cut_off="semifinalists")
    played = play_out(CONSOLATION, Draw(event.entrants, event.options))
    strangers = Outcome(event.entrants[0].id, event.entrants[15].id)
    brackets = set()
    for pairing in CONSOLATION.plan(played).pairings:
        if pairing.feed_a and not pairing.entrant_ids <= {strangers.winner, strangers.loser}:
            event.outcomes = {**played.outcomes, pairing.key: strangers}
            assert pairing.key in event.plan.stale
            brackets.add(pairing.bracket)
    assert brackets == {"M", "C", "L", "T"}


def test_correction_moves_both_into_the_other_bracket():
    event = Event(CONSOLATION, 8)
    event.wins(1, "M1-1")
    event.wins(4, "M1-2")
    event.wins(8, "C1-1")
    event.wins(8, "M1-1")
    assert (event.plan.stale, event.seats("M2-1"), event.seats("C1-1")) == (("C1-1",), [8, 4], [1, 5])


def test_lengths_are_those_of_each_bracket_from_its_final_backwards():
    event = Event(
        CONSOLATION,
        16,
        lengths=[11, 9, 7],
        last_chance="full",
        reunite="second-place",
        consolation_lengths=[7, 5],
        last_chance_lengths=[3, 1],
        final_lengths=[13],
    )
    lengths = {pairing.bracket + str(pairing.round): pairing.length for pairing in event.plan.pairings}
    assert [lengths[f"M{round}"] for round in (1, 2, 3, 4)] == [7, 7, 9, 11]
    assert [lengths[f"C{round}"] for round in (1, 2, 3, 4, 5)] == [5, 5, 5, 5, 7]
    assert [lengths["L3"], lengths["L4"], lengths["P1"]] == [1, 3, 13]


def test_lengths_of_the_main_hold_where_none_are_chosen():
    lengths = {pairing.key: pairing.length for pairing in Event(CONSOLATION, 16, lengths=[11, 9, 7]).plan.pairings}
    assert [lengths["C5-1"], lengths["C4-1"], lengths["C1-1"]] == [11, 9, 7]
