"""Lots that nobody can know early or change unseen, and the urns of the past."""

import json

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from matches.models import Match
from matches.services import current_sheet
from players.errors import Conflict
from rules.score import Side
from tests.builders import (
    AT,
    build_tournament,
    claim,
    open_matches,
    win,
)
from tests.tournament.draw.test_lots import build_lots, differences, scopes
from tournament.audit import audit_event
from tournament.corrections.changes import EnterResult
from tournament.corrections.preview import preview_correction
from tournament.draw import secret
from tournament.draw.chain import load_chain
from tournament.draw.document import canonical, digest_of
from tournament.draw.make import cancel_draw, make_draw
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries
from tournament.forecast.event import play_slice
from tournament.models import DrawChain, Event, OpenUrn, Stage
from tournament.past.event import Moment, snapshot_at
from tournament.snapshot import take_snapshot


@pytest.fixture
def nothing_revealed(monkeypatch):
    """Whoever asks for the secret end of a chain fails the test."""

    def refuse(*_args: object) -> str:
        raise AssertionError("a reader asked for the secret end of a chain")

    monkeypatch.setattr(secret, "secret_end", refuse)


# What nobody may know


def test_readers_never_ask_for_the_secret(client, director, nothing_revealed):
    event = build_unrevealed(director)
    urns = scopes(event)
    take_snapshot(event.pk)
    load_chain(event).at(event.stages.get()).plan  # noqa: B018  # planning is what is tested
    play_slice(event.pk, at=AT)
    assert differences(event) == []
    slugs = (event.tournament.slug, event.slug)
    assert client.get(reverse("event", args=slugs)).status_code == 200
    assert client.get(f"/api/v1/events/{event.pk}/").status_code == 200
    assert scopes(event) == urns == []


def build_unrevealed(director) -> Event:
    """An event that is not drawn; its chain was made before anybody was watched."""
    chain = DrawChain(number=1, nonce="n", anchor="a" * 64, length=10, made_at=AT)
    tournament = build_tournament(director)
    event = Event.objects.create(tournament=tournament, name="Main", slug="main", created_at=AT)
    Stage.objects.create(event=event, format="swiss", options={"lengths": [3], "rounds": 3})
    chain.event = event
    chain.save()
    add_entries(event, lines=[EntryLine(name=f"P {n}", line=n) for n in range(1, 7)], by=None, at=AT)
    return event


def test_the_preview_of_a_correction_reveals_nothing(director, monkeypatch):
    event = build_lots(director, players=4, format="swiss", options={"rounds": 2})
    first, last = open_matches(event)
    win(first, Side.A)

    def refuse(*_args: object) -> str:
        raise AssertionError("the preview asked for the secret end of the chain")

    with monkeypatch.context() as watched:
        watched.setattr(secret, "secret_end", refuse)
        (cost,) = preview_correction(event, EnterResult(last, claim(final=(5, 0)), by=None, at=AT))
    assert [seat.key for seat in cost.seats if seat.key.startswith("S2")] == []
    assert scopes(event) == ["round 1"]
    win(last, Side.A)
    assert scopes(event) == ["round 1", "round 2"]


def test_a_result_that_is_refused_reveals_nothing(director):
    event = build_lots(director, players=4, format="swiss", options={"rounds": 2})
    first, last = open_matches(event)
    win(first, Side.A)
    with pytest.raises(Conflict):
        win_and_die(last)
    assert (scopes(event), current_sheet(last)) == (["round 1"], None)
    win(last, Side.B)
    assert differences(event) == []


@transaction.atomic
def win_and_die(match: Match) -> None:
    win(match, Side.A)
    raise Conflict("killed", "Killed on the way.")


# What nobody may change


@pytest.mark.parametrize("changed", [{"link": "0" * 64}, {"number": 7}, {"document": "{}"}, {"digest": "0" * 64}])
def test_an_audit_sees_an_urn_that_was_changed(director, changed):
    event = build_lots(director, players=4)
    assert differences(event) == []
    OpenUrn.objects.update(**changed)
    assert "lots" in {difference.check for difference in audit_event(event)}


def test_an_audit_sees_an_urn_that_was_removed(director):
    event = build_lots(director, players=4)
    OpenUrn.objects.all().delete()
    assert any("urn" in difference for difference in differences(event))


def test_one_urn_stands_for_each_scope_and_each_link(director):
    event = build_lots(director, players=4)
    urn = OpenUrn.objects.get()
    for again in ({"number": 2}, {"scope": "other"}):
        values = {name: getattr(urn, name) for name in ("chain", "number", "link", "stage", "scope", "digest")}
        with pytest.raises(IntegrityError), transaction.atomic():
            OpenUrn.objects.create(**{**values, **again}, document="{}", opened_at=AT)
    assert event.stages.count() == 1


# The past


def test_the_past_has_the_urns_of_its_time(director):
    event = build_lots(director, players=6)
    drawn = event.log.get(verb="make_draw")
    first = take_snapshot(event.pk)
    cancel_draw(event, by=director, at=AT)
    make_draw(event, by=director, at=AT)
    then = snapshot_at(event.pk, Moment(drawn.at, drawn.pk))
    assert then.stage.urns == first.stage.urns
    assert (then.stage.seed, then.stage.seed_hash, then.stage.anchor) == (
        first.stage.seed,
        first.stage.seed_hash,
        first.stage.anchor,
    )
    assert [(f.key, f.a.label, f.b.label) for f in then.stage.fixtures] == [
        (f.key, f.a.label, f.b.label) for f in first.stage.fixtures
    ]


def test_the_document_does_not_depend_on_the_database(director):
    documents = []
    for name in ("First", "Second"):
        event = build_lots(director, players=4, tournament=build_tournament(director, name))
        documents.append(json.loads(OpenUrn.objects.get(chain__event=event).document))
    assert {**documents[0], "tournament": ""} == {**documents[1], "tournament": ""}
    assert digest_of(canonical(documents[0])) != digest_of(canonical(documents[1]))
