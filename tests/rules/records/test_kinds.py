"""A record changed in one place, by the kinds that a person would name: found there, or it is said why it cannot be."""

from functools import cache
from pathlib import Path

import pytest

from rules.records import mat_text
from rules.records.formats import loads
from rules.records.identity import identity_of
from rules.records.record import MatchRecord
from rules.records.replay import replay, verify
from tests.rules.records.kinds import KINDS

RECORDS = Path(__file__).parents[2] / "data" / "records"
LEVELS = "gnubg-7pt-backgammon.mat"
OF_LEVELS = ("gammon to single game", "gammon to backgammon", "backgammon to gammon")

FOUND = {
    "die changed": ("not_rolled", 1, 1),
    "opening roll a double": ("opening_double", 1, 1),
    "wrong player begins": ("wrong_turn", 1, 2),
    "cells of a row swapped": ("opening_double", 1, 1),
    "one pip further": ("not_rolled", 1, 1),
    "checker backwards": ("play_unreadable", 1, 1),
    "hit marked that is none": ("no_hit", 1, 1),
    "entry from the bar skipped": ("bar_first", 1, 4),
    "borne off too early": ("not_rolled", 1, 1),
    "part of a play missing": ("more_dice", 1, 1),
    "doublet played twice": ("more_dice", 1, 2),
    "play removed": ("must_move", 1, 1),
    "dance instead of a play": ("must_move", 1, 1),
    "roll removed": ("opening_double", 1, 1),
    "turn twice": ("wrong_turn", 1, 2),
    "cube value": ("cube_value", 1, 7),
    "drop to take": ("result_points", 4, 3),
    "take to drop": ("game_over", 1, 8),
    "double without an answer": ("double_unanswered", 1, 8),
    "take without a double": ("no_double", 1, 8),
    "doubled twice in a turn": ("cube_owner", 1, 8),
    "double without owning the cube": ("cube_owner", 1, 9),
    "double in the Crawford game": ("crawford_cube", 3, 2),
    "points one too many": ("result_points", 1, 23),
    "points one too few": ("result_points", 1, 23),
    "single game to gammon": ("score_mismatch", 2, None),
    "backgammon to gammon": ("result_points", 1, 30),
    "resignation in the other column": ("play_unknown", 1, 23),
    "win in the other column": ("result_winner", 4, 3),
    "second winner": ("game_over", 1, 24),
    "result removed": ("play_unknown", 1, 23),
    "score at the start": ("score_mismatch", 1, None),
    "score of a later heading": ("score_mismatch", 2, None),
    "length": ("game_count", 6, None),
    "names exchanged in one heading": ("names_changed", 2, None),
    "names exchanged throughout": ("names_exchanged", None, None),
    "columns of a game exchanged": ("score_mismatch", 2, None),
    "game removed": ("score_mismatch", 1, None),
    "game twice": ("score_mismatch", 2, None),
    "order of the games": ("score_mismatch", 1, None),
    "game after the end": ("game_after_match_over", 7, None),
}
"""The code, the game and the row of what is found."""
SAID = {
    "gammon to single game": ("proved", "resignation_unproved"),
    "gammon to backgammon": ("proved", "resignation_unproved"),
    "cut off at the end": ("incomplete", None),
}
"""The verdict, and the note that says why the change cannot be found; of what is incomplete the verdict says it."""
SAME = ("order of the dice", "hit not marked")
"""What leaves the match as it was."""


@cache
def true_record(kind: str) -> MatchRecord:
    name = LEVELS if kind in OF_LEVELS else "studio-5pt.mat"
    return loads((RECORDS / name).read_bytes())


def changed(kind: str) -> bytes:
    """Return our record with the first change of this kind."""
    return mat_text.written(next(KINDS[kind](true_record(kind))).record).encode()


def test_every_kind_is_found_or_said_or_leaves_the_match_as_it_was():
    assert sorted([*FOUND, *SAID, *SAME]) == sorted(KINDS)


@pytest.mark.parametrize("kind", FOUND)
def test_a_change_is_found_in_its_game_and_row(kind):
    finding = verify(changed(kind)).finding
    assert (finding.code, finding.game, finding.row) == FOUND[kind]


def test_a_double_that_was_refused_and_is_told_as_accepted_is_named():
    said = (
        "The record says that the double was accepted, but it scores the game at 1, as if the double had been refused"
    )
    assert verify(changed("drop to take")).finding.message == f"{said}; the game was worth 2."
    assert "double" not in verify(changed("points one too few")).finding.message


@pytest.mark.parametrize("kind", SAID)
def test_what_no_board_can_prove_is_said(kind):
    judged = verify(changed(kind))
    verdict, note = SAID[kind]
    assert (judged.verdict, judged.finding) == (verdict, None)
    assert note is None or note in {one.code for one in judged.notes}


@pytest.mark.parametrize("kind", SAME)
def test_what_is_only_written_in_another_way_is_the_same_match(kind):
    record, true = loads(changed(kind)), true_record(kind)
    assert identity_of(record, replay(record)) == identity_of(true, replay(true))


@pytest.mark.parametrize(
    ("name", "kind", "note"),
    [
        ("gnubg-3pt.mat", "length", "rolls_unproved"),
        ("gnubg-3pt.mat", "names exchanged throughout", "names_unproved"),
        ("gnubg-3pt.mat", "columns of a game exchanged", "names_unproved"),
    ],
)
def test_another_length_and_other_names_may_be_as_legal_and_every_proof_says_so(name, kind, note):
    changes = [
        verify(mat_text.written(one.record).encode()) for one in KINDS[kind](loads((RECORDS / name).read_bytes()))
    ]
    legal = [judged for judged in changes if judged.verdict == "proved"]
    assert legal
    assert all(note in {one.code for one in judged.notes} for judged in legal)
