"""Draw files of events with a public value: dice, words and drand, checked by somebody who has nothing else."""

import json
from copy import deepcopy
from dataclasses import replace
from datetime import timedelta

import pytest

from players.models import User
from rules.score import Side
from tests.builders import AT, build_director, build_event, open_matches, play_out, win
from tests.tournament.closed import DICE, LONG_AGO, RANDOMNESS, ROUND, SIGNATURE
from tournament.audit import audit_event
from tournament.draw.beacon import enter_round
from tournament.draw.close_entries import close_entries, reopen_entries
from tournament.draw.dice import type_dice
from tournament.draw.make import cancel_draw, make_draw
from tournament.draw.standings import store_standings
from tournament.entries.public_value import give_word_by_link, repeat_dice_by_link
from tournament.events.stages import add_stage
from tournament.models import Closing, Event, GivenWord, LogEntry, OpenUrn
from tournament.past.draw_file import draw_file_bytes, draw_file_of
from tournament.proof.check import Report, check_file
from tournament.proof.drand import time_of
from tournament.proof.read import read_draw_file
from tournament.proof.write import write_draw_file

pytestmark = pytest.mark.django_db


@pytest.fixture
def other(director: User) -> User:
    other = build_director("other")
    other.is_superuser = True
    other.save()
    return other


def checked(event: Event) -> Report:
    return check_file(read_draw_file(write_draw_file(draw_file_of(event))))


def codes(event: Event) -> set[str]:
    return {finding.code for finding in checked(event).findings}


def wrong_codes(event: Event) -> set[str]:
    return {finding.code for finding in checked(event).wrong}


def settle(event: Event, source: str, director: User, other: User) -> None:
    """Close the entries, and make the public value known."""
    if source == "drand":
        close_entries(event, round=ROUND, by=director, at=LONG_AGO)
        typed = {"round": ROUND, "randomness": RANDOMNESS, "signature": SIGNATURE}
        enter_round(event, **typed, by=director, at=time_of(ROUND))
        return
    close_entries(event, by=director, at=AT)
    if source == "dice":
        type_dice(event, dice=DICE, by=director, at=AT)
        type_dice(event, dice=DICE, by=other, at=AT)
    else:
        for entry, word in zip(event.entries.order_by("number"), ("pear", "Ångström", "it's 3"), strict=False):
            give_word_by_link(entry, word=word, at=AT)


def closed(director: User, other: User, source: str, format: str = "single-elimination", players: int = 8) -> Event:
    event = build_event(director, players=players, format=format, drawn=False, seed="", public_source=source)
    settle(event, source, director, other)
    return event


@pytest.mark.parametrize("format", ["single-elimination", "swiss"])
@pytest.mark.parametrize("source", ["dice", "words", "drand"])
def test_every_source_holds_to_the_end_and_is_told(director, other, source, format):
    event = closed(director, other, source, format)
    make_draw(event, by=director, at=AT)
    play_out(event)
    report = checked(event)
    assert report.wrong == ()
    assert {finding.code for finding in report.findings} >= {
        "public_values_known",
        *({"dice": ["dice_by_two"], "drand": ["drand_signed"]}.get(source, [])),
    }
    (public,) = draw_file_of(event).public
    assert (public.number, public.source, public.digest) == (1, source, OpenUrn.objects.get(number=1).digest)
    store_standings(event.pk)
    assert audit_event(event) == []


@pytest.mark.parametrize("source", ["dice", "words", "drand"])
def test_void_closings_and_draws_taken_back_are_listed_and_hold(director, other, source):
    event = closed(director, other, source)
    reopen_entries(event, reason="Eve came late", by=director, at=AT)
    settle_again(event, source, director, other)
    make_draw(event, by=director, at=AT)
    cancel_draw(event, by=director, at=AT)
    settle_again(event, source, director, other)
    make_draw(event, by=director, at=AT)
    report = checked(event)
    assert report.wrong == ()
    void = [finding for finding in report.findings if finding.code == "public_value_unused"]
    assert [finding.params["reason"] for finding in void] == ["Eve came late", "–"]


def settle_again(event: Event, source: str, director: User, other: User) -> None:
    """Make another value known; of drand the tests know one round, which they close for again."""
    if source == "drand":
        Closing.objects.update(closed_at=LONG_AGO)
        event.log.filter(verb="close_entries").update(at=LONG_AGO)
    settle(event, source, director, other)


@pytest.mark.parametrize("carry", ["none", "all"])
def test_a_later_stage_has_the_value_of_the_first_or_its_own(director, other, carry):
    event = build_event(director, players=4, format="round-robin", drawn=False, seed="", public_source="dice")
    add_stage(
        event, format="single-elimination", options={"lengths": [5]}, qualifiers=2, carry=carry, by=director, at=AT
    )
    settle(event, "dice", director, other)
    make_draw(event, by=director, at=AT)
    play_out(event)
    make_draw(event, by=director, at=AT)
    assert wrong_codes(event) == set()
    assert "qualifiers_agree" in codes(event)
    cancel_draw(event, by=director, at=AT)
    settle(event, "dice", director, other)
    make_draw(event, by=director, at=AT)
    assert wrong_codes(event) == set()


# The owner of the database changes rows of closings


TAMPERED = [
    ("dice", {"value": "6" * 12}, {"public_value_unknown", "public_value_not_made"}),
    ("words", {"value": "ab" * 32}, {"public_value_unknown", "public_value_not_made"}),
    ("drand", {"value": "ab" * 32}, {"public_value_unknown", "public_value_not_made"}),
    ("drand", {"signature": "abcd"}, {"public_value_not_made"}),
    ("drand", {"drand_round": ROUND + 1000}, {"value_before_closing", "drand_not_signed"}),
    ("dice", {"digest": "ab" * 32}, {"closed_for_others"}),
    ("dice", {"stage": 2}, {"closed_for_others"}),
    ("dice", {"number": 2}, {"closing_gap"}),
    ("dice", {"closed_at": AT + timedelta(days=3650)}, {"value_before_closing"}),
    ("dice", {"voided_at": AT}, {"closed_for_others"}),
]


@pytest.mark.parametrize(("source", "fields", "found"), TAMPERED)
def test_a_changed_row_of_a_closing_is_found_by_the_check_and_by_the_audit(director, other, source, fields, found):
    event = closed(director, other, source)
    make_draw(event, by=director, at=AT)
    Closing.objects.update(**fields)
    assert wrong_codes(event) >= found - {"public_value_not_made"} or wrong_codes(event) >= found
    store_standings(event.pk)
    assert "public value" in {difference.what for difference in audit_event(event)}


def test_a_word_added_changed_or_removed_is_found(director, other):
    event = closed(director, other, "words")
    make_draw(event, by=director, at=AT)
    GivenWord.objects.filter(number=2).update(word="plum")
    assert wrong_codes(event) == {"public_value_not_made"}
    GivenWord.objects.all().delete()
    assert wrong_codes(event) == {"public_value_not_made"}


def test_a_closing_that_is_left_out_is_found(director, other):
    event = closed(director, other, "dice")
    reopen_entries(event, reason="again", by=director, at=AT)
    settle(event, "dice", director, other)
    make_draw(event, by=director, at=AT)
    Closing.objects.filter(number=1).delete()
    assert wrong_codes(event) == {"closing_gap"}


def test_dice_that_nobody_repeated_are_found(director, other):
    event = closed(director, other, "dice")
    make_draw(event, by=director, at=AT)
    LogEntry.objects.filter(verb="repeat_dice").delete()
    assert wrong_codes(event) == {"dice_by_one"}


def test_dice_typed_in_twice_by_one_person_are_found(director, other):
    event = closed(director, other, "dice")
    make_draw(event, by=director, at=AT)
    file = draw_file_of(event)
    (public,) = file.public
    alone = check_file(replace(file, public=(replace(public, second=public.first),)))
    assert {finding.code for finding in alone.wrong} == {"dice_by_one"}


def test_dice_repeated_by_a_private_link_say_so(director):
    event = build_event(director, players=4, drawn=False, seed="", public_source="dice")
    close_entries(event, by=director, at=AT)
    type_dice(event, dice=DICE, by=director, at=AT)
    repeat_dice_by_link(event.entries.get(number=2), dice=DICE, at=AT)
    make_draw(event, by=director, at=AT)
    (told,) = [finding for finding in checked(event).findings if finding.code == "dice_by_link"]
    assert (told.params["first"], told.params["second"]) == ("director", "Player 2")
    assert wrong_codes(event) == set()


# The edition of the rules


def test_a_draw_names_its_edition_and_another_edition_is_found(director):
    event = build_event(director, players=12, format="consolation", seed="")
    play_out(event)
    whole = json.loads(draw_file_bytes(event))
    assert [draw["edition"] for draw in whole["draws"]] == [2]
    other = deepcopy(whole)
    other["draws"][0]["edition"] = 1
    found = {finding.code for finding in check_file(read_draw_file(json.dumps(other).encode())).wrong}
    assert found >= {"document_differs"}


def test_a_draw_of_the_first_edition_is_planned_by_it(director):
    """A stage that was drawn before editions: its consolation is planned as it was then."""
    event = build_event(director, players=20, format="consolation", drawn=False)
    make_draw(event, by=director, at=AT)
    event.stages.update(edition=1)
    (draw,) = draw_file_of(event).draws
    assert draw.edition == 1


# What the log says of these acts


def found_by_audit(event: Event) -> list[str]:
    store_standings(event.pk)
    return [difference.what for difference in audit_event(event)]


def test_another_person_of_the_dice_is_found_by_the_audit(director, other):
    event = closed(director, other, "dice")
    make_draw(event, by=director, at=AT)
    assert found_by_audit(event) == []
    Closing.objects.update(dice_by=other)
    assert found_by_audit(event) == ["public value", "first person"]
    Closing.objects.update(dice_by=director)
    event.log.filter(verb="repeat_dice").update(actor=director)
    assert found_by_audit(event) == ["second person"]


@pytest.mark.parametrize("minutes", [-5, 5])
def test_another_time_of_a_link_is_found_by_the_audit(director, minutes):
    event = build_event(director, players=4, format="swiss", seed="")
    for match in open_matches(event):
        win(match, Side.A, by=director)
    assert found_by_audit(event) == []
    for scope in ("round 1", "round 2"):
        urns = OpenUrn.objects.filter(scope=scope)
        urns.update(opened_at=AT + timedelta(minutes=minutes))
        assert found_by_audit(event) == ["opened at"]
        urns.update(opened_at=AT)
