"""The Swiss part of an event as a tournament report, which :func:`tournament.interchange.adapters.trf.read_trf` reads.

Source: FIDE Handbook, Format of Tournament Report File, version 2026. A report has neither lengths nor scores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import Any

from tournament.interchange.adapters.trf import BYES, FIRST_ROUND, OTHER, WIDTH

MOST_PLAYERS = 9999
POINTS = {**dict.fromkeys("1+WUF", 2), "H": 1}
"""What a result gives, in halves of a point."""

Json = Mapping[str, Any]


def swiss_stage_of(event: Json) -> Json | None:
    """Return the first stage of the event file's event that a report can tell of: drawn rounds of single players."""
    if any(len(entrant["people"]) != 1 for entrant in event["entrants"]) or len(event["entrants"]) > MOST_PLAYERS:
        return None
    stages = (stage for stage in event["stages"] if stage["format"] in ("swiss", "") and stage["pairings"])
    return next((stage for stage in stages if _is_in_rounds(stage)), None)


def write_trf(document: Json, event: Json, stage: Json, *, olympic: Callable[[str], str]) -> bytes:
    """Return the report of the stage, with the codes of countries as ``olympic`` gives them.

    Names longer than its 33 columns are cut; other letters than ASCII are UTF-8.
    """
    tournament = document["tournament"]
    people = {person["id"]: person for person in document["people"]}
    cells, days = _cells(stage), _days(stage)
    played = [entrant for entrant in event["entrants"] if entrant["number"] in cells]
    places = {line["entrant"]: line["place"] for line in stage["standings"] if not line["section"]}
    lines = [
        f"012 {tournament['name']}",
        f"022 {tournament['place']}",
        f"042 {_slashed(tournament['starts_on'])}",
        f"052 {_slashed(tournament['ends_on'] or tournament['starts_on'])}",
        f"062 {len(played)}",
        "092 Individual: Swiss-System",
        *([f"132 {'':{FIRST_ROUND - 4}}{_rounds(days)}"] if days else []),
        *(
            _line(entrant["number"], person, olympic(person["nation"]), cells[entrant["number"]], places)
            for entrant in played
            for person in [people[entrant["people"][0]]]
        ),
    ]
    return ("\r\n".join(line.rstrip() for line in lines) + "\r\n").encode()


def _is_in_rounds(stage: Json) -> bool:
    """Whether everybody has at most one pairing in a round, as a line of a report has room for."""
    met = [(one["round"], number) for one in stage["pairings"] for number in _entrants(one)]
    return len(met) == len(set(met)) and all(len(one["matches"]) <= 1 for one in stage["pairings"])


def _entrants(pairing: Json) -> Iterable[int]:
    return (pairing[side] for side in ("a", "b") if pairing[side] is not None)


def _cells(stage: Json) -> dict[int, dict[int, str]]:
    """Return the cell of each round, by entrant: the opponent's number, the colour and the result."""
    cells: dict[int, dict[int, str]] = {}
    for pairing in stage["pairings"]:
        a, b, round = pairing["a"], pairing["b"], pairing["round"]
        kept = pairing.get("x", {}).get("trf", "")
        for number in _entrants(pairing):
            cells.setdefault(number, {})
        if pairing["outcome"] == "bye":
            cells[a if a is not None else b][round] = f"0000 - {kept if kept and kept in BYES else 'U'}"
        elif a is not None and b is not None:
            of_a = _result(pairing)
            of_b = "-" if pairing["outcome"] == "void" else OTHER[of_a]
            cells[a][round], cells[b][round] = f"{b:4} w {of_a}", f"{a:4} b {of_b}"
    return cells


def _result(pairing: Json) -> str:
    """Return what the line of entrant A says of the pairing."""
    if pairing["outcome"] == "void":
        return "-"
    signs = {"played": "10", "walkover": "+-", "forfeit": "WL"}.get(pairing["outcome"])
    winner = pairing["winner"]
    if signs is None or winner is None:
        return ""
    return signs[0] if winner == pairing["a"] else signs[1]


def _line(number: int, person: Json, nation: str, cells: Mapping[int, str], places: Mapping[int, int]) -> str:
    fide = next((one["value"] for one in person["ids"] if one["issuer"] == "fide"), "")[:11]
    halves = sum(POINTS.get(cell[-1:], 0) for cell in cells.values())
    name = person["name"][:33]
    who = f"001 {number:4}      {name:33} {'':4} {nation:3} {fide:>11} {'':10}"
    head = f"{who} {halves / 2:4.1f} {places.get(number, number):4}"
    rounds = (f"{cells.get(round, '0000 - Z'):8}" for round in range(1, max(cells, default=0) + 1))
    return "  ".join([head, *rounds])


def _days(stage: Json) -> dict[int, str]:
    days: dict[int, str] = {}
    for pairing in stage["pairings"]:
        for match in pairing["matches"]:
            if match["completed_at"]:
                days[pairing["round"]] = max(days.get(pairing["round"], ""), match["completed_at"][:10])
    return days


def _rounds(days: Mapping[int, str]) -> str:
    cells = (_slashed(days[round])[2:] if round in days else "" for round in range(1, max(days) + 1))
    return "".join(f"{cell:{WIDTH}}" for cell in cells)


def _slashed(day: str) -> str:
    return date.fromisoformat(day).strftime("%Y/%m/%d")
