"""What the simulator has played on paper, as an event file."""

from typing import Any

from tournament.formats.options import Options
from tournament.formats.plan import Bye, Pairing, seated
from tournament.interchange.canonical import canonical, digest_of
from tournament.interchange.derive import standing_of, targets_of
from tournament.interchange.form import FORMAT, VERSION
from tournament.interchange.sheets import derived
from tournament.ranking.standings import Result
from tournament.rehearsal.simulation import SimulatedEvent
from tournament.transfer.brackets import brackets_of

AT = "2026-03-06T19:00:00Z"


def as_file(played: SimulatedEvent, options: Options) -> bytes:
    """The file of the event, drawn from its seed, with the final score of every match."""
    assert played.plan is not None
    people = [
        {"id": f"p{one.id}", "name": one.name, "nation": "", "club": "", "visibility": "public"}
        | {"ids": [], "memberships": []}
        for one in played.entrants
    ]
    pairings = [
        _pairing(pairing, played.results.get(pairing.key)) for pairing in sorted(played.plan.pairings, key=_place)
    ]
    targets = targets_of(pairings)
    for pairing in pairings:
        pairing.update(targets[pairing["id"]] | standing_of(pairing))
    stage = {
        "number": 1,
        "format": played.format.slug,
        "options": options.as_dict(),
        "qualifiers": None,
        "carry": "none",
        "edition": played.edition,
        "seed": played.seed,
        "drawn_at": AT,
        "draw_hash": "",
        "notes": [note.as_dict() for note in played.plan.notes],
        "moves": [],
        "challenges": [],
        "play_offs": [],
        "brackets": brackets_of(pairing["bracket"] for pairing in pairings),
        "pairings": pairings,
        "standings": [],
    }
    document: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "profile": "event",
        "generator": "Simulator",
        "created": AT,
        "digest": "",
        "federations": [],
        "people": people,
        "events": [_event(played, stage)],
        "ratings": [],
        "signatures": [],
        "tournament": {"id": "friday", "name": "Friday", "place": "", "starts_on": "2026-03-06"}
        | {"ends_on": None, "time_zone": ""},
    }
    return canonical(document | {"digest": digest_of(document)})


def _event(played: SimulatedEvent, stage: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": "main",
        "name": "Main",
        "rated_for": [],
        "rules": {"profile": "wbgf", "crawford": True, "boards": 1, "doubles": False},
        "clock": None,
        "starts_at": None,
        "finished_at": None,
        "tiebreaks": [],
        "door": {"max_entries": None, "check_in": False, "late_minutes": None},
        "reports": {"phones": True, "confirm_minutes": None, "shows_chances": False},
        "entrants": [_entrant(one.id, one.seed, one.rating) for one in played.entrants],
        "draw": {"algorithm": "sha256-lots", "public_source": "none", "chains": [], "closings": [], "urns": []},
        "stages": [stage],
        "money": None,
    }


def _place(pairing: Pairing) -> tuple[str, int, int]:
    return pairing.bracket, pairing.round, pairing.number


def _entrant(number: int, seed: int | None, rating: int | None) -> dict[str, Any]:
    return {
        "number": number,
        "people": [f"p{number}"],
        "team": "",
        "reentry": 0,
        "seed": seed,
        "family": "",
        "presence": [1],
        "rating": rating,
        "home_evening": None,
        "waiting": False,
        "checked_in_at": None,
        "left": None,
        "bye_taken": 0,
        "drawn_as": None,
    }


def _pairing(pairing: Pairing, result: Result | None) -> dict[str, Any]:
    a, b = seated(pairing.a), seated(pairing.b)
    is_match = a is not None and b is not None and Bye not in {type(pairing.a), type(pairing.b)}
    return {
        "id": pairing.key,
        "bracket": pairing.bracket,
        "round": pairing.round,
        "number": pairing.number,
        "length": pairing.length,
        "a": a,
        "b": b,
        "a_from": pairing.feed_a,
        "b_from": pairing.feed_b,
        "why": pairing.why.as_dict(),
        "matches": [_match(pairing, result)] if is_match else [],
    }


def _match(pairing: Pairing, result: Result | None) -> dict[str, Any]:
    a, b = seated(pairing.a), seated(pairing.b)
    sheet = rates = None
    if result is not None:
        points = {result.a: result.score_a, result.b: result.score_b}
        sheet = {"source": "desk", "entered_at": AT, "played_at": AT, "games": None}
        sheet |= {"final": [points[a], points[b]], "awarded_to": None, "reason": ""}
        lower = result.lower_rates
        rates = [5000 if a in lower else 6000, 5000 if b in lower else 6000] if lower else None
    row = {
        "board": 0,
        "a": [f"p{a}"],
        "b": [f"p{b}"],
        "length": pairing.length,
        "rules": "wbgf",
        "crawford": True,
        "start": [0, 0],
        "crawford_done": False,
        "waived": [],
        "penalties": [],
        "error_rates": rates,
        "outcome": "played" if sheet else "open",
        "sheet": sheet,
        "rulings": [],
        "advance": None,
        "record": None,
    }
    return row | derived(row)
