"""A person gets what is kept about them; deleted, nothing names them but the draws that were published."""

import io
import json
from datetime import timedelta

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from matches.import_records import import_record
from matches.models import Match
from players.errors import Conflict, Forbidden, Refusal
from players.models import Player
from players.registry.memberships import add_membership
from players.registry.people import Person, edit_person, show_as
from players.registry.records import add_number
from players.services import create_player
from rules.score import Side
from tests.builders import AT, build_director, build_event, build_money_terms, open_matches, win
from tests.pages import text_of
from tests.players.registry.people import YEAR, build_registry
from tests.tournament.roles.planted import RECORD
from tests.tournament.transfer.mutations import signed
from tests.tournament.transfer.round_trip import exported
from tournament.alerts.telling import KINDS
from tournament.audit import audit_event
from tournament.career.delete_person import delete_person
from tournament.career.personal_data import export_person
from tournament.career.renaming import renamed
from tournament.draw.make import make_draw
from tournament.draw.standings import store_standings
from tournament.entries.attendance import leave_event
from tournament.entries.identity import merge_players
from tournament.entries.links import token_of
from tournament.entries.lists import EntryLine
from tournament.entries.page_requests import ask_for_page
from tournament.entries.services import add_entries, keep_apart
from tournament.events.services import finish_event
from tournament.models import Entry, Event, LogEntry, Subscription, Tournament
from tournament.money.services import set_money, settle_accounts
from tournament.past.draw_file import draw_file_bytes
from tournament.proof.check import check_file
from tournament.proof.read import read_draw_file
from tournament.roles.permissions import may_merge_these
from tournament.transfer.load import import_event_file

pytestmark = pytest.mark.django_db
NAME, REASON, FAMILY, MAIL = "Zoë Quist", "A broken leg", "The Quists", "zoe@example.org"
PUBLISHED = {"tournament.openurn"}
"""Where the name stays: in the documents of draws, which everybody may have kept."""


@pytest.fixture
def event(director) -> Event:
    """A finished event with lots in which Zoë has lost to a walkover, with all that may be kept about her."""
    event = build_event(director, players=3, drawn=False, seed="")
    add_entries(event, lines=[EntryLine(name=NAME, club="Old Club", country="DK", line=4)], by=director, at=AT)
    entry = entry_of(event)
    keep_apart(entry, family=FAMILY, by=director, at=AT)
    set_money(event, build_money_terms(), by=director, at=AT)
    settle_accounts(event, accounts=[f"entry-{entry.pk}"], amount=5000, key="paid", by=director, at=AT)
    make_draw(event, by=director, at=AT)
    asked = {"epoch": 1, "kinds": list(KINDS), "language": "en", "made_at": AT}
    Subscription.objects.create(entry=entry, channel="mail", address=MAIL, **asked)
    ask_for_page(entry, key="k", at=timezone.now())
    leave_event(entry, kind="withdrawn", reason=REASON, by=director, at=AT)
    while matches := open_matches(event):
        win(matches[0], Side.A, by=director)
    store_standings(event.pk)
    finish_event(event, by=director, at=AT)
    event.refresh_from_db()
    return event


def entry_of(event: Event) -> Entry:
    return event.entries.select_related("player__club", "event").get(player__name=NAME)


def zoe() -> Player:
    return Player.objects.get(name=NAME)


def tables_that_say(text: str) -> set[str]:
    """The tables in which the text stands in any field of any row."""
    found = set()
    for app in ("players", "matches", "tournament"):
        for model in apps.get_app_config(app).get_models():
            rows = model._base_manager.values_list(*(field.attname for field in model._meta.concrete_fields))
            if any(text in str(value) for row in rows for value in row):
                found.add(model._meta.label_lower)
    return found


def test_the_export_has_every_row_about_the_person(event):
    told = export_person(zoe())
    assert (told["person"]["name"], told["club"]) == (NAME, "Old Club")
    assert {"tournament.entry", "tournament.subscription", "tournament.pagerequest", "tournament.payment"} <= {
        *told["rows"]
    }
    assert {REASON, FAMILY, MAIL} <= {
        str(value) for rows in told["rows"].values() for row in rows for value in row.values()
    }
    assert json.loads(json.dumps(told, ensure_ascii=False)) == told


def test_the_export_names_nobody_s_keys(event):
    token = token_of(entry_of(event))
    assert token not in json.dumps(export_person(zoe()))


def test_nothing_names_a_deleted_person_but_published_draws(event, director):
    results = list(Match.objects.order_by("pk").values_list("pk", "side_a", "side_b"))
    player = delete_person(zoe(), typed=NAME, by=director, at=AT)
    assert player.name == f"Deleted player {player.pk}"
    assert tables_that_say(NAME) == PUBLISHED
    assert tables_that_say(REASON) | tables_that_say(MAIL) == set()
    assert (player.country, player.club) == ("", None)
    assert list(Match.objects.order_by("pk").values_list("pk", "side_a", "side_b")) == results
    assert Subscription.objects.count() == 0


def test_the_draw_and_the_audit_are_as_sound_as_before(event, director):
    delete_person(zoe(), typed=NAME, by=director, at=AT)
    store_standings(event.pk)
    event.refresh_from_db()
    assert audit_event(event) == []
    report = check_file(read_draw_file(draw_file_bytes(event)))
    assert [finding.code for finding in report.findings if finding.verdict.value == "wrong"] == []


def test_the_private_link_ends(event, director):
    path = reverse("my-entry", args=[token_of(entry_of(event))])
    delete_person(zoe(), typed=NAME, by=director, at=AT)
    assert Client().get(path).status_code == 410


def test_the_deletion_is_in_the_log_without_the_name(event, director):
    player = delete_person(zoe(), typed=NAME, by=director, at=AT + timedelta(days=1))
    row = LogEntry.objects.get(verb="delete_person")
    assert (row.actor, row.detail["names"]) == (director, [player.name])


def test_nobody_is_deleted_who_plays_in_an_event(director):
    event = build_event(director, players=4)
    player = event.entries.first().player
    with pytest.raises(Conflict) as refusal:
        delete_person(player, typed=player.name, by=director, at=AT)
    assert (refusal.value.code, Player.objects.filter(name=player.name).exists()) == ("person_plays", True)


def test_another_name_deletes_nothing(event, director):
    with pytest.raises(Refusal) as refusal:
        delete_person(zoe(), typed="Zoe", by=director, at=AT)
    assert (refusal.value.code, zoe().name) == ("name_differs", NAME)


def test_only_those_delete_who_direct_all_that_the_person_entered(event):
    with pytest.raises(Forbidden):
        delete_person(zoe(), typed=NAME, by=build_director("stranger"), at=AT)


@pytest.mark.parametrize("enters_them", [False, True])
def test_who_is_known_from_match_records_alone_is_for_administrators(as_director, director, enters_them):
    """Nor does it help to enter them in a tournament made for it."""
    import_record(RECORD.read_bytes(), name=RECORD.name, at=AT)
    player = Match.objects.get().side_a
    if enters_them:
        event = build_event(director, players=0, drawn=False)
        add_entries(event, lines=[EntryLine(name=player.name)], by=director, at=AT)
        entry = event.entries.get()
        assert entry.player == player
        leave_event(entry, kind="withdrawn", reason="", by=director, at=AT)
    else:
        build_event(director)
    page = reverse("personal-data", args=[player.pk])
    answers = [as_director.get(page), as_director.get(reverse("personal-file", args=[player.pk]))]
    answers.append(as_director.post(page, {"name": player.name, "sure": "yes"}))
    assert [answer.status_code for answer in answers] == [403] * 3
    assert "What is kept about a player is given out and deleted by" in answers[0].content.decode()
    with pytest.raises(Forbidden):
        delete_person(player, typed=player.name, by=director, at=AT)
    director.is_superuser = True
    director.save()
    assert as_director.get(page).status_code == 200


def test_what_imported_files_told_of_the_person_goes_with_them(event):
    document = json.loads(exported(event))
    for person in document["people"]:
        person["ids"] = [{"issuer": "den", "value": f"of {person['name']}"}]
    Tournament.everything.update(slug="away")
    imported = import_event_file(signed(document), by=None, at=AT).events.get()
    player = imported.entries.get(number=4).player
    delete_person(player, typed=NAME, by=None, at=AT)
    told = imported.log.get(verb="import_event").detail["kept_people"]
    assert sorted(own["ids"][0]["value"] for own in told.values()) == [f"of Player {number}" for number in (1, 2, 3)]


RECORDED = {
    "a membership": lambda player, registry: add_membership(
        player, registry.federation, kind="ordinary", term=YEAR, by=None
    ),
    "a number": lambda player, registry: add_number(player, issuer="dbgf", value="9", by=None, at=AT),
    "a day of birth": lambda player, registry: edit_person(
        player, Person("Zoë", "Quist", born="1977-05-17"), by=None, at=AT
    ),
    "a name that is not public": lambda player, registry: show_as(player, "hidden", by=None, at=AT),
}


@pytest.mark.parametrize("what", RECORDED)
@pytest.mark.parametrize("is_merged", [False, True])
def test_whoever_the_registry_has_anything_of_is_for_their_officers(event, as_director, director, what, is_merged):
    """Nobody becomes their director by entering them in a tournament made for it."""
    registry = build_registry()
    player = zoe()
    RECORDED[what](player, registry)
    other = create_player(name="Zoe Kvist", at=AT)
    if is_merged:
        if what == "a name that is not public":
            show_as(other, "hidden", by=None, at=AT)
        merge_players(other, player, by=None, at=AT)
        player = Player.objects.get(pk=other.pk)
    page = reverse("personal-data", args=[player.pk])
    answers = [as_director.get(page), as_director.get(reverse("personal-file", args=[player.pk]))]
    answers.append(as_director.post(page, {"name": player.name, "sure": "yes"}))
    answers.append(as_director.get(reverse("merge-player", args=[player.pk])))
    assert [answer.status_code for answer in answers] == [403] * 4
    with pytest.raises(Forbidden):
        delete_person(player, typed=player.name, by=director, at=AT)
    assert may_merge_these(registry.officer, {1: [player.pk]}) == ({1} if what == "a membership" else set())


def test_a_duplicate_goes_with_the_person(event, director):
    merge_players(zoe(), create_player(name="Zoe Kvist", at=AT), by=None, at=AT)
    delete_person(zoe(), typed=NAME, by=director, at=AT)
    assert tables_that_say("Zoe Kvist") == set()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Ann", "X"),
        ("Ann & Bo", "X & Bo"),
        ("Bo & Ann", "Bo & X"),
        ("Ann (2)", "X (2)"),
        ("Ann Berg", "Ann Berg"),
        ("Anna", "Anna"),
        (["Ann", {"a": "Ann"}, 3], ["X", {"a": "X"}, 3]),
    ],
)
def test_a_name_of_one_word_is_not_taken_out_of_another(text, told):
    assert renamed(text, {"Ann": "X"}) == told


def test_a_name_of_several_words_is_found_in_any_sentence():
    assert renamed("Final: Ann Berg or Ann Bergson", {"Ann Berg": "X"}) == "Final: X or Ann Bergson"


def test_the_page_asks_twice(event, as_director):
    page = reverse("personal-data", args=[zoe().pk])
    assert "What is kept about" in text_of(as_director.get(page))
    asked = as_director.post(page, {"name": NAME})
    assert (asked.status_code, "This cannot be undone" in text_of(asked), zoe().name) == (200, True, NAME)
    deleted = as_director.post(page, {"name": NAME, "sure": "yes"})
    assert (deleted.status_code, Player.objects.filter(name=NAME).exists()) == (302, False)
    assert as_director.get(deleted.url).status_code == 200


def test_the_page_hands_out_a_file(event, as_director):
    answer = as_director.get(reverse("personal-file", args=[zoe().pk]))
    assert json.loads(answer.content)["person"]["name"] == NAME


def test_the_command_exports_and_deletes(event):
    written = io.StringIO()
    call_command("personal_data", "export", str(zoe().pk), stdout=written)
    assert json.loads(written.getvalue())["person"]["name"] == NAME
    with pytest.raises(CommandError):
        call_command("personal_data", "delete", str(zoe().pk))
    call_command("personal_data", "delete", str(zoe().pk), "--name", NAME, stdout=written)
    assert not Player.objects.filter(name=NAME).exists()
