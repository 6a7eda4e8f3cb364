"""An SGF record changed in one place is found out, or tells a match that the rules allow too."""

import os
import random
from functools import cache
from pathlib import Path

import pytest

from rules.plays import legal_plays
from rules.profiles import WBGF
from rules.records import mat, sgf, sgf_text
from rules.records.record import RecordError
from rules.records.replay import Verdict, replay, verify
from rules.score import Ending
from tests.rules.records import sgf_tampering
from tests.rules.records.truth import true_turns

RECORDS = Path(__file__).parents[2] / "data" / "records"
OURS = 25
THEIRS = 3
"""How many changes of each kind are tried on each of our own records, and of a corpus, if CORPUS_DIR names one."""


def paths():
    corpus = os.environ.get("CORPUS_DIR")
    theirs = sorted(Path(corpus).rglob("*.mat")) if corpus else []
    return [pytest.param(path, OURS, id=path.stem) for path in sorted(RECORDS.glob("*.mat"))] + [
        pytest.param(path, THEIRS, id=path.stem) for path in theirs
    ]


@cache
def text_of(path):
    try:
        return sgf_text.dumps(mat.loads(path.read_bytes())).decode()
    except RecordError:
        return ""


@cache
def turns(path):
    """The turns of each game of the true record, in order."""
    record = sgf.loads(text_of(path).encode())
    found = [[] for _ in record.games]
    for game, _line, turn in true_turns(record):
        found[game - record.games[0].number].append(turn)
    return found


def missed(path, most, kind):
    """Some of the changes of this kind, chosen by the record's name, that leave the verdict of a record that holds."""
    true = verify(text_of(path).encode()).verdict
    changes = list(kind(text_of(path)))
    chosen = random.Random(f"{path.stem} {kind.__name__}").sample(changes, min(most, len(changes)))
    judged = [(change, verify(change.text.encode())) for change in chosen]
    return [
        (change, found) for change, found in judged if found.verdict is true in (Verdict.PROVED, Verdict.INCOMPLETE)
    ]


@pytest.mark.parametrize(("path", "most"), paths())
def test_another_die_is_found_unless_the_same_play_is_legal_for_it(path, most):
    for change, judged in missed(path, most, sgf_tampering.dice):
        game = turns(path)[change.game]
        if change.turn >= len(game):
            assert [result.ending for result in judged.games[change.game :]] in ([Ending.RESIGNED], []), change
            continue
        turn = game[change.turn]
        roll = (int(change.now), turn.roll[1])
        rolls = [roll, (turn.roll[0], int(change.now))]
        allowed = [legal_plays(turn.before, roll, WBGF) for roll in rolls]
        assert any(turn.after in plays if turn.after != turn.before else not plays for plays in allowed), change


@pytest.mark.parametrize(("path", "most"), paths())
def test_another_point_is_found_unless_the_play_is_legal_too(path, most):
    for change, _judged in missed(path, most, sgf_tampering.points):
        record = sgf.loads(change.text.encode())
        game = [turn for number, _, turn in true_turns(record) if number == record.games[change.game].number]
        turn = game[change.turn]
        assert turn.after in legal_plays(turns(path)[change.game][change.turn].before, turn.roll, WBGF), change


@pytest.mark.parametrize("kind", [sgf_tampering.cubes, sgf_tampering.scores])
@pytest.mark.parametrize(("path", "most"), paths())
def test_another_cube_or_score_is_found_unless_the_last_game_counts_the_same(path, most, kind):
    if not text_of(path):
        return
    true = replay(sgf.loads(text_of(path).encode()))
    for change, judged in missed(path, most, kind):
        assert judged.games[:-1] == true.games[:-1], change
        assert judged.score == true.score or not true.score.over, change
        assert judged.games[-1] == true.games[-1] or judged.games[-1].ending is Ending.RESIGNED, change
