"""The sentences about a Swiss round that few events ever need."""

from dataclasses import replace

from tournament.formats.pairing import Contender
from tournament.formats.swiss_words import RoundWords

NAMES = {1: "Anna", 2: "Bo", 3: "Carl"}


def words(*players, **given):
    return RoundWords(
        round=5,
        way="lot",
        players={player.id: player for player in players},
        names=NAMES,
        records={1: "3–1", 2: "2–2", 3: "1–3"},
        last_met={frozenset((1, 2)): 0},
        **{"free": (1,), **given},
    )


ANNA, BO, CARL = (Contender(id, 4 - id, id) for id in (1, 2, 3))


def test_bye_of_a_better_record():
    assert words(ANNA, BO, CARL).why_bye(1).text == (
        "Anna (3–1) is free in round 5: when the round was paired, giving the bye to anyone with a worse record "
        "would have forced a rematch."
    )


def test_bye_of_a_worse_record_with_more_byes_is_no_exception():
    assert words(ANNA, replace(BO, byes=1), replace(CARL, byes=1)).why_bye(1).code == "bye_worst_record"


def test_another_bye_before_others_is_a_note():
    told = words(replace(ANNA, byes=1), BO, CARL)
    assert told.notes(()) == [told.why_bye(1)]
    assert told.why_bye(1).text == (
        "Anna is free again in round 5: when the round was paired, giving the bye to anyone with fewer byes would "
        "have forced a rematch."
    )


def test_bye_of_a_short_round():
    assert words(ANNA, BO, CARL, free=(2, 3)).why_bye(3).text == (
        "Carl is free in round 5: only enough matches are played to remove the surplus lives, and nobody "
        "with as few byes has a worse record."
    )


def test_rematch_of_an_earlier_stage():
    told = words(replace(ANNA, met=(2,)), replace(BO, met=(1,)), CARL, free=(3,))
    assert told.why_pair(1, 2).text == (
        "Anna and Bo meet again in round 5, as in an earlier stage: the round cannot be paired with fewer rematches."
    )
    assert told.notes([(1, 2)]) == [told.why_pair(1, 2)]


def test_float_from_an_odd_group_and_past_a_nearer_one():
    assert words(ANNA, BO, CARL, free=(3,)).why_pair(1, 2).text == (
        "Anna (3–1) meets Bo (2–2): an odd number of players have better records than Bo, so one of "
        "them meets somebody below."
    )
    assert words(ANNA, BO, CARL, free=()).why_pair(1, 3).text == (
        "Anna (3–1) meets Carl (1–3): when the round was paired, a closer pairing would have forced a rematch or an "
        "unfair bye."
    )


def test_rematch_for_the_sake_of_a_bye():
    players = (replace(ANNA, met=(2,)), replace(BO, met=(1,)), replace(CARL))
    told = words(*players, free=(3,), byes_first=True)
    assert told.why_pair(1, 2).text == (
        "Anna and Bo meet again in round 5: the round cannot be paired with fewer rematches, unless somebody has "
        "another bye before everyone has had as many."
    )
    assert told.notes([(1, 2)]) == [told.why_pair(1, 2)]
    assert words(*players, free=(), byes_first=True).why_pair(1, 2).code == "rematch_of_stage"


def test_another_bye_that_could_only_be_had_by_those_of_one_person():
    """Anna stands for two entries: Bo, who has had no bye, is the only one whom she may meet."""
    players = (replace(ANNA, byes=1, persons=frozenset({1})), BO, replace(CARL, byes=1, persons=frozenset({1})))
    told = words(*players, byes_first=True)
    assert told.why_bye(1).text == (
        "Anna is free again in round 5: entries of the same person never meet, so nobody with fewer byes could be free."
    )
    assert told.notes(()) == [told.why_bye(1)]
