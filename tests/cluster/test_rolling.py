"""Web servers and workers are replaced one after another while people work: no request and no task is lost."""

import http.client
import re
import subprocess
import sys
import threading
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path

import pytest

from tests.desks import Answer, open_desk
from tests.federation import Federation, program, service
from tests.processes import PATIENCE_SECONDS, ROOT, Running, answers, free_port, running, wait_until

pytestmark = pytest.mark.cluster

ASKED_EVERY = 0.25
"""Seconds between two questions whether a server is well; the Caddyfile asks every second."""


SEND = """
import select, sys
from itertools import count
from config.celery import app
from config.trace import HEADER
for number in count():
    if select.select([sys.stdin], [], [], 0.2)[0]:
        break
    app.send_task("tournament.tasks.heal", headers={HEADER: f"numbered-{number}"})
    print(f"numbered-{number}")
"""
DONE = re.compile(r"task=tournament\.tasks\.heal outcome=done .*request_id=(numbered-\d+)")


@dataclass
class Proxy:
    """Stands for Caddy: servers in turn, without those that are not well; the next one only if one is not reached."""

    ports: list[int]
    well: dict[int, bool] = field(default_factory=dict)
    turns: Iterator[int] = field(default_factory=count)
    ended: threading.Event = field(default_factory=threading.Event)
    server: ThreadingHTTPServer = field(init=False)

    def __enter__(self) -> "Proxy":
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                status, headers, body = proxy.pass_on(self)
                self.send_response(status)
                for name, value in headers:
                    if name.lower() not in ("connection", "transfer-encoding", "content-length", "date", "server"):
                        self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_POST = do_GET  # noqa: N815 - so is it called

            def log_message(self, *_args: object) -> None:
                pass

        class Server(ThreadingHTTPServer):
            request_queue_size = 128

        self.server = Server(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        threading.Thread(target=self._ask_how_they_are, daemon=True).start()
        return self

    def __exit__(self, *_error: object) -> None:
        self.ended.set()
        self.server.shutdown()
        self.server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def pass_on(self, asked: BaseHTTPRequestHandler) -> tuple[int, list[tuple[str, str]], bytes]:
        body = asked.rfile.read(int(asked.headers.get("Content-Length") or 0))
        turn = next(self.turns)
        in_turn = [self.ports[(turn + more) % len(self.ports)] for more in range(len(self.ports))]
        for port in [port for port in in_turn if self.well.get(port)]:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)
            try:
                connection.connect()
            except OSError:
                continue
            try:
                headers = {**dict(asked.headers.items()), "Connection": "close"}
                connection.request(asked.command, asked.path, body, headers)
                answer = connection.getresponse()
                return answer.status, answer.getheaders(), answer.read()
            except (OSError, http.client.HTTPException) as error:
                return 502, [], f"lost at {port}: {error!r}".encode()  # what has begun is sent to no other
            finally:
                connection.close()
        return 502, [], b"nobody is well"

    def _ask_how_they_are(self) -> None:
        while not self.ended.is_set():
            for port in self.ports:
                self.well[port] = answers(f"http://127.0.0.1:{port}/healthz")
            self.ended.wait(ASKED_EVERY)


@dataclass
class Servers:
    """Web servers of a federation's own, each of which can be replaced by a new one at the same port."""

    federation: Federation
    folder: Path
    stack: ExitStack
    numbers: Iterator[int] = field(default_factory=count)

    def start(self, command: list[str]) -> Running:
        log = self.folder / f"rolled-{next(self.numbers)}.log"
        return self.stack.enter_context(running(program(command), env=self.federation.env, log=log))

    def web(self, port: int) -> Running:
        return self.start(service("web", port))

    def worker(self) -> Running:
        return self.start([*service("worker"), "--hostname", f"rolled-{next(self.numbers)}@localhost"])

    def done(self) -> set[str]:
        """Which of the numbered tasks some worker has done."""
        logs = [*self.folder.glob("rolled-*.log"), *self.federation.folder.glob("worker-*.log")]
        return {number for log in logs for number in DONE.findall(log.read_text())}


@contextmanager
def numbered_tasks(env: dict[str, str]) -> Iterator[Callable[[], set[str]]]:
    """Send a task a few times a second, each with a number, until the function is called; it returns the numbers."""
    command = [sys.executable, "-c", SEND]
    env = env | {"DJANGO_SETTINGS_MODULE": "config.settings"}
    with subprocess.Popen(
        command, cwd=ROOT, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as sender:
        try:
            yield lambda: set(sender.communicate("over\n", timeout=PATIENCE_SECONDS)[0].split())
        finally:
            sender.kill()


@pytest.fixture
def servers(federation: Federation, tmp_path: Path) -> Iterator[Servers]:
    with ExitStack() as stack:
        yield Servers(federation, tmp_path, stack)


def test_servers_that_are_replaced_in_turn_lose_no_request_and_no_task(federation: Federation, servers) -> None:
    ports = [free_port(), free_port()]
    webs = {port: servers.web(port) for port in ports}
    desk = open_desk(federation.site(), name="Rolled", players=64)
    over = threading.Event()
    matches = list(desk.matches)
    lock = threading.Lock()

    def enter_results(url: str) -> list[Answer]:
        """Enter results, and look at them, until all servers are new; return what the answers were."""
        found = []
        while not over.is_set():
            with lock:
                match = matches.pop() if matches else None
            if match is not None:
                key = uuid.uuid4().hex
                while (entered := desk.enter(url, match, key=key, final=(5, 2))).body.get("code") == "busy":
                    pass  # as a busy database asks: the same once more
                found.append(entered)
            found.append(desk.get(url, f"events/{desk.event}/"))
        return found

    with numbered_tasks(federation.env) as numbers_of_tasks, Proxy(ports) as proxy, ThreadPoolExecutor(4) as pool:
        workers = [servers.worker() for _place in range(3)]
        for worker in workers:
            worker.says("outcome=done")
        wait_until(lambda: all(proxy.well.get(port) for port in ports), why="both are well")
        asked = [pool.submit(enter_results, proxy.url) for _scorer in range(4)]
        try:
            for port in ports:
                assert webs[port].stop() == 0, webs[port].log.read_text()
                webs[port] = servers.web(port)
                wait_until(lambda port=port: answers(f"http://127.0.0.1:{port}/healthz"), why=f"{port} answers")
                wait_until(lambda port=port: proxy.well.get(port), why="the new one is well")
            for place, worker in enumerate(workers):
                workers[place] = servers.worker()
                workers[place].says("outcome=done")
                assert worker.stop() == 0, worker.log.read_text()
        finally:
            over.set()
        given = [answer for one in asked for answer in one.result()]
        sent = numbers_of_tasks()
    assert [answer for answer in given if answer.status not in (200, 201)] == []
    statuses = [answer.status for answer in given]
    assert statuses.count(201) == len(desk.matches) - len(matches)
    assert len(statuses) > 20
    federation.wait_for_standings(desk.event)
    assert len(sent) > 20
    wait_until(lambda: not sent - servers.done(), why="every task has been done")
