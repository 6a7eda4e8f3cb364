"""A drawn event on a running site, and results entered there through the API."""

import json
import urllib.error
import urllib.request
from dataclasses import dataclass

from tests.processes import PATIENCE_SECONDS, Site

MAKE_EVENT = """
from players.models import User
from tests.builders import build_director, build_event, build_key, build_tournament, open_matches
director = User.objects.filter(username="director").first() or build_director()
event = build_event(director, players={players}, tournament=build_tournament(director, "{name}"))
print(event.pk, event.get_absolute_url(), build_key(director), *[match.pk for match in open_matches(event)])
"""


@dataclass(frozen=True)
class Answer:
    status: int
    body: dict


@dataclass(frozen=True)
class Desk:
    """A drawn event, the matches that can be played now, and a director who enters their results."""

    event: int
    path: str
    token: str
    matches: tuple[int, ...]

    def enter(self, web: str, match: int, *, key: str, final: tuple[int, int], base: int = 0) -> Answer:
        return self.post(web, f"matches/{match}/result/", {"key": key, "base": base, "final": list(final)})

    def post(self, web: str, path: str, body: dict) -> Answer:
        return self._ask(f"{web}/api/v1/{path}", json.dumps(body).encode())

    def get(self, web: str, path: str) -> Answer:
        return self._ask(f"{web}/api/v1/{path}", None)

    def _ask(self, url: str, data: bytes | None) -> Answer:
        """Ask; ask again where another writer was before us for two seconds, as pages and other programs do."""
        for _again in range(PATIENCE_SECONDS // 2):
            answer = self._ask_once(url, data)
            if answer.status != 409 or answer.body["code"] != "busy":
                break
        return answer

    def _ask_once(self, url: str, data: bytes | None) -> Answer:
        headers = {"Authorization": f"Token {self.token}", "Content-Type": "application/json"}
        try:
            with urllib.request.urlopen(urllib.request.Request(url, data, headers), timeout=PATIENCE_SECONDS) as answer:
                return Answer(answer.status, json.load(answer))
        except urllib.error.HTTPError as refused:
            with refused:
                return Answer(refused.code, json.load(refused))


def open_desk(site: Site, *, name: str, players: int = 8) -> Desk:
    """Make a new event on the site, with the same services as people use."""
    event, path, token, *matches = site.python(MAKE_EVENT.format(players=players, name=name)).split()
    return Desk(int(event), path, token, tuple(int(match) for match in matches))
