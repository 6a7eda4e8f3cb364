"""A record played through: each line on its board, and the place where it does not hold."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from rules.answers import Stage
from rules.notation import parse_play
from rules.position import START
from rules.records.formats import loads
from rules.records.playback import board_of, play_through
from rules.records.record import Line, Lost, Turn, Won
from rules.records.replay import Verdict
from rules.records.replay import replay as replay_record
from rules.score import Side

RECORDS = sorted((Path(__file__).resolve().parents[2] / "data" / "records").rglob("*.*"))
MAT = Path(__file__).resolve().parents[2] / "data" / "records" / "gnubg-7pt.mat"
A, B = Side


def record_with(change, game=1):
    """Return the record of MAT with the lines of one game changed."""
    record = loads(MAT.read_bytes())
    games = list(record.games)
    games[game - 1] = replace(games[game - 1], lines=tuple(change(list(games[game - 1].lines))))
    return replace(record, games=tuple(games))


def changed(action, **changes):
    return action._replace(**changes) if isinstance(action, Turn) else replace(action, **changes)


def with_action(lines, index, **changes):
    lines[index] = lines[index]._replace(action=changed(lines[index].action, **changes))
    return lines


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.name)
def test_every_line_of_a_record_that_holds_has_its_board_before_and_after(path):
    record = loads(path.read_bytes())
    played = play_through(record)
    assert played.replay == replay_record(record)
    assert [game.number for game in played.games] == [game.number for game in record.games]
    for game, game_record in zip(played.games, record.games, strict=True):
        assert [Line(moment.row, moment.action) for moment in game.moments] == list(game_record.lines)
        assert [moment.number for moment in game.moments] == list(range(1, len(game_record.lines) + 1))
        assert (game.begun.position, game.begun.stage) == (START, Stage.OPENING)
        assert (game.begun.score.a, game.begun.score.b) == game_record.score
        assert game.moments[0].before == game.begun
        assert all(one.after == other.before for one, other in pairwise(game.moments))
        assert all(moment.side is moment.action.side for moment in game.moments)


def test_a_turn_leaves_the_board_to_the_opponent_and_each_side_sees_its_own():
    first = play_through(loads(MAT.read_bytes())).games[0].moments[0]
    assert isinstance(first.action, Turn)
    assert first.after.on_roll is first.side.other
    after = board_of(first.after, first.side)
    assert after == first.after.position.swapped() == board_of(first.after, first.side.other).swapped()
    assert [board_of(first.before, side) for side in Side] == [START, START]


def test_an_illegal_play_is_the_last_line_and_the_doubted_one():
    played = play_through(record_with(lambda lines: with_action(lines, 6, play=parse_play("24/1"))))
    (game,) = played.games
    assert played.replay.verdict is Verdict.REFUSED
    assert [moment.after is None for moment in game.moments] == [False] * 6 + [True]
    assert played.doubted == (game, game.moments[6])
    assert game.moments[6].before == game.moments[5].after


def test_the_doubt_about_an_unplayed_roll_is_at_the_roll_not_at_the_line_after_it():
    played = play_through(record_with(lambda lines: with_action(lines, 6, play=None), game=2))
    game = played.games[1]
    assert played.replay.finding.code == "must_move"
    assert (len(game.moments), played.doubted) == (7, (game, game.moments[6]))
    assert game.moments[6].after.stage is Stage.ROLLED


def test_an_accepted_illegal_play_is_doubted_and_the_record_played_on():
    played = play_through(loads((MAT.parent / "gnubg-3pt-illegal.sgf").read_bytes()))
    game, moment = played.doubted
    assert played.replay.verdict is Verdict.QUARANTINED
    assert (game.number, moment.action.after) == (1, moment.after.position.swapped())
    assert len(played.games) == 2


def test_a_wrong_result_is_doubted_at_the_line_that_prints_it():
    def more_points(lines):
        return [
            line._replace(action=replace(line.action, points=line.action.points + 1))
            if isinstance(line.action, Won | Lost)
            else line
            for line in lines
        ]

    played = play_through(record_with(more_points))
    game, moment = played.doubted
    assert played.replay.finding.code == "result_points"
    assert isinstance(moment.action, Won)
    assert moment is game.moments[-1]
    assert len(played.games) == 1


def test_a_wrong_heading_doubts_no_line_and_ends_the_games_before_it():
    record = loads(MAT.read_bytes())
    games = list(record.games)
    games[2] = replace(games[2], score=(6, 6))
    played = play_through(replace(record, games=tuple(games)))
    assert (len(played.games), played.doubted, played.replay.finding.code) == (2, None, "score_mismatch")
