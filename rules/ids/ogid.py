"""The OGID of OpenGammon: `11ccccchhhjjjjj:66666888dddddoo:N0N:13:B:R:0:0:7:0`.

Source: what the format's own codec (ogxm 2.3.2) writes, and AnkiGammon 1.19; the text of the specification was not
available.
"""

import re
from collections import Counter
from typing import Final

from rules.errors import gettext_noop
from rules.ids.situation import (
    MAX_CUBE_LOG,
    MAX_NUMBER,
    IdError,
    Offer,
    Progress,
    Situation,
    answering,
    cube_of,
    descending,
    offered,
    placed,
    score_of,
)
from rules.position import BAR, CHECKERS, count
from rules.score import Side

PREFIX: Final = "OGID="
_POINTS: Final = "0123456789abcdefghijklmnop"
_BORNE_OFF: Final = "q"
_OGID = re.compile(
    r"(?:OGID=)?([0-9a-q]{0,15}):([0-9a-q]{0,15}):([WBND?])(\d{1,2})([NOTP])"
    r"(?::([1-6]{2})?(?::([WB])?(?::([A-Z]{0,2})(?::(\d{1,5})?(?::(\d{1,5})?"
    r"(?::(?:(\d{1,5})([LCG]?)\d{0,5})?(?::\d{0,9}(?::(\d{1,3})?)?)?)?)?)?)?)?)?",
    re.ASCII,
)
_OWNERS: Final = {"W": Side.A, "B": Side.B}
_COLOURS: Final = {Side.A: "W", Side.B: "B", None: "N"}
_PENDING: Final = "D"
_WHITE_BEGINS: Final = "IW"
_BEGINNING: Final = frozenset({_WHITE_BEGINS, "IB"})
"""The states at the opening roll, before or after it."""
_PROGRESS: Final = {
    **dict.fromkeys(("PR", "R", "C", _PENDING, "A"), Progress.PLAYING),
    "P": Progress.DROPPED,
    **dict.fromkeys(("G", "M", "F", "FF"), Progress.OVER),
    **dict.fromkeys(("RG", "RM"), Progress.RESIGNED),
}
"""The progress by state: before a roll, rolled, played, doubled, taken; dropped; game over, match over, finished,
forfeited; game or match resigned.
"""


def ogid(situation: Situation) -> str:
    """Write the OGID up to its tenth field; White is side A.

    One character for each checker, each side's from its smallest point up; points run from White's 24-point (1) to
    White's 1-point (24). The fifth field names the side that reached the position, so the other is to act; at a pending
    double it is the side that doubled. The sixth gives the state of the game. No room for the level of a resignation,
    Jacoby, beavers and the limit of the cube: an offered beaver or raccoon is written as a double. Raises ValueError
    for numbers beyond those of a Match ID.
    """
    score, cube = situation.score, situation.cube
    if max(score.length, score.a, score.b) > MAX_NUMBER or cube.value.bit_length() - 1 > MAX_CUBE_LOG:
        raise ValueError("An OGID holds lengths and scores to 32767 and cubes to 32768.")
    white, black = situation.side(Side.A), situation.side(Side.B)
    pending = situation.offer is not Offer.NONE
    dropped = situation.progress is Progress.DROPPED
    state = _state(situation)
    reached_by = situation.on_roll if state in (_PENDING, _WHITE_BEGINS) else situation.on_roll.other
    fields = (
        "".join(letter * count(white, BAR - point) for point, letter in enumerate(_POINTS) if point < BAR),
        "".join(letter * count(black, point) for point, letter in enumerate(_POINTS) if point),
        f"{_COLOURS[cube.owner]}{cube.value.bit_length() - 1}{'O' if pending else 'P' if dropped else 'N'}",
        "".join(str(die) for die in sorted(situation.dice or ())),
        _COLOURS[reached_by],
        state,
        score.a,
        score.b,
        f"{score.length}{'C' if score.is_crawford else ''}",
        0,
    )
    return ":".join(str(field) for field in fields)


def _state(situation: Situation) -> str:
    """Return the sixth field: of the states that mean the same situation, the one that the game reaches first."""
    if situation.offer is not Offer.NONE:
        return _PENDING
    match situation.progress:
        case Progress.NOT_STARTED:
            return _WHITE_BEGINS if situation.on_roll is Side.A else "IB"
        case Progress.PLAYING:
            return "R" if situation.dice else "C"
        case Progress.RESIGNED:
            return "RG"
        case _:
            return "M" if situation.score.over else "G"


def parse_ogid(text: str) -> Situation:
    """Read the situation of an OGID, with or without `OGID=`; only the first three fields are required.

    Without a fifth field White is on roll, as is also the case before a game that White begins according to the sixth.
    A state that is not in the tables above is ignored, and so are the number of the move and the marks at the length
    except the C of the Crawford game. Raises NotationError for a text that is not an OGID, or for an impossible
    situation.
    """
    found = _OGID.fullmatch(text)
    if found is None:
        raise IdError(
            gettext_noop(
                "An OGID consists of the checkers of both sides, the cube and up to eight more fields, "
                "separated by colons."
            )
        )
    white_text, black_text, owner, log, action, dice, colour, state, a, b, length, mark, checkers = found.groups()
    if checkers and int(checkers) != CHECKERS:
        raise IdError(gettext_noop("Only positions with fifteen checkers a side can be read."))
    if int(log) > MAX_CUBE_LOG:
        raise IdError(gettext_noop("The OGID gives a cube above 32768."))
    white = {BAR - _POINTS.index(letter): number for letter, number in _counted(white_text)}
    black = {_POINTS.index(letter): number for letter, number in _counted(black_text)}
    if 0 in white or 0 in black:
        raise IdError(gettext_noop("The OGID has a checker on the other side's bar."))
    pending = action == "O" or state == _PENDING
    named = _OWNERS.get(colour or "B", Side.B)
    on_roll = named if pending else named.other
    progress = Progress.DROPPED if action == "P" else _PROGRESS.get(state, Progress.PLAYING)
    if state in _BEGINNING and not dice:
        progress = Progress.NOT_STARTED
        on_roll = Side.A if state == _WHITE_BEGINS else on_roll
    offer = Offer.DOUBLE if pending else Offer.NONE
    mine, theirs = (white, black) if on_roll is Side.A else (black, white)
    return offered(
        Situation(
            position=placed(mine, theirs),
            on_roll=on_roll,
            acting=answering(on_roll, offer),
            dice=descending(int(dice[0]), int(dice[1])) if dice else None,
            cube=cube_of(int(log), _OWNERS.get(owner)),
            offer=offer,
            score=score_of(int(length or 0), int(a or 0), int(b or 0), crawford=mark == "C"),
            progress=progress,
        )
    )


def _counted(text: str) -> list[tuple[str, int]]:
    return [(letter, number) for letter, number in Counter(text).items() if letter != _BORNE_OFF]
