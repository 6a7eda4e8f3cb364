"""Records of money sessions: every game is checked against the rules, and nobody wins the session."""

from pathlib import Path

import pytest

from rules.actions import Beavered, Raccooned, Took
from rules.records.formats import FORMATS, loads
from rules.records.replay import Verdict, verify
from rules.score import Ending, Level, MatchScore, Side
from rules.sheet import GameResult

A, B = Side.A, Side.B
RECORDS = Path(__file__).parents[2] / "data" / "records"
MONEY = RECORDS / "money"
BEAVERS = (MONEY / "gnubg-beavers.mat").read_text()
OPENED = "  1) 31: 8/5 6/5                 64: 24/14\n"
BEAVERED = "  2)  Doubles => 2                Beavers => 4\n"


def text(*games, tags=""):
    """Write a record of games, each a heading score and its rows."""
    written = [f"{tags}\n 0 point match\n"]
    for number, ((a, b), rows) in enumerate(games, 1):
        written.append(f" Game {number}\n Ann : {a}                         Bob : {b}\n{rows}")
    return "\n".join(written)


def gammon(printed, tags=""):
    """Return a single game that is borne off as a backgammon while the cube is at 1."""
    played = (RECORDS / "gnubg-3pt.mat").read_text().split(" Game 2\n")[1].replace(" : 1 ", " : 0 ")
    assert "Wins 3 points" in played
    result = f"Wins {printed} point{'' if printed == 1 else 's'}"
    return f"{tags}\n 0 point match\n\n Game 1\n{played.replace('Wins 3 points', result)}"


def found(data):
    judged = verify(data.encode())
    finding = judged.finding
    return judged.verdict.value, finding and finding.code, finding and finding.game, finding and finding.row


def results(data):
    return [(game.winner, game.cube, game.level) for game in verify(data.encode()).games]


def test_a_money_session_is_proved_game_by_game():
    judged = verify((MONEY / "gnubg-money.mat").read_bytes())
    assert (judged.verdict, judged.money, judged.length, judged.crawford) == (Verdict.PROVED, True, 0, False)
    assert (judged.score, judged.score.winner, judged.plays) == (MatchScore(0, 6, 5, crawford=False), None, 580)
    assert [game.points for game in judged.games] == [1, 1, 1, 1, 1, 2, 1, 2, 1]
    assert judged.games[5] == GameResult(A, 1, Level.GAMMON, Ending.BEAROFF)


@pytest.mark.parametrize("suffix", ["mat", "sgf"])
def test_playing_on_takes_a_beaver_and_a_raccoon(suffix):
    judged = verify((MONEY / f"gnubg-beavers.{suffix}").read_bytes())
    assert (judged.verdict, judged.score.a, judged.score.b, judged.plays) == (Verdict.PROVED, 8, 15, 9)
    assert judged.games == (
        GameResult(A, 8, Level.SINGLE, Ending.RESIGNED),
        GameResult(B, 2, Level.SINGLE, Ending.DROP),
        GameResult(B, 1, Level.SINGLE, Ending.RESIGNED),
        GameResult(B, 4, Level.SINGLE, Ending.DROP),
        GameResult(B, 4, Level.GAMMON, Ending.RESIGNED),
    )


def test_a_beaver_that_answers_a_beaver_is_a_raccoon():
    actions = [type(line.action) for line in loads(BEAVERS.encode()).games[0].lines[2:5]]
    assert actions[:2] == [Beavered, Raccooned]
    named = BEAVERS.replace("Beavers => 8", "Raccoons    ", 1).replace("Beavers => 4", "Beavers     ", 1)
    assert loads(named.encode()) == loads(BEAVERS.encode())
    assert Took not in actions


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (" 0 point", " 3 point", ("refused", "beaver_in_match", 1, 2)),
        (" 0 point", '; [Beaver "Off"]\n 0 point', ("refused", "beaver_not_agreed", 1, 2)),
        ("Beavers => 4", "Beavers => 6", ("refused", "cube_value", 1, 2)),
        ("Beavers => 8", "Beavers => 16", ("refused", "cube_value", 1, 2)),
        ("Doubles => 2", "Doubles => 4", ("refused", "cube_value", 1, 2)),
        ("Doubles => 2\n  2)  Beavers => 4", "64: 24/14\n  2)  Beavers => 4", ("refused", "no_double", 1, 2)),
        ("Wins 8 points", "Wins 9 points", ("refused", "result_points", 1, 5)),
        ("Wins 8 points", "Wins 4 points", ("refused", "result_points", 1, 5)),
        ("Wins 2 points", "Wins 4 points", ("refused", "result_points", 2, 3)),
        ("Wins 2 points", "Wins 2 points and the match", ("refused", "match_not_won", 2, 3)),
        ("Ann : 0 ", "Ann : 1 ", ("refused", "score_mismatch", 1, None)),
        (
            "Ann : 8                        Bo : 2",
            "Ann : 8                        Bo : 3",
            ("refused", "score_mismatch", 3, None),
        ),
        ("64: 24/18 18/14", "64: 24/18 18/13", ("refused", "not_rolled", 1, 3)),
    ],
)
def test_a_changed_money_session_is_refused_there(old, new, expected):
    assert old in BEAVERS
    assert found(BEAVERS.replace(old, new, 1)) == expected


@pytest.mark.parametrize(
    ("printed", "tag", "expected", "level"),
    [
        (1, "", None, Level.SINGLE),
        (3, "", None, Level.BACKGAMMON),
        (2, "", "result_points", None),
        (1, '; [Jacoby "On"]', None, Level.SINGLE),
        (3, '; [Jacoby "On"]', "result_points", None),
        (3, '; [Jacoby "Off"]', None, Level.BACKGAMMON),
        (1, '; [Jacoby "Off"]', "result_points", None),
    ],
)
def test_where_the_record_is_silent_its_points_say_whether_jacoby_is_on(printed, tag, expected, level):
    judged = verify(gammon(printed, tag).encode())
    assert (judged.finding and judged.finding.code) == expected
    if level:
        assert (judged.verdict, judged.games[0].level) == (Verdict.PROVED, level)
        assert judged.variants.jacoby is (level is Level.SINGLE)


def test_jacoby_is_on_or_off_for_a_whole_session():
    once = gammon(1)
    rows = "".join(once.split(" Game 1\n")[1].splitlines(keepends=True)[1:])
    heading = next(line for line in once.splitlines() if " : 0" in line)
    winner = verify(once.encode()).games[0].winner
    scores = [heading, heading.replace(": 0", ": 1", 1) if winner is A else ": 1".join(heading.rsplit(": 0", 1))]
    both = "\n 0 point match\n" + "".join(f"\n Game {n}\n{head}\n{rows}" for n, head in enumerate(scores, 1))
    assert found(both)[0] == "proved"
    last = both.rindex("Wins 1 point")
    assert found(both[:last] + "Wins 3 points" + both[last + len("Wins 1 point") :])[:2] == ("refused", "result_points")


def test_a_session_that_stops_in_a_game_is_incomplete():
    assert found(text(((0, 0), OPENED))) == ("incomplete", None, None, None)
    assert found(text(((0, 0), OPENED + "  2)  Doubles => 2                Drops\n"), ((1, 0), "")))[0] == "incomplete"


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (BEAVERED + "  3)  Takes\n", ("incomplete", None, None, None)),
        (BEAVERED + "  3)  Drops\n", ("proved", None, None, None)),
        (BEAVERED + "  3)  Doubles => 8\n", ("refused", "double_unanswered", 1, 3)),
        (BEAVERED + "  3)                             52: 13/8 6/4\n", ("refused", "wrong_turn", 1, 3)),
        (BEAVERED + "  3) 52: 13/8 6/4\n", ("incomplete", None, None, None)),
        ("  2)  Doubles => 2\n  3) 52: 13/8 6/4\n", ("refused", "double_unanswered", 1, 3)),
    ],
)
def test_what_may_follow_a_beaver(rows, expected):
    assert found(text(((0, 0), OPENED + rows))) == expected


def test_a_session_may_have_any_number_of_games_and_points():
    games = [((won, 0), OPENED + "  2)  Doubles => 2                Drops\n") for won in range(60)]
    judged = verify(text(*games).encode())
    assert (judged.verdict, judged.score.a, len(judged.games)) == (Verdict.PROVED, 60, 60)


def test_a_cube_that_does_not_begin_at_1_is_quarantined():
    data = (MONEY / "gnubg-beavers.sgf").read_text()
    assert found(data.replace("RU[Jacoby]", "RU[Jacoby]CV[4]", 1)) == ("quarantined", "set_up", 1, 1)


def test_sgf_without_a_length_is_refused():
    data = (MONEY / "gnubg-beavers.sgf").read_text()
    assert found(data.replace("MI[length:0]", "MI", 1))[:2] == ("refused", "record_no_length")


@pytest.mark.parametrize("name", ["gnubg-beavers.mat", "gnubg-beavers.sgf", "gnubg-money.mat"])
@pytest.mark.parametrize("slug", sorted(FORMATS))
def test_a_money_session_is_written_in_every_format(name, slug):
    record = loads((MONEY / name).read_bytes())
    judged, copy = verify((MONEY / name).read_bytes()), verify(FORMATS[slug].dumps(record))
    assert (copy.verdict, copy.games, copy.score, copy.money) == (judged.verdict, judged.games, judged.score, True)


def test_sgf_says_whether_jacoby_is_on():
    record = loads((MONEY / "gnubg-beavers.sgf").read_bytes())
    assert record.jacoby is True
    assert b"RU[Jacoby]" in FORMATS["sgf"].dumps(record)
    assert b'[Jacoby "On"]' in FORMATS["mat"].dumps(record)
    assert loads((MONEY / "gnubg-beavers.sgf").read_bytes().replace(b"RU[Jacoby]", b"")).jacoby is False
