import itertools
import string
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.cube import CENTRED, Cube
from rules.errors import NotationError
from rules.ids import (
    FORMATS,
    Offer,
    Progress,
    Situation,
    gnu_id,
    match_id,
    ogid,
    parse_gnu_id,
    parse_id,
    parse_match_id,
    parse_ogid,
    parse_position_id,
    parse_typed,
    parse_typed_position,
    parse_xgid,
    position_id,
    typed_position,
    xgid,
)
from rules.ids.situation import MAX_NUMBER
from rules.position import START
from rules.score import Level, MatchScore, Side
from tests.rules.boards import board, positions
from tests.rules.situations import situations

STARTING_XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10"
MONEY_XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:2:0:10"
STARTING_OGID = "11jjjjjhhhccccc:ooddddd88866666:N0N::W:IW:0:0:1:0"


def test_position_id_of_the_start():
    assert position_id(START) == "4HPwATDgc/ABMA"
    assert parse_position_id("4HPwATDgc/ABMA") == START


def test_position_id_puts_the_player_not_on_roll_first():
    assert position_id(board({1: 1})) == "AAAAAgAAAAAAAA"
    assert position_id(board({}, {24: 1})) == "AQAAAAAAAAAAAA"


@given(positions())
def test_position_id_reads_back_to_the_same_position(position):
    assert parse_position_id(position_id(position)) == position


@pytest.mark.parametrize(
    "text",
    [
        "",
        "4HPwATDgc/ABM",
        "4HPwATDgc/ABMAA",
        "4HPwATDgc/AB A",
        "4HPwATDgc/ABMÅ",
        "////////////",
        "/" * 14,
        "4HPwATDgc/ABM/",
    ],
)
def test_parse_position_id_refuses_what_is_not_a_position(text):
    with pytest.raises(NotationError):
        parse_position_id(text)


def test_parse_position_id_of_a_changed_id_is_another_position_or_refused():
    outcomes = set()
    for place, letter in itertools.product(range(14), string.ascii_letters + string.digits + "+/"):
        text = "4HPwATDgc/ABMA"[:place] + letter + "4HPwATDgc/ABMA"[place + 1 :]
        try:
            outcomes.add(position_id(parse_position_id(text)) == text)
        except NotationError:
            outcomes.add(None)
    assert outcomes == {True, None}


@given(
    situations(offers=(Offer.NONE, Offer.DOUBLE), progress=tuple(Progress), resignations=True),
)
def test_gnu_id_reads_back_to_the_same_situation(situation):
    assert parse_gnu_id(gnu_id(situation)) == situation


@given(situations(offers=tuple(Offer), beavers=True, limits=True))
def test_xgid_reads_back_to_the_same_situation(situation):
    assert parse_xgid(xgid(situation)) == situation


@given(situations(progress=(Progress.PLAYING,), money_rules=False))
def test_ogid_reads_back_to_the_same_situation(situation):
    assert parse_ogid(ogid(situation)) == situation


@given(situations(offers=(Offer.NONE,), progress=tuple(Progress), money_rules=False))
def test_ogid_gives_the_progress_of_the_game(situation):
    if situation.progress is Progress.NOT_STARTED:
        situation = replace(situation, dice=None)
    assert parse_ogid(ogid(situation)) == situation


@pytest.mark.parametrize("name", FORMATS)
@given(situation=situations(money_rules=False))
def test_ids_of_every_kind_hold_the_same_situation(name, situation):
    assert parse_id(FORMATS[name].write(situation)) == situation


def test_match_id_as_published():
    """Length 9, score 2-4, cube 2 owned by player 0, player 1 on roll with 52. Source: the manual of GNU Backgammon."""
    situation = parse_match_id("QYkqASAAIAAA", START)
    assert situation == Situation(
        position=START,
        on_roll=Side.B,
        acting=Side.B,
        dice=(5, 2),
        cube=Cube(2, Side.A),
        score=MatchScore(9, 2, 4),
    )
    assert match_id(situation) == "QYkqASAAIAAE"


def test_match_id_of_an_older_program_has_no_last_bit():
    assert parse_match_id("QYkqASAAIAAA", START) == parse_match_id("QYkqASAAIAAE", START)


def test_match_id_reads_dice_in_any_order():
    assert parse_match_id("QYnoAGAAGAAE", START).dice == (2, 1)


def test_gnu_id_and_xgid_of_the_crawford_game_are_the_same_situation():
    gnu = parse_gnu_id("4HPwATDgc/ABMA:8IhuACAACAAE")
    assert gnu.progress is Progress.NOT_STARTED
    assert gnu_id(gnu) == "4HPwATDgc/ABMA:8IhuACAACAAE"
    assert xgid(gnu) == "XGID=-b----E-C---eE---c-e----B-:0:0:1:53:1:2:1:3:10"
    assert gnu_id(parse_xgid(xgid(gnu))) == "4HPwATDgc/ABMA:8IluACAACAAE"


def test_xgid_of_the_start():
    start = parse_xgid(STARTING_XGID)
    assert start == Situation(position=START, on_roll=Side.B, acting=Side.B, score=MatchScore(7))
    assert xgid(start) == STARTING_XGID
    assert (START.pips(), START.swapped().pips()) == (167, 167)


def test_xgid_is_seen_from_the_bottom_whoever_is_on_roll():
    bottom = parse_xgid("XGID=--A---------------------b-:0:0:1:00:0:0:0:0:10")
    top = parse_xgid("XGID=--A---------------------b-:0:0:-1:00:0:0:0:0:10")
    assert bottom.position == board({2: 1}, {24: 2})
    assert top.position == bottom.position.swapped()


@pytest.mark.parametrize(
    ("dice", "offer", "acting"),
    [("D", Offer.DOUBLE, Side.A), ("B", Offer.BEAVER, Side.B), ("R", Offer.RACCOON, Side.A)],
)
def test_xgid_shows_which_side_must_answer(dice, offer, acting):
    situation = parse_xgid(MONEY_XGID.replace(":00:", f":{dice}:"))
    assert (situation.offer, situation.on_roll, situation.acting) == (offer, Side.B, acting)


def test_ogid_of_the_start():
    start = parse_ogid(STARTING_OGID)
    assert start == Situation(position=START, score=MatchScore(1), progress=Progress.NOT_STARTED)
    assert ogid(start) == "11ccccchhhjjjjj:66666888dddddoo:N0N::W:IW:0:0:1:0"


OPENED_OGID = "11ccccchhjjjjkk:66666888dddddoo"
"""White has played 31 as 8/5 6/5."""


@pytest.mark.parametrize(
    ("text", "on_roll", "offer", "progress"),
    [
        ("11ccccchhhjjjjj:66666888dddddoo:N0N::B:IW:0:0:5:0", Side.A, Offer.NONE, Progress.NOT_STARTED),
        ("11ccccchhhjjjjj:66666888dddddoo:N0N::W:IB:0:0:5:0", Side.B, Offer.NONE, Progress.NOT_STARTED),
        ("11ccccchhhjjjjj:66666888dddddoo:N0N:13:B:IB:0:0:5:0", Side.A, Offer.NONE, Progress.PLAYING),
        (f"{OPENED_OGID}:N0N::W:C:0:0:5:1", Side.B, Offer.NONE, Progress.PLAYING),
        (f"{OPENED_OGID}:N0N::W:PR:0:0:5:1", Side.B, Offer.NONE, Progress.PLAYING),
        (f"{OPENED_OGID}:N0N:46:W:R:0:0:5:1", Side.B, Offer.NONE, Progress.PLAYING),
        (f"{OPENED_OGID}:N0O::B:D:0:0:5:1", Side.B, Offer.DOUBLE, Progress.PLAYING),
        (f"{OPENED_OGID}:W1T::W:A:0:0:5:1", Side.B, Offer.NONE, Progress.PLAYING),
        (f"{OPENED_OGID}:N0P::W:G:0:0:5:1", Side.B, Offer.NONE, Progress.DROPPED),
        (f"{OPENED_OGID}:N0N::W:P:0:0:5:1", Side.B, Offer.NONE, Progress.DROPPED),
        (f"{OPENED_OGID}:N0N::W:G:0:0:5:1", Side.B, Offer.NONE, Progress.OVER),
        (f"{OPENED_OGID}:N0N::W:M:5:0:5:1", Side.B, Offer.NONE, Progress.OVER),
        (f"{OPENED_OGID}:N0N::W:F:0:0:5:1", Side.B, Offer.NONE, Progress.OVER),
        (f"{OPENED_OGID}:N0N::W:FF:0:0:5:1", Side.B, Offer.NONE, Progress.OVER),
        (f"{OPENED_OGID}:N0N::W:RG:0:0:5:1", Side.B, Offer.NONE, Progress.RESIGNED),
        (f"{OPENED_OGID}:N0N::W:RM:0:0:5:1", Side.B, Offer.NONE, Progress.RESIGNED),
        (f"{OPENED_OGID}:N0N::W:XY:0:0:5:1", Side.B, Offer.NONE, Progress.PLAYING),
    ],
)
def test_ogid_of_every_state(text, on_roll, offer, progress):
    situation = parse_ogid(text)
    assert (situation.on_roll, situation.offer, situation.progress) == (on_roll, offer, progress)
    assert parse_ogid(ogid(situation)) == situation


@pytest.mark.parametrize(
    "text",
    [
        "11ccccchhhjjjjj:66666888dddddoo:N0N::W:IW:0:0:5:0",
        f"{OPENED_OGID}:N0N::W:C:0:0:5:0",
        f"{OPENED_OGID}:N0N:46:W:R:0:0:5:0",
        f"{OPENED_OGID}:N0O::B:D:0:0:5:0",
        f"{OPENED_OGID}:N0P::W:G:0:0:5:0",
        f"{OPENED_OGID}:N0N::B:C:4:0:5C:0",
        f"{OPENED_OGID}:N0N::W:C:1:4:5:0",
    ],
)
def test_ogid_is_written_as_the_formats_own_codec_writes_it(text):
    assert ogid(parse_ogid(text)) == text


def test_ogid_names_the_side_that_reached_the_position():
    black = parse_ogid("03cccchhhhjjjjj:16666888dddddoo:N0N:33:W:R:0:1:3:3")
    assert (black.on_roll, black.dice) == (Side.B, (3, 3))
    assert black.position == board({24: 2, 13: 5, 8: 3, 6: 4, 1: 1}, {3: 1, 12: 4, 17: 4, 19: 5}, their_bar=1)


def test_ogid_of_a_pending_double_names_the_side_that_doubled():
    pending = parse_ogid("cccccgghhhjjjjj:112233666777dll:N0O::B:D:0:0:3:11")
    assert (pending.offer, pending.on_roll, pending.acting) == (Offer.DOUBLE, Side.B, Side.A)


@pytest.mark.parametrize(("length", "is_crawford"), [("7C", True), ("7", False), ("7L", False), ("7G15", False)])
def test_ogid_marks_the_crawford_game(length, is_crawford):
    score = parse_ogid(f"11jjjjjhhhccccc:ooddddd88866666:N0N:65:W::6:5:{length}:0").score
    assert (score.is_crawford, score.crawford_done) == (is_crawford, not is_crawford)


def test_ogid_borne_off_checkers_may_be_written():
    assert parse_ogid("11ccccchhhjjjjq:66666888dddddoo:W1N").cube == Cube(2, Side.A)
    assert parse_ogid("11ccccchhhjjjjq:66666888dddddoo:W1N") == parse_ogid("11ccccchhhjjjj:66666888dddddoo:W1N")


def test_a_beaver_or_raccoon_becomes_a_double_in_formats_that_do_not_know_them():
    for letter, acting in (("B", Side.B), ("R", Side.A)):
        answered = parse_xgid(MONEY_XGID.replace(":0:0:1:00:", f":1:-1:1:{letter}:"))
        for text in (gnu_id(answered), ogid(answered)):
            assert (parse_id(text).offer, parse_id(text).cube) == (Offer.DOUBLE, Cube(2, Side.A))
        assert parse_gnu_id(gnu_id(answered)).acting == acting


def test_only_the_match_id_holds_a_resignation():
    resigned = Situation(position=START, on_roll=Side.A, acting=Side.B, resigned=Level.GAMMON, score=MatchScore(5))
    assert parse_gnu_id(gnu_id(resigned)) == resigned
    assert parse_xgid(xgid(resigned)).resigned is None


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "This is not an ID"),
        ("start", "This is not an ID"),
        ("x" * 200, "This is not an ID"),
        ("cAkAAAAAAAAE", "A Match ID does not include the checkers"),
        ("4HPwATDgc/ABMA:", "A Match ID is 12"),
        ("4HPwATDgc/ABMA:QYkqASAAIAA!", "A Match ID is 12"),
        ("4HPwATDgc/ABMA:cAkAAAAAAAAI", "has extra data after its last field"),
        ("4HPwATDgc/ABMA:YAkAAAAAAAAE", "an invalid owner"),
        ("4HPwATDgc/ABMA:cA0AAAAAAAAE", "an invalid state"),
        ("4HPwATDgc/ABMA:cIkDAAAAAAAE", "invalid dice"),
        ("4HPwATDgc/ABMA:AAkAAAAAAAAE", "gives the cube an owner, although"),
        ("4HPwATDgc/ABMA:8AngAAAAAAAE", "marks the Crawford game at 0–0 to 7"),
        (STARTING_XGID.replace("E", "P", 1), "more than fifteen"),
        (STARTING_XGID.replace("=-", "=A"), "on the other side's bar"),
        (STARTING_XGID.replace(":00:", ":06:"), "gives only one die"),
        (STARTING_XGID.replace(":00:", ":77:"), "An XGID consists of"),
        (STARTING_XGID.replace(":7:10", ":7:10:1"), "An XGID consists of"),
        (STARTING_XGID.replace(":0:0:1:", ":0:1:1:"), "gives the cube an owner, although"),
        (STARTING_XGID.replace(":0:0:1:", ":16:1:1:"), "above 32768"),
        (STARTING_XGID.replace(":0:0:0:7", ":8:0:0:7"), "a score of 0–8 in a match to 7"),
        (STARTING_XGID.replace(":0:0:0:7", ":0:0:0:32768"), "a length or a score above 32767"),
        (STARTING_XGID.replace(":0:0:0:7", ":0:32768:0:0"), "a length or a score above 32767"),
        (STARTING_OGID.replace("1:0", "99999:0"), "a length or a score above 32767"),
        (STARTING_XGID.replace(":0:0:0:7", ":0:0:2:7"), "beavers"),
        (STARTING_XGID.replace(":0:0:0:7", ":0:0:1:7"), "marks the Crawford game"),
        (STARTING_XGID.replace(":00:", ":B:"), "Beavers are allowed only in money play"),
        (STARTING_XGID.replace(":00:", ":R:"), "Beavers are allowed only in money play"),
        (STARTING_XGID.replace(":0:0:1:00:", ":1:-1:1:D:"), "The opponent owns the cube"),
        (MONEY_XGID.replace(":0:0:1:00:", ":1:-1:1:D:"), "The opponent owns the cube"),
        (STARTING_XGID.replace(":00:0:0:0:", ":D:6:0:1:"), "the Crawford game, in which nobody may double"),
        (STARTING_XGID.replace(":00:0:0:0:7:", ":D:0:0:0:1:"), "The cube is not used in a match to one point"),
        (f"{OPENED_OGID}:W1O::B:D:0:0:5:1", "The opponent owns the cube"),
        (f"{OPENED_OGID}:N0O::B:D:4:0:5C:1", "the Crawford game, in which nobody may double"),
        ("4HPwATDgc/ABMA:QRGgAAAAAAAE", "The opponent owns the cube"),
        (STARTING_OGID.replace("11j", "66j"), "checkers of both sides on point"),
        (STARTING_OGID.replace("11j", "p1j"), "on the other side's bar"),
        (STARTING_OGID + ":10", "fifteen checkers a side"),
        (STARTING_OGID.replace("N0N", "X0N"), "An OGID consists of"),
        (STARTING_OGID.replace("N0N", "W0N"), "gives the cube an owner, although"),
        (STARTING_OGID + "\0", "An OGID consists of"),
    ],
)
def test_parse_id_says_in_one_sentence_what_is_wrong(text, sentence):
    with pytest.raises(NotationError) as refused:
        parse_id(text)
    assert sentence in str(refused.value)


@given(st.text(max_size=130))
def test_parse_id_reads_or_refuses_any_text(text):
    try:
        situation = parse_id(text)
    except NotationError:
        return
    assert parse_id(gnu_id(situation)).position == situation.position


NUMBERS = st.one_of(st.integers(0, 9), st.integers(MAX_NUMBER - 1, MAX_NUMBER + 2), st.just(99999))


@given(NUMBERS, NUMBERS, NUMBERS, st.booleans())
def test_what_one_kind_of_id_holds_every_kind_can_write(length, a, b, in_xgid):
    xgid_text = STARTING_XGID.replace(":0:0:0:7:", f":{a}:{b}:0:{length}:")
    ogid_text = STARTING_OGID.replace(":0:0:1:", f":{a}:{b}:{length}:")
    try:
        situation = parse_id(xgid_text if in_xgid else ogid_text)
    except NotationError:
        return
    for id_format in FORMATS.values():
        assert parse_id(id_format.write(situation)).score == situation.score


@given(
    st.sampled_from([STARTING_XGID, STARTING_OGID, "4HPwATDgc/ABMA:8IhuACAACAAE"]),
    st.integers(0, 49),
    st.characters(codec="ascii"),
)
def test_parse_id_of_a_changed_id_is_another_situation_or_refused(text, place, letter):
    changed = text[:place] + letter + text[place + 1 :]
    try:
        situation = parse_id(changed)
    except NotationError:
        return
    assert parse_id(gnu_id(situation)).score == situation.score


def test_a_position_id_alone_is_money_play_with_the_cube_in_the_middle():
    assert parse_id(" 4HPwATDgc/ABMA ") == Situation(position=START)
    assert parse_id("4HPwATDgc/ABMA").cube == CENTRED


def test_typed_position_of_the_start():
    side = "24:2 13:5 8:3 6:5"
    assert typed_position(START) == {"mine": side, "theirs": side}
    assert parse_typed_position(side, "24:2, 13:5, 8:3, 6:5, off:0") == START


@given(positions())
def test_typed_position_reads_back_to_the_same_position(position):
    assert parse_typed_position(**typed_position(position)) == position


def test_parse_typed_knows_bar_and_off():
    assert parse_typed("BAR:1 6=2 off:12") == {25: 1, 6: 2}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("6", "should be a point and the number of checkers on it"),
        ("6:2 x:1", "should be a point and the number of checkers on it"),
        ("26:1", "There is no point 26"),
        ("6:1 6:2", "Point 6 is given twice"),
        ("6:16", "fifteen checkers, not 16"),
        ("6:2 off:2", "fifteen checkers, not 4"),
        ("6:" + "9" * 30, "should be a point and the number of checkers on it"),
    ],
)
def test_parse_typed_says_in_one_sentence_what_is_wrong(text, sentence):
    with pytest.raises(NotationError) as refused:
        parse_typed(text)
    assert sentence in str(refused.value)


def test_parse_typed_position_refuses_a_point_held_by_both_sides():
    with pytest.raises(NotationError, match="both sides on point 6"):
        parse_typed_position("6:2", "19:1")
