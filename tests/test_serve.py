"""``python -m config.serve``: what script/server runs, with real processes."""

import os
import signal
import socket
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from tests.processes import Site, answers, environment, running, site, wait_until

SERVE = [sys.executable, "-m", "config.serve"]

pytestmark = pytest.mark.cluster


def group(pid: int) -> set[int]:
    """The processes whose parent is ``pid``, and theirs."""
    lists = [path.read_text() for path in Path(f"/proc/{pid}/task").glob("*/children")]
    children = {int(child) for text in lists for child in text.split()}
    return children.union(*(group(child) for child in children))


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"])
def test_stop_leaves_no_process(tmp_path: Path, name: str) -> None:
    with site(tmp_path / "var") as started:
        parts = group(started.running.process.pid)
        assert len(parts) == 4
        listener = urllib.request.urlopen(f"{started.live_url}/live/healthz")
        os.kill(started.running.process.pid, getattr(signal, name))
        code = started.running.process.wait(20)
        wait_until(lambda: not any(alive(pid) for pid in parts), seconds=15, why=f"{name} ends every part")
        listener.close()
        assert code == (-signal.SIGKILL if name == "SIGKILL" else 0)


def test_second_start_keeps_the_data_and_the_key(tmp_path: Path) -> None:
    with site(tmp_path / "var") as first:
        first.python("from players.models import User; User.objects.create_user('anna', password='x')")
        key = (tmp_path / "var" / "secret_key").read_text()
    with site(tmp_path / "var") as second:
        names = second.python("from players.models import User; print([u.username for u in User.objects.all()])")
        assert names == "['anna']\n"
    assert (tmp_path / "var" / "secret_key").read_text() == key
    assert (tmp_path / "var" / "secret_key").stat().st_mode & 0o777 == 0o600


def test_part_that_crashes_is_started_again(tmp_path: Path) -> None:
    with site(tmp_path / "var") as started:
        before = group(started.running.process.pid)
        for pid in before:
            os.kill(pid, signal.SIGKILL)
        started.running.says("page server ended unexpectedly")
        started.running.says("live stream ended unexpectedly")
        wait_until(lambda: answers(f"{started.url}/healthz"), why="the page server answers again")
        wait_until(lambda: answers(f"{started.live_url}/live/healthz"), why="the live stream answers again")
        assert not before & group(started.running.process.pid)


def test_port_in_use_is_one_clear_sentence(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        env = environment(VAR_DIR=tmp_path / "var", HOST="127.0.0.1", PORT=port, DEMO=0)
        with running(SERVE, env=env, log=tmp_path / "log") as refused:
            assert refused.process.wait(30) == 1
        assert refused.log.read_text() == (
            f"Port {port} on 127.0.0.1 cannot be used (Address already in use). Another server may be running: stop "
            f"it, or choose another port, for instance PORT={port + 10}.\n"
        )


def test_wrong_setting_is_one_clear_sentence(tmp_path: Path) -> None:
    with running(SERVE, env=environment(VAR_DIR=tmp_path / "var", PORT="eighty"), log=tmp_path / "log") as refused:
        assert refused.process.wait(30) == 1
    assert refused.log.read_text() == "PORT must be a whole number, not 'eighty'.\n"


def test_pages_and_static_files_are_served(live_site: Site) -> None:
    with urllib.request.urlopen(live_site.url) as answer:
        policy = answer.headers["Content-Security-Policy"]
        assert f"connect-src 'self' {live_site.live_url};" in policy
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(f"{live_site.url}/nothing/here/")
