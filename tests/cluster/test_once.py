"""Writes at the same moment in two processes: one key is carried out once, and a version is changed once."""

import json
import uuid
from concurrent.futures import ThreadPoolExecutor
from email.message import Message
from threading import Barrier
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from tests.cluster.test_federation import place as place
from tests.processes import PATIENCE_SECONDS, Site

pytestmark = pytest.mark.cluster

TIMES = 6
Answer = tuple[int, dict, Message]
MAKE = """
import uuid
from tests.builders import build_director, build_key
print(build_key(build_director(uuid.uuid4().hex)))
"""


class Program:
    """A program with a token of its own, which sends to all web processes in turn."""

    def __init__(self, site: Site, webs: list[str]) -> None:
        self.webs = webs
        self.token = site.python(MAKE).split()[-1]

    def send(self, web: str, method: str, path: str, body: dict | None, **headers: str) -> Answer:
        sent = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        data = None if body is None else json.dumps(body).encode()
        request = Request(f"{web}/api/v1/{path}", data, sent, method=method)
        try:
            with urlopen(request, timeout=PATIENCE_SECONDS) as answer:
                return answer.status, json.load(answer), answer.headers
        except HTTPError as refused:
            with refused:
                return refused.code, json.load(refused), refused.headers

    def at_once(self, method: str, path: str, bodies: list[dict], **headers: str) -> list[Answer]:
        barrier = Barrier(len(bodies))

        def one(number: int) -> Answer:
            barrier.wait()
            return self.send(self.webs[number % len(self.webs)], method, path, bodies[number], **headers)

        with ThreadPoolExecutor(len(bodies)) as pool:
            return list(pool.map(one, range(len(bodies))))

    def new_tournament(self) -> tuple[str, str]:
        """Make a tournament; return its address and its ETag."""
        _status, made, _headers = self.send(self.webs[0], "POST", "tournaments/", new())
        path = f"tournaments/{made['id']}/"
        return path, self.send(self.webs[0], "GET", path, None)[2]["ETag"]


def new() -> dict:
    return {"name": uuid.uuid4().hex, "place": "Odense", "starts_on": "2026-01-09"}


@pytest.fixture
def program(place: tuple[Site, list[str]]) -> Program:
    return Program(*place)


def test_of_requests_under_one_key_one_is_carried_out_and_all_get_its_answer(program: Program) -> None:
    for _round in range(3):
        answers = program.at_once("POST", "tournaments/", [new()] * TIMES, Idempotency_Key=uuid.uuid4().hex)
        assert [status for status, _told, _headers in answers] == [201] * TIMES
        assert len({told["id"] for _status, told, _headers in answers}) == 1
        assert sum("Idempotency-Replayed" in headers for _status, _told, headers in answers) == TIMES - 1


def test_of_changes_to_one_version_one_is_carried_out(program: Program) -> None:
    for _round in range(3):
        path, etag = program.new_tournament()
        answers = program.at_once(
            "PATCH", path, [{"place": f"Hall {number}"} for number in range(TIMES)], If_Match=etag
        )
        assert sorted(status for status, _told, _headers in answers) == [200] + [412] * (TIMES - 1)
        [made] = [told["place"] for status, told, _headers in answers if status == 200]
        assert program.send(program.webs[0], "GET", path, None)[1]["place"] == made


def test_a_change_to_one_version_that_is_sent_twice_at_once_gets_one_answer(program: Program) -> None:
    for _round in range(3):
        path, etag = program.new_tournament()
        key = uuid.uuid4().hex
        answers = program.at_once("PATCH", path, [{"place": "Hall"}] * TIMES, If_Match=etag, Idempotency_Key=key)
        assert [status for status, _told, _headers in answers] == [200] * TIMES
        assert sum("Idempotency-Replayed" in headers for _status, _told, headers in answers) == TIMES - 1
