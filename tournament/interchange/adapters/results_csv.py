"""A plain table of results, one match a line."""

from __future__ import annotations

from rules.errors import gettext_noop
from tournament.interchange.adapters.results import MAIN, Given, Meeting, Results, tidy, whole
from tournament.interchange.adapters.tables import Names, Row, decided, played_at, rows_of, winner_side
from tournament.interchange.faults import shown
from tournament.interchange.read import Unreadable

NAMES = {name: (name,) for name in ("score1", "score2", "winner", "round", "bracket", "length", "date", "outcome")} | {
    "player1": ("player1", "player 1"),
    "player2": ("player2", "player 2"),
}
OUTCOMES = ("played", "forfeit", "walkover", "void", "bye", "open")


def read_results_csv(data: bytes, given: Given) -> Results:
    """Read the table. Raises Unreadable, naming the line."""
    names = Names()
    meetings = [_meeting(row, line, names, given) for line, row in rows_of(data, NAMES, needed=("player1", "player2"))]
    return Results(name="", people=names.people, meetings=meetings, generator="results CSV")


def _meeting(row: Row, line: int, names: Names, given: Given) -> Meeting:
    score = None
    if row["score1"] or row["score2"]:
        score = whole(row["score1"], line), whole(row["score2"], line)
    winner = winner_side(row["winner"], row, line)
    outcome = row["outcome"].lower() or _outcome(row, is_decided=bool(score or winner))
    if outcome not in OUTCOMES or (outcome == "bye") != (not row["player2"]):
        raise Unreadable(
            "outcome_unreadable",
            gettext_noop("Line %(line)s: “%(value)s” is not how this match can end (%(known)s)."),
            line=line,
            value=shown(outcome),
            known=", ".join(OUTCOMES),
        )
    meeting = Meeting(
        a=names.of(row["player1"], line),
        b=names.of(row["player2"], line) if row["player2"] else None,
        outcome=outcome,
        length=1,
        round=whole(row["round"], line, least=1) if row["round"] else 1,
        bracket=tidy(row["bracket"]) or MAIN,
        at=played_at(row["date"], line, given),
    )
    length = whole(row["length"], line, least=1) if row["length"] else None
    return decided(meeting, line, length=length, given=given, score=score, winner=winner)


def _outcome(row: Row, *, is_decided: bool) -> str:
    if not row["player2"]:
        return "bye"
    return "played" if is_decided else "open"
