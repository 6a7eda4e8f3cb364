"""A member number in place of a name is the person who has it, or is refused: it makes nobody new."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from players.errors import Refusal
from players.models import Player, Visibility
from players.registry.bodies import FederationData, create_federation
from players.registry.memberships import Term, add_membership
from players.registry.numbered import people_numbered
from players.registry.people import Person, create_person
from players.registry.records import add_number
from players.services import create_player
from tests.builders import AT, build_event
from tests.pages import text_of
from tests.players.registry.people import Registry, build_registry
from tournament.entries.imports import preview_import
from tournament.entries.lists import EntryLine, parse_pasted
from tournament.entries.services import add_entries
from tournament.registry.people import show_as

pytestmark = pytest.mark.django_db


@pytest.fixture
def registry() -> Registry:
    registry = build_registry()
    add_number(registry.holm, issuer="dbgf", value="408", by=None, at=AT)
    return registry


@pytest.fixture
def event(director, registry):
    return build_event(director, players=0, drawn=False)


def enter(event, director, text: str) -> list[Player]:
    return [entry.player for entry in add_entries(event, lines=parse_pasted(text), by=director, at=AT)]


@pytest.mark.parametrize(
    "typed",
    [
        *("DBGF 408", "DBgF 408", "dbgf-408", "DBgF: 408", "DBgF nr. 408", "DBGF #408", "408", "#408", "no 408"),
        *("Nr. 408", "no408", "n. 408", "n° 408", "nº408", "№ 408", "No.408"),
    ],
)
def test_a_number_is_the_person_who_has_it(event, director, registry, typed):
    people = Player.objects.count()
    assert enter(event, director, f"1. {typed}\nBo Lund") == [registry.holm, Player.objects.get(name="Bo Lund")]
    assert Player.objects.count() == people + 1


@pytest.mark.parametrize("typed", ["DBgF 409", "409", "#409", "no. 409"])
def test_a_number_that_nobody_has_is_refused_and_makes_nobody(event, director, typed):
    people = Player.objects.count()
    with pytest.raises(Refusal) as refused:
        enter(event, director, f"Bo Lund\n{typed}")
    assert refused.value.code == "player_unknown"
    assert str(refused.value) == f"Line 2: Nobody whose name is public has the number “{typed}”: type the name."
    assert Player.objects.count() == people


def test_a_number_of_two_federations_needs_the_code(event, director, registry):
    create_federation(FederationData("sbgf", "Svenska", "SE", "", 1, 1, ""), by=None)
    other = create_person(Person("Ida", "Dahl"), by=None, at=AT)
    add_number(other, issuer="sbgf", value="408", by=None, at=AT)
    with pytest.raises(Refusal) as refused:
        enter(event, director, "408")
    assert refused.value.code == "player_ambiguous"
    assert "such as “DBGF 408”" in str(refused.value)
    assert enter(event, director, "DBGF 408\nSBGF 408") == [registry.holm, other]


def test_a_number_tells_nobody_whose_the_initials_are(event, director, registry):
    show_as(registry.holm, Visibility.INITIALS, by=registry.officer, at=AT)
    with pytest.raises(Refusal) as hidden:
        enter(event, director, "DBGF 408")
    with pytest.raises(Refusal) as unknown:
        enter(event, director, "DBGF 409")
    assert str(hidden.value).replace("408", "409") == str(unknown.value)


def member(registry: Registry, number: str, first: str = "Ida", days: int = 0) -> Player:
    """Somebody whose number stands with their membership alone."""
    person = create_person(Person(first, "Dahl"), by=None, at=AT)
    day = AT.date() + timedelta(days=days)
    add_membership(person, registry.federation, kind="ordinary", term=Term(day, day, number=number), by=None)
    return person


def test_the_number_of_a_membership_is_the_person_too(event, director, registry):
    ida = member(registry, "512")
    assert enter(event, director, "DBGF 512") == [ida]
    show_as(ida, Visibility.INITIALS, by=registry.officer, at=AT)
    with pytest.raises(Refusal) as hidden:
        enter(event, director, "512")
    assert hidden.value.code == "player_unknown"


def test_a_number_of_the_federation_goes_before_that_of_a_membership(event, director, registry):
    member(registry, "408")
    assert enter(event, director, "408") == [registry.holm]


def test_the_number_of_several_memberships_needs_a_name(event, director, registry):
    member(registry, "512")
    member(registry, "512", "Eva", days=400)
    with pytest.raises(Refusal) as refused:
        enter(event, director, "512")
    assert refused.value.code == "player_ambiguous"
    assert str(refused.value) == "Line 1: Several people have had the number 512: type the name."


def test_names_with_digits_and_codes_of_nobody_stay_names(event, director):
    names = ["Player 4", "Bo 2", "DBGF Holm", "XYZ 12"]
    assert [player.name for player in enter(event, director, "\n".join(names))] == names


def test_the_code_of_a_federation_here_is_no_word_for_a_number(event, director, registry):
    create_federation(FederationData("no", "Norges", "NO", "", 1, 1, ""), by=None)
    with pytest.raises(Refusal) as refused:
        enter(event, director, "NO 408")
    assert refused.value.code == "player_unknown"
    assert enter(event, director, "nr 408") == [registry.holm]


@pytest.mark.parametrize("typed", ["#5", "5", "(7)", "12/3"])
def test_a_name_without_a_letter_makes_nobody_new(director, typed):
    event = build_event(director, players=0, drawn=False)
    before = Player.objects.count()
    with pytest.raises(Refusal) as refused:
        add_entries(event, lines=[EntryLine(typed, line=2)], by=director, at=AT)
    assert refused.value.code == "name_empty"
    assert str(refused.value) == f"Line 2: A name needs at least one letter: “{typed}” has none."
    assert Player.objects.count() == before


def test_who_is_here_under_such_a_name_may_still_enter(director):
    event = build_event(director, players=0, drawn=False)
    known = create_player(name="1001", at=AT)
    [entry] = add_entries(event, lines=[EntryLine("1001")], by=director, at=AT)
    assert entry.player == known


def test_pairs_and_files_read_numbers_too(director, registry):
    event = build_event(director, players=0, drawn=False, doubles=True)
    [fate] = preview_import(event, lines=[EntryLine("DBGF 408 & Bo Lund", line=2)], at=AT).fates
    assert [(one.name, one.player_id) for one in fate.people] == [("Asta Holm", registry.holm.pk), ("Bo Lund", None)]


def test_names_without_digits_ask_nothing(django_assert_num_queries):
    with django_assert_num_queries(0):
        assert people_numbered(["Asta Holm", "Bo Lund"]) == {}


def suggested(user) -> str:
    client = Client()
    if user is not None:
        client.force_login(user)
    return text_of(client.get(reverse("suggestions"), {"name": "asta"}))


def test_people_of_one_name_are_told_apart_by_number_for_those_who_may_see_it(registry):
    assert "408" not in suggested(registry.officer)
    twin = create_person(Person("Asta", "Holm", "DK", "Vejle"), by=None, at=AT)
    add_membership(twin, registry.federation, kind="guest", term=Term(AT.date(), None), by=None)
    add_number(twin, issuer="dbgf", value="977", by=None, at=AT)
    shown = suggested(registry.officer)
    assert "Odense · DK · DBGF 408" in shown
    assert "Vejle · DK · DBGF 977" in shown
    for user in (None, registry.stranger):
        shown = suggested(user)
        assert "Odense · DK" in shown
        assert "DBGF" not in shown
