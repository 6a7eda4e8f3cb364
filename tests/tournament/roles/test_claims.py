"""What is claimed of a match in dispute stands at no public address until it is settled, and whoever settles reads it.

Every address that can be read is asked, so that a new page or a new answer of the API is asked too.
"""

import re
from collections.abc import Iterator
from datetime import timedelta
from html import unescape
from itertools import product

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from matches.models import Match, SheetState
from players.errors import Refusal
from players.models import User
from rules.score import Level, Side
from rules.sheet import GameResult
from tests.builders import AT, build_director, build_event, claim, fixture_of
from tournament.draw.standings import store_standings
from tournament.entries.links import link_of, token_of
from tournament.exports.tables import PUBLIC_EXPORTS
from tournament.hall.calling import call_match, start_match
from tournament.hall.tables import add_tables
from tournament.models import Appointment, Event, Role
from tournament.models.team import matches_in
from tournament.pictures.paper import SHEETS
from tournament.pictures.share import SharePicture
from tournament.pictures.shared import share_of_event, share_of_tournament
from tournament.results.enter import enter_result
from tournament.results.reports import confirm_result, dispute_result, report_result
from tournament.snapshot import take_snapshot

pytestmark = pytest.mark.django_db
A, B = Side.A, Side.B
LENGTH = 97
CLAIMED = ((97, 89), (83, 97), (0, 96), (64, 0))
"""The scores that are claimed: the report of each side, the sheet of the desk, and a report that was replaced."""
SCORES = re.compile("|".join(rf"\b{a}\W{{1,9}}{b}\b" for a, b in CLAIMED))
GAMES = re.compile(r'"cube": ?(32|64)\b|class="cube">(32|64)<|\bcube (32|64)\b')
REASON = "Nobody saw that cube"


def claim_in(match: Match, *, by: User) -> None:
    """Let the desk and both players claim another score each, a minute apart, and one of them object."""
    call_match(match, by=by, at=AT)
    start_match(match, by=by, at=AT)
    times = (AT + timedelta(minutes=minute) for minute in range(1, 9))
    report_result(match, claim=claim(games=(GameResult(A, 64),), confirmed=True), side=A, by=None, at=next(times))
    desk = claim(games=(GameResult(B, 32, Level.BACKGAMMON),), confirmed=True)
    enter_result(match, claim=desk, by=by, at=next(times))
    own = claim(final=CLAIMED[0], base=1, confirmed=True)
    report_result(match, claim=own, side=A, by=None, at=next(times))
    report_result(match, claim=claim(final=CLAIMED[1], confirmed=True), side=B, by=None, at=next(times))
    disputed = match.sheets.get(side="A", state=SheetState.DISPUTED)
    dispute_result(match, number=disputed.number, side=B, reason=REASON, by=None, at=next(times))


@pytest.fixture(params=[1, 3], ids=["players", "teams"])
def event(request, director) -> Event:
    build_event(build_director("elsewhere"), name="So that no two ids are alike")
    event = build_event(director, players=4, boards=request.param, format="round-robin", lengths=(LENGTH,))
    add_tables(event.tournament, first=1, last=4, by=None, at=AT)
    claim_in(first_match(event), by=director)
    store_standings(event.pk)
    return event


def first_match(event: Event) -> Match:
    return matches_in(event).order_by("pk").first()


def values_of(event: Event) -> dict[str, list[object]]:
    """What stands in the addresses, by the name of each part; what is missing here is a secret or a thing unmade."""
    tournament, match = event.tournament, first_match(event)
    ids = {"tournament_id": tournament.pk, "event_id": event.pk, "match_id": match.pk}
    ids |= {"tournament_slug": tournament.slug, "event_slug": event.slug}
    rows = list(event.log.filter(verb__in=("enter_result", "report_result")).values_list("pk", flat=True))
    return {
        **{name: [value] for name, value in ids.items()},
        "player_id": [match.side_a_id, match.side_b_id],
        "other_id": [match.side_b_id],
        "entry_id": [entry.pk for entry in event.entries.all()],
        "slug": list(SHEETS),
        "name": list(PUBLIC_EXPORTS),
        "format": ["csv", "json"],
        "moment": rows,
        "number": [1],
        "system": ["fibs"],
        "code": ["en"],
    }


def patterns(found: list, before: str = "", names: tuple[str, ...] = ()) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every named address, with the names of its parts."""
    for one in found:
        if isinstance(one, URLResolver):
            space = f"{before}{one.namespace}:" if one.namespace else before
            yield from patterns(one.url_patterns, space, (*names, *one.pattern.regex.groupindex))
        elif isinstance(one, URLPattern) and one.name:
            yield before + one.name, tuple(dict.fromkeys((*names, *one.pattern.regex.groupindex)))


def addresses(event: Event) -> list[str]:
    """Every address whose parts are known, and those of the past once more for each step."""
    known = values_of(event)
    found = []
    for name, parts in sorted(set(patterns(get_resolver().url_patterns))):
        if set(parts) <= known.keys():
            found += [
                reverse(name, kwargs=dict(zip(parts, chosen, strict=True)))
                for chosen in product(*(known[part] for part in parts))
            ]
    here = [event.tournament.slug, event.slug]
    pages = [reverse(name, args=here) for name in ("pairings", "bracket", "screen", "standings", "history", "story")]
    pages += [f"/api/v1/events/{event.pk}/", f"/api/v1/tournaments/{event.tournament_id}/"]
    return found + [f"{page}?at={row}" for page in pages for row in known["moment"]]


def text_of(answer) -> str:
    """What the answer says, once as it is and once without its tags."""
    raw = b"".join(answer) if answer.streaming else answer.content
    text = unescape(raw.decode("utf-8", "replace")).replace("\u2060", "")
    return f"{text}\n{' '.join(re.sub(r'<[^>]+>', ' ', text).split())}"


def told(client: Client, address: str) -> list[str]:
    """What the address says of the claims."""
    text = text_of(client.get(address))
    secrets = [found.group() for pattern in (SCORES, GAMES) for found in pattern.finditer(text)]
    return [*secrets, *([REASON] if REASON in text else [])]


def test_no_public_address_tells_what_is_claimed_of_a_dispute(event):
    asked = addresses(event)
    answered = {address: Client().get(address).status_code for address in asked}
    assert sum(status == 200 for status in answered.values()) > 100
    assert not any(status >= 500 for status in answered.values())
    leaks = {address: told(Client(), address) for address, status in answered.items() if status == 200}
    assert {address: found for address, found in leaks.items() if found} == {}


@pytest.mark.parametrize("role", [Role.SCORER, Role.READER])
def test_who_may_not_settle_it_reads_none_in_histories_nor_in_the_api(event, role):
    user = build_director("helper")
    Appointment.objects.create(tournament=event.tournament, user=user, role=role, since=AT)
    client, match = Client(), first_match(event)
    client.force_login(user)
    here = [event.tournament.slug, event.slug]
    pages = [reverse("history", args=here), reverse("desk", args=here[:1])]
    apis = [f"events/{event.pk}/history/", f"tournaments/{event.tournament_id}/hall/", f"matches/{match.pk}/"]
    for address in [*pages, *(f"/api/v1/{path}" for path in apis)]:
        assert client.get(address).status_code == 200
        found = told(client, address)
        assert REASON not in found
        if "desk" not in address:  # whose list of the latest steps is the log of those who work there
            assert found == [], address


def test_those_who_settle_it_read_all_of_it(event, as_director):
    match, here = first_match(event), [event.tournament.slug, event.slug]
    histories = [reverse("history", args=here), f"/api/v1/events/{event.pk}/history/"]
    for address in [match.get_absolute_url(), f"/api/v1/matches/{match.pk}/", *histories]:
        found = " ".join(told(as_director, address))
        assert all(re.search(rf"{a}\W{{1,9}}{b}", found) for a, b in CLAIMED[:2]), address
    for address in [match.get_absolute_url(), *histories]:
        assert REASON in told(as_director, address)


def test_both_players_read_the_claims_on_their_own_pages(event, client):
    match = first_match(event)
    fixture = getattr(match, "fixture", None) or match.board.fixture
    for entry in (fixture.entry_a, fixture.entry_b):
        found = " ".join(told(client, link_of(entry)))
        assert all(re.search(rf"{a}\W{{1,9}}{b}", found) for a, b in CLAIMED[:2])


def test_no_picture_shows_it(event):
    shown: list[SharePicture] = [
        share_of_event(take_snapshot(event.pk)),
        share_of_tournament(event.tournament, [event]),
    ]
    assert not any(SCORES.search(repr(picture)) for picture in shown)


def test_once_it_is_settled_everybody_reads_it_but_not_the_reason(event, client, director):
    match, here = first_match(event), [event.tournament.slug, event.slug]
    address = reverse("history", args=here)
    assert told(client, address) == []
    sheet = match.sheets.get(side="A", state=SheetState.DISPUTED)
    confirm_result(match, number=sheet.number, by=director, at=AT + timedelta(hours=1))
    for public in (address, f"/api/v1/events/{event.pk}/history/", reverse("event-feed", args=here)):
        assert "97–89" in told(client, public), public
    assert told(client, f"/api/v1/matches/{match.pk}/")
    for public in (address, f"/api/v1/events/{event.pk}/history/", match.get_absolute_url()):
        assert REASON not in told(client, public), public


def test_what_is_withheld_says_that_it_is_and_where_the_step_was_taken(event, client):
    rows = client.get(f"/api/v1/events/{event.pk}/history/").json()["results"]
    claimed = [row for row in rows if row["detail"].get("withheld")]
    assert {row["verb"] for row in claimed} == {"enter_result", "report_result", "dispute_result"}
    assert not any({"score", "claim", "reason"} & row["detail"].keys() for row in claimed)


@pytest.mark.parametrize("count", [1, 6])
def test_a_history_takes_the_same_queries_whatever_is_disputed(director, client, count):
    event = build_event(director, players=16)
    for number in range(1, count + 1):
        match = fixture_of(event, f"M1-{number}").match
        report_result(match, claim=claim(final=(5, 1)), side=A, by=None, at=AT)
        dispute_result(match, number=1, side=B, reason="", by=None, at=AT)
    with CaptureQueriesContext(connection) as queries:
        client.get(f"/api/v1/events/{event.pk}/history/")
    assert len(queries) <= 5


@pytest.mark.parametrize("reason", ["<b>no</b>\u202e", "a\x07b", "a\u2066b"])
def test_a_reason_that_hides_characters_is_refused(director, client, reason):
    event = build_event(director, players=4)
    match = fixture_of(event, "M1-1").match
    report_result(match, claim=claim(final=(5, 1)), side=A, by=None, at=AT)
    with pytest.raises(Refusal) as refused:
        dispute_result(match, number=1, side=B, reason=reason, by=None, at=AT)
    assert refused.value.code == "reason_unprintable"
    assert match.sheets.get().state == SheetState.REPORTED
    token = token_of(fixture_of(event, "M1-1").entry_b)
    address = f"/api/v1/links/{token}/matches/{match.pk}/sheet/dispute/"
    answer = client.post(address, {"number": 1, "reason": reason}, content_type="application/json")
    assert answer.status_code == 400
    assert match.sheets.get().state == SheetState.REPORTED
