"""Pages kept in memory: never older than what they show, and never with anything that belongs to another reader."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players.models import User
from players.services import create_player
from rules.score import Side
from rules.sheet import GameResult
from tests.builders import (
    AT,
    build_director,
    build_event,
    build_money_terms,
    build_terms,
    claim,
    fixture_of,
    win,
)
from tests.fresh import forget_everything
from tests.tournament.ladders import build_ladder
from tests.tournament.pages.walk import build_knockout
from tournament.draw.reconcile import Repair
from tournament.draw.standings import store_standings
from tournament.entries.attendance import leave_event
from tournament.entries.identity import merge_players
from tournament.events.appoint import invite
from tournament.events.deletion import delete_event
from tournament.events.services import finish_event, update_event, update_tournament
from tournament.hall.calling import call_match, move_match, recall_match, start_match
from tournament.hall.tables import add_break, add_tables, remove_break, update_table
from tournament.models import Appointment, Event, Role
from tournament.money.services import set_money
from tournament.pages.kept import KEY, LIVE, TOKEN, Memory
from tournament.results.enter import enter_result
from tournament.results.reports import confirm_result, report_result

pytestmark = pytest.mark.django_db

TOKENS = re.compile(r'(name="csrfmiddlewaretoken" value=")[^"]+')
KEYS = re.compile(r'(name="key" value=")[0-9a-f]{32}')
NOW = re.compile(r'(<time datetime=")[^"]+(">\d\d:\d\d</time>\s*</div>)|(?:waiting|har ventet) \d+ min')
"""What is new each time, and what follows from the minute in which a page is made."""


@dataclass
class Hall:
    """A knockout with everything going on, an event of four besides it, and who directs them."""

    event: Event
    other: Event
    director: User

    @property
    def addresses(self) -> list[str]:
        tournament = self.event.tournament.slug
        names = ("pairings", "bracket", "standings", "screen", "prizes")
        found = [reverse(name, args=[tournament, self.event.slug]) for name in names]
        found += [reverse("desk", args=[tournament]), reverse("hall-screen", args=[tournament])]
        asked = [page + query for page in found for query in ("", "?fragment")]
        desk = reverse("desk", args=[tournament])
        return [*asked, found[0] + "?fragment&stage=1", found[1] + "?stage=1", f"{desk}?event={self.other.slug}"]


@pytest.fixture
def hall(director: User) -> Hall:
    event = build_knockout(director)
    store_standings(event.pk)
    other = build_event(director, players=4, tournament=event.tournament, name="Side")
    return Hall(event, other, director)


def seen(client: Client, page: str) -> str:
    """What a page shows, but for what is new each time."""
    answer = client.get(page)
    assert answer.status_code in (200, 302, 403, 404), page
    text = answer.content.decode()
    assert not any(mark in text for mark in (TOKEN, KEY, LIVE)), page
    return NOW.sub("", KEYS.sub(r"\1", TOKENS.sub(r"\1", text)))


def forget() -> None:
    forget_everything()


def readers(hall: Hall) -> list[Client]:
    """Everybody to whom a page may look different, and some to whom it may not."""
    tournament = hall.event.tournament
    found = [Client()]
    roles = [(role, None) for role in Role if role is not Role.DEPUTY]
    roles += [(Role.DIRECTOR, None), (Role.DEPUTY, hall.event), (Role.DEPUTY, hall.other), (Role.SCORER, hall.other)]
    for number, (role, event) in enumerate(roles):
        user = build_director(f"reader-{number}")
        Appointment.objects.create(tournament=tournament, event=event, user=user, role=role, since=AT)
        for language in ("en", "da") if number < 2 else ("en",):
            client = Client(headers={"accept-language": language})
            client.force_login(user)
            found.append(client)
    stranger = Client()
    stranger.force_login(build_director("stranger"))
    return [*found, stranger]


def test_what_is_kept_looks_to_every_reader_as_if_it_had_been_made_for_them(hall):
    clients = readers(hall)
    own = []
    for client in clients:
        forget()
        own.append([seen(client, page) for page in hall.addresses])
    forget()
    for _each in range(2):
        for client, pages in zip(clients, own, strict=True):
            assert [seen(client, page) for page in hall.addresses] == pages


def test_a_live_part_is_the_same_whether_it_may_be_kept_or_not(hall):
    for client in readers(hall):
        for page in hall.addresses:
            if page.endswith("?fragment") and client.get(page).status_code == 200:
                assert seen(client, page) == seen(client, f"{page}&of=nothing"), page


def test_every_answer_has_keys_of_its_own_and_the_token_of_its_reader(hall):
    desk = reverse("desk", args=[hall.event.tournament.slug])
    clients = []
    for name in ("first", "second"):
        client = Client(enforce_csrf_checks=True)
        client.force_login(build_director(name, hall.event.tournament))
        clients.append(client)
    answers = [client.get(desk + query).content.decode() for client in clients for query in ("", "?fragment", "")]
    keys = [set(re.findall(r'name="key" value="([0-9a-f]{32})', answer)) for answer in answers]
    assert [len(found) for found in keys] == [1] * 6
    assert len(set.union(*keys)) == 6
    tokens = [re.findall(r'name="csrfmiddlewaretoken" value="([^"]+)"', answer)[0] for answer in answers]
    act = reverse("desk-act", args=[hall.event.tournament.slug, fixture_of(hall.event, "M1-8").match.pk, "call"])
    assert clients[0].post(act, {"csrfmiddlewaretoken": tokens[-1], "table": 2}).status_code == 403
    assert clients[1].post(act, {"csrfmiddlewaretoken": tokens[-1], "table": 2}).status_code == 302


def test_what_is_said_to_a_reader_is_said_once_and_to_nobody_else(hall):
    desk = reverse("desk", args=[hall.event.tournament.slug])
    mine, theirs = Client(), Client()
    mine.force_login(hall.director)
    theirs.force_login(build_director("other", hall.event.tournament))
    act = reverse("desk-act", args=[hall.event.tournament.slug, fixture_of(hall.event, "M1-8").match.pk, "call"])
    mine.post(act, {"table": 2})
    assert ["messages" in page for page in (seen(theirs, desk), seen(mine, desk), seen(mine, desk))] == [
        *(False, True, False),
    ]


BY = {"by": None, "at": AT}


def enter(hall: Hall, key: str, **claimed: object) -> None:
    enter_result(fixture_of(hall.event, key).match, claim=claim(**claimed), **BY)


def rename(hall: Hall) -> None:
    """Two players turn out to be one person, whose name is the other's."""
    person = fixture_of(hall.event, "M1-8").entry_a.player
    merge_players(create_player(name="Renamed", at=AT), person, by=None, at=AT)


ACTS: dict[str, Callable[[Hall], object]] = {
    "result": lambda hall: win(fixture_of(hall.event, "M1-8").match, Side.B),
    "standings": lambda hall: (win(fixture_of(hall.event, "M1-8").match, Side.B), store_standings(hall.event.pk)),
    "games": lambda hall: enter(hall, "M1-8", games=(GameResult(Side.A, 2),)),
    "correction": lambda hall: enter_result(
        fixture_of(hall.event, "M1-3").match,
        claim=claim(final=(1, 5), base=1, reason="Seen."),
        repair=Repair.STAND,
        may_repair=True,
        **BY,
    ),
    "report": lambda hall: report_result(
        fixture_of(hall.event, "M1-8").match, claim=claim(final=(5, 1)), side=Side.A, **BY
    ),
    "confirmed": lambda hall: confirm_result(fixture_of(hall.event, "M1-6").match, number=1, **BY),
    "call": lambda hall: call_match(fixture_of(hall.event, "M1-8").match, **BY),
    "call in the other event": lambda hall: call_match(fixture_of(hall.other, "M1-1").match, **BY),
    "result in the other event": lambda hall: win(fixture_of(hall.other, "M1-1").match, Side.A),
    "start": lambda hall: start_match(fixture_of(hall.event, "M1-7").match, **BY),
    "move": lambda hall: move_match(fixture_of(hall.event, "M1-7").match, table=3, **BY),
    "recall": lambda hall: recall_match(fixture_of(hall.event, "M1-7").match, **BY),
    "more tables": lambda hall: add_tables(hall.event.tournament, first=4, last=5, **BY),
    "table": lambda hall: update_table(
        hall.event.tournament, number=2, event=hall.other, streamed=True, out_of_order=False, **BY
    ),
    "break": lambda hall: add_break(
        hall.event.tournament,
        name="Dinner",
        starts_at=timezone.now() - timedelta(hours=1),
        ends_at=timezone.now() + timedelta(hours=1),
        **BY,
    ),
    "no break": lambda hall: remove_break(hall.event.tournament, break_id=hall.event.tournament.breaks.get().pk, **BY),
    "rename": rename,
    "name of the event": lambda hall: update_event(hall.other, build_terms(name="Renamed"), **BY),
    "name of the tournament": lambda hall: update_tournament(
        hall.event.tournament, name="Renamed", starts_on=date(2026, 3, 6), by=hall.director, at=AT
    ),
    "zone": lambda hall: update_tournament(
        hall.event.tournament,
        name="Friday Club",
        starts_on=date(2026, 3, 6),
        time_zone="Asia/Tokyo",
        by=hall.director,
        at=AT,
    ),
    "money": lambda hall: set_money(hall.other, build_money_terms(), **BY),
    "departure": lambda hall: leave_event(fixture_of(hall.event, "M1-8").entry_a, kind="withdrawn", **BY),
    "invitation": lambda hall: invite(hall.event.tournament, role="scorer", by=hall.director, at=AT),
    "new event": lambda hall: build_event(hall.director, players=2, tournament=hall.event.tournament, name="New"),
    "deleted event": lambda hall: delete_event(hall.other, typed="Side", **BY),
    "ended event": lambda hall: (
        [win(fixture_of(hall.other, key).match, Side.A) for key in ("M1-1", "M1-2", "M2-1")],
        finish_event(hall.other, **BY),
    ),
}
SHOWN_ELSEWHERE = {"money"}
"""What the pages of this hall do not show."""


@pytest.mark.parametrize("act", ACTS)
def test_no_page_is_older_than_what_happened_last(hall, as_director, act):
    """Neither in the memory of this process, nor in that of a browser that asks whether anything has changed."""
    before = {page: seen(as_director, page) for page in hall.addresses}
    tags = {page: as_director.get(page).headers.get("ETag", "") for page in hall.addresses}
    ACTS[act](hall)
    again = {page: as_director.get(page, headers={"If-None-Match": tag}) for page, tag in tags.items()}
    kept = {page: seen(as_director, page) for page in hall.addresses}
    forget()
    fresh = {page: seen(as_director, page) for page in hall.addresses}
    assert kept == fresh
    assert [page for page, answer in again.items() if answer.status_code == 304 and fresh[page] != before[page]] == []
    assert fresh != before or act in SHOWN_ELSEWHERE


def test_a_role_that_is_given_changed_or_taken_shows_at_once(hall):
    reader = build_director("reader")
    client = Client()
    client.force_login(reader)
    role = Appointment.objects.create(tournament=hall.event.tournament, user=reader, role=Role.DIRECTOR, since=AT)
    pages = [page for page in hall.addresses if "desk" in page or "pairings" in page]
    shown = []
    for change in (lambda: None, lambda: Appointment.objects.update(role=Role.READER), role.delete):
        change()
        kept = [seen(client, page) for page in pages]
        forget()
        assert kept == [seen(client, page) for page in pages]
        shown.append(kept)
    assert len({tuple(pages) for pages in shown}) == 3


def test_a_day_that_passes_and_another_minute_show_at_once(hall, monkeypatch):
    """A challenge becomes overdue overnight, and the desk counts minutes, although nobody has changed anything."""
    now = AT + timedelta(minutes=1)
    monkeypatch.setattr("django.utils.timezone.now", lambda: now)
    ladder = build_ladder(hall.director, hall.event.tournament)
    pages = [reverse("pairings", args=[ladder.tournament.slug, ladder.slug]), hall.addresses[10]]
    reader = Client()
    reader.force_login(hall.director)
    before = [reader.get(page).content.decode() for page in pages]
    now = AT + timedelta(minutes=2)
    assert reader.get(pages[1]).content.decode() != before[1]
    now = AT + timedelta(days=15)
    reader.force_login(hall.director)
    assert ["overdue" in text for text in (before[0], reader.get(pages[0]).content.decode())] == [False, True]


def test_a_memory_keeps_the_newest_state_of_each_part_and_forgets_what_was_asked_for_longest_ago():
    memory = Memory(most_bytes=10)
    memory.keep("a", 1, b"aaaa", len(b"aaaa"))
    memory.keep("a", 2, b"AAAA", len(b"AAAA"))
    memory.keep("b", 1, b"bbbb", len(b"bbbb"))
    assert (memory.find("a", 1), memory.find("a", 2)) == (None, b"AAAA")
    memory.keep("c", 1, b"cccc", len(b"cccc"))
    assert [memory.find(key, state) for key, state in (("a", 2), ("b", 1), ("c", 1))] == [b"AAAA", None, b"cccc"]
    memory.keep("d", 1, b"d" * 11, len(b"d" * 11))
    assert [memory.find(key, 1) for key in "abcd"] == [None] * 4
