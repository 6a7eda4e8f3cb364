"""The terms of an event: every face takes all of them, and what is stored is what was checked."""

from dataclasses import fields, replace
from datetime import timedelta

import pytest

from players.errors import Refusal
from tests.builders import AT, build_event, build_terms, build_tournament
from tests.tournament.api.client import CheckedClient
from tests.tournament.reporting.lists import build_list
from tournament.api.events.serializers import EventTermsSerializer
from tournament.events.services import create_event, update_event
from tournament.events.terms import EventTerms, check_terms, terms_of
from tournament.models import Event, LogEntry
from tournament.pages.event.forms import EventForm

NAMES = sorted(field.name for field in fields(EventTerms))
OTHER = {
    "name": "Open",
    "format": "round-robin",
    "options": {"lengths": [7]},
    "profile": "dbf",
    "crawford": False,
    "doubles": True,
    "boards": 1,
    "tiebreaks": ["buchholz"],
    "starts_at": AT + timedelta(hours=1),
    "clock_minutes": 2,
    "clock_delay": 8,
    "public_source": "dice",
    "phones": False,
    "confirm_minutes": 15,
    "shows_chances": True,
    "rated_for": ["dbf"],
    "event_class": "C",
    "online": True,
}
"""Every term, and but for the boards of pairs another one than an event has by itself."""


def stored_terms(event: Event) -> EventTerms:
    event = Event.objects.get(pk=event.pk)
    return terms_of(event, event.stages.get(number=1))


def test_an_event_has_the_terms_that_it_was_given_and_the_log_keeps_them_all(director):
    build_list()
    event = build_event(director, players=0, drawn=False)
    assert sorted(OTHER) == NAMES
    terms = EventTerms(**OTHER)
    update_event(event, terms, by=None, at=AT)
    made = create_event(event.tournament, terms, by=None, at=AT)
    assert stored_terms(event) == stored_terms(made) == check_terms(terms)
    for verb in ("update_event", "create_event"):
        kept = LogEntry.objects.filter(verb=verb).latest("id").detail["terms"]
        assert kept == {**OTHER, "options": check_terms(terms).options, "starts_at": OTHER["starts_at"].isoformat()}


@pytest.mark.django_db
def test_the_form_shows_the_terms_and_sends_them_back():
    build_list()
    terms = check_terms(EventTerms(**OTHER))
    shown, blank = EventForm.values_of(terms), EventForm()
    form = EventForm({name: blank.fields[name].prepare_value(value) for name, value in shown.items() if value})
    assert form.is_valid(), form.errors
    assert check_terms(form.terms()) == terms


def test_the_api_takes_every_term_and_leaves_those_that_are_not_named(director):
    build_list()
    api = CheckedClient()
    api.force_authenticate(director)
    event = build_event(director, players=0, drawn=False)
    update_event(event, EventTerms(**OTHER), by=None, at=AT)
    before = stored_terms(event)
    assert sorted(EventTermsSerializer().fields) == NAMES
    assert api.patch(f"events/{event.pk}/", {"name": "Final"}).status_code == 200
    assert stored_terms(event) == replace(before, name="Final")


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"name": " "}, "name_empty"),
        ({"profile": "club"}, "profile_unknown"),
        ({"format": "cup"}, "format_unknown"),
        ({"options": {}}, "lengths_not_a_list"),
        ({"options": {"lengths": [5], "boards": 3}}, "option_unknown"),
        ({"tiebreaks": ["luck"]}, "tiebreak_unknown"),
        ({"tiebreaks": ["buchholz", "buchholz"]}, "tiebreak_twice"),
        ({"tiebreaks": [f"t{number}" for number in range(6)]}, "tiebreak_unknown"),
        ({"boards": 2}, "boards_not_odd"),
        ({"boards": 3, "doubles": True}, "teams_of_pairs"),
        ({"clock_delay": 8}, "clock_incomplete"),
        ({"confirm_minutes": 0}, "confirm_minutes_out_of_range"),
        ({"confirm_minutes": 10_081}, "confirm_minutes_out_of_range"),
        ({"clock_minutes": 31}, "clock_out_of_range"),
        ({"clock_minutes": 2, "clock_delay": 121}, "clock_out_of_range"),
        ({"starts_at": AT.replace(year=1999)}, "time_out_of_range"),
    ],
)
def test_terms_that_no_event_can_have_are_refused_for_a_new_event_and_for_one_that_is_there(director, changed, code):
    event = build_event(director, players=0, drawn=False)
    before = stored_terms(event)
    for step in (
        lambda: create_event(event.tournament, build_terms(**changed), by=None, at=AT),
        lambda: update_event(event, build_terms(**changed), by=None, at=AT),
    ):
        with pytest.raises(Refusal) as refused:
            step()
        assert refused.value.code == code
    assert (stored_terms(event), event.tournament.events.count()) == (before, 1)


def test_a_clock_without_a_delay_has_none(director):
    made = create_event(build_tournament(director), build_terms(clock_minutes=2), by=None, at=AT)
    assert (made.clock_minutes, made.clock_delay) == (2, 0)
