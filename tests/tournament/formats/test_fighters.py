"""Fighter's bracket: the last four of the main bracket and of the consolation, and the final eight drawn from them."""

from dataclasses import replace

import pytest

from tests.tournament.formats.events import Event, decide, field, options_of, play_out, undecided
from tournament.formats.errors import PlanError
from tournament.formats.fighters import FightersBracket
from tournament.formats.lots import Urn
from tournament.formats.plan import Draw, Outcome, Published
from tournament.rehearsal.chance import draw_field
from tournament.rehearsal.invariants import check_places
from tournament.rehearsal.simulation import simulate_event

FORMAT = FightersBracket()


def played(size, salt="", **options):
    """A draw of this size, played to its end, and the plan of that."""
    draw = play_out(FORMAT, Draw(field(size), options_of(FORMAT, **options), seed=f"seed {size}"), salt)
    return draw, FORMAT.plan(draw)


def until_the_eight(size, salt="", **changed):
    """The results of both brackets, and the plan that draws the final eight from them."""
    draw, _plan = played(size, salt)
    outcomes = {key: outcome for key, outcome in draw.outcomes.items() if key[0] != "E"} | changed
    return outcomes, FORMAT.plan(Draw(draw.entrants, draw.options, outcomes, draw.seed))


def eight_of(plan):
    return {pairing.key: (pairing.a.id, pairing.b.id) for pairing in plan.pairings if pairing.key.startswith("E1-")}


@pytest.mark.parametrize("size", range(2, 8))
def test_a_field_below_eight_is_refused(size):
    with pytest.raises(PlanError) as refused:
        FORMAT.plan(Draw(field(size), options_of(FORMAT)))
    assert (refused.value.code, str(refused.value)) == (
        "field_size",
        f"This format takes 8 to 1024 entrants, not {size}.",
    )


@pytest.mark.parametrize("size", range(8, 65))
def test_four_unbeaten_and_four_beaten_once_meet_in_the_final_eight(size):
    outcomes, plan = until_the_eight(size)
    losses = [outcome.loser for outcome in outcomes.values()]
    eight = eight_of(plan)
    assert [losses.count(a) for a, _b in eight.values()] == [0, 0, 0, 0]
    assert [losses.count(b) for _a, b in eight.values()] == [1, 1, 1, 1]
    assert len({entrant for pair in eight.values() for entrant in pair}) == 8


@pytest.mark.parametrize("size", [8, 9, 13, 16, 23, 32])
def test_everyone_else_is_out_with_two_losses_and_ranks_by_the_round_of_the_second(size):
    draw, plan = played(size)
    assert check_places(plan.placings, draw.entrants) == []
    eight = {entrant for pair in eight_of(plan).values() for entrant in pair}
    assert {placing.entrant for placing in plan.placings if placing.place <= 8} == eight
    out_in = {outcome.loser: key for key, outcome in sorted(draw.outcomes.items(), key=lambda line: line[0][0] == "C")}
    rounds = [int(out_in[placing.entrant][1]) for placing in plan.placings if placing.place > 8]
    assert rounds == sorted(rounds, reverse=True)
    assert all(placing.why for placing in plan.placings)


def test_places_1_to_8_are_those_of_the_final_eight():
    _draw, plan = played(16)
    assert [(line.place, line.place_to) for line in plan.placings][:8] == [(1, 1), (2, 2), *[(3, 4)] * 2, *[(5, 8)] * 4]
    assert [line.why.text for line in plan.placings][:2] == ["Won E3-1, the final.", "Lost E3-1, the final."]


def test_the_final_eight_is_drawn_once_the_last_of_them_is_known():
    outcomes, plan = until_the_eight(16)
    entrants, options = field(16), options_of(FORMAT)
    for key in outcomes:
        before = {other: outcomes[other] for other in outcomes if other != key and not follows(plan, other, key)}
        assert eight_of(FORMAT.plan(Draw(entrants, options, before, "seed 16"))) == {}, key
    assert len(eight_of(plan)) == 4
    assert not plan.finished


def follows(plan, later, earlier):
    pairing = next(pairing for pairing in plan.pairings if pairing.key == later)
    sources = {feed.partition(":")[2] for feed in (pairing.feed_a, pairing.feed_b)} - {""}
    return earlier in sources or any(follows(plan, source, earlier) for source in sources)


@pytest.mark.parametrize("salt", [str(number) for number in range(40)])
def test_a_rematch_in_the_first_round_of_the_eight_is_avoided_where_it_can_be(salt):
    """With 8 entrants each of the four losers has met one of the four winners, and no rematch is needed."""
    outcomes, plan = until_the_eight(8, salt)
    met = {frozenset((outcome.winner, outcome.loser)) for outcome in outcomes.values()}
    assert [pair for pair in eight_of(plan).values() if frozenset(pair) in met] == []
    assert plan.notes == ()


def test_the_order_of_the_entrants_changes_nothing():
    draw, _plan = played(16)
    outcomes = {key: outcome for key, outcome in draw.outcomes.items() if key[0] != "E"}
    entrants = draw.entrants[::-1]
    again = FORMAT.plan(Draw(entrants, draw.options, outcomes, draw.seed))
    assert eight_of(again) == eight_of(until_the_eight(16)[1])


def test_the_eight_are_drawn_from_an_urn_of_their_own():
    """The smallest lot comes first: the four of the main bracket stand in the order of their lots."""
    urns = {scope: Urn("ab" * 32, "dice 6 1", scope) for scope in ("draw", "final eight")}

    class Urns:
        def urn(self, scope):
            return urns[scope]

    draw = Draw(field(16), options_of(FORMAT), seed="seed", lots=Urns())
    while ready := undecided(plan := FORMAT.plan(draw), draw.outcomes):
        if eight_of(plan):
            break
        draw = replace(draw, outcomes={**draw.outcomes, ready[0].key: decide(ready[0], "")})
    main = [a for a, _b in eight_of(plan).values()]
    assert main == sorted(main, key=lambda entrant: urns["final eight"].lot(str(entrant)))
    assert {FORMAT.scope(pairing) for pairing in plan.pairings if pairing.bracket == "E"} == {"final eight"}
    assert {FORMAT.scope(pairing) for pairing in plan.pairings if pairing.bracket in "MC"} == {"draw"}


def test_a_corrected_result_that_changes_none_of_the_eight_leaves_the_published_round_as_it_is():
    """Two who are out anyway are swapped: one of them had met somebody of the eight in the consolation."""
    draw, plan = played(32)
    eight = eight_of(plan)
    published = tuple(Published(key, a, b) for key, (a, b) in eight.items())
    turned = tuple(
        Published(key, one.a, other.b)
        for key, one, other in zip(eight, published, published[1:] + published[:1], strict=True)
    )
    kept = FORMAT.plan(Draw(draw.entrants, draw.options, until_the_eight(32)[0], draw.seed, published=turned))
    assert eight_of(kept) == {line.key: (line.a, line.b) for line in turned}


def test_a_result_of_the_final_eight_falls_when_one_of_them_is_corrected():
    draw, _plan = played(16)
    last = next(outcome for key, outcome in draw.outcomes.items() if key == "M2-1")
    corrected = {**draw.outcomes, "M2-1": Outcome(last.loser, last.winner)}
    plan = FORMAT.plan(Draw(draw.entrants, draw.options, corrected, draw.seed))
    assert {key for key in plan.stale if key[0] == "E"} == {key for key in draw.outcomes if key[0] == "E"}
    assert not plan.finished


def test_lengths_are_read_from_the_final_of_the_eight_backwards():
    lengths = {(p.bracket, p.round): p.length for p in played(32)[1].pairings}
    assert [lengths["E", round] for round in (3, 2, 1)] == [9, 7, 5]
    assert {length for (bracket, _round), length in lengths.items() if bracket in "MC"} == {5}
    draw = play_out(FORMAT, Draw(field(32), options_of(FORMAT, lengths=[15, 13, 11, 9, 7, 5])))
    lengths = {(p.bracket, p.round): p.length for p in FORMAT.plan(draw).pairings}
    assert [lengths["M", round] for round in (1, 2, 3)] == [5, 7, 9]
    draw = play_out(FORMAT, Draw(field(32), options_of(FORMAT, consolation_lengths=[7, 3])))
    lengths = {(p.bracket, p.round): p.length for p in FORMAT.plan(draw).pairings}
    assert [lengths["C", round] for round in (1, 2, 3, 4)] == [3, 3, 3, 7]


def test_pairings_of_the_eight_say_why():
    event = Event(FORMAT, 8)
    for pairing in undecided(event.plan, event.outcomes):
        event.outcomes[pairing.key] = Outcome(pairing.a.id, pairing.b.id)
    whys = {pairing.key: pairing.why for pairing in event.plan.pairings}
    assert {whys[f"E1-{number}"].code for number in range(1, 5)} <= {"eight_drawn", "eight_drawn_apart"}
    assert whys["E1-1"].text.startswith("Final eight, drawn by lot once all eight were known")
    assert whys["E2-1"].text == "The winner of E1-1 meets the winner of E1-2."


def test_somebody_whom_nobody_meets_has_a_bye():
    """Two matches to which neither side came leave four of the consolation's eight seats empty."""
    event = Event(FORMAT, 8)
    first, *others = undecided(event.plan, event.outcomes)
    event.outcomes[first.key] = Outcome(first.a.id, first.b.id, is_void=True)
    for pairing in others:
        event.outcomes[pairing.key] = Outcome(pairing.a.id, pairing.b.id)
    eight = [pairing for pairing in event.plan.pairings if pairing.key.startswith("E1-")]
    assert sum(pairing.is_bye for pairing in eight) == 2
    assert {pairing.why.code for pairing in eight if pairing.is_bye} == {"bye_after_void"}
    while waiting := undecided(event.plan, event.outcomes):
        event.outcomes[waiting[0].key] = Outcome(waiting[0].a.id, waiting[0].b.id)
    assert event.plan.finished
    assert check_places(event.plan.placings, event.entrants) == []


def test_two_entries_of_one_player_are_kept_apart_in_the_first_round_of_the_eight():
    entrants = list(draw_field(8, "persons"))
    draw = play_out(FORMAT, Draw(tuple(entrants), options_of(FORMAT), seed="s"))
    pairs = eight_of(FORMAT.plan(draw))
    a, b = pairs["E1-1"]
    shared = frozenset({77})
    doubled = tuple(
        entrant if entrant.id not in (a, b) else type(entrant)(entrant.id, entrant.name, persons=shared)
        for entrant in entrants
    )
    outcomes = {key: outcome for key, outcome in draw.outcomes.items() if key[0] != "E"}
    again = eight_of(FORMAT.plan(Draw(doubled, draw.options, outcomes, "s")))
    assert (a, b) not in again.values()


@pytest.mark.parametrize("size", [8, 11, 16, 24, 33, 48, 64, 100, 128, 300])
def test_it_is_simulated_to_its_end(size):
    assert simulate_event(FORMAT, options_of(FORMAT), size, "fight").violations == ()
