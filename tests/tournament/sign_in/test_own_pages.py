"""What users do with their own user accounts: passwords, e-mail addresses, sessions, second factors, tokens."""

import re
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import (
    TOTP,
    format_hotp_value,
    generate_totp_secret,
    hotp_value,
    yield_hotp_counters_from_time,
)
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.core import mail
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.builders import AT, build_director, build_key
from tournament.models import AccessToken, Happening, SignInEvent
from tournament.sign_in.events import record_event
from tournament.tasks import forget_addresses

PASSWORD = "long-enough-for-tests"
OTHER = "another-one-for-tests"


def sign_in(name: str = "director", password: str = PASSWORD) -> Client:
    client = Client()
    client.post(reverse("login"), {"username": name, "password": password})
    return client


def make_old(client: Client, seconds: int = 360) -> None:
    """Have the user of this browser have signed in so long ago; less than 0 is a moment still to come."""
    session = client.session
    for proof in session["account_authentication_methods"]:
        proof["at"] -= seconds
    session.save()


def is_in(client: Client) -> bool:
    return client.get(reverse("user-account")).status_code == 200


def linked(message: mail.EmailMessage) -> str:
    """The path of the link in an e-mail."""
    return re.search(r"http://testserver(/\S+)", str(message.body))[1]


def happened() -> list[str]:
    return list(SignInEvent.objects.order_by("pk").values_list("what", flat=True))


def code_of(secret: str, later: int = 0) -> str:
    """The first of the three codes of an authenticator app that are right at this moment, or a later one."""
    return format_hotp_value(hotp_value(secret, [*yield_hotp_counters_from_time()][later]))


def with_app(director) -> str:
    secret = generate_totp_secret()
    TOTP.activate(director, secret)
    return secret


def test_nobody_signs_up(client, db):
    assert client.get("/accounts/signup/").status_code == 404


def test_a_new_password_signs_out_the_other_devices_and_ends_the_tokens(director):
    here, there = sign_in(), sign_in()
    build_key(director)
    typed = {"oldpassword": PASSWORD, "password1": OTHER, "password2": OTHER}
    assert here.post(reverse("account_change_password"), typed).status_code == 302
    assert (is_in(here), is_in(there), AccessToken.objects.exists()) == (True, False, False)
    assert is_in(sign_in(password=OTHER))
    assert Happening.PASSWORD_CHANGED in happened()


@pytest.mark.parametrize(
    ("password", "words"),
    [
        ("nine-char", "10 characters"),
        ("1234567890", "common"),
        ("director12", "similar"),
        ("Backgammon-2026", "guess this word"),
    ],
)
def test_a_password_that_is_easily_guessed_is_refused(director, password, words):
    typed = {"oldpassword": PASSWORD, "password1": password, "password2": password}
    page = sign_in().post(reverse("account_change_password"), typed)
    assert (page.status_code, words in page.content.decode()) == (200, True)
    director.refresh_from_db()
    assert director.check_password(PASSWORD)


def test_an_address_is_confirmed_by_a_link(director):
    here = sign_in()
    asked = here.post(reverse("account_email"), {"email": "anna@example.org", "action_add": ""})
    assert (asked.status_code, EmailAddress.objects.exists()) == (302, False), "whoever is at the keys is asked first"
    here.post(asked.url, {"password": PASSWORD})
    assert not EmailAddress.objects.get().verified
    path = linked(mail.outbox[0])
    assert here.get(path).status_code == 200
    assert not EmailAddress.objects.get().verified, "a program that reads mail opens links"
    here.post(path)
    assert EmailAddress.objects.get().verified
    assert Happening.EMAIL_CONFIRMED in happened()


def test_sessions_are_listed_and_ended_one_by_one_or_all(director):
    here, second, third = sign_in(), sign_in(), sign_in()
    assert here.get(reverse("usersessions_list")).content.decode().count("127.0.0.1") == 3
    one = UserSession.objects.get(session_key=second.session.session_key)
    here.post(reverse("usersessions_list"), {"session": one.pk})
    assert [is_in(client) for client in (here, second, third)] == [True, False, True]
    here.post(reverse("usersessions_list"), {"session": "others"})
    assert [is_in(client) for client in (here, third)] == [True, False]


def test_nobody_ends_the_session_of_another_user(director):
    build_director("other")
    here, there = sign_in("other"), sign_in()
    theirs = UserSession.objects.get(session_key=there.session.session_key)
    here.post(reverse("usersessions_list"), {"session": theirs.pk})
    assert is_in(there)


def test_a_second_factor_is_asked_for_after_the_password(director):
    secret = with_app(director)
    client = Client()
    asked = client.post(reverse("login"), {"username": "director", "password": PASSWORD})
    assert (asked.url, is_in(client)) == (reverse("mfa_authenticate"), False)
    assert client.post(asked.url, {"code": "000000"}).status_code == 200
    assert not is_in(client)
    client.post(asked.url, {"code": code_of(secret)})
    assert is_in(client)
    assert happened() == [Happening.CODE_FAILED, Happening.SIGNED_IN]


def test_a_code_works_once(director):
    secret = with_app(director)
    code = code_of(secret)
    found = []
    for _again in range(2):
        client = sign_in()
        client.post(reverse("mfa_authenticate"), {"code": code})
        found.append(is_in(client))
        caches["default"].clear()  # what has been used is not kept in the cache
    assert found == [True, False]


def test_a_password_typed_while_the_clock_was_a_year_ahead_is_asked_for_again(director):
    client = sign_in()
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    assert client.get(reverse("mfa_activate_totp")).status_code == 200
    make_old(client, -365 * 86_400)
    asked = client.get(reverse("mfa_activate_totp"))
    assert asked.url.startswith(reverse("account_reauthenticate"))


def test_an_app_is_added_after_the_password_has_been_typed_again(director):
    client = sign_in()
    asked = client.get(reverse("mfa_activate_totp"))
    assert asked.url.startswith(reverse("account_reauthenticate"))
    client.post(asked.url, {"password": PASSWORD})
    page = client.get(reverse("mfa_activate_totp"))
    assert "<svg" in page.content.decode()
    answer = client.post(reverse("mfa_activate_totp"), {"code": code_of(page.context["form"].secret)})
    assert answer.url == reverse("mfa_view_recovery_codes")
    shown = client.get(answer.url)
    assert len(shown.context["unused_codes"]) == 10
    other = sign_in()
    other.post(reverse("mfa_authenticate"), {"code": shown.context["unused_codes"][0]})
    assert is_in(other)
    client.post(reverse("mfa_deactivate_totp"))
    assert not Authenticator.objects.exists()
    assert is_in(sign_in())


def test_the_code_that_adds_an_app_signs_nobody_in(director):
    client = sign_in()
    client.post(client.get(reverse("mfa_activate_totp")).url, {"password": PASSWORD})
    code = code_of(client.get(reverse("mfa_activate_totp")).context["form"].secret)
    client.post(reverse("mfa_activate_totp"), {"code": code})
    assert (is_in(client), happened().count(Happening.SIGNED_IN)) == (True, 1)
    other = sign_in()
    other.post(reverse("mfa_authenticate"), {"code": code})
    assert not is_in(other)
    assert happened().count(Happening.SIGNED_IN) == 1


def test_at_a_screen_left_open_nobody_makes_a_token(director):
    client = sign_in()
    make_old(client)
    asked = client.post(reverse("access-tokens"), {"name": "Score screen", "scope": "read", "days": 30})
    assert (asked.status_code, AccessToken.objects.exists()) == (302, False)
    assert "This is not your password" in client.post(asked.url, {"password": "wrong"}).content.decode()
    page = client.post(asked.url, {"password": PASSWORD})
    assert page.context["key"] in page.content.decode()
    assert AccessToken.objects.get().name == "Score screen"


@pytest.mark.parametrize("is_confirmed", [True, False])
def test_the_pages_say_whether_an_address_is_confirmed_and_what_to_do(director, is_confirmed):
    EmailAddress.objects.create(user=director, email="anna@example.org", primary=True, verified=is_confirmed)
    client = sign_in()
    client.post(client.get(reverse("mfa_activate_totp")).url, {"password": PASSWORD})
    for page in ("user-account", "account_email"):
        text = client.get(reverse(page)).content.decode()
        assert ("not confirmed yet" in text, "To confirm an address, have a link sent" in text) == (
            not is_confirmed,
        ) * 2
        assert "confirmed" in text


def test_an_address_that_a_command_has_given_is_shown(director):
    director.email = "anna@example.org"
    director.save()
    text = sign_in().get(reverse("user-account")).content.decode()
    assert ("anna@example.org" in text, "To confirm an address" in text, "could not choose" in text) == (
        True,
        True,
        False,
    )


def test_no_address_is_stored_where_no_link_to_confirm_it_can_be_made(director, settings):
    client = sign_in()
    client.post(client.get(reverse("mfa_activate_totp")).url, {"password": PASSWORD})
    settings.ALLOWED_HOSTS, settings.HOST, settings.SITE_ADDRESS = ["*"], "127.0.0.1", ""
    typed = {"email": "anna@example.org", "action_add": ""}
    assert client.post(reverse("account_email"), typed, headers={"host": "evil.test"}).status_code == 409
    assert (EmailAddress.objects.count(), mail.outbox) == (0, [])
    assert client.post(reverse("account_email"), typed, headers={"host": "localhost:8000"}).status_code == 302
    assert "http://localhost:8000/" in mail.outbox[0].body


def test_a_token_of_the_api_needs_the_second_factor_too(director, client):
    secret = with_app(director)
    typed = {"username": "director", "password": PASSWORD}

    def ask(**more: str):
        answer = client.post("/api/v1/token/", typed | more, content_type="application/json")
        return answer.status_code, answer.json().get("code")

    assert ask() == (401, "second_factor_needed")
    assert ask(code="000000") == (401, "second_factor_wrong")
    assert ask(code=code_of(secret)) == (200, None)


def test_codes_are_guessed_ten_times_in_five_minutes(director):
    secret = with_app(director)
    client = sign_in()
    for _try in range(10):
        client.post(reverse("mfa_authenticate"), {"code": "000000"})
    client.post(reverse("mfa_authenticate"), {"code": code_of(secret)})
    assert not is_in(client)


def test_a_passkey_signs_nobody_in_with_what_is_no_answer_of_one(director, client):
    answer = client.get(reverse("mfa_login_webauthn"), headers={"accept": "application/json"})
    assert "challenge" in answer.json()["request_options"]["publicKey"]
    for typed in ("", "x", "{}", '{"id": 1}', "[]"):
        assert client.post(reverse("mfa_login_webauthn"), {"credential": typed}).status_code < 500
    assert not is_in(client)


def test_a_token_is_shown_once_and_ended(director):
    client = sign_in()
    page = client.post(reverse("access-tokens"), {"name": "Score screen", "scope": "read", "days": 30})
    key = page.context["key"]
    assert key in page.content.decode()
    assert key not in client.get(reverse("access-tokens")).content.decode()
    token = AccessToken.objects.get()
    assert (token.name, token.scopes) == ("Score screen", ["read"])
    other = Client()
    other.force_login(build_director("other"))
    assert other.post(reverse("end-access-token", args=[token.pk])).status_code == 404
    client.post(reverse("end-access-token", args=[token.pk]))
    assert not AccessToken.objects.exists()


def test_a_token_of_impossible_days_is_refused_with_what_was_typed(director):
    page = sign_in().post(reverse("access-tokens"), {"name": "Score screen", "scope": "read", "days": 2000})
    assert (page.status_code, 'value="Score screen"' in page.content.decode()) == (400, True)
    assert not AccessToken.objects.exists()


def test_a_worker_forgets_what_happened_after_90_days(director):
    now = timezone.now()
    kept = [now - timedelta(days=89), now]
    for at in (now - timedelta(days=91), *kept):
        record_event(Happening.SIGNED_IN, director, at=at)
    forget_addresses()
    assert list(SignInEvent.objects.order_by("at").values_list("at", flat=True)) == kept


def test_a_failure_does_not_keep_what_was_typed(director):
    sign_in("my-password-by-mistake", "x")
    row = SignInEvent.objects.get()
    assert (row.what, row.user) == (Happening.FAILED, None)
    assert "mistake" not in str(SignInEvent.objects.values())


def test_pages_need_no_query_more_for_whoever_is_signed_in(director, django_assert_max_num_queries):
    client = sign_in()
    client.get(reverse("players"))
    with django_assert_max_num_queries(6):
        client.get(reverse("players"))


def test_mails_lie_in_a_folder_without_a_mail_server():
    assert str(settings.EMAIL_FILE_PATH).endswith("mails")
    assert AT.tzinfo is not None
