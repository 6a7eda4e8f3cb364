"""``python -m config.serve``: one command from an empty folder to a running site, until Ctrl-C.

This process prepares the data folder and watches three others, the pages (WSGI), the live stream (ASGI) and without
Redis the worker. Each is this module too, and ends by itself when this process is gone, however it went.

``prepare`` does the first half alone, and ``healthy URL`` says by its exit code whether a process serves: for
containers, which have a watcher of their own.
"""

import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from django.core.exceptions import ImproperlyConfigured

if TYPE_CHECKING:
    from wsgiref.types import WSGIApplication

HOST = os.environ.get("HOST") or "0.0.0.0"  # noqa: S104 - the phones in the hall come by the local network
START_SECONDS = 60
STOP_SECONDS = 10
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
CRASHES_ALLOWED = 3  # within CRASH_WINDOW seconds
CRASH_WINDOW = 60.0


class ServeError(Exception):
    """Something the person at the terminal can put right; the message says what."""


def say(text: str = "") -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


# The parts: each runs in a process of its own.


def serve_pages() -> None:
    from django.conf import settings
    from granian import Granian
    from granian.constants import Interfaces
    from granian.http import HTTP1Settings

    Granian(
        "config.wsgi:application",
        address=HOST,
        port=settings.PORT,
        interface=Interfaces.WSGI,
        workers=settings.PAGE_PROCESSES,
        # Connections that stay open gather at one of the processes; a new one goes to whichever is free.
        http1_settings=HTTP1Settings(keep_alive=False),
        blocking_threads=4,
        websockets=False,
        log_level="warning",  # type: ignore[arg-type]
        workers_kill_timeout=STOP_SECONDS - 2,
    ).serve(target_loader=load_pages)


def load_pages(_target: str) -> "WSGIApplication":
    """What a process of the pages serves. While it is getting ready, a signal ends it at once."""
    # Granian makes it a copy of its own process, whose answer to the signal would be to wait for itself.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    from config.wsgi import application

    return application


def serve_stream() -> None:
    from django.conf import settings
    from granian import Granian
    from granian.constants import Interfaces

    Granian(
        "config.asgi:application",
        address=HOST,
        port=settings.LIVE_PORT,
        interface=Interfaces.ASGI,
        backlog=4096,
        backpressure=8192,  # a listener is a request that does not end
        websockets=False,
        log_level="error",  # type: ignore[arg-type]
        workers_kill_timeout=1,  # listeners do not leave by themselves; their pages connect again
    ).serve()


def serve_worker() -> None:
    import django

    django.setup()
    from config.worker import work

    work()


PARTS = {"page server": serve_pages, "live stream": serve_stream, "worker": serve_worker}


def run_part(name: str) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard if hard != resource.RLIM_INFINITY else max(soft, 65536), hard))
    threading.Thread(target=_end_with_parent, daemon=True).start()
    PARTS[name]()


def _end_with_parent() -> None:
    """Standard input is a pipe that the starting process holds open and never writes to."""
    while os.read(0, 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


# The watching process.


class Part:
    """A running process of ours; ``url`` answers once it serves. Nobody waits for one without."""

    def __init__(self, name: str, url: str = "") -> None:
        self.name = name
        self.url = url
        self.crashes: list[float] = []
        self.process = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        # A session of its own: Ctrl-C reaches the watching process only, which then stops the parts in order.
        return subprocess.Popen(  # noqa: S603 - our own module
            [sys.executable, "-m", "config.serve", self.name], stdin=subprocess.PIPE, start_new_session=True
        )

    def wait_until_it_answers(self) -> None:
        if not self.url:
            return
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                break
            if is_healthy(self.url):
                return
            time.sleep(0.05)
        raise ServeError(f"The {self.name} did not start; the lines above say why.")

    def restart(self) -> None:
        now = time.monotonic()
        self.crashes = [*(crash for crash in self.crashes if now - crash < CRASH_WINDOW), now]
        if len(self.crashes) > CRASHES_ALLOWED:
            raise ServeError(f"The {self.name} ended {len(self.crashes)} times within a minute; everything is stopped.")
        say(f"The {self.name} ended unexpectedly (exit {self.process.returncode}) and is started again.")
        self.kill()
        self.process = self._start()

    def terminate(self) -> None:
        with suppress(ProcessLookupError):
            self.process.terminate()

    def kill(self) -> None:
        """Nothing of this part is left, whatever it had started."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)


def watch(urls: dict[str, str]) -> None:
    """Serves until interrupted; raises ServeError if a part does not stay up. Then nothing runs any more."""
    parts: list[Part] = []
    try:
        for name, url in urls.items():
            parts.append(Part(name, url))
        for part in parts:
            part.wait_until_it_answers()
        say_where()
        while True:
            time.sleep(0.25)
            for part in parts:
                if part.process.poll() is not None:
                    part.restart()
    finally:
        for number in STOP_SIGNALS:
            signal.signal(number, signal.SIG_IGN)
        for part in parts:
            part.terminate()
        deadline = time.monotonic() + STOP_SECONDS
        for part in parts:
            with suppress(subprocess.TimeoutExpired):
                part.process.wait(max(0.0, deadline - time.monotonic()))
            part.kill()


def require_free_port(name: str, port: int) -> None:
    family = socket.AF_INET6 if ":" in HOST else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            raise ServeError(
                f"Port {port} on {HOST} cannot be used ({error.strerror}). Another server may be running: stop "
                f"it, or choose another port, for instance {name}={port + 10}."
            ) from None


def prepare() -> None:
    """The data folder is ready: tables, translations, static files, and a demo tournament if it was empty."""
    import django

    django.setup()
    from django.conf import settings
    from django.core.cache import cache
    from django.core.management import CommandError, call_command
    from django.db import connections
    from django.db.migrations.executor import MigrationExecutor

    connection = connections["default"]
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        call_command("migrate", interactive=False, verbosity=0)
    try:
        call_command("compile_translations", verbosity=0)
    except CommandError as error:
        say(f"The pages stay in English where a translation is broken:\n{error}")
    stamp = settings.STATIC_ROOT / ".collected"
    state = _static_state(settings.BASE_DIR)
    if not stamp.exists() or stamp.read_text() != state:
        unused = ["rest_framework", "redoc"]
        call_command("collectstatic", interactive=False, clear=True, verbosity=0, ignore_patterns=unused)
        stamp.write_text(state)
    if not settings.REDIS_URL:
        # Of a process that was killed, of an older program, or half written when the power went: heal asks again.
        cache.clear()
        for left in settings.QUEUE_DIR.iterdir():
            left.unlink()
    if settings.DEMO:
        call_command("demo", if_empty=True)
    connections.close_all()


def _static_state(base: Path) -> str:
    """Changes whenever a file of ours or an installed version does."""
    files = sorted(path for path in (base / "static").rglob("*") if path.is_file())
    ours = [f"{path.relative_to(base)} {path.stat().st_mtime_ns}" for path in files]
    return "\n".join([(base / "requirements.txt").read_text(), *ours])


def say_where() -> None:
    from django.conf import settings

    everywhere = HOST in {"0.0.0.0", "::"}  # noqa: S104 - compared, not bound
    say(f"\nSixprime is running:   http://{'localhost' if everywhere else HOST}:{settings.PORT}/")
    if everywhere and (address := lan_address()):
        say(f"Phones on this Wi-Fi:  http://{address}:{settings.PORT}/")
    say("Stop with Ctrl-C.")


def lan_address() -> str | None:
    """This machine's address on its network, or None without one. No packet is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return None if address.startswith("127.") else address


def serve() -> None:
    from django.conf import settings

    for number in STOP_SIGNALS:
        signal.signal(number, signal.default_int_handler)
    require_free_port("PORT", settings.PORT)
    require_free_port("LIVE_PORT", settings.LIVE_PORT)
    prepare()
    local = "127.0.0.1" if HOST == "0.0.0.0" else "[::1]" if HOST == "::" else HOST  # noqa: S104 - compared, not bound
    urls = {
        "page server": f"http://{local}:{settings.PORT}/healthz",
        "live stream": f"http://{local}:{settings.LIVE_PORT}/live/healthz",
    }
    watch(urls | {"worker": ""} if settings.WORKER else urls)


def is_healthy(url: str) -> bool:
    # The host is one that every installation allows, whatever address the probe takes.
    request = urllib.request.Request(url, headers={"Host": "localhost"})  # noqa: S310 - http on this host
    with suppress(OSError), urllib.request.urlopen(request, timeout=5):  # noqa: S310
        return True
    return False


def main(arguments: list[str]) -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        match arguments:
            case []:
                serve()
            case ["prepare"]:
                prepare()
            case ["healthy", url]:
                return 0 if is_healthy(url) else 1
            case [name] if name in PARTS:
                run_part(name)
            case _:
                raise ServeError("python -m config.serve [prepare | healthy URL]")
    except KeyboardInterrupt:
        say("\nStopped.")
    except (ServeError, ImproperlyConfigured) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
