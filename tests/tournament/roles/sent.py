"""What clients send to every address of the API that changes something, so that it does: valid, each in its event."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone

from matches.evidence import Evidence
from matches.models import Match
from players.models import Player
from rules.score import Side
from tests.builders import AT, build_event, build_money_terms, fixture_of
from tests.tournament.api.client import CheckedClient
from tests.tournament.closed import DICE, RANDOMNESS, SIGNATURE
from tests.tournament.ladders import at_rung
from tests.tournament.pages.walk import known_in
from tests.tournament.roles.addresses import Address
from tournament.entries.attendance import put_to_wait, set_door
from tournament.entries.imports import preview_import
from tournament.entries.lists import parse_file
from tournament.entries.page_requests import ask_for_page
from tournament.hall.director_calls import call_director
from tournament.models import (
    Announcement,
    Appointment,
    Entry,
    Event,
    Invitation,
    Lot,
    Payment,
    PlayOff,
    Role,
    SidePool,
    Tournament,
)
from tournament.money.services import set_money
from tournament.money.side_pools import join_side_pool, open_side_pool
from tournament.prizes import PrizeTable
from tournament.results.evidence import attach_record
from tournament.setup.next_season import propose_season

RECORD = Path(__file__).parents[2] / "data" / "records" / "studio-5pt.mat"
FILE = b"name\nZoe\n"
KEY = {"key": "sent"}
FINAL = {**KEY, "base": 0, "final": [5, 3]}
TERMS = {"format": "single-elimination", "options": {"lengths": [5]}}
WINNER = {"kind": "template", "template": "winner"}


@dataclass(frozen=True)
class Sent:
    """What makes the address do something: what it holds, and the body; ``query`` follows the question mark."""

    address: Mapping[str, object]
    data: object = None
    query: str = ""
    content_type: str = ""

    def to(self, client: CheckedClient, address: Address) -> HttpResponse:
        path = f"{reverse(f'api:{address.name}', kwargs=dict(self.address))}?{self.query}"
        media = {"content_type": self.content_type} if self.content_type else {}
        return getattr(client, address.method)(path, self.data, **media)


def prepare() -> Event:
    """Add what it lacks to the tournament of :func:`tests.tournament.pages.walk.build_walk`.

    Returns a new event in it, which is not drawn.
    """
    main = event_called("Main")
    fresh = build_event(None, players=5, drawn=False, tournament=main.tournament, name="Fresh")
    put_to_wait(fresh.entries.last(), by=None, at=AT)
    set_money(fresh, build_money_terms(), by=None, at=AT)
    pool = open_side_pool(fresh, name="Early", fee=100, table=PrizeTable("template", "winner"), by=None, at=AT)
    join_side_pool(pool, entry=fresh.entries.first(), by=None, at=AT)
    set_door(event_called("League"), max_entries=None, check_in=False, late_minutes=5, by=None, at=AT)
    match = fixture_of(main, "M1-2").match
    attach_record(match, RECORD.read_bytes(), name="one.mat", left=Side.A, by=None, at=AT)
    for name in ("One", "Other"):
        known_in(main.tournament, name)
    return fresh


def event_called(name: str) -> Event:
    return Event.everything.select_related("tournament").get(name=name, tournament__slug="friday-club")


def of_tournament(data: object = None, **more: object) -> Callable[[], Sent]:
    return lambda: Sent({"tournament_id": event_called("Main").tournament_id, **more}, data)


def of_event(name: str, data: object = None, **more: object) -> Callable[[], Sent]:
    return lambda: Sent({"event_id": event_called(name).pk, **more}, data)


def of_entry(name: str, data: object = None, **found: object) -> Callable[[], Sent]:
    return lambda: Sent({"entry_id": entry_in(name, **found).pk}, data)


def of_match(key: str, data: object = None, event: str = "Main") -> Callable[[], Sent]:
    return lambda: Sent({"match_id": match_in(event, key)}, data)


def record_of(key: str) -> Callable[[], Sent]:
    # Of others than the record that is attached already, as that has one use.
    data, media = RECORD.read_bytes().replace(b"Sten", b"Stan"), "application/octet-stream"
    return lambda: Sent({"match_id": match_in("Main", key)}, data, query="left=a", content_type=media)


def entry_in(name: str, **found: object) -> Entry:
    return event_called(name).entries.filter(**found).first()


def match_in(name: str, key: str) -> int:
    return next(iter(fixture_of(event_called(name), key).matches.values())).pk


def page_asked_for() -> int:
    return ask_for_page(entry_in("Main"), key="sent", at=timezone.now()).pk


def attached_record() -> Sent:
    evidence = Evidence.attached.get(match_id=match_in("Main", "M1-2"))
    return Sent({"match_id": evidence.match_id, "evidence_id": evidence.pk})


def player_called(name: str) -> int:
    return Player.objects.get(name=name).pk


def next_season() -> Sent:
    tournament = event_called("Main").tournament
    digest = propose_season(tournament).digest
    return Sent({"tournament_id": tournament.pk}, {"starts_on": "2026-04-06", "digest": digest})


def scorer() -> dict[str, object]:
    return {"appointment_id": Appointment.objects.get(role=Role.SCORER).pk}


def pool_member(*, is_in: bool) -> Sent:
    pool = SidePool.objects.get(name="Early")
    entries = pool.event.entries.order_by("number")
    return Sent({"pool_id": pool.pk, "entry_id": (entries.first() if is_in else entries.last()).pk})


def lot(*, is_sold: bool, data: object = None) -> Sent:
    return Sent({"lot_id": Lot.objects.filter(sales__isnull=not is_sold).first().pk}, data)


def seeding() -> Sent:
    entry, none = entry_in("Fresh"), {"seed": None, "family": ""}
    row = {"id": entry.pk, "seed": 1, "family": "", "base": none}
    return Sent({"event_id": entry.event_id}, {"entries": [row]})


def import_of_file() -> Sent:
    event = event_called("Fresh")
    digest = preview_import(event, lines=parse_file(FILE), at=AT).digest
    return Sent({"event_id": event.pk}, FILE, f"digest={digest}", "text/csv")


def director_called() -> Sent:
    """The players of a match have called the director, and nobody comes yet."""
    match = Match.objects.get(pk=match_in("Main", "M1-7"))
    call_director(match, entry=None, by=None, at=AT)
    return Sent({"match_id": match.pk})


def play_off() -> Sent:
    first, _second, third, _fourth = event_called("Tie").entries.order_by("number")
    return Sent({"event_id": first.event_id, "number": 1}, {"winner": first.pk, "loser": third.pk})


def new_challenge() -> Sent:
    event = event_called("Ladder")
    two = {"challenger": at_rung(event, 4).pk, "challenged": at_rung(event, 3).pk}
    return Sent({"event_id": event.pk}, two)


def new_deadline() -> Sent:
    to = timezone.localdate() + timedelta(days=7)
    return Sent({"match_id": match_in("League", FIRST_OF_LEAGUE)}, {"to": to.isoformat(), "reason": "Ill."})


def drand_round() -> Sent:
    closing = event_called("Drand").closings.get()
    typed = {"round": closing.drand_round, "randomness": RANDOMNESS, "signature": SIGNATURE}
    return Sent({"event_id": closing.event_id}, typed)


def draw_change() -> Sent:
    first, second = event_called("League").stages.get().fixtures.filter(round=1).order_by("number")[:2]
    asked = {"kind": "swap", "a": first.entry_a_id, "b": second.entry_a_id, "reason": "Asked."}
    return Sent({"event_id": event_called("League").pk, "number": 1}, asked)


def payment() -> Sent:
    return Sent({"payment_id": Payment.objects.get().pk}, KEY)


def payments(amount: int) -> Callable[[], Sent]:
    def sent() -> Sent:
        entry = event_called("Main").entries.last()
        return Sent({"event_id": entry.event_id}, {**KEY, "accounts": [f"entry-{entry.pk}"], "amount": amount})

    return sent


def reserve() -> Sent:
    fixture = event_called("Teams").stages.get().fixtures.get()
    member = fixture.entry_a.members.order_by("-board").first()
    return Sent({"match_id": match_in("Teams", fixture.key)}, {"side": "A", "player": member.player_id})


def last_step() -> Sent:
    event = event_called("Swiss")
    return Sent({"event_id": event.pk, "row_id": event.log.first().pk}, {})


MONEY: dict[str, Any] = {
    "currency": "EUR",
    "fee": 4000,
    "reentry_fee": 4000,
    "registration_fee": 0,
    "rake": "none",
    "rake_value": 0,
    "added": 0,
    "shares": [{"section": "", "basis_points": 10_000, "table": WINNER}],
    "step": 100,
    "rounding": "rest-to-first",
    "auction": WINNER,
}
DOOR = {"max_entries": None, "check_in": False, "late_minutes": None}
FIRST_OF_LEAGUE = "R1-1"
RULING = {**KEY, "base": 0, "ruling_count": 0, "kind": "penalty_points", "reason": "Late.", "penalty_points": [1, 0]}
LUNCH = {"name": "Tea", "starts_at": "2026-03-06T22:00:00Z", "ends_at": "2026-03-06T23:00:00Z"}

CHANGES: dict[str, Callable[[], Sent]] = {
    "patch tournament": of_tournament({"place": "Hall"}),
    "post events": of_tournament({"name": "New", **TERMS}),
    "post invitations": of_tournament({"role": "reader"}),
    "post invitations director": of_tournament({"role": "director"}),
    "post from-template": lambda: of_tournament({"template": event_called("Main").templates.get().pk})(),
    "post next-season": next_season,
    "put divisions": of_tournament({"divisions": []}),
    "post tournament-again": of_tournament({"starts_on": "2026-04-06"}),
    "post event-again": of_event("Main", {}),
    "post save-template": of_event("Main", {"name": "Another"}),
    "post delete": of_tournament({"name": "Friday Club"}),
    "post restore": lambda: Sent({"tournament_id": Tournament.everything.get(slug="gone").pk}),
    "patch role": lambda: Sent(scorer(), {"role": "reader"}),
    "patch role director": lambda: Sent(scorer(), {"role": "director"}),
    "delete role": lambda: Sent(scorer()),
    "post withdraw-invitation": lambda: Sent({"invitation_id": Invitation.objects.get().pk}),
    "patch event": of_event("Main", {"name": "Renamed"}),
    "post stages": of_event("Swiss", {**TERMS, "qualifiers": 2, "carry": "none"}),
    "delete stage 1": of_event("Door", number=2),
    "post draw": of_event("Fresh"),
    "delete draw": of_event("League"),
    "post finish": of_event("Tie", {"confirmed": True}),
    "post reopen": of_event("Ended"),
    "post delete-event": of_event("League", {"name": "League"}),
    "post restore-event": of_event("Gone"),
    "post entries": of_event("Fresh", {"name": "Zoe"}),
    "post entry-list": of_event("Fresh", {"text": "Zoe\nYan"}),
    "post entry-csv": lambda: Sent({"event_id": event_called("Fresh").pk}, FILE, content_type="text/csv"),
    "post entry-import": import_of_file,
    "put seeding": seeding,
    "post remove-entries": lambda: of_event("Fresh", {"entries": [entry_in("Fresh").pk]})(),
    "post check-in-all": of_event("Fresh"),
    "delete entry": of_entry("Fresh"),
    "put family": of_entry("Fresh", {"family": "Twins"}),
    "put home-evening": of_entry("League", {"weekday": 2}),
    "post play-offs 1": play_off,
    "post draw-changes 1": draw_change,
    "delete draw-change 1 1": of_event("League", number=1, change=1),
    "post challenges": new_challenge,
    "delete challenge 1": of_event("Ladder", number=1),
    "delete play-off": lambda: Sent({"play_off_id": PlayOff.objects.get().pk}),
    "post withdraw": of_entry("Swiss", number=2),
    "post return": of_entry("Swiss", number=1),
    "put seed": of_entry("Fresh", {"seed": 1}),
    "put money": of_event("Fresh", MONEY),
    "post payments": payments(5000),
    "post part-payments": payments(1000),
    "post reversal": payment,
    "post side-pools": of_event("Fresh", {"name": "Second", "fee": 100, "table": WINNER}),
    "put side-pool-member": lambda: pool_member(is_in=False),
    "delete side-pool-member": lambda: pool_member(is_in=True),
    "post lots": of_event("Fresh", {}),
    "delete lot": lambda: lot(is_sold=False),
    "put sale": lambda: lot(is_sold=False, data={"buyer": "Cy", "price": 1000, "base": 0}),
    "post sale-back": lambda: lot(is_sold=True, data={"base": 1}),
    "post check-in": of_entry("Fresh"),
    "delete check-in": of_entry("Door", checked_in_at__isnull=False),
    "post waiting": of_entry("Fresh"),
    "delete waiting": of_entry("Fresh", waiting=True),
    "post departure": of_entry("Fresh", {"kind": "withdrawn"}),
    "delete departure": of_entry("Door", left_at__isnull=False),
    "put replacement": of_entry("League", {"name": "Zoe"}),
    "post entry-link": of_entry("Fresh"),
    "post entry-links": of_event("Fresh"),
    "post absent": of_event("Door"),
    "post closings": of_event("Open"),
    "post reopen-entries": of_event("Dice", {"reason": "Seen."}),
    "post type-dice": of_event("Dice", {"dice": DICE}),
    "post type-round": drand_round,
    "put door": of_event("Door", DOOR),
    "put self-entry": of_event("Door", {"open": True}),
    "post lateness": of_match(FIRST_OF_LEAGUE, {**KEY, "minutes_a": 6}, event="League"),
    "post merge": lambda: Sent({"player_id": player_called("One")}, {"duplicate": player_called("Other")}),
    "delete undo-merge": lambda: Sent({"player_id": player_called("Ann"), "duplicate_id": player_called("Anne")}),
    "post result": of_match("M1-8", FINAL),
    "post reserve": reserve,
    "put match-deadline": new_deadline,
    "post walkover": of_match("M1-8", {**KEY, "to": "A"}),
    "put error-rates": of_match("R1-1", {"error_rates": [4.35, 5.1]}, event="Tie"),
    "post match-records": record_of("M1-8"),
    "delete match-record 1": attached_record,
    "post rulings": of_match("M1-8", RULING),
    "post void": of_match("M1-3", {"base": 1, "reason": "Seen."}),
    "post call-ready": of_tournament({}),
    "post call-match": of_match("M1-8", {}),
    "post start-match": of_match("M1-7"),
    "post page-request-yes": lambda: Sent({"request_id": page_asked_for()}),
    "post page-request-no": lambda: Sent({"request_id": page_asked_for()}),
    "post director": director_called,
    "delete director": director_called,
    "post move-match": of_match("M1-7", {"table": 2}),
    "post recall-match": of_match("M1-7"),
    "post tables": of_tournament({"first": 4, "last": 6}),
    "patch table 1": of_tournament({"streamed": True}, number=3),
    "put site-address": of_tournament({"site_address": "https://play.example.org"}),
    "post breaks": of_tournament(LUNCH),
    "delete break 1": lambda: of_tournament(break_id=event_called("Main").tournament.breaks.get().pk)(),
    "post announcements": of_tournament({"text": "Round 2 begins at 14:00."}),
    "delete announcement": lambda: of_tournament(announcement_id=Announcement.objects.first().pk)(),
    "post end-advance": of_match("M1-1", {"reason": "Seen.", "repair": "replay"}),
    "post undo": last_step,
    "post reports": of_match("M1-8", FINAL),
    "post confirm": of_match("M1-6", {"number": 1}),
    "post dispute": of_match("M1-6", {"number": 1}),
}
"""By address, as it is named in the tests of the roles; a role that is sent follows it."""

STORE_NOTHING = {"post departure-preview", "post money-preview", "post result-preview", "post void-preview"}
