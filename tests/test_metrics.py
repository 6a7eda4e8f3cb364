"""What is counted, by how many processes, and who may ask for it."""

import json
import os
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from prometheus_client import CollectorRegistry, Counter
from prometheus_client.parser import text_string_to_metric_families

from config.access import observed
from config.environment import env_networks, env_token
from config.metrics.page import may_read
from config.metrics.share import ENDED, Note, Share
from config.wsgi import handler
from tests.processes import ROOT, environment

TOKEN = "of-at-least-twenty-four-characters"


def asked(path: str, **more: str) -> tuple[str, str]:
    """Status and text that the whole application answers."""
    told: list[str] = []
    environ = (
        Client()._base_environ(PATH_INFO=path, REQUEST_METHOD="GET", QUERY_STRING="", HTTP_HOST="testserver") | more
    )
    content = b"".join(observed(handler)(environ, lambda status, _headers, *_rest: told.append(status)))
    return told[0][:3], content.decode()


def read(text: str) -> dict[tuple, float]:
    return {
        (sample.name, *sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


@pytest.fixture
def folder(settings, tmp_path: Path, monkeypatch) -> Path:
    monkeypatch.setattr("config.metrics.instruments.SHARE._folder", tmp_path / "metrics")
    settings.VAR_DIR = tmp_path
    return tmp_path / "metrics"


# Who may ask.


@pytest.mark.parametrize(
    ("environ", "may"),
    [
        ({"REMOTE_ADDR": "127.0.0.1"}, True),
        ({"REMOTE_ADDR": "::ffff:127.0.0.1"}, True),
        ({"REMOTE_ADDR": "192.168.1.20"}, False),
        ({"REMOTE_ADDR": ""}, False),
        ({"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": "127.0.0.1"}, False),
        ({"REMOTE_ADDR": "127.0.0.1", "HTTP_FORWARDED": "for=127.0.0.1"}, False),
        ({"REMOTE_ADDR": "203.0.113.9", "HTTP_AUTHORIZATION": f"Bearer {TOKEN}"}, True),
        ({"REMOTE_ADDR": "203.0.113.9", "HTTP_AUTHORIZATION": f"Bearer {TOKEN}é"}, False),
        ({"REMOTE_ADDR": "203.0.113.9", "HTTP_AUTHORIZATION": "Bearer "}, False),
    ],
)
def test_metrics_are_for_this_machine_and_for_the_token(settings, environ: dict[str, str], may: bool) -> None:
    settings.METRICS_TOKEN, settings.METRICS_ALLOWED = TOKEN, ["127.0.0.1", "::1"]
    assert may_read(environ) is may


def test_without_a_token_in_the_settings_none_is_right(settings) -> None:
    settings.METRICS_TOKEN, settings.METRICS_ALLOWED = "", []
    assert not may_read({"REMOTE_ADDR": "127.0.0.1", "HTTP_AUTHORIZATION": "Bearer "})
    assert asked("/metrics")[0] == "403"


def test_settings_that_cannot_be_meant_stop_the_start(monkeypatch) -> None:
    monkeypatch.setenv("METRICS_ALLOWED", "127.0.0.1, somewhere")
    with pytest.raises(ImproperlyConfigured, match=r"such as 127\.0\.0\.1, 10\.0\.0\.0/8, not 'somewhere'"):
        env_networks("METRICS_ALLOWED", "")
    monkeypatch.setenv("METRICS_TOKEN", "short")
    with pytest.raises(ImproperlyConfigured, match="at least 24 characters"):
        env_token("METRICS_TOKEN")


# What is counted.


@pytest.mark.django_db
def test_requests_are_counted_by_view_and_status_and_never_by_what_they_are_about(folder: Path) -> None:
    def counted() -> dict[tuple, float]:
        status, text = asked("/metrics")
        assert status == "200"
        return read(text)

    before = counted()
    for path in ("/", "/t/no-such-tournament/", "/no/such/page"):
        asked(path)
    after = counted()
    more = {key: value - before.get(key, 0) for key, value in after.items() if value != before.get(key, 0)}
    requests = {key[1:]: value for key, value in more.items() if key[0] == "sixprime_requests_total"}
    assert requests == {
        (("status", "200"), ("view", "home")): 1,
        (("status", "404"), ("view", "tournament")): 1,
        (("status", "404"), ("view", "none")): 1,
    }
    assert {"no-such-tournament"} & {value for key in after for _label, value in key[1:]} == set()
    assert more["sixprime_request_seconds_count", ("view", "home")] == 1
    assert ("sixprime_queue_length", ("queue", "celery")) in after
    assert after[("sixprime_live_listeners",)] == 0


COUNTING = """
import sys, time
from pathlib import Path
from prometheus_client import CollectorRegistry, Counter, disable_created_metrics
from config.metrics.share import Share
disable_created_metrics()
registry = CollectorRegistry()
counter = Counter("made", "Made", ["what"], registry=registry)
share = Share(Path(sys.argv[1]), registry)
share.is_told = True
counter.labels("tea").inc(2)
share.write()
print("told", flush=True)
sys.stdin.read()
"""


def counted_in(folder: Path) -> tuple[Share, Counter]:
    registry = CollectorRegistry()
    counter = Counter("made", "Made", ["what"], registry=registry)
    return Share(folder, registry), counter


def test_counts_of_all_processes_are_added_and_those_of_ended_ones_stay(tmp_path: Path) -> None:
    share, counter = counted_in(tmp_path)
    counter.labels("tea").inc()
    key = ("made_total", (("what", "tea"),))
    program = [sys.executable, "-c", COUNTING, str(tmp_path)]
    with subprocess.Popen(
        program, cwd=ROOT, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        other.stdout.readline()
        assert share.counts()[key] == 3
        assert not (tmp_path / ENDED).exists()
        other.kill()
        other.wait()
    assert share.counts()[key] == 3
    assert share.counts()[key] == 3
    assert not list(tmp_path.glob("counts-*"))
    assert json.loads((tmp_path / ENDED).read_text()) == [["made_total", [["what", "tea"]], 2.0]]


def test_a_process_that_cannot_write_what_it_counts_goes_on(tmp_path: Path) -> None:
    place = tmp_path / "a-file"
    place.write_text("in the way of the folder")
    share, counter = counted_in(place)
    counter.labels("tea").inc()
    share.write()
    assert share.counts() == {("made_total", (("what", "tea"),)): 1.0}


def test_a_note_that_was_damaged_counts_nothing(tmp_path: Path) -> None:
    share, _counter = counted_in(tmp_path)
    for text in ("", "[1]", '{"a": 1}', "[[null]]"):
        (tmp_path / ENDED).write_text(text)
        assert share.counts() == {}


@pytest.mark.django_db
def test_listeners_of_streams_that_live_are_added_up(folder: Path) -> None:
    Note(folder, "listeners").write(3)
    (folder / "listeners-other-1.json").write_text("40")
    assert read(asked("/metrics")[1])[("sixprime_live_listeners",)] == 3
    assert [path.name for path in folder.glob("listeners-*.json")] == [
        path.name for path in folder.glob(f"listeners-*-{os.getpid()}.json")
    ]


def test_it_is_told_when_the_last_backup_was_made(folder: Path, settings, tmp_path: Path) -> None:
    settings.BACKUP_DIR = tmp_path / "backups"
    settings.BACKUP_DIR.mkdir()
    assert ("sixprime_backup_timestamp_seconds",) not in read(asked("/metrics")[1])
    for day in ("20251122", "20251123", "21251123"):  # the last by a clock that is a century ahead
        (settings.BACKUP_DIR / f"sixprime-{day}T030000Z.zip").touch()
    newest = datetime(2025, 11, 23, 3, tzinfo=UTC).timestamp()
    assert read(asked("/metrics")[1])[("sixprime_backup_timestamp_seconds",)] == newest


def test_the_live_stream_loads_no_client_of_prometheus(tmp_path: Path) -> None:
    code = "import config.asgi, sys; print('prometheus_client' in sys.modules)"
    env = environment(VAR_DIR=tmp_path, DJANGO_SETTINGS_MODULE="config.settings")
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "False\n"), done.stderr


def test_every_label_is_one_of_few_words() -> None:
    source = (ROOT / "config" / "metrics" / "instruments.py").read_text()
    assert set(re.findall(r'\["([\w", ]+)"\]', source)) == {'view", "status', "view", 'task", "outcome', "task"}
