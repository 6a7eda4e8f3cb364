"""Knockout with buy-ins: who may buy in, when the second bracket is drawn, how it is drawn, and all places."""

from dataclasses import replace
from random import Random

import pytest

from tests.tournament.formats.events import options_of, undecided
from tournament.formats.buy_in import KnockoutWithBuyIns
from tournament.formats.plan import Draw, Entrant, Outcome, Published
from tournament.rehearsal.chance import draw_field
from tournament.rehearsal.invariants import check_end, check_places, check_plan
from tournament.rehearsal.simulation import play_event

FORMAT = KnockoutWithBuyIns()


def field(count):
    return tuple(Entrant(number, f"Player {number}", persons=frozenset({number})) for number in range(1, count + 1))


def again(player, times=1):
    """The buy-in of this player, their ``times``-th."""
    name = f"Player {player} ({times + 1})"
    return Entrant(100 * times + player, name, persons=frozenset({player}), presence=(2,))


class Evening:
    """A knockout in which the lower number wins every match, and those who buy in as the evening goes on."""

    def __init__(self, count, **options):
        self.entrants = field(count)
        self.options = options_of(FORMAT, **options)
        self.outcomes = {}
        self.published = ()

    @property
    def draw(self):
        return Draw(self.entrants, self.options, dict(self.outcomes), "seed", self.published)

    @property
    def plan(self):
        return FORMAT.plan(self.draw)

    def plays(self, *brackets_and_rounds):
        """Play these rounds, such as M1, or everything without any."""
        while ready := [
            pairing
            for pairing in undecided(self.plan, self.outcomes)
            if not brackets_and_rounds or f"{pairing.bracket}{pairing.round}" in brackets_and_rounds
        ]:
            for pairing in ready:
                a, b = sorted((pairing.a.id, pairing.b.id), key=lambda number: number % 100)
                self.outcomes[pairing.key] = Outcome(a, b)
        return self

    def losers(self, round="M1"):
        return sorted(outcome.loser for key, outcome in self.outcomes.items() if key.startswith(f"{round}-"))

    def buys_in(self, *entrants):
        self.entrants += entrants
        return self

    def refusals(self):
        return {entrant: why.text for entrant, why in self.plan.refused.items()}

    def in_bracket(self):
        return {side for pairing in self.plan.pairings if pairing.bracket == "B" for side in pairing.entrant_ids}


def test_losers_of_round_1_are_drawn_into_a_second_bracket_when_round_2_is_over():
    evening = Evening(16).plays("M1")
    losers = evening.losers()
    evening.buys_in(*map(again, losers[:5]))
    assert evening.plan.takes_entries
    assert evening.in_bracket() == set()
    (section,) = evening.plan.sections
    assert (section.title.text, section.entrants) == ("Buy-in bracket", tuple(100 + one for one in losers[:5]))
    assert section.placings[0].why.text == "Bought in: the buy-in bracket is drawn when buy-ins close."
    evening.plays("M2")
    assert not evening.plan.takes_entries
    assert evening.in_bracket() == {100 + one for one in losers[:5]}
    assert evening.refusals() == {}


def test_the_main_bracket_is_the_same_whoever_buys_in():
    evening = Evening(16).plays("M1")
    before = [pairing for pairing in evening.plan.pairings if pairing.bracket == "M"]
    evening.buys_in(*map(again, evening.losers()))
    assert [pairing for pairing in evening.plan.pairings if pairing.bracket == "M"] == before


def test_who_may_not_buy_in_is_told_why():
    evening = Evening(16, buy_in_places=2).plays("M1", "M2")
    (first, second, third, *_), (late, *_) = evening.losers(), evening.losers("M2")
    evening.buys_in(again(1), again(late), again(first), again(first, 2), again(second), again(third))
    stranger = Entrant(900, "Newcomer", persons=frozenset({77}), presence=(2,))
    evening.buys_in(stranger)
    assert evening.refusals() == {
        101: "Player 1 is still in the main bracket.",
        100 + late: f"Player {late} lost too late: only those who lose up to round 1 may buy in.",
        200 + first: f"Player {first} has bought in as often as a player may (1).",
        100 + third: "All places in the buy-in bracket are taken (2).",
        900: "Newcomer was not drawn in the main bracket: only players who have lost there may buy in.",
    }
    assert evening.in_bracket() == {100 + first, 100 + second}


def test_after_a_correction_the_buy_in_of_somebody_who_is_in_again_is_not_drawn():
    evening = Evening(8).plays("M1")
    loser = evening.losers()[-1]
    evening.buys_in(*map(again, evening.losers()))
    key = next(key for key, outcome in evening.outcomes.items() if outcome.loser == loser)
    evening.outcomes[key] = Outcome(loser, evening.outcomes[key].winner)
    assert evening.refusals() == {100 + loser: f"Player {loser} is still in the main bracket."}
    evening.plays()
    assert evening.plan.finished
    assert check_end(FORMAT, evening.draw, evening.plan) == []
    assert [section.title.text for section in evening.plan.sections] == ["Buy-in bracket", "Not in the buy-in bracket"]


def test_two_entries_of_a_player_never_meet_in_round_1_and_one_that_could_only_do_so_is_left_out():
    evening = Evening(16, buy_ins=2).plays("M1")
    a, b = evening.losers()[:2]
    evening.buys_in(again(a), again(a, 2), again(b)).plays("M2")
    first = [pairing for pairing in evening.plan.pairings if (pairing.bracket, pairing.round) == ("B", 1)]
    assert {100 + a, 200 + a} not in [pairing.entrant_ids for pairing in first]
    alone = Evening(16, buy_ins=2).plays("M1").buys_in(again(a), again(a, 2)).plays("M2")
    assert alone.refusals() == {
        200 + a: f"Player {a} (3) would have to meet another entry of the same player, and so is not drawn."
    }
    assert [line.why.text for line in alone.plan.sections[0].placings] == ["Nobody else bought in."]


def test_a_rematch_of_the_main_bracket_is_avoided_in_round_1():
    """Those who lose in round 2 and their opponents' earlier victims cannot have met; the two sides of a match can."""
    for count in (8, 16, 32):
        evening = Evening(count, buy_in_rounds=2).plays("M1", "M2")
        evening.buys_in(*map(again, evening.losers() + evening.losers("M2"))).plays("M3")
        met = {frozenset((outcome.winner, outcome.loser)) for outcome in evening.outcomes.values()}
        first = [pairing for pairing in evening.plan.pairings if (pairing.bracket, pairing.round) == ("B", 1)]
        pairs = [frozenset(side % 100 for side in pairing.entrant_ids) for pairing in first if not pairing.is_bye]
        assert [pair for pair in pairs if pair in met] == []
        assert evening.plan.notes == ()


def test_without_a_grand_final_the_bracket_has_a_ranking_of_its_own_behind_the_main_one():
    evening = Evening(8).plays("M1").buys_in(*map(again, (5, 6, 7))).plays()
    plan = evening.plan
    assert plan.sections[0].placings[0].why.text.endswith("the final.")
    assert plan.placings[8].entrant == plan.sections[0].placings[0].entrant
    assert {line.entrant for line in plan.placings[8:]} == {105, 106, 107}
    assert [line.place for line in plan.placings[:3]] == [1, 2, 3]
    assert plan.winners == (1,)


def test_in_the_grand_final_the_two_winners_play_for_first_place():
    evening = Evening(8, reunite="grand-final").plays("M1")
    losers = evening.losers()
    evening.buys_in(*map(again, losers)).plays("M2", "M3", "B1", "B2")
    (grand,) = [pairing for pairing in evening.plan.pairings if pairing.bracket == "F"]
    assert grand.why.text == (
        "The grand final: the winner of the main bracket against the winner of the buy-in bracket."
    )
    champion = 100 + losers[0]
    assert grand.entrant_ids == {1, champion}
    evening.outcomes["F1-1"] = Outcome(champion, 1)
    places = [(line.entrant, line.place, line.place_to) for line in evening.plan.placings]
    assert places[:3] == [(champion, 1, 1), (1, 2, 2), (2, 3, 3)]
    assert check_places(evening.plan.placings, evening.entrants) == []
    assert evening.plan.finished


def test_no_place_is_settled_that_a_buy_in_can_still_take():
    evening = Evening(8, reunite="grand-final", buy_in_rounds=2).plays("M1", "M2")
    evening.outcomes["M3-1"] = Outcome(1, 2)
    closed = {line.entrant: (line.place, line.place_to) for line in evening.plan.placings}
    assert closed[2] == (2, 2)
    with_one = Evening(8, reunite="grand-final").plays("M1")
    before = {line.entrant: (line.place, line.place_to) for line in with_one.plan.placings}
    assert all(place_to > place for place, place_to in before.values())
    assert before[with_one.losers()[0]] == (5, 9)


def test_the_published_round_stands():
    evening = Evening(16).plays("M1")
    evening.buys_in(*map(again, evening.losers())).plays("M2")
    first = [pairing for pairing in evening.plan.pairings if (pairing.bracket, pairing.round) == ("B", 1)]
    sides = [(pairing.a.id, pairing.b.id) for pairing in first]
    turned = [(a, sides[number - 1][1]) for number, (a, _b) in enumerate(sides)]
    evening.published = tuple(Published(one.key, *two) for one, two in zip(first, turned, strict=True))
    stands = [pairing for pairing in evening.plan.pairings if (pairing.bracket, pairing.round) == ("B", 1)]
    assert [(pairing.a.id, pairing.b.id) for pairing in stands] == turned


@pytest.mark.parametrize("options", [{}, {"reunite": "grand-final", "buy_ins": 3, "buy_in_rounds": 2}])
@pytest.mark.parametrize("count", [2, 3, 5, 8, 13, 24])
def test_it_is_played_to_its_end_with_buy_ins_and_void_matches(count, options):
    """Those who buy in are there from the beginning, as the simulator knows no others; they wait until they may."""
    main = draw_field(count, "main")
    for number in (0, 1, count // 2, count):
        rng = Random(f"{count}{number}")
        chosen = [rng.choice(main) for _ in range(number)]
        late = tuple(replace(one, id=5000 + index, presence=(2,)) for index, one in enumerate(chosen))
        assert play_event(FORMAT, options_of(FORMAT, **options), (*main, *late), "s").violations == ()
        draw = Draw((*main, *late), options_of(FORMAT, **options), seed="s")
        while ready := undecided(plan := FORMAT.plan(draw), draw.outcomes):
            one = rng.choice(ready)
            outcome = Outcome(one.a.id, one.b.id, is_void=rng.random() < 0.2)
            draw = replace(draw, outcomes={**draw.outcomes, one.key: outcome})
            assert check_plan(draw, FORMAT.plan(draw)) == []
        assert plan.finished
        assert check_places(plan.placings, draw.entrants) == []
