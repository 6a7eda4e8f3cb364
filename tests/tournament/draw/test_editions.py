"""A stage keeps the edition of the rules by which it was drawn: an upgrade moves nobody and changes no length."""

import pytest
from django.db import IntegrityError, transaction

from rules.score import Side
from tests.builders import AT, build_event, open_matches, play_out, win
from tournament.audit import audit_event
from tournament.draw.make import cancel_draw, make_draw
from tournament.draw.reconcile import reconcile
from tournament.draw.standings import store_standings
from tournament.formats.editions import EDITION, FIRST
from tournament.models import Stage
from tournament.past.event import find_moment, snapshot_at
from tournament.snapshot import take_snapshot

pytestmark = pytest.mark.django_db
CHANCE = {"consolation_lengths": [3], "last_chance": "full"}


def build_drawn_before(director, *, players, **options):
    """An event whose stage was drawn by the first edition."""
    event = build_event(director, players=players, format="consolation", options=options)
    event.stages.update(edition=FIRST)
    reconcile(event, event.stages.get(), at=AT)
    return event


def places(event):
    return {(one.key, one.feed_a, one.feed_b, one.length) for one in event.stages.get().fixtures.all()}


def byes(event):
    """The main matches whose losers have a bye in the consolation."""
    return sorted(event.stages.get().fixtures.filter(bracket="C", feed_b="bye").values_list("feed_a", flat=True))


def test_a_stage_drawn_before_keeps_its_places_and_lengths_to_the_end(director):
    event = build_drawn_before(director, players=20, **CHANCE)
    before = places(event)
    assert all(feed.startswith("loser:M2-") for feed in byes(event))
    assert {length for key, _a, _b, length in before if key[0] == "L"} == {5}
    win(open_matches(event)[0], Side.A)
    assert places(event) == before
    play_out(event)
    assert {one[:3] for one in places(event)} == {one[:3] for one in before}
    store_standings(event.pk)
    assert audit_event(event) == []


def test_a_new_draw_is_made_by_the_newest_edition(director):
    event = build_drawn_before(director, players=20, **CHANCE)
    cancel_draw(event, by=director, at=AT)
    assert event.stages.get().edition == 0
    make_draw(event, by=director, at=AT)
    assert event.stages.get().edition == EDITION
    assert all(feed.startswith("loser:M1-") for feed in byes(event))
    assert {length for key, _a, _b, length in places(event) if key[0] == "L"} == {3}


def test_the_past_shows_a_cancelled_draw_as_it_was(director):
    event = build_drawn_before(director, players=20)
    drawn = event.log.get(verb="make_draw")
    shown = {fixture.key for fixture in take_snapshot(event.pk).stages[0].fixtures}
    cancel_draw(event, by=director, at=AT)
    assert event.log.get(verb="cancel_draw").detail["edition"] == FIRST
    then = snapshot_at(event.pk, find_moment(event, str(drawn.pk)))
    assert then.stages[0].edition == FIRST
    assert {fixture.key for fixture in then.stages[0].fixtures} == shown


def test_a_stage_has_an_edition_exactly_while_it_is_drawn(director):
    event = build_event(director, players=4)
    with pytest.raises(IntegrityError), transaction.atomic():
        Stage.objects.filter(event=event).update(edition=0)
    undrawn = build_event(director, players=4, drawn=False, tournament=event.tournament)
    with pytest.raises(IntegrityError), transaction.atomic():
        Stage.objects.filter(event=undrawn).update(edition=EDITION)
