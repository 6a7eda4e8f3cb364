"""Challenges of a ladder through the API."""

from rules.score import Side
from tests.builders import AT, build_event, fixture_of, win
from tests.meanwhile import before_transaction
from tests.tournament.ladders import at_rung, rungs
from tournament.draw.challenges import challenge
from tournament.entries.attendance import leave_event
from tournament.events.services import finish_event
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


def test_of_two_who_ask_at_once_one_is_refused(api, director):
    event = build_event(director, players=4, format="ladder")
    top, second, third, last = rungs(event)

    def post(low, high):
        return api.post(f"events/{event.pk}/challenges/", {"challenger": low, "challenged": high})

    refused = before_transaction(1, lambda: post(second, top), lambda: post(third, top))
    assert (refused.status_code, refused.json()["code"]) == (409, "challenge_open")
    assert post(last, third).status_code == 201
    gone = before_transaction(
        1,
        lambda: api.delete(f"events/{event.pk}/challenges/1/"),
        lambda: api.delete(f"events/{event.pk}/challenges/1/"),
    )
    assert (gone.status_code, gone.json()["code"]) == (409, "challenge_gone")


def test_oneself_too_far_up_strangers_and_those_who_have_left_are_refused(api, director):
    event = build_event(director, players=5, format="ladder", options={"reach": 2})
    top, second, third, _fourth, last = rungs(event)
    stranger = build_event(director, players=2, tournament=event.tournament, name="Other").entries.first()

    def refused(low, high):
        answer = api.post(f"events/{event.pk}/challenges/", {"challenger": low, "challenged": high})
        return answer.status_code, answer.json()["code"]

    assert refused(third, third) == (400, "out_of_reach")
    assert refused(last, second) == (400, "out_of_reach")
    assert refused(second, stranger.pk)[0] == 404
    leave_event(Entry.objects.get(pk=top), kind="withdrawn", reason="", plays_on=False, by=director, at=AT)
    assert refused(second, top) == (409, "not_on_the_ladder")
    finish_event(event, by=director, at=AT)
    assert refused(third, second) == (409, "event_finished")


def test_an_overdue_challenge_is_told_and_a_walkover_moves_the_rungs(api, anonymous, director):
    event = build_event(director, players=3, format="ladder", options={"days": 3})
    top, second, third = rungs(event)
    made = challenge(event, challenger=at_rung(event, 2), challenged=at_rung(event, 1), by=director, at=AT)
    (told,) = anonymous.get(f"events/{event.pk}/challenges/").json()
    assert told["deadline"] == "2026-03-09"
    (fixture,) = anonymous.get(f"events/{event.pk}/").json()["stages"][0]["fixtures"]
    assert (fixture["key"], fixture["deadline"], fixture["is_overdue"]) == ("H1-1", "2026-03-09", True)
    assert "By winning they change rungs" in fixture["why"]
    match = fixture_of(event, f"H1-{made.number}").match
    given = {"key": "given", "base": 0, "conclusion": "walkover", "awarded_to": "A", "reason": "Never answered."}
    assert api.post(f"matches/{match.pk}/result/", given).status_code in (200, 201)
    assert rungs(event) == [second, top, third]


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
