"""U+0000 is in no text: wherever a request has it, it is refused with one sentence, and no database is asked for it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import DataError
from django.test import Client
from django.urls import get_resolver, reverse

from players.models import RegistryRole
from players.outages import refusal_of
from tests.players.registry.people import Registry, build_registry
from tests.processes import environment, manage
from tests.strict import like_postgresql
from tests.tournament.pages.test_chances import addresses

SENTENCE = "A text cannot contain the character U+0000."


@pytest.fixture
def registry(db) -> Iterator[Registry]:
    with like_postgresql():
        yield build_registry()


def is_refused(answer) -> bool:
    return (answer.status_code, answer.content.decode().count(SENTENCE)) == (400, 1)


@pytest.mark.parametrize("path", ["/", "/players/", "/search/", "/federations/", "/lists/", "/accounts/login/"])
@pytest.mark.parametrize("query", ["q=%00", "q=a%00b", "nonsense=%00", "%00=1", "page=%00", "next=%00"])
def test_a_page_is_not_asked_for_with_it(client, registry, path, query):
    assert is_refused(client.get(f"{path}?{query}"))


def test_every_address_refuses_a_query_with_it(client, registry):
    paths = {name: reverse(name) for name, held in addresses(get_resolver()) if not held and name != "None"}
    assert len(paths) > 50
    answers = {name: client.get(path, {"q": "\0"}).status_code for name, path in paths.items()}
    assert {name for name, status in answers.items() if status != 400} == set()


def test_nobody_is_appointed_by_a_name_with_it(client, registry):
    client.force_login(registry.officer)
    for name, place in (("appoint-officer", "DBGF"), ("appoint-manager", registry.club.pk)):
        assert is_refused(client.post(reverse(name, args=[place]), {"username": "stran\0ger"}))
    assert not RegistryRole.objects.filter(user=registry.stranger).exists()


def test_a_form_is_refused_with_it(client, registry):
    assert is_refused(client.post(reverse("login"), {"username": "a\0", "password": "x"}))


@pytest.mark.parametrize("path", ["/invitations/a%00b/", "/federations/%00/", "/lists/a%00/", "/e/a%00b/"])
def test_nothing_has_an_address_with_it(client, registry, path):
    assert client.get(path).status_code == 404


def test_a_cookie_with_it_is_none_of_ours(client, registry):
    client.force_login(registry.officer)
    key = client.cookies["sessionid"].value
    sent = {key: 200, f'"{key}\\000"': 302}
    answers = {value: Client().get(reverse("my-exports"), headers={"Cookie": f"sessionid={value}"}) for value in sent}
    assert {value: answer.status_code for value, answer in answers.items()} == sent


POSTGRES = """
from django.db import connection, transaction
from players.models import Player
from players.outages import refusal_of

def told(act):
    try:
        with transaction.atomic():
            act()
    except Exception as error:
        print(refusal_of(error).code)

told(lambda: list(Player.objects.filter(name="a" + chr(0))))
told(lambda: connection.cursor().execute("SELECT %s::jsonb ->> 'a'", ['{"a": "' + chr(92) + 'u0000"}']))
"""


def test_what_reaches_postgresql_all_the_same_is_refused_too(postgres_url: str, tmp_path: Path) -> None:
    env = environment(VAR_DIR=tmp_path, DATABASE_URL=postgres_url)
    assert manage("shell", "--no-imports", "--command", POSTGRES, env=env) == "character_nul\n" * 2


def test_any_other_value_that_a_database_refuses_is_a_bug() -> None:
    assert refusal_of(DataError("value too long for type character varying(12)")) is None
