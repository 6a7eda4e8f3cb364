"""Every address answers exactly those who may read it, and tells nobody what is not meant for them."""

import re
from collections.abc import Iterator

import pytest
from django.http import HttpResponse, HttpResponseBase
from django.urls import URLResolver, get_resolver, reverse
from pytest_django import DjangoDbBlocker

from tests.builders import fixture_of
from tests.fresh import forget_everything
from tests.tournament.roles.addresses import Address
from tests.tournament.roles.planted import ANONYMOUS, LINK, NOBODY, OWNER, SUPERUSER, VIEWERS, World, build_world
from tests.tournament.roles.reads import OWN, PUBLIC, READS, SECRETS, SIGNED_IN, SITE, STEP, UNNAMED, WRITES, Read
from tests.tournament.roles.sent import event_called
from tests.tournament.roles.test_permissions import ADDRESSES, EVENT_NAMES, is_allowed, undone
from tournament.pictures.paper import SHEETS
from tournament.roles.permissions import EVERYWHERE

pytestmark = pytest.mark.django_db

ROLES = {
    **dict.fromkeys((ANONYMOUS, LINK, NOBODY, "stranger"), ("nobody", "")),
    "elsewhere": ("scorer", "elsewhere"),
    "reader": ("reader", ""),
    "scorer": ("scorer", "here"),
    "deputy": ("deputy", "here"),
    "director": ("director", ""),
    OWNER: ("owner", ""),
}
"""The role of each viewer, and how far it reaches; a superuser is an owner everywhere."""

SHORT = (ANONYMOUS, "reader")
"""The viewers for whom the matrix is read in every run; all others are ``long``."""

WORDS: dict[str, object] = {"action": "draw", "way": "final", "format": "csv", "slug": "pairings", "name": "entries"}
OTHER_WORDS: dict[str, dict[str, object]] = {
    "api:problem": {"code": "role_missing"},
    "money-act": {"action": "settle"},
    **{name: {"action": "confirm"} for name in ("settle-report", "my-answer", "desk-act")},
    "rule": {"way": "late"},
    "answer-page-request": {"action": "yes"},
    "person-act": {"action": "edit"},
    **{
        name: {"code": "DBGF"}
        for name in (
            *("federation", "edit-federation", "members", "import-members", "new-club", "new-list"),
            *("appoint-officer", "federation-titles", "award-title", "title-table"),
            *("api:federation-titles", "api:title-tables", "api:all-series", "api:series", "api:series-events"),
            *("new-series", "series", "edit-series", "series-events", "remove-series-event", "api:series-event"),
            *("delete-series", "edit-series-event"),
            *("api:federation", "api:officers", "api:members", "api:import-members", "api:imports"),
            *("exports", "new-export", "webhooks", "api:exports", "api:export-profiles", "api:webhooks"),
        )
    },
    "side-member": {"action": "join"},
    "sell-lot": {"action": "sell"},
    "approve-event": {"action": "approve"},
    **{name: {"back": "desk"} for name in ("settle", "pay-part")},
}
OF_THE_LINK = {"score-keeper", "my-record", "my-report", "my-answer", "my-director"}
OF_THE_LINK |= {"my-extension", "my-offer", "api:my-extension", "api:my-offers", "api:my-record"}
OF_THE_LINK |= {"api:sheet", "api:sheet-confirm", "api:sheet-dispute", "api:my-director"}
"""The addresses about a match of the entry whose link they hold."""


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    """The world, made once for all tests of this module; what a request changes is rolled back."""
    forget_everything()
    with django_db_blocker.unblock(), undone():
        yield build_world()


def paths_of(world: World, name: str, read: Read) -> Iterator[tuple[str, bool]]:
    """The addresses of this name, one for each thing that it may hold; and whether it is in Main, if in any event."""
    held = ADDRESSES[name].names
    sheets = tuple({"slug": slug} for slug, sheet in SHEETS.items() if not sheet.action)
    for event_name in read.events:
        event = event_called(event_name)
        here = {"event_slug": event.slug, "event_id": event.pk} if held & {"event_slug", "event_id"} else {}
        for own in sheets if name == "sheet" else read.own:
            ids = {**WORDS, **world.ids, "token": world.ids[read.token], **here, **OTHER_WORDS.get(name, {}), **own}
            if name in OF_THE_LINK:
                ids["match_id"] = fixture_of(world.main, "M1-6").match_id
            path = reverse(name, kwargs={key: value for key, value in ids.items() if key in held})
            yield f"{path}?{read.query}" if read.query else path, event == world.main


def expected(name: str, read: Read, viewer: str, in_main: bool) -> set[int]:
    """The status that the viewer gets; a few where it is no matter which of them."""
    is_api, visits = name.startswith("api:"), viewer in (ANONYMOUS, LINK)
    if read.who == WRITES:
        return {301, 302, 400, 401, 403, 405}
    if read.who == PUBLIC:
        return {read.status}
    if read.who == STEP:
        return {302} if visits else {302, 404}
    if visits:
        return {401} if is_api else {302}
    if read.who == SITE:
        return {read.status if viewer == SUPERUSER else 403}
    if read.who in (SIGNED_IN, OWN):
        return {read.status} if read.who == SIGNED_IN or viewer == OWNER else {404}
    role, reach = ROLES.get(viewer, ("owner", ""))
    if reach == "here" and not in_main:
        reach = "elsewhere"
    return {read.status} if is_allowed(Address(name, read.who), name, role, reach) else {403}


def may_see(kind: str, name: str, viewer: str) -> bool:
    secret = SECRETS[kind]
    if name in secret.addresses or (secret.action == "own" and viewer == OWNER):
        return True
    if name in secret.site and viewer == SUPERUSER:
        return True
    if not secret.action or secret.action == "own" or viewer in (ANONYMOUS, LINK):
        return False
    role, reach = ROLES.get(viewer, ("owner", ""))
    place = "event-log" if secret.in_main else "log"  # an address of Main, and one of the tournament
    assert bool(EVENT_NAMES & ADDRESSES[place].names) == secret.in_main
    return is_allowed(Address(place, secret.action), place, role, reach)


def text_of(answer: HttpResponseBase) -> str:
    """Everything that is answered, headers too."""
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content  # type: ignore[attr-defined]
    return f"{answer.headers}{body.decode(errors='replace')}"


def told(world: World, name: str, viewer: str, answer: HttpResponseBase) -> set[str]:
    """The kinds of secrets that are in the answer and not for this viewer; a user's own names are none."""
    text = text_of(answer)
    if viewer in world.users:
        text = text.replace(world.users[viewer].email, "").replace(world.users[viewer].username, "")
    found = {kind for kind, texts in world.secrets.items() if any(one in text for one in texts)}
    return {kind for kind in found if not may_see(kind, name, viewer)}


@pytest.mark.parametrize(
    "viewer", [viewer if viewer in SHORT else pytest.param(viewer, marks=pytest.mark.long) for viewer in VIEWERS]
)
def test_everybody_reads_what_the_table_says_and_no_secret(world, viewer):
    wrong, leaks = {}, {}
    client = world.client(viewer)
    for name, read in READS.items():
        for path, in_main in paths_of(world, name, read):
            with undone():
                answer: HttpResponse = client.get(path)  # type: ignore[assignment]
            if answer.status_code not in expected(name, read, viewer, in_main):
                wrong[name, path] = answer.status_code
            if found := told(world, name, viewer, answer):
                leaks[name, path] = found
    assert wrong == {}
    assert leaks == {}


def test_every_address_has_a_line_in_the_table():
    assert set(READS) == set(ADDRESSES)
    assert set(unnamed(get_resolver())) == UNNAMED


def unnamed(resolver: URLResolver) -> Iterator[str]:
    for one in resolver.url_patterns:
        if isinstance(one, URLResolver):
            yield from unnamed(one)
        elif not one.name:
            yield str(one.pattern)


def test_every_planted_text_has_a_line_and_is_seen_by_those_who_may(world):
    """A text that nobody is shown anywhere would prove nothing; some are shown to nobody at all."""
    assert set(world.secrets) == set(SECRETS)
    seen: set[str] = set()
    for viewer in (SUPERUSER, OWNER):
        client = world.client(viewer)
        for name, read in READS.items():
            if read.who != WRITES and re.search("roles|calcutta|money|log$|entr|user|token|backups", name):
                for path, _in_main in paths_of(world, name, read):
                    text = text_of(client.get(path))
                    seen |= {kind for kind, texts in world.secrets.items() if any(one in text for one in texts)}
    meant = {kind for kind, secret in SECRETS.items() if secret.site or secret.action not in {"", "own"}}
    assert meant - seen == set()


def test_actions_that_reach_everywhere_are_those_of_the_hall_and_the_roles():
    """The table counts on it for the scorer of another event."""
    assert {"see_desk", "see_roles"} == EVERYWHERE
