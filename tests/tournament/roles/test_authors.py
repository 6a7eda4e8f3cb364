"""The public learns which office acted, people with a role learn who did; no page for everybody has a user's name."""

import pytest
from django.test import Client
from django.urls import reverse

from players.models import User
from rules.score import Side
from tests.builders import AT, build_director, build_event, claim, fixture_of, win
from tournament.draw.reconcile import Repair
from tournament.models import Appointment, Event, Role
from tournament.results.enter import enter_result
from tournament.results.reports import dispute_result, report_result
from tournament.roles.authors import by_author, is_ruling

NAME = "secretive-sam"


@pytest.fixture
def sam(db) -> User:
    return build_director(NAME)


@pytest.fixture
def event(sam: User) -> Event:
    """A result that was corrected, a report that was disputed, a ruling: each by Sam."""
    event = build_event(sam, players=4)
    first, second = (fixture_of(event, f"M1-{number}").match for number in (1, 2))
    win(first, Side.A, by=sam)
    corrected = claim(final=(1, 5), base=1, reason="Seen.")
    enter_result(first, claim=corrected, repair=Repair.STAND, may_repair=True, by=sam, at=AT)
    report = report_result(second, claim=claim(final=(5, 1)), side=None, by=sam, at=AT)
    dispute_result(second, number=report.number, reason="", by=sam, at=AT)
    return event


def public_addresses(event: Event) -> list[str]:
    here = [event.tournament.slug, event.slug]
    pages = [reverse(name, args=here) for name in ("pairings", "bracket", "standings", "history", "screen")]
    pages += [reverse("tournament", args=here[:1]), reverse("home")]
    matches = [fixture_of(event, f"M1-{number}").match for number in (1, 2)]
    pages += [match.get_absolute_url() for match in matches]
    apis = [f"/api/v1/events/{event.pk}/", f"/api/v1/events/{event.pk}/history/"]
    apis += [f"/api/v1/matches/{match.pk}/{more}" for match in matches for more in ("", "rulings/")]
    return [*pages, *apis]


def test_the_public_reads_no_name_of_a_user(event: Event, client: Client) -> None:
    for address in public_addresses(event):
        answer = client.get(address)
        assert answer.status_code == 200, address
        assert NAME not in answer.content.decode(), address


def test_somebody_with_a_role_elsewhere_reads_none_either(event: Event, client: Client) -> None:
    client.force_login(build_director("other", build_event(build_director(), name="Elsewhere").tournament))
    for address in public_addresses(event):
        assert NAME not in client.get(address).content.decode(), address


def test_a_reader_of_the_tournament_reads_who_did_it(event: Event, client: Client) -> None:
    reader = build_director("reader")
    Appointment.objects.create(tournament=event.tournament, user=reader, role=Role.READER, since=AT)
    client.force_login(reader)
    match = fixture_of(event, "M1-1").match
    for address in (
        reverse("history", args=[event.tournament.slug, event.slug]),
        match.get_absolute_url(),
        f"/api/v1/events/{event.pk}/history/",
        f"/api/v1/matches/{match.pk}/",
    ):
        assert NAME in client.get(address).content.decode(), address


def test_the_public_learns_which_office_acted(event: Event, client: Client) -> None:
    match = fixture_of(event, "M1-1").match
    page = " ".join(client.get(match.get_absolute_url()).content.decode().split())
    assert "Entered by the desk" in page
    assert "by the desk" in page
    rows = client.get(f"/api/v1/events/{event.pk}/history/").json()["results"]
    assert {row["verb"]: row["by"] for row in rows}["make_draw"] == "Director"
    assert {row["verb"]: row["by"] for row in rows}["enter_result"] == "Desk"


def test_what_nobody_with_an_account_did_has_no_author() -> None:
    assert by_author(None, frozenset()) == ""


@pytest.mark.parametrize(("verb", "rules"), [("ruling", True), ("make_draw", True), ("call_match", False)])
def test_only_what_scorers_may_not_do_is_the_directors(verb: str, rules: bool) -> None:
    assert is_ruling(verb) is rules
