"""``python -m config.serve``: what script/server runs, with real processes."""

import os
import re
import resource
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import AbstractContextManager, ExitStack, suppress
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.processes import (
    PATIENCE_SECONDS,
    ROOT,
    Running,
    Site,
    answers,
    children,
    environment,
    free_port,
    running,
    site,
    wait_until,
)

SERVE = [sys.executable, "-m", "config.serve"]

SIGN_IN = """
from config.sessions import SessionStore
from players.models import User
from tests.builders import build_director
user = User.objects.filter(username="director").first() or build_director()
session = SessionStore()
session["_auth_user_id"], session["_auth_user_backend"] = str(user.pk), "django.contrib.auth.backends.ModelBackend"
session["_auth_user_hash"] = user.get_session_auth_hash()
session.save()
print(session.session_key)
"""

pytestmark = pytest.mark.cluster


def descendants(pid: int) -> set[int]:
    return children(pid).union(*(descendants(child) for child in children(pid)))


def command_line(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except FileNotFoundError:
        return b""


def mapped(pid: int) -> str:
    """Return the files that the process has mapped into its memory."""
    try:
        return Path(f"/proc/{pid}/maps").read_text()
    except FileNotFoundError:
        return ""


def page_server(started: Running) -> int:
    """Return the process number of the page server, or 0 while there is none."""
    named = [pid for pid in children(started.process.pid) if b"page server" in command_line(pid)]
    return named[0] if named else 0


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder that the tests of this module share: only the first start is slow."""
    return tmp_path_factory.mktemp("serve") / "var"


def small_site(data: Path) -> AbstractContextManager[Site]:
    """A site with one process for its pages: it starts faster, and is enough for most tests."""
    return site(data, PAGE_PROCESSES=1)


def open_event(started: Site) -> int:
    code = (
        "from players.models import User\n"
        "from tests.builders import build_director, build_event\n"
        "from tournament.models import Event\n"
        "director = User.objects.filter(username='director').first() or build_director()\n"
        "print((Event.objects.first() or build_event(director, players=4)).pk)"
    )
    return int(started.python(code).split()[-1])


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"])
def test_stopping_leaves_no_process_and_waits_for_no_listener(data: Path, name: str) -> None:
    with site(data, PAGE_PROCESSES=2) as started:
        parts = descendants(started.running.process.pid)
        assert len(parts) == 5
        with urllib.request.urlopen(f"{started.live_url}/live/events/{open_event(started)}") as listener:
            assert listener.readline() == b"retry: 2000\n"
            os.kill(started.running.process.pid, getattr(signal, name))
            code = started.running.process.wait(PATIENCE_SECONDS)
            wait_until(lambda: not any(alive(pid) for pid in parts), why=f"{name} ends every part")
        assert code == (-signal.SIGKILL if name == "SIGKILL" else 0)


def test_stopping_waits_for_no_process_that_is_still_getting_ready(data: Path) -> None:
    env = environment(VAR_DIR=data, HOST="127.0.0.1", PORT=free_port(), LIVE_PORT=free_port(), DEMO=0, PAGE_PROCESSES=2)
    with running(SERVE, env=env, log=data.parent / "stopped.log") as started:

        def getting_ready() -> bool:
            """The page server has loaded the database, but not the pages yet, and no process serves them."""
            return "_sqlite3" in mapped(page_server(started)) and not children(page_server(started))

        wait_until(getting_ready, why="the page server gets ready")
        assert started.stop() == 0
        nobody_yet = "Nobody can sign in yet. Make the first administrator with: manage.py createsuperuser\n"
        assert started.log.read_text().removeprefix(nobody_yet) == "\nStopped.\n"


def test_stopping_waits_for_no_preparation(tmp_path: Path) -> None:
    env = environment(VAR_DIR=tmp_path / "var", HOST="127.0.0.1", PORT=free_port(), LIVE_PORT=free_port())
    with running(SERVE, env=env, log=tmp_path / "stopped.log") as started:
        wait_until(lambda: (tmp_path / "var" / "sixprime.sqlite3").exists(), why="the tables are made")
        parts = descendants(started.process.pid)
        assert [command_line(pid).split(b"\0")[3] for pid in parts] == [b"preparation"]
        assert started.stop() == 0
        wait_until(lambda: not any(alive(pid) for pid in parts), why="the preparation has ended with its parent")
        assert started.log.read_text() == "\nStopped.\n"


def test_second_start_keeps_the_data_and_the_key(data: Path) -> None:
    with small_site(data) as first:
        event = open_event(first)
        key = (data / "secret_key").read_text()
    with small_site(data) as second:
        assert open_event(second) == event
    assert (data / "secret_key").read_text() == key


def test_a_message_that_a_power_cut_left_half_written_is_not_in_the_way(data: Path) -> None:
    with small_site(data):
        pass
    queue = data / "queue"
    lost = queue / f"{0:020}-{0:032}.celery.msg"
    for path in (lost, queue / "celery.exchange"):
        path.write_bytes(b"")
    with small_site(data) as started:
        assert not lost.exists()
        bound = queue / "celery.exchange"
        wait_until(lambda: bound.exists() and bound.stat().st_size, why="the worker has bound its queue")
        assert "ended unexpectedly" not in started.running.log.read_text()


def test_part_that_crashes_is_restarted(data: Path) -> None:
    with small_site(data) as started:
        before = descendants(started.running.process.pid)
        for pid in before:
            with suppress(ProcessLookupError):  # it went with the one that had started it
                os.kill(pid, signal.SIGKILL)
        started.running.says("page server ended unexpectedly")
        started.running.says("live stream ended unexpectedly")
        wait_until(lambda: answers(f"{started.url}/healthz"), why="the page server answers again")
        wait_until(lambda: answers(f"{started.live_url}/live/healthz"), why="the live stream answers again")
        assert not before & descendants(started.running.process.pid)


def test_a_part_that_is_killed_while_it_gets_ready_is_started_again(data: Path) -> None:
    env = environment(VAR_DIR=data, HOST="127.0.0.1", PORT=free_port(), LIVE_PORT=free_port(), DEMO=0, PAGE_PROCESSES=1)
    with running(SERVE, env=env, log=data.parent / "killed.log") as started:
        os.kill(wait_until(lambda: page_server(started), why="the page server is there"), signal.SIGKILL)
        started.says("Stop with Ctrl-C.")


def part(started: Site, name: str) -> int:
    """Return the process number of this part, as soon as it runs."""

    def find() -> int:
        named = [pid for pid in children(started.running.process.pid) if name.encode() in command_line(pid)]
        return max(named, default=0)

    return wait_until(find, why=f"the {name} runs")


def test_killing_processes_of_the_pages_refuses_nobody(data: Path) -> None:
    """Neither one of those that serve, nor the one that keeps them."""
    with site(data, PAGE_PROCESSES=2) as started:
        keeper = part(started, "page server")
        for copy in children(keeper):
            os.kill(copy, signal.SIGKILL)
            assert all(answers(f"{started.url}/healthz") for _each in range(5))
        before = children(wait_until(lambda: len(children(keeper)) == 2 and keeper, why="both serve again"))
        os.kill(keeper, signal.SIGKILL)
        started.running.says("The page server ended unexpectedly (exit -9) and is started again.")
        while any(alive(pid) for pid in before):
            assert answers(f"{started.url}/healthz")
        successor = part(started, "page server")
        assert successor != keeper
        assert len(children(successor)) == 2
        assert started.running.process.poll() is None


def test_a_process_that_is_to_stop_answers_on_the_connections_that_it_has_taken(data: Path) -> None:
    """Half of these, more or less: the other process has taken the rest."""
    with site(data, PAGE_PROCESSES=2) as started, ExitStack() as held:
        address = urlsplit(started.url)
        taken = [
            held.enter_context(socket.create_connection((address.hostname, address.port), PATIENCE_SECONDS))
            for _number in range(40)
        ]
        assert answers(f"{started.url}/healthz")  # by now the connections before it have been taken too
        os.kill(min(children(part(started, "page server"))), signal.SIGTERM)
        for connection in taken:
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert {connection.recv(100)[:12] for connection in taken} == {b"HTTP/1.1 200"}


def test_people_wait_two_seconds_at_most_for_pages_of_which_no_process_is_left(data: Path) -> None:
    said = re.compile(r"The page server ended unexpectedly \(exit -9\) and is started again(.*)\.")
    with small_site(data) as started:
        for times in range(1, 5):
            os.killpg(part(started, "page server"), signal.SIGKILL)
            log = started.running.log
            wait_until(lambda: len(said.findall(log.read_text())) == times, why="the watcher has seen it")  # noqa: B023
        assert said.findall(log.read_text()) == ["", " in 1 s", " in 2 s", " in 2 s"]
        wait_until(lambda: answers(f"{started.url}/healthz"), why="the page server answers again")


def test_copies_of_which_none_is_left_do_not_wait_for_long(tmp_path: Path) -> None:
    code = """
import os
import config.backoff
config.backoff.LONGEST_ALONE_SECONDS = 0.02
from config.copies import Copies
if Copies(1, "page server").keep() is not None:
    os._exit(3)
"""
    env = environment(PYTHONPATH=ROOT)
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env, text=True
    ) as keeper:
        said = [keeper.stdout.readline() for _each in range(8)]
        keeper.kill()
    again = "A process of the page server ended unexpectedly (exit 3) and is started again"
    assert said == [f"{again}.\n", *[f"{again} in 0 s.\n"] * 7]


def test_a_part_that_keeps_ending_waits_longer_and_is_named_on_pages_while_the_others_go_on(data: Path) -> None:
    with small_site(data) as started:
        others = {part(started, name) for name in ("page server", "live stream")}
        token = started.python(SIGN_IN).split()[-1]
        for said in ("started again.", "started again in 1 s.", "started again in 2 s."):
            os.kill(part(started, "worker"), signal.SIGKILL)
            started.running.says(f"The worker ended unexpectedly (exit -9) and is {said}")
        page = urllib.request.Request(started.url, headers={"Cookie": f"sessionid={token}"})
        named = "Standings and ratings come late"
        wait_until(lambda: named in urllib.request.urlopen(page).read().decode(), why="a director is told")
        assert named not in urllib.request.urlopen(started.url).read().decode()
        assert others == {part(started, name) for name in ("page server", "live stream")}
        wait_until(lambda: named not in urllib.request.urlopen(page).read().decode(), why="the worker has lasted")


def test_the_next_start_takes_over_what_a_killed_watcher_has_left(data: Path) -> None:
    """Even from a process that hangs, and would hold the port for as long as the machine runs."""
    with small_site(data) as first:
        copies = children(part(first, "page server"))
        for pid in copies:
            os.kill(pid, signal.SIGSTOP)
        os.kill(first.running.process.pid, signal.SIGKILL)
        first.running.process.wait()
        with running(SERVE, env=first.env, log=data.parent / "second.log") as second:
            second.says("Stop with Ctrl-C.")
            assert answers(f"{first.url}/healthz")
            assert not any(alive(pid) for pid in copies)


def test_a_second_start_leaves_the_first_alone(data: Path) -> None:
    with small_site(data) as first:
        before = descendants(first.running.process.pid)
        with running(SERVE, env=first.env, log=data.parent / "refused.log") as second:
            assert second.process.wait(PATIENCE_SECONDS) == 1
        assert "Another server may be running" in (data.parent / "refused.log").read_text()
        assert descendants(first.running.process.pid) == before
        assert answers(f"{first.url}/healthz")


def test_port_in_use_is_one_clear_sentence(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        env = environment(VAR_DIR=tmp_path / "var", HOST="127.0.0.1", PORT=port, DEMO=0)
        with running(SERVE, env=env, log=tmp_path / "log") as refused:
            assert refused.process.wait(PATIENCE_SECONDS) == 1
        assert refused.log.read_text() == (
            f"Port {port} on 127.0.0.1 cannot be used (Address already in use). Another server may be running: stop "
            f"it, or choose another port, for instance PORT={port + 10}.\n"
        )


def test_wrong_setting_is_one_clear_sentence(tmp_path: Path) -> None:
    with running(SERVE, env=environment(VAR_DIR=tmp_path / "var", PORT="eighty"), log=tmp_path / "log") as refused:
        assert refused.process.wait(PATIENCE_SECONDS) == 1
    assert refused.log.read_text() == "PORT must be a whole number, not 'eighty'.\n"
    with running(
        [sys.executable, "manage.py", "check"],
        env=environment(VAR_DIR=tmp_path / "var", PORT="eighty"),
        log=tmp_path / "log2",
    ) as refused:
        assert refused.process.wait(PATIENCE_SECONDS) == 1
    assert refused.log.read_text() == "PORT must be a whole number, not 'eighty'.\n"


def test_a_connection_stays_open_for_the_next_request(data: Path) -> None:
    """On a site of several processes too, as long as none serves more than its share."""
    with site(data, PAGE_PROCESSES=2) as started:
        connection = HTTPConnection(urlsplit(started.url).netloc)
        ports = set()
        for _each in range(3):
            connection.request("GET", "/rules/")
            ports.add(connection.sock.getsockname()[1])
            with connection.getresponse() as answer:
                assert (answer.status, answer.will_close) == (200, False)
                answer.read()
        connection.close()
    assert len(ports) == 1


def test_connections_that_stay_open_keep_nobody_out(data: Path) -> None:
    """A phone holds its connections for a while; there may be more of them than a server's usual thousand."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with small_site(data) as started, ExitStack() as held:
        address = urlsplit(started.url)
        for _number in range(1200):
            connection = held.enter_context(socket.create_connection((address.hostname, address.port)))
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert connection.recv(100).startswith(b"HTTP/1.1 200")
        assert answers(f"{started.url}/healthz")
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_bodies_that_do_not_come_to_their_end_stop_nobody_from_writing(live_site: Site) -> None:
    """There are more of them than all processes have threads that answer."""
    address = urlsplit(live_site.url)
    with ExitStack() as held:
        for _number in range(12):
            slow = held.enter_context(socket.create_connection((address.hostname, address.port)))
            slow.sendall(b"POST /api/v1/token/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{}")
        statuses = set()
        for _each in range(8):
            connection = HTTPConnection(address.netloc)
            connection.request("POST", "/api/v1/token/", b"{}", {"Content-Type": "application/json"})
            with connection.getresponse() as answer:
                statuses.add(answer.status)
            connection.close()
        assert statuses == {400}


def test_pages_and_static_files_are_served(live_site: Site) -> None:
    with urllib.request.urlopen(live_site.url) as answer:
        policy = answer.headers["Content-Security-Policy"]
        assert f"connect-src 'self' {live_site.live_url};" in policy
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(f"{live_site.url}/nothing/here/")
