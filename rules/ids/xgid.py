"""The XGID of eXtreme Gammon: `XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10`."""

import re
from typing import Final

from rules.errors import gettext_noop
from rules.ids.situation import (
    DEFAULT_CUBE_LIMIT,
    MAX_CUBE_LOG,
    MAX_NUMBER,
    IdError,
    Offer,
    Situation,
    answering,
    cube_of,
    descending,
    offered,
    placed,
    score_of,
)
from rules.position import BAR, count
from rules.score import Side

PREFIX: Final = "XGID="
_XGID = re.compile(
    r"(?:XGID=)?([-A-Pa-p]{26}):(\d{1,2}):(-1|0|1):(-1|1):([0-6]{2}|[DBR]):(\d{1,5}):(\d{1,5}):([0-3]):(\d{1,5})"
    r"(?::(\d{1,2}))?",
    re.ASCII,
)
_OWNERS: Final = {"0": None, "1": Side.B, "-1": Side.A}
_OFFERS: Final = {"D": Offer.DOUBLE, "B": Offer.BEAVER, "R": Offer.RACCOON}
_LETTERS: Final = {offer: letter for letter, offer in _OFFERS.items()}


def xgid(situation: Situation) -> str:
    """Write the XGID, seen by the bottom player (side B), whose checkers are capitals and whose score comes first.

    The points are numbered as the bottom player counts them. It has no room for resignations and games that are over.
    Raises ValueError for numbers beyond those of a Match ID.
    """
    score, cube = situation.score, situation.cube
    if max(score.length, score.a, score.b) > MAX_NUMBER or cube.value.bit_length() - 1 > MAX_CUBE_LOG:
        raise ValueError("An XGID holds lengths and scores to 32767 and cubes to 32768.")
    bottom, top = situation.side(Side.B), situation.side(Side.A)
    board = [_letter(count(top, BAR), "a")]
    for point in range(1, BAR):
        board.append(
            _letter(count(bottom, point), "A") if count(bottom, point) else _letter(count(top, BAR - point), "a")
        )
    board.append(_letter(count(bottom, BAR), "A"))
    dice = "".join(str(die) for die in situation.dice or (0, 0))
    fields = (
        "".join(board),
        cube.value.bit_length() - 1,
        next(text for text, owner in _OWNERS.items() if owner is cube.owner),
        1 if situation.on_roll is Side.B else -1,
        _LETTERS.get(situation.offer, dice),
        score.b,
        score.a,
        int(score.is_crawford) if score.length else situation.jacoby + 2 * situation.beavers,
        score.length,
        situation.cube_limit.bit_length() - 1,
    )
    return PREFIX + ":".join(str(field) for field in fields)


def parse_xgid(text: str) -> Situation:
    """Read the situation of an XGID, with or without `XGID=` and its last field (the highest cube, else 1024).

    Points run from the bottom player's side whichever side is on roll. Raises NotationError for a text that is not an
    XGID, or for an impossible situation.
    """
    found = _XGID.fullmatch(text)
    if found is None:
        raise IdError(
            gettext_noop(
                "An XGID consists of 26 characters for the points and eight or nine numbers, separated by colons."
            )
        )
    board, log, owner, turn, dice, bottom_score, top_score, flags, length, limit = found.groups()
    bottom: dict[int, int] = {}
    top: dict[int, int] = {}
    for index, letter in enumerate(board):
        if letter.isupper():
            bottom[index] = ord(letter) - ord("A") + 1
        elif letter != "-":
            top[BAR - index] = ord(letter) - ord("a") + 1
    if 0 in bottom or 0 in top:
        raise IdError(gettext_noop("The XGID has a checker on the other side's bar."))
    on_roll = Side.B if turn == "1" else Side.A
    mine, theirs = (bottom, top) if on_roll is Side.B else (top, bottom)
    if max(int(log), int(limit or 0)) > MAX_CUBE_LOG:
        raise IdError(gettext_noop("The XGID gives a cube above 32768."))
    if dice not in _OFFERS and ("0" in dice) and dice != "00":
        raise IdError(gettext_noop("The XGID gives only one die."))
    offer = _OFFERS.get(dice, Offer.NONE)
    money = int(length) == 0
    if not money and int(flags) > 1:
        raise IdError(gettext_noop("The XGID allows beavers, which are for money play only."))
    return offered(
        Situation(
            position=placed(mine, theirs),
            on_roll=on_roll,
            acting=answering(on_roll, offer),
            dice=None if dice in _OFFERS else descending(int(dice[0]), int(dice[1])),
            cube=cube_of(int(log), _OWNERS[owner]),
            offer=offer,
            score=score_of(int(length), int(top_score), int(bottom_score), crawford=not money and flags == "1"),
            jacoby=money and bool(int(flags) & 1),
            beavers=money and bool(int(flags) & 2),
            cube_limit=1 << int(limit) if limit else DEFAULT_CUBE_LIMIT,
        ),
        beavers_told=True,
    )


def _letter(number: int, first: str) -> str:
    return chr(ord(first) + number - 1) if number else "-"
