"""Officers land on what they keep, everybody else where they always did; the home page leads officers there too."""

import pytest
from django.db import connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from players.lists.models import OfficialList
from players.models import RegistryRole, User
from players.registry.bodies import FederationData, create_federation
from tests.builders import AT, build_event
from tests.fresh import forget_everything
from tests.players.registry.people import Registry, build_registry
from tournament.models import Appointment, Role
from tournament.sign_in.adapter import UserAccounts

pytestmark = pytest.mark.django_db
PASSWORD = "long-enough-for-tests"
HOME = reverse("home")


@pytest.fixture
def registry(director) -> Registry:
    build_event(director)
    registry = build_registry()
    for user in (registry.officer, registry.manager, registry.member, registry.stranger):
        user.set_password(PASSWORD)
        user.save()
    return registry


def landing(user: User, **typed: str) -> str:
    answer = Client().post(reverse("login"), {"username": user.username, "password": PASSWORD, **typed})
    assert answer.status_code == 302
    return answer.headers["Location"]


def test_an_officer_lands_on_the_page_of_the_federation(registry):
    federation = reverse("federation", args=["DBGF"])
    assert landing(registry.officer) == federation
    assert landing(registry.officer, next=HOME) == federation
    assert landing(registry.officer, next=reverse("rankings")) == reverse("rankings")


def test_an_officer_of_several_lands_in_the_inbox(registry):
    other = create_federation(FederationData("sbgf", "Svenska", "SE", "", 1, 1, ""), by=None)
    RegistryRole.objects.create(user=registry.officer, since=AT, federation=other)
    assert landing(registry.officer) == reverse("inbox")


def test_everybody_else_lands_on_the_home_page(registry):
    for user in (registry.manager, registry.member, registry.stranger):
        assert landing(user) == HOME
    event = build_event(registry.stranger)
    Appointment.objects.create(tournament=event.tournament, user=registry.officer, role=Role.DIRECTOR, since=AT)
    assert landing(registry.officer) == HOME
    registry.stranger.is_superuser = True
    registry.stranger.save()
    assert landing(registry.stranger) == HOME


def test_with_a_passkey_they_land_on_the_same_page(registry):
    request = RequestFactory().get("/")
    for user, wanted in ((registry.officer, reverse("federation", args=["DBGF"])), (registry.member, HOME)):
        request.user = user
        assert UserAccounts(request).get_login_redirect_url(request) == wanted


def home_of(user: User | None) -> str:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client.get(HOME).content.decode()


def test_the_home_page_leads_officers_to_federation_members_inbox_and_lists(registry):
    links = [reverse("federation", args=["DBGF"]), reverse("members", args=["DBGF"]), reverse("inbox")]
    first = home_of(registry.officer)
    assert [link for link in links if f'href="{link}"' not in first] == []
    OfficialList.objects.create(
        slug="dbgf", name="DBgF rating", federation=registry.federation, kind="fibs", made_at=AT
    )
    shown = home_of(registry.officer)
    assert f'href="{reverse("official-list", args=["dbgf"])}">DBgF rating</a>' in shown
    for user in (None, registry.manager, registry.member, registry.stranger):
        assert not any(f'href="{link}"' in home_of(user) for link in links)


def test_the_home_page_of_an_officer_asks_no_more_for_more_federations(registry):
    def queries() -> int:
        forget_everything()
        with CaptureQueriesContext(connection) as taken:
            home_of(registry.officer)
        return len(taken)

    queries()
    few = queries()
    for code in ("sbgf", "nbgf"):
        other = create_federation(FederationData(code, f"Federation {code}", "SE", "", 1, 1, ""), by=None)
        RegistryRole.objects.create(user=registry.officer, since=AT, federation=other)
    assert queries() == few
