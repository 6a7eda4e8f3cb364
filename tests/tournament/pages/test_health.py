"""What pages say of a program of which a part keeps ending."""

from pathlib import Path

import pytest
from django.test import Client

from config.troubles import write_troubles
from tests.builders import build_director, build_event
from tournament.beat import say_worker_works

NAMED = "the process that computes them keeps ending"


@pytest.fixture
def file(settings, tmp_path: Path) -> Path:
    settings.TROUBLES_FILE = tmp_path / "troubles.json"
    return settings.TROUBLES_FILE


@pytest.mark.django_db
def test_everyone_who_is_signed_in_hears_of_it_while_it_lasts_and_nobody_else(client: Client, file: Path) -> None:
    director = build_director()
    event = build_event(director)
    client.force_login(director)
    pages = ["/", event.get_absolute_url(), f"{event.tournament.get_absolute_url()}desk/"]
    for told, said in (([], False), (["worker"], True), (["worker", "live stream"], True), ([], False)):
        write_troubles(told)
        for page in pages:
            text = client.get(page).content.decode()
            assert (NAMED in text) is said, (told, page)
            assert ("the live stream keeps ending" in text) is ("live stream" in told)
            assert NAMED not in Client().get(page).content.decode()


@pytest.mark.django_db
def test_a_worker_that_keeps_ending_is_not_ready_although_it_is_heard_of(client: Client, file: Path) -> None:
    say_worker_works()
    for told, state in (([], "ok"), (["worker"], "failing"), (["live stream"], "ok")):
        write_troubles(told)
        answer = client.get("/readyz")
        assert (answer.json()["worker"], answer.status_code) == (state, 503 if told == ["worker"] else 200)


@pytest.mark.django_db
@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"parts": 5}', '{"parts": ["something new"]}'])
def test_a_file_that_says_nothing_useful_is_no_trouble(client: Client, file: Path, content: str) -> None:
    file.write_text(content)
    client.force_login(build_director())
    answer = client.get("/")
    assert answer.status_code == 200
    assert NAMED not in answer.content.decode()
