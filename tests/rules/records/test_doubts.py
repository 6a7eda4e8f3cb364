"""Records that break no rule and yet prove nothing: they begin in the middle, or rest on the record's word alone."""

from pathlib import Path

import pytest

from rules.notation import Hop
from rules.position import START, Position
from rules.records import mat
from rules.records.record import Turn
from rules.records.replay import Verdict, replay, verify
from rules.records.snowie import Placed, format_placed
from rules.score import MatchScore, Side

A, B = Side.A, Side.B
RECORDS = Path(__file__).parents[2] / "data" / "records"
OPENED = "  1) 31: 8/5 6/5                 64: 24/14\n"
DROPPED = "  2)  Doubles => 2                Drops\n"
RESIGNED = "  2)\n      Wins 1 point\n"


def text(*games, length=5, first=1, names="Ann : {0}                         Bob : {1}"):
    """Write a record of games, each a heading score and its rows."""
    written = [f"{length} point match\n"]
    for number, (score, rows) in enumerate(games, first):
        written.append(f" Game {number}\n {names.format(*score)}\n{rows}")
    return "\n".join(written)


def found(data, **options):
    judged = verify(data.encode() if isinstance(data, str) else data, **options)
    finding = judged.finding
    return judged.verdict.value, finding and finding.code, finding and finding.game, finding and finding.row


@pytest.mark.parametrize(
    ("games", "first", "expected"),
    [
        ([((3, 2), OPENED + DROPPED)], 1, ("refused", "score_mismatch", 1, None)),
        ([((0, 1), OPENED + DROPPED)], 1, ("refused", "score_mismatch", 1, None)),
        ([((3, 2), OPENED + DROPPED)], 2, ("quarantined", "start_unproved", 2, None)),
        ([((3, 2), OPENED + DROPPED)], 5, ("quarantined", "start_unproved", 5, None)),
        ([((3, 2), OPENED + DROPPED)], 6, ("quarantined", "start_unproved", 6, None)),
        ([((3, 2), OPENED + DROPPED)], 7, ("refused", "start_impossible", 7, None)),
        ([((0, 0), OPENED + DROPPED)], 2, ("refused", "start_impossible", 2, None)),
        ([((5, 2), OPENED + DROPPED)], 3, ("refused", "score_mismatch", 3, None)),
        ([((3, 2), OPENED + DROPPED), ((4, 2), OPENED)], 3, ("quarantined", "start_unproved", 3, None)),
        ([((3, 2), OPENED + DROPPED), ((3, 2), OPENED)], 3, ("refused", "score_mismatch", 4, None)),
        ([((3, 2), OPENED + DROPPED), ((4, 2), OPENED + DROPPED)], 3, ("refused", "crawford_cube", 4, 2)),
    ],
)
def test_a_record_that_begins_in_the_middle_is_quarantined_if_all_else_holds(games, first, expected):
    assert found(text(*games, first=first)) == expected


def test_a_record_that_begins_in_the_middle_still_gives_its_games_and_score():
    judged = verify(text(((3, 2), OPENED + DROPPED), ((4, 2), OPENED + RESIGNED), first=3).encode())
    assert (judged.score.a, judged.score.b, len(judged.games)) == (5, 2, 2)
    assert judged.finding.message == "The record begins at 3–2, and nothing in it shows how that score came about."


@pytest.mark.parametrize("name", ["galaxy-5pt.mat", "gnubg-3pt.mat", "studio-7pt.mat", "studio-7pt.sgf"])
def test_a_match_that_does_not_begin_at_0_0_is_refused_at_game_1(name):
    data = (RECORDS / name).read_text()
    heading = ("ws:0", "ws:1") if name.endswith(".sgf") else (" : 0", " : 1")
    judged = verify(data.replace(*heading, 1).encode())
    assert (judged.verdict, judged.finding.game, judged.plays) == (Verdict.REFUSED, 1, 0)
    assert judged.finding.message == "The heading of game 1 says 1–0, but a match begins at 0–0."


def test_penalty_points_before_game_1_must_be_known():
    data = text(((0, 2), OPENED + DROPPED), ((1, 2), OPENED))
    assert found(data) == ("refused", "score_mismatch", 1, None)
    assert found(data, start=MatchScore(5, 0, 2))[0] == "incomplete"
    assert found(data, start=MatchScore(5, 0, 1)) == ("refused", "score_mismatch", 1, None)


def test_a_known_start_proves_it():
    data = text(((3, 2), OPENED + DROPPED), ((4, 2), OPENED + RESIGNED), first=3)
    assert found(data, start=MatchScore(5, 3, 2)) == ("proved", None, None, None)
    assert found(data, start=MatchScore(5, 3, 1)) == ("refused", "score_mismatch", 3, None)
    assert found(data, start=MatchScore(5)) == ("refused", "score_mismatch", 3, None)


@pytest.mark.parametrize(
    ("rows", "known", "expected"),
    [
        (OPENED + RESIGNED, None, "start_unproved"),
        (OPENED + DROPPED, None, "start_unproved"),
        (OPENED + RESIGNED, False, None),
        (OPENED + DROPPED, False, "crawford_cube"),
        (OPENED + RESIGNED, True, None),
        (OPENED + DROPPED, True, None),
    ],
)
def test_whether_crawford_is_over_is_what_is_known_or_what_a_double_shows(rows, known, expected):
    start = None if known is None else MatchScore(5, 4, 2, crawford_done=known)
    assert found(text(((4, 2), rows), first=4), start=start)[1] == expected


def test_a_double_in_a_later_game_does_not_show_that_crawford_is_over():
    begun = (3, 2), OPENED + DROPPED
    assert found(text(begun, ((4, 2), OPENED + DROPPED), first=3))[1] == "crawford_cube"
    resigned = OPENED + RESIGNED.replace("      Wins", " " * 34 + "Wins")
    after = text(((4, 2), resigned), ((4, 3), OPENED + DROPPED), first=3)
    assert found(after)[:2] == ("quarantined", "start_unproved")


SGF = "(;GM[6]MI[length:5][game:3][ws:{0}][bs:{1}]PW[Ann]PB[Bob]RU[{2}];W[31hefe];B[64ak]{3})"


@pytest.mark.parametrize(
    ("score", "rules", "nodes", "code"),
    [
        ((4, 2), "Crawford:CrawfordGame", "", "start_unproved"),
        ((4, 2), "Crawford", ";W[double];B[take]", "start_unproved"),
        ((4, 2), "Crawford:CrawfordGame", ";W[double];B[take]", "crawford_cube"),
        ((3, 2), "Crawford:CrawfordGame", "", "crawford_mismatch"),
        ((3, 2), "Crawford", "", "start_unproved"),
        ((4, 4), "Crawford", "", "start_unproved"),
    ],
)
def test_sgf_says_which_game_is_the_crawford_game(score, rules, nodes, code):
    assert found(SGF.format(*score, rules, nodes))[1] == code


@pytest.mark.parametrize(
    ("old", "new", "game", "message"),
    [
        ("Crawford:CrawfordGame", "Crawford", 2, "At 0–6 this is the Crawford game, but the record does not say so."),
        ("Crawford", "Crawford:CrawfordGame", 1, "The record calls this the Crawford game, but at 0–0 it is not."),
    ],
)
def test_sgf_that_calls_the_wrong_game_the_crawford_game_is_refused(old, new, game, message):
    data = (RECORDS / "gnubg-7pt-backgammon.sgf").read_text()
    assert old in data
    judged = verify(data.replace(f"RU[{old}]", f"RU[{new}]", 1).encode())
    assert (judged.verdict, judged.finding.code, judged.finding.game) == (Verdict.REFUSED, "crawford_mismatch", game)
    assert judged.finding.message == message


def illegal(after, *, names=("Ann", "Bob"), score=(0, 0), length=5):
    """Return the first row of a game: Ann's 31 is illegal and leaves `after`, seen by her."""
    placed = Placed(length, 0, (names[1], names[0]), (score[1], score[0]), after.swapped())
    return f"  1) 31: Illegal play ({format_placed(placed)}) 64: 24/14\n"


WRONG = START.moved(24, 21).moved(13, 11)


def test_an_accepted_illegal_play_is_followed_and_quarantined():
    judged = verify(text(((0, 0), illegal(WRONG) + DROPPED)).encode())
    assert (judged.verdict, judged.plays, judged.score.a, len(judged.games)) == (Verdict.QUARANTINED, 2, 1, 1)
    assert (judged.finding.code, judged.finding.game, judged.finding.row) == ("illegal_play", 1, 1)
    assert judged.finding.message == "The play of 31 was illegal, and the record says that it was accepted."


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (illegal(START.moved(8, 5).moved(6, 5)), ("quarantined", "play_legal", 1, 1)),
        (illegal(START), ("quarantined", "illegal_play", 1, 1)),
        (illegal(Position(WRONG.mine, START.moved(24, 20).mine)), ("refused", "illegal_play_position", 1, 1)),
        (illegal(Position.of({24: 2}, {13: 5, 8: 3, 6: 5})), ("refused", "illegal_play_position", 1, 1)),
        (illegal(Position.of({}, {24: 2, 13: 5, 8: 3, 6: 5})), ("quarantined", "illegal_play", 1, 1)),
        (illegal(WRONG, score=(1, 0)), ("refused", "position_elsewhere", 1, 1)),
        (illegal(WRONG, length=7), ("refused", "position_elsewhere", 1, 1)),
        (illegal(WRONG, names=("Bob", "Ann")), ("refused", "illegal_play_position", 1, 1)),
        (illegal(WRONG, names=("Ann", "Eve")), ("refused", "position_elsewhere", 1, 1)),
        (illegal(WRONG).replace(";5;0;3;", ";5;0;x;"), ("refused", "position_unreadable", 1, 1)),
    ],
)
def test_what_an_illegal_play_may_leave(row, expected):
    assert found(text(((0, 0), row + DROPPED))) == expected


def test_a_rule_that_is_broken_later_counts_more_than_a_doubt():
    rows = illegal(WRONG).replace("64: 24/14", "64: 24/13")
    assert found(text(((0, 0), rows))) == ("refused", "not_rolled", 1, 1)
    assert found(text(((3, 2), OPENED + DROPPED), ((3, 2), OPENED)))[:2] == ("refused", "score_mismatch")


def test_both_columns_can_hold_an_illegal_play():
    placed = Placed(5, 1, ("Ann,1500", "Bob"), (0, 0), START.moved(8, 5).moved(6, 5).swapped().moved(24, 22).swapped())
    row = f"  1) 31: 8/5 6/5                 64: Illegal play ({format_placed(placed)})\n"
    record = mat.loads(text(((0, 0), row)).encode())
    assert record.games[0].lines[1].action == Turn(B, (6, 4), None, after=placed.position.swapped())
    assert replay(record).finding.code == "illegal_play"


def test_the_position_beside_an_unplayed_roll_is_not_a_play():
    line = format_placed(Placed(5, 1, ("Ann", "Bob"), (0, 0), START, dice=(3, 1)))
    record = mat.loads(text(((0, 0), f"  1) 31: {line}\n")).encode())
    assert record.games[0].lines[0].action == Turn(A, (3, 1), None)


@pytest.mark.parametrize("heading", ["Ann,1523 : {0}    Bob,1498.5 : {1}", "Ann , 1523 : {0}     Bob , 1498.5 : {1}"])
def test_ratings_in_a_heading_are_not_part_of_the_names(heading):
    record = mat.loads(text(((0, 0), OPENED), names=heading).encode())
    assert (record.names, record.games[0].ratings) == (("Ann", "Bob"), ("1523", "1498.5"))
    assert replay(record).verdict is Verdict.INCOMPLETE


@pytest.mark.parametrize("name", ["Ann, the 2nd", "Ann,", "Ann,x1500", "1,2 and 3"])
def test_a_comma_without_a_rating_after_it_is_part_of_the_name(name):
    record = mat.loads(text(((0, 0), OPENED), names=name + " : {0}      Bob : {1}").encode())
    assert (record.names, record.games[0].ratings) == ((name, "Bob"), ("", ""))


def test_ratings_may_change_from_game_to_game():
    data = text(((0, 0), OPENED + DROPPED), ((1, 0), OPENED), names="Ann,{0}500 : {0}     Bob,1500 : {1}")
    assert [game.ratings for game in mat.loads(data.encode()).games] == [("0500", "1500"), ("1500", "1500")]
    assert found(data)[0] == "incomplete"


def test_latin_1_is_a_guess_that_quarantines_names_and_nothing_else():
    data = text(((0, 0), OPENED + DROPPED), names="Åse : {0}     Bob : {1}")
    assert found(data)[0] == "incomplete"
    assert found(data.encode("latin-1")) == ("quarantined", "names_guessed", None, None)
    judged = verify(data.encode("latin-1"))
    assert (judged.names, judged.score.a) == (("Åse", "Bob"), 1)
    remark = '; [Event "Århus"]\n' + data.replace("Åse", "Ann")
    assert found(remark.encode("latin-1"))[0] == "incomplete"
    assert found(data.replace("64: 24/14", "64: 24/13").encode("latin-1"))[0] == "refused"


def test_bytes_that_are_letters_in_neither_encoding_are_refused():
    data = text(((0, 0), OPENED + DROPPED), names="Žofie : {0}     Bob : {1}")
    assert found(data.encode("cp1252")) == ("refused", "record_not_utf8", None, None)


def test_a_hop_of_the_play_after_an_illegal_one_starts_where_the_position_says():
    rows = illegal(WRONG).replace("24/14", "24/20 8/2") + "  2) 41: 11/7 21/20\n"
    record = mat.loads(text(((0, 0), rows)).encode())
    assert record.games[0].lines[2].action.play == (Hop(11, 7), Hop(21, 20))
    assert replay(record).plays == 3
