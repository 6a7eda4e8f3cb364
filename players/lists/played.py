"""The results of a season as another program writes them: a row for each match."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext as _

from players.errors import Refusal
from players.registry.names import in_order
from players.services import fold_name
from players.tables import MAX_FILE, Columns

MOST_LENGTH = 99
COLUMNS = Columns(
    {
        "day": {"day", "date", "played", "completed at", "dato", "datum"},
        "length": {"length", "points", "to", "længde", "lengde", "längd", "länge"},
        "winner": {"winner", "winner name", "vinder", "vinner", "vinnare", "sieger"},
        "winner_no": {"winner no", "winner number", "vindernr", "vinnernr"},
        "loser": {"loser", "loser name", "taber", "taper", "förlorare", "verlierer"},
        "loser_no": {"loser no", "loser number", "tabernr", "tapernr"},
        "p1": {"p1 name", "player 1", "player1"},
        "p1_no": {"p1 no"},
        "p2": {"p2 name", "player 2", "player2"},
        "p2_no": {"p2 no"},
        "score1": {"score1", "score 1"},
        "score2": {"score2", "score 2"},
        "rated": {"rated"},
        "round": {"round", "runde", "rond", "omgang"},
    },
    telling={"length"},
    most_text=MAX_FILE,
)
"""What the header calls its columns; a match is told as winner and loser, or as two players with their scores."""
_DAY = re.compile(r"(\d{1,2})[./](\d{1,2})[./](\d{4})")


@dataclass(frozen=True, slots=True)
class Played:
    """A match of the file, with the number of its row; numbers and names are empty where there are none.

    ``turn`` is what the file says of its place among the matches of its day, which sorts: the time, and the round.
    """

    row: int
    day: date
    length: int
    winner: str
    winner_number: str
    loser: str
    loser_number: str
    turn: tuple[str, int] = ("", 0)


@dataclass(frozen=True, slots=True)
class Unread:
    """A row that cannot be read, with the reason, and who stands in it; ``file`` is results, starts or official."""

    row: int
    why: str
    names: tuple[str, ...]
    numbers: tuple[str, ...]
    file: str = "results"


def read_played(data: bytes) -> tuple[list[Played], list[Unread]]:
    """Return the matches of a CSV or XLSX file, and the rows that are none; those that are not rated are left out.

    Raises Refusal for a file that cannot be read, and for one without the columns.
    """
    table = COLUMNS.read_table(data)
    place = COLUMNS.header_of(table)
    columns: Mapping[str, int] = {} if place is None else COLUMNS.columns_of(table[place][1])
    sides = [columns.keys() & {name, f"{name}_no"} for name in ("winner", "loser")]
    players = [columns.keys() & {name, f"{name}_no"} for name in ("p1", "p2")]
    is_told = all(sides) or (all(players) and {"score1", "score2"} <= columns.keys())
    if place is None or "day" not in columns or not is_told:
        why = _(
            "No row names the columns: results have a date, a length, and winner and loser or two players with scores."
        )
        raise Refusal("header_missing", why, field="results")
    played, unread = list[Played](), list[Unread]()
    for number, cells in table[place + 1 :]:
        row = {column: cells[at].strip() for column, at in columns.items() if at < len(cells)}
        if not any(row.values()) or row.get("rated") == "0":
            continue
        one = _match(number, row)
        if isinstance(one, Played):
            played.append(one)
        else:
            unread.append(one)
    return played, unread


def _match(number: int, row: Mapping[str, str]) -> Played | Unread:
    winner, loser, why = _sides(row)
    day = _read_day(row.get("day", ""))
    length = row.get("length", "")
    is_length = length.isascii() and length.isdecimal() and len(length) < 4 and 1 <= int(length) <= MOST_LENGTH
    if day is None:
        why = why or _("“%(text)s” is not a day.") % {"text": row.get("day", "")[:20]}
    if not is_length:
        why = why or _("“%(text)s” is not the length of a match.") % {"text": length[:20]}
    if not any(winner) or not any(loser):
        why = why or _("A player is missing.")
    if _same(winner, loser):
        why = why or _("Both players are the same.")
    if why or day is None:
        people = winner, loser
        numbers, names = (tuple(filter(None, (one[at] for one in people))) for at in (0, 1))
        return Unread(number, why, names, numbers)
    written = row.get("round", "")
    turn = row.get("day", "")[10:], int(written) if written.isascii() and written.isdecimal() else 0
    return Played(number, day, int(length), winner[1], winner[0], loser[1], loser[0], turn)


def _sides(row: Mapping[str, str]) -> tuple[tuple[str, str], tuple[str, str], str]:
    """Return number and name of winner and loser, and what is wrong with the scores."""

    def side(name: str) -> tuple[str, str]:
        return row.get(f"{name}_no", ""), row.get(name, "")

    if "score1" not in row:
        return side("winner"), side("loser"), ""
    scores = [row.get(name, "") for name in ("score1", "score2")]
    are_whole = all(one.isascii() and one.isdecimal() and len(one) < 4 for one in scores)
    if not are_whole or int(scores[0]) == int(scores[1]):
        return side("p1"), side("p2"), _("The scores do not say who has won.")
    first, second = side("p1"), side("p2")
    return (first, second, "") if int(scores[0]) > int(scores[1]) else (second, first, "")


def _same(one: tuple[str, str], other: tuple[str, str]) -> bool:
    if one[0] and other[0]:
        return one[0] == other[0]
    return fold_name(in_order(one[1])) == fold_name(in_order(other[1]))


def _read_day(text: str) -> date | None:
    """Return the day of 2026-11-22, of 2026-11-22T18:40+01:00 and of 22.11.2026; None of anything else."""
    found = _DAY.fullmatch(text)
    try:
        return date(int(found[3]), int(found[2]), int(found[1])) if found else date.fromisoformat(text[:10])
    except ValueError:
        return None
