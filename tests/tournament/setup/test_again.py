"""The same as last time: tournaments and events made again, and from templates."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from players.errors import Conflict, Refusal
from tests.builders import AT, build_director, build_event, build_money_terms, build_terms, build_tournament
from tests.tournament.api.client import CheckedClient
from tournament.entries.attendance import set_door
from tournament.events.deletion import delete_event
from tournament.events.services import create_event, update_tournament
from tournament.events.stages import add_stage
from tournament.formats.occasions import OCCASIONS
from tournament.hall.site import set_site_address
from tournament.hall.tables import add_break, add_tables, update_table
from tournament.log.words import tell
from tournament.models import (
    Break,
    Event,
    EventMoney,
    EventTemplate,
    LogEntry,
    SidePool,
    Stage,
    Table,
    Tournament,
)
from tournament.money.services import set_money
from tournament.money.side_pools import open_side_pool
from tournament.prizes import PrizeTable
from tournament.setup.duplicate import duplicate_event, duplicate_tournament, next_day
from tournament.setup.settings import make_event, settings_of
from tournament.setup.templates import MAX_TEMPLATES, remove_template, save_template

pytestmark = pytest.mark.django_db

STARTS_AT = datetime(2026, 3, 6, 18, 0, tzinfo=UTC)


def build_full_event(director, tournament: Tournament) -> Event:
    """An event for which everything is set that can be, and which has been played."""
    event = build_event(
        director,
        tournament=tournament,
        format="swiss",
        options={"rounds": 3},
        players=4,
        drawn=False,
        starts_at=STARTS_AT,
        clock_minutes=2,
        clock_delay=8,
        phones=False,
        confirm_minutes=15,
        shows_chances=True,
        tiebreaks=["buchholz"],
    )
    add_stage(event, format="single-elimination", options={"lengths": [7]}, qualifiers=2, by=director, at=AT)
    set_door(event, max_entries=32, check_in=True, late_minutes=None, by=director, at=AT)
    set_money(event, build_money_terms(), by=director, at=AT)
    open_side_pool(event, name="Side", fee=500, table=PrizeTable("template", "winner"), by=director, at=AT)
    event.refresh_from_db()
    return event


def without_dates(settings: dict) -> dict:
    return {**settings, "terms": {**settings["terms"], "starts_at": None}}


# A tournament


def test_a_tournament_is_held_again_with_every_setting_and_without_entries(director):
    old = build_tournament(director, "Club night 6 Mar")
    update_tournament(
        old, name=old.name, starts_on=old.starts_on, ends_on=date(2026, 3, 7), place="Oslo", time_zone="Europe/Oslo",
        by=director, at=AT,
    )  # fmt: skip
    event = build_full_event(director, old)
    delete_event(
        build_event(director, tournament=old, players=0, drawn=False, name="Gone"), typed="Gone", by=director, at=AT
    )
    add_tables(old, first=1, last=2, by=director, at=AT)
    add_tables(old, first=5, last=5, by=director, at=AT)
    update_table(old, number=5, event=event, streamed=True, out_of_order=False, by=director, at=AT)
    add_break(old, name="Dinner", starts_at=STARTS_AT, ends_at=STARTS_AT + timedelta(hours=1), by=director, at=AT)

    new = duplicate_tournament(old, starts_on=date(2026, 4, 3), by=director, at=AT)
    made = new.events.get()
    assert (new.name, new.place, new.time_zone) == ("Club night 3 Apr", "Oslo", "Europe/Oslo")
    assert (new.starts_on, new.last_day) == (date(2026, 4, 3), date(2026, 4, 4))
    assert without_dates(settings_of(made)) == without_dates(settings_of(event))
    assert made.starts_at == datetime(2026, 4, 3, 17, 0, tzinfo=UTC), "19:00 in Oslo, in summer time by then"
    assert made.entries.count() == 0
    assert list(new.tables.values_list("number", "event", "streamed")) == [
        (1, None, False),
        (2, None, False),
        (5, made.pk, True),
    ]
    assert [found.starts_at for found in new.breaks.all()] == [datetime(2026, 4, 3, 17, 0, tzinfo=UTC)]
    assert [role.user for role in new.appointments.all()] == [director]
    said = [tell(row) for row in new.log.filter(verb__startswith="create_").order_by("id")]
    assert said == [
        "Tournament created: Club night 3 Apr, with the settings of Club night 6 Mar",
        "Event created: Main, with the settings of Main",
    ]


def test_the_rounds_of_a_league_move_with_the_first_day(director):
    old = build_tournament(director)
    build_event(director, tournament=old, players=0, drawn=False, format="league", options={"starts_on": "2026-03-09"})
    new = duplicate_tournament(old, starts_on=date(2026, 4, 3), by=director, at=AT)
    assert new.events.get().stages.get().options["starts_on"] == "2026-04-06"


@pytest.mark.parametrize("day", [date(9999, 12, 31), date(2201, 1, 1)])
def test_a_day_on_which_no_tournament_is_held_is_refused_and_changes_nothing(director, day):
    old = build_tournament(director)
    build_full_event(director, old)
    rows = LogEntry.objects.count()
    with pytest.raises(Refusal) as refused:
        duplicate_tournament(old, starts_on=day, by=director, at=AT)
    assert refused.value.code == "time_out_of_range"
    assert (Tournament.objects.count(), LogEntry.objects.count()) == (1, rows)


@pytest.mark.parametrize(
    ("today", "expected"),
    [
        (date(2026, 3, 6), date(2026, 3, 13)),
        (date(2026, 3, 1), date(2026, 3, 13)),
        (date(2026, 3, 13), date(2026, 3, 13)),
        (date(2026, 3, 14), date(2026, 3, 20)),
        (date(2026, 11, 22), date(2026, 11, 27)),
    ],
)
def test_the_next_day_is_the_same_weekday(today, expected):
    assert next_day(Tournament(starts_on=date(2026, 3, 6)), today) == expected


KEPT: dict[type[Model], set[str]] = {
    Tournament: {"place", "site_address", "time_zone"},
    Event: {
        *("name", "profile", "crawford", "tiebreaks", "doubles", "clock_minutes", "clock_delay", "boards"),
        *("max_entries", "check_in", "late_minutes", "public_source", "phones", "confirm_minutes", "shows_chances"),
        *("rated_for", "event_class", "online"),
    },
    Stage: {"number", "format", "qualifiers", "carry", "options"},
    EventMoney: {
        *("currency", "fee", "reentry_fee", "registration_fee", "rake", "rake_value", "added", "payouts"),
        *("auction", "auction_rake", "auction_rake_value"),
    },
    SidePool: {"name", "fee", "table"},
    Table: {"number", "streamed"},
    Break: {"name"},
}
"""The columns that are the same in a tournament that is held again."""

MOVED: dict[type[Model], set[str]] = {
    Tournament: {"name", "starts_on", "ends_on"},
    Event: {"tournament", "starts_at"},
    Stage: {"event"},
    EventMoney: {"event"},
    SidePool: {"event"},
    Table: {"tournament", "event"},
    Break: {"tournament", "starts_at", "ends_at"},
}
"""Those that become those of the new tournament, and of its days."""

NEW: dict[type[Model], set[str]] = {
    Tournament: {"id", "slug", "season_before", "hall_version", "created_at", "deleted_at"},
    Event: {"id", "slug", "version", "whole_version", "finished_at", "created_at", "deleted_at", "declared_at"}
    | {"self_entry", "self_entry_until"},
    Stage: {"id", "seed", "drawn_at", "draw_hash", "notes", "edition", "standings_version", "standings_matches"},
    EventMoney: {"id"},
    SidePool: {"id"},
    Table: {"id", "out_of_order"},
    Break: {"id"},
}
"""Those that are made anew, and those that say what happened in the old tournament."""


def rows_of(tournament: Tournament) -> dict[type[Model], list[Model]]:
    events = {"event__tournament": tournament}
    return {
        Tournament: [tournament],
        Event: list(tournament.events.order_by("id")),
        **{model: list(model.objects.filter(**events).order_by("id")) for model in (Stage, EventMoney, SidePool)},
        **{model: list(model.objects.filter(tournament=tournament).order_by("id")) for model in (Table, Break)},
    }


def test_every_column_of_a_tournament_held_again_is_kept_moved_or_made_anew(director):
    """A column that is added to one of these models has to be given one of the three fates."""
    old = build_tournament(director)
    update_tournament(
        old, name=old.name, starts_on=old.starts_on, place="Oslo", time_zone="Europe/Oslo", by=director, at=AT
    )
    set_site_address(old, address="https://play.example.org", by=director, at=AT)
    event = build_full_event(director, old)
    add_tables(old, first=1, last=2, by=director, at=AT)
    update_table(old, number=1, event=None, streamed=False, out_of_order=True, by=director, at=AT)
    update_table(old, number=2, event=event, streamed=True, out_of_order=False, by=director, at=AT)
    add_break(old, name="Dinner", starts_at=STARTS_AT, ends_at=STARTS_AT + timedelta(hours=1), by=director, at=AT)
    old.refresh_from_db()
    new = duplicate_tournament(old, starts_on=date(2026, 4, 3), by=director, at=AT)
    before, after = rows_of(old), rows_of(Tournament.objects.get(pk=new.pk))
    for model, kept in KEPT.items():
        columns = [field.name for field in model._meta.concrete_fields]
        assert sorted([*kept, *MOVED[model], *NEW[model]]) == sorted(columns), model
        assert len(before[model]) > 0
        values = [[{name: getattr(row, name) for name in kept} for row in rows[model]] for rows in (before, after)]
        assert values[0] == values[1], model


# An event


def test_another_event_like_this_one(director):
    event = build_full_event(director, build_tournament(director))
    made = duplicate_event(event, by=director, at=AT)
    again = duplicate_event(event, name=" Late ", starts_at=STARTS_AT, by=director, at=AT)
    assert (made.name, made.slug, made.starts_at) == ("Main 2", "main-2", None)
    assert (again.name, again.starts_at) == ("Late", STARTS_AT)
    kept = settings_of(event)
    assert settings_of(made) == {**kept, "terms": {**kept["terms"], "name": "Main 2", "starts_at": None}}
    assert made.draw_chains.get().anchor != event.draw_chains.get().anchor


# Templates


def test_a_template_keeps_the_settings_for_another_tournament_and_leaves_dates_out(director):
    event = build_full_event(director, build_tournament(director))
    template = save_template(event, name=" Our  Swiss ", by=director, at=AT)
    kept = settings_of(event)
    set_door(event, max_entries=8, check_in=False, late_minutes=5, by=director, at=AT)
    other = build_tournament(director, "Next")
    made = make_event(other, template.settings, name="Main", copy_of=template.name, by=director, at=AT)
    assert template.name == "Our Swiss"
    assert settings_of(made) == without_dates(kept)
    remove_template(template, by=director, at=AT)
    remove_template(template, by=director, at=AT)
    rows = LogEntry.objects.filter(verb__endswith="_template").order_by("id")
    assert [tell(row) for row in rows] == [
        "Settings saved as the template “Our Swiss”",
        "Template “Our Swiss” removed",
    ]


def test_a_name_is_taken_once_for_each_director_and_there_are_not_too_many(director):
    event = build_event(director, players=0, drawn=False)
    save_template(event, name="Ours", by=director, at=AT)
    save_template(event, name="Ours", by=build_director("another", event.tournament), at=AT)
    codes = []
    for name in ["Ours", *map(str, range(1, MAX_TEMPLATES)), "One more"]:
        try:
            save_template(event, name=name, by=director, at=AT)
        except Conflict as refused:
            codes.append(refused.code)
    assert codes == ["template_taken", "templates_too_many"]
    assert director.event_templates.count() == MAX_TEMPLATES


def test_settings_that_the_program_no_longer_knows_are_refused(director):
    tournament = build_tournament(director)
    settings = settings_of(create_event(tournament, build_terms(), by=director, at=AT))
    settings["terms"] |= {"format": "gone", "a_term_of_old": 1}
    with pytest.raises(Refusal) as refused:
        make_event(tournament, settings, name="X", copy_of="Old", by=director, at=AT)
    assert refused.value.code == "format_unknown"
    assert tournament.events.count() == 1


# Pages and API


def test_everything_is_done_on_pages(as_director, director):
    event = build_full_event(director, build_tournament(director))
    place = [event.tournament.slug, event.slug]
    again = reverse("tournament-again", args=place[:1])
    assert 'placeholder="Friday Club"' in as_director.get(again).content.decode()
    assert as_director.post(again, {"name": "", "starts_on": "2026-04-03"}).url == "/t/friday-club-2/"
    assert as_director.post(again, {"starts_on": "2201-01-01"}).status_code == 400

    again = reverse("event-again", args=place)
    assert 'placeholder="Main 2"' in as_director.get(again).content.decode()
    assert as_director.post(again, {"name": ""}).url == "/t/friday-club/main-2/entries/"

    assert as_director.post(reverse("save-template", args=place), {"name": "Ours"}).status_code == 302
    assert as_director.post(reverse("save-template", args=place), {"name": "Ours"}).status_code == 409
    assert as_director.post(reverse("save-template", args=place), {"name": ""}).status_code == 400
    template = EventTemplate.objects.get()
    assert "Ours" in as_director.get(reverse("templates")).content.decode()
    assert "Ours" in as_director.get(reverse("new-event", args=place[:1])).content.decode()
    assert (
        as_director.post(reverse("use-template", args=[place[0], template.pk])).url == "/t/friday-club/main-3/entries/"
    )
    assert as_director.post(reverse("use-template", args=[place[0], template.pk + 1])).status_code == 400
    new = {"occasion": f"template-{template.pk}", "starts_on": "2026-11-22", "lengths": "3"}
    made = as_director.post(reverse("new-tournament"), new)
    assert made.url == "/t/tournament-22-nov/main/entries/"
    assert Event.objects.latest("id").stages.get(number=1).options["lengths"] == [3]

    stranger = Client()
    stranger.force_login(build_director("stranger"))
    assert "Ours" not in stranger.get(reverse("templates")).content.decode()
    assert stranger.post(reverse("remove-template", args=[template.pk])).status_code == 404
    assert stranger.post(reverse("new-tournament"), new).status_code == 400
    assert as_director.post(reverse("remove-template", args=[template.pk])).status_code == 302
    assert not EventTemplate.objects.exists()


def test_everything_is_done_by_the_api(director):
    event = build_full_event(director, build_tournament(director))
    api = CheckedClient()
    api.force_authenticate(director)
    new = api.post(f"/api/v1/tournaments/{event.tournament_id}/again/", {"starts_on": "2026-04-03"})
    assert (new.status_code, new.data["name"], new.data["starts_on"]) == (201, "Friday Club", "2026-04-03")
    made = api.post(f"/api/v1/events/{event.pk}/again/", {"name": "Late"})
    assert (made.status_code, made.data["name"], made.data["entries"]) == (201, "Late", [])
    saved = api.post(f"/api/v1/events/{event.pk}/template/", {"name": "Ours"})
    assert (saved.status_code, saved.data["format"]) == (201, "swiss")
    assert api.post(f"/api/v1/events/{event.pk}/template/", {"name": "Ours"}).json()["code"] == "template_taken"
    assert [one["name"] for one in api.get("/api/v1/templates/").data] == ["Ours"]
    path = f"/api/v1/tournaments/{new.data['id']}/events/from-template/"
    assert api.post(path, {"template": saved.data["id"]}).data["name"] == "Main"
    assert api.post(path, {"template": 999}).json()["code"] == "template_unknown"
    assert api.delete(f"/api/v1/templates/{saved.data['id']}/").status_code == 204
    assert api.get("/api/v1/templates/").data == []
    assert CheckedClient().get("/api/v1/templates/").status_code == 401


def test_an_occasion_of_the_api_makes_an_event(director):
    api = CheckedClient()
    api.force_authenticate(director)
    tournament = build_tournament(director)
    for occasion in api.get("/api/v1/occasions/").data:
        terms = {"name": occasion["name"], "format": occasion["format"], "options": occasion["options"]}
        made = api.post(f"/api/v1/tournaments/{tournament.pk}/events/", terms)
        assert (made.status_code, made.data["stage"]["options"]) == (201, occasion["options"])
    assert tournament.events.count() == len(OCCASIONS)
