"""The log: each verb has a sentence, each row says where it came from, and filters find what they ask for."""

import ast
import csv
import io
import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import translation

from config.celery import app
from rules.score import Side
from tests.builders import AT, build_director, build_event, build_tournament, fixture_of, win
from tests.tournament.api.client import CheckedClient
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries, keep_apart, seed_entry
from tournament.events.appoint import invite
from tournament.events.services import update_event, update_tournament
from tournament.events.terms import terms_of
from tournament.log.words import PUBLIC_VERBS, VERBS, changes_in, tell
from tournament.models import Appointment, LogEntry, Role
from tournament.models.log import words_in
from tournament.origin import Origin, Way, coming_from, current_origin

pytestmark = pytest.mark.django_db


# Verbs


def written_verbs() -> Iterator[str]:
    """Every text that is the verb of a log row: an argument ``verb=``, always given by name, a value of ``verb``,
    or what ``verb_of`` returns.
    """
    for package in ("tournament", "matches", "players"):
        for path in (settings.BASE_DIR / package).rglob("*.py"):
            yield from _verbs_in(path)


def _verbs_in(path: Path) -> Iterator[str]:
    tree = ast.parse(path.read_text())
    for node in ast.walk(tree):
        given = None
        if (isinstance(node, ast.keyword) and node.arg == "verb") or (
            isinstance(node, ast.Assign)
            and any(isinstance(name, ast.Name) and name.id == "verb" for name in node.targets)
        ):
            given = node.value
        if isinstance(node, ast.FunctionDef) and node.name == "verb_of":
            given = next(one.value for one in node.body if isinstance(one, ast.Return))
        if isinstance(given, ast.IfExp):
            given = ast.Tuple([given.body, given.orelse])
        for one in ast.walk(given) if given is not None and not isinstance(given, ast.Call | ast.Subscript) else ():
            if isinstance(one, ast.Constant) and isinstance(one.value, str):
                yield one.value


def test_every_verb_that_a_service_writes_has_its_words():
    written = set(written_verbs())
    assert {"create_event", "return_entry", "correct_result", "call_match", "invite"} <= written
    assert written == set(VERBS)


def test_names_of_verbs_are_all_different():
    names = [str(verb.name) for verb in VERBS.values()]
    assert len(set(names)) == len(names)


def test_history_of_an_event_says_nothing_about_roles_payers_or_links():
    roles = {"invite", "accept_invitation", "change_role", "take_role", "withdraw_invitation"}
    paid = {"settle_accounts", "reverse_payment", "join_side_pool", "leave_side_pool"}
    sold = {"make_lots", "dissolve_lot", "sell_lot"}
    kept = {"save_template", "remove_template"}
    over = {"withdraw_announcement", "end_announcement"}
    asked = {"renew_links", "answer_page_request", "return_report", "answer_report", "offer_to_play"}
    assert set(VERBS) - PUBLIC_VERBS == roles | paid | sold | kept | over | asked


def test_payouts_are_described_without_a_minus():
    paid = {"names": ["Bo"], "currency": "EUR"}
    told = [tell(LogEntry(verb="settle_accounts", detail={**paid, "amount": text})) for text in ("50.00", "-280.00")]
    assert told == ["Paid: Bo, 50.00 EUR", "Paid out: Bo, 280.00 EUR"]


def test_every_row_of_a_played_event_has_a_sentence(director):
    event = build_event(director, players=4)
    win(fixture_of(event, "M1-1").match, Side.A, by=director)
    told = {entry.verb: tell(entry) for entry in LogEntry.objects.all()}
    assert told == {
        "create_tournament": "Tournament created: Friday Club",
        "create_event": "Event created: Main",
        "add_entries": "Entered: Player 1, Player 2, Player 3, Player 4",
        "make_draw": "Drawn: 4 entries",
        "enter_result": told["enter_result"],
    }
    assert told["enter_result"].startswith("M1-1 Player ")


def test_row_that_does_not_fit_its_sentence_is_described_by_its_name():
    assert tell(LogEntry(verb="ruling", detail={})) == "Ruling made"
    assert tell(LogEntry(verb="of_an_older_program", detail={})) == "Of an older program"


def test_sentence_is_in_the_language_of_the_reader():
    with translation.override("da"):
        assert tell(LogEntry(verb="finish_event", detail={})) != "Event ended"


# What changed


def test_change_of_terms_names_the_values_before_and_after(director):
    event = build_event(director, players=0, drawn=False, lengths=(5,))
    stage = event.stages.get()
    changed = {"name": "Final", "options": {**stage.options, "lengths": [7]}, "crawford": False}
    update_event(event, replace(terms_of(event, stage), **changed), by=director, at=AT)
    entry = LogEntry.objects.get(verb="update_event")
    assert entry.detail["changes"] == {"name": ["Main", "Final"], "lengths": [[5], [7]], "crawford": [True, False]}
    assert changes_in(entry) == [
        ("Name", "Main", "Final"),
        ("Match lengths", "5", "7"),
        ("Crawford game", "yes", "no"),
    ]


def test_change_of_a_tournament_names_the_values_before_and_after(director):
    tournament = build_tournament(director)
    for _time in range(2):
        update_tournament(tournament, name="Spring Open", starts_on=AT.date(), place="Oslo", by=director, at=AT)
    entry = LogEntry.objects.get(verb="update_tournament")
    assert changes_in(entry) == [("Name", "Friday Club", "Spring Open"), ("Venue", "–", "Oslo")]
    tournament.refresh_from_db()
    assert (tournament.name, tournament.slug) == ("Spring Open", "friday-club")


def test_change_of_an_entry_names_the_values_before_and_after(director):
    event = build_event(director, players=2, drawn=False)
    entry = event.entries.first()
    for seed in (3, None):
        seed_entry(entry, seed=seed, by=director, at=AT)
    keep_apart(entry, family="Hansen", by=director, at=AT)
    rows = LogEntry.objects.filter(verb__in=["seed_entry", "keep_apart"]).order_by("id")
    assert [row.detail["changes"] for row in rows] == [
        {"seed": [None, 3]},
        {"seed": [3, None]},
        {"family": ["", "Hansen"]},
    ]
    assert [tell(row) for row in rows] == [
        "Player 1: seed 3",
        "Player 1: seed removed",
        "Player 1: family “Hansen”",
    ]


# Where from


def last(**wanted: object) -> LogEntry:
    return LogEntry.objects.filter(**wanted).latest("id")


def test_change_on_a_page_comes_from_its_client(director):
    event = build_event(director, players=4, drawn=False)
    client = Client(REMOTE_ADDR="192.0.2.7", HTTP_USER_AGENT="Browser 1", HTTP_X_FORWARDED_FOR="198.51.100.1")
    client.force_login(director)
    client.post(reverse("act", args=[event.tournament.slug, event.slug, "draw"]))
    entry = last()
    assert (entry.verb, entry.actor, entry.way) == ("make_draw", director, Way.PAGE)
    assert (entry.address, entry.agent) == ("192.0.2.7", "Browser 1")


def test_change_by_the_api_comes_from_its_client(director):
    event = build_event(director, players=4, drawn=False)
    client = CheckedClient(REMOTE_ADDR="2001:db8::7", HTTP_USER_AGENT="x" * 300)
    client.force_authenticate(director)
    assert client.post(f"/api/v1/events/{event.pk}/draw/").status_code == 200
    entry = last()
    assert (entry.verb, entry.way, entry.address, entry.agent) == ("make_draw", Way.API, "2001:db8::7", "x" * 200)


@pytest.mark.parametrize("address", ["", "unix:", "not an address", "1.2.3.4, 5.6.7.8"])
def test_malformed_address_is_not_stored(director, address):
    event = build_event(director, players=4, drawn=False)
    client = Client(REMOTE_ADDR=address)
    client.force_login(director)
    assert client.post(reverse("act", args=[event.tournament.slug, event.slug, "draw"])).status_code == 302
    assert last(verb="make_draw").address is None


def test_nothing_of_one_request_is_left_for_the_next(director):
    Client(REMOTE_ADDR="192.0.2.7").get("/")
    assert current_origin() == Origin()
    build_event(director, players=0, drawn=False)
    assert {(entry.way, entry.address) for entry in LogEntry.objects.all()} == {(Way.PROGRAM, None)}


def test_task_and_command_have_their_own_marks(director):
    event = build_event(director, players=0, drawn=False)

    def enter(name: str) -> None:
        add_entries(event, lines=[EntryLine(name=name, line=1)], by=director, at=AT)

    task = app.task(name="enter-one")(enter)
    task("Anna")
    assert (last().way, last().agent) == (Way.TASK, "enter-one")
    with coming_from(Origin(Way.COMMAND, agent="demo")):
        call_command("demo", "--players", "4", "--until", "entries", "--seed", "1")
    assert {(entry.way, entry.agent) for entry in LogEntry.objects.filter(event__name__contains="limination")} == {
        (Way.COMMAND, "demo")
    }


# The page


@pytest.fixture
def event(director):
    event = build_event(director, players=4)
    win(fixture_of(event, "M1-1").match, Side.A, by=build_director("helper", event.tournament))
    return event


@pytest.fixture
def reader(event) -> Client:
    user = build_director("reader")
    Appointment.objects.create(tournament=event.tournament, user=user, role=Role.READER, since=AT)
    client = Client()
    client.force_login(user)
    return client


def verbs_on(client: Client, path: str) -> list[str]:
    return [entry.verb for entry in client.get(path).context["page"]]


@pytest.mark.parametrize(
    ("query", "verbs"),
    [
        ("", ["enter_result", "make_draw", "add_entries", "create_event", "create_tournament"]),
        ("by=helper", ["enter_result"]),
        ("by=director&verb=make_draw", ["make_draw"]),
        ("event=main", ["enter_result", "make_draw", "add_entries", "create_event"]),
        ("verb=add_entries", ["add_entries"]),
        ("day=2026-03-06", ["enter_result", "make_draw", "add_entries", "create_event", "create_tournament"]),
        ("day=2026-03-07", []),
        ("q=player", ["enter_result", "add_entries"]),
        ("q=PLÄYER+m1-1", ["enter_result"]),
        ("q=nobody", []),
    ],
)
def test_log_is_filtered(reader, event, query, verbs):
    assert verbs_on(reader, f"{reverse('log', args=[event.tournament.slug])}?{query}") == verbs


def test_log_of_an_event_is_its_own(reader, event, director):
    invite(event.tournament, role="reader", by=director, at=AT)
    verbs = verbs_on(reader, reverse("event-log", args=[event.tournament.slug, event.slug]))
    assert verbs == ["enter_result", "make_draw", "add_entries", "create_event"]


@pytest.mark.parametrize("query", ["by=stranger", "day=yesterday", "verb=fly", "event=other"])
def test_unreadable_filter_finds_nothing_and_says_so(reader, event, query):
    response = reader.get(f"{reverse('log', args=[event.tournament.slug])}?{query}")
    assert (response.status_code, list(response.context["page"])) == (400, [])
    assert response.context["form"].errors


@pytest.mark.parametrize("name", ["log", "event-log"])
def test_log_page_takes_the_same_queries_for_few_and_many_rows(reader, event, director, name):
    args = [event.tournament.slug, event.slug] if name == "event-log" else [event.tournament.slug]

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            reader.get(reverse(name, args=args))
        return len(captured)

    queries()  # the event is read once
    few = queries()
    for number in range(40):
        LogEntry.objects.create(
            tournament=event.tournament, event=event, actor=director, verb="seed_entry", detail={"seed": number}, at=AT
        )
    assert queries() == few


def test_log_is_paged_and_keeps_its_filter(reader, event, director):
    rows = [
        LogEntry(tournament=event.tournament, actor=director, verb="seed_entry", at=AT + timedelta(seconds=number))
        for number in range(150)
    ]
    LogEntry.objects.bulk_create(rows)
    path = f"{reverse('log', args=[event.tournament.slug])}?verb=seed_entry"
    response = reader.get(path)
    assert len(response.context["page"]) == 100
    assert "?verb=seed_entry&amp;page=2" in response.content.decode()
    assert len(reader.get(f"{path}&page=2").context["page"]) == 50


# Files


def test_log_as_csv_has_the_rows_that_the_filter_finds(reader, event):
    response = reader.get(reverse("log-file", args=[event.tournament.slug, "csv"]) + "?verb=make_draw")
    (row,) = csv.DictReader(io.StringIO(response.content.decode()))
    assert (row["by"], row["event"], row["verb"], row["sentence"]) == (
        "director",
        "main",
        "make_draw",
        "Drawn: 4 entries",
    )
    assert json.loads(row["detail"])["entries"] == 4
    assert response["Content-Disposition"] == 'attachment; filename="log-friday-club.csv"'


def test_log_as_json_has_the_rows_that_the_filter_finds(reader, event):
    response = reader.get(reverse("event-log-file", args=[event.tournament.slug, event.slug, "json"]))
    exported = response.json()
    assert exported["schema"] == "log-1"
    assert [row["verb"] for row in exported["rows"]] == ["enter_result", "make_draw", "add_entries", "create_event"]


def test_words_of_the_details_are_folded_texts_and_numbers():
    assert words_in({"names": ["Søren Ågård"], "seed": 12, "crawford": True, "deep": {"x": [None, "B"]}}) == (
        "soren agard 12 b"
    )
