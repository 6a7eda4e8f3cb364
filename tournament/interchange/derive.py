"""What an event file carries although it follows from the rest: who won a pairing, where its sides go, the ratings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from players.ratings import RATINGS, RatedResult
from rules.errors import gettext_noop
from rules.score import Ending
from tournament.formats.drawn_matches import is_drawn
from tournament.interchange.faults import Fault, at
from tournament.interchange.read import Document
from tournament.interchange.sheets import differing

Member = Mapping[str, Any]

NEAR = 0.0002
"""How far a rating may be from the one computed here."""

DECIDED = ("played", "forfeit", "walkover", "void")


def check_derived(document: Document) -> Iterator[Fault]:
    """Compare what the file says of pairings and ratings with what its matches give."""
    for number, event in enumerate(document["events"]):
        for index, stage in enumerate(event["stages"]):
            targets = targets_of(stage["pairings"])
            for place, pairing in enumerate(stage["pairings"]):
                pointer = at("", "events", number, "stages", index, "pairings", place)
                yield from differing(pairing, targets[pairing["id"]] | standing_of(pairing), pointer)
    yield from _check_ratings(document)


def targets_of(pairings: Sequence[Member]) -> dict[str, dict[str, str | None]]:
    """Return for each pairing, by id, to which ones its winner and its loser go."""
    targets: dict[str, dict[str, str | None]] = {
        pairing["id"]: {"winner_to": None, "loser_to": None} for pairing in pairings
    }
    for pairing in pairings:
        for side in ("a_from", "b_from"):
            kind, _colon, key = pairing[side].partition(":")
            if kind in ("winner", "loser") and key in targets:
                targets[key][f"{kind}_to"] = pairing["id"]
    return targets


def standing_of(pairing: Member) -> dict[str, str | int | None]:
    """Return how a pairing stands, and which entrant goes on from it.

    A ruling about who advances counts before the score.
    """
    if "bye" in (pairing["a_from"], pairing["b_from"]):
        sides = [side for side in (pairing["a"], pairing["b"]) if side is not None]
        return {"outcome": "bye", "winner": sides[0] if sides else None}
    if pairing["a"] is None or pairing["b"] is None or not pairing["matches"]:
        return {"outcome": "waiting", "winner": None}
    outcome, side = _decided(pairing["matches"])
    winner = None if side is None else pairing[side.lower()]
    advances = [match["advance"]["entrant"] for match in pairing["matches"] if match["advance"] is not None]
    return {"outcome": outcome, "winner": advances[0] if advances and outcome in (*DECIDED, "drawn") else winner}


def _decided(matches: Sequence[Member]) -> tuple[str, str | None]:
    """Return how the matches of a pairing stand, and which side has won: one match, or those on the boards of teams."""
    if [match["board"] for match in matches] == [0]:
        return matches[0]["outcome"], matches[0]["winner"]
    outcomes = [match["outcome"] for match in matches]
    if any(outcome not in DECIDED for outcome in outcomes):
        return ("open" if set(outcomes) == {"open"} else "live"), None
    won = Counter(match["winner"] for match in matches)
    if is_drawn(len(matches), won["A"], won["B"]):
        return "drawn", None
    if won["A"] == won["B"]:
        return "void", None
    never_began = all(outcome in ("walkover", "void") for outcome in outcomes)
    return ("walkover" if never_began else "played"), "A" if won["A"] > won["B"] else "B"


def ratings_of(document: Member) -> list[dict[str, Any]]:
    """Return the ratings that the matches of this file give by each system, for people who begin as newcomers.

    Matches that were begun and played to their end by two players count, in the order in which they were completed.
    """
    ids = {person["id"]: number for number, person in enumerate(document["people"])}
    matches = [
        match
        for event in document["events"]
        for stage in event["stages"]
        for pairing in stage["pairings"]
        for match in pairing["matches"]
        if _is_rated(match)
    ]
    matches.sort(key=lambda match: datetime.fromisoformat(match["completed_at"] or "0001-01-01T00:00:00Z"))
    results = []
    for match in matches:
        sides = ids[match["a"][0]], ids[match["b"][0]]
        won, lost = sides if match["winner"] == "A" else sides[::-1]
        results.append(RatedResult(won, lost, match["length"]))
    return [_lines(slug, results, list(ids)) for slug in RATINGS] if results else []


def _is_rated(match: Member) -> bool:
    if match["outcome"] != "played" or match["winner"] is None or len(match["a"]) != 1 or match["a"] == match["b"]:
        return False
    games = match["sheet"] and match["sheet"]["games"]
    return games is None or any(game["ending"] != Ending.FORFEIT for game in games)


def _lines(slug: str, results: Sequence[RatedResult], people: Sequence[str]) -> dict[str, Any]:
    ratings = RATINGS[slug].rate(results)
    return {
        "system": slug,
        "lines": [
            {
                "person": people[number],
                "value": f"{rating.value:.4f}",
                "experience": rating.experience,
                "matches": rating.matches,
                "wins": rating.wins,
            }
            for number, rating in sorted(ratings.items())
        ],
    }


def _check_ratings(document: Document) -> Iterator[Fault]:
    expected = {one["system"]: one["lines"] for one in ratings_of(document)}
    for index, system in enumerate(document["ratings"]):
        if system["system"] not in expected:
            continue  # a system that this program does not know is kept as it is
        computed = {line["person"]: line for line in expected[system["system"]]}
        if computed.keys() != {line["person"] for line in system["lines"]}:
            yield Fault(
                "ratings_of_others",
                at("", "ratings", index, "lines"),
                gettext_noop("The ratings are of those who have a rated match in this file: %(count)s people."),
                {"count": len(computed)},
            )
            continue
        for number, line in enumerate(system["lines"]):
            pointer = at("", "ratings", index, "lines", number)
            known = computed[line["person"]]
            # Machines differ in the last digit of a logarithm.
            is_near = abs(float(line["value"]) - float(known["value"])) < NEAR
            yield from differing(line, {**known, **({"value": line["value"]} if is_near else {})}, pointer)
