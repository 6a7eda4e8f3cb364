"""A cache that is out of reach makes pages slower, and nothing else."""

import pytest
from django.core.cache import cache
from django.urls import reverse

from tests.builders import build_director, build_event

pytestmark = pytest.mark.django_db


@pytest.fixture
def out_of_reach(settings):
    """The cache of a federation whose Redis does not answer."""
    nobody = {"BACKEND": "config.cache.ForgetfulCache", "LOCATION": "redis://127.0.0.1:1/0"}
    settings.CACHES = {"default": nobody}


def test_a_federation_uses_it(redis_url, settings):
    settings.CACHES = {"default": {"BACKEND": "config.cache.ForgetfulCache", "LOCATION": redis_url}}
    assert (cache.add("sum", 1, 60), cache.add("sum", 2, 60), cache.get("sum"), cache.has_key("sum")) == (
        *(True, False, 1),
        True,
    )
    assert (cache.get_many(["sum", "other"]), cache.delete("sum"), cache.get("sum", 0)) == ({"sum": 1}, True, 0)


def test_one_machine_keeps_nothing_where_nothing_can_be_written(settings, tmp_path):
    folder = tmp_path / "cache"
    settings.CACHES = {"default": {"BACKEND": "config.cache.ForgetfulFolder", "LOCATION": str(folder)}}
    assert (cache.set("sum", 1), cache.get("sum")) == (None, 1)
    cache.clear()
    folder.rmdir()
    folder.touch()
    assert cache.set("sum", 1) is None


@pytest.mark.usefixtures("out_of_reach")
def test_nothing_is_known_and_nothing_is_kept():
    assert (cache.set("sum", 1), cache.get("sum", 7), cache.add("sum", 1)) == (None, 7, False)
    assert (cache.get_many(["sum"]), cache.has_key("sum"), cache.delete("sum")) == ({}, False, False)
    assert (cache.set_many({"sum": 1}), cache.delete_many(["sum"])) == (["sum"], None)


@pytest.mark.usefixtures("out_of_reach")
def test_every_page_that_uses_the_cache_is_made_without_it(client):
    director = build_director()
    event = build_event(director, players=4)
    here = [event.tournament.slug, event.slug]
    pages = [reverse(name, args=here) + "?fragment" for name in ("pairings", "standings", "prizes", "screen")]
    pages += [reverse("day", args=here[:1]), "/advice/?players=8&lengths=5"]
    assert [client.get(page).status_code for page in pages for _again in range(2)] == [200] * 12


@pytest.mark.usefixtures("out_of_reach")
def test_people_sign_in_without_the_cache(client):
    director = build_director()
    said = {"username": director.username, "password": "long-enough-for-tests"}
    assert client.post(reverse("login"), said | {"password": "wrong"}).status_code == 200
    assert client.post(reverse("login"), said).status_code == 302
    assert client.post("/api/v1/token/", said, content_type="application/json").status_code == 200
