"""The byes of round 1 that a late entry may take: exactly those that move nobody who has begun."""

import random
from dataclasses import replace

import pytest

from tests.breadth import some
from tournament.formats import FORMATS, parse_options
from tournament.formats.errors import PlanError
from tournament.formats.knockout import MAIN
from tournament.formats.late import Knockout, byes_to_take
from tournament.formats.plan import Bye, Draw, Entrant, Outcome, Pairing

CHOICES = [
    ("single-elimination", {}),
    ("consolation", {"consolation": "none", "third_place": True}),
    ("consolation", {}),
    ("consolation", {"consolation": "simple"}),
    ("consolation", {"last_chance": "full", "reunite": "second-place"}),
    ("consolation", {"second_consolation": True}),
    ("double-elimination", {"shifted": True}),
    ("double-elimination", {}),
    ("double-elimination", {"placed": True}),
    ("consolation", {"placed": True}),
]
LATE = 999


def seats(pairing: Pairing) -> tuple[object, object]:
    return pairing.a, pairing.b


def is_ready(pairing: Pairing) -> bool:
    return all(isinstance(seat, Entrant) for seat in seats(pairing))


@pytest.mark.parametrize(("slug", "own"), CHOICES)
@pytest.mark.parametrize("count", some([3, 5, 6, 11, 12, 21], 4))
def test_a_late_entry_may_take_the_byes_that_move_nobody_who_has_begun(slug, own, count):
    format = FORMATS[slug]
    options = parse_options(slug, {"lengths": [9, 7, 5, 3], **own})
    rng = random.Random(f"{slug} {own} {count}")
    entrants = tuple(Entrant(id=number, name=f"Player {number}") for number in range(1, count + 1))
    draw = Draw(entrants, options, seed="late")
    for _step in range(2 * count):
        plan = format.plan(draw)
        ready = [p for p in plan.pairings if is_ready(p) and p.key not in draw.outcomes]
        begun = {p.key for p in rng.sample(ready, len(ready) // 3)} | draw.outcomes.keys()
        first = sorted((p for p in plan.pairings if (p.bracket, p.round) == (MAIN, 1)), key=lambda p: p.number)
        byes = [int(isinstance(p.b, Bye)) for p in first]
        accepted = [
            p.number for p, bye in zip(first, byes, strict=True) if bye and moves(format, draw, p.number, begun) == []
        ]
        assert byes_to_take(format, options, byes, begun) == accepted
        if not ready:
            break
        chosen = rng.choice(ready)
        winner, loser = rng.sample([chosen.a.id, chosen.b.id], 2)
        draw = replace(draw, outcomes={**draw.outcomes, chosen.key: Outcome(winner, loser)})


def moves(format, draw: Draw, number: int, begun: set[str]) -> list[str]:
    """The pairings that have begun and would lose a player, or get another length."""
    before = {p.key: p for p in format.plan(draw).pairings}
    late = Entrant(id=LATE, name="Late", bye_taken=number)
    try:
        after = {p.key: p for p in format.plan(replace(draw, entrants=(*draw.entrants, late))).pairings}
    except PlanError:
        return sorted(begun)  # a match that was played would be a bye
    told = {key: (seats(p), p.length) for key, p in after.items()}
    return [key for key in begun if told.get(key) != (seats(before[key]), before[key].length)]


def test_the_formats_that_take_late_entries_are_those_with_a_graph():
    assert {slug for slug, format in FORMATS.items() if format.takes_late} == {
        slug for slug, format in FORMATS.items() if isinstance(format, Knockout)
    }
    assert byes_to_take(FORMATS["swiss"], parse_options("swiss", {"lengths": [5]}), [1, 0], set()) == []
