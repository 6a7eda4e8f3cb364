"""Deadlines through the API: moved by a director, extended and answered with offers by private links."""

from datetime import timedelta

from django.utils import timezone

from tests.builders import build_event, fixture_of
from tests.meanwhile import before_transaction
from tournament.entries.links import token_of


def day(days: int) -> str:
    return (timezone.localdate() + timedelta(days=days)).isoformat()


def league(director):
    """A match whose round begins today, in a league in which offers decide; with the tokens of its sides."""
    options = {"starts_on": day(0), "days": 7, "unplayed": "offered", "extension": 3, "grace": 1}
    fixture = fixture_of(build_event(director, players=2, format="league", options=options), "R1-1")
    return fixture, [token_of(entry) for entry in (fixture.entry_a, fixture.entry_b)]


def test_a_director_moves_a_deadline(api, anonymous, director):
    fixture, _tokens = league(director)
    address = f"matches/{fixture.match_id}/deadline/"
    moved = api.put(address, {"to": day(20), "reason": "Ill."})
    told = {"deadline": day(20), "is_extended": True, "unplayed": "offered", "decided_on": day(22)}
    assert (moved.status_code, moved.json()) == (200, {**told, "extended_by": [], "offers": []})
    (shown,) = anonymous.get(f"events/{fixture.stage.event_id}/").json()["stage"]["fixtures"]
    assert {name: shown[name] for name in ("deadline", "is_extended", "decided_on")} == {
        name: told[name] for name in ("deadline", "is_extended", "decided_on")
    }
    refused = api.put(address, {"to": day(-1), "reason": "Ill."})
    assert (refused.status_code, refused.json()["code"]) == (400, "deadline_out_of_range")
    assert anonymous.put(address, {"to": day(20), "reason": "Ill."}).status_code == 401


def test_sides_extend_once_each_and_offer(anonymous, director):
    fixture, (one, other) = league(director)

    def extend(token):
        return anonymous.post(f"links/{token}/matches/{fixture.match_id}/extension/")

    refused = before_transaction(1, lambda: extend(one), lambda: extend(one))
    assert (refused.status_code, refused.json()["code"]) == (409, "extension_used")
    assert extend(other).json()["deadline"] == day(12)
    offers = f"links/{one}/matches/{fixture.match_id}/offers/"
    noted = anonymous.post(offers, {"days": [day(2), day(1)]})
    assert [(said["entry"], said["days"]) for said in noted.json()["offers"]] == [
        (fixture.entry_a_id, [day(1), day(2)])
    ]
    late = anonymous.post(offers, {"days": [day(14)]})
    assert (late.status_code, late.json()["code"]) == (400, "offer_out_of_range")
    strange = anonymous.post(f"links/{one}x/matches/{fixture.match_id}/offers/", {"days": []})
    assert strange.status_code == 404
