"""A record changed in one place is refused there, or tells another match that the rules allow."""

import os
import random
from functools import cache
from pathlib import Path

import pytest

from rules.plays import legal_plays
from rules.profiles import WBGF
from rules.records.mat import loads
from rules.records.replay import Verdict, verify
from rules.score import Ending, MatchScore, Side
from tests.rules.records import tampering
from tests.rules.records.truth import could_be_played, true_turns

RECORDS = sorted((Path(__file__).parents[2] / "data" / "records").glob("*.mat"))
OURS = 25
"""How many changes of each kind are tried on each of our own records."""
THEIRS = 3
"""And on each record of a corpus, if CORPUS_DIR names one."""


def texts():
    corpus = os.environ.get("CORPUS_DIR")
    found = sorted(Path(corpus).rglob("*.mat")) if corpus else []
    return [pytest.param(path, OURS, id=path.stem) for path in RECORDS] + [
        pytest.param(path, THEIRS, id=path.stem) for path in found
    ]


@cache
def text_of(path):
    return path.read_text(encoding="utf-8-sig").replace("\r\n", "\n")


def sample(path, most, kind):
    """Some of the changes of this kind, chosen by the record's name, each with what the replay says of it."""
    changes = list(kind(text_of(path)))
    chosen = random.Random(f"{path.stem} {kind.__name__}").sample(changes, min(most, len(changes)))
    return [(change, verify(change.text.encode())) for change in chosen]


@cache
def turns(path):
    """Every turn of the true record by (game, row, right column)."""
    record = loads(text_of(path).encode())
    return {(game, line.row, line.action.side is Side.B): turn for game, line, turn in true_turns(record)}


def turn_at(path, change):
    return turns(path).get((change.game, change.row, change.right))


def refused_at(replay, game, *rows):
    finding = replay.finding
    return replay.verdict is Verdict.REFUSED and finding.game == game and finding.row in rows


@pytest.mark.parametrize(("path", "most"), texts())
def test_another_die_is_refused_unless_the_same_play_is_legal_for_it(path, most):
    for change, replay in sample(path, most, tampering.dice):
        if turn := turn_at(path, change):
            roll = int(change.now[0]), int(change.now[1])
            allowed = legal_plays(turn.before, roll, WBGF)
            legal = turn.after in allowed if turn.after != turn.before else not allowed
            legal &= not (turn.first and roll[0] == roll[1])
            assert legal or refused_at(replay, change.game, change.row), change


@pytest.mark.parametrize(("path", "most"), texts())
def test_another_move_is_refused_unless_it_is_a_legal_play_too(path, most):
    for change, replay in sample(path, most, tampering.moves):
        turn = turn_at(path, change)
        if turn is None or could_be_played(turn.before, turn.roll, change.now):
            continue
        resigned_instead = turn.last and not change.now
        assert resigned_instead or refused_at(replay, change.game, change.row), change


@pytest.mark.parametrize("kind", [tampering.dances, tampering.doubled_rows, tampering.missing_rows])
@pytest.mark.parametrize(("path", "most"), texts())
def test_a_move_in_a_dance_and_a_doubled_or_missing_row_are_refused_there(path, most, kind):
    for change, replay in sample(path, most, kind):
        rows = (change.row, change.row + 1) if kind is tampering.doubled_rows else (change.row,)
        assert refused_at(replay, change.game, *rows), change


@pytest.mark.parametrize("kind", [tampering.doubles_out_of_place, tampering.other_column])
@pytest.mark.parametrize(("path", "most"), texts())
def test_a_double_out_of_place_and_a_play_out_of_turn_are_refused_at_once(path, most, kind):
    for change, replay in sample(path, most, kind):
        turn = turn_at(path, change)
        only_roll = turn is not None and turn.first and turn.last
        assert only_roll or refused_at(replay, change.game, change.row, change.row + 1), change


@pytest.mark.parametrize(("path", "most"), texts())
def test_plays_that_change_places_are_refused_unless_both_are_legal(path, most):
    for change, replay in sample(path, most, tampering.exchanged_cells):
        turn = turn_at(path, change)
        dice, _, play = change.now.partition(":")
        roll = int(dice[0]), int(dice[1])
        if turn is None:
            continue
        legal = could_be_played(turn.before, roll, play) and not (turn.first and roll[0] == roll[1])
        assert legal or refused_at(replay, change.game, change.row), change


@pytest.mark.parametrize(("path", "most"), texts())
def test_another_cube_is_refused_where_the_game_parts_from_the_rules(path, most):
    true = verify(text_of(path).encode())
    for change, replay in sample(path, most, tampering.cubes):
        if change.was == "Drops" and change.game == len(true.games) and replay.verdict is Verdict.PROVED:
            assert replay.games[-1].ending is Ending.RESIGNED, change
            assert replay.score == true.score, change
        elif change.was == "Drops":
            here = refused_at(replay, change.game, change.row, change.row + 1)
            assert here or refused_at(replay, change.game + 1, None), change
        else:
            assert refused_at(replay, change.game, change.row, change.row + 1), change


@pytest.mark.parametrize(("path", "most"), texts())
def test_another_score_in_a_heading_is_refused_there(path, most):
    for change, replay in sample(path, most, tampering.headings):
        assert refused_at(replay, change.game, None), change
        assert replay.finding.code == "score_mismatch", change


@pytest.mark.parametrize(("path", "most"), texts())
def test_names_that_change_places_are_refused_where_the_headings_differ(path, most):
    games = len(verify(text_of(path).encode()).games)
    for change, replay in sample(path, most, tampering.headed_names):
        if games > 1:
            assert refused_at(replay, max(change.game, 2), None), change
        elif "[Player 1" in change.text:
            assert replay.verdict is Verdict.QUARANTINED, change


@pytest.mark.parametrize(("path", "most"), texts())
def test_other_points_of_a_result_are_refused_or_never_change_the_match(path, most):
    true = verify(text_of(path).encode())
    for change, replay in sample(path, most, tampering.results):
        if replay.verdict is Verdict.REFUSED:
            here = refused_at(replay, change.game, change.row, change.row + 1)
            assert here or refused_at(replay, change.game + 1, None), change
        else:
            assert change.game == len(loads(text_of(path).encode()).games), change
        if replay.verdict is Verdict.PROVED:
            assert (replay.score, replay.games[:-1]) == (true.score, true.games[:-1]), change
            assert replay.games[-1] == true.games[-1] or true.games[-1].ending is Ending.RESIGNED, change


@pytest.mark.parametrize(("path", "most"), texts())
def test_another_length_is_refused_unless_the_games_fit_it(path, most):
    true = verify(text_of(path).encode())
    for change, replay in sample(path, most, tampering.lengths):
        if replay.verdict is not Verdict.REFUSED:
            score = MatchScore(int(change.now), crawford=true.crawford)
            for game in replay.games:
                assert not (score.is_crawford and (game.cube > 1 or game.ending is Ending.DROP)), change
                score = score.after(game.winner, game.points)
            assert replay.score == score, change
            assert (replay.verdict is Verdict.PROVED) <= score.over, change
