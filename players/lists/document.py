"""A publication as a document: canonical JSON (RFC 8785) of integers and texts alone. Pure.

The keys are in such an order that the matches can be written while they are rated: nothing but the players is kept.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, fields
from hashlib import sha256
from typing import Any
from zoneinfo import ZoneInfo

from players.lists.criteria import classes_of, lines_of, provisional_in
from players.lists.run import Run
from players.lists.values import (
    Correction,
    Counted,
    Criteria,
    Facts,
    Head,
    Held,
    Line,
    Provisional,
    Standing,
    Start,
)
from players.ratings import RatingSystem

VERSION = 1
CHUNK = 500

Write = Callable[[bytes], object]
FactsOf = Callable[[Mapping[int, Standing]], Mapping[int, Facts]]
"""What returns the facts of all players who have a standing."""


def canonical(value: object) -> bytes:
    """Return the value as canonical JSON: keys sorted, no spaces, UTF-8. It has no other numbers than integers."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def commit(salt: str, *names: str) -> str:
    """Return the hash by which a document holds a player's names without telling them: SHA-256 of salt and names."""
    return sha256("\n".join((salt, *names)).encode()).hexdigest()


class Made:
    """What was made of a head and its matches: the lines, the classes, all standings, and the document's digest."""

    lines: list[Line]
    held: dict[int, Held]
    standings: dict[int, Standing]
    inputs_sha256: str
    matches: int
    sha256: str
    bytes: int


def make_document(
    head: Head, system: RatingSystem, matches: Iterable[Counted], facts_of: FactsOf, write: Write = len
) -> Made:
    """Run through the matches, write the document piece by piece, and return what came out.

    Raises :class:`players.lists.run.Order` if they are not in the order of rating.
    """
    made, digest = Made(), sha256()
    made.bytes = 0

    def put(piece: bytes) -> None:
        digest.update(piece)
        made.bytes += len(piece)
        write(piece)

    run = Run(system, head.base.standings, head.starts, head.criteria.class_matches, head.engine)
    put(b'{"base":' + canonical(_base(head)) + b',"corrections":' + canonical(_corrections(head.corrections)))
    put(b',"counted":[')
    pieces: list[str] = []
    separator = ""
    for counted, _before, winner_after, _lost, loser_after in run.effects(matches):
        match, at, winner, loser, length, weight, guest = counted
        after = f'"{winner_after:.4f}","{loser_after:.4f}"'
        pieces.append(f'{separator}[{match},"{at}",{winner},{loser},{length},{weight},"{guest}",{after}]')
        separator = ","
        if len(pieces) == CHUNK:
            put("".join(pieces).encode())
            pieces.clear()
    put("".join(pieces).encode())
    made.standings = run.standings
    facts = facts_of(made.standings)
    made.held = classes_of(made.standings, head.criteria, head.before.held, head.as_of)
    made.lines = lines_of(
        made.standings,
        facts,
        made.held,
        provisional_in(made.standings, head.criteria, system, head.as_of),
        criteria=head.criteria,
        before=head.before,
        as_of=head.as_of,
        places=head.places,
        zone=ZoneInfo(head.zone) if head.zone else None,
    )
    made.inputs_sha256, made.matches = run.inputs.sha256, run.inputs.count
    put(b'],"criteria":' + canonical(criteria_as_json(head.criteria)))
    put(b',"engine":%d,"held":' % head.engine + canonical(_held(made.held)))
    put(b',"inputs":' + canonical({"matches": made.matches, "sha256": made.inputs_sha256}))
    put(b',"lines":' + canonical([_line(line) for line in made.lines]))
    put(b',"list":' + canonical({"federation": head.federation, "name": head.name, "slug": head.slug}))
    put(b',"matches_until":' + canonical(head.matches_until))
    put(b',"memberships_until":' + canonical(head.memberships_until.isoformat()))
    put(b',"number":%d,"of":' % head.number + canonical(head.as_of.isoformat()))
    put(b',"people":' + canonical(_people(facts, made.standings)) + b',"places":%d' % head.places)
    put(b',"previous":' + canonical(_previous(head)) + b',"sixprime_list":%d' % VERSION)
    put(b',"starts":' + canonical([[p, repr(one.value), one.experience] for p, one in sorted(head.starts.items())]))
    put(b',"starts_sha256":' + canonical(starts_hash(head.starts)))
    put(b',"system":' + canonical({"kind": head.kind, "parameters": dict(head.parameters)}))
    put((b',"zone":' + canonical(head.zone) if head.zone else b"") + b"}")
    made.sha256 = digest.hexdigest()
    return made


def starts_hash(starts: Mapping[int, Start]) -> str:
    """Return SHA-256 of a line for each start value: player, value and experience, by player."""
    lines = (f"{player} {one.value!r} {one.experience}\n" for player, one in sorted(starts.items()))
    return sha256("".join(lines).encode()).hexdigest()


def _base(head: Head) -> dict[str, object]:
    values = [standing_as_json(player, one) for player, one in sorted(head.base.standings.items())]
    return {"number": head.base.number, "sha256": head.base.sha256, "standings": values}


def standing_as_json(player: int, one: Standing) -> list[object]:
    """Return a standing with its rating to the last bit, as the shortest text that reads back the same."""
    values = (getattr(one.rating, name.name) for name in fields(one.rating))
    rating = [repr(value) if isinstance(value, float) else value for value in values]
    return [player, one.last_played, [[matches, repr(value)] for matches, value in one.peaks], rating]


def standing_from_json(row: list[Any], system: RatingSystem) -> tuple[int, Standing]:
    """Return player and standing as :func:`standing_as_json` wrote them. Raises ValueError, TypeError."""
    player, last_played, peaks, values = row
    numbers: list[Any] = [float(value) if isinstance(value, str) else value for value in values]
    return player, Standing(
        type(system.newcomer)(*numbers), last_played, tuple((number, float(peak)) for number, peak in peaks)
    )


def _corrections(corrections: Iterable[Correction]) -> list[dict[str, object]]:
    return [
        {
            "kind": one.kind,
            "match": one.match,
            "now": list(one.now[1:]) if one.now else [],
            "was": list(one.was[1:]) if one.was else [],
            "why": one.why,
        }
        for one in corrections
    ]


def corrections_from_json(rows: Iterable[Mapping[str, Any]]) -> tuple[Correction, ...]:
    """Return the corrections as a document has them."""

    def counted(match: int, row: list[Any]) -> Counted | None:
        return Counted(match, *row) if row else None

    return tuple(
        Correction(row["match"], counted(row["match"], row["was"]), counted(row["match"], row["now"]), row["why"])
        for row in rows
    )


def criteria_as_json(criteria: Criteria) -> dict[str, object]:
    """Return the criteria as JSON has them, without truth values."""
    values = asdict(criteria)
    return {
        **values,
        "members": int(criteria.members),
        "provisional": criteria.provisional.value,
        "classes": [list(one) for one in criteria.classes],
    }


def criteria_from_json(values: Mapping[str, Any]) -> Criteria:
    """Return the criteria as :func:`criteria_as_json` wrote them. Raises ValueError, TypeError for anything else."""
    return Criteria(
        **{
            **values,
            "members": bool(values.get("members", 0)),
            "provisional": Provisional(values.get("provisional", Provisional.BY_RATING)),
            "classes": tuple((name, least) for name, least in values.get("classes", ())),
        }
    )


def _held(held: Mapping[int, Held]) -> list[list[object]]:
    return [[player, one.name, one.until] for player, one in sorted(held.items())]


def held_from_json(rows: Iterable[list[Any]]) -> dict[int, Held]:
    """Return the classes as a document has them."""
    return {player: Held(name, until) for player, name, until in rows}


def _line(line: Line) -> dict[str, object]:
    return {
        "class": line.class_name,
        "delta": "" if line.delta is None else line.delta,
        "experience": line.experience,
        "last_played": line.last_played,
        "matches": line.matches,
        "player": line.player,
        "provisional": int(line.provisional),
        "rank": line.rank,
        "rank_to": line.rank_to,
        "value": line.value,
        "wins": line.wins,
    }


def _people(facts: Mapping[int, Facts], standings: Mapping[int, Standing]) -> list[list[object]]:
    found = ((player, facts.get(player, Facts())) for player in sorted(standings))
    return [[player, int(one.member), one.nation, one.club, one.commitment] for player, one in found]


def _previous(head: Head) -> dict[str, object]:
    before = head.before
    return {
        "held": _held(before.held),
        "number": before.number,
        "sha256": before.sha256,
        "values": [[player, value] for player, value in sorted(before.values.items())],
    }
