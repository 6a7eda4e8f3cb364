"""A role that is taken away while its holder waits for the lock permits nothing, on any page and address.

Each address is sent something that it would do. Before each of its transactions the role is taken: the answer is 403,
and not one row has changed.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.urls import resolve
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from players.models import Merge, User
from tests.builders import build_director
from tests.meanwhile import before_query, before_transaction
from tests.pages import PageForm, forms_of
from tests.tournament.api.client import CheckedClient, database
from tests.tournament.pages.test_returned_forms import filled
from tests.tournament.pages.walk import build_walk, pages_of
from tests.tournament.roles.addresses import API, PAGES, PUBLIC, Address
from tests.tournament.roles.sent import CHANGES, RECORD, STORE_NOTHING, prepare
from tests.tournament.roles.test_permissions import undone
from tournament.log.words import VERBS
from tournament.models import Appointment, Call, LogEntry, Role
from tournament.roles.permissions import ACTION_OF, ASKED_BY_THE_SERVICE, PERMISSIONS, VERBS_OF

pytestmark = [pytest.mark.django_db, pytest.mark.long]

OFFERED = [address for address in PAGES if address.method == "post" and address.action != PUBLIC]
WRITTEN = [address for address in API if address.method != "get" and address.action != PUBLIC]
ONE_BY_ONE = {"call-ready"}
"""The addresses that do each of several things in a transaction of its own: what was done before stands."""


AT_ANY_QUERY = {
    *("post enter final", "post desk-act call", "post entries", "post door-check-in", "post act draw", "post settings"),
    *("post tables", "post undo", "post settle-report confirm", "post money-terms", "post roles", "post call-match"),
    *("post result", "post check-in", "post departure", "post draw", "post payments", "patch event", "post merge"),
}
"""One address and more of each kind of service, whose holder loses the role before any query ahead of the lock."""

Moment = Callable[[int, Callable[[], object], Callable[[], HttpResponse]], HttpResponse | None]


@dataclass
class World:
    """Tournaments of one owner in which everything is going on that somebody may change, and all forms about it."""

    owner: User
    forms: list[tuple[PageForm, str]]


@pytest.fixture(scope="module")
def built(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    """The world, made once for all tests of this module; what a test changes is rolled back at its end."""
    with django_db_blocker.unblock(), undone():
        owner = build_director()
        walk = build_walk(owner)
        signed_in, _page = walk.pages[0]
        walk.pages += [(signed_in, page) for page in pages_of(prepare())]
        forms = [(form, address) for _client, _page, form, address in walk.forms()]
        User.objects.filter(pk=owner.pk).update(is_superuser=False)
        owner.refresh_from_db()
        yield World(owner, forms)


@pytest.fixture
def world(built: World, db: None) -> World:
    return built


def take_all_roles(owner: User) -> None:
    Appointment.objects.filter(user=owner).delete()


def lower_to_reader(owner: User) -> None:
    Appointment.objects.filter(user=owner).update(role=Role.READER)


def check(
    owner: User,
    send: Callable[[], HttpResponse],
    *,
    moment: Moment = before_transaction,
    lose: Callable[[User], None] = take_all_roles,
    most: int | None = None,
) -> list[HttpResponse]:
    """Let the owner lose their roles at each such moment of the request, and return its answers."""
    before, answers, number = database(), [], 1

    def act() -> None:
        nonlocal before
        lose(owner)
        before = database()

    while most is None or number <= most:
        with undone():
            answer = moment(number, act, send)
            if answer is None:
                break
            assert (answer.status_code, database() == before) == (403, True), number
        answers.append(answer)
        number += 1
    assert answers, "there is no such moment"
    return answers


def most_moments(address: Address) -> int | None:
    return 1 if address.name in ONE_BY_ONE else None


def has_changed(send: Callable[[], HttpResponse]) -> tuple[bool, HttpResponse]:
    """Whether the request changes anything that leaves a row; and its answer."""
    before = rows_left()
    with undone():
        answer = send()
        return answer.status_code < 400 and rows_left() != before, answer


def rows_left() -> tuple[int, int]:
    """How many changes there have been; of merges of players who are in no event, the log knows nothing."""
    return LogEntry.objects.count(), Merge.objects.filter(undone_at=None).count()


# Pages: the forms as a browser sends them


TYPED = {
    "change-draw": {"change": "swap"},
    "delete-event": {"name": "Main"},
    "delete-tournament": {"name": "Friday Club"},
    "side-pools": {"table": "winner", "values": "", "fee": "1"},
    "enter": {"final_a": "5", "final_b": "3", "played_at": ""},
    "desk-act": {"final_a": "5", "final_b": "3", "table": "2"},
    "attach-record": {"left": "A"},
    "move-deadline": {"to": str(timezone.localdate() + timedelta(days=30))},
    "rule": {"against_a": "1"},
    "tables": {"last": "6"},
    "site-address": {"address": "https://play.example.org"},
    "add-break": {"starts_at": "2026-03-06T22:00", "ends_at": "2026-03-06T23:00"},
}
"""By address, what is typed where another text would be refused."""


def ways_to_send(form: PageForm, address: str) -> Iterator[dict[str, object]]:
    """What is sent if everything is typed, and if nothing is; with a list in a file where a file is asked for."""
    controls = {control.name: control for control in form.controls}
    typed: dict[str, object] = {**filled(form), **TYPED.get(resolve(address).view_name, {})}
    if "winner" in controls and controls["winner"].options:
        typed["winner"] = controls["winner"].options[1][0]  # the loser is the last one
    if boxes := [one.attributes["value"] for one in form.typed if one.name == "players"]:
        typed["players"] = boxes[::2][:2]  # of two pairings
    files = {name for name, control in controls.items() if control.kind == "file"}
    for data in (typed, form.data()):
        yield data | {name: file_for(address) for name in files}


def file_for(address: str) -> SimpleUploadedFile:
    """A match record where one is asked for, else a list of names."""
    if resolve(address).view_name == "attach-record":
        return SimpleUploadedFile("one.mat", RECORD.read_bytes().replace(b"Sten", b"Stan"))
    return SimpleUploadedFile("list.csv", b"name\nZoe\n")


def what_changes(client: Client, form: PageForm, address: str) -> dict[str, object] | None:
    """What the form sends so that something changes; a question is answered as its form offers it."""
    asked = [*ways_to_send(form, address)]
    for _question in range(3):
        answers = []
        for data in asked:
            changed, answer = has_changed(lambda data=data: client.post(address, data))
            if changed:
                return data
            answers.append(answer)
        found = (one for answer in answers for one in forms_of(answer) if one.action in {"", address})
        asked = [data for one in found for data in ways_to_send(one, address)]
    return None


def request_on_pages(world: World, address: Address) -> Callable[[], HttpResponse]:
    client = Client()
    client.force_login(world.owner)
    words = {name: value for name, value in address.own.items() if name in {"action", "way"}}
    offered = [
        (form, path)
        for form, path in world.forms
        if resolve(path).view_name == address.name and words.items() <= resolve(path).kwargs.items()
    ]
    found = ((path, what_changes(client, form, path)) for form, path in offered)
    path, data = next(((path, data) for path, data in found if data is not None), ("", None))
    assert data is not None, "no form of any page changes anything here"
    return lambda: client.post(path, from_the_start(data))


def from_the_start(data: dict[str, object]) -> dict[str, object]:
    """The data to be sent again, with its files read from their beginning."""
    for value in data.values():
        if isinstance(value, SimpleUploadedFile):
            value.seek(0)
    return data


@pytest.mark.parametrize("address", OFFERED, ids=str)
def test_a_role_that_goes_before_the_lock_permits_nothing_on_the_pages(world, address):
    check(world.owner, request_on_pages(world, address), most=most_moments(address))


@pytest.mark.parametrize(("moment", "lose"), [(before_query, take_all_roles), (before_transaction, lower_to_reader)])
@pytest.mark.parametrize("address", [address for address in OFFERED if str(address) in AT_ANY_QUERY], ids=str)
def test_a_role_may_go_or_be_lowered_at_any_moment_of_a_page(world, address, moment, lose):
    check(world.owner, request_on_pages(world, address), moment=moment, lose=lose)


# The API


def name_of(address: Address) -> str:
    return f"{address} {address.data['role']}" if address.data.get("role") == "director" else str(address)


def request_of_api(world: World, address: Address) -> Callable[[], HttpResponse]:
    client, sent = CheckedClient(), CHANGES[name_of(address)]()
    client.force_authenticate(world.owner)
    changed, answer = has_changed(lambda: sent.to(client, address))
    assert changed, answer.content
    return lambda: sent.to(client, address)


def test_every_address_of_the_api_that_changes_something_is_sent_something():
    assert {name_of(address) for address in WRITTEN} == set(CHANGES) | STORE_NOTHING


@pytest.mark.parametrize("address", [one for one in WRITTEN if name_of(one) in CHANGES], ids=name_of)
def test_a_role_that_goes_before_the_lock_permits_nothing_in_the_api(world, address):
    answers = check(world.owner, request_of_api(world, address), most=most_moments(address))
    assert {answer.json()["code"] for answer in answers} == {"role_missing"}


@pytest.mark.parametrize(("moment", "lose"), [(before_query, take_all_roles), (before_transaction, lower_to_reader)])
@pytest.mark.parametrize("address", [one for one in WRITTEN if name_of(one) in AT_ANY_QUERY], ids=name_of)
def test_a_role_may_go_or_be_lowered_at_any_moment_of_the_api(world, address, moment, lose):
    answers = check(world.owner, request_of_api(world, address), moment=moment, lose=lose)
    assert {answer.json()["code"] for answer in answers} == {"role_missing"}


def test_either_all_matches_are_called_or_none(world):
    """They are called in one transaction, before which the role may go."""
    (address,) = (one for one in WRITTEN if one.name == "call-ready")
    send, before = request_of_api(world, address), Call.objects.count()
    answer = before_transaction(1, lambda: take_all_roles(world.owner), send)
    assert answer is not None
    assert (answer.status_code, Call.objects.count()) == (403, before)
    assert before_transaction(2, lambda: take_all_roles(world.owner), send) is None


# The table


def test_every_verb_has_one_action_or_is_asked_about_by_its_service():
    assert set(ACTION_OF) | ASKED_BY_THE_SERVICE == set(VERBS)
    assert set(ACTION_OF) & ASKED_BY_THE_SERVICE == set()
    assert len(ACTION_OF) == sum(map(len, VERBS_OF.values()))
    assert set(VERBS_OF) <= set(PERMISSIONS)
