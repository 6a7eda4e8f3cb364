"""The program's own processes, started as people start them, for tests that need several of them, or a browser."""

import ctypes
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeVar

from tests.prepared import copy_prepared

ROOT = Path(__file__).resolve().parent.parent
PATIENCE_SECONDS = 180
"""How long a test waits at most, for busy machines; it goes on as soon as what it waits for is there."""
PORTS = range(20_000, 30_000)  # below those that the system gives to outgoing connections
NO_LIMITS = ("API_READS", "API_WRITES", "API_READS_BY_ADDRESS", "API_WRITES_BY_ADDRESS")
OURS = {
    *(
        "DATABASE_URL",
        "REDIS_URL",
        "HOST",
        "PORT",
        "LIVE_PORT",
        "LIVE_URL",
        "HTTPS",
        "TLS_CERT",
        "TLS_KEY",
        "ALLOWED_HOSTS",
        "SECRET_KEY",
        "TRUSTED_PROXIES",
        "SITE_ADDRESS",
    ),
    *("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"),  # the tests read English
    "DJANGO_ALLOW_ASYNC_UNSAFE",  # for the tests only: see the browser in tests/conftest.py
    "PYTHONDONTWRITEBYTECODE",  # each of our processes would compile the whole program again
}

T = TypeVar("T")

_claims: list[socket.socket] = []


def free_port() -> int:
    """Find a port on which nobody listens; no other process of the tests gets it while this one lives.

    A name in Linux's abstract namespace, which ends with this process, marks it as taken.
    """
    for port in PORTS:
        claim = socket.socket(socket.AF_UNIX)
        with suppress(OSError), socket.socket() as probe:
            claim.bind(f"\0sixprime-tests-{port}")
            probe.bind(("127.0.0.1", port))
            _claims.append(claim)
            return port
        claim.close()
    raise AssertionError(f"no port of {PORTS} is free")


def environment(**settings: object) -> dict[str, str]:
    """This process's environment, with ``settings`` as the only configuration of Sixprime.

    Tests ask the API more often than any person or program does.
    """
    env = {name: value for name, value in os.environ.items() if name not in OURS}
    return env | dict.fromkeys(NO_LIMITS, "0") | {name: str(value) for name, value in settings.items()}


def wait_until(condition: Callable[[], T], *, why: str, seconds: float = PATIENCE_SECONDS) -> T:
    """Wait for the first true answer of ``condition``, and return it."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if answer := condition():
            return answer
        time.sleep(0.02)
    raise AssertionError(f"not within {seconds} s: {why}")


def answers(url: str) -> bool:
    with suppress(OSError), urllib.request.urlopen(url, timeout=5):
        return True
    return False


def children(pid: int) -> set[int]:
    """The child processes of ``pid``."""
    found = ""
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(FileNotFoundError, ProcessLookupError):
            found += path.read_text()
    return {int(child) for child in found.split()}


@dataclass(frozen=True)
class Running:
    """A process of the program; ``log`` is the file with all its output."""

    process: subprocess.Popen
    log: Path

    def says(self, text: str) -> None:
        """Wait until the log has ``text``; if the process ends before that, fail the test with its last lines."""
        wait_until(
            lambda: text in self.log.read_text() or self.process.poll() is not None, why=f"{text!r} in {self.log}"
        )
        assert text in self.log.read_text(), f"ended with {self.process.returncode}:\n{self.log.read_text()}"

    @contextmanager
    def hanging(self) -> Iterator[None]:
        """Make the process accept connections and answer nothing, for as long as a test has patience."""
        go_on = partial(self.process.send_signal, signal.SIGCONT)
        out_of_patience = threading.Timer(PATIENCE_SECONDS, go_on)
        self.process.send_signal(signal.SIGSTOP)
        out_of_patience.start()
        try:
            yield
        finally:
            out_of_patience.cancel()
            go_on()

    def stop(self) -> int:
        """Stop the process with SIGTERM, and its whole process group; return the exit code."""
        self.process.terminate()
        try:
            return self.process.wait(PATIENCE_SECONDS)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


def end_with_us() -> None:
    """Let this process, which is about to be a server, be told to stop when the one that starts it dies (Linux)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGTERM, 0, 0, 0)  # PR_SET_PDEATHSIG


@contextmanager
def guarded(pid: int, folder: Path) -> Iterator[None]:
    """Have a server that is nobody's child killed, and its folder removed, should this process die before the end."""
    script = 'read -r _said || { kill -QUIT "$1"; sleep 1; rm -rf "$2"; }'
    guard = subprocess.Popen(
        ["sh", "-c", script, "sh", str(pid), str(folder)], stdin=subprocess.PIPE, start_new_session=True
    )
    try:
        yield
    finally:
        guard.communicate(b"over\n")


@contextmanager
def running(command: list[str], *, env: dict[str, str], log: Path) -> Iterator[Running]:
    with log.open("ab") as file:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=file,
            start_new_session=True,
            preexec_fn=end_with_us,
        )
    part = Running(process, log)
    try:
        yield part
    finally:
        part.stop()


def manage(*arguments: str, env: dict[str, str], stdin: str = "") -> str:
    """Run a management command and return its output; a failing command fails the test."""
    command = [sys.executable, "manage.py", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=env, input=stdin, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@dataclass
class Shell:
    """Runs code with a site's models and services at hand; the program is loaded once, when the first code comes."""

    env: dict[str, str]
    process: subprocess.Popen | None = None
    name: str = ""
    starting: threading.Lock = field(default_factory=threading.Lock)

    def run(self, code: str) -> str:
        """Run ``code`` in a process of its own, and return its output; code that fails, fails the test."""
        with self.starting:
            if self.process is None:
                self.start()
        with socket.socket(socket.AF_UNIX) as asked:
            asked.settimeout(300)
            asked.connect(f"\0{self.name}")
            asked.sendall(code.encode())
            asked.shutdown(socket.SHUT_WR)
            with asked.makefile("rb") as told:
                answer = told.read()
        assert answer, "the process was killed"
        status, said = json.loads(answer)
        assert status == 0, said
        return said

    def start(self) -> None:
        self.name = f"sixprime-tests-shell-{os.getpid()}-{id(self)}"
        command = [sys.executable, "-m", "tests.shell", self.name]
        self.process = subprocess.Popen(
            command, cwd=ROOT, env=self.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
        )
        assert self.process.stdout
        assert self.process.stdout.readline() == b"ready\n"

    def stop(self) -> None:
        """Let it end, and what it still runs."""
        if self.process is not None:
            self.process.communicate()
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process = None


@contextmanager
def shell(env: dict[str, str]) -> Iterator[Shell]:
    started = Shell(env)
    try:
        yield started
    finally:
        started.stop()


@dataclass(frozen=True)
class Site:
    """A running site with a data folder of its own."""

    url: str
    live_url: str
    env: dict[str, str]
    running: Running
    shell: Shell

    def manage(self, *arguments: str, stdin: str = "") -> str:
        return manage(*arguments, env=self.env, stdin=stdin)

    def python(self, code: str) -> str:
        """Run ``code`` with the site's models and services at hand, in a process of its own; return its output."""
        return self.shell.run(code)


@contextmanager
def site(folder: Path, *, from_nothing: bool = False, **settings: object) -> Iterator[Site]:
    """Run the site as ``script/server`` does, on free ports, without demo data unless ``DEMO=1`` is given.

    A folder that is not there yet begins with a copy of what was prepared for all, unless ``from_nothing``.
    """
    if not folder.exists() and not from_nothing and "DATABASE_URL" not in settings:
        copy_prepared(folder, prepare)
    port, live_port = free_port(), free_port()
    given = {"VAR_DIR": folder, "HOST": "127.0.0.1", "PORT": port, "LIVE_PORT": live_port, "DEMO": 0} | settings
    env = environment(**given)
    with (
        running([sys.executable, "-m", "config.serve"], env=env, log=folder.parent / f"{port}.log") as process,
        shell(env) as own,
    ):
        process.says("Stop with Ctrl-C.")
        start = "https" if "TLS_CERT" in settings else "http"
        yield Site(f"{start}://127.0.0.1:{port}", f"{start}://127.0.0.1:{live_port}", env, process, own)


def prepare(folder: Path) -> None:
    """Make a site's data folder from nothing; if that fails, fail the test."""
    command = [sys.executable, "-m", "config.serve", "prepare"]
    env = environment(VAR_DIR=folder, DEMO=0)
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=PATIENCE_SECONDS * 2)
    assert done.returncode == 0, done.stdout + done.stderr
