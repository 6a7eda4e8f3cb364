"""One round of a Swiss: the rules in their order, and the least cost against two oracles."""

import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.breadth import some
from tests.tournament.formats.pairing_oracle import after_rounds, best_by_trying, best_of_all_pairs, cost_of
from tournament.formats.pairing import DENSE, Contender, PairedRound, Within, pair_round

EVERY_WAY = pytest.mark.parametrize("within", Within)


def table(*scores, **given):
    """Players 1, 2, 3 ... with these scores, ranked in this order."""
    return tuple(Contender(id, score, id, **given) for id, score in enumerate(scores, start=1))


def changed(players, id, **changes):
    return tuple(replace(player, **changes) if player.id == id else player for player in players)


def met(players, *pairs):
    """``players`` after ``pairs`` have met."""
    for a, b in pairs:
        for one, other in ((a, b), (b, a)):
            before = next(player.met for player in players if player.id == one)
            players = changed(players, one, met=(*before, other))
    return players


def pairs_of(paired):
    return {frozenset(pair) for pair in paired.pairs}


@st.composite
def small_fields(draw):
    ids = range(1, draw(st.integers(1, 8)) + 1)
    ranks = draw(st.permutations(ids))
    rematches = (
        draw(st.lists(st.sampled_from([(a, b) for a in ids for b in ids if a < b]), max_size=16)) if ids[1:] else []
    )
    words = st.tuples(st.sampled_from(("", "Odense", "Aarhus")), st.sampled_from(("", "Denmark")))
    players = tuple(
        Contender(
            id=id,
            score=draw(st.integers(0, 3)),
            rank=rank,
            byes=draw(st.integers(0, 2)),
            persons=frozenset({draw(st.one_of(st.just(id), st.integers(1, 3)))}),
            apart=draw(words),
        )
        for id, rank in zip(ids, ranks, strict=True)
    )
    return met(players, *rematches)


@given(small_fields(), st.sampled_from(Within), st.booleans())
def test_no_round_of_a_small_field_costs_less(players, within, byes_first):
    order = {"byes_first": byes_first}
    paired = pair_round(players, within, **order)
    assert cost_of(players, within, paired, **order) == best_by_trying(players, within, **order)


@EVERY_WAY
@pytest.mark.parametrize("seed", some(range(3), 2))
def test_no_round_of_a_large_field_costs_less(within, seed):
    rng = random.Random(f"{within} {seed}")
    count = rng.randrange(DENSE + 1, 220)
    players = after_rounds(count, rng.randrange(9), within, rng, luck=rng.choice((30, 100)))
    for order in ({}, {"byes_first": True}):
        paired = pair_round(players, within, **order)
        assert cost_of(players, within, paired, **order) == best_of_all_pairs(players, within, **order)


def test_fold_pairs_first_with_last():
    assert pair_round(table(0, 0, 0, 0, 0, 0), Within.FOLD).pairs == ((1, 6), (2, 5), (3, 4))


def test_slide_pairs_the_upper_half_with_the_lower():
    assert pair_round(table(0, 0, 0, 0, 0, 0), Within.SLIDE).pairs == ((1, 4), (2, 5), (3, 6))


def test_neighbours_meet():
    assert pair_round(table(0, 0, 0, 0, 0, 0), Within.NEIGHBOURS).pairs == ((1, 2), (3, 4), (5, 6))


@pytest.mark.parametrize(
    ("within", "pairs"),
    [
        (Within.FOLD, ((1, 2), (3, 4), (5, 8), (6, 7))),
        (Within.SLIDE, ((1, 2), (3, 4), (5, 7), (6, 8))),
        (Within.NEIGHBOURS, ((1, 2), (3, 4), (5, 6), (7, 8))),
    ],
)
def test_last_of_an_odd_group_meets_the_first_of_the_next(within, pairs):
    assert pair_round(table(3, 3, 3, 2, 2, 2, 2, 2), within).pairs == pairs


@EVERY_WAY
def test_equal_records_meet(within):
    paired = pair_round(table(3, 3, 2, 2, 2, 2, 1, 1), within)
    assert {frozenset({1, 2}), frozenset({7, 8})} <= pairs_of(paired)


@EVERY_WAY
def test_two_small_differences_are_better_than_a_large_one(within):
    """3–2, 2–1 and 1–0 cost 3; 3–0 alone would cost 9."""
    assert pair_round(table(3, 2, 2, 1, 1, 0), within).pairs[0] in {(1, 2), (1, 3)}


@EVERY_WAY
def test_nobody_meets_an_opponent_again_even_if_records_differ(within):
    paired = pair_round(met(table(1, 1, 0, 0), (1, 2), (3, 4)), within)
    assert pairs_of(paired) in ({frozenset({1, 3}), frozenset({2, 4})}, {frozenset({1, 4}), frozenset({2, 3})})


@EVERY_WAY
def test_rematches_are_as_few_as_possible(within):
    """Of four players only one pair has not met: that pair meets, and the other two meet again."""
    players = met(table(2, 1, 1, 0), (1, 2), (1, 3), (2, 3), (2, 4), (3, 4))
    assert pairs_of(pair_round(players, within)) == {frozenset({1, 4}), frozenset({2, 3})}


@EVERY_WAY
def test_a_third_meeting_is_avoided_before_a_second_one(within):
    players = met(table(0, 0, 0, 0), (1, 2), (1, 2), (1, 3), (1, 4), (2, 3), (2, 3), (2, 4), (3, 4))
    assert pairs_of(pair_round(players, within)) == {frozenset({1, 3}), frozenset({2, 4})} or pairs_of(
        pair_round(players, within)
    ) == {frozenset({1, 4}), frozenset({2, 3})}


@EVERY_WAY
def test_bye_goes_to_the_worst_record(within):
    assert pair_round(table(2, 1, 1, 0, 0), within).byes in {(4,), (5,)}


@EVERY_WAY
def test_nobody_has_a_second_bye_before_all_have_had_one(within):
    players = table(3, 2, 1, 1, 0, byes=1)
    assert pair_round(changed(players, 1, byes=0), within).byes == (1,)
    assert pair_round(players, within).byes == (5,)


@EVERY_WAY
def test_second_bye_is_better_than_a_rematch(within):
    players = met(changed(table(0, 0, 0), 3, byes=1), (1, 3), (2, 3))
    assert pair_round(players, within) == PairedRound(((1, 2),), (3,))


@EVERY_WAY
def test_rematch_is_better_than_a_second_bye_where_byes_come_first(within):
    players = met(changed(table(0, 0, 0), 3, byes=1), (1, 3), (2, 3))
    paired = pair_round(players, within, byes_first=True)
    assert (3 in paired.pairs[0], len(paired.byes)) == (True, 1)
    assert pair_round(changed(players, 3, byes=0), within, byes_first=True) == PairedRound(((1, 2),), (3,))


@EVERY_WAY
def test_clubs_are_kept_apart_among_equals_and_before_countries(within):
    words = {1: ("A", "DK"), 2: ("A", "SE"), 3: ("B", "DK"), 4: ("B", "SE")}
    players = tuple(Contender(id, 0, id, apart=words[id]) for id in (1, 2, 3, 4))
    assert pairs_of(pair_round(players, within)) == {frozenset({1, 4}), frozenset({2, 3})}
    clubs = tuple(replace(player, apart=("A" if player.id < 3 else player.apart[0], "DK")) for player in players)
    assert frozenset({1, 2}) not in pairs_of(pair_round(clubs, within))


@EVERY_WAY
def test_records_come_before_clubs(within):
    assert pair_round(table(1, 1, 0, 0, apart=("Odense",)), within).pairs == ((1, 2), (3, 4))


@EVERY_WAY
def test_empty_words_keep_nobody_apart(within):
    assert pair_round(table(0, 0, 0, 0, apart=("", "")), within) == PairedRound(
        pair_round(table(0, 0, 0, 0), within).pairs, ()
    )


@EVERY_WAY
def test_two_who_share_a_person_have_byes_rather_than_meet(within):
    """Anna plays with Bo and with Carl; if only these two pairs are left, both have a bye."""
    players = (Contender(1, 0, 1, persons=frozenset({7, 8})), Contender(2, 0, 2, persons=frozenset({7, 9})))
    assert pair_round(players, within) == PairedRound((), (1, 2))
    rematch = met((*players, Contender(3, 0, 3), Contender(4, 0, 4)), (1, 3), (1, 4), (2, 3), (2, 4))
    assert frozenset({3, 4}) not in pairs_of(pair_round(rematch, within))
    assert pair_round(rematch, within).byes == ()


@EVERY_WAY
def test_no_more_pairs_are_made_than_are_asked_for(within):
    paired = pair_round(table(*[2] * 4, *[1] * 5), within, 2)
    assert len(paired.pairs) == 2
    assert set(paired.byes) == {5, 6, 7, 8, 9}
    assert pair_round(table(0, 0), within, 0) == PairedRound((), (1, 2))


@EVERY_WAY
def test_a_field_of_nobody_gives_no_pairs(within):
    assert pair_round((), within) == PairedRound((), ())
    assert pair_round(table(0), within) == PairedRound((), (1,))


@EVERY_WAY
def test_order_of_the_players_does_not_matter(within):
    players = after_rounds(45, 4, within, random.Random(2))
    assert pair_round(players[::-1], within) == pair_round(players, within)


@EVERY_WAY
def test_candidates_are_widened_until_everyone_is_paired(within):
    """In a field of 200 everyone has met all who are fewer than 70 places from where candidates are looked for."""
    count = 200
    far = {a: {b for b in range(count) if distance(within, count, a, b) >= 70} for a in range(count)}
    players = tuple(Contender(a, 0, a, met=tuple(set(range(count)) - {a} - far[a])) for a in range(count))
    paired = pair_round(players, within)
    assert len(paired.pairs) == count // 2
    assert all(b in far[a] for a, b in paired.pairs)


def distance(within, count, a, b):
    match within:
        case Within.FOLD:
            return abs(a + b - count + 1)
        case Within.SLIDE:
            return abs(abs(a - b) - count // 2)
        case Within.NEIGHBOURS:
            return abs(a - b)


@EVERY_WAY
def test_large_field_in_which_all_have_met_is_paired_nevertheless(within):
    everyone = tuple(range(130))
    players = tuple(Contender(id, 0, id, met=tuple(other for other in everyone if other != id)) for id in everyone)
    assert len(pair_round(players, within).pairs) == 65


FINGERPRINT = """
import hashlib, random
from tests.tournament.formats.pairing_oracle import after_rounds
from tournament.formats.pairing import Within, pair_round
digest = hashlib.sha256()
for within in Within:
    for count in (9, 64, 201):
        digest.update(repr(pair_round(after_rounds(count, 5, within, random.Random(3)), within)).encode())
print(digest.hexdigest())
"""


@pytest.mark.parametrize("hash_seed", ["0", "1", "77"])
def test_pairs_are_the_same_in_every_process(hash_seed):
    run = subprocess.run(
        [sys.executable, "-c", FINGERPRINT],
        cwd=Path(__file__).parents[3],
        env={"PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == "788f704def01d4af825640871d94159eb1fea6c1ffc2adc709923a5318deb260"
