"""Options that exclude each other come back in the form, with the reason at the field that has to give."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.builders import AT, build_event
from tournament.events.stages import add_stage
from tournament.formats import FORMATS
from tournament.formats.occasions import OCCASIONS
from tournament.formats.options import Options
from tournament.pages.event.forms import EventForm

pytestmark = pytest.mark.django_db


def sent(**options):
    """What a browser sends for an event of this format; unticked boxes are not sent."""
    values = {**EventForm.event_defaults(), "name": "Main", "format": "consolation", "lengths": "7"}
    plain = {
        name: ", ".join(map(str, value)) if isinstance(value, list | tuple) else value for name, value in values.items()
    }
    chosen = {name: value for name, value in plain.items() if value not in (False, None)}
    return chosen | {f"consolation-{name}": value for name, value in options.items()}


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"consolation": "none", "last_chance": "full"}, "last_chance"),
        ({"reunite": "grand-final"}, "reunite"),
        ({"cut_off": "nobody", "reunite": "second-place"}, "reunite"),
        ({"third_place": "on"}, "third_place"),
        ({"consolation": "simple", "cut_off": "quarterfinalists"}, "cut_off"),
        ({"consolation": "simple", "cut_off": "semifinalists"}, "cut_off"),
        ({"consolation": "simple", "cut_off": "nobody"}, "cut_off"),
        ({"consolation": "none", "cut_off": "round"}, "cut_off"),
        ({"consolation": "simple", "placed": "on"}, "placed"),
        ({"consolation": "none", "placed": "on"}, "placed"),
        ({"consolation": "simple", "shifted": "on"}, "shifted"),
    ],
)
def test_the_reason_stands_at_the_field(options, field):
    form = EventForm(sent(**options))
    assert not form.is_valid()
    assert list(form.errors) == [f"consolation-{field}"]
    assert len(form.errors[f"consolation-{field}"]) == 1


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"consolation": "simple", "cut_off_round": "3"},
        {"consolation": "simple", "third_place": "on"},
        {"cut_off": "semifinalists", "third_place": "on"},
        {"cut_off": "nobody", "reunite": "grand-final"},
        {"cut_off_round": "5", "last_chance_lengths": "3"},
    ],
)
def test_options_that_are_only_unused_are_taken(options):
    form = EventForm(sent(**options))
    assert form.is_valid(), form.errors


def test_the_settings_come_back_with_the_reason_and_change_nothing(director):
    event = build_event(director, players=8, format="consolation", drawn=False)
    client = Client()
    client.force_login(director)
    address = reverse("settings", args=[event.tournament.slug, event.slug])
    answer = client.post(address, sent(third_place="on"))
    assert answer.status_code == 400
    assert "needs both losers of the semifinals" in answer.content.decode()
    assert event.stages.get().options["third_place"] is False


@pytest.mark.parametrize("slug", OCCASIONS)
def test_every_occasion_and_every_default_goes_together(slug):
    occasion = OCCASIONS[slug]
    format = FORMATS[occasion.format]
    format.check_options(Options.parse(occasion.options, format.fields))


@pytest.mark.parametrize("slug", FORMATS)
def test_the_defaults_of_every_format_go_together(slug):
    FORMATS[slug].check_options(Options.parse({"lengths": [7]}, FORMATS[slug].fields))


def test_groups_are_followed_by_two_of_each_and_the_crossing_is_shown(director):
    event = build_event(director, players=8, format="pools", drawn=False)
    client = Client()
    client.force_login(director)
    address = reverse("settings", args=[event.tournament.slug, event.slug])
    form = client.get(address).context["stage_form"]
    assert (form["qualifiers"].value(), form["seeding"].value()) == (2, "seeded")
    options = {"lengths": [7], "seeding": "seeded"}
    add_stage(event, format="single-elimination", options=options, qualifiers=2, by=director, at=AT)
    page = client.get(address).content.decode()
    assert "<td>A1</td><td>–</td><td>B2</td>" in page
    assert "<td>B1</td><td>–</td><td>A2</td>" in page
    assert "for the best 2 of each group" in page


@pytest.mark.parametrize(
    ("options", "field", "sentence"),
    [
        ({"stop": "ahead", "lives": "1"}, "lives", "“Lives” must be from 2 to 5."),
        ({"stop": "ahead", "lives": "6"}, "lives", "“Lives” must be from 2 to 5."),
        ({"stop": "left", "left": "1"}, "left", "“Number left” must be from 2 to 256."),
    ],
)
def test_a_number_out_of_range_is_refused_in_a_sentence_that_names_it(options, field, sentence):
    form = EventForm(sent() | {"format": "swiss-lives"} | {f"swiss-lives-{key}": said for key, said in options.items()})
    assert not form.is_valid()
    assert form.errors == {f"swiss-lives-{field}": [sentence]}
