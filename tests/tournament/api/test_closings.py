"""The public value through the API: entries closed and reopened, dice by two users, rounds of drand."""

from hashlib import sha256

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.builders import AT, build_director, build_event, build_tournament
from tests.tournament.api.client import CheckedClient
from tests.tournament.closed import DICE, RANDOMNESS, SIGNATURE, build_closed
from tournament.entries.public_value import give_word_by_link
from tournament.models import Appointment, Event, Role


@pytest.fixture
def event(director) -> Event:
    return build_event(director, players=4, drawn=False, seed="", public_source="dice")


@pytest.fixture
def other(event) -> CheckedClient:
    """A scorer, who may type in dice and not draw."""
    user = build_director("scorer")
    Appointment.objects.create(tournament=event.tournament, user=user, role=Role.SCORER, since=AT)
    client = CheckedClient()
    client.force_authenticate(user)
    return client


def code(response) -> tuple[int, str]:
    return response.status_code, response.json()["code"]


def test_dice_by_two_users_and_then_the_draw(api, other, event):
    here = f"events/{event.pk}/"
    assert api.get(here).json()["public_source"] == "dice"
    assert code(api.post(f"{here}draw/")) == (409, "public_value_missing")
    assert code(api.post(f"{here}closings/dice/", {"dice": DICE})) == (409, "entries_not_closed")
    (closing,) = api.post(f"{here}closings/", {}).json()
    assert (closing["value"], closing["source"], closing["drand_round"]) == ("", "dice", None)
    assert api.get(here).json()["entries_closed"] is True
    assert code(api.post(f"{here}entries/", {"name": "Late"})) == (409, "entries_closed")
    assert code(api.patch(here, {"public_source": "none"})) == (409, "entries_closed")
    assert code(api.post(f"{here}closings/dice/", {"dice": "123"})) == (400, "dice_too_few")
    assert code(api.post(f"{here}closings/dice/", {"dice": "789789789789"})) == (400, "dice_unreadable")
    (typed,) = api.post(f"{here}closings/dice/", {"dice": DICE}).json()
    assert (typed["first"], typed["value"]) == ("director", "")
    assert DICE not in api.get(f"{here}closings/").content.decode()
    assert DICE not in api.get(f"{here}log/").content.decode()
    assert code(other.post(f"{here}closings/dice/", {"dice": "1" * 12})) == (409, "dice_differ")
    (known,) = other.post(f"{here}closings/dice/", {"dice": DICE}).json()
    assert known["value"] == DICE
    assert code(other.post(f"{here}draw/")) == (403, "role_missing")
    assert api.post(f"{here}draw/").status_code == 200
    (used,) = CheckedClient().get(f"{here}closings/").json()
    assert (used["is_used"], used["voided_at"]) == (True, None)
    assert code(api.post(f"{here}closings/reopen/", {"reason": "Again."})) == (409, "event_drawn")


def test_reopened_and_taken_back_values_stay_listed(api, other, event):
    here = f"events/{event.pk}/"
    assert code(api.post(f"{here}closings/reopen/", {"reason": "Why not"})) == (409, "entries_not_closed")
    for client in (api, api, other):
        client.post(f"{here}closings/", {}) if client is api else None
        client.post(f"{here}closings/dice/", {"dice": DICE})
    assert code(api.post(f"{here}closings/reopen/", {"reason": ""})) == (400, "reason_missing")
    (void,) = api.post(f"{here}closings/reopen/", {"reason": "Eve came."}).json()
    assert (void["value"], void["void_reason"]) == (DICE, "Eve came.")
    api.post(f"{here}closings/", {})
    api.post(f"{here}closings/dice/", {"dice": DICE})
    other.post(f"{here}closings/dice/", {"dice": DICE})
    api.post(f"{here}draw/")
    api.delete(f"{here}draw/")
    assert [one["void_reason"] for one in api.get(f"{here}closings/").json()] == ["Eve came.", ""]


def test_a_round_of_drand_is_named_and_typed_in(api, event):
    main = event.tournament
    closed = build_closed(main, "drand", name="Drand")
    here = f"events/{closed.pk}/closings/"
    (closing,) = api.get(here).json()
    number = closing["drand_round"]
    assert closing["round_address"].startswith("https://api.drand.sh/")
    proof = {"round": number, "randomness": RANDOMNESS, "signature": SIGNATURE}
    assert code(api.post(f"{here}drand/", {**proof, "round": 1})) == (400, "drand_round_other")
    assert code(api.post(f"{here}drand/", {**proof, "randomness": "no"})) == (400, "drand_not_hex")
    assert code(api.post(f"{here}drand/", {**proof, "signature": "abcd"})) == (400, "drand_not_hex")
    assert code(api.post(f"{here}drand/", {**proof, "signature": "ab" * 48})) == (400, "drand_not_proved")
    made_up = {"signature": "ab" * 48, "randomness": sha256(b"\xab" * 48).hexdigest()}
    assert code(api.post(f"{here}drand/", {**proof, **made_up})) == (400, "drand_not_signed")
    assert code(api.post(f"{here}dice/", {"dice": DICE})) == (409, "other_public_source")
    (known,) = api.post(f"{here}drand/", proof).json()
    assert known["value"] == RANDOMNESS
    assert code(api.post(f"{here}drand/", proof)) == (409, "public_value_known")


def test_a_round_must_lie_ahead(api, event):
    api.patch(f"events/{event.pk}/", {"public_source": "drand"})
    here = f"events/{event.pk}/closings/"
    assert code(api.post(here, {"round": 1})) == (400, "drand_round_not_ahead")
    assert code(api.post(here, {"round": 10**9})) == (400, "drand_round_too_far")
    assert code(api.post(here, {"round": "1"})) == (400, "invalid")
    (closing,) = api.post(here, {}).json()
    typed = {"round": closing["drand_round"], "randomness": RANDOMNESS, "signature": SIGNATURE}
    assert code(api.post(f"{here}drand/", typed)) == (409, "drand_round_not_yet")


def test_an_event_without_a_public_value_is_not_closed(api, event):
    api.patch(f"events/{event.pk}/", {"public_source": "none"})
    assert code(api.post(f"events/{event.pk}/closings/", {})) == (409, "no_public_value")
    assert code(api.patch(f"events/{event.pk}/", {"public_source": "stars"})) == (400, "public_source_unknown")
    assert api.get(f"events/{event.pk}/closings/").json() == []


@pytest.mark.django_db
@pytest.mark.parametrize("players", [8, 64])
def test_the_words_are_listed_in_the_same_queries_in_every_field(players):
    event = build_closed(build_tournament(build_director()), "words", name="Words", players=players)
    for entry in event.entries.all():
        give_word_by_link(entry, word=f"word {entry.number}", at=AT)
    with CaptureQueriesContext(connection) as queries:
        (closing,) = CheckedClient().get(f"events/{event.pk}/closings/").json()
    assert len(closing["words"]) == players
    assert len(queries) == 4
