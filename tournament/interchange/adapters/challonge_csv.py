"""The matches of a Challonge bracket as a table, with the names of its API as headings.

Source: the names are those of a match in Challonge's API v1 (``scores_csv``, ``round``, ``state``, ``forfeited``, and a
round below 0 for the losers' bracket), with the names of players instead of their ids. What Challonge's own pages
write as CSV was not found described, so no conformity with it is claimed.
"""

from __future__ import annotations

import re

from rules.errors import gettext_noop
from tournament.interchange.adapters.results import MAIN, Given, Meeting, Results, whole
from tournament.interchange.adapters.tables import Names, Row, decided, played_at, rows_of, winner_side
from tournament.interchange.faults import shown
from tournament.interchange.read import Unreadable

NAMES = {
    "player1": ("player1 name", "player 1", "player1"),
    "player2": ("player2 name", "player 2", "player2"),
    "scores": ("scores csv", "scores", "score"),
    "winner": ("winner name", "winner"),
    "round": ("round",),
    "state": ("state",),
    "forfeited": ("forfeited",),
    "completed_at": ("completed at",),
}
LOSERS = "Losers' bracket"
TRUE = ("true", "1", "yes")


def read_challonge_csv(data: bytes, given: Given) -> Results:
    """Read the table. Raises Unreadable, naming the line."""
    names = Names()
    meetings = [
        _meeting(row, line, names, given)
        for line, row in rows_of(data, NAMES, needed=("player1", "player2", "scores", "winner", "round"))
        if row["player1"] and row["player2"]  # not known yet
    ]
    return Results(name="", people=names.people, meetings=meetings, generator="Challonge CSV")


def _meeting(row: Row, line: int, names: Names, given: Given) -> Meeting:
    score = _score(row["scores"], line)
    winner = winner_side(row["winner"], row, line)
    is_open = winner is None or row["state"].lower() in ("open", "pending")
    is_forfeit = row["forfeited"].lower() in TRUE
    number = row["round"]
    meeting = Meeting(
        a=names.of(row["player1"], line),
        b=names.of(row["player2"], line),
        outcome="open" if is_open else "forfeit" if is_forfeit else "played",
        length=1,
        round=whole(number.removeprefix("-"), line, least=1),
        bracket=LOSERS if number.startswith("-") else MAIN,
        at=played_at(row["completed_at"], line, given),
    )
    return decided(meeting, line, length=None, given=given, score=None if is_open else score, winner=winner)


def _score(text: str, line: int) -> tuple[int, int] | None:
    """Return the points of both sides; None without a score. Raises Unreadable for several sets."""
    if not text:
        return None
    found = re.fullmatch(r"([0-9]{1,6})-([0-9]{1,6})", text.replace(" ", ""))
    if found is None:
        raise Unreadable(
            "score_unreadable",
            gettext_noop("Line %(line)s: “%(value)s” is not one score such as 7-5."),
            line=line,
            value=shown(text),
        )
    return whole(found[1], line), whole(found[2], line)
