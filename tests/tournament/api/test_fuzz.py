"""Random input: answered or refused as the schema says, and stored whole or not at all."""

import json
from typing import Any

import pytest
from django.db import transaction
from hypothesis import example, given, settings
from hypothesis import strategies as st

from matches.models import GameLine, Scoresheet
from rules.ruling_kinds import RULINGS
from rules.score import Side
from tests.breadth import few
from tests.builders import build_event, fixture_of, win
from tests.tournament.api.client import database
from tournament.api.results.ruling_serializers import SUBMISSION
from tournament.audit import audit_event
from tournament.draw.standings import store_standings
from tournament.models import Entry, Event

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
games = st.fixed_dictionaries(
    {"winner": st.sampled_from("AB")},
    optional={
        "cube": st.sampled_from([1, 1, 2, 4, 8, 3, 0, -2, 2**40]),
        "level": st.sampled_from([1, 1, 1, 2, 3]),
        "ending": st.sampled_from(["bearoff", "drop", "resigned", "forfeit"]),
    },
)
common = {"key": st.sampled_from(["k1", "k2"]), "base": st.sampled_from([0, 0, 0, 1])}
rest = {"confirmed": st.booleans(), "reason": st.text(max_size=5)}
sides = st.sampled_from("AB")
sensible = st.one_of(
    st.fixed_dictionaries({**common, "games": st.lists(games, min_size=1, max_size=8)}, optional=rest),
    st.fixed_dictionaries({**common, "final": st.tuples(st.integers(-1, 7), st.integers(-1, 7))}, optional=rest),
    st.fixed_dictionaries(
        {**common, "conclusion": st.sampled_from(["played", "forfeit", "walkover"]), "awarded_to": st.none() | sides},
        optional={**rest, "games": st.lists(games, max_size=4), "final": st.just([5, 0])},
    ),
)
names = ["key", "base", "games", "final", "conclusion", "awarded_to", *rest]
spoilt = st.tuples(sensible, st.dictionaries(st.sampled_from(names) | st.text(max_size=5), anything, max_size=2))
bodies = sensible | spoilt.map(lambda both: both[0] | both[1]) | anything


@pytest.fixture
def match(director):
    event = build_event(director, players=4, lengths=(5,))
    win(fixture_of(event, "M1-2").match, Side.A, by=director)
    return fixture_of(event, "M1-1").match


@pytest.fixture
def open_event(director):
    return build_event(director, players=0, drawn=False)


def scores(games: list[dict[str, Any]]) -> list[int]:
    """The score, added up again without the rules engine."""
    total = {"A": 0, "B": 0}
    for game in games:
        total[game["winner"]] = min(5, total[game["winner"]] + game.get("cube", 1) * game.get("level", 1))
    return [total["A"], total["B"]]


@settings(max_examples=few(300))
@given(body=bodies)
@example(body={"key": "k1", "base": 0, "games": [{"winner": "A", "cube": 4}], "confirmed": True})
@example(body={"key": "k1", "base": 0, "games": [{"winner": "A"}], "conclusion": "forfeit", "awarded_to": "B"})
def test_a_random_result_is_stored_whole_or_not_at_all(api, match, body):
    data = json.dumps(body)
    before = database()
    with transaction.atomic():
        response = api.generic("POST", f"matches/{match.pk}/result/", data, content_type="application/json")
        if response.status_code == 201:
            sheet = Scoresheet.objects.get(match=match, key=body["key"])
            sent = body.get("games", [])
            assert GameLine.objects.filter(sheet=sheet).count() == len(sent)
            answer = response.json()
            if sheet.final_a is not None:
                assert answer["score"] == list(body["final"]) == [sheet.final_a, sheet.final_b]
            elif not sheet.awarded_to:
                assert answer["score"] == scores(sent)
            assert (sheet.state == "confirmed") == (5 in answer["score"])
            advanced = fixture_of(match.fixture.stage.event, "M2-1").match is not None
            assert advanced == (sheet.state == "confirmed")
            transaction.set_rollback(True)
        else:
            assert response.status_code in {400, 409}
    assert database() == before


@settings(max_examples=few(200))
@given(data=st.binary(max_size=200) | st.text(max_size=100).map(str.encode))
def test_random_bytes_are_refused(api, match, data):
    before = database()
    response = api.generic("POST", f"matches/{match.pk}/result/", data, content_type="application/json")
    assert response.status_code == 400
    assert database() == before


@pytest.mark.parametrize("header", [b"", b"name,seed\n"])
@settings(max_examples=few(100))
@given(data=st.binary(max_size=300) | st.text(alphabet="name,;\n\t\"'é\r 1", max_size=60).map(str.encode))
def test_random_csv_is_entered_or_refused(api, open_event, header, data):
    with transaction.atomic():
        address = f"events/{open_event.pk}/entries/csv/"
        response = api.generic("POST", address, header + data, content_type="text/csv")
        assert Entry.objects.count() == (len(response.json()) if response.status_code == 201 else 0)
        transaction.set_rollback(True)
    assert response.status_code in {201, 400}


@settings(max_examples=few(150))
@given(data=st.binary(max_size=300) | st.text(alphabet=" 0123456789:/*()=>DoublesTakeWinpt\n").map(str.encode))
def test_random_records_get_a_verdict(anonymous, monkeypatch, data):
    monkeypatch.setattr("tournament.roles.throttling.VerifyThrottle.rate", "100000/min")
    response = anonymous.generic("POST", "records/verify/", data, content_type="text/plain")
    assert response.status_code == 200
    assert response.json()["verdict"] != "proved"


points = st.tuples(st.integers(0, 4), st.integers(0, 4))
sayings = {
    "penalty_points": points,
    "games": st.lists(games, min_size=1, max_size=4),
    "final": st.tuples(st.integers(0, 7), st.integers(0, 7)),
    "next_begun": st.booleans(),
    "played_to": st.integers(1, 9),
    "score": points,
    "crawford_done": st.booleans(),
    "awarded_to": sides,
}
seen = {"key": st.just("r"), "reason": st.just("Seen."), "preview": st.sampled_from([False, False, False, True])}
sensible_rulings = st.one_of(
    st.fixed_dictionaries(
        {**seen, "kind": st.just(kind.value), **{field.name: sayings[field.name] for field in ruling.needs}},
        optional={field.name: sayings[field.name] for field in ruling.takes},
    )
    for kind, ruling in RULINGS.items()
)
spoilt_rulings = st.tuples(
    sensible_rulings, st.dictionaries(st.sampled_from([*SUBMISSION, *sayings]), anything, min_size=1, max_size=2)
).map(lambda both: both[0] | both[1])


@settings(max_examples=few(120))
@given(body=sensible_rulings | spoilt_rulings, before=st.lists(games, max_size=3))
def test_a_random_ruling_stands_whole_or_not_at_all(api, match, body, before):
    with transaction.atomic():
        claim = {"key": "k0", "base": 0, "games": before, "confirmed": True}
        is_entered = api.post(f"matches/{match.pk}/result/", claim).status_code == 201
        entered = database()
        data = json.dumps({"base": int(is_entered), "ruling_count": 0, **body})
        response = api.generic("POST", f"matches/{match.pk}/rulings/", data, content_type="application/json")
        event = Event.objects.get(pk=match.fixture.stage.event_id)
        if response.status_code == 201:
            store_standings(event.pk)
            assert [str(difference) for difference in audit_event(event)] == []
            told, detail = response.json()["after"], api.get(f"matches/{match.pk}/").json()
            assert {name: detail[name] for name in told} == told
        else:
            assert response.status_code in {200, 400, 409}
            assert database() == entered
        transaction.set_rollback(True)
