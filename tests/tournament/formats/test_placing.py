"""Losers placed when a round is over: exactly, once for all, and so that rematches are fewest."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from random import Random

import pytest

from tests.tournament.formats.events import field, options_of, undecided
from tournament.formats import FORMATS
from tournament.formats.lots import Urn
from tournament.formats.plan import Bye, Draw, LoserOf, LoserOfRound, Outcome, Published, WinnerOf, parse_feed, seated

CONSOLATION = FORMATS["consolation"]
DOUBLE = FORMATS["double-elimination"]
BOTH = pytest.mark.parametrize("format", [CONSOLATION, DOUBLE], ids=["consolation", "double"])


def new_draw(format, size, seed="placing", **chosen):
    return Draw(field(size), options_of(format, placed=True, **chosen), seed=seed)


def by_key(plan):
    return {pairing.key: pairing for pairing in plan.pairings}


def decided(draw, pairing, rng):
    winner, loser = rng.sample(sorted(pairing.entrant_ids), 2)
    return replace(draw, outcomes={**draw.outcomes, pairing.key: Outcome(winner, loser)})


def plans_of_an_event(format, draw, rng):
    """Play in any order; yield each draw with its plan."""
    while True:
        plan = format.plan(draw)
        yield draw, plan
        if plan.finished:
            return
        draw = decided(draw, rng.choice(undecided(plan, draw.outcomes)), rng)


def feeds(plan):
    return {
        (pairing.key, side): parse_feed(getattr(pairing, f"feed_{side}")) for pairing in plan.pairings for side in "ab"
    }


def berths(plan, round):
    """The seats that wait for a loser of the round."""
    return sorted(seat for seat, feed in feeds(plan).items() if feed == LoserOfRound(round))


def known_before(draw, waiting, pairings):
    """The draw without results of the consolation's round in which the first of those ``waiting`` sits, and later."""
    first = min(pairings[key].round for key, _side in waiting)
    early = {key: result for key, result in draw.outcomes.items() if key[0] == "M" or pairings[key].round < first}
    return replace(draw, outcomes=early)


def feeds_of(pairing, side):
    return parse_feed(getattr(pairing, f"feed_{side}"))


def rematches(plan, draw, places):
    """The rematches to expect of those in ``places`` by seat, following everybody through the bracket."""
    met = {frozenset((outcome.winner, outcome.loser)) for outcome in draw.outcomes.values()}
    chances: dict[str, dict[int, Fraction]] = {}
    expected = Fraction(0)
    pairings = [pairing for pairing in plan.pairings if pairing.bracket == "C"]
    for pairing in pairings:
        sides = []
        for side in "ab":
            feed, seat = feeds_of(pairing, side), seated(getattr(pairing, side))
            if isinstance(feed, WinnerOf):
                sides.append(chances[feed.key])
            elif seat is not None:
                sides.append({seat: Fraction(1)})
            else:
                sides.append({places[pairing.key, side]: Fraction(1)} if (pairing.key, side) in places else {})
        a, b = sides
        if pairing.key in draw.outcomes:
            chances[pairing.key] = {draw.outcomes[pairing.key].winner: Fraction(1)}
            continue
        newcomers = set(places.values())
        expected += sum(
            one * other
            for x, one in a.items()
            for y, other in b.items()
            if {x, y} & newcomers and frozenset((x, y)) in met
        )
        is_bye = isinstance(pairing.a, Bye) or isinstance(pairing.b, Bye)
        chances[pairing.key] = {one: chance / (1 if is_bye else 2) for one, chance in (a | b).items()}
    return expected


@pytest.mark.parametrize("chosen", [{}, {"shifted": True}], ids=["steady", "shifted"])
@pytest.mark.parametrize("size", [8, 11, 16, 20])
@BOTH
def test_no_way_to_place_the_losers_of_a_round_has_fewer_rematches(format, size, chosen):
    for seed in range(6):
        before = None
        for draw, plan in plans_of_an_event(format, new_draw(format, size, str(seed), **chosen), Random(seed)):
            for round in (2, 3, 4) if before else ():
                waiting = berths(before, round)
                if not waiting or berths(plan, round) or len(waiting) > 5:
                    continue
                pairings = by_key(plan)
                placed = [seated(getattr(pairings[key], side)) for key, side in waiting]
                is_free = [isinstance(pairings[key].b, Bye) for key, _side in waiting]
                had_bye = {seated(p.a) for p in plan.pairings if p.bracket == "M" and p.is_bye}
                early = known_before(draw, waiting, pairings)
                found = {}
                for order in permutations(placed):
                    byes = sum(free and entrant in had_bye for free, entrant in zip(is_free, order, strict=True))
                    places = dict(zip(waiting, order, strict=True))
                    found[order] = (byes, rematches(before, early, places))
                assert found[tuple(placed)] == min(found.values())
            before = plan


@BOTH
def test_a_seat_says_which_round_fills_it_until_the_rounds_before_are_over(format):
    rng = Random("open")
    for draw, plan in plans_of_an_event(format, new_draw(format, 16), rng):
        over = {
            (bracket, round): all(
                pairing.is_bye or pairing.key in draw.outcomes
                for pairing in plan.pairings
                if (pairing.bracket, pairing.round) == (bracket, round)
            )
            for bracket in "MC"
            for round in range(1, 7)
        }
        assert bool(berths(plan, 2)) == (not (over["M", 2] and over["C", 1]))
        assert bool(berths(plan, 3)) == (not (over["M", 3] and over["C", 1] and over["C", 2] and over["C", 3]))
        for key, side in berths(plan, 2):
            pairing = by_key(plan)[key]
            assert getattr(pairing, side) == LoserOfRound(2)
            assert pairing.why.code == "placed_later"


@pytest.mark.parametrize("size", [7, 12, 16, 21])
@BOTH
def test_later_results_do_not_change_a_placing(format, size):
    for seed in range(4):
        known = {}
        for _draw, plan in plans_of_an_event(format, new_draw(format, size, str(seed)), Random(seed)):
            now = {seat: feed for seat, feed in feeds(plan).items() if isinstance(feed, LoserOf) and seat[0][0] == "C"}
            assert known.items() <= now.items()
            known = now


@BOTH
def test_why_says_what_the_placing_is_worth(format):
    *_earlier, (_draw, plan) = plans_of_an_event(format, new_draw(format, 16), Random("why"))
    whys = [pairing.why for pairing in plan.pairings if pairing.why.code == "placed"]
    assert len(whys) == 6
    assert all(why.as_dict()["params"]["rematches"] <= why.as_dict()["params"]["fixed"] for why in whys)
    assert {why.as_dict()["params"]["round"] for why in whys} == {2, 3}


def repeats_in(format, size, events, *, placed):
    """The rematches an event, of even matches, without grand finals."""
    options = options_of(format, placed=placed)
    found = 0
    for seed in range(events):
        rng = Random(f"{size} {seed}")
        draw = Draw(field(size), options, seed=str(seed))
        while not (plan := format.plan(draw)).finished:
            for pairing in undecided(plan, draw.outcomes):
                draw = decided(draw, pairing, rng)
        met = Counter(pairing.entrant_ids for pairing in plan.pairings if pairing.bracket in "MC" and pairing.is_ready)
        found += sum(times - 1 for times in met.values())
    return found / events


@pytest.mark.parametrize(("format", "most"), [(CONSOLATION, 0.30), (DOUBLE, 0.66)], ids=["consolation", "double"])
def test_rematches_are_fewer_than_any_fixed_order_gives(format, most):
    """A fixed order has 0.41 and 0.75 in a field of 16, placing 0.24 and 0.58."""
    assert repeats_in(format, 16, 400, placed=True) < most


class RecordedLots:
    """Lots that are the same for the draw and others for each placing, and that remember what was asked of them."""

    def __init__(self, link="link"):
        self.link = link
        self.scopes = []

    def urn(self, scope):
        self.scopes.append(scope)
        return Urn(self.link if scope.startswith("placing") else "link", "", scope)


def test_lots_for_a_placing_are_drawn_only_once_its_rounds_are_over():
    rng = Random("lots")
    draw = replace(new_draw(CONSOLATION, 16), lots=RecordedLots())
    for state, plan in plans_of_an_event(CONSOLATION, draw, rng):
        asked = {scope for scope in state.lots.scopes if scope.startswith("placing")}
        assert asked == {f"placing {round}" for round in (2, 3) if not berths(plan, round)}


def second_round_placed(format, size, **given):
    """An event in which everything before the first placing is over: the better id wins."""
    draw = replace(new_draw(format, size), **given)
    while berths(plan := format.plan(draw), 2):
        for pairing in undecided(plan, draw.outcomes):
            if pairing.round == 1 or (pairing.bracket, pairing.round) == ("M", 2):
                winner, loser = sorted(pairing.entrant_ids)
                draw = replace(draw, outcomes={**draw.outcomes, pairing.key: Outcome(winner, loser)})
    return draw


def test_lots_decide_between_placings_that_are_as_good():
    placings, worth = set(), set()
    for link in "abcdefgh":
        plan = CONSOLATION.plan(second_round_placed(CONSOLATION, 64, lots=RecordedLots(link)))
        entering = [pairing for pairing in plan.pairings if pairing.key.startswith("C2-")]
        placings.add(tuple(pairing.feed_b for pairing in entering))
        worth |= {pairing.why.as_dict()["params"]["rematches"] for pairing in entering}
    assert len(placings) > 1
    assert len(worth) == 1


def published_in(plan, prefix):
    return tuple(
        Published(pairing.key, seated(pairing.a), seated(pairing.b))
        for pairing in plan.pairings
        if pairing.key.startswith(prefix) and pairing.is_ready
    )


@BOTH
def test_after_a_correction_those_in_published_pairings_stay_and_only_the_others_are_placed_again(format):
    draw = second_round_placed(format, 16)
    plan = format.plan(draw)
    before = {pairing.key: pairing.feed_b for pairing in plan.pairings if pairing.key.startswith("C2-")}
    (moved,) = (key for key, feed in before.items() if feed == "loser:M2-1")
    draw = replace(draw, published=published_in(plan, "C2-"))
    assert format.plan(draw) == plan

    outcome = draw.outcomes["M2-1"]
    corrected = by_key(format.plan(replace(draw, outcomes={**draw.outcomes, "M2-1": flipped(outcome)})))
    assert {key: corrected[key].feed_b for key in before} == before
    assert seated(corrected[moved].b) == outcome.winner

    taken_back = {key: result for key, result in draw.outcomes.items() if key != "M2-1"}
    open_again = by_key(format.plan(replace(draw, outcomes=taken_back)))
    assert {key: open_again[key].feed_b for key in before} == {**before, moved: "round:2"}


@BOTH
def test_a_corrected_result_of_the_consolation_moves_nobody_whose_pairing_is_published(format):
    draw = second_round_placed(format, 32)
    plan = format.plan(draw)
    before = {pairing.key: pairing.feed_b for pairing in plan.pairings if pairing.key.startswith("C2-")}
    corrected = {**draw.outcomes, "C1-1": flipped(draw.outcomes["C1-1"])}
    again = by_key(format.plan(replace(draw, outcomes=corrected, published=published_in(plan, "C2-"))))
    assert {key: again[key].feed_b for key in before} == before
    assert seated(again["C2-1"].a) == draw.outcomes["C1-1"].loser


def flipped(outcome):
    return Outcome(outcome.loser, outcome.winner)


def test_a_loser_of_a_void_match_leaves_a_berth_empty_and_the_rest_are_placed():
    draw = second_round_placed(CONSOLATION, 16)
    void = replace(draw.outcomes["M2-3"], is_void=True)
    plan = CONSOLATION.plan(replace(draw, outcomes={**draw.outcomes, "M2-3": void}))
    entering = [pairing for pairing in plan.pairings if pairing.key.startswith("C2-")]
    assert sum(pairing.is_bye for pairing in entering) == 1
    assert {pairing.feed_b for pairing in entering} == {"loser:M2-1", "loser:M2-2", "loser:M2-4", "bye"}
    assert plan.stale == ()


def test_a_consolation_for_first_losers_knows_no_placing():
    options = options_of(CONSOLATION, consolation="simple")
    fixed = CONSOLATION.plan(Draw(field(11), options, seed="s"))
    assert CONSOLATION.plan(new_draw(CONSOLATION, 11, "s", consolation="simple")) == fixed
