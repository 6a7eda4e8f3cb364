"""The wishes of members to be shown otherwise wait on the page of their federation, before its officers alone."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from players.models import Player, RegistryRole, User, VisibilityRequest
from players.registry.bodies import FederationData, create_federation
from players.registry.memberships import Term, add_membership
from players.registry.people import Person, create_person
from players.registry.visibility import answer_request, ask_visibility
from tests.builders import AT
from tests.players.registry.people import Registry, build_registry

pytestmark = pytest.mark.django_db
HEADING = "to be shown otherwise"


@pytest.fixture
def registry() -> Registry:
    return build_registry()


def page(user: User | None, code: str = "DBGF") -> str:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client.get(reverse("federation", args=[code])).content.decode()


def asks(person: Player, wanted: str = "hidden") -> VisibilityRequest:
    user = User.objects.create_user(f"user-{person.pk}")
    RegistryRole.objects.create(user=user, since=AT, player=person)
    return ask_visibility(person, wanted, by=user, at=AT + timedelta(minutes=person.pk))


def test_officers_read_how_many_wishes_wait_and_whose_they_are(registry):
    assert HEADING not in page(registry.officer)
    asks(create_person(Person("Bo", "Lund", club="Odense"), by=None, at=AT), "initials")
    ask_visibility(registry.holm, "hidden", by=registry.member, at=AT)
    shown = page(registry.officer)
    assert "2 wishes to be shown otherwise" in shown
    assert f'<a href="{reverse("person", args=[registry.holm.pk])}">Holm, Asta</a>' in shown
    assert shown.index("Holm, Asta") < shown.index("Lund, Bo")
    assert "Asks to be shown as: initials" in shown


def test_nobody_else_reads_them(registry):
    ask_visibility(registry.holm, "hidden", by=registry.member, at=AT)
    for user in (None, registry.stranger, registry.member, registry.manager):
        assert HEADING not in page(user)


def test_one_that_is_answered_is_gone(registry):
    wish = ask_visibility(registry.holm, "initials", by=registry.member, at=AT)
    assert "1 wish to be shown otherwise" in page(registry.officer)
    answer_request(wish, granted=False, by=registry.officer, at=AT)
    assert HEADING not in page(registry.officer)


def test_those_of_another_federation_are_not_listed_and_those_of_none_are(registry):
    others = create_federation(FederationData("sbgf", "Svenska", "SE", "", 1, 1, ""), by=None)
    theirs, nobodys = (create_person(Person(name, "Dahl"), by=None, at=AT) for name in ("Ida", "Eva"))
    add_membership(theirs, others, kind="ordinary", term=Term(AT.date(), None), by=None)
    for person in (theirs, nobodys):
        asks(person)
    administrator = User.objects.create_superuser("root")
    for user in (registry.officer, administrator):
        assert ("Dahl, Ida" in page(user), "Dahl, Eva" in page(user)) == (False, True)
    assert "Dahl, Ida" in page(administrator, "SBGF")


def test_they_are_listed_in_as_many_queries_however_many_they_are(registry):
    def queries() -> int:
        with CaptureQueriesContext(connection) as taken:
            page(registry.officer)
        return len(taken)

    asks(registry.holm)
    few = queries()
    for number in range(6):
        asks(create_person(Person("Bo", f"Lund{number}", club="Odense"), by=None, at=AT))
    assert queries() == few
    assert "7 wishes" in page(registry.officer)
