"""The public value of a draw: closed entries, dice by two people, and words from the players."""

from hashlib import sha256

import pytest
from django.db import IntegrityError, transaction

from players.errors import Forbidden, Refusal
from players.models import User
from tests.builders import AT, build_director, build_event, build_terms, play_out
from tests.tournament.closed import DICE, code_of, refused
from tournament.draw.close_entries import close_entries, reopen_entries
from tournament.draw.dice import read_dice, type_dice
from tournament.draw.make import cancel_draw, make_draw
from tournament.draw.public_value import public_value_of
from tournament.draw.settle import value_of_words
from tournament.entries.attendance import leave_event, move_up, put_to_wait, set_door
from tournament.entries.identity import merge_players, replace_player
from tournament.entries.links import LinkEnded
from tournament.entries.lists import EntryLine
from tournament.entries.public_value import give_word_by_link, read_word, repeat_dice_by_link
from tournament.entries.renew import renew_links
from tournament.entries.seeding import Seeding, SeedingRow, set_seeding
from tournament.entries.services import add_entries, keep_apart, remove_entry, seed_entry
from tournament.events.services import update_event
from tournament.events.stages import add_stage
from tournament.models import Closing, Event, OpenUrn
from tournament.past.draw_file import draw_file_bytes
from tournament.proof.read import read_draw_file
from tournament.proof.values import MOST_CLOSINGS

pytestmark = pytest.mark.django_db


@pytest.fixture
def director() -> User:
    return build_director()


@pytest.fixture
def other(director: User) -> User:
    return build_director("other")


def build(director: User, source: str, **terms: object) -> Event:
    return build_event(director, players=4, drawn=False, seed="", public_source=source, **terms)


def direct(user: User, event: Event) -> User:
    user.is_superuser = True
    user.save()
    return user


# Closing and reopening


def test_an_event_without_a_public_value_is_drawn_as_ever(director):
    event = build(director, "none")
    refused("no_public_value", close_entries, event, by=director, at=AT)
    make_draw(event, by=director, at=AT)
    assert public_value_of(event) == ""


def test_a_draw_with_a_public_value_waits_for_it(director, other):
    event = build(director, "dice")
    direct(other, event)
    refused("public_value_missing", make_draw, event, by=director, at=AT)
    close_entries(event, by=director, at=AT)
    refused("public_value_missing", make_draw, event, by=director, at=AT)
    type_dice(event, dice=DICE, by=director, at=AT)
    refused("public_value_missing", make_draw, event, by=director, at=AT)
    type_dice(event, dice=DICE, by=other, at=AT)
    make_draw(event, by=director, at=AT)
    assert public_value_of(event) == DICE
    assert event.log.first().detail["public_value"] == DICE
    (urn,) = OpenUrn.objects.filter(stage__event=event)
    assert (urn.public_value, urn.digest) == (DICE, event.closings.get().digest)


def test_what_cannot_be_drawn_cannot_be_closed(director):
    alone = build_event(director, players=1, drawn=False, public_source="words")
    refused("field_size", close_entries, alone, by=director, at=AT)
    event = build_event(director, players=4, drawn=False, public_source="words", tournament=alone.tournament, name="B")
    set_door(event, max_entries=None, check_in=True, late_minutes=5, by=director, at=AT)
    refused("not_checked_in", close_entries, event, by=director, at=AT)


def test_closing_twice_is_closing_once(director):
    event = build(director, "dice")
    first = close_entries(event, by=director, at=AT)
    assert close_entries(event, by=director, at=AT) == first
    assert Closing.objects.count() == 1


def test_closed_entries_refuse_every_change(director):
    event = build(director, "dice")
    set_door(event, max_entries=4, check_in=False, late_minutes=5, by=director, at=AT)
    (waiting,) = add_entries(event, lines=[EntryLine(name="Eve", line=1)], by=director, at=AT)
    entry = event.entries.first()
    close_entries(event, by=director, at=AT)
    who = {"by": director, "at": AT}
    row = SeedingRow(entry.pk, Seeding(1), Seeding())
    swiss = build_terms(format="swiss", public_source="dice")
    refused("entries_closed", add_entries, event, lines=[EntryLine(name="Late", line=1)], **who)
    refused("entries_closed", remove_entry, entry, **who)
    refused("entries_closed", remove_entry, waiting, **who)
    refused("entries_closed", move_up_after_place, waiting, event, who)
    refused("entries_closed", put_to_wait, entry, **who)
    refused("entries_closed", seed_entry, entry, seed=1, **who)
    refused("entries_closed", keep_apart, entry, family="x", **who)
    refused("entries_closed", set_seeding, event, rows=[row], **who)
    refused("entries_closed", leave_event, entry, kind="withdrawn", **who)
    refused("entries_closed", replace_player, entry, line=EntryLine(name="New"), **who)
    refused("entries_closed", set_door, event, max_entries=8, check_in=False, late_minutes=5, **who)
    refused("entries_closed", update_event, event, swiss, **who)
    refused("entries_closed", update_event, event, build_terms(public_source="none"), **who)
    ties = build_terms(public_source="dice", tiebreaks=("head-to-head",))
    refused("entries_closed", update_event, event, ties, **who)
    refused("entries_closed", update_event, event, build_terms(name="Other", public_source="dice"), **who)
    next_one = {"format": "single-elimination", "options": {"lengths": [5]}, "qualifiers": 2}
    refused("entries_closed", add_stage, event, **next_one, **who)
    update_event(event, build_terms(public_source="dice", clock_minutes=2), **who)


def move_up_after_place(entry, event, who):
    """No place is free, so that it is the limit that is asked first: without one it is the closing."""
    event.max_entries = None
    event.save()
    try:
        move_up(entry, **who)
    finally:
        event.max_entries = 4
        event.save()


def test_what_changed_without_asking_is_seen_by_the_draw(director, other):
    event = build(director, "dice")
    direct(other, event)
    close_entries(event, by=director, at=AT)
    type_dice(event, dice=DICE, by=director, at=AT)
    type_dice(event, dice=DICE, by=other, at=AT)
    player = event.entries.first().player
    type(player).objects.filter(pk=player.pk).update(name="Somebody else")
    refused("entries_changed", make_draw, event, by=director, at=AT)
    event.entries.update(family="")
    type(player).objects.filter(pk=player.pk).update(name=player.name)
    make_draw(event, by=director, at=AT)


def test_a_merge_is_seen_by_the_draw(director):
    event = build(director, "words")
    close_entries(event, by=director, at=AT)
    first = event.entries.first().player
    (stranger,) = (
        entry.player
        for entry in add_entries(
            build_event(director, players=0, drawn=False, tournament=event.tournament, name="Side"),
            lines=[EntryLine(name="Quite Another", line=1)],
            by=director,
            at=AT,
        )
    )
    merge_players(stranger, first, by=None, at=AT)
    refused("entries_changed", make_draw, event, by=director, at=AT)


def test_reopening_needs_a_reason_and_voids_the_value_which_stays_listed(director, other):
    event = build(director, "dice")
    direct(other, event)
    refused("entries_not_closed", reopen_entries, event, reason="x", by=director, at=AT)
    close_entries(event, by=director, at=AT)
    for unsaid in (" ", "\u200b"):
        refused("reason_missing", reopen_entries, event, reason=unsaid, by=director, at=AT)
    type_dice(event, dice=DICE, by=director, at=AT)
    type_dice(event, dice=DICE, by=other, at=AT)
    reopen_entries(event, reason="Eve came late", by=director, at=AT)
    refused("public_value_missing", public_value_of, event)
    (closing,) = event.closings.all()
    assert (closing.value, closing.void_reason, closing.voided_at) == (DICE, "Eve came late", closing.voided_at)
    row = event.log.first()
    assert (row.verb, row.detail["reason"], row.detail["value"]) == ("reopen_entries", "Eve came late", DICE)
    add_entries(event, lines=[EntryLine(name="Eve", line=1)], by=director, at=AT)
    assert close_entries(event, by=director, at=AT).number == 2


def test_after_a_draw_taken_back_a_new_value_is_needed(director, other):
    event = build(director, "dice")
    direct(other, event)
    close_entries(event, by=director, at=AT)
    type_dice(event, dice=DICE, by=director, at=AT)
    type_dice(event, dice=DICE, by=other, at=AT)
    make_draw(event, by=director, at=AT)
    refused("event_drawn", reopen_entries, event, reason="I do not like it", by=director, at=AT)
    cancel_draw(event, by=director, at=AT)
    refused("public_value_missing", make_draw, event, by=director, at=AT)
    assert [(one.value, one.void_reason) for one in event.closings.all()] == [(DICE, "")]


def test_the_source_stays_once_the_event_is_drawn(director):
    event = build(director, "none")
    make_draw(event, by=director, at=AT)
    refused("event_drawn", update_event, event, build_terms(public_source="dice"), by=director, at=AT)


def test_a_source_that_is_none(director):
    event = build(director, "none")
    refused("public_source_unknown", update_event, event, build_terms(public_source="stars"), by=director, at=AT)


def test_the_database_holds_one_open_closing_per_event(director):
    event = build(director, "dice")
    closing = close_entries(event, by=director, at=AT)
    with pytest.raises(IntegrityError), transaction.atomic():
        Closing.objects.create(event=event, number=2, source="dice", digest=closing.digest, closed_at=AT)


def test_a_later_stage_is_drawn_with_the_value_of_the_first(director, other):
    event = build_event(director, players=4, drawn=False, seed="", public_source="dice", format="round-robin")
    direct(other, event)
    next_one = {"format": "single-elimination", "options": {"lengths": [5]}, "qualifiers": 2}
    add_stage(event, **next_one, by=director, at=AT)
    close_entries(event, by=director, at=AT)
    type_dice(event, dice=DICE, by=director, at=AT)
    type_dice(event, dice=DICE, by=other, at=AT)
    make_draw(event, by=director, at=AT)
    play_out(event)
    make_draw(event, by=director, at=AT)
    assert event.stages.get(number=2).drawn_at is not None
    cancel_draw(event, by=director, at=AT)
    refused("public_value_missing", make_draw, event, by=director, at=AT)
    assert public_value_of(event) == DICE  # what the first stage was drawn with
    assert close_entries(event, by=director, at=AT).stage == 2


# Dice


def test_one_person_alone_cannot_type_both_halves(director):
    event = build(director, "dice")
    close_entries(event, by=director, at=AT)
    type_dice(event, dice=DICE, by=director, at=AT)
    type_dice(event, dice=DICE, by=director, at=AT)
    closing = event.closings.get()
    assert (closing.dice, closing.value) == (DICE, "")


def test_the_first_may_type_again_until_somebody_repeats(director, other):
    event = build(director, "dice")
    direct(other, event)
    close_entries(event, by=director, at=AT)
    type_dice(event, dice="1" * 12, by=director, at=AT)
    refused("dice_differ", type_dice, event, dice=DICE, by=other, at=AT)
    type_dice(event, dice=DICE, by=director, at=AT)
    type_dice(event, dice="351-642 135,264", by=other, at=AT)
    assert event.closings.get().value == DICE
    refused("public_value_known", type_dice, event, dice="1" * 12, by=director, at=AT)
    refused("public_value_known", type_dice, event, dice="1" * 12, by=other, at=AT)


def test_the_log_does_not_tell_the_dice_before_they_are_repeated(director):
    event = build(director, "dice")
    close_entries(event, by=director, at=AT)
    type_dice(event, dice=DICE, by=director, at=AT)
    assert not any(DICE in str(row.detail) + row.words for row in event.log.all())


def test_a_player_repeats_the_dice_by_the_private_link(director):
    event = build(director, "dice")
    entry = event.entries.first()
    refused("entries_not_closed", repeat_dice_by_link, entry, dice=DICE, at=AT)
    close_entries(event, by=director, at=AT)
    refused("dice_not_typed", repeat_dice_by_link, entry, dice=DICE, at=AT)
    type_dice(event, dice=DICE, by=director, at=AT)
    refused("dice_differ", repeat_dice_by_link, entry, dice="1" * 12, at=AT)
    repeat_dice_by_link(entry, dice=DICE, at=AT)
    detail = event.log.first().detail
    assert (detail["first"], detail["second"], detail["dice"]) == ("director", "Player 1", DICE)


def test_somebody_without_a_role_types_no_dice(director):
    event = build(director, "dice")
    close_entries(event, by=director, at=AT)
    with pytest.raises(Forbidden), transaction.atomic():
        type_dice(event, dice=DICE, by=build_director("stranger"), at=AT)
    assert event.closings.get().dice == ""


@pytest.mark.parametrize(
    ("text", "code"),
    [("123", "dice_too_few"), ("1" * 61, "dice_too_few"), ("123456123457", "dice_unreadable"), ("", "dice_too_few")],
)
def test_dice_that_are_none(text, code):
    with pytest.raises(Refusal) as error:
        read_dice(text)
    assert code_of(error) == code


def test_dice_for_an_event_of_words(director):
    event = build(director, "words")
    close_entries(event, by=director, at=AT)
    refused("other_public_source", type_dice, event, dice=DICE, by=director, at=AT)


# Words


def test_the_words_make_the_value_in_the_order_of_the_entries(director):
    event = build(director, "words")
    first, second, *_others = event.entries.all()
    refused("entries_not_closed", give_word_by_link, first, word="pear", at=AT)
    close_entries(event, by=director, at=AT)
    give_word_by_link(second, word="  A\u030angstro\u0308m ", at=AT)
    refused("public_value_missing", make_draw, event, by=director, at=AT)
    give_word_by_link(first, word="green apple", at=AT)
    make_draw(event, by=director, at=AT)
    expected = sha256("1 green apple\n2 Ångström\n".encode()).hexdigest()
    assert (public_value_of(event), event.closings.get().value) == (expected, expected)
    refused("event_drawn", give_word_by_link, event.entries.get(number=3), word="late", at=AT)
    assert value_of_words([(2, "Ångström"), (1, "green apple")]) == expected


def test_a_word_is_given_once(director):
    event = build(director, "words")
    entry = event.entries.first()
    close_entries(event, by=director, at=AT)
    give_word_by_link(entry, word="pear", at=AT)
    give_word_by_link(entry, word="pear", at=AT)
    refused("word_given", give_word_by_link, entry, word="plum", at=AT)
    assert [(word.number, word.word) for word in event.closings.get().words.all()] == [(1, "pear")]
    assert event.log.filter(verb="give_word").count() == 1


def test_an_old_link_gives_no_word(director):
    event = build(director, "words")
    entry = event.entries.first()
    close_entries(event, by=director, at=AT)
    renew_links(event, by=director, at=AT)
    with pytest.raises(LinkEnded):
        give_word_by_link(entry, word="pear", at=AT)


def test_those_who_wait_give_no_word(director):
    event = build(director, "words")
    entry = put_to_wait(event.entries.last(), by=director, at=AT)
    close_entries(event, by=director, at=AT)
    refused("entry_not_drawn", give_word_by_link, entry, word="pear", at=AT)


@pytest.mark.parametrize(
    ("word", "code"),
    [
        ("", "word_empty"),
        ("  ", "word_empty"),
        ("a\nb", "word_unprintable"),
        ("a\x00b", "word_unprintable"),
        ("a\u2028b", "word_unprintable"),
        ("a\u202eb", "word_unprintable"),
        ("x" * 41, "word_too_long"),
    ],
)
def test_words_that_are_none(word, code):
    with pytest.raises(Refusal) as error:
        read_word(word)
    assert code_of(error) == code


def test_entries_are_closed_no_more_often_than_a_draw_file_is_read_with(director, other):
    event = build(director, "dice")
    for _again in range(MOST_CLOSINGS):
        close_entries(event, by=director, at=AT)
        reopen_entries(event, reason="again", by=director, at=AT)
    refused("closings_too_many", close_entries, event, by=director, at=AT)
    assert event.closings.count() == MOST_CLOSINGS
    assert len(read_draw_file(draw_file_bytes(event)).public) == MOST_CLOSINGS
