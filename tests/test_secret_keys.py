"""Which secrets are good enough for a site that others reach, and which proxies are trusted there."""

import re
from base64 import b64encode
from random import Random
from secrets import token_urlsafe

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key
from django.utils.crypto import RANDOM_STRING_CHARS

from config.demands import is_weak
from tests.processes import ROOT
from tests.test_configuration import settings_of  # noqa: F401 - a fixture

RANDOM = "Zt4_qf0NcYxV9mB7sKpR2wLhJ5uDgE8aTiC1oMnQvX"
WEAK = ["", "short", "x" * 60, "abc" * 20, "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJ", "1234567890" * 5]
WEAK += [
    f"django-insecure-{RANDOM}",
    f"changeme{RANDOM}",
    f"of-no-installation-{RANDOM}",
    f"your-{RANDOM}",
    RANDOM[:31],
    "MyBackgammonClubCopenhagen2026MyBackgammonClub",
    "correct horse battery staple correct",
    "DetteErVoresHemmeligeNoegleTilKlubben2026",
    "Unser Geheimnis für den Verein, und für niemand anders",
]


@pytest.mark.parametrize("secret", WEAK)
def test_a_weak_secret_is_weak(secret: str) -> None:
    assert is_weak(secret)


def test_random_secrets_are_strong() -> None:
    random = Random(1)
    for _again in range(200):
        for many in (16, 20, 24, 32, 50):
            drawn = random.randbytes(many)
            for secret in (drawn.hex(), b64encode(drawn).decode(), "".join(random.choices(RANDOM_STRING_CHARS, k=50))):
                assert is_weak(secret) is (len(secret) < 32), secret
    assert not is_weak(token_urlsafe(50))
    assert not is_weak(get_random_secret_key())


@pytest.mark.parametrize(
    "where",
    [
        {"HTTPS": 1, "ALLOWED_HOSTS": "play.example.org"},
        {"DATABASE_URL": "postgresql://tom:pw@db:5433/six"},
    ],
)
def test_a_weak_secret_key_stops_the_start_where_others_reach_the_site(settings_of, where) -> None:  # noqa: F811
    said = "is too weak: it must be random, of at least 32 characters"
    with pytest.raises(ImproperlyConfigured, match=f"SECRET_KEY {said}"):
        settings_of(SECRET_KEY="changeme", **where)
    with pytest.raises(ImproperlyConfigured, match=f"SECRET_KEY_FALLBACKS {said}"):
        settings_of(SECRET_KEY=RANDOM, SECRET_KEY_FALLBACKS="changeme", **where)
    assert settings_of(SECRET_KEY=RANDOM, SECRET_KEY_FALLBACKS="", **where)["SECRET_KEY"] == RANDOM


def test_the_secret_key_of_the_image_is_good_for_nothing_else() -> None:
    (key,) = re.findall(r"SECRET_KEY=(\S+)", (ROOT / "Dockerfile").read_text())
    assert is_weak(key)


def test_https_goes_with_no_debugging(settings_of) -> None:  # noqa: F811
    with pytest.raises(ImproperlyConfigured, match="DEBUG=1 is for development only"):
        settings_of(DEBUG=1, HTTPS=1, ALLOWED_HOSTS="play.example.org")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, []),
        ({"HTTPS": 1, "ALLOWED_HOSTS": "a.example"}, ["127.0.0.1", "::1"]),
        ({"TRUSTED_PROXIES": "10.0.0.2, 172.18.0.0/16"}, ["10.0.0.2", "172.18.0.0/16"]),
    ],
)
def test_no_network_is_trusted_by_itself(settings_of, given, expected) -> None:  # noqa: F811
    assert settings_of(**given)["TRUSTED_PROXIES"] == expected


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"HTTPS": "1", "ALLOWED_HOSTS": "*"},
            "With HTTPS=1, ALLOWED_HOSTS must name the hosts that people type, such as play.example.org.",
        ),
        (
            {"TRUSTED_PROXIES": "proxy"},
            "TRUSTED_PROXIES must be addresses or networks, such as 10.0.0.2 or 172.16.0.0/12, not 'proxy'.",
        ),
        ({"TRUSTED_PROXIES": "::/0"}, "TRUSTED_PROXIES must name the proxies: with ::/0 everybody is believed."),
        (
            {"HTTPS": "1", "ALLOWED_HOSTS": "a.example", "TRUSTED_PROXIES": " "},
            "With HTTPS=1, TRUSTED_PROXIES must name the proxy, such as 127.0.0.1.",
        ),
    ],
)
def test_a_wrong_setting_says_what_it_must_be(settings_of, given: dict[str, str], message: str) -> None:  # noqa: F811
    with pytest.raises(ImproperlyConfigured) as refused:
        settings_of(**given)
    assert str(refused.value) == message


def test_over_https_no_other_host_can_set_the_cookies(settings_of) -> None:  # noqa: F811
    settings = settings_of(HTTPS=1, ALLOWED_HOSTS="play.example.org")
    names = [settings["SESSION_COOKIE_NAME"], settings["CSRF_COOKIE_NAME"]]
    assert [name for name in names if not name.startswith("__Host-")] == []
    assert "SESSION_COOKIE_NAME" not in settings_of()
