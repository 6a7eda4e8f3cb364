"""Start values by the page's own forms: what a file says is shown, stored by the button that is there, and counted."""

import re
from datetime import date
from decimal import Decimal

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from players.lists.models import OfficialList, StartValue
from players.lists.numbers import number_from
from players.lists.starts import StartRow, preview_starts, read_listed
from players.models import Player
from players.registry.bodies import FederationData, create_federation
from players.registry.memberships import Term, add_membership
from players.registry.people import Person, edit_person, show_as
from players.services import fold_name
from tests.builders import AT
from tests.matches.lists.playing import build_list, build_people
from tests.pages import form_at, forms_of, text_of
from tests.tournament.reporting.lists import build_officer

pytestmark = pytest.mark.django_db


@pytest.fixture
def people() -> list[Player]:
    return build_people("Ann Holm", "Bo Lund", "Cy Berg", "Æbbe Petersen")


@pytest.fixture
def official_list() -> OfficialList:
    return build_list()


@pytest.fixture
def officer(official_list) -> Client:
    client = Client()
    client.force_login(build_officer(official_list))
    return client


def page_of(official_list: OfficialList) -> str:
    return reverse("list-starts", args=[official_list.slug])


def send(officer: Client, page: str, data: str):
    """Send a file by the form of the page."""
    form = form_at(officer.get(page), "", "source")
    file = SimpleUploadedFile("list.csv", data.encode())
    return officer.post(page, {**form.data(), "source": "Old list", "as_of": "2025-12-31", "file": file})


def press(officer: Client, page: str, preview, **chosen: object):
    """Press the button of the preview, with what its form holds and what was chosen."""
    form = form_at(preview, "", "carried")
    assert form.buttons, "there is nothing to press"
    return officer.post(page, {**form.data(), **chosen}, follow=True)


def test_the_button_of_a_preview_stores_what_it_counts(people, official_list, officer):
    ann, bo, cy, _other = people
    for player, value in ((bo, 1490), (cy, 1510)):
        StartValue.objects.create(
            official_list=official_list, player=player, value=value, as_of=date(2025, 1, 1), source="Older"
        )
    page = page_of(official_list)
    preview = send(officer, page, "name;rating\nAnn Holm;1650,5\nBo Lund;1500\nCy Berg;1510\nNobody;1500\n")
    assert "New: 1. Changed: 1. The same: 1. Ambiguous: 0. Refused: 1." in text_of(preview)
    assert re.findall(r"Store \d+ start values?", text_of(preview)) == ["Store 2 start values"]
    done = press(officer, page, preview)
    assert "Start values stored: 1 new, 1 changed." in text_of(done)
    assert dict(StartValue.objects.values_list("player", "value")) == {
        ann.pk: Decimal("1650.5"),
        bo.pk: Decimal(1500),
        cy.pk: Decimal(1510),
    }


def test_a_preview_without_anything_to_store_has_no_button(people, official_list, officer):
    preview = send(officer, page_of(official_list), "name;rating\nNobody;1500\n")
    assert form_at(preview, "", "carried").buttons == []


def test_an_ambiguous_row_is_stored_for_whom_is_chosen_and_counted(people, official_list, officer):
    other = people[3]
    Player.objects.filter(pk=other.pk).update(name="Ann Holm", folded_name=fold_name("Ann Holm"))
    page = page_of(official_list)
    preview = send(officer, page, "name;rating\nAnn Holm;1650\n")
    assert "New: 0. Changed: 0. The same: 0. Ambiguous: 1. Refused: 0." in text_of(preview)
    done = press(officer, page, preview, **{"row-2": other.pk})
    assert "Start values stored: 1 new, 0 changed." in text_of(done)
    assert list(StartValue.objects.values_list("player", flat=True)) == [other.pk]
    assert len(forms_of(done)) > 0


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1103.73", "1103.73"),
        ("1103,73", "1103.73"),
        ("1.103,73", "1103.73"),
        ("1,103.73", "1103.73"),
        ("1 103,73", "1103.73"),
        ("1'103.73", "1103.73"),
        ("12.345,5", "12345.5"),
        ("987,125", "987.125"),
        ("1103,730", "1103.73"),
        ("-5", "-5"),
        ("1.103", None),
        ("1,103", None),
        ("1.10,3", None),
        ("1.1.3", None),
        ("1,103,73", None),
        ("high", None),
        ("nan", None),
    ],
)
def test_a_rating_is_read_as_programs_write_numbers(text, value):
    assert number_from(text) == (None if value is None else Decimal(value))


def rows_of(official_list: OfficialList, data: str) -> list[StartRow]:
    return list(preview_starts(official_list, read_listed(data.encode()), as_of=date(2025, 12, 31), source="Old").rows)


def test_what_could_be_two_numbers_is_refused_with_both(people, official_list):
    (row,) = rows_of(official_list, "name;rating\nAnn Holm;1.103\n")
    assert (str(row.fate), row.why) == (
        "refused",
        "“1.103” may be 1103 or 1.103: write it without a sign between thousands, or with other decimals.",
    )


def test_nobody_begins_far_below_a_newcomer_and_below_zero(people):
    danish = build_list(name="Danish", kind="dbf")
    zero = build_list(name="From zero", kind="elo", parameters={"start": 0})
    data = "name;rating\nAnn Holm;-5\nBo Lund;0\n"
    assert [(str(row.fate), row.why) for row in rows_of(danish, data)] == [
        ("refused", "A rating of -5 cannot be: newcomers of this list begin at 1000."),
        ("new", ""),
    ]
    assert [str(row.fate) for row in rows_of(zero, data)] == ["new", "new"]
    assert [str(row.fate) for row in rows_of(zero, "name;rating\nAnn Holm;-1000,5\n")] == ["refused"]


@pytest.mark.parametrize("written", ["Petersen, Æbbe", "Æbbe Petersen", "petersen,  æbbe"])
def test_a_name_is_read_in_either_order(people, official_list, written):
    (row,) = rows_of(official_list, f'name;rating\n"{written}";1500\n')
    assert (row.player, row.listed.name) == (people[3].pk, written)


def test_a_file_of_names_does_not_tell_who_the_hidden_members_of_others_are(people, official_list):
    other = create_federation(FederationData("BBB", "Other"), by=None)
    hidden = edit_person(people[0], Person("Ann", "Holm"), by=None, at=AT)
    add_membership(hidden, other, kind="ordinary", term=Term(date(2025, 1, 1)), by=None)
    show_as(hidden, "hidden", by=None, at=AT)
    theirs = build_list(name="Theirs", federation=other)
    rows = [rows_of(one, "name;rating\nAnn Holm;1500\n")[0] for one in (official_list, theirs)]
    assert [(str(row.fate), row.player) for row in rows] == [("refused", None), ("new", hidden.pk)]
