"""Challenges of a ladder through the API."""

from rules.score import Side
from tests.builders import build_event, fixture_of, win
from tests.tournament.ladders import rungs
from tournament.models import Entry


def test_a_challenge_is_entered_listed_and_withdrawn(api, anonymous, director):
    event = build_event(director, players=5, format="ladder", options={"days": 3})
    address = f"events/{event.pk}/challenges/"
    ids = rungs(event)
    made = api.post(address, {"challenger": ids[3], "challenged": ids[0]})
    assert (made.status_code, anonymous.get(address).json()) == (201, [made.json()])
    told = {"stage": 1, "number": 1, "challenger": ids[3], "challenged": ids[0], "withdrawn_at": None}
    assert made.json().items() >= told.items()
    busy = api.post(address, {"challenger": ids[1], "challenged": ids[0]})
    assert (busy.status_code, busy.json()["code"]) == (409, "challenge_open")
    below = api.post(address, {"challenger": ids[1], "challenged": ids[2]})
    assert (below.status_code, below.json()["code"]) == (400, "out_of_reach")
    assert api.delete(f"{address}1/").status_code == 204
    assert anonymous.get(address).json()[0]["withdrawn_at"] is not None
    gone = api.delete(f"{address}1/")
    assert (gone.status_code, gone.json()["code"]) == (409, "challenge_gone")
    assert api.delete(f"{address}9/").status_code == 404


def test_what_has_begun_or_rests_or_has_no_ladder_is_a_conflict(api, director):
    event = build_event(director, players=3, format="ladder", options={"rest": 90})
    address = f"events/{event.pk}/challenges/"
    ids = rungs(event)
    assert api.post(address, {"challenger": ids[1], "challenged": ids[0]}).status_code == 201
    match = fixture_of(event, "H1-1").match
    final = {"key": "k", "base": 0, "final": [0, match.length]}
    assert api.post(f"matches/{match.pk}/result/", final).status_code in (200, 201)
    begun = api.delete(f"{address}1/")
    assert (begun.status_code, begun.json()["code"]) == (409, "challenge_begun")
    soon = api.post(address, {"challenger": ids[1], "challenged": ids[0]})
    assert (soon.status_code, soon.json()["code"]) == (409, "challenge_too_soon")
    other = build_event(director, players=2, tournament=event.tournament, name="Other")
    one, two = Entry.objects.filter(event=other)
    none = api.post(f"events/{other.pk}/challenges/", {"challenger": one.pk, "challenged": two.pk})
    assert (none.status_code, none.json()["code"]) == (409, "no_ladder")
    win(match, Side.A, base=1)
