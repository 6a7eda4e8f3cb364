"""A write under an Idempotency-Key is carried out once, however often it is sent."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.builders import build_event, fixture_of
from tests.tournament.api.client import PREFIX
from tests.tournament.api.routes import WRITING
from tournament.api.events.serializers import TournamentSerializer
from tournament.changes.once import forget_answers
from tournament.entries.links import token_of
from tournament.models import KeptAnswer, Tournament
from tournament.tasks import heal

pytestmark = pytest.mark.django_db

NEW = {"name": "Open", "place": "Odense", "starts_on": "2026-01-09"}


def under(key: str) -> dict:
    return {"headers": {"Idempotency-Key": key}}


STORE_NOTHING = {
    *(
        "POST records/verify/",
        "POST draw-files/verify/",
        "POST event-files/verify/",
        "POST events/{event_id}/money/preview/",
    ),
    *("POST entries/{entry_id}/departure/preview/", "POST matches/{match_id}/void/preview/"),
    "POST matches/{match_id}/result/preview/",  # it takes the key of the result
}
OF_TOKENS = {"POST token/", "DELETE token/"}
KNOWN_AGAIN = {"POST links/{token}/matches/{match_id}/records/"}
"""Without a key: the same record again is the one that is there."""


def test_every_operation_that_writes_takes_a_key_and_a_version():
    without = set()
    for method, path, operation in WRITING:
        named = {each["name"] for each in operation.get("parameters", ()) if each["in"] == "header"}
        if "If-Match" not in named:
            without.add(f"{method} {path.removeprefix(PREFIX)}")
            assert named <= ({"Idempotency-Key"} if path.endswith("result/preview/") else set()), path
            assert not {"412", "422"} & set(operation["responses"]), path
            continue
        assert named >= {"Idempotency-Key", "If-Match"}, f"{method} {path}"
        assert {"412", "422", "429"} <= set(operation["responses"]), f"{method} {path}"
    assert without == STORE_NOTHING | OF_TOKENS | KNOWN_AGAIN


def test_a_repeated_answer_without_content_names_no_type(api, director):
    entry = build_event(director, players=3, drawn=False).entries.first()
    first, again = (api.delete(f"entries/{entry.pk}/", **under("k1")) for _time in range(2))
    assert (first.status_code, again.status_code, again.headers["Idempotency-Replayed"]) == (204, 204, "true")
    assert ("Content-Type" in first.headers, "Content-Type" in again.headers) == (False, False)


def test_two_creations_with_one_key_make_one_tournament(api):
    first = api.post("tournaments/", NEW, **under("k1"))
    again = api.post("tournaments/", NEW, **under("k1"))
    assert (first.status_code, again.status_code) == (201, 201)
    assert (again.content, again.headers["Location"]) == (first.content, first.headers["Location"])
    assert "Idempotency-Replayed" not in first.headers
    assert Tournament.objects.count() == 1
    assert api.post("tournaments/", NEW, **under("k2")).json()["id"] != first.json()["id"]


@pytest.mark.parametrize(("path", "body"), [("tournaments/", {**NEW, "name": "Other"}), ("templates/", NEW)])
def test_a_key_belongs_to_one_request(api, path, body):
    api.post("tournaments/", NEW, **under("k1"))
    other = (
        api.post("tournaments/", body, **under("k1"))
        if path == "tournaments/"
        else api.patch(f"tournaments/{Tournament.objects.get().pk}/", NEW, **under("k1"))
    )
    assert (other.status_code, other.json()["code"]) == (422, "key_reused")
    assert Tournament.objects.get().name == "Open"


def test_what_is_refused_leaves_its_key_free_for_the_mended_request(api, unchanged):
    with unchanged():
        assert api.post("tournaments/", {**NEW, "name": ""}, **under("k1")).status_code == 400
    assert api.post("tournaments/", NEW, **under("k1")).status_code == 201


def test_a_write_that_breaks_off_leaves_nothing(api, unchanged, monkeypatch):
    def break_off(self: object, instance: object) -> None:
        raise RuntimeError

    with unchanged(), monkeypatch.context() as patched:
        patched.setattr(TournamentSerializer, "to_representation", break_off)
        with pytest.raises(RuntimeError):
            api.post("tournaments/", NEW, **under("k1"))
    assert api.post("tournaments/", NEW, **under("k1")).status_code == 201


def test_everybody_has_keys_of_their_own(api, stranger):
    ids = {client.post("tournaments/", NEW, **under("k1")).json()["id"] for client in (api, stranger)}
    assert len(ids) == 2


def test_a_private_link_has_keys_of_its_own(anonymous, director):
    fixture = fixture_of(build_event(director, players=2, lengths=(5,)), "M1-1")
    sent = {"key": "a", "base": 0, "games": [{"winner": "a", "ending": "single", "cube": 1}]}
    for entry in (fixture.entry_a, fixture.entry_b):
        address = f"links/{token_of(entry)}/matches/{fixture.match.pk}/sheet/"
        answers = [anonymous.put(address, sent, **under("a")) for _time in range(2)]
        assert [answer.status_code for answer in answers] == [200, 200]
        assert answers[1].headers["Idempotency-Replayed"] == "true"
    assert KeptAnswer.objects.count() == 2


def test_phones_behind_one_address_do_not_meet_the_keys_of_each_other(anonymous, director):
    event = build_event(director, players=2, drawn=False)
    asked = [{"entry": entry.pk, "key": f"phone-{entry.pk}"} for entry in event.entries.all()]
    address = f"events/{event.pk}/page-requests/"
    first, second = (anonymous.post(address, body, **under("k1")) for body in asked)
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.json()["token"] != second.json()["token"]
    again = anonymous.post(address, asked[0], **under("k1"))
    assert (again.content, again.headers["Idempotency-Replayed"]) == (first.content, "true")


@pytest.mark.parametrize("key", ["a b", "x" * 65, "é", "a\tb"])
def test_a_key_that_is_none_is_refused(api, unchanged, key):
    with unchanged():
        response = api.post("tournaments/", NEW, headers={"Idempotency-Key": key.encode().decode("latin-1")})
    assert (response.status_code, response.json()["errors"][0]["field"]) == (400, "Idempotency-Key")


def test_an_answer_cannot_be_read_without_its_key(api, director):
    entry = build_event(director, players=2, drawn=False).entries.first()
    answer = api.post(f"entries/{entry.pk}/link/", **under("k1")).content
    entry.refresh_from_db()
    assert token_of(entry).encode() in answer
    kept = KeptAnswer.objects.get()
    assert token_of(entry).encode() not in bytes(kept.answer)
    assert "k1" not in (kept.claim, kept.request)


def test_answers_are_read_under_a_former_secret_and_never_under_another(api, settings):
    first = api.post("tournaments/", NEW, **under("k1"))
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another" * 10
    assert api.post("tournaments/", NEW, **under("k1")).content == first.content
    settings.SECRET_KEY_FALLBACKS = []
    lost = api.post("tournaments/", NEW, **under("k1"))
    assert (lost.status_code, lost.json()["code"]) == (409, "answer_lost")
    assert Tournament.objects.count() == 1


def test_answers_are_forgotten_after_two_days(api, eager_tasks):
    api.post("tournaments/", NEW, **under("k1"))
    heal()
    assert KeptAnswer.objects.count() == 1
    forget_answers(at=timezone.now() + timedelta(hours=47))
    assert KeptAnswer.objects.count() == 1
    forget_answers(at=timezone.now() + timedelta(hours=49))
    assert KeptAnswer.objects.count() == 0
