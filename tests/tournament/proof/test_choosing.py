"""Attempts to choose a draw step by step, as its director and as the owner of the database: they fail, or are seen."""

from dataclasses import replace

import pytest
from django.test import Client, override_settings
from django.urls import reverse

from players.models import Club, User
from tests.builders import AT, build_director, build_event, build_terms
from tests.tournament.closed import DICE, refused
from tests.tournament.proof.test_closings_in_file import checked, codes, settle, wrong_codes
from tournament.audit import audit_event
from tournament.corrections.undo import undo_step
from tournament.draw.close_entries import close_entries, reopen_entries
from tournament.draw.dice import type_dice
from tournament.draw.make import cancel_draw, make_draw
from tournament.draw.standings import store_standings
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries, remove_entry, withdraw_entry
from tournament.events.deletion import delete_event, restore_event
from tournament.events.services import update_event
from tournament.events.stages import add_stage, remove_stage
from tournament.formats.lots import pairing_name
from tournament.models import Closing, DrawChain, Entry, Event, OpenUrn, Stage
from tournament.past.draw_file import draw_file_of
from tournament.proof.check import check_file

pytestmark = pytest.mark.django_db


@pytest.fixture
def other(director: User) -> User:
    other = build_director("other")
    other.is_superuser = True
    other.save()
    return other


@pytest.fixture
def known(director, other) -> Event:
    """An event whose entries are closed, and whose public value is known."""
    event = build_event(director, players=6, drawn=False, seed="", nonce=None, public_source="dice")
    settle(event, "dice", director, other)
    return event


def page(event: Event) -> str:
    return Client().get(reverse("event-draws", args=[event.pk])).content.decode()


def late(event: Event, name: str) -> Entry:
    (entry,) = add_entries(event, lines=[EntryLine(name=name)], by=None, at=AT)
    return entry


# After the public value is known


def test_undoing_an_earlier_step_is_refused_once_entries_are_closed(director, other):
    event = build_event(director, players=6, drawn=False, seed="", public_source="dice")
    late(event, "Late")
    added = event.log.get(verb="add_entries", detail__names=["Late"])
    settle(event, "dice", director, other)
    with pytest.raises(Exception) as refusal:  # noqa: PT011  # which one is asked below
        undo_step(added, by=other, at=AT)
    assert refusal.value.code in ("entries_closed", "not_the_last_step", "cannot_undo", "undo_blocked")
    assert event.entries.count() == 7


@pytest.mark.parametrize(
    "fields", [{"seed": 1}, {"number": 60}, {"family": "x"}, {"waiting": True}, {"reentry": 3}], ids=str
)
def test_a_changed_row_of_an_entry_keeps_the_draw_from_being_made(known, director, fields):
    first = known.entries.order_by("number").first()
    Entry.objects.filter(pk=first.pk).update(**fields)
    refused("entries_changed", make_draw, known, by=director, at=AT)


def test_another_club_of_a_player_keeps_the_draw_from_being_made(known, director):
    player = known.entries.first().player
    player.club = Club.objects.create(name="Another")
    player.save()
    refused("entries_changed", make_draw, known, by=director, at=AT)


@pytest.mark.parametrize(
    "fields", [{"options": {"lengths": [7]}}, {"format": "double-elimination", "options": {"lengths": [5]}}], ids=str
)
def test_changed_options_keep_the_draw_from_being_made(known, director, fields):
    Stage.objects.filter(event=known).update(**fields)
    refused("entries_changed", make_draw, known, by=director, at=AT)


def test_every_value_that_was_dropped_is_on_the_page(known, director, other):
    values = [DICE]
    for number in (1, 2, 3):
        reopen_entries(known, reason=f"try {number}", by=director, at=AT)
        close_entries(known, by=director, at=AT)
        values.append(str(number) * 12)
        type_dice(known, dice=values[-1], by=director, at=AT)
        type_dice(known, dice=values[-1], by=other, at=AT)
    make_draw(known, by=director, at=AT)
    cancel_draw(known, by=director, at=AT)
    shown = page(known)
    assert all(value in shown for value in values)
    assert all(f"try {number}" in shown for number in (1, 2, 3))
    assert wrong_codes(known) == set()


def test_an_event_deleted_and_restored_has_the_same_chain_and_the_same_value(known, director):
    chain, closing = known.draw_chains.get(), known.closings.get()
    delete_event(known, typed=known.name, by=director, at=AT)
    restore_event(Event.everything.get(pk=known.pk), by=director, at=AT)
    event = Event.objects.get(pk=known.pk)
    assert (event.draw_chains.get(), event.closings.get()) == (chain, closing)
    make_draw(event, by=director, at=AT)
    assert wrong_codes(event) == set()


def test_the_source_cannot_be_dropped_once_a_value_is_known(known, director):
    refused("entries_closed", update_event, known, build_terms(public_source="none"), by=director, at=AT)
    Event.objects.filter(pk=known.pk).update(public_source="none")
    known.refresh_from_db()
    make_draw(known, by=director, at=AT)
    assert wrong_codes(known) == {"public_value_left_out"}


def test_a_stage_added_after_the_draw_is_drawn_with_the_next_link(known, director):
    make_draw(known, by=director, at=AT)
    stage = {"format": "single-elimination", "options": {"lengths": [5]}, "qualifiers": 2}
    for _again in range(2):
        add_stage(known, **stage, by=director, at=AT)
        remove_stage(known, number=2, by=director, at=AT)
    assert [urn.number for urn in OpenUrn.objects.all()] == [1]
    assert wrong_codes(known) == set()


# Late entries, again and again


def test_each_late_entry_has_a_lot_of_its_own_which_stays_listed(director):
    event = build_event(director, players=5, seed="", nonce=None)
    for name in ("Try 1", "Try 2"):
        remove_entry(late(event, name), by=director, at=AT)
    # The number of an entry that was removed last is given again, and with it the same urn and the same bye.
    assert [urn.scope for urn in OpenUrn.objects.order_by("number")] == ["draw", "late 6"]
    byes = {late_bye(event, director) for _again in range(3)}
    assert len(byes) == 1
    assert [urn.scope for urn in OpenUrn.objects.order_by("number")] == ["draw", "late 6"]
    assert "late_lot_unused" in codes(event)
    late(event, "Stays")
    assert {"late_bye_agrees"} <= codes(event)
    assert wrong_codes(event) == set()


def late_bye(event: Event, director: User) -> int:
    entry = late(event, "Again")
    remove_entry(entry, by=director, at=AT)
    return entry.bye_taken


def test_a_late_entry_pushed_to_the_next_number_leaves_a_lot_that_nobody_uses(director):
    event = build_event(director, players=5, seed="", nonce=None)
    first = late(event, "Try 1")
    late(event, "Anna")
    remove_entry(first, by=director, at=AT)
    (told,) = [finding for finding in checked(event).findings if finding.code == "late_lot_unused"]
    assert told.params["entry"] == "6"
    assert "late 6" in page(event)
    assert wrong_codes(event) == set()
    store_standings(event.pk)
    assert [str(difference) for difference in audit_event(event)] == []


def test_another_bye_of_a_late_entry_is_seen(director):
    event = build_event(director, players=5, seed="", nonce=None)
    entry = late(event, "Late")
    (urn,) = [urn for urn in draw_file_of(event).urns if urn.scope == "late 6"]
    others = {1, 2, 3, 4} - {entry.bye_taken}
    assert urn.urn.lot(pairing_name(entry.bye_taken))
    file = draw_file_of(event)
    (draw,) = file.draws
    (step,) = draw.steps
    moved = tuple(replace(one, bye_taken=min(others)) if one.number == 6 else one for one in step.entrants or ())
    forged = replace(file, draws=(replace(draw, steps=(replace(step, entrants=moved),)),))
    assert {"late_bye_other"} <= {finding.code for finding in check_file(forged).findings}


# The owner of the database and of the secret


def test_another_nonce_begins_a_new_chain_which_everybody_sees(known, director):
    anchor = known.draw_chains.get().anchor
    DrawChain.objects.filter(event=known).update(nonce="ab" * 16)
    make_draw(known, by=director, at=AT)
    assert [chain.number for chain in known.draw_chains.order_by("number")] == [1, 2]
    assert "chain_again" in codes(known)
    assert anchor in page(known)


def test_another_secret_begins_a_new_chain_which_everybody_sees(known, director):
    with override_settings(SECRET_KEY="another", SECRET_KEY_FALLBACKS=[]):
        make_draw(known, by=director, at=AT)
    assert "chain_again" in codes(known)


def test_a_nonce_used_for_two_events_is_found_by_the_audit(known, director):
    twin = build_event(director, players=4, tournament=known.tournament, name="Twin", drawn=False, seed="", nonce=None)
    nonce = known.draw_chains.get()
    DrawChain.objects.filter(event=twin).update(nonce=nonce.nonce, anchor=nonce.anchor)
    for event in (known, twin):
        store_standings(event.pk)
        assert "that of another event too" in {difference.stored for difference in audit_event(event)}


def test_a_backup_from_before_the_draw_gives_the_same_link_and_only_another_value_other_lots(known, director, other):
    """What somebody saved before shows it: the link is the same, so the value must be another one."""
    make_draw(known, by=director, at=AT)
    first = draw_file_of(known)
    cancelled = OpenUrn.objects.get()
    Stage.objects.filter(event=known).update(drawn_at=None, draw_hash="", edition=0)
    for fixture in known.stages.get().fixtures.all():
        fixture.delete()
    cancelled.delete()
    make_draw(known, by=director, at=AT)
    assert draw_file_of(known).urns == first.urns
    Closing.objects.update(value="6" * 12)
    assert wrong_codes(known) >= {"public_value_unknown"}


def test_withdrawing_and_returning_draws_nothing_anew(director):
    event = build_event(director, players=6, format="swiss", seed="", nonce=None)
    before = OpenUrn.objects.count()
    withdraw_entry(event.entries.first(), by=director, at=AT)
    assert OpenUrn.objects.count() == before
