"""Who enters the consolation, told from the words of each choice, for every size; and nobody plays twice at once."""

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.breadth import some
from tests.tournament.formats.events import decide, field, options_of, play_out, undecided
from tournament.formats import FORMATS
from tournament.formats.errors import PlanError
from tournament.formats.main_bracket import round_count
from tournament.formats.plan import Draw

FORMAT = FORMATS["consolation"]
SIZES = [*range(2, 20), *some(range(20, 65), 6)]
CHOICES = {
    "none": {"consolation": "none"},
    "simple": {"consolation": "simple"},
    "nobody": {"cut_off": "nobody"},
    "finalists": {"cut_off": "finalists"},
    "semifinalists": {"cut_off": "semifinalists"},
    "quarterfinalists": {"cut_off": "quarterfinalists"},
    "round 1": {"cut_off": "round", "cut_off_round": 1},
    "round 2": {"cut_off": "round", "cut_off_round": 2},
    "round 3": {"cut_off": "round", "cut_off_round": 3},
}


def those_who_fall(choice, plan, draw):
    """The entrants whom the words of the choice name, read from the matches of the main bracket."""
    main = [pairing for pairing in plan.pairings if pairing.bracket == "M" and not pairing.is_bye]
    last = max(pairing.round for pairing in main)
    outcomes = draw.outcomes
    winners = [outcomes[pairing.key].winner for pairing in main]
    lost_in = {outcomes[pairing.key].loser: pairing.round for pairing in main}
    never_won = {loser for loser in lost_in if loser not in winners}
    finalists = {loser for loser, round in lost_in.items() if round == last}
    match choice.split():
        case ["none"]:
            return set()
        case ["simple"] | ["round", "1"]:
            return never_won - finalists
        case ["nobody"]:
            return set(lost_in)
        case ["round", number]:
            return {loser for loser, round in lost_in.items() if round <= int(number)} - finalists
    before = last - ("finalists", "semifinalists", "quarterfinalists").index(choice)
    return {loser for loser, round in lost_in.items() if round < before}


@pytest.mark.parametrize("choice", CHOICES)
def test_those_enter_whom_the_words_name(choice):
    for size in SIZES:
        played = play_out(FORMAT, Draw(field(size), options_of(FORMAT, **CHOICES[choice]), seed=str(size)), choice)
        plan = FORMAT.plan(played)
        came = {seat for pairing in plan.pairings if pairing.bracket == "C" for seat in pairing.entrant_ids}
        named = those_who_fall(choice, plan, played)
        # One player alone plays no consolation.
        assert came == named or (len(named) < 2 and not came), size


COMBINATIONS = [
    {
        **cut,
        "second_consolation": second,
        "last_chance": chance,
        "reunite": reunite,
        "third_place": third,
        "shifted": to,
    }
    for cut, second, chance, reunite, third, to in product(
        CHOICES.values(),
        (False, True),
        ("none", "partial", "full"),
        ("none", "second-place", "grand-final"),
        (False, True),
        (False, True),
    )
]


def accepted_draws(size):
    """A draw of each bracket that some options give in a field of this size."""
    seen = set()
    for chosen in COMBINATIONS:
        options = options_of(FORMAT, **chosen)
        try:
            shape = FORMAT.shape(options, round_count(size))
            if shape not in seen:
                seen.add(shape)
                yield chosen, FORMAT.plan(Draw(field(size), options, seed=str(size)))
        except PlanError:
            continue


@pytest.mark.parametrize("size", SIZES)
def test_from_each_match_two_go_on_to_one_match_each(size):
    """So nobody ever has two open matches, whatever the options and the results; the second grand final follows."""
    for chosen, plan in accepted_draws(size):
        feeds = [
            feed
            for pairing in plan.pairings
            if pairing.key != "F2-1"
            for feed in (pairing.feed_a, pairing.feed_b)
            if feed not in ("", "bye")
        ]
        assert len(feeds) == len(set(feeds)), chosen


@given(st.integers(2, 64), st.sampled_from(COMBINATIONS), st.text(max_size=3))
def test_nobody_has_two_open_matches_while_the_event_is_played(size, chosen, salt):
    draw = Draw(field(size), options_of(FORMAT, **chosen), seed=salt)
    try:
        plan = FORMAT.plan(draw)
    except PlanError:
        return
    outcomes = {}
    while not plan.finished:
        ready = undecided(plan, outcomes)
        busy = [entrant for pairing in ready for entrant in pairing.entrant_ids]
        assert len(busy) == len(set(busy))
        half = ready[: (len(ready) + 1) // 2]
        outcomes |= {pairing.key: decide(pairing, salt) for pairing in half}
        plan = FORMAT.plan(replace(draw, outcomes=outcomes))


@pytest.mark.parametrize("size", [5, 6, 7])
def test_simple_consolation_and_third_place_are_refused_where_a_semifinal_can_be_a_first_match(size):
    with pytest.raises(PlanError) as refused:
        FORMAT.plan(Draw(field(size), options_of(FORMAT, consolation="simple", third_place=True)))
    assert refused.value.code == "third_place_taken"
    instead = options_of(FORMAT, cut_off="semifinalists", third_place=True)
    assert "T1-1" in {pairing.key for pairing in FORMAT.plan(Draw(field(size), instead)).pairings}


@pytest.mark.parametrize(("size", "chosen"), [(3, {}), (5, {"cut_off": "semifinalists"})])
def test_one_who_would_enter_alone_is_noted(size, chosen):
    plan = FORMAT.plan(Draw(field(size), options_of(FORMAT, **chosen)))
    assert [note.code for note in plan.notes] == ["consolation_of_one"]
    assert {pairing.bracket for pairing in plan.pairings} == {"M"}
