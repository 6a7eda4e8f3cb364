"""Outages are answers: a sentence for people, a problem for programs, and never the fault of nobody."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.test import Client

import config.health
from config.outages import answer
from players.errors import Refused
from players.outages import busy, database_away
from tests.processes import ROOT, environment, manage
from tournament.beat import SILENT_SECONDS, is_worker_heard, say_worker_works
from tournament.pages.outages import PAUSES, TRIES

HOLD = """
import sqlite3, threading
from concurrent.futures import ThreadPoolExecutor, as_completed
from io import BytesIO
from django.conf import settings
from django.db import OperationalError, connection, transaction
import config.sqlite.base
from config.parts import THREADS
from config.wsgi import application
from players.models import Club, User
from django.utils import timezone
from tournament.sign_in.tokens import make_token
settings.STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
owner = User.objects.create_superuser("owner", password="x")
token = make_token(owner, name="test", scope="write", days=None, at=timezone.now())[1]
def ask(method, path, body=b"{}"):
    told = []
    given = {"REQUEST_METHOD": method, "PATH_INFO": path, "QUERY_STRING": "", "wsgi.url_scheme": "http"}
    given |= {"SERVER_NAME": "localhost", "SERVER_PORT": "80", "HTTP_HOST": "localhost"}
    given |= {"wsgi.input": BytesIO(body), "CONTENT_LENGTH": str(len(body))}
    if method == "POST":
        given |= {"CONTENT_TYPE": "application/json", "HTTP_AUTHORIZATION": f"Bearer {token}"}
    said = b"".join(application(given, lambda status, headers, *_rest: told.append((status, dict(headers)))))
    status, headers = told[0]
    return method, status[:3], headers.get("Retry-After"), said
other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None, check_same_thread=False)
"""
READERS_GO_ON = """
config.sqlite.base.PAGE_SECONDS = 600.0
other.execute("BEGIN IMMEDIATE")
threads = ThreadPoolExecutor(THREADS)
bodies = [b'{"name": "Open %d", "starts_on": "2026-05-01", "place": "Odense"}' % n for n in range(16)]
asked = [threads.submit(ask, "POST", "/api/v1/tournaments/", body) for body in bodies]
asked.append(threads.submit(ask, "GET", "/"))
for number, done in enumerate(as_completed(asked)):
    method, status, after, said = done.result()
    print(method, status, after)
    if method == "GET":
        other.execute("ROLLBACK")
"""
A_PAGE_GIVES_UP = """
from config.sqlite.waiting import in_page
other.execute("BEGIN IMMEDIATE")
config.sqlite.base.PAGE_SECONDS = 0.05
connection.close()
in_page.set(True)
for act in (lambda: Club.objects.create(name="First"), lambda: Club.objects.update(name="Second")):
    try:
        act()
    except OperationalError as error:
        print(error)
"""

AWAY = """
import json, shutil
from pathlib import Path
from django.core.cache import cache
file = Path(connection.settings_dict["NAME"])
BODY = b'{"name": "Open", "starts_on": "2026-05-01", "place": "Odense"}'
def tell():
    connection.close()
    told = []
    for method, path in [("GET", "/"), ("POST", "/api/v1/tournaments/"), ("GET", "/healthz"), ("GET", "/readyz")]:
        method, status, after, said = ask(method, path, BODY)
        what = json.loads(said)["code"] if method == "POST" else ""
        what = json.loads(said)["database"] if path == "/readyz" else what
        told.append(f"{method} {status} {after} {what}".strip())
    return " / ".join(told)
whole = file.read_bytes() if not connection.close() and not other.close() else b""
for path in file.parent.glob("sixprime.sqlite3-*"):
    path.unlink()
file.write_bytes(b"something else" * 1000)
print(tell())
file.unlink()
file.mkdir()
print(tell())
file.rmdir()
print(tell())
connection.close()
for path in file.parent.glob("sixprime.sqlite3*"):
    path.unlink()
file.write_bytes(whole)
connection.ensure_connection()
with connection.cursor() as cursor:
    pages = cursor.execute("PRAGMA page_count").fetchone()[0]
    cursor.execute(f"PRAGMA max_page_count = {pages}")
for _number in range(100):
    method, status, after, said = ask("POST", "/api/v1/tournaments/", BODY)
    if status != "201":
        break
print(method, status, after, json.loads(said)["code"])
print(*ask("GET", "/")[:3])
folder = Path(cache._dir)
shutil.rmtree(folder, ignore_errors=True)
folder.touch()
cache.set("a", 1)
print("cache", cache.get("a"), cache.add("b", 1))
"""

A_PAGE_GIVES_UP_A_LOCK = """
import psycopg
from django.conf import settings
from django.db import connection, transaction
import config.patience
from config.sqlite.waiting import in_page
from players.outages import refusal_of
config.patience.PAGE_SECONDS = 0.05
table = "held_by_another_writer"
with connection.cursor() as cursor:
    cursor.execute(f"CREATE TABLE {table} (id int)")
    cursor.execute(f"INSERT INTO {table} VALUES (1)")
other = psycopg.connect(settings.DATABASE_URL)
other.execute(f"SELECT * FROM {table} FOR UPDATE")
connection.close()
in_page.set(True)
try:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {table} FOR UPDATE")
except Exception as error:
    refusal = refusal_of(error)
    print(refusal.status, refusal.code)
other.execute(f"DROP TABLE {table}")
other.commit()
"""


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("empty")
    manage("migrate", "--verbosity", "0", env=environment(VAR_DIR=folder))
    return folder


def printed(code: str, folder: Path) -> list[str]:
    return manage("shell", "--no-imports", "--command", HOLD + code, env=environment(VAR_DIR=folder)).splitlines()


# Writers wait, readers go on.


def test_readers_go_on_while_sixteen_writers_wait(empty: Path, tmp_path: Path) -> None:
    """The page is answered before those who wait for the lock, and all others have been told to come again."""
    folder = Path(shutil.copytree(empty, tmp_path / "var"))
    assert printed(READERS_GO_ON, folder) == ["POST 409 1"] * 13 + ["GET 200 None"] + ["POST 201 None"] * 3


def test_a_page_gives_up_sooner_than_a_worker(empty: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(empty, tmp_path / "var"))
    assert printed(A_PAGE_GIVES_UP, folder) == ["database is locked"] * 2


def test_a_page_gives_up_a_lock_of_postgresql(postgres_url: str, tmp_path: Path) -> None:
    env = environment(VAR_DIR=tmp_path, DATABASE_URL=postgres_url)
    assert manage("shell", "--no-imports", "--command", A_PAGE_GIVES_UP_A_LOCK, env=env) == "409 busy\n"


# Pages and problems.


def refused(request, refusal: Refused):
    response = answer(request, refusal)
    return response, response.content.decode()


@pytest.mark.django_db
def test_a_form_that_met_another_writer_comes_back_whole_and_is_sent_again(rf, django_assert_num_queries) -> None:
    request = rf.post("/t/open/desk/?event=a", {"points": ["1", "2"], "note": '"<b>', "csrfmiddlewaretoken": "x"})
    request.csrf_processing_done = True
    with django_assert_num_queries(0):
        response, text = refused(request, busy())
    assert (response.status_code, response["Retry-After"], response["Cache-Control"]) == (409, "1", "no-store")
    assert '<input type="hidden" name="points" value="1"><input type="hidden" name="points" value="2">' in text
    assert 'name="note" value="&quot;&lt;b&gt;"' in text
    assert ('action="/t/open/desk/?event=a"' in text, f'data-again="{PAUSES[0]}"' in text) == (True, True)
    assert f'name="{TRIES}" value="1"' in text


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("tries", "again"), [*((str(n), PAUSES[n]) for n in range(1, 4)), ("4", None), ("99", None), ("x", 1)]
)
def test_it_is_sent_again_a_few_times_with_growing_pauses(rf, tries, again) -> None:
    request = rf.post("/", {"name": "a", TRIES: tries})
    request.csrf_processing_done = True
    _response, text = refused(request, busy())
    assert (f'data-again="{again}"' in text) == (again is not None)
    assert ("data-again" in text) == (again is not None)
    assert 'name="name" value="a"' in text


@pytest.mark.django_db
@pytest.mark.parametrize("sent", [{"username": "a", "password": "secret"}, {"new_password1": "secret"}])
def test_a_password_does_not_travel_back(rf, sent) -> None:
    request = rf.post("/accounts/login/", sent)
    request.csrf_processing_done = True
    assert "secret" not in refused(request, busy())[1]


@pytest.mark.django_db
def test_a_form_of_another_site_is_not_given_a_token(rf) -> None:
    """It was never checked: an outage may come before that."""
    text = refused(rf.post("/t/open/delete/", {"name": "open"}), database_away())[1]
    assert ("csrfmiddlewaretoken" in text, "<form" in text) == (False, False)


@pytest.mark.django_db
def test_an_outage_needs_neither_the_database_nor_a_session(rf, django_assert_num_queries) -> None:
    with django_assert_num_queries(0):
        response, text = refused(rf.get("/t/open/?q=1"), database_away())
    assert (response.status_code, response["Retry-After"]) == (503, "10")
    assert ('http-equiv="refresh"' in text, 'href="/t/open/?q=1"' in text) == (True, True)


@pytest.mark.django_db
def test_the_api_says_it_as_a_problem(rf) -> None:
    response = answer(rf.get("/api/v1/tournaments/"), database_away())
    problem = json.loads(response.content)
    assert (response.status_code, response["Retry-After"], problem["code"]) == (503, "10", "database_away")
    assert response["Content-Type"].startswith("application/problem+json")


def test_every_address_answers_whatever_is_away(empty: Path, tmp_path: Path) -> None:
    """A file of something else, a folder in its place, none at all; and one that may not grow."""
    folder = Path(shutil.copytree(empty, tmp_path / "var"))
    away = "GET 503 10 / POST 503 10 database_away / GET 200 None / GET 503 10 away"
    assert printed(AWAY, folder) == [away, away, away, "POST 503 10 disk_full", "GET 200 None", "cache None True"]


# Whether it lives, and whether it is ready.


@pytest.fixture
def data(settings, tmp_path: Path) -> Path:
    settings.VAR_DIR, settings.QUEUE_DIR = tmp_path, tmp_path / "queue"
    settings.QUEUE_DIR.mkdir()
    return tmp_path


@pytest.mark.django_db
def test_it_is_ready_once_a_worker_is_heard(client: Client, data: Path) -> None:
    silent = client.get("/readyz")
    assert (silent.status_code, silent.json()["worker"], silent.json()["ready"]) == (503, "silent", False)
    say_worker_works()
    states = {"database": "ok", "disk": "ok", "queue": "ok", "worker": "ok"}
    ready = client.get("/readyz")
    assert (ready.status_code, ready.json(), ready["Cache-Control"]) == (200, {"ready": True, **states}, "no-store")


def test_a_worker_is_missed_after_a_minute_of_a_clock_that_nobody_sets(data: Path) -> None:
    say_worker_works(clock=lambda: 1000.0)
    assert is_worker_heard(clock=lambda: 1000.0 + SILENT_SECONDS - 1)
    assert not is_worker_heard(clock=lambda: 1000.0 + SILENT_SECONDS + 1)
    assert not is_worker_heard(clock=lambda: 10.0)  # the machine was started again


@pytest.mark.django_db
def test_a_laptop_without_a_worker_misses_none(client: Client, data: Path, settings) -> None:
    settings.WORKER = False
    assert (client.get("/readyz").status_code, client.get("/readyz").json()["worker"]) == (200, "none")


@pytest.mark.django_db
def test_a_disk_or_a_queue_that_cannot_be_written_is_not_ready(
    client: Client, data: Path, settings, monkeypatch
) -> None:
    say_worker_works()
    settings.QUEUE_DIR.rmdir()
    settings.QUEUE_DIR.touch()
    assert (client.get("/readyz").status_code, client.get("/readyz").json()["queue"]) == (503, "away")
    monkeypatch.setattr(config.health, "LEAST_BYTES", 2**63)
    assert client.get("/readyz").json()["disk"] == "full"
    assert client.get("/healthz").status_code == 200
    assert str(data) not in client.get("/readyz").content.decode()


@pytest.mark.django_db
def test_a_queue_of_redis_and_its_worker(client: Client, settings, own_redis) -> None:
    url, server = own_redis
    settings.REDIS_URL = url
    settings.CACHES = {
        "default": {"BACKEND": "django_redis.cache.RedisCache", "LOCATION": url, "OPTIONS": {"IGNORE_EXCEPTIONS": True}}
    }
    assert client.get("/readyz").json()["worker"] == "silent"
    say_worker_works()
    assert (client.get("/readyz").json()["queue"], client.get("/readyz").json()["worker"]) == ("ok", "ok")
    server.stop()
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["queue"], answer.json()["worker"]) == (503, "away", "silent")
    assert client.get("/healthz").status_code == 200


# A folder for data that cannot be one.


def started(folder: Path, **settings: object) -> tuple[int, str]:
    """Run the start of the program with this data folder; return its code and what it says."""
    command = [sys.executable, "-c", "from config import settings"]
    env = environment(VAR_DIR=folder, **settings)
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    return done.returncode, done.stderr.strip().rpartition("\n")[2]


def test_a_data_folder_that_cannot_be_one_is_one_sentence(tmp_path: Path) -> None:
    file, foreign = tmp_path / "file", tmp_path / "foreign"
    file.touch()
    (foreign / "static").mkdir(parents=True)
    (foreign / "static" / "theirs.css").touch()
    for folder, words in [
        (file, "is not a folder"),
        (file / "var", "is not a folder"),
        (Path("/proc/var"), "/proc/var"),
        (foreign, "must be a folder of its own, but"),
    ]:
        code, said = started(folder)
        assert (code, said.startswith("django.core.exceptions.ImproperlyConfigured: VAR_DIR")) == (1, True), said
        assert words in said
    assert [path.name for path in foreign.iterdir()] == ["static"]


def test_a_data_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    is_root = os.geteuid() == 0  # who writes everywhere else
    folder = Path("/sys/sixprime") if is_root else tmp_path
    assert "must be a folder in which this program may write" in started(folder)[1]


def test_a_data_folder_of_an_older_version_is_known(tmp_path: Path) -> None:
    (tmp_path / "secret_key").write_text("x" * 67)
    (tmp_path / "queue").mkdir()
    assert started(tmp_path) == (0, "")
    (tmp_path / "secret_key").unlink()
    assert started(tmp_path, SECRET_KEY="given") == (0, "")


def test_a_database_that_is_none_is_a_sentence_when_the_site_starts(tmp_path: Path) -> None:
    (tmp_path / "sixprime.sqlite3").write_text("something else" * 1000)
    command = [sys.executable, "-m", "config.serve", "prepare"]
    done = subprocess.run(command, cwd=ROOT, env=environment(VAR_DIR=tmp_path), capture_output=True, text=True)
    assert (done.returncode, "Traceback" in done.stderr) == (1, False)
    assert done.stderr.startswith("The database cannot be reached at the moment.")
    assert "file is not a database" in done.stderr
