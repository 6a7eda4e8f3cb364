"""A cache that is out of reach makes pages slower, and does no other harm."""

import pickle
import runpy
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.core.cache import cache, caches
from django.http import HttpRequest
from django.urls import reverse
from redis import Redis
from rest_framework.request import Request
from rest_framework.views import APIView

from tests.builders import build_director, build_event
from tests.processes import ROOT, Running
from tournament.roles.throttling import CodeThrottle

pytestmark = pytest.mark.django_db


@pytest.fixture
def redis(own_redis: tuple[str, Running], settings, monkeypatch: pytest.MonkeyPatch, tmp_path) -> Running:
    """A real Redis, which the cache of this test uses as in a federation."""
    url, server = own_redis
    monkeypatch.setenv("VAR_DIR", str(tmp_path / "var"))
    monkeypatch.setenv("REDIS_URL", url)
    settings.CACHES = runpy.run_path(str(ROOT / "config" / "settings.py"))["CACHES"]
    return server


@pytest.fixture
def stopped_redis(redis: Running) -> None:
    """A Redis that has kept a value, and then ended in the middle of everything."""
    cache.set("sum", 1)
    assert cache.get("sum") == 1
    redis.stop()


@pytest.fixture
def hanging_redis(redis: Running) -> Iterator[None]:
    """A Redis that has kept a value; it still accepts connections, but never answers."""
    cache.set("sum", 1)
    assert cache.get("sum") == 1
    with redis.hanging():
        yield


@pytest.fixture
def folder(settings, tmp_path) -> None:
    """The cache of a single machine, which its processes share."""
    own = {"BACKEND": "config.cache.ForgetfulFolder", "LOCATION": str(tmp_path / "cache")}
    settings.CACHES = {"default": own, "limits": own}


def at_once(many: int, act: Callable[[], bool]) -> list[bool]:
    """Return what so many threads get that all act at the same moment."""
    start = Barrier(many)

    def run(_number: int) -> bool:
        start.wait()
        return act()

    with ThreadPoolExecutor(many) as pool:
        return list(pool.map(run, range(many)))


@pytest.mark.parametrize("where", ["folder", "redis"])
def test_of_those_who_add_a_value_at_once_one_has_added_it(request, where):
    request.getfixturevalue(where)
    for number in range(10):
        assert sum(at_once(8, lambda key=f"sum-{number}": cache.add(key, 1, 60))) == 1


@pytest.mark.parametrize("where", ["folder", "redis"])
def test_ten_guesses_at_once_are_judged_and_no_more(request, where):
    request.getfixturevalue(where)
    asked = Request(HttpRequest())
    assert at_once(25, lambda: CodeThrottle(7).allow_request(asked, APIView())).count(True) == 10
    last = CodeThrottle(7)
    assert not last.allow_request(asked, APIView())
    assert 0 < last.wait() <= 66
    assert CodeThrottle(8).allow_request(asked, APIView())


@pytest.mark.usefixtures("redis")
def test_a_federation_keeps_values_in_redis():
    assert (cache.add("sum", 1, 60), cache.add("sum", 2, 60), cache.get("sum"), cache.has_key("sum")) == (
        *(True, False, 1),
        True,
    )
    assert (cache.get_many(["sum", "other"]), cache.delete("sum"), cache.get("sum", 0)) == ({"sum": 1}, True, 0)


class Moved:
    """A value whose class stood elsewhere in an older version of the program."""


@pytest.mark.usefixtures("redis")
def test_a_value_of_an_older_version_of_the_program_is_not_read(settings):
    pickled = pickle.dumps(Moved()).replace(b"tests.test_cache", b"tests.test_trunk")
    with pytest.raises(ModuleNotFoundError):
        pickle.loads(pickled)  # noqa: S301 - made in the line above
    with Redis.from_url(settings.CACHES["default"]["LOCATION"]) as client:
        client.set("sixprime:1:value", pickled)
    assert cache.get("value") is None


def test_one_machine_keeps_nothing_where_nothing_can_be_written(settings, tmp_path):
    folder = tmp_path / "cache"
    settings.CACHES = {"default": {"BACKEND": "config.cache.ForgetfulFolder", "LOCATION": str(folder)}}
    assert (cache.set("sum", 1), cache.get("sum")) == (None, 1)
    cache.clear()
    folder.rmdir()
    folder.touch()
    assert cache.set("sum", 1) is None


def test_what_is_over_goes_once_a_minute_and_a_write_looks_at_no_other_file(folder, monkeypatch):
    limits, looks = caches["limits"], []
    every = limits._list_cache_files
    monkeypatch.setattr(limits, "_list_cache_files", lambda: looks.append(1) or every())
    monkeypatch.setattr(type(limits), "_culled_next", {})
    for number in range(3):
        limits.set(f"over-{number}", 1, -1)
    limits.set("stays", 1, 600)
    looked, kept = len(looks), len(every())
    type(limits)._culled_next.clear()
    limits.set("last", 1, 600)
    assert (looked, kept, len(every())) == (2, 4, 2)


@pytest.mark.parametrize("state", ["stopped_redis", "hanging_redis"])
def test_without_redis_nothing_is_found_and_nothing_is_kept(request, state):
    request.getfixturevalue(state)
    assert (cache.set("sum", 1), cache.get("sum", 7), cache.add("sum", 1)) == (None, 7, None)
    assert (cache.get_many(["sum"]), cache.has_key("sum"), cache.delete("sum")) == ({}, None, None)
    assert (cache.set_many({"sum": 1}), cache.delete_many(["sum"])) == (None, None)


def test_a_kept_value_is_found_again_once_redis_answers(redis):
    cache.set("sum", 1)
    with redis.hanging():
        assert cache.get("sum") is None
    assert cache.get("sum") == 1


@pytest.mark.usefixtures("stopped_redis")
def test_every_page_that_uses_the_cache_is_made_without_it(client):
    director = build_director()
    event = build_event(director, players=4)
    here = [event.tournament.slug, event.slug]
    pages = [reverse(name, args=here) + "?fragment" for name in ("pairings", "standings", "prizes", "screen")]
    pages += [reverse("day", args=here[:1]), "/advice/?players=8&lengths=5"]
    assert [client.get(page).status_code for page in pages for _again in range(2)] == [200] * 12


@pytest.mark.parametrize("state", ["stopped_redis", "hanging_redis"])
def test_people_sign_in_without_the_cache(client, request, state):
    request.getfixturevalue(state)
    director = build_director()
    login = {"username": director.username, "password": "long-enough-for-tests"}
    assert client.post(reverse("login"), login | {"password": "wrong"}).status_code == 200
    assert client.post(reverse("login"), login).status_code == 302
    assert client.post("/api/v1/token/", login, content_type="application/json").status_code == 200


@pytest.mark.usefixtures("hanging_redis")
def test_a_page_does_not_wait_for_a_redis_that_hangs(client):
    event = build_event(build_director(), players=4)
    assert client.get(reverse("standings", args=[event.tournament.slug, event.slug]) + "?fragment").status_code == 200
