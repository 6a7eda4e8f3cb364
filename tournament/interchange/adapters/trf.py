"""The Swiss part of a tournament report, TRF26 and the older TRF16, whose lines for players are the same.

Source: FIDE Handbook, Format of Tournament Report File, version 2026. A report has neither lengths nor scores, so its
matches have a winner alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

from rules.errors import gettext_noop
from tournament.interchange.adapters.results import Given, Meeting, Person, Results, moment_of, tidy, whole
from tournament.interchange.adapters.tables import MOST_NAME, decoded
from tournament.interchange.faults import shown
from tournament.interchange.read import Unreadable

FIRST_ROUND, WIDTH = 91, 10
"""The column at which the first round begins, counted from 0, and how many columns a round has."""
BYES = "UFH"
"""Byes: allocated by the pairing, for a full point, for half a point."""
OUTCOMES = {"1": "played", "0": "played", "+": "walkover", "-": "walkover", "W": "forfeit", "L": "forfeit", "": "open"}
OTHER = {"1": "0", "0": "1", "+": "-", "-": "+", "W": "L", "L": "W", "": ""}
WON = "1+W"
DRAWN = "=D"


@dataclass(frozen=True, slots=True)
class _Line:
    """The line of a player: the person, and for each round the opponent's number, the colour and the result."""

    line: int
    person: Person
    rounds: tuple[tuple[int, str, str], ...]


def read_trf(data: bytes, given: Given) -> Results:
    """Read the report. Raises Unreadable, naming the line."""
    told: dict[str, str] = {}
    players: dict[int, _Line] = {}
    for number, text in enumerate(decoded(data).replace("\r\n", "\n").replace("\r", "\n").split("\n"), start=1):
        tag = text[:3]
        if tag == "001":
            rank = whole(text[4:8], number, least=1, most=9999)
            if rank in players:
                raise Unreadable(
                    "number_twice",
                    gettext_noop("Line %(line)s: another player has the number %(number)s."),
                    line=number,
                    number=rank,
                )
            players[rank] = _player(text, number)
        elif tag.isdigit() and tag not in told:
            told[tag] = text if tag == "132" else text[4:].strip()
    if given.length is None:
        raise Unreadable("length_missing_in_report", gettext_noop("A report has no match length: give it."))
    indexes = {rank: index for index, rank in enumerate(players)}
    return Results(
        name=tidy(told.get("012", ""))[:MOST_NAME],
        place=tidy(told.get("022", ""))[:MOST_NAME],
        first_day=_day(told.get("042", "")),
        last_day=_day(told.get("052", "")),
        people=[player.person for player in players.values()],
        meetings=_meetings(players, indexes, _round_days(told.get("132", "")), given.length),
        generator="TRF",
    )


def _player(text: str, line: int) -> _Line:
    name = tidy(text[14:47])
    if not name or not name.isprintable():
        raise Unreadable("name_missing", gettext_noop("Line %(line)s: the player has no name."), line=line)
    nation, number = text[53:56].strip().upper(), text[57:68].strip()
    rounds = []
    for at in range(FIRST_ROUND, len(text.rstrip()), WIDTH):
        opponent = text[at : at + 4].strip()
        colour, result = text[at + 5 : at + 6].strip().lower(), text[at + 7 : at + 8].strip().upper()
        rounds.append((whole(opponent, line, most=9999) if opponent else 0, colour, result))
    person = Person(
        name,
        nation if len(nation) == 3 and nation.isascii() and nation.isalpha() else "",
        (("fide", number),) if number and number.strip("0") and number.isprintable() else (),
    )
    return _Line(line, person, tuple(rounds))


def _meetings(
    players: Mapping[int, _Line], indexes: Mapping[int, int], days: Mapping[int, date], length: int
) -> list[Meeting]:
    found = []
    for round in range(max((len(player.rounds) for player in players.values()), default=0)):
        at = moment_of(days[round]) if round in days else None
        for rank, player in players.items():
            opponent, colour, result = player.rounds[round] if round < len(player.rounds) else (0, "", "")
            if not opponent:
                if result in BYES and result:
                    found.append(Meeting(indexes[rank], None, "bye", length, round + 1, at=at, kept={"trf": result}))
                elif result not in ("", "Z", "-"):
                    raise _unreadable(player, result)
                continue
            back = _answer(players, rank, opponent, round)
            outcome = _outcome(player, result, back)
            if rank > opponent:
                continue  # told by the line of the other player
            sides = (rank, opponent) if colour != "b" else (opponent, rank)
            won = None if outcome in ("open", "void") else rank if result in WON else opponent
            found.append(
                Meeting(
                    indexes[sides[0]],
                    indexes[sides[1]],
                    outcome,
                    length,
                    round + 1,
                    winner=None if won is None else "A" if won == sides[0] else "B",
                    at=at,
                    kept={"trf": result} if result in "WL+-" and result else {},
                )
            )
    return found


def _answer(players: Mapping[int, _Line], rank: int, opponent: int, round: int) -> str:
    """Return the result that the opponent's line has. Raises Unreadable unless it names the player too."""
    other = players.get(opponent)
    back = other.rounds[round] if other is not None and round < len(other.rounds) else (0, "", "")
    if back[0] != rank or opponent == rank:
        raise Unreadable(
            "opponents_differ",
            gettext_noop("Line %(line)s: in round %(round)s the line of player %(other)s names another opponent."),
            line=players[rank].line,
            round=round + 1,
            other=opponent,
        )
    return back[2]


def _outcome(player: _Line, result: str, back: str) -> str:
    if result in DRAWN and result:
        raise Unreadable("draw_in_report", gettext_noop("Line %(line)s: no match is drawn."), line=player.line)
    if result == back == "-":
        return "void"  # neither of them came
    if result not in OUTCOMES:
        raise _unreadable(player, result)
    if OTHER[result] != back:
        raise Unreadable(
            "results_differ",
            gettext_noop("Line %(line)s: “%(value)s” is not what the opponent's line says."),
            line=player.line,
            value=shown(result),
        )
    return OUTCOMES[result]


def _unreadable(player: _Line, result: str) -> Unreadable:
    return Unreadable(
        "result_unreadable",
        gettext_noop("Line %(line)s: “%(value)s” is not a result of a report."),
        line=player.line,
        value=shown(result),
    )


def _day(text: str) -> date | None:
    """Return the day in a line of the tournament, None if it cannot be told."""
    for pattern in ("%Y/%m/%d", "%y/%m/%d", "%Y-%m-%d", "%Y.%m.%d"):
        try:
            found = datetime.strptime(text, pattern).date()  # noqa: DTZ007
        except ValueError:
            continue
        return found if 2000 <= found.year < 2200 else None
    return None


def _round_days(text: str) -> dict[int, date]:
    """Return the days of the rounds, counted from 0, as far as the report has them."""
    days = {}
    for index, at in enumerate(range(FIRST_ROUND, len(text), WIDTH)):
        if (day := _day(text[at : at + 8].strip())) is not None:
            days[index] = day
    return days
