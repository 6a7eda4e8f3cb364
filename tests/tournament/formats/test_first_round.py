from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournament.formats.events import assert_even, field, options_of
from tournament.formats import FORMATS
from tournament.formats.first_round import draw_first_round
from tournament.formats.main_bracket import round_count
from tournament.formats.plan import Draw, Entrant

FORMAT = FORMATS["consolation"]


def drawn(entrants, seed="", **options):
    return draw_first_round(Draw(tuple(entrants), options_of(FORMAT, **options), {}, seed))


def matches(first):
    return list(zip(first.lines[::2], first.lines[1::2], strict=True))


@given(
    st.integers(2, 130), st.floats(0, 1), st.sampled_from(("random", "seeded")), st.sampled_from(("seeds", "random"))
)
def test_everyone_has_a_line_and_byes_are_spread(size, seeded, seeding, byes):
    entrants = field(size, int(size * seeded))
    first = drawn(entrants, str(size), seeding=seeding, byes=byes)
    assert Counter(entrant.id for entrant in first.lines if entrant) == Counter(entrant.id for entrant in entrants)
    assert [int(b is None) for _, b in matches(first)] == list(first.byes)
    assert len(first.lines) == 2 ** round_count(size)
    assert len(first.reasons) == len(first.byes)
    assert_even(first.byes)


def test_byes_of_a_seeded_draw_go_to_the_best_or_to_anybody():
    best = drawn(field(6, 6), seeding="seeded")
    assert [a.seed for a, b in matches(best) if b is None] == [1, 2]
    at_random = Counter(
        a.seed
        for seed in range(200)
        for a, b in matches(drawn(field(6, 6), str(seed), seeding="seeded", byes="random"))
        if not b
    )
    assert sorted(at_random) == [1, 2, 3, 4]
    assert min(at_random.values()) > 60


def test_random_byes_leave_the_seeds_where_they_are():
    """The best entrants are seated by rank; the others meet them, starting with the lowest."""
    first = drawn(field(7, 7), "x", seeding="seeded", byes="random")
    assert [a.seed for a, _ in matches(first)] == [1, 4, 2, 3]
    others = {a.seed: b.seed for a, b in matches(first) if b}
    assert [others[seed] for seed in sorted(others, reverse=True)] == [5, 6, 7]
    bye = next(reason for reason, bye in zip(first.reasons, first.byes, strict=True) if bye)
    assert bye.code == "bye_drawn"


def test_protected_draw_keeps_clubs_apart_at_random_and_behind_the_seeds():
    entrants = [Entrant(number, f"P{number}", club=f"c{number % 3}") for number in range(1, 25)]
    for seed in range(20):
        assert all(b is None or a.club != b.club for a, b in matches(drawn(entrants, str(seed), protect="club")))
    seeds = [Entrant(number, "", seed=number if number < 5 else None, club=f"c{number % 3}") for number in range(1, 25)]
    for seed in range(20):
        first = drawn(seeds, str(seed), protect="club", seeding="seeded")
        assert [a.seed for a, _ in matches(first) if a.seed] == [1, 4, 2, 3]
        assert all(b is None or a.club != b.club for a, b in matches(first))


def test_protection_changes_no_draw_that_does_not_need_it():
    entrants = [Entrant(number, f"P{number}", club=f"c{number}", persons=frozenset([number])) for number in range(20)]
    assert drawn(entrants, "s", protect="club").lines == drawn(entrants, "s").lines
    assert drawn(entrants, "s", protect="club").reasons == drawn(entrants, "s").reasons


def test_published_seed_gives_the_published_protected_draw():
    """The draw of this seed is fixed for ever, on every Python."""
    entrants = [Entrant(number, f"P{number}", club="AB"[number % 2]) for number in range(8)]
    first = drawn(entrants, "club night", protect="club")
    assert [(a.name, b.name) for a, b in matches(first)] == [("P6", "P7"), ("P4", "P5"), ("P1", "P0"), ("P3", "P2")]


@pytest.mark.parametrize("seeding", ["random", "seeded"])
def test_order_of_entrants_does_not_matter(seeding):
    entrants = [Entrant(number, f"P{number}", club=f"c{number % 4}") for number in range(30)]
    assert drawn(entrants, "s", protect="club", seeding=seeding) == drawn(
        entrants[::-1], "s", protect="club", seeding=seeding
    )
