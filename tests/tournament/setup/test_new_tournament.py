"""A tournament and its first event, created together by their occasion."""

from datetime import date

import pytest
from django.urls import reverse

from tests.builders import build_event, build_tournament
from tournament.entries.lists import MAX_TEXT
from tournament.formats.occasions import OCCASIONS
from tournament.models import Entry, Event, LogEntry, Tournament

pytestmark = pytest.mark.django_db

NEW = "/tournaments/new/"
DAY = "2026-11-21"
NAMES = "\n".join(f"Player {number}" for number in range(1, 17))


def test_nothing_needs_to_be_typed(as_director):
    """The page as it comes up, sent as it is."""
    page = as_director.get(NEW)
    sent = {name: field.value() for name, field in ((field.name, field) for field in page.context["form"])}
    sent = {name: value for name, value in sent.items() if value not in (None, False)}
    answer = as_director.post(NEW, sent)
    event = Event.objects.select_related("tournament").get()
    assert answer.url == reverse("entries", args=[event.tournament.slug, event.slug])
    today = event.tournament.starts_on
    assert event.tournament.name == f"Club night {today.day} {today:%b}"
    assert (event.name, event.stages.get().format, event.tournament.ends_on) == ("Main", "consolation", None)


@pytest.mark.parametrize("occasion", OCCASIONS.values(), ids=OCCASIONS.keys())
def test_an_occasion_fills_in_everything(as_director, occasion):
    as_director.post(NEW, {"occasion": occasion.slug, "starts_on": DAY})
    event = Event.objects.select_related("tournament").get()
    stage = event.stages.get()
    assert event.tournament.name == f"{occasion.tournament} 21 Nov"
    assert (event.tournament.last_day - event.tournament.starts_on).days == occasion.days - 1
    assert (event.name, stage.format) == (occasion.event, occasion.format)
    assert {name: stage.options[name] for name in occasion.options} == occasion.options


def test_what_is_typed_comes_before_the_occasion(as_director):
    sent = {
        "occasion": "swiss-rounds",
        "swiss-rounds-rounds": "6",
        "lengths": "9",
        "name": "Autumn",
        "place": "Oslo",
        "starts_on": DAY,
        "ends_on": "2026-11-23",
        "time_zone": "Europe/Oslo",
    }
    as_director.post(NEW, sent)
    tournament = Tournament.objects.get()
    assert (tournament.name, tournament.place, tournament.time_zone) == ("Autumn", "Oslo", "Europe/Oslo")
    assert tournament.last_day == date(2026, 11, 23)
    options = tournament.events.get().stages.get().options
    assert (options["rounds"], options["lengths"]) == (6, [9])


@pytest.mark.parametrize(
    "wrong",
    [
        *({"ends_on": "2026-11-01"}, {"time_zone": "Mars"}, {"lengths": "0"}, {"starts_on": ""}, {"name": "…"}),
        *({"occasion": "none"}, {"occasion": "swiss-rounds", "swiss-rounds-rounds": "99"}),
    ],
)
def test_what_cannot_be_is_refused_and_neither_is_created(as_director, wrong):
    assert as_director.post(NEW, {"occasion": "club-evening", "starts_on": DAY, **wrong}).status_code == 400
    assert (Tournament.objects.count(), Event.objects.count(), LogEntry.objects.count()) == (0, 0, 0)


def test_without_an_occasion_the_tournament_is_created_alone(as_director):
    assert as_director.post(NEW, {"name": "Open", "starts_on": DAY}).url == "/t/open/new/"
    assert Event.objects.count() == 0


def test_an_event_of_a_tournament_has_an_occasion_too(as_director, director):
    page = reverse("new-event", args=[build_tournament(director).slug])
    base = {"seeding": "seeded", "profile": "wbgf", "crawford": "on"}
    as_director.post(page, {**base, "occasion": "side-jackpot", "side-jackpot-size": "4"})
    jackpot = Event.objects.get()
    assert (jackpot.name, jackpot.stages.get().format, jackpot.stages.get().options["size"]) == (
        "Jackpot",
        "jackpot",
        "4",
    )
    assert jackpot.stages.get().options["seeding"] == "seeded"
    assert as_director.post(page, base).status_code == 400
    assert as_director.post(page, {**base, "format": "round-robin"}).status_code == 302
    other = Event.objects.latest("id")
    assert (other.name, other.stages.get().options["lengths"]) == ("Round robin", [7])


def test_the_pages_name_event_and_page(as_director, director):
    event = build_event(director, players=0, drawn=False)
    place = [event.tournament.slug, event.slug]
    titles = {
        reverse("settings", args=place): "Settings · Main · Friday Club",
        reverse("event-again", args=place): "Same again · Main · Friday Club",
        reverse("new-event", args=place[:1]): "New event · Friday Club · Sixprime",
        reverse("tournament-settings", args=place[:1]): "Settings · Friday Club · Sixprime",
        reverse("tournament-again", args=place[:1]): "Same as last time · Friday Club · Sixprime",
    }
    for path, title in titles.items():
        assert f"<title>{title}</title>" in as_director.get(path).content.decode()


def test_signing_in_on_an_empty_server_leads_to_a_new_tournament(client, director):
    typed = {"username": director.username, "password": "long-enough-for-tests"}
    assert client.post(reverse("login"), typed).url == NEW
    build_tournament(director)
    assert client.post(reverse("login"), typed).url == "/"


# Entered and drawn at once


def paste(client, event: Event, text: str):
    return client.post(
        reverse("entries", args=[event.tournament.slug, event.slug]), {"way": "list", "text": text, "draw": "1"}
    )


def test_a_list_is_entered_and_drawn_with_one_button(as_director, director):
    event = build_event(director, players=0, drawn=False)
    assert paste(as_director, event, NAMES).url == "/t/friday-club/main/bracket/"
    assert (event.entries.count(), event.stages.get().fixtures.count()) == (16, 15)
    verbs = list(event.log.order_by("id").values_list("verb", flat=True))
    assert verbs == ["create_event", "add_entries", "make_draw"]


@pytest.mark.parametrize(
    "text", ["Alone", "Ann\nAnn", "", "x" * (MAX_TEXT + 1), "\n".join(map("P {}".format, range(201)))]
)
def test_a_list_that_cannot_be_drawn_is_not_entered(as_director, director, text):
    event = build_event(director, players=0, drawn=False)
    answer = paste(as_director, event, text)
    assert (answer.status_code, Entry.objects.count()) == (400, 0)
    assert text[:20] in answer.content.decode()


def test_a_list_is_drawn_once(as_director, director):
    event = build_event(director, players=4, format="swiss")
    assert paste(as_director, event, "Late").status_code == 400
    assert event.entries.count() == 4
