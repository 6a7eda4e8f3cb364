"""Settings from the environment, response headers, log lines, the queue, the import contracts."""

import logging
import re
import runpy
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import yaml
from celery import current_app
from django.core.exceptions import ImproperlyConfigured
from django.test import Client, RequestFactory

from config.celery import app
from config.logs import FieldFormatter
from config.security import live_url, policy
from tests.certificates import make_certificate
from tests.processes import OURS, ROOT, environment, manage


@pytest.fixture
def settings_of(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """``settings_of(PORT=80)`` returns config/settings.py as this environment makes it."""

    def read(**given: object) -> dict:
        for name in OURS | {"DEBUG", "TIME_ZONE", "LOG_LEVEL", "WORKER", "DEMO", "DRAND", "TRUSTED_PROXIES"}:
            monkeypatch.delenv(name, raising=False)
        for name, value in ({"VAR_DIR": tmp_path / "var"} | given).items():
            monkeypatch.setenv(name, str(value))
        return runpy.run_path(str(ROOT / "config" / "settings.py"))

    return read


def test_laptop_needs_nothing_from_the_environment(settings_of, tmp_path: Path) -> None:
    settings = settings_of()
    assert settings["DATABASES"]["default"]["NAME"] == tmp_path / "var" / "sixprime.sqlite3"
    assert settings["CELERY_BROKER_URL"] == "folder://localhost"
    assert settings["WORKER"] is True
    assert settings["CACHES"]["default"]["LOCATION"] == tmp_path / "var" / "cache"
    assert (settings["PORT"], settings["LIVE_PORT"]) == (8000, 8001)
    assert settings["DEBUG"] is False
    assert "SECURE_SSL_REDIRECT" not in settings


def test_federation_names_its_servers(settings_of) -> None:
    settings = settings_of(DATABASE_URL="postgresql://tom:pw@db:5433/six", REDIS_URL="redis://queue/1", PORT=80)
    database = settings["DATABASES"]["default"]
    assert database["ENGINE"] == "django.db.backends.postgresql"
    assert (database["HOST"], database["PORT"], database["NAME"], database["USER"]) == ("db", 5433, "six", "tom")
    assert (database["CONN_MAX_AGE"], database["CONN_HEALTH_CHECKS"]) == (600, True)
    assert settings["CELERY_BROKER_URL"] == settings["CACHES"]["default"]["LOCATION"] == "redis://queue/1"
    assert settings["WORKER"] is False
    assert settings["LIVE_PORT"] == 81


def test_no_page_waits_long_for_a_redis_that_hangs(settings_of) -> None:
    settings = settings_of(REDIS_URL="redis://queue/1")
    cache, broker = settings["CACHES"]["default"]["OPTIONS"], settings["CELERY_BROKER_TRANSPORT_OPTIONS"]
    assert (cache["SOCKET_CONNECT_TIMEOUT"], cache["SOCKET_TIMEOUT"]) == (1, 1)
    assert (broker["socket_connect_timeout"], broker["socket_timeout"]) == (3, 3)


def test_pages_are_served_by_at_least_one_process(settings_of) -> None:
    assert settings_of(PAGE_PROCESSES=3)["PAGE_PROCESSES"] == 3
    with pytest.raises(ImproperlyConfigured, match="PAGE_PROCESSES must be at least 1"):
        settings_of(PAGE_PROCESSES=0)


def test_an_address_of_redis_that_is_none_stops_the_start(settings_of) -> None:
    with pytest.raises(ImproperlyConfigured, match="REDIS_URL must be like redis://localhost:6379/0, not 'foo'"):
        settings_of(REDIS_URL="foo")


def test_pages_and_live_stream_need_two_ports(settings_of) -> None:
    with pytest.raises(ImproperlyConfigured, match="LIVE_PORT must be another port than PORT, not 8110 too"):
        settings_of(PORT=8110, LIVE_PORT=8110)


def test_https_secures_cookies_and_redirects(settings_of) -> None:
    settings = settings_of(HTTPS="yes", ALLOWED_HOSTS="play.example.org, www.example.org")
    assert settings["ALLOWED_HOSTS"] == ["play.example.org", "www.example.org", "localhost", "127.0.0.1"]
    for name in (
        "SECURE_SSL_REDIRECT",
        "SESSION_COOKIE_SECURE",
        "CSRF_COOKIE_SECURE",
        "SECURE_HSTS_INCLUDE_SUBDOMAINS",
    ):
        assert settings[name] is True
    assert settings["SECURE_HSTS_SECONDS"] == 31_536_000


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"PORT": "eighty"}, "PORT must be a whole number, not 'eighty'."),
        ({"PORT": "-1"}, "PORT must be a whole number, not '-1'."),
        ({"PORT": "0"}, "PORT must be a port from 1 to 65535, not 0."),
        ({"PORT": "65535"}, "LIVE_PORT must be a port from 1 to 65535, not 65536."),
        ({"DEBUG": "maybe"}, "DEBUG must be 1 or 0, not 'maybe'."),
        ({"TIME_ZONE": "Mars"}, "TIME_ZONE must be the name of a time zone, such as Europe/Copenhagen, not 'Mars'."),
        ({"LOG_LEVEL": "loud"}, "LOG_LEVEL must be DEBUG, INFO, WARNING or ERROR, not 'loud'."),
        ({"TLS_CERT": "cert.pem"}, "TLS_CERT and TLS_KEY must be given together."),
        (
            {"TLS_CERT": "/nowhere/cert.pem", "TLS_KEY": "/nowhere/key.pem"},
            "TLS_CERT and TLS_KEY must be files: there is no /nowhere/cert.pem.",
        ),
        ({"HTTPS": "1"}, "With HTTPS=1, ALLOWED_HOSTS must name the hosts that people type, such as play.example.org."),
    ],
)
def test_wrong_setting_says_what_it_must_be(settings_of, given: dict[str, str], message: str) -> None:
    with pytest.raises(ImproperlyConfigured) as refused:
        settings_of(**given)
    assert str(refused.value) == message


def test_a_certificate_makes_cookies_for_https_only_and_insists_on_nothing(settings_of, tmp_path: Path) -> None:
    cert, key = make_certificate(tmp_path)
    settings = settings_of(TLS_CERT=cert, TLS_KEY=key)
    assert settings["TLS"] == (cert, key)
    assert (settings["SESSION_COOKIE_SECURE"], settings["CSRF_COOKIE_SECURE"]) == (True, True)
    assert settings["SECURE_HSTS_SECONDS"] == 0
    assert "SECURE_PROXY_SSL_HEADER" not in settings


def test_a_key_of_another_certificate_stops_the_start(settings_of, tmp_path: Path) -> None:
    cert, _key = make_certificate(tmp_path)
    _other, key = make_certificate(tmp_path, name="other")
    with pytest.raises(ImproperlyConfigured, match="must be a certificate and its own key, both in PEM"):
        settings_of(TLS_CERT=cert, TLS_KEY=key)


def test_every_setting_from_the_environment_is_described() -> None:
    source = (ROOT / "config" / "settings.py").read_text()
    described = source.split('"""')[1]
    names = re.findall(r'(?:os\.environ\.get|env_[a-z]+)\(\s*"(\w+)"', source)
    assert {"VAR_DIR", "HSTS_SECONDS"} <= set(names)
    assert [name for name in names if not re.search(rf"^(\w+, )?{name}\b", described, re.MULTILINE)] == []


def test_image_keeps_no_secret_key_from_its_build() -> None:
    commands = re.findall(r"[^&]*manage\.py[^&]*", (ROOT / "Dockerfile").read_text())
    assert commands
    assert [command for command in commands if "SECRET_KEY=" not in command] == []


def test_secret_key_is_made_once_and_kept(settings_of, tmp_path: Path) -> None:
    first = settings_of()["SECRET_KEY"]
    assert settings_of()["SECRET_KEY"] == first
    assert (tmp_path / "var" / "secret_key").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "var").stat().st_mode & 0o777 == 0o700
    assert settings_of(VAR_DIR=tmp_path / "other")["SECRET_KEY"] != first
    assert settings_of(SECRET_KEY="given")["SECRET_KEY"] == "given"


def test_processes_that_start_at_once_share_one_secret_key(tmp_path: Path) -> None:
    code = "from config.settings import SECRET_KEY; print(SECRET_KEY)"
    starts = [
        subprocess.Popen(
            [sys.executable, "-c", code], cwd=ROOT, env=environment(VAR_DIR=tmp_path), stdout=subprocess.PIPE, text=True
        )
        for _ in range(6)
    ]
    keys = {start.communicate(timeout=60)[0] for start in starts}
    assert len(keys) == 1
    assert [path.name for path in tmp_path.glob("secret_key*")] == ["secret_key"]


def test_secret_key_that_is_damaged_stops_the_start(settings_of, tmp_path: Path) -> None:
    (tmp_path / "secret_key").write_text("short\n")
    with pytest.raises(ImproperlyConfigured, match="is damaged: delete it"):
        settings_of(VAR_DIR=tmp_path)


def test_sqlite_keeps_what_it_confirmed(tmp_path: Path) -> None:
    code = (
        "from django.db import connection, transaction\n"
        "with connection.cursor() as cursor:\n"
        "    for name in ('journal_mode', 'synchronous', 'foreign_keys'):\n"
        "        print(cursor.execute(f'PRAGMA {name}').fetchone()[0])\n"
        "with transaction.atomic():\n"
        "    import sqlite3\n"
        "    other = sqlite3.connect(connection.settings_dict['NAME'], timeout=0)\n"
        "    try:\n"
        "        other.execute('BEGIN IMMEDIATE')\n"
        "    except sqlite3.OperationalError as error:\n"
        "        print(error)\n"
    )
    printed = manage("shell", "--no-imports", "--command", code, env=environment(VAR_DIR=tmp_path))
    assert printed.splitlines() == ["wal", "2", "1", "database is locked"]


def test_production_settings_pass_the_deployment_check(tmp_path: Path) -> None:
    env = environment(VAR_DIR=tmp_path, HTTPS=1, ALLOWED_HOSTS="play.example.org")
    manage("check", "--deploy", "--fail-level", "WARNING", env=env)


def test_imports_point_one_way() -> None:
    program = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([program, "--no-cache"], cwd=ROOT, env=environment(), capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


# What a page may load, and where its live stream is.


@pytest.mark.parametrize(
    ("host", "given", "expected"),
    [
        ("192.168.1.20:8000", "", "http://192.168.1.20:8001/live"),
        ("localhost", "", "http://localhost:8001/live"),
        ("[fe80::1]:8000", "", "http://[fe80::1]:8001/live"),
        ("play.example.org", "https://live.example.org/live", "https://live.example.org/live"),
    ],
)
def test_live_url_is_on_the_host_that_the_visitor_typed(settings, host: str, given: str, expected: str) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    settings.LIVE_PORT, settings.LIVE_URL = 8001, given
    assert live_url(RequestFactory().get("/", headers={"host": host})) == expected


def test_policy_admits_the_live_stream_and_nothing_inline() -> None:
    rules = dict(rule.split(" ", 1) for rule in policy("http://192.168.1.20:8001/live").split("; "))
    assert rules["connect-src"] == "'self' http://192.168.1.20:8001"
    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == rules["style-src"] == "'self'"
    assert policy("/live") == policy("")


@pytest.mark.django_db
def test_every_response_carries_the_security_headers() -> None:
    for path in ("/healthz", "/nothing/here/"):
        headers = Client().get(path).headers
        assert "script-src 'self';" in headers["Content-Security-Policy"]
        assert headers["X-Frame-Options"] == "DENY"
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "same-origin"


def test_unknown_host_is_a_bad_request(settings) -> None:
    settings.ALLOWED_HOSTS = ["play.example.org"]
    assert Client(raise_request_exception=False).get("/healthz", headers={"host": "evil.example"}).status_code == 400


@pytest.mark.parametrize("host", ["a b", "[::1", ""])
def test_a_host_that_is_none_is_one_warning_without_a_traceback(caplog, host: str) -> None:
    answer = Client(raise_request_exception=False).get("/", headers={"host": host})
    (record,) = caplog.records
    line = FieldFormatter().format(record)
    assert (answer.status_code, record.levelname) == (400, "WARNING")
    assert ("level=WARNING" in line, f"HTTP_HOST header: '{host}'" in line, "exception=" in line) == (True, True, False)


# Log lines.


@pytest.mark.parametrize(
    ("message", "extra", "ending"),
    [
        ("started", {}, "level=INFO logger=desk message=started"),
        ("took %s ms", {"event": 3}, 'level=INFO logger=desk message="took 7 ms" event=3'),
        ('said "a=b"\n', {}, 'level=INFO logger=desk message="said \\"a=b\\"\\n"'),
        ("", {"player": "Bjørn Å"}, 'level=INFO logger=desk message="" player="Bjørn Å"'),
    ],
)
def test_log_record_is_one_line_of_fields(message: str, extra: dict[str, object], ending: str) -> None:
    arguments = (7,) if "%s" in message else ()
    record = logging.getLogger("desk").makeRecord(
        "desk", logging.INFO, "f.py", 1, message, arguments, None, extra=extra
    )
    line = FieldFormatter().format(record)
    assert line.startswith("time=20")
    assert line.split(" ", 1)[1] == ending


# The queue.


def test_messages_are_json_and_late_acknowledged() -> None:
    assert (app.conf.task_serializer, app.conf.accept_content) == ("json", ["json"])
    assert app.conf.task_acks_late
    assert app.conf.task_reject_on_worker_lost
    assert app.conf.task_time_limit < 300


def test_ratings_have_a_queue_of_their_own_and_a_worker_that_is_told_none_takes_both() -> None:
    app.loader.import_default_modules()
    ours = [name for name in app.tasks if not name.startswith("celery.")]
    queue_of = {name: app.amqp.router.route({}, name)["queue"].name for name in ours}
    assert {name for name, queue in queue_of.items() if queue == "ratings"} == {
        "matches.tasks.rate",
        "matches.tasks.count_matches",
        "players.tasks.deliver",
        "tournament.tasks.back_up",
    }
    assert set(queue_of.values()) == set(app.amqp.queues.consume_from) == {"celery", "ratings"}


def test_no_message_expires_by_the_clock_of_another_machine() -> None:
    entries = app.conf.beat_schedule.values()
    assert [entry["task"] for entry in entries if "expires" in entry.get("options", {})] == []


def test_every_queue_has_a_worker_in_the_compose_file() -> None:
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    commands = [service.get("command", []) for service in services.values()]
    taken = [command[command.index("--queues") + 1] for command in commands if "--queues" in command]
    assert sorted(taken) == sorted(app.amqp.queues.consume_from)


def test_clock_calls_tasks_that_exist() -> None:
    app.loader.import_default_modules()
    assert {entry["task"] for entry in app.conf.beat_schedule.values()} - set(app.tasks) == set()


def test_request_threads_queue_in_our_application() -> None:
    names: list[str] = []
    thread = threading.Thread(target=lambda: names.append(current_app.main))
    thread.start()
    thread.join()
    assert names == ["sixprime"]
