import os
import random
from pathlib import Path

import pytest

from rules.profiles import PROFILES
from rules.records.mat import loads
from rules.records.replay import Verdict, replay, verify
from rules.score import Ending, Level, MatchScore, Side
from rules.sheet import GameResult, Terms, check_sheet
from tests.rules.records.corpus import corpus

A, B = Side.A, Side.B
RECORDS = Path(__file__).parents[2] / "data" / "records"


def record(*games, length=3, tags=""):
    """Return a record of games, each a heading score and rows of (left, right) cells."""
    lines = [tags, f"{length} point match", ""]
    for number, (score, *rows) in enumerate(games, 1):
        lines += [f" Game {number}", f" Ann : {score[0]}                         Bob : {score[1]}"]
        lines += [f"{row:3}) {left:<35} {right}" for row, (left, right) in enumerate(rows, 1)]
    return "\n".join(lines).encode()


OPENED = ("31: 8/5 6/5", "")
ANSWERED = ("31: 8/5 6/5", "64: 24/14")
DROPPED = ("Doubles => 2", "Drops")


def game(score, *rows):
    return (score, ANSWERED, *rows)


def found(data):
    judged = verify(data)
    finding = judged.finding
    return judged.verdict.value, finding and finding.code, finding and finding.game, finding and finding.row


@pytest.mark.parametrize(
    ("name", "length", "names", "score", "plays", "games"),
    [
        ("galaxy-5pt", 5, ("Astrid", "Bo"), (3, 5), 270, 5),
        ("galaxy-7pt", 7, ("Inger", "Knud"), (7, 2), 217, 5),
        ("gnubg-3pt", 3, ("gnubg", "south"), (3, 0), 48, 2),
        ("gnubg-3pt-borne-off", 3, ("Runa", "Viggo Holm"), (0, 3), 84, 2),
        ("gnubg-7pt", 7, ("gnubg", "south"), (5, 7), 228, 6),
        ("gnubg-7pt-backgammon", 7, ("gnubg", "south"), (1, 7), 143, 3),
        ("studio-5pt", 5, ("Sten", "Grete"), (5, 4), 232, 6),
        ("studio-7pt", 7, ("Frode Lie", "Åse"), (7, 5), 230, 6),
    ],
)
def test_verify_proves_our_own_records(name, length, names, score, plays, games):
    judged = verify((RECORDS / f"{name}.mat").read_bytes())
    assert (judged.verdict, judged.finding) == (Verdict.PROVED, None)
    assert (judged.length, judged.names, judged.plays, len(judged.games)) == (length, names, plays, games)
    assert (judged.score.a, judged.score.b) == score
    assert judged.both_moved
    assert judged.crawford


@pytest.mark.parametrize("path", sorted(RECORDS.glob("*.mat")), ids=lambda path: path.stem)
def test_replayed_games_make_a_legal_sheet_with_the_same_score(path):
    judged = verify(path.read_bytes())
    check = check_sheet(Terms(judged.length), judged.games)
    assert [finding for finding in check.findings if finding.severity == "error"] == []
    assert check.scores[-1] == judged.score


def test_replay_gives_each_game_of_a_record():
    judged = verify((RECORDS / "gnubg-7pt-backgammon.mat").read_bytes())
    assert judged.games == (
        GameResult(B, 2, Level.BACKGAMMON, Ending.BEAROFF),
        GameResult(A, 1, Level.SINGLE, Ending.BEAROFF),
        GameResult(B, 2, Level.GAMMON, Ending.RESIGNED),
    )


def test_a_record_that_stops_early_is_incomplete():
    assert found(record(game((0, 0), DROPPED), game((1, 0)))) == ("incomplete", None, None, None)
    assert found(record(game((0, 0), DROPPED, ("Wins 1 point", "")))) == ("incomplete", None, None, None)


def test_a_record_shows_whether_both_sides_have_moved():
    gave_up = ("31: 8/5 6/5", "Losses 3 point"), ("Wins 3 points and the match", "")
    judged = verify(record(((0, 0), *gave_up)))
    assert (judged.verdict, judged.both_moved, judged.plays) == (Verdict.PROVED, False, 1)


@pytest.mark.parametrize(
    ("printed", "cube", "level"),
    [(1, 1, 1), (2, 1, 2), (3, 1, 3), (2, 2, 1), (4, 2, 2), (3, 2, 2), (6, 2, 3), (4, 4, 1), (8, 4, 2), (9, 4, 3)],
)
def test_the_level_of_a_resignation_follows_from_the_printed_points(printed, cube, level):
    turned = {
        1: [],
        2: [("Doubles => 2", "Takes"), ("31: 24/23 13/10", "")],
        4: [("Doubles => 2", "Takes"), ("31: 24/23 13/10", "Doubles => 4"), ("Takes", "")],
    }
    length = printed if printed in (3, 9) else 25
    rows = turned[cube]
    if cube == 4:
        rows[-1] = ("Takes", "")
        rows.append(("", f"Wins {printed} points"))
    else:
        rows = [*rows, (f"Wins {printed} points", "")]
    result = verify(record(game((0, 0), *rows), length=length)).games[0]
    assert (result.cube, result.level, result.ending) == (cube, level, Ending.RESIGNED)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([("Doubles => 2", "Takes"), ("Wins 2 points", "")], ("incomplete", None, None, None)),
        ([("Wins 4016 points", "")], ("quarantined", "result_unexplained", 1, 2)),
        ([("Wins 9 points", "")], ("quarantined", "result_awarded", 1, 2)),
        ([("Doubles => 2", "Takes"), ("Wins 3 points", "")], ("refused", "result_points", 1, 3)),
        ([("Wins 0 points", "")], ("refused", "result_points", 1, 2)),
        ([("Wins 1 point and the match", "")], ("refused", "match_not_won", 1, 2)),
        ([DROPPED, ("Wins 2 points", "")], ("refused", "result_points", 1, 3)),
        ([DROPPED, ("", "Wins 1 point")], ("refused", "result_winner", 1, 3)),
        ([("Doubles => 2", ""), ("Wins 1 point", "")], ("refused", "double_unanswered", 1, 3)),
        ([("Losses 1 point", ""), ("Wins 1 point", "")], ("quarantined", "result_contradiction", 1, 3)),
        ([("Losses 1 point", "Wins 2 points")], ("refused", "result_points", 1, 2)),
        ([("Losses 1 point", "Wins 1 point"), ("31: 8/5 6/5", "")], ("refused", "game_over", 1, 3)),
        ([("Wins 1 point", ""), ("Wins 1 point", "")], ("refused", "game_over", 1, 3)),
        ([("52: ????", "Wins 1 point")], ("incomplete", None, None, None)),
        ([("52:", "Wins 1 point")], ("incomplete", None, None, None)),
        ([("52: ????", "64: 24/14")], ("quarantined", "play_unknown", 1, 2)),
        ([("52:", "64: 24/14")], ("refused", "must_move", 1, 2)),
        ([("52: Cannot Move", "Wins 1 point")], ("refused", "must_move", 1, 2)),
        ([("52: ????", "")], ("incomplete", None, None, None)),
        ([("52:", "")], ("incomplete", None, None, None)),
        ([("Resigns", "Wins 2 points with gammon")], ("incomplete", None, None, None)),
        ([("Resigns", "")], ("quarantined", "resignation_level", 1, 2)),
        ([("52:", ""), ("Wins 1 point", "")], ("refused", "must_move", 1, 2)),
        ([("Takes", "")], ("refused", "no_double", 1, 2)),
        ([("Doubles => 4", "Takes")], ("refused", "cube_value", 1, 2)),
        ([("Doubles => 2", "Beavers")], ("refused", "beaver_in_match", 1, 2)),
        ([("52: 13/8 24/22", "Doubles => 2"), ("64: 24/14", "")], ("refused", "double_unanswered", 1, 3)),
        ([("", "64: 24/14")], ("refused", "wrong_turn", 1, 2)),
        ([("52: 13/8 24/22* ", "")], ("refused", "no_hit", 1, 2)),
    ],
)
def test_the_end_of_a_last_game(rows, expected):
    assert found(record(game((0, 0), *rows), length=9)) == expected


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([DROPPED, ("31: 8/5 6/5", "")], "The game is already over: the double was refused."),
        ([("Wins 1 point", ""), ("31: 8/5 6/5", "")], "The game is already over."),
    ],
)
def test_play_after_a_refused_double_is_told_why_the_game_is_over(rows, sentence):
    finding = verify(record(game((0, 0), *rows), length=9)).finding
    assert (finding.code, finding.message) == ("game_over", sentence)


@pytest.mark.parametrize(
    ("games", "expected"),
    [
        ([game((1, 0), DROPPED)], ("refused", "score_mismatch", 1, None)),
        ([game((3, 0), DROPPED)], ("refused", "score_mismatch", 1, None)),
        ([game((0, 0), DROPPED), game((0, 1))], ("refused", "score_mismatch", 2, None)),
        ([game((0, 0), DROPPED), game((2, 0))], ("refused", "score_mismatch", 2, None)),
        ([game((0, 0)), game((0, 0))], ("refused", "game_unfinished", 1, 1)),
        ([game((0, 0), ("Wins 4016 points", "")), game((1, 0))], ("refused", "result_points", 1, 2)),
        ([game((0, 0), ("Wins 3 points", "")), game((3, 0))], ("refused", "game_after_match_over", 2, None)),
        ([game((0, 0), ("Wins 2 points", "")), game((2, 0), DROPPED)], ("refused", "crawford_cube", 2, 2)),
        ([game((0, 0), ("Wins 2 points", "")), game((1, 0))], ("refused", "score_mismatch", 2, None)),
        ([((0, 0), ("33: 8/5(2) 6/3(2)", ""))], ("refused", "opening_double", 1, 1)),
        ([((0, 0), ("Doubles => 2", "Takes"))], ("refused", "opening_roll_first", 1, 1)),
        ([((0, 0), ("Wins 3 points", ""))], ("quarantined", "game_awarded", 1, 1)),
        ([((0, 0), ("Wins 1 points", "")), game((1, 0))], ("refused", "game_awarded", 1, 1)),
        ([((0, 0),), game((0, 0))], ("refused", "game_unfinished", 1, None)),
        ([((0, 0),)], ("incomplete", None, None, None)),
    ],
)
def test_a_record_is_refused_at_the_game_and_row_where_it_breaks_the_rules(games, expected):
    assert found(record(*games)) == expected


def test_crawford_is_played_only_where_the_record_does_not_say_off():
    games = game((0, 0), ("Wins 2 points", "")), game((2, 0), DROPPED, ("Wins 1 point", ""))
    assert found(record(*games)) == ("refused", "crawford_cube", 2, 2)
    judged = verify(record(*games, tags='; [Crawford "Off"]'))
    assert (judged.verdict, judged.crawford, judged.score) == (
        Verdict.PROVED,
        False,
        MatchScore(3, 3, 0, crawford=False),
    )


def test_a_match_to_one_point_has_no_cube():
    assert found(record(game((0, 0), DROPPED), length=1)) == ("refused", "cube_dead", 1, 2)


def test_names_decide_whether_the_result_can_be_credited_to_anyone():
    data = record(game((0, 0), ("Wins 3 points", "")))
    assert found(data)[0] == "proved"
    assert found(data.replace(b"Bob", b"   ")) == ("quarantined", "name_missing", None, None)
    assert found(data.replace(b"Bob", b"Ann")) == ("quarantined", "names_equal", None, None)
    tags = b'; [Player 1 "Bob"]\n; [Player 2 "Ann"]\n'
    assert found(tags + data) == ("quarantined", "names_exchanged", None, None)
    assert found(tags.replace(b"Ann", b"Anna") + data)[0] == "proved"
    two = record(game((0, 0), DROPPED), game((1, 0)))
    assert found(two.replace(b"Bob", b"Bert", 1)) == ("refused", "names_changed", 2, None)


def test_a_single_game_that_counts_no_gammon_may_be_money_under_jacoby():
    text = (RECORDS / "gnubg-3pt.mat").read_text()
    heading, last = text.split(" Game 2\n")
    single = heading.split(" Game 1\n")[0].replace("3 point", "16 point") + " Game 1\n" + last.replace(" : 1 ", " : 0 ")
    single = single.replace("16 point", "15 point")
    assert found(single.encode())[0] == "incomplete"
    assert found(single.replace("Wins 3 points", "Wins 1 point").encode()) == ("quarantined", "jacoby_result", 1, 24)
    assert found(single.replace("Wins 3 points", "Wins 2 points").encode()) == ("refused", "result_points", 1, 24)


def test_two_games_are_not_taken_for_money_play():
    text = (RECORDS / "gnubg-3pt.mat").read_text().replace("3 point match", "16 point match")
    assert found(text.encode())[0] == "incomplete"
    assert found(text.replace("Wins 3 points", "Wins 1 point").encode()) == ("refused", "result_points", 2, 24)


@pytest.mark.parametrize(("printed", "verdict"), [(1, "refused"), (2, "proved"), (3, "proved"), (4, "proved")])
def test_a_last_game_prints_all_its_points_or_what_was_needed_or_the_length(printed, verdict):
    rows = (
        ("Doubles => 2", "Takes"),
        ("31: 24/23 13/10", "Doubles => 4"),
        ("Takes", "31: 24/23 13/10"),
        ("Doubles => 8", "Drops"),
        (f"Wins {printed} points", ""),
    )
    first = game((0, 0), ("52: 13/11 13/8", "Losses 1 point"))
    assert found(record(first, game((1, 0), *rows)))[0] == verdict


def test_a_message_names_the_rule_and_ends_with_the_position():
    message = verify(record(((0, 0), ("31: 8/4 6/5", "")))).finding.message
    assert message == "31: 8/4 6/5: these dice do not move the checkers that way. Position: 4HPwATDgc/ABMA"


@pytest.mark.parametrize("slug", sorted(PROFILES))
def test_replay_takes_any_profile(slug):
    judged = replay(loads(record(game((0, 0), DROPPED))), PROFILES[slug])
    assert judged.games == (GameResult(A, 1, Level.SINGLE, Ending.DROP),)


def test_verify_refuses_what_cannot_be_read_without_raising():
    judged = verify(b"\xff\x00")
    assert (judged.verdict, judged.length, judged.names, judged.games) == (Verdict.REFUSED, 0, ("", ""), ())
    assert judged.finding.code == "record_not_text"


@pytest.mark.parametrize("path", sorted(RECORDS.glob("*.mat")), ids=lambda path: path.stem)
def test_verify_of_a_damaged_record_never_raises_and_says_why_it_is_not_proved(path):
    data = path.read_bytes()
    rng = random.Random(path.stem)
    for _ in range(100):
        start = rng.randrange(len(data))
        end = start + rng.choice([0, 1, 1, 2, 20, 500])
        put = bytes(rng.choices(b" 0123456789/:*()=>barofWLDTG\n\xff", k=rng.randrange(4)))
        judged = verify(data[:start] + put + data[end:])
        held = judged.verdict in (Verdict.PROVED, Verdict.INCOMPLETE)
        assert (judged.finding is None) is held
        assert held or (judged.finding.message and judged.finding.rule)


@pytest.mark.skipif("CORPUS_DIR" not in os.environ, reason="CORPUS_DIR names no folder of match records")
def test_no_record_of_the_corpus_is_refused():
    verdicts = {path.name: verify(path.read_bytes()) for path in corpus(".mat")}
    assert verdicts
    assert {name: judged.finding for name, judged in verdicts.items() if judged.verdict is Verdict.REFUSED} == {}
