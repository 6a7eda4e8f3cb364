"""Roles are given by invitation, changed and taken away; a tournament always has an owner."""

import re
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from players.errors import Conflict, Forbidden, Refusal
from players.models import User
from tests.builders import AT, build_director, build_event, build_tournament
from tournament.events.appoint import accept_invitation, change_role, hash_token, invite, sign_up, take_role
from tournament.events.appoint import withdraw_invitation as withdraw
from tournament.models import Appointment, Invitation, LogEntry, Role
from tournament.models.roles import WHOLE_TOURNAMENT

pytestmark = pytest.mark.django_db
SOUND = "a-sound-password"


@pytest.fixture
def tournament(director):
    return build_tournament(director)


def appoint(tournament, name: str, role: Role, event=None) -> Appointment:
    user = build_director(name)
    return Appointment.objects.create(tournament=tournament, user=user, role=role, event=event, since=AT)


def roles_of(tournament) -> dict[str, str]:
    return dict(tournament.appointments.values_list("user__username", "role"))


def test_the_user_who_creates_a_tournament_owns_it(tournament):
    assert roles_of(tournament) == {"director": "owner"}


def test_invitation_is_accepted_once(tournament, director):
    invitation, token = invite(tournament, role="scorer", note="Bo", by=director, at=AT)
    accept_invitation(token, by=build_director("bo"), at=AT + timedelta(days=1))
    assert roles_of(tournament) == {"director": "owner", "bo": "scorer"}
    with pytest.raises(Conflict) as refused:
        accept_invitation(token, by=build_director("carl"), at=AT + timedelta(days=1))
    assert refused.value.code == "invitation_used"
    invitation.refresh_from_db()
    assert invitation.accepted_by.username == "bo"


def test_token_is_not_stored(tournament, director):
    invitation, token = invite(tournament, role="scorer", by=director, at=AT)
    rows = [*Invitation.objects.values(), *LogEntry.objects.values()]
    assert token not in str(rows)
    assert invitation.token_hash == hash_token(token)


@pytest.mark.parametrize(("days", "refused"), [(6, None), (7, "invitation_expired"), (8, "invitation_expired")])
def test_invitation_expires(tournament, director, days, refused):
    _invitation, token = invite(tournament, role="scorer", days=7, by=director, at=AT)
    bo = build_director("bo")
    if refused is None:
        accept_invitation(token, by=bo, at=AT + timedelta(days=days))
    else:
        with pytest.raises(Conflict) as conflict:
            accept_invitation(token, by=bo, at=AT + timedelta(days=days))
        assert conflict.value.code == refused


def test_withdrawn_invitation_is_not_accepted(tournament, director):
    invitation, token = invite(tournament, role="scorer", by=director, at=AT)
    withdraw(invitation, by=director, at=AT)
    with pytest.raises(Conflict) as refused:
        accept_invitation(token, by=build_director("bo"), at=AT)
    assert refused.value.code == "invitation_withdrawn"


def test_accepted_invitation_is_not_withdrawn(tournament, director):
    invitation, token = invite(tournament, role="scorer", by=director, at=AT)
    accept_invitation(token, by=build_director("bo"), at=AT)
    with pytest.raises(Conflict) as refused:
        withdraw(invitation, by=director, at=AT)
    assert refused.value.code == "invitation_used"


def test_invitation_raises_a_role_and_never_lowers_it(tournament, director):
    bo = appoint(tournament, "bo", Role.SCORER).user
    _made, up = invite(tournament, role="director", by=director, at=AT)
    accept_invitation(up, by=bo, at=AT)
    assert roles_of(tournament)["bo"] == "director"
    _made, down = invite(tournament, role="reader", by=director, at=AT)
    with pytest.raises(Conflict) as refused:
        accept_invitation(down, by=bo, at=AT)
    assert refused.value.code == "role_held"
    assert roles_of(tournament)["bo"] == "director"


@pytest.mark.parametrize(
    ("role", "of_event", "code"),
    [
        ("deputy", False, "deputy_without_event"),
        ("director", True, "role_of_the_tournament"),
        ("owner", True, "role_of_the_tournament"),
        ("king", False, "role_unknown"),
    ],
)
def test_invalid_role_is_refused(director, role, of_event, code):
    event = build_event(director, players=0, drawn=False)
    with pytest.raises(Refusal) as refused:
        invite(event.tournament, role=role, event=event if of_event else None, by=director, at=AT)
    assert refused.value.code == code
    assert not Invitation.objects.exists()


def test_event_of_another_tournament_is_refused(tournament, director):
    other = build_event(director, players=0, drawn=False)
    with pytest.raises(Refusal) as refused:
        invite(tournament, role="deputy", event=other, by=director, at=AT)
    assert refused.value.code == "event_of_another"


@pytest.mark.parametrize("role", ["owner", "director"])
def test_only_an_owner_chooses_directors(tournament, director, role):
    second = appoint(tournament, "second", Role.DIRECTOR).user
    scorer = appoint(tournament, "scorer", Role.SCORER)
    owner = tournament.appointments.get(user=director)
    for attempt in (
        lambda: invite(tournament, role=role, by=second, at=AT),
        lambda: change_role(scorer, role=role, by=second, at=AT),
        lambda: change_role(owner, role="scorer", by=second, at=AT),
        lambda: take_role(owner, by=second, at=AT),
    ):
        with pytest.raises(Forbidden) as refused:
            attempt()
        assert refused.value.code == "role_above_yours"
    assert roles_of(tournament) == {"director": "owner", "second": "director", "scorer": "scorer"}


def test_the_last_owner_cannot_be_removed(tournament, director):
    mine = tournament.appointments.get(user=director)
    for attempt in (
        lambda: take_role(mine, by=director, at=AT),
        lambda: change_role(mine, role="director", by=director, at=AT),
    ):
        with pytest.raises(Conflict) as refused:
            attempt()
        assert refused.value.code == "last_owner"
    appoint(tournament, "second", Role.OWNER)
    take_role(mine, by=director, at=AT)
    assert roles_of(tournament) == {"second": "owner"}


def test_everybody_may_give_up_their_own_role(tournament):
    scorer = appoint(tournament, "scorer", Role.SCORER)
    client = Client()
    client.force_login(scorer.user)
    client.post(reverse("take-role", args=[tournament.slug, scorer.pk]))
    assert roles_of(tournament) == {"director": "owner"}


@pytest.mark.parametrize(
    ("role", "of_event"),
    [
        *[(role, False) for role in Role if role != Role.DEPUTY],
        *[(role, True) for role in Role if role not in WHOLE_TOURNAMENT],
    ],
)
def test_everybody_but_the_last_owner_may_leave_from_the_roles_page(director, role, of_event):
    event = build_event(director, players=2, drawn=False)
    client, own = Client(), appoint(event.tournament, "bo", role, event if of_event else None)
    client.force_login(own.user)
    place = [event.tournament.slug]
    roles, leave = reverse("roles", args=place), reverse("take-role", args=[*place, own.pk])
    assert roles in client.get(reverse("tournament", args=place)).content.decode()
    assert leave in client.get(roles).content.decode()
    assert client.post(leave).status_code == 302
    assert roles_of(event.tournament) == {"director": "owner"}
    assert client.get(roles).status_code == 403


def test_leaving_is_not_offered_to_the_last_owner(client, tournament, director):
    client.force_login(director)
    own = tournament.appointments.get()
    place, leave = reverse("roles", args=[tournament.slug]), reverse("take-role", args=[tournament.slug, own.pk])
    assert leave not in client.get(place).content.decode()
    appoint(tournament, "bo", Role.OWNER)
    assert leave in client.get(place).content.decode()


def test_row_of_an_invalid_role_is_refused_by_the_database(director):
    event = build_event(director, players=0, drawn=False)
    bo = build_director("bo")
    for role, place in ((Role.DEPUTY, None), (Role.DIRECTOR, event), (Role.OWNER, event)):
        with pytest.raises(IntegrityError), transaction.atomic():
            Appointment.objects.create(tournament=event.tournament, event=place, user=bo, role=role, since=AT)


def test_changes_of_roles_are_in_the_log(tournament, director):
    _made, token = invite(tournament, role="scorer", note="Bo", by=director, at=AT)
    held = accept_invitation(token, by=build_director("bo"), at=AT)
    change_role(held, role="reader", by=director, at=AT)
    take_role(held, by=director, at=AT)
    told = list(tournament.log.order_by("id").values_list("verb", "actor__username"))
    assert told == [
        ("create_tournament", "director"),
        ("invite", "director"),
        ("accept_invitation", "bo"),
        ("change_role", "director"),
        ("take_role", "director"),
    ]
    assert tournament.log.get(verb="change_role").detail["changes"] == {"role": ["scorer", "reader"]}


def test_a_row_in_the_log_of_an_event_is_written_under_its_lock(director):
    """The event is locked before the tournament, as everywhere: two requests never wait for each other."""
    event = build_event(director, drawn=False)
    place = {"event": event, "by": director, "at": AT}
    with CaptureQueriesContext(connection) as queries:
        withdrawn, _token = invite(event.tournament, role="deputy", **place)
        _made, token = invite(event.tournament, role="deputy", **place)
        withdraw(withdrawn, by=director, at=AT)
        held = accept_invitation(token, by=build_director("bo"), at=AT)
        change_role(held, role="scorer", by=director, at=AT)
        take_role(held, by=director, at=AT)
    told = [*["invite"] * 2, "withdraw_invitation", "accept_invitation", "change_role", "take_role"]
    assert list(event.log.order_by("id").values_list("verb", flat=True))[-6:] == told
    transactions = re.findall(r"\nSAVEPOINT(.*?)\nRELEASE", "".join(f"\n{row['sql']}" for row in queries), re.DOTALL)
    tables = [re.findall(r'FROM "(tournament_event|tournament_tournament)"', one) for one in transactions]
    each = [[*dict.fromkeys(one)] for one in tables if one]
    assert each == [["tournament_event", "tournament_tournament"]] * 6


# Signing up


def sign_up_by_page(token: str, name: str = "bo", password: str = SOUND) -> tuple[Client, int]:
    client = Client()
    answer = client.post(
        reverse("sign-up", args=[token]), {"username": name, "password1": password, "password2": password}
    )
    return client, answer.status_code


def test_a_user_who_signs_up_has_the_role_and_is_signed_in(tournament, director):
    _made, token = invite(tournament, role="director", by=director, at=timezone.now())
    client, status = sign_up_by_page(token)
    assert status == 302
    assert roles_of(tournament) == {"director": "owner", "bo": "director"}
    assert client.get(reverse("roles", args=[tournament.slug])).status_code == 200


def test_the_form_of_signing_up_has_the_words_of_signing_in(tournament, director):
    _made, token = invite(tournament, role="director", by=director, at=timezone.now())
    page = Client().get(reverse("sign-up", args=[token])).content.decode()
    assert '<label for="id_username">User name</label>' in page
    twice = {"username": director.username, "password1": SOUND, "password2": SOUND}
    again = Client().post(reverse("sign-up", args=[token]), twice)
    assert (again.status_code, "Somebody has this user name already." in again.content.decode()) == (400, True)


@pytest.mark.parametrize("closed", ["used", "withdrawn", "expired", "unknown", "deleted"])
def test_nobody_signs_up_without_an_open_invitation(tournament, director, closed):
    now = timezone.now()
    invitation, token = invite(tournament, role="scorer", by=director, at=now)
    if closed == "used":
        accept_invitation(token, by=build_director("carl"), at=now)
    elif closed == "withdrawn":
        withdraw(invitation, by=director, at=now)
    elif closed == "expired":
        Invitation.objects.update(expires_at=now)
    elif closed == "unknown":
        token = "unknown"
    else:
        tournament.deleted_at = now
        tournament.save()
    assert Client().get(reverse("sign-up", args=[token])).status_code in {404, 410}
    _client, status = sign_up_by_page(token)
    assert status in {404, 409}
    assert not User.objects.filter(username="bo").exists()


@pytest.mark.parametrize(
    ("name", "password"), [("bo", "12345678"), ("bo", "short"), ("director", SOUND), ("", "a-sound-one")]
)
def test_bad_name_or_password_creates_no_account(tournament, director, name, password):
    _made, token = invite(tournament, role="scorer", by=director, at=timezone.now())
    _client, status = sign_up_by_page(token, name, password)
    assert status == 400
    assert User.objects.count() == 1
    assert Invitation.objects.get().accepted_at is None


@pytest.mark.parametrize("name", ["Director", "\uff44irector"])
def test_a_name_that_differs_in_case_or_width_alone_is_refused_when_it_is_stored(tournament, director, name):
    """The form asked a moment before, and somebody else may have been faster."""
    _made, token = invite(tournament, role="scorer", by=director, at=timezone.now())
    with pytest.raises(Refusal) as refused:
        sign_up(token, username=name, password=SOUND, at=timezone.now())
    assert refused.value.code == "username_taken"
    assert User.objects.count() == 1


def test_signing_up_may_be_tried_ten_times_a_minute_for_one_name(tournament, director):
    _made, token = invite(tournament, role="scorer", by=director, at=timezone.now())
    assert [sign_up_by_page(token, "bo", "short")[1] for _try in range(11)] == [400] * 10 + [429]


def test_account_and_role_are_created_together_or_not_at_all(tournament, director):
    _made, token = invite(tournament, role="scorer", by=director, at=AT)
    accept_invitation(token, by=build_director("carl"), at=AT)
    with pytest.raises(Conflict):
        sign_up(token, username="bo", password=SOUND, at=AT)
    assert not User.objects.filter(username="bo").exists()


def test_link_is_shown_once_to_the_user_who_made_it(tournament, director):
    client = Client()
    client.force_login(director)
    page = reverse("roles", args=[tournament.slug])
    made = client.post(page, {"role": "scorer", "note": "Bo", "days": 7}).content.decode()
    assert "/invitations/" in made
    assert "/invitations/" not in client.get(page).content.decode().replace(f"{page}invitations/", "")


def test_every_field_of_the_roles_page_has_its_own_label(tournament, director):
    for name in ("bo", "carl"):
        appoint(tournament, name, Role.SCORER)
    client = Client()
    client.force_login(director)
    page = client.get(reverse("roles", args=[tournament.slug])).content.decode()
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'<label[^>]* for="([^"]+)"', page)) <= set(ids)


def test_roles_page_takes_the_same_queries_for_few_and_many(tournament, director):
    client = Client()
    client.force_login(director)

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            client.get(reverse("roles", args=[tournament.slug]))
        return len(captured)

    appoint(tournament, "first", Role.SCORER)
    invite(tournament, role="scorer", by=director, at=timezone.now())
    few = queries()
    for number in range(8):
        appoint(tournament, f"scorer {number}", Role.SCORER)
        invite(tournament, role="reader", by=director, at=timezone.now())
    assert queries() == few
