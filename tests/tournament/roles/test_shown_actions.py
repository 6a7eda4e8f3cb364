"""A page offers its readers only what they may do: no link leads to a refusal, and no form is refused."""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urljoin

import pytest
from django.db import transaction
from django.test import Client
from django.urls import resolve, reverse

from rules.score import Side
from tests.builders import AT, build_director, build_event, build_tournament, claim, fixture_of, win
from tournament.entries.attendance import set_door
from tournament.entries.identity import merge_players
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries
from tournament.hall.calling import call_match
from tournament.hall.tables import add_tables
from tournament.models import Appointment, Event, Role
from tournament.results.reports import report_result

pytestmark = pytest.mark.django_db

EVENT_PAGES = ("pairings", "bracket", "standings", "entries", "history", "paper", "prizes")
TOURNAMENT_PAGES = ("tournament", "desk", "day", "roles", "tables")
REFUSED = {"get": (302, 403, 404, 405), "post": (403, 404, 405)}
OPEN_TO_ALL = ("choose-language", "logout", "login", "take-role")


@dataclass
class Form:
    action: str
    data: dict[str, str] = field(default_factory=dict)


class Offered(HTMLParser):
    """The links of a page, and the forms that it posts with their contents."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.forms: list[Form] = []
        self.form: Form | None = None
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attributes}
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        if tag == "form" and found.get("method") == "post":
            self.form = Form(found.get("action", ""))
        if self.form is not None:
            if found.get("name") and found.get("type") not in ("radio", "checkbox", "file"):
                self.form.data.setdefault(found["name"], found.get("value", ""))
            # A form is only an offer with a button.
            if tag == "button" and found.get("type") != "button":
                self.forms.append(Form(found.get("formaction", self.form.action), self.form.data))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.form = None


@pytest.fixture
def event(director) -> Event:
    """An event with a result, a locked one, a dispute and a call, in which somebody was merged with a duplicate who had
    played elsewhere; another event takes entries at its door."""
    event = build_event(director, players=16)
    tournament = event.tournament
    add_tables(tournament, first=1, last=3, by=director, at=AT)
    for number in (1, 2):
        win(fixture_of(event, f"M1-{number}").match, Side.A)
    win(fixture_of(event, "M2-1").match, Side.A)
    disputed = fixture_of(event, "M1-3").match
    report_result(disputed, claim=claim(final=(5, 1)), side=Side.A, by=None, at=AT)
    report_result(disputed, claim=claim(final=(1, 5)), side=Side.B, by=None, at=AT)
    report_result(fixture_of(event, "M1-4").match, claim=claim(final=(5, 1)), side=Side.A, by=None, at=AT)
    call_match(fixture_of(event, "M1-5").match, by=director, at=AT)
    door = build_event(director, players=4, drawn=False, tournament=tournament)
    host = build_director("elsewhere")
    elsewhere = build_event(host, players=0, drawn=False, tournament=build_tournament(host))
    duplicate, *_rest = add_entries(elsewhere, lines=[EntryLine(name="Played Elsewhere")], by=None, at=AT)
    merge_players(event.entries.get(number=16).player, duplicate.player, by=None, at=AT)
    set_door(door, max_entries=3, check_in=True, late_minutes=None, by=director, at=AT)
    return event


def addresses_of(event: Event) -> list[str]:
    tournament = event.tournament
    pages = [reverse(name, args=[tournament.slug]) for name in TOURNAMENT_PAGES]
    for one in tournament.events.all():
        pages += [reverse(name, args=[tournament.slug, one.slug]) for name in EVENT_PAGES]
    keys = ("M1-1", "M1-3", "M1-4", "M1-5", "M2-1", "M1-6")
    pages.append(event.entries.get(number=16).player.get_absolute_url())
    return pages + [reverse("match", args=[fixture_of(event, key).match_id]) for key in keys]


def sign_in(event: Event, role: str, here: bool) -> Client:
    client = Client()
    if role == "stranger":
        return client
    user = build_director("somebody")
    if role != "nobody":
        place = event if here else None
        Appointment.objects.create(tournament=event.tournament, event=place, user=user, role=role, since=AT)
    client.force_login(user)
    return client


@pytest.mark.parametrize(
    ("role", "here"),
    [
        ("stranger", False),
        ("nobody", False),
        (Role.READER, True),
        (Role.SCORER, False),
        (Role.SCORER, True),
        (Role.DEPUTY, True),
        (Role.DIRECTOR, False),
    ],
)
def test_nothing_is_offered_that_would_be_refused(event, role, here):
    client = sign_in(event, role, here)
    refused, seen = set(), set()
    for page in addresses_of(event):
        shown = client.get(page)
        if shown.status_code != 200:
            continue
        offered = Offered(shown.content.decode())
        for method, offers in (("get", map(Form, offered.links)), ("post", offered.forms)):
            for offer in offers:
                path = urljoin(page, offer.action or page).split("#")[0]
                if not path.startswith(("/t/", "/matches/", "/players/")):
                    continue
                name = resolve(path.split("?")[0]).view_name
                kind = (method, page, name, offer.data.get("way", ""))
                # One of a kind on each page: the links of a bracket are alike.
                if name in OPEN_TO_ALL or kind in seen or (method, path) in seen:
                    continue
                seen |= {kind, (method, path)}
                with transaction.atomic():
                    if getattr(client, method)(path, offer.data).status_code in REFUSED[method]:
                        refused.add((name, page))
                    transaction.set_rollback(True)
    assert refused == set()
