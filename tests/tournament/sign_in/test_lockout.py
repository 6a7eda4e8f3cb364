"""Somebody on the same Wi-Fi tries to keep a director out: by the password, the second factor and the forgotten one."""

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from django.core import mail
from django.test import Client
from django.urls import reverse

from players.models import User
from tests.builders import build_key
from tests.tournament.sign_in.test_own_pages import OTHER, PASSWORD, code_of, is_in, linked, with_app
from tournament.models import AccessToken
from tournament.sign_in.links import path_to_password

HALL = "192.0.2.7"
WRONG = {"username": "director", "password": "wrong"}
RIGHT = {"username": "director", "password": PASSWORD}


def device() -> Client:
    """A device in the hall, whose devices have one address for those outside."""
    return Client(REMOTE_ADDR=HALL)


def known_device() -> Client:
    """One on which the director has signed in before."""
    client = device()
    client.post(reverse("login"), RIGHT)
    assert is_in(client)
    client.post(reverse("logout"))
    return client


def try_passwords(times: int = 130) -> None:
    stranger = device()
    for number in range(times):
        stranger.post(reverse("login"), WRONG if number < 65 else {**WRONG, "username": f"name{number}"})


def with_address(user: User) -> None:
    EmailAddress.objects.create(user=user, email="anna@example.org", primary=True, verified=True)


@pytest.fixture
def ask_link(eager_tasks, django_capture_on_commit_callbacks):
    """Ask for the link of a forgotten password, which a worker sends."""

    def ask(address: str = "anna@example.org", client: Client | None = None):
        with django_capture_on_commit_callbacks(execute=True):
            return (client or device()).post(reverse("account_reset_password"), {"email": address})

    return ask


def choose(path: str, client: Client) -> None:
    """Follow the link, and choose another password."""
    client.post(client.get(path).url, {"password1": OTHER, "password2": OTHER})


def test_a_device_of_the_director_signs_in_whatever_a_stranger_tries(director):
    own = known_device()
    try_passwords()
    own.post(reverse("login"), RIGHT)
    assert is_in(own)


def test_a_new_device_that_is_kept_out_signs_in_after_a_link(director, ask_link):
    with_address(director)
    try_passwords()
    new = device()
    page = new.post(reverse("login"), RIGHT)
    assert page.status_code == 429
    assert 'value="director"' in page.content.decode(), "the form comes back"
    assert reverse("account_reset_password") in page.content.decode()
    for _again in range(40):
        ask_link("somebody@example.org")
    ask_link(client=new)
    choose(linked(mail.outbox[0]), new)
    new.post(reverse("login"), {**RIGHT, "password": OTHER})
    assert is_in(new)


def test_a_stranger_who_has_the_password_uses_up_the_codes_of_no_device_of_the_director(director):
    own = known_device()
    secret = with_app(director)
    stranger = device()
    stranger.post(reverse("login"), RIGHT)
    for _try in range(40):
        page = stranger.post(reverse("mfa_authenticate"), {"code": "000000"})
    assert "Too many attempts" in page.content.decode()
    stranger.post(reverse("mfa_authenticate"), {"code": code_of(secret)})
    assert not is_in(stranger)
    own.post(reverse("login"), RIGHT)
    own.post(reverse("mfa_authenticate"), {"code": code_of(secret)})
    assert is_in(own)


def test_codes_are_guessed_thirty_times_an_hour_from_all_addresses_together(director):
    secret = with_app(director)
    for number in range(6):
        stranger = Client(REMOTE_ADDR=f"198.51.100.{number}")
        stranger.post(reverse("login"), RIGHT)
        for _try in range(6):
            page = stranger.post(reverse("mfa_authenticate"), {"code": "000000"})
    assert "Too many attempts" in page.content.decode()
    elsewhere = Client(REMOTE_ADDR="203.0.113.1")
    elsewhere.post(reverse("login"), RIGHT)
    elsewhere.post(reverse("mfa_authenticate"), {"code": code_of(secret)})
    assert not is_in(elsewhere)


def test_the_password_of_one_who_is_signed_in_is_not_guessed_without_end(director):
    client = device()
    client.post(reverse("login"), RIGHT)
    typed = {"oldpassword": "wrong", "password1": OTHER, "password2": OTHER}
    for _try in range(10):
        client.post(reverse("account_change_password"), typed)
    page = client.post(reverse("account_change_password"), {**typed, "oldpassword": PASSWORD})
    assert "Too many attempts" in page.content.decode()
    director.refresh_from_db()
    assert director.check_password(PASSWORD)


def test_a_recovery_code_works_once(director):
    with_app(director)
    codes = RecoveryCodes.activate(director).generate_codes()
    found = []
    for _again in range(2):
        client = device()
        client.post(reverse("login"), RIGHT)
        client.post(reverse("mfa_authenticate"), {"code": codes[0]})
        found.append(is_in(client))
    assert found == [True, False]
    assert Authenticator.objects.count() == 2


def test_the_link_works_once_and_ends_sessions_and_tokens(director, ask_link):
    with_address(director)
    here = device()
    here.post(reverse("login"), RIGHT)
    build_key(director)
    ask_link("Anna@Example.org")
    (message,) = mail.outbox
    assert message.to == ["anna@example.org"]
    choose(linked(message), Client())
    assert (is_in(here), AccessToken.objects.exists()) == (False, False)
    assert "too old" in Client().get(linked(message), follow=True).content.decode()
    director.refresh_from_db()
    assert director.check_password(OTHER)


class Meanwhile:
    """A check of passwords during which the same link sets another one, as in a request of the same moment."""

    path = ""

    def validate(self, password: str, user: User | None = None) -> None:
        path, Meanwhile.path = Meanwhile.path, ""
        if path:
            choose(path, Client())

    def get_help_text(self) -> str:
        return ""


def test_one_link_sets_one_password_even_if_it_is_used_twice_at_once(director, settings):
    settings.AUTH_PASSWORD_VALIDATORS = [{"NAME": f"{__name__}.Meanwhile"}]
    path, second = path_to_password(director), Client()
    form = second.get(path).url
    Meanwhile.path = path
    answer = second.post(form, {"password1": "third-one-for-tests", "password2": "third-one-for-tests"}, follow=True)
    assert "too old" in answer.content.decode()
    director.refresh_from_db()
    assert director.check_password(OTHER)


def test_a_stranger_learns_from_the_form_nothing(director, ask_link):
    with_address(director)
    answers = [ask_link(one) for one in ("anna@example.org", "b@c.de")]
    assert [(one.status_code, one.url) for one in answers] == [(302, reverse("account_reset_password_done"))] * 2
    assert len(mail.outbox) == 1


def test_no_e_mail_is_sent_while_the_one_who_asked_waits(director, client):
    with_address(director)
    client.post(reverse("account_reset_password"), {"email": "anna@example.org"})
    assert mail.outbox == []


def test_a_reset_leaves_the_second_factor(director, ask_link):
    with_address(director)
    with_app(director)
    ask_link()
    client = device()
    choose(linked(mail.outbox[0]), client)
    asked = client.post(reverse("login"), {**RIGHT, "password": OTHER})
    assert (is_in(client), asked.url) == (False, reverse("mfa_authenticate"))


def test_the_link_is_in_the_language_of_the_one_who_asked(director, ask_link):
    with_address(director)
    ask_link(client=Client(headers={"accept-language": "de"}))
    assert mail.outbox[0].subject != "A new password for Sixprime"
    assert "Hallo director" in mail.outbox[0].body


def test_at_most_five_links_an_hour_go_to_one_address_and_each_works(director, ask_link):
    with_address(director)
    assert {ask_link().status_code for _again in range(9)} == {302}
    assert len(mail.outbox) == 5
    choose(linked(mail.outbox[2]), Client())
    director.refresh_from_db()
    assert director.check_password(OTHER)


def test_an_address_that_somebody_only_typed_gets_no_link(director, ask_link):
    EmailAddress.objects.create(user=director, email="anna@example.org", verified=False)
    ask_link()
    assert mail.outbox == []
    director.email = "anna@example.org"  # as administrators set it
    director.save()
    ask_link()
    assert [message.to for message in mail.outbox] == [["anna@example.org"]]


def test_mail_goes_only_to_an_address_that_was_confirmed(director):
    EmailAddress.objects.create(user=director, email="evil@example.org", verified=False)
    client = device()
    client.post(reverse("login"), RIGHT)
    asked = client.post(reverse("account_email"), {"email": "evil@example.org", "action_primary": ""})
    client.post(asked.url, {"password": PASSWORD})
    director.refresh_from_db()
    assert director.email == ""


def test_a_disabled_user_gets_no_link(director, ask_link):
    with_address(director)
    director.is_active = False
    director.save()
    ask_link()
    assert mail.outbox == []


def test_letters_that_look_alike_to_a_database_are_another_address(director, ask_link):
    director.email = "mike@example.org"
    director.save()
    ask_link("m\u0131ke@example.org")
    assert mail.outbox == []


def test_no_link_is_mailed_to_a_host_that_the_request_names(director, ask_link, settings):
    with_address(director)
    settings.EMAIL_HOST, settings.ALLOWED_HOSTS, settings.SITE_ADDRESS = "mail.example.org", ["*"], ""
    foreign = Client(headers={"host": "evil.test"})
    assert (ask_link(client=foreign).status_code, mail.outbox) == (409, [])
    settings.SITE_ADDRESS = "https://play.example.org"
    ask_link(client=foreign)
    assert "https://play.example.org/accounts/password/reset/" in mail.outbox[0].body
    assert "evil.test" not in mail.outbox[0].body


def test_without_an_address_of_the_site_no_link_is_asked_for_and_none_is_counted(director, ask_link, settings):
    with_address(director)
    settings.ALLOWED_HOSTS, settings.HOST, settings.SITE_ADDRESS = ["*"], "127.0.0.1", ""
    foreign = Client(headers={"host": "evil.test"})
    assert [ask_link(client=foreign).status_code for _again in range(6)] == [409] * 6
    assert mail.outbox == []
    ask_link(client=Client(headers={"host": "localhost:8000"}))
    assert "http://localhost:8000/accounts/password/reset/" in mail.outbox[0].body
