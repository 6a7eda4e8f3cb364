"""A visitor at a desk or with a phone: one HTTP connection, an API token and a session; every request is timed."""

import json
import re
import threading
import time
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from typing import Any
from urllib.parse import urlencode, urlsplit

EXPECTED = {200, 201, 204, 302, 304, 409}
GONE = "API: "
"""Acts of the crew through the API: a correction may have taken the match out of the draw since it was seen."""

BUSY_SECONDS = 1
"""As Retry-After says."""

CSRF = re.compile(rb'name="csrfmiddlewaretoken" value="([^"]+)"')


class UnexpectedAnswerError(Exception):
    """An answer after which the weekend cannot go on."""


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    body: bytes
    etag: str = ""

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def code(self) -> str:
        """The stable code of a refusal by the API, or nothing."""
        return str(self.json.get("code", "")) if self.status >= 400 else ""


@dataclass
class Times:
    """How long every request took, by action, and every answer that should not have been given."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    accepted: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    conflicts: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    faults: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, action: str, seconds: float, answer: Answer, what: str) -> None:
        with self.lock:
            self.seconds[action].append(seconds)
            if answer.status < 400:
                self.accepted[action].append(seconds)
            self.conflicts[action] += answer.status == 409
            is_gone = answer.status == 404 and action.startswith(GONE)
            if answer.status not in EXPECTED and not is_gone:
                self.faults.append(f"{answer.status} {what}: {answer.body[:300]!r}")


class Visitor:
    """A visitor, for one thread only."""

    def __init__(self, url: str, times: Times, *, name: str = "", token: str = "") -> None:
        self.name, self.token, self.times = name, token, times
        self.cookies: dict[str, str] = {}
        self.csrf = ""
        parts = urlsplit(url)
        self.connection = HTTPConnection(parts.hostname or "", parts.port, timeout=60)

    def close(self) -> None:
        self.connection.close()

    def again(self) -> "Visitor":
        """Return the same person with another connection."""
        other = Visitor(f"http://{self.connection.host}:{self.connection.port}", self.times, name=self.name)
        other.token, other.cookies, other.csrf = self.token, dict(self.cookies), self.csrf
        return other

    def get(self, path: str, action: str = "read") -> Answer:
        return self._api("GET", path, None, action)

    def post(self, path: str, body: Mapping[str, object] | None = None, *, action: str) -> Answer:
        return self._api("POST", path, body or {}, action)

    def put(self, path: str, body: Mapping[str, object], *, action: str) -> Answer:
        return self._api("PUT", path, body, action)

    def read(self, path: str) -> Any:
        """Return what the API answers at ``path``. Raises UnexpectedAnswerError."""
        answer = self.get(path)
        return self._needed(answer, path)

    def do(self, path: str, body: Mapping[str, object] | None = None, *, action: str) -> Any:
        """Return what the API answers to a write that must succeed, sent again while the database is busy.

        Raises UnexpectedAnswerError.
        """
        answer = self.post(path, body, action=action)
        while answer.code == "busy":
            time.sleep(BUSY_SECONDS)
            answer = self.post(path, body, action=action)
        return self._needed(answer, f"{path} {body}")

    def _needed(self, answer: Answer, what: str) -> Any:
        if answer.status not in (200, 201):
            raise UnexpectedAnswerError(f"{what}: {answer.status} {answer.body[:300]!r}")
        return answer.json

    def sign_in(self, password: str) -> None:
        """Sign in to the API and on the pages."""
        self.token = self.do("token/", {"username": self.name, "password": password}, action="sign in")["token"]
        self.page("/accounts/login/", action="sign in")
        self.submit("/accounts/login/", {"username": self.name, "password": password}, action="sign in")

    def page(self, path: str, *, action: str, etag: str = "") -> Answer:
        headers = {"If-None-Match": etag} if etag else {}
        return self._keep(self._ask("GET", path, None, headers, action))

    def submit(self, path: str, fields: Mapping[str, object], *, action: str, live: bool = False) -> Answer:
        """Send a form, as the page's script does if ``live``."""
        body = urlencode({**fields, "csrfmiddlewaretoken": self.csrf}).encode()
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        headers |= {"HX-Request": "true"} if live else {}
        return self._keep(self._ask("POST", path, body, headers, action))

    def _keep(self, answer: Answer) -> Answer:
        if found := CSRF.search(answer.body):
            self.csrf = found[1].decode()
        return answer

    def _api(self, method: str, path: str, body: Mapping[str, object] | None, action: str) -> Answer:
        headers = {"Authorization": f"Token {self.token}"} if self.token else {}
        data = None
        if body is not None:
            data, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
        return self._ask(method, f"/api/v1/{path}", data, headers, action)

    def _ask(self, method: str, path: str, body: bytes | None, headers: dict[str, str], action: str) -> Answer:
        if self.cookies and not path.startswith("/api/"):
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        began = time.perf_counter()
        try:
            answer = self._send(method, path, body, headers)
        except (HTTPException, ConnectionError):  # the server has closed an idle connection
            self.connection.close()
            answer = self._send(method, path, body, headers)
        self.times.add(action, time.perf_counter() - began, answer, f"{method} {path} {(body or b'')[:200]!r}")
        return answer

    def _send(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> Answer:
        self.connection.request(method, path, body, headers)
        response = self.connection.getresponse()
        answer = Answer(response.status, response.read(), response.getheader("ETag", "") or "")
        for cookie in response.headers.get_all("Set-Cookie") or ():
            name, _sign, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        return answer
