"""A hall without numbered tables: matches are called by their players' names, started, recalled and decided."""

import pytest
from django.urls import reverse

from players.errors import Conflict
from rules.score import Side
from tests.builders import AT, build_director, build_event, fixture_of, win
from tests.tournament.api.client import CheckedClient
from tournament.audit import audit_event
from tournament.draw.make import make_draw
from tournament.draw.standings import store_standings
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries
from tournament.hall.calling import call_match, call_ready, move_match, recall_match, start_match
from tournament.hall.desk import Desk, take_desk
from tournament.hall.tables import add_tables
from tournament.log.words import tell
from tournament.models import Call, Event, LogEntry

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(director) -> Event:
    return build_event(director, players=8)


@pytest.fixture
def api(director) -> CheckedClient:
    client = CheckedClient()
    client.force_authenticate(director)
    return client


def match_of(event: Event, key: str):
    return fixture_of(event, key).match


def desk_of(event: Event) -> Desk:
    return take_desk(event.tournament, at=AT)


def keys(matches) -> list[str]:
    return [match.key for match in matches]


def told() -> list[str]:
    return [tell(row) for row in LogEntry.objects.filter(verb__endswith="_match").order_by("pk")]


def test_a_match_is_called_started_recalled_and_decided_without_a_table(event):
    assert {match.has_table for match in desk_of(event).ready} == {True}
    call = call_match(match_of(event, "M1-1"), by=None, at=AT)
    assert (call.table, call.table_number) == (None, None)
    start_match(match_of(event, "M1-1"), by=None, at=AT)
    call_match(match_of(event, "M1-2"), by=None, at=AT)
    desk = desk_of(event)
    assert (keys(desk.ready), keys(desk.called), keys(desk.playing)) == (["M1-3", "M1-4"], ["M1-2"], ["M1-1"])
    recall_match(match_of(event, "M1-2"), by=None, at=AT)
    win(match_of(event, "M1-1"), Side.A)
    assert Call.objects.filter(left_at__isnull=True).count() == 0
    store_standings(event.pk)
    assert list(audit_event(event)) == []


def test_all_ready_matches_are_called_at_once(event):
    assert [call.table for call in call_ready(event.tournament, by=None, at=AT)] == [None] * 4
    assert call_ready(event.tournament, by=None, at=AT) == []


def test_nobody_is_called_to_two_matches_and_the_second_director_is_told(event, director):
    first = fixture_of(event, "M1-1")
    other = build_event(build_director("other", event.tournament), tournament=event.tournament, players=0, drawn=False)
    add_entries(
        other, lines=[EntryLine(name=first.entry_a.name, line=1), EntryLine(name="Stranger", line=2)], by=None, at=AT
    )
    make_draw(other, by=None, at=AT)
    call_match(first.match, by=director, at=AT)
    for match, code, sentence in (
        (match_of(other, "M1-1"), "player_at_another_table", f"{first.entry_a.name} has been called for M1-1 of Main."),
        (first.match, "match_called", "director called this match at 20:00."),
    ):
        with pytest.raises(Conflict) as refusal:
            call_match(match, by=None, at=AT)
        assert (refusal.value.code, str(refusal.value)) == (code, sentence)
    (busy,) = desk_of(event).busy
    assert busy.busy == f"{first.entry_a.name} has been called for M1-1 of Main."


def test_a_match_called_by_name_takes_a_table_once_there_are_some(event):
    call_match(match_of(event, "M1-1"), by=None, at=AT)
    add_tables(event.tournament, first=1, last=2, by=None, at=AT)
    assert move_match(match_of(event, "M1-1"), table=2, by=None, at=AT).table_number == 2
    assert call_match(match_of(event, "M1-2"), by=None, at=AT).table_number == 1
    with pytest.raises(Conflict) as refusal:
        call_match(match_of(event, "M1-3"), by=None, at=AT)
    assert refusal.value.code == "no_table_free"


def test_the_log_says_it_without_a_table(event):
    match = match_of(event, "M1-1")
    for act in (call_match, start_match, recall_match):
        act(match, by=None, at=AT)
    names = f"{match.name_a} – {match.name_b}"
    assert told() == [f"M1-1 called: {names}", f"M1-1 begun: {names}", f"M1-1 recalled: {names}"]
    assert [row.detail["table"] for row in LogEntry.objects.filter(verb__endswith="_match")] == [None] * 3


def test_no_page_names_a_table(as_director, event):
    match = match_of(event, "M1-1")
    acts = [("call", f"{match}: called."), ("start", f"{match}: started."), ("recall", f"{match}: recalled.")]
    for act, said in acts:
        path = reverse("desk-act", args=[event.tournament.slug, match.pk, act])
        assert said in as_director.post(path, follow=True).content.decode()
    call_match(match, by=None, at=AT)
    paths = [event.get_absolute_url(), match.get_absolute_url()]
    paths += [f"{event.get_absolute_url()}print/{sheet}/" for sheet in ("cards", "pairings")]
    paths += [reverse(name, args=[event.tournament.slug]) for name in ("desk", "hall-screen")]
    for path in paths:
        page = as_director.get(path)
        assert (page.status_code, "Table None" in page.content.decode()) == (200, False)
    assert "Please start playing" in as_director.get(paths[-1]).content.decode()


def test_the_api_calls_by_name_and_answers_with_no_table(api, event):
    match = match_of(event, "M1-1")
    answer = api.post(f"/api/v1/matches/{match.pk}/call/", {})
    assert (answer.status_code, answer.json()["table"]) == (201, None)
    (called,) = [
        found
        for found in api.get(f"/api/v1/tournaments/{event.tournament_id}/hall/").json()["matches"]
        if found["doing"] == "called"
    ]
    assert (called["key"], called["table"]) == ("M1-1", None)
