"""A scorer confirms a report that nobody disputes; a dispute is settled by those who rule."""

import pytest

from matches.models import Match
from players.errors import Forbidden
from players.models import User
from rules.score import Side
from tests.builders import AT, build_director, build_event, claim, fixture_of
from tests.tournament.api.client import CheckedClient
from tournament.models import Appointment, Event, Role
from tournament.results.reports import confirm_result, report_result

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    return build_event(build_director(), players=4)


@pytest.fixture
def match(event) -> Match:
    return fixture_of(event, "M1-1").match


@pytest.fixture
def scorer(event) -> User:
    user = User.objects.create_user("scorer", password="long-enough-for-tests")
    Appointment.objects.create(tournament=event.tournament, user=user, role=Role.SCORER, since=AT)
    return user


def report(match: Match, side: Side, a: int, b: int) -> None:
    report_result(match, claim=claim(final=(a, b)), side=side, by=None, at=AT)


def test_a_scorer_confirms_what_nobody_disputes(match, scorer):
    report(match, Side.A, 5, 2)
    api = CheckedClient()
    api.force_authenticate(scorer)
    assert api.post(f"matches/{match.pk}/confirm/", {"number": 1}).status_code == 200


def test_a_scorer_settles_no_dispute_and_a_director_does(event, match, scorer):
    report(match, Side.A, 5, 2)
    report(match, Side.B, 2, 5)
    api = CheckedClient()
    api.force_authenticate(scorer)
    refused = api.post(f"matches/{match.pk}/confirm/", {"number": 1})
    assert (refused.status_code, refused.json()["code"]) == (403, "role_missing")
    assert api.post(f"matches/{match.pk}/dispute/", {"number": 1}).status_code == 403
    confirm_result(match, number=2, by=User.objects.get(username="director"), at=AT)


def test_a_dispute_that_came_while_a_scorer_waited_for_the_lock_is_asked_about_under_it(match, scorer):
    report(match, Side.A, 5, 2)
    report(match, Side.B, 2, 5)
    with pytest.raises(Forbidden):
        confirm_result(match, number=1, by=scorer, at=AT)
    assert not match.sheets.filter(state="confirmed").exists()
