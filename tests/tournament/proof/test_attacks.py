"""Attempts to choose a draw, as its director and as the owner of the database: they fail, or they are seen."""

import json
from dataclasses import replace
from hashlib import sha256

import pytest
from django.test import override_settings

from rules.score import Side
from tests.builders import AT, build_event, fixture_of, open_matches, play_out, win
from tests.tournament.api.client import database
from tournament.draw.lots import begin_chain
from tournament.draw.make import cancel_draw, make_draw
from tournament.formats.lots import next_link
from tournament.models import DrawChain, Entry, Event, Fixture, LogEntry, OpenUrn, Stage
from tournament.past.draw_file import draw_file_of
from tournament.proof.check import check_file

pytestmark = pytest.mark.django_db


def wrong_codes(event: Event) -> set[str]:
    return {finding.code for finding in check_file(draw_file_of(event)).wrong}


def codes(event: Event) -> set[str]:
    return {finding.code for finding in check_file(draw_file_of(event)).findings}


@pytest.fixture
def swiss(director) -> Event:
    event = build_event(director, players=8, format="swiss", seed="")
    play_out(event)
    return event


# The owner of the database looks ahead


def test_the_database_does_not_hold_the_link_of_a_draw_before_it(director):
    event = build_event(director, players=8, drawn=False, seed="")
    before = str(database())
    make_draw(event, by=director, at=AT)
    link = OpenUrn.objects.get().link
    assert link not in before
    assert next_link(link) in before


def test_the_database_does_not_hold_the_link_of_a_round_before_it(director):
    event = build_event(director, players=4, format="swiss", seed="")
    first, last = open_matches(event)
    win(first, Side.A)
    before = str(database())
    win(last, Side.A)
    link = OpenUrn.objects.get(scope="round 2").link
    assert link not in before
    assert next_link(link) in before


# The director draws until the draw pleases


def test_every_draw_that_was_taken_back_stays_and_cannot_be_left_out(director):
    event = build_event(director, players=8, seed="")
    for _again in range(3):
        cancel_draw(event, by=director, at=AT)
        make_draw(event, by=director, at=AT)
    file = draw_file_of(event)
    assert [draw.cancelled_at is not None for draw in file.draws] == [True, True, True, False]
    assert [urn.number for urn in file.urns] == [1, 2, 3, 4]
    assert check_file(file).wrong == ()
    hidden = replace(file, urns=file.urns[3:], draws=file.draws[3:])
    assert {finding.code for finding in check_file(hidden).wrong} == {"link_gap"}


def test_a_link_used_for_a_draw_that_is_hidden_leaves_a_gap(director):
    """The owner deletes the rows of a cancelled draw, and its row in the log."""
    event = build_event(director, players=8, seed="")
    cancel_draw(event, by=director, at=AT)
    make_draw(event, by=director, at=AT)
    OpenUrn.objects.filter(number=1).delete()
    LogEntry.objects.filter(verb="cancel_draw").delete()
    assert wrong_codes(event) == {"link_gap"}


# The owner changes rows after the draw


def test_another_link_is_seen(swiss):
    urn = OpenUrn.objects.get(scope="round 1")
    OpenUrn.objects.filter(pk=urn.pk).update(link="ab" * 32)
    assert {"link_broken", "pairings_differ"} <= wrong_codes(swiss)


def test_a_link_that_the_file_leaves_out_is_named(swiss, director):
    ladder = build_event(director, players=7, format="ladder", seed="", tournament=swiss.tournament, name="Ladder")
    for event in (swiss, ladder):
        file = draw_file_of(event)
        assert check_file(file).wrong == ()
        hidden = check_file(replace(file, urns=file.urns[:-1]))
        assert "link_left_out" in {finding.code for finding in hidden.wrong}


def test_another_public_value_is_seen(swiss):
    OpenUrn.objects.filter(scope="round 2").update(public_value="6 6 6")
    assert "public_value_unknown" in wrong_codes(swiss)


def test_another_document_is_seen_even_if_its_digest_fits(swiss):
    """An entry is seeded in document and digest afterwards: then every lot is another."""
    urn = OpenUrn.objects.get(scope="round 1")
    document = urn.document.replace('"seed":null', '"seed":1', 1)
    assert document != urn.document
    OpenUrn.objects.filter(pk=urn.pk).update(document=document)
    assert "digest_wrong" in wrong_codes(swiss)
    OpenUrn.objects.filter(pk=urn.pk).update(digest=_digest(document))
    assert {"entry_differs", "pairings_differ"} & wrong_codes(swiss)


def _digest(document: str) -> str:
    return sha256(document.encode()).hexdigest()


def test_another_entry_list_is_seen(swiss):
    Entry.objects.filter(event=swiss, number=3).update(family="Nielsen")
    assert "entry_differs" in wrong_codes(swiss)


def test_other_options_are_seen(swiss):
    stage = swiss.stages.get()
    Stage.objects.filter(pk=stage.pk).update(options={**stage.options, "within": "fold"})
    assert "document_differs" in wrong_codes(swiss)


def test_swapped_seats_are_seen(director):
    event = build_event(director, players=8, seed="")
    one, other = fixture_of(event, "M1-1"), fixture_of(event, "M1-2")
    Fixture.objects.filter(pk=one.pk).update(entry_a=other.entry_a)
    Fixture.objects.filter(pk=other.pk).update(entry_a=one.entry_a)
    assert wrong_codes(event) == {"pairings_differ"}


def test_a_pairing_that_no_lot_gave_is_seen(swiss):
    one, other = fixture_of(swiss, "S2-1"), fixture_of(swiss, "S2-2")
    Fixture.objects.filter(pk=one.pk).update(entry_b=other.entry_b)
    Fixture.objects.filter(pk=other.pk).update(entry_b=one.entry_b)
    assert "pairings_differ" in wrong_codes(swiss)


# The owner replaces the whole chain


def test_a_new_chain_has_another_anchor_and_is_named(director):
    event = build_event(director, players=8, drawn=False, seed="")
    event.draw_chains.all().delete()
    begin_chain(event, at=AT)
    make_draw(event, by=director, at=AT)
    with override_settings(SECRET_KEY="another server, which has lost the secret", SECRET_KEY_FALLBACKS=[]):
        cancel_draw(event, by=director, at=AT)
        make_draw(event, by=director, at=AT)
    chains = DrawChain.objects.filter(event=event).order_by("number")
    assert len({chain.anchor for chain in chains}) == 2
    assert wrong_codes(event) == set()
    assert "chain_again" in codes(event)


def test_a_chain_put_in_the_place_of_the_first_does_not_fit_its_links(swiss):
    """Only an anchor that nobody noted can be replaced, and then with all links and pairings: see docs/draw-file.md."""
    other = begin_chain(swiss, at=AT, number=2)
    anchor = other.anchor
    other.delete()
    DrawChain.objects.filter(event=swiss).update(anchor=anchor)
    assert "link_broken" in wrong_codes(swiss)


# An event says so where nothing but the server made the lots


def test_an_event_without_a_public_value_says_so(swiss):
    assert "no_public_value" in codes(swiss)
    assert json.dumps([finding.message for finding in check_file(draw_file_of(swiss)).findings])
