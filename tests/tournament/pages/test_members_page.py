"""The members of a federation before its officers: by family name, counted, and with those who are members no more."""

import re
from datetime import date, timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from players.models import Player, RegistryRole
from players.registry.bodies import ClubData, FederationData, create_club, create_federation
from players.registry.memberships import Term, add_membership
from players.registry.people import Person, create_person, edit_person
from players.registry.records import add_number
from tests.builders import AT
from tests.pages import text_of
from tests.players.registry.people import Registry, build_registry
from tests.tournament.api.client import CheckedClient

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


@pytest.fixture
def registry() -> Registry:
    """Today's members are Åse Aa and Carl Berg; Asta Holm's membership has lapsed, and Bo Lund has none."""
    registry = build_registry()
    today = timezone.localdate()
    registry.holm.body_memberships.update(starts=today - 400 * DAY, ends=today - DAY)
    for given, family in (("Carl", "Berg"), ("Åse", "Zahl"), ("Anna", "Berg")):
        person = create_person(Person(given, family, club="Vejle"), by=None, at=AT)
        add_membership(person, registry.federation, kind="ordinary", term=Term(today - DAY, None), by=None)
    create_person(Person("Bo", "Lund", club="Odense"), by=None, at=AT)
    create_person(Person("Nobody", "Elsewhere"), by=None, at=AT)
    return registry


def shown(registry: Registry, **asked: object) -> tuple[list[str], str]:
    client = Client()
    client.force_login(registry.officer)
    answer = client.get(reverse("members", args=["DBGF"]), asked)
    names = re.findall(r'<th scope="row"><a [^>]*>([^<]*)</a>', answer.content.decode())
    return names, text_of(answer)


def test_todays_members_stand_by_family_name_and_are_counted(registry):
    names, text = shown(registry)
    assert names == ["Berg, Anna", "Berg, Carl", "Zahl, Åse"]
    assert "3 members" in text
    assert "found" not in text.replace("finds everybody", "")


def test_a_search_finds_a_person_whose_membership_has_lapsed_and_says_so(registry):
    names, text = shown(registry, q="holm")
    assert names == ["Holm, Asta"]
    assert "lapsed · ordinary" in text
    assert "3 members · 1 found" in text


def test_a_later_membership_makes_a_lapsed_one_valid_again(registry):
    today = timezone.localdate()
    add_membership(registry.holm, registry.federation, kind="ordinary", term=Term(today, None), by=None)
    names, text = shown(registry, q="holm")
    assert (names, "lapsed ·" in text) == (["Holm, Asta"], False)


@pytest.mark.parametrize(
    ("state", "wanted"),
    [
        ("valid", ["Berg, Anna", "Berg, Carl", "Zahl, Åse"]),
        ("lapsed", ["Holm, Asta"]),
        ("none", ["Lund, Bo"]),
        ("x", ["Berg, Anna", "Berg, Carl", "Zahl, Åse"]),
    ],
)
def test_a_state_is_filtered_by(registry, state, wanted):
    assert shown(registry, state=state)[0] == wanted


def test_a_club_is_filtered_by_whatever_the_state(registry):
    create_club(ClubData("Ribe", "RI", "Ribe", "DBGF"), by=None)
    ribe = create_person(Person("Dan", "Dam", club="Ribe"), by=None, at=AT)
    assert shown(registry, state="none", club=ribe.club_id)[0] == ["Dam, Dan"]
    assert shown(registry, club=ribe.club_id)[0] == []
    assert shown(registry, club="x")[0] == shown(registry)[0]


def test_nobody_of_another_federation_is_on_the_roll_by_a_number_alone(registry):
    others = create_federation(FederationData("sbgf", "Svenska", "SE", "", 1, 1, ""), by=None)
    for given, joins in (("Ida", True), ("Eva", False)):
        person = create_person(Person(given, "Dahl"), by=None, at=AT)
        add_number(person, issuer="dbgf", value="77" if joins else "78", by=None, at=AT)
        if joins:
            add_membership(person, others, kind="ordinary", term=Term(timezone.localdate(), None), by=None)
    assert shown(registry, q="dahl")[0] == ["Dahl, Eva"]


def test_the_alphabet_is_the_readers(registry):
    edit_person(Player.objects.get(family="Zahl"), Person("Åse", "Åberg", club="Vejle"), by=None, at=AT)
    client = Client(headers={"accept-language": "da"})
    client.force_login(registry.officer)
    page = client.get(reverse("members", args=["DBGF"])).content.decode()
    assert page.index("Berg, Anna") < page.index("Berg, Carl") < page.index("Åberg, Åse")
    assert shown(registry)[0] == ["Åberg, Åse", "Berg, Anna", "Berg, Carl"]


def test_members_are_listed_in_as_many_queries_however_many_they_are(registry):
    client = Client()
    client.force_login(registry.officer)

    def queries() -> int:
        with CaptureQueriesContext(connection) as taken:
            assert client.get(reverse("members", args=["DBGF"]), {"q": "a"}).status_code == 200
        return len(taken)

    few = queries()
    data = "family,given,club\n" + "".join(f"Name{number},Given,Club{number % 9}\n" for number in range(80))
    client.post(reverse("import-members", args=["DBGF"]), {"file": SimpleUploadedFile("x.csv", data.encode())})
    for number in range(30):
        person = create_person(Person("Given", f"Name{number}", club="Odense"), by=None, at=AT)
        add_membership(person, registry.federation, kind="ordinary", term=Term(AT.date(), AT.date()), by=None)
    assert queries() == few


def test_the_api_tells_the_same(registry):
    api = CheckedClient()
    api.force_authenticate(registry.officer)
    path = "federations/DBGF/members/"

    def told(query: str = "") -> list[tuple[str, str]]:
        return [(one["name"], one["membership"]) for one in api.get(path + query).json()["results"]]

    assert told() == [("Anna Berg", "valid"), ("Carl Berg", "valid"), ("Åse Zahl", "valid")]
    assert told("?membership=any&q=holm") == [("Asta Holm", "lapsed")]
    assert told(f"?membership=any&club={registry.club.pk}") == [("Asta Holm", "lapsed"), ("Bo Lund", "none")]
    assert told("?limit=1&offset=1") == [("Carl Berg", "valid")]
    assert api.get(path).json()["count"] == 3
    assert api.get(path + "?membership=x").status_code == 400
    RegistryRole.objects.all().delete()
    assert api.get(path).status_code == 403


def test_a_row_has_short_dates_and_the_club_below_the_name_where_it_is_narrow(registry):
    registry.holm.body_memberships.update(starts=date(2026, 1, 1), ends=date(2026, 12, 31))
    client = Client()
    client.force_login(registry.officer)
    source = " ".join(client.get(reverse("members", args=["DBGF"]), {"q": "holm"}).content.decode().split())
    assert 'ordinary, <span class="unbroken">01/01/2026–31/12/2026</span>' in source
    assert '<small class="narrow-only">Odense</small>' in source
    assert '<td class="wide">Odense</td>' in source
