"""A small event file, written by hand: two players, a final, three games."""

from typing import Any

AT = "2026-03-06T19:00:00Z"
WHY = {"code": "final", "template": "The final.", "params": {}}


def game(n: int, winner: str, cube: int, level: int = 1, ending: str = "bearoff") -> dict[str, Any]:
    return {"n": n, "winner": winner, "cube": cube, "level": level, "ending": ending}


def _match() -> dict[str, Any]:
    sheet = {
        "source": "desk",
        "entered_at": AT,
        "played_at": AT,
        "final": None,
        "awarded_to": None,
        "reason": "",
        "games": [game(1, "A", 2), game(2, "B", 1, 2), game(3, "A", 1)],
    }
    return {
        "board": 0,
        "a": ["p1"],
        "b": ["p2"],
        "length": 3,
        "rules": "wbgf",
        "crawford": True,
        "start": [0, 0],
        "crawford_done": False,
        "waived": [],
        "penalties": [],
        "error_rates": None,
        "sheet": sheet,
        "outcome": "played",
        "score": [3, 2],
        "winner": "A",
        "completed_at": AT,
        "rulings": [],
        "advance": None,
        "record": None,
    }


def _stage() -> dict[str, Any]:
    pairing = {
        "id": "M1-1",
        "bracket": "M",
        "round": 1,
        "number": 1,
        "length": 3,
        "a": 1,
        "b": 2,
        "a_from": "",
        "b_from": "",
        "winner_to": None,
        "loser_to": None,
        "outcome": "played",
        "winner": 1,
        "why": dict(WHY),
        "matches": [_match()],
    }
    return {
        "number": 1,
        "format": "single-elimination",
        "options": {"lengths": [3]},
        "qualifiers": None,
        "carry": "none",
        "edition": 2,
        "seed": "",
        "drawn_at": AT,
        "draw_hash": "",
        "notes": [],
        "moves": [],
        "challenges": [],
        "play_offs": [],
        "brackets": [{"id": "M", "name": "Main bracket"}],
        "pairings": [pairing],
        "standings": [],
    }


def _event() -> dict[str, Any]:
    entrants = [
        {
            "number": number,
            "people": [f"p{number}"],
            "team": "",
            "reentry": 0,
            "seed": None,
            "family": "",
            "presence": [1],
            "rating": None,
            "home_evening": None,
            "waiting": False,
            "checked_in_at": None,
            "left": None,
            "bye_taken": 0,
            "drawn_as": None,
        }
        for number in (1, 2)
    ]
    return {
        "id": "main",
        "name": "Main",
        "rated_for": [],
        "clock": None,
        "starts_at": None,
        "finished_at": None,
        "rules": {"profile": "wbgf", "crawford": True, "boards": 1, "doubles": False},
        "door": {"max_entries": None, "check_in": False, "late_minutes": 5},
        "reports": {"phones": True, "confirm_minutes": None, "shows_chances": False},
        "tiebreaks": [],
        "entrants": entrants,
        "stages": [_stage()],
        "money": None,
        "draw": {"algorithm": "sha256-lots", "public_source": "none", "chains": [], "closings": [], "urns": []},
    }


def two_players() -> dict[str, Any]:
    """The file, with results by the rules; nobody could have drawn it, for it has no lots."""
    people = [
        {"id": id, "name": name, "nation": "DK", "club": "", "visibility": "public", "ids": [], "memberships": []}
        for id, name in (("p1", "Anna Berg"), ("p2", "Bo Dahl"))
    ]
    tournament = {"id": "friday", "name": "Friday", "place": "", "starts_on": "2026-03-06", "ends_on": None}
    return {
        "format": "backgammon-event",
        "version": "1.0",
        "profile": "event",
        "generator": "by hand",
        "created": AT,
        "digest": "",
        "federations": [],
        "people": people,
        "events": [_event()],
        "ratings": [],
        "tournament": tournament | {"time_zone": ""},
        "signatures": [],
    }


def with_deadlines() -> dict[str, Any]:
    """The same file with what came with version 1.1, in a league whose only match nobody began in time."""
    document = two_players()
    document["version"] = "1.1"
    (stage,) = document["events"][0]["stages"]
    stage["format"], stage["options"] = "league", {"lengths": [stage["pairings"][0]["length"]]}
    (pairing,) = stage["pairings"]
    pairing |= {"play_by": "2026-03-20", "extended_by": [1]}
    pairing["offers"] = [{"entrant": 2, "days": ["2026-03-18"], "made_at": AT}]
    pairing["outcome"], pairing["winner"] = "walkover", 2
    (match,) = pairing["matches"]
    match |= {"outcome": "walkover", "winner": "B", "score": [0, match["length"]]}
    match["sheet"] |= {"games": [], "final": None, "awarded_to": "B", "unplayed_by": "2026-03-20"}
    return document
