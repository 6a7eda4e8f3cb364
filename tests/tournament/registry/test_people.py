"""People and clubs who change after they have played: draws stay sound, and a name that is not public is gone."""

from dataclasses import replace

import pytest
from django.apps import apps
from django.test import Client
from django.urls import reverse

from matches.lists.files import list_file
from matches.services import matches_of
from players.errors import Conflict, Forbidden
from players.lists.check import check_list
from players.lists.read import read_list_file
from players.lists.signing import verify
from players.lists.systems import build
from players.models import Alias, ExternalId, FormerValue, Membership, Player, RegistryImport, RegistryRole
from players.registry.bodies import ClubData, FederationData, create_club, create_federation
from players.registry.member_import import preview_members
from players.registry.people import Person, person_of
from players.registry.records import add_number
from players.registry.roles import rights_of
from players.services import create_player
from rules.score import Side
from tests.builders import AT, build_event, open_matches, win
from tests.matches.lists.playing import build_list, build_people, play, publish_by
from tests.players.registry.people import Registry, build_registry
from tournament.audit import audit_event
from tournament.career.delete_person import delete_person
from tournament.career.personal_data import export_person
from tournament.draw.make import make_draw
from tournament.draw.standings import store_standings
from tournament.entries.identity import merge_players
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries
from tournament.events.services import finish_event
from tournament.models import Event, LogEntry
from tournament.past.draw_file import draw_file_bytes
from tournament.proof.check import check_file
from tournament.proof.read import read_draw_file
from tournament.registry.imports import import_members, undo_import
from tournament.registry.people import edit_club, edit_person, show_as
from tournament.roles.permissions import require_merger

pytestmark = pytest.mark.django_db
NAME = "Asta Holm"
STAYS = {"tournament.openurn", "tournament.entry"}
"""Where the name stays: in what a draw was made of."""
OWN = {"players.player", "players.alias", "players.formervalue"}
"""The rows of the registry, which only those who keep it read."""


@pytest.fixture
def registry() -> Registry:
    return build_registry()


@pytest.fixture
def event(director, registry) -> Event:
    """A finished event with lots, in which Asta has lost."""
    event = build_event(director, players=3, drawn=False, seed="")
    add_entries(event, lines=[EntryLine(name=NAME, line=4)], by=director, at=AT)
    make_draw(event, by=director, at=AT)
    while found := open_matches(event):
        win(found[0], Side.B if found[0].side_a == registry.holm else Side.A)
    finish_event(event, by=director, at=AT)
    return Event.objects.get(pk=event.pk)


def tables_that_say(text: str) -> set[str]:
    models = [model for app in ("players", "matches", "tournament") for model in apps.get_app_config(app).get_models()]
    return {
        model._meta.label_lower
        for model in models
        for row in model._base_manager.values()
        if any(text in str(value) for value in row.values())
    }


def is_sound(event: Event) -> bool:
    store_standings(event.pk)
    event.refresh_from_db()
    findings = check_file(read_draw_file(draw_file_bytes(event))).findings
    return audit_event(event) == [] and not [one for one in findings if one.verdict.value == "wrong"]


def changes(registry: Registry):
    return {
        "name": lambda: edit_person(
            registry.holm, replace(person_of(registry.holm), family="Lund", country="NO"), by=registry.officer, at=AT
        ),
        "club": lambda: edit_club(registry.club, ClubData("Vejle", federation="DBGF"), by=registry.officer),
        "hidden": lambda: show_as(registry.holm, "hidden", by=registry.officer, at=AT),
        "import": lambda: store(registry, "no,family,given\n408,Lund,Asta\n"),
    }


def store(registry: Registry, text: str) -> RegistryImport:
    told = {"chosen": {}, "by": registry.officer, "at": AT}
    digest = preview_members(registry.federation, text.encode(), **told).digest
    return import_members(registry.federation, text.encode(), name="a.csv", digest=digest, **told)


@pytest.mark.parametrize("what", ["name", "club", "hidden", "import"])
def test_the_draw_is_as_sound_after_a_change_and_the_event_shows_it(registry, event, what):
    add_number(registry.holm, issuer="dbgf", value="408", by=None, at=AT)
    version = event.version
    changes(registry)[what]()
    assert is_sound(event)
    assert event.version > version
    shown = {"name": "Asta Lund", "club": "Vejle", "hidden": f"Player #{registry.holm.pk}", "import": "Asta Lund"}
    page = Client().get(reverse("standings", args=[event.tournament.slug, event.slug])).content.decode()
    assert shown[what] in page


def test_an_import_that_changed_a_name_is_undone_in_events_too(registry, event):
    add_number(registry.holm, issuer="dbgf", value="408", by=None, at=AT)
    undo_import(changes(registry)["import"](), by=registry.officer, at=AT)
    registry.holm.refresh_from_db()
    assert (registry.holm.name, is_sound(event)) == (NAME, True)


def test_a_name_that_is_hidden_is_said_nowhere_but_in_the_registry_and_in_draws(registry, event):
    assert "tournament.logentry" in tables_that_say(NAME)
    show_as(registry.holm, "hidden", by=registry.officer, at=AT)
    assert tables_that_say(NAME) <= STAYS | OWN
    paths = [
        reverse("player", args=[registry.holm.pk]),
        reverse("history", args=[event.tournament.slug, event.slug]),
        reverse("event", args=[event.tournament.slug, event.slug]),
        reverse("download", args=[event.tournament.slug, event.slug, "results", "csv"]),
        reverse("api:history", args=[event.pk]),
        reverse("api:entries", args=[event.pk]),
    ]
    answers = {path: Client().get(path) for path in paths}
    texts = {path: b"".join(one) if one.streaming else one.content for path, one in answers.items()}
    assert {path for path, text in texts.items() if b"Holm" in text} == set()
    assert {answer.status_code for answer in answers.values()} == {200}


def test_who_was_hidden_and_is_public_again_is_named_again_where_they_had_a_number(registry, event):
    show_as(registry.holm, "hidden", by=registry.officer, at=AT)
    show_as(registry.holm, "public", by=registry.officer, at=AT)
    assert tables_that_say(f"Player #{registry.holm.pk}") <= OWN
    assert "tournament.logentry" in tables_that_say(NAME)


def test_whoever_is_called_as_somebody_hidden_was_shown_keeps_the_name(registry, event, director):
    number = f"Player #{registry.holm.pk}"
    add_entries(
        build_event(director, players=2, drawn=False, tournament=event.tournament, name="Second"),
        lines=[EntryLine(name=number)],
        by=director,
        at=AT,
    )
    before = rows_of_the_log_that_say(number)
    assert before
    show_as(registry.holm, "hidden", by=registry.officer, at=AT)
    show_as(registry.holm, "public", by=registry.officer, at=AT)
    assert before <= rows_of_the_log_that_say(number)


def rows_of_the_log_that_say(name: str) -> set[int]:
    return {row.pk for row in LogEntry.objects.all() if name in str(row.detail)}


def test_a_published_list_stays_sound_and_names_nobody_whose_name_is_not_public(registry):
    add_number(registry.holm, issuer="dbgf", value="408", by=None, at=AT)
    play(registry.holm, build_people("Bo Lund")[0], day=1)
    publication = publish_by(build_list(federation=registry.federation), 2)

    def published() -> tuple[str, str]:
        """Number and name in her line, after the file has been checked."""
        data = b"".join(list_file(publication))
        assert check_list(read_list_file(data), verify=verify, build=build).findings == ()
        line = publication.lines.get(player=registry.holm)
        assert (line.name.encode() in data) == bool(line.salt)
        return line.number, line.name

    assert published() == ("408", NAME)
    show_as(registry.holm, "hidden", by=registry.officer, at=AT)
    assert published() == ("", f"Player #{registry.holm.pk}")
    show_as(registry.holm, "public", by=registry.officer, at=AT)
    assert published() == ("", NAME)
    delete_person(registry.holm, typed=NAME, by=None, at=AT)
    assert published() == ("", f"Deleted player {registry.holm.pk}")


def test_the_whole_name_typed_at_a_desk_leads_to_the_person_who_is_hidden(registry, director):
    show_as(registry.holm, "initials", by=registry.officer, at=AT)
    event = build_event(director, players=2, drawn=False)
    add_entries(event, lines=[EntryLine(name="asta holm")], by=director, at=AT)
    assert event.entries.latest("pk").player == registry.holm
    assert Player.objects.filter(folded_name="asta holm").count() == 0


def test_what_is_recorded_is_exported_and_goes_with_the_person(registry, event):
    store(registry, "no,family,given,club\n408,Holm,Asta,Odense\n9,Berg,Carl,\n")
    edit_person(registry.holm, replace(person_of(registry.holm), family="Lund"), by=registry.officer, at=AT)
    rows = export_person(Player.objects.get(pk=registry.holm.pk))["rows"]
    kept = {"externalid", "membership", "formervalue", "alias", "registryrole"}
    assert {f"players.{name}" for name in kept} <= set(rows)
    delete_person(registry.holm, typed="Asta Lund", by=None, at=AT)
    assert tables_that_say(NAME) | tables_that_say("Asta Lund") <= {"tournament.openurn"} | STAYS
    gone = (ExternalId, FormerValue, Alias, RegistryRole)
    assert [model for model in gone if model.objects.filter(player=registry.holm).exists()] == []
    imported = RegistryImport.objects.get()
    assert (imported.data, imported.report["rows"][0]) == (None, {"line": 2, "outcome": "forgotten"})
    assert matches_of(registry.holm).exists()


def test_an_officer_merges_people_into_members_but_not_strangers(registry, director):
    build_event(director, players=2)
    duplicate, other = Player.objects.exclude(pk=registry.holm.pk)[:2]
    merge_players(registry.holm, duplicate, by=registry.officer, at=AT)
    with pytest.raises(Exception, match="directs every tournament"):
        require_merger(registry.officer, [other])
    assert duplicate.pk != other.pk


TOLD = {
    "membership": {"kind": "ordinary", "starts": AT.date()},
    "number": {},
    "own names": {"family": "Berg"},
    "year": {"birth_year": 1990},
    "hidden": {"visibility": "hidden", "family": "Berg"},
}


@pytest.mark.parametrize("told", TOLD)
def test_a_director_who_enters_a_member_may_not_read_merge_or_delete_them(registry, director, told):
    """Anybody may make a tournament and enter in it whoever is in the registry."""
    player = create_player(name="Carl Berg", at=AT)
    event = build_event(director, players=2, drawn=False)
    add_entries(event, lines=[EntryLine(name="Carl Berg", player_id=player.pk)], by=director, at=AT)
    assert require_merger(director, [player]) == director
    match told:
        case "membership":
            Membership.objects.create(player=player, federation=registry.federation, **TOLD[told])
        case "number":
            ExternalId.objects.create(player=player, issuer="dbgf", value="77")
        case _:
            Player.objects.filter(pk=player.pk).update(**TOLD[told])
    with pytest.raises(Forbidden):
        require_merger(director, [player])


def test_an_officer_takes_in_no_club_with_members_of_another_federation(registry):
    other = create_federation(FederationData("BBB", "Other"), by=None)
    club = create_club(ClubData("Free Club"), by=None)
    Player.objects.filter(pk=registry.holm.pk).update(club=club)
    stranger = registry.stranger
    RegistryRole.objects.create(user=stranger, since=AT, federation=other)
    with pytest.raises(Conflict) as refusal:
        edit_club(club, ClubData("Free Club", federation="BBB"), by=stranger)
    assert refusal.value.code == "club_of_others"
    assert not rights_of(stranger, Player.objects.get(pk=registry.holm.pk)).sees
    Player.objects.filter(pk=registry.holm.pk).update(club=None)
    assert edit_club(club, ClubData("Free Club", federation="BBB"), by=stranger).federation == other


def test_a_person_taken_in_twice_over_is_merged_but_not_while_both_are_members(registry):
    double = store(registry, "family,given,birth\nHolm,Asta,1990\n").report["rows"][0]["player"]
    with pytest.raises(Conflict) as refusal:
        merge_players(registry.holm, Player.objects.get(pk=double), by=registry.officer, at=AT)
    assert refusal.value.code == "memberships_overlap"
    assert person_of(registry.holm) == Person("Asta", "Holm", "DK", "Odense", "Odense", "1961", "f")
