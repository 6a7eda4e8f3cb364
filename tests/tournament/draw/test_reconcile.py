"""What a new plan leaves as published."""

import pytest

from rules.score import Side
from tests.builders import build_event, open_matches, win
from tournament.audit import audit_event
from tournament.draw.chain import load_chain
from tournament.draw.standings import store_standings

pytestmark = pytest.mark.django_db


def reasons(event, round):
    return {fixture.key: fixture.why for fixture in event.stages.get().fixtures.filter(round=round)}


def test_the_reason_of_a_round_that_has_begun_stays_as_it_was_published(director):
    event = build_event(director, players=8, format="swiss", options={"rounds": 3})
    first = open_matches(event)
    for match in first:
        win(match, Side.A, by=director)
    win(open_matches(event)[0], Side.A, by=director)
    begun = reasons(event, 2)
    win(first[0], Side.B, by=director, base=1)
    assert reasons(event, 2) == begun
    plan = load_chain(event).at(event.stages.get()).plan
    assert {pairing.key: pairing.why.as_dict() for pairing in plan.pairings if pairing.round == 2} != begun
    store_standings(event.pk)
    assert audit_event(event) == []


def test_the_audit_names_another_reason_in_a_round_that_has_not_begun(director):
    event = build_event(director, players=4, format="swiss", options={"rounds": 2})
    fixture = event.stages.get().fixtures.get(round=1, number=1)
    fixture.why = {**fixture.why, "code": "another"}
    fixture.save(update_fields=["why"])
    store_standings(event.pk)
    assert [(one.check, one.what) for one in audit_event(event)] == [("plan", "reason")]
