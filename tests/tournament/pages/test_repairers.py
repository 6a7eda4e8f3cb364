"""Who may repair what follows from a result is asked under the lock: no face lets a scorer in while a match begins."""

import uuid
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from matches.models import Match
from matches.rulings import RulingRequest
from players.errors import Forbidden
from players.models import User
from rules.rulings import RulingKind
from rules.score import Side
from tests.builders import AT, build_director, build_event, claim, fixture_of, win
from tests.meanwhile import before_query, before_transaction
from tests.pages import forms_of
from tournament.draw.reconcile import Repair
from tournament.hall.calling import call_match, start_match
from tournament.hall.tables import add_tables
from tournament.models import Appointment, Event, Role
from tournament.results.enter import end_advance, enter_result, void_result
from tournament.results.rulings import rule_match

LATER = AT + timedelta(minutes=5)
CORRECTION = {"base": 1, "reason": "Seen."}


@pytest.fixture
def event(director) -> Event:
    event = build_event(director, players=4)
    add_tables(event.tournament, first=1, last=1, by=None, at=AT)
    for key in ("M1-1", "M1-2"):
        win(fixture_of(event, key).match, Side.A)
    return event


@pytest.fixture
def scorer(event) -> User:
    user = build_director("scorer")
    Appointment.objects.create(tournament=event.tournament, user=user, role=Role.SCORER, since=AT)
    return user


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def form(**fields: object) -> dict[str, object]:
    return {**CORRECTION, "key": uuid.uuid4().hex, "final_a": 5, "final_b": 3, **fields}


def on_the_page(user: User, match: Match) -> Callable[[], HttpResponse]:
    client, address = signed_in(user), reverse("enter", args=[match.pk, "final"])
    return lambda: client.post(address, form())


def at_the_desk(user: User, match: Match) -> Callable[[], HttpResponse]:
    client, slug = signed_in(user), match.fixture.stage.event.tournament.slug
    address = reverse("desk-act", args=[slug, match.pk, "enter"])
    return lambda: client.post(address, form(), headers={"HX-Request": "true"})


def by_the_api(user: User, match: Match) -> Callable[[], HttpResponse]:
    client, address = APIClient(), reverse("api:result", args=[match.pk])
    client.force_authenticate(user)
    return lambda: client.post(address, {**CORRECTION, "key": uuid.uuid4().hex, "final": [5, 3]}, format="json")


FACES = [on_the_page, at_the_desk, by_the_api]


@pytest.mark.parametrize("face", FACES)
def test_a_scorer_corrects_nothing_however_late_the_next_match_begins(event, scorer, face):
    """Before any query that comes ahead of the lock, the last of them the one that takes it."""
    match, final = fixture_of(event, "M1-1").match, fixture_of(event, "M2-1").match
    answers = []
    for query in range(1, 60):
        with transaction.atomic():
            answer = before_query(
                query,
                lambda: start_match(call_match(final, by=None, at=LATER).match, by=None, at=LATER),
                face(scorer, match),
            )
            if answer is not None:
                answers.append((answer.status_code, match.sheets.count()))
            transaction.set_rollback(True)
        if answer is None:
            break
    assert len(answers) >= 3
    assert set(answers) == {(403, 1)}


@pytest.mark.parametrize("role", [None, Role.SCORER])
@pytest.mark.parametrize("face", FACES)
def test_a_director_whose_role_is_taken_or_lowered_before_the_lock_corrects_nothing(event, face, role):
    """The next match has begun, so only a director may correct; the role goes before any query ahead of the lock."""
    match, final = fixture_of(event, "M1-1").match, fixture_of(event, "M2-1").match
    start_match(call_match(final, by=None, at=LATER).match, by=None, at=LATER)
    deputy = build_director("deputy")
    held = Appointment.objects.create(tournament=event.tournament, user=deputy, role=Role.DIRECTOR, since=AT)
    answers = []
    for query in range(1, 60):
        with transaction.atomic():
            answer = before_query(query, lambda: lower(held, role), face(deputy, match))
            if answer is not None:
                answers.append((answer.status_code, match.sheets.count()))
            transaction.set_rollback(True)
        if answer is None:
            break
    assert len(answers) >= 3
    assert set(answers) == {(403, 1)}


def chosen_repair(client: Client, match: Match) -> dict[str, object]:
    """What the page sends for letting the next match stand, once it has shown what each repair costs."""
    sent = form(final_a=3, final_b=5, repair="stand")
    offered = client.post(reverse("enter", args=[match.pk, "final"]), sent)
    (shown,) = {one.data()["shown"][0] for one in forms_of(offered) if "shown" in one.data()}
    return {**sent, "shown": shown}


@pytest.mark.parametrize("role", [None, Role.SCORER])
def test_a_repair_as_shown_is_made_by_nobody_who_may_not_repair_any_more(event, role):
    match, final = fixture_of(event, "M1-1").match, fixture_of(event, "M2-1").match
    start_match(call_match(final, by=None, at=LATER).match, by=None, at=LATER)
    deputy = build_director("deputy", event.tournament)
    held, client = deputy.appointments.get(), signed_in(deputy)
    address, sent = reverse("enter", args=[match.pk, "final"]), chosen_repair(client, match)
    answers = []
    for number in range(1, 20):
        with transaction.atomic():
            answer = before_transaction(number, lambda: lower(held, role), lambda: client.post(address, sent))
            if answer is not None:
                answers.append((answer.status_code, match.sheets.count()))
            transaction.set_rollback(True)
        if answer is None:
            break
    assert len(answers) >= 1  # what it costs is shown without a transaction
    assert set(answers) == {(403, 1)}
    assert (client.post(address, sent).status_code, match.sheets.count()) == (302, 2)


def test_a_step_is_undone_by_nobody_who_may_not_undo_any_more(event):
    """A scorer could enter the result again, as undoing it does."""
    match = fixture_of(event, "M1-1").match
    enter_result(match, claim=claim(final=(5, 3), base=1, reason="Seen."), by=None, at=LATER)
    deputy = build_director("deputy", event.tournament)
    held, client = deputy.appointments.get(), signed_in(deputy)
    address = reverse("undo", args=[event.tournament.slug, event.slug, event.log.first().pk])
    with transaction.atomic():
        answer = before_transaction(1, lambda: lower(held, Role.SCORER), lambda: client.post(address))
        assert answer is not None
        assert (answer.status_code, match.sheets.count()) == (403, 2)
        transaction.set_rollback(True)
    assert (client.post(address).status_code, match.sheets.count()) == (302, 3)


def lower(held: Appointment, role: Role | None) -> None:
    if role is None:
        Appointment.objects.filter(pk=held.pk).delete()
    else:
        Appointment.objects.filter(pk=held.pk).update(role=role)


@pytest.mark.parametrize("face", FACES)
def test_a_scorer_corrects_until_the_next_match_begins(event, scorer, face):
    match = fixture_of(event, "M1-1").match
    assert face(scorer, match)().status_code in {200, 201, 302}
    assert match.sheets.count() == 2


@pytest.mark.parametrize("face", FACES)
def test_a_director_corrects_after_it_too(event, director, face):
    final = fixture_of(event, "M2-1").match
    start_match(call_match(final, by=None, at=LATER).match, by=None, at=LATER)
    match = fixture_of(event, "M1-1").match
    assert face(director, match)().status_code in {200, 201, 302}
    assert match.sheets.count() == 2


def penalty() -> RulingRequest:
    return RulingRequest(RulingKind.PENALTY_POINTS, key="r", reason="Late.", base=1, penalty_points=(1, 0))


REPAIRS: dict[str, Callable[..., object]] = {
    "a correction": lambda match, **who: enter_result(match, claim=claim(final=(5, 3), base=1, reason="Seen."), **who),
    "a result taken back": lambda match, **who: void_result(match, base=1, reason="Seen.", **who),
    "a ruling": lambda match, **who: rule_match(match, request=penalty(), **who),
    "the end of an advance": lambda match, **who: end_advance(match, reason="Seen.", **who),
}


@pytest.mark.parametrize("change", REPAIRS.values(), ids=REPAIRS)
@pytest.mark.parametrize("repair", Repair)
def test_no_service_lets_somebody_repair_who_may_not(event, change, repair):
    match = fixture_of(event, "M1-1").match
    with pytest.raises(Forbidden) as refused:
        change(match, repair=repair, may_repair=False, by=None, at=LATER)
    assert (refused.value.code, refused.value.status) == ("role_missing", 403)
    assert str(refused.value) == "Only these roles may do this in “Main”: owner, director, deputy."
    assert (match.sheets.count(), match.rulings.count()) == (1, 0)


@pytest.mark.parametrize("name", ["a correction", "a result taken back"])
def test_a_result_is_closed_to_who_may_not_repair_once_the_next_match_has_begun(event, name):
    match, final = fixture_of(event, "M1-1").match, fixture_of(event, "M2-1").match
    start_match(call_match(final, by=None, at=LATER).match, by=None, at=LATER)
    with pytest.raises(Forbidden):
        REPAIRS[name](match, may_repair=False, by=None, at=LATER)
    assert match.sheets.get().state == "confirmed"


def test_a_correction_that_is_sent_again_is_not_asked_about_again(event):
    match, final = fixture_of(event, "M1-1").match, fixture_of(event, "M2-1").match
    corrected = claim(final=(5, 3), base=1, reason="Seen.")
    sheet = enter_result(match, claim=corrected, by=None, at=AT)
    start_match(call_match(final, by=None, at=LATER).match, by=None, at=LATER)
    assert enter_result(match, claim=corrected, by=None, at=LATER) == sheet
