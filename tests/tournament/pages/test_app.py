"""The site as an app: its manifest, its service worker, and the page that stands in without a network."""

import json
import re
import struct
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse

from tests.builders import build_director, build_event, fixture_of
from tournament.entries.links import token_of
from tournament.pages import app
from tournament.pages.tags.keeping import kept_pages

pytestmark = pytest.mark.django_db

LINKED = re.compile(r"static '([^']+)'")


def manifest(start: str = "", **headers: str) -> dict:
    return json.loads(Client().get(reverse("app-manifest"), {"start": start}, headers=headers).content)


def told_to_the_worker() -> dict:
    source = Client().get(reverse("service-worker")).content.decode()
    return json.loads(re.search(r"^self\.app = (.*);$", source, re.MULTILINE)[1])


def test_the_manifest_opens_the_private_page_that_it_was_made_for():
    token = token_of(fixture_of(build_event(build_director(), players=2), "M1-1").entry_a)
    mine = reverse("my-entry", args=[token])
    assert (manifest(mine)["start_url"], manifest(mine)["id"]) == (mine, mine)
    assert manifest()["start_url"] == "/"


@pytest.mark.parametrize("start", ["https://elsewhere.example/e/1/", "//elsewhere.example/e/1/", "/t/x/", "/e/1/?a=b"])
def test_the_manifest_opens_nothing_else(start):
    assert manifest(start)["start_url"] == "/"


def test_the_manifest_speaks_the_language_of_its_reader():
    told = [manifest(**{"accept-language": code}) for code in ("en", "da", "sv", "nb", "de")]
    assert [one["lang"] for one in told] == ["en", "da", "sv", "nb", "de"]
    assert len({one["description"] for one in told}) == 5


def test_every_icon_is_a_picture_of_the_size_that_it_names():
    purposes = set()
    for path, size, purpose in app.ICONS:
        content = Path(str(finders.find(path))).read_bytes()
        assert content.startswith(b"\x89PNG")
        assert f"{struct.unpack('>II', content[16:24])[0]}x{struct.unpack('>II', content[16:24])[1]}" == size
        purposes.add(purpose)
    assert purposes == {"any", "maskable"}


def test_the_service_worker_is_served_at_the_root_and_asked_for_anew():
    answer = Client().get("/sw.js")
    assert answer["Content-Type"].startswith("text/javascript")
    assert "no-cache" in answer["Cache-Control"]
    assert 'importScripts("/static/js/service-worker.js"' in answer.content.decode()


def test_the_version_of_the_service_worker_follows_from_what_its_files_say(monkeypatch, tmp_path):
    app.shell_version.cache_clear()
    before = told_to_the_worker()["version"]
    app.shell_version.cache_clear()
    assert told_to_the_worker()["version"] == before
    changed = tmp_path / "keeper.js"
    changed.write_text("other")
    found = finders.find
    monkeypatch.setattr(finders, "find", lambda path: str(changed) if path == "js/keeper.js" else found(path))
    app.shell_version.cache_clear()
    assert told_to_the_worker()["version"] != before
    app.shell_version.cache_clear()


def test_the_phone_keeps_every_file_that_its_pages_name():
    named = set(LINKED.findall(Path(settings.BASE_DIR, "templates/tournament/keeper/keeper.html").read_text()))
    for name in ("_app.html", "handed.html", "offline.html"):
        named |= set(LINKED.findall(Path(settings.BASE_DIR, "templates/tournament/keeper", name).read_text()))
    assert len(named) >= 8
    assert named <= set(app.SHELL)


def test_the_phone_keeps_every_file_of_the_pages_that_it_keeps():
    entry = fixture_of(build_event(build_director(), players=4), "M1-1").entry_a
    pages = json.loads(kept_pages(entry, token_of(entry)))
    assert pages[0] == reverse("my-entry", args=[token_of(entry)])
    named = {
        path
        for page in pages
        for path in re.findall(r'(?:src|href)="/static/([^"]+[.](?:css|js))"', Client().get(page).content.decode())
    }
    assert named - set(app.SHELL) == set()


def test_all_files_and_pages_of_the_shell_are_there():
    told = told_to_the_worker()
    assert all(finders.find(path) for path in (*app.SHELL, *app.WORKERS))
    for page in told["pages"]:
        assert Client().get(page).status_code == 200
    assert told["offline"] in told["pages"]


def test_a_page_that_every_phone_keeps_is_made_for_nobody_in_particular():
    signed_in = Client()
    signed_in.force_login(build_director("someone"))
    for page in told_to_the_worker()["pages"]:
        assert "someone" not in signed_in.get(page).content.decode()
