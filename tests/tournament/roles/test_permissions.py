"""Every address that writes, or shows what is not public, lets in exactly the roles that PERMISSIONS names."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass

import pytest
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from players.models import User
from tests.builders import AT, build_director, build_event, build_terms, fixture_of
from tests.tournament.api.client import CheckedClient
from tests.tournament.roles.addresses import API, ELSEWHERE, PAGES, PUBLIC, Address
from tournament.draw.hand import change_draw
from tournament.entries.page_requests import ask_for_page
from tournament.events.appoint import invite
from tournament.events.deletion import delete_event
from tournament.events.services import create_event
from tournament.formats.moves import MoveKind
from tournament.models import Announcement, Appointment, Event, LogEntry, Lot, Payment, PlayOff, Role, SidePool
from tournament.roles.permissions import EVERYWHERE, PERMISSIONS, actions_of

pytestmark = [pytest.mark.django_db, pytest.mark.long]


@dataclass
class Scene:
    """A tournament whose event is being played, a second event, and a user for every possible role."""

    event: Event
    users: dict[tuple[str, str], User]
    ids: dict[str, object]


@pytest.fixture(scope="module")
def built(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Scene]:
    """The scene, made once for all tests of this module; what a test changes is rolled back at its end."""
    with django_db_blocker.unblock(), undone():
        yield build_scene(build_director())


@pytest.fixture
def scene(built: Scene, db: None) -> Scene:
    """The scene as it is in the database: changes that a test makes to its objects do not reach another."""
    return deepcopy(built)


def build_scene(director: User) -> Scene:
    event = build_event(director, players=4)
    other = create_event(event.tournament, build_terms(name="Side", format="round-robin"), by=director, at=AT)
    users = {("nobody", ""): build_director("nobody")}
    for role in Role:
        reaches = {"": None, "here": event, "elsewhere": other}
        if role in {Role.OWNER, Role.DIRECTOR}:
            reaches = {"": None}
        elif role is Role.DEPUTY:
            del reaches[""]
        for reach, place in reaches.items():
            user = users[role.value, reach] = build_director(f"a {role.value} {reach}".strip())
            Appointment.objects.create(tournament=event.tournament, event=place, user=user, role=role, since=AT)
    invitation, _token = invite(event.tournament, role="scorer", by=director, at=AT, token="known")
    held = Appointment.objects.create(
        tournament=event.tournament, user=build_director("held"), role=Role.SCORER, since=AT
    )
    winner, loser = event.entries.all()[:2]
    play_off = PlayOff.objects.create(stage=event.stages.get(), winner=winner, loser=loser)
    change_draw(event.stages.get(), kind=MoveKind.SWAP, a=winner, b=loser, reason="Asked.", by=director, at=AT)
    said = Announcement.objects.create(tournament=event.tournament, text="Supper at six.", made_at=AT)
    asked = ask_for_page(event.entries.all()[0], key="k", at=timezone.now())
    ids = {
        "tournament_slug": event.tournament.slug,
        "event_slug": event.slug,
        "tournament_id": event.tournament_id,
        "event_id": event.pk,
        "entry_id": event.entries.all()[0].pk,
        "play_off_id": play_off.pk,
        "match_id": fixture_of(event, "M1-1").match_id,
        "player_id": event.entries.all()[0].player_id,
        "duplicate_id": event.entries.all()[1].player_id,
        "appointment_id": held.pk,
        "invitation_id": invitation.pk,
        "token": "known",
        "announcement_id": said.pk,
        "request_id": asked.pk,
        "row_id": LogEntry.objects.filter(event=event).latest("id").pk,
    } | money_of(event)
    return Scene(event, users, ids)


def money_of(event: Event) -> dict[str, object]:
    """A side pool, a lot and a payment of the event."""
    entry = event.entries.all()[0]
    pool = SidePool.objects.create(event=event, name="Side", fee=100)
    lot = Lot.objects.create(event=event, number=1)
    payment = Payment.objects.create(
        event=event, purpose="entry", account=f"entry-{entry.pk}", name="X", amount=1, currency="EUR", key="x", at=AT
    )
    return {"pool_id": pool.pk, "lot_id": lot.pk, "payment_id": payment.pk}


@contextmanager
def undone() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@dataclass(frozen=True)
class Found:
    pattern: URLPattern
    names: frozenset[str]
    """What the address holds, as its pattern and those that include it name it."""


def patterns(
    resolver: URLResolver, prefix: str = "", names: frozenset[str] = frozenset()
) -> Iterator[tuple[str, Found]]:
    """Every named address of the site."""
    for one in resolver.url_patterns:
        held = names | set(one.pattern.regex.groupindex)
        if isinstance(one, URLResolver):
            yield from patterns(one, f"{one.namespace}:" if one.namespace else prefix, held)
        elif one.name:
            yield f"{prefix}{one.name}", Found(one, held)


NAMED = list(patterns(get_resolver()))
ADDRESSES = dict(NAMED)


def test_each_name_is_of_one_address() -> None:
    """A second one would be tried by nobody."""
    assert len(NAMED) == len(ADDRESSES)


def path_of(name: str, ids: dict[str, object]) -> str:
    return reverse(name, kwargs={key: value for key, value in ids.items() if key in ADDRESSES[name].names})


EVENT_NAMES = {"event_slug", "event_id", "entry_id", "match_id", "play_off_id", "pool_id", "lot_id", "payment_id"}
EVENT_NAMES |= {"request_id"}


def is_allowed(address: Address, name: str, role: str, reach: str) -> bool:
    """Whether the table lets this role in, read without the code that does so in the program."""
    if address.action == PUBLIC:
        return True
    if role == "nobody" or Role(role) not in PERMISSIONS[address.action]:
        return False
    if address.action in EVERYWHERE:
        return True
    return reach == "" or (reach == "here" and bool(EVENT_NAMES & ADDRESSES[name].names))


def check(address: Address, name: str, scene: Scene, send: Callable[[User], int]) -> None:
    let_in = {}
    for (role, reach), user in scene.users.items():
        with undone():
            if address.before == "delete":
                owner = scene.event.tournament.appointments.filter(role=Role.OWNER).earliest("pk").user
                delete_event(scene.event, typed=scene.event.name, by=owner, at=AT)
            status = send(user)
        assert status < 500
        let_in[role, reach] = status != 403
    assert let_in == {(role, reach): is_allowed(address, name, role, reach) for role, reach in scene.users}


@pytest.mark.parametrize("address", PAGES, ids=str)
def test_page_lets_in_exactly_the_roles_of_the_table(scene, address):
    path = path_of(address.name, scene.ids | address.own)

    def send(user: User) -> int:
        client = Client()
        client.force_login(user)
        return getattr(client, address.method)(path, address.data).status_code

    check(address, address.name, scene, send)


@pytest.mark.parametrize("address", API, ids=str)
def test_api_lets_in_exactly_the_roles_of_the_table(scene, address):
    path = path_of(f"api:{address.name}", scene.ids | address.own)

    def send(user: User) -> int:
        client = CheckedClient()
        client.force_authenticate(user)
        return getattr(client, address.method)(path, address.data).status_code

    check(address, f"api:{address.name}", scene, send)


@pytest.mark.parametrize("address", [one for one in PAGES if one.action != PUBLIC], ids=str)
def test_page_turns_away_visitors_who_are_not_signed_in(scene, address):
    response = getattr(Client(), address.method)(path_of(address.name, scene.ids | address.own), address.data)
    assert response.status_code in {302, 403}
    assert response.status_code == 403 or response.url.startswith(reverse("login"))


@pytest.mark.parametrize("address", [one for one in API if one.action != PUBLIC], ids=str)
def test_api_turns_away_clients_that_are_not_signed_in(scene, address):
    path = path_of(f"api:{address.name}", scene.ids | address.own)
    assert getattr(CheckedClient(), address.method)(path, address.data).status_code == 401


def test_every_action_has_a_page_and_an_address_of_the_api():
    assert {address.action for address in PAGES} - {PUBLIC} == set(PERMISSIONS)
    assert {address.action for address in API} - {PUBLIC} == set(PERMISSIONS)


def test_every_address_that_takes_more_than_get_is_named_here(scene):
    """For the API its classes say so; for a page its answer to a POST."""
    pages = {address.name for address in PAGES} | ELSEWHERE
    methods = {(f"api:{address.name}", address.method) for address in API}
    ids: dict[str, object] = dict.fromkeys((name for found in ADDRESSES.values() for name in found.names), 1)
    ids |= {**scene.ids, "action": "draw", "way": "final", "format": "csv", "code": "da", "system": "fibs"}
    ids |= {"slug": "pairings", "name": "entries"}
    unnamed = set()
    for name, found in ADDRESSES.items():
        if name in pages:
            continue
        if view := getattr(found.pattern.callback, "view_class", None):
            writing = {method for method in ("post", "put", "patch", "delete") if hasattr(view, method)}
            unnamed |= {(name, method) for method in writing} - methods
        else:
            with undone():
                if Client().post(path_of(name, ids)).status_code != 405:
                    unnamed.add((name, "post"))
    assert unnamed == set()


def test_named_addresses_exist():
    named = {address.name for address in PAGES} | {f"api:{address.name}" for address in API} | ELSEWHERE
    assert named - set(ADDRESSES) == set()


def test_a_superuser_may_do_everything_and_an_inactive_user_nothing(scene):
    user = scene.users["nobody", ""]
    user.is_superuser = True
    assert actions_of(user, scene.event) == set(PERMISSIONS)
    user.is_active = False
    assert actions_of(user, scene.event) == set()


def test_the_permissions_of_a_role_take_one_query(scene, django_assert_num_queries):
    with django_assert_num_queries(1):
        found = actions_of(scene.users["scorer", "here"], scene.event)
    assert found == {action for action, roles in PERMISSIONS.items() if Role.SCORER in roles}


def test_refusal_names_the_roles_that_may(scene):
    client = Client()
    client.force_login(scene.users["scorer", ""])
    response = client.post(path_of("act", scene.ids | {"action": "draw"}))
    assert response.status_code == 403
    assert "Only these roles may do this in “Main”: owner, director, deputy." in response.content.decode()
