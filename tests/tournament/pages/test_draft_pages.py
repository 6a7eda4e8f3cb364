"""The next publication as an officer sees it: who stands on it, who does not and why, and all of it as a file."""

import csv
import io
from datetime import date

import pytest
from django.test import Client
from django.urls import reverse

from players.lists.models import OfficialList, StartValue
from players.lists.values import Criteria, Provisional
from players.models import Club, Membership, Player, User
from tests.matches.lists.playing import build_list, build_people
from tests.pages import text_of
from tests.tournament.reporting.lists import build_officer, enrol

pytestmark = pytest.mark.django_db
CUT = {"of": "2026-08-01", "matches_until": "2026-07-31", "members_on": "2026-08-01"}


@pytest.fixture
def people() -> list[Player]:
    return build_people("Ann Holm", "Bo Lund", "Cy Berg", "Di Dahl", "Eva Ek", "Fie Friis")


def taken_over(people: list[Player], **criteria: object) -> OfficialList:
    """A list of members that begins with values of all people, of whom two are no members any more."""
    official_list = build_list(criteria=Criteria(members=True, **criteria))
    enrol(official_list, *people[:5])
    Membership.objects.filter(player=people[4]).update(ends=date(2026, 7, 31))
    for place, player in enumerate(people):
        StartValue.objects.create(
            official_list=official_list,
            player=player,
            value=1600 - 10 * place,
            experience=100 * place,
            as_of=date(2026, 7, 31),
            source="Old",
        )
    return official_list


def officer_of(official_list: OfficialList) -> Client:
    client = Client()
    client.force_login(build_officer(official_list))
    return client


def told(officer: Client, official_list: OfficialList) -> list[tuple[str, str, str]]:
    page = officer.get(reverse("publish-list", args=[official_list.slug]), CUT)
    assert page.context["counts"]["unlisted"] == len(page.context["unlisted"])
    return [(one.name, one.value, one.why) for one in page.context["unlisted"]]


def test_a_draft_says_who_has_a_rating_and_is_not_listed_and_why(people):
    official_list = taken_over(people)
    officer = officer_of(official_list)
    assert told(officer, official_list) == [
        ("Eva Ek", "1560.00", "Their membership ended on 31 July 2026."),
        ("Fie Friis", "1550.00", "No member on 1 August 2026."),
    ]
    page = text_of(officer.get(reverse("publish-list", args=[official_list.slug]), CUT))
    assert "Rated, not listed 2" in page
    assert "Eva Ek 1560.00 · Their membership ended on 31 July 2026." in page


@pytest.mark.parametrize(
    ("criteria", "why"),
    [
        ({"nation": "SE"}, "They do not play for the country of the list."),
        ({"club": 1}, "They are not in the club of the list."),
        ({"experience": 50, "provisional": Provisional.LEFT_OUT}, "Provisional: too little is known of them."),
        ({"active_since": "2026-02-01"}, "No match since 1 February 2026."),
    ],
)
def test_every_criterion_says_why(people, criteria, why):
    if "club" in criteria:
        criteria = {"club": Club.objects.create(name="Odense").pk}
    official_list = taken_over(people, **criteria)
    assert ("Ann Holm", "1600.00", why) in told(officer_of(official_list), official_list)


NOBODY = "Nobody would be on this first publication"


def test_a_first_publication_that_would_hold_nobody_says_so(people):
    official_list = taken_over(people)
    officer, address = officer_of(official_list), reverse("publish-list", args=[official_list.slug])
    assert NOBODY not in text_of(officer.get(address, CUT))
    StartValue.objects.all().delete()
    assert NOBODY in text_of(officer.get(address, CUT))


def test_the_whole_draft_is_a_file(people):
    official_list = taken_over(people)
    officer = officer_of(official_list)
    page = officer.get(reverse("publish-list", args=[official_list.slug]), CUT)
    assert f'href="{page.context["file"].replace("&", "&amp;")}"' in page.content.decode()
    answer = officer.get(page.context["file"])
    assert answer["Content-Disposition"] == 'attachment; filename="dbgf-list-1-draft.csv"'
    rows = [
        (row["rank"], row["name"], row["rating"], row["experience"], row["listed"], row["why_not"])
        for row in csv.DictReader(io.StringIO(answer.content.decode()))
    ]
    assert rows == [
        ("1", "Ann Holm", "1600.00", "0", "1", ""),
        ("2", "Bo Lund", "1590.00", "100", "1", ""),
        ("3", "Cy Berg", "1580.00", "200", "1", ""),
        ("4", "Di Dahl", "1570.00", "300", "1", ""),
        ("", "Eva Ek", "1560.00", "400", "0", "not_member"),
        ("", "Fie Friis", "1550.00", "500", "0", "not_member"),
    ]


def test_the_file_is_for_officers_and_refused_with_the_page(people):
    official_list = taken_over(people)
    path = reverse("draft-file", args=[official_list.slug])
    stranger = Client()
    assert stranger.get(path, CUT).status_code == 302
    stranger.force_login(User.objects.create_user("stranger"))
    assert stranger.get(path, CUT).status_code == 403
    officer = officer_of(official_list)
    assert officer.get(path, {"of": "x"}).status_code == 400
    late = officer.get(path, {**CUT, "matches_until": "2199-01-01"})
    assert (late.status_code, "Matches can be counted up to now" in text_of(late)) == (400, True)
