"""Phones that send at the same moment to the running site and its database: nothing is lost, and nothing is doubled."""

import json
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from tests.processes import Site

pytestmark = pytest.mark.cluster

TABLE = """
import json, uuid
from tests.builders import build_director, build_event, fixture_of
from tournament.entries.links import token_of
fixture = fixture_of(build_event(build_director(uuid.uuid4().hex), players=2, lengths=({length},)), "M1-1")
print(json.dumps([fixture.match.pk, token_of(fixture.entry_a), token_of(fixture.entry_b)]))
"""
STORED = """
import json
from matches.models import Match
from tournament.models import LogEntry
from tournament.models.team import event_of
match = Match.objects.get(pk={match})
log = LogEntry.objects.filter(event=event_of(match), verb="report_result")
print(json.dumps([[sheet.side, sheet.state, sheet.lines.count()] for sheet in match.sheets.all()] + [log.count()]))
"""
ROUNDS = 6
A, B = ({"winner": side, "ending": "single", "cube": 1} for side in "ab")


class Phones:
    """The phones of both sides of a new match on the running site."""

    def __init__(self, site: Site, *, length: int) -> None:
        self.site = site
        self.match, *self.tokens = json.loads(site.python(TABLE.format(length=length)).splitlines()[-1])

    def put(self, token: str, games: list[dict], base: int, key: str = "") -> tuple[int, dict]:
        return self.send(token, "PUT", "", {"key": key or uuid.uuid4().hex, "base": base, "games": games})

    def confirm(self, token: str, number: int) -> tuple[int, dict]:
        return self.send(token, "POST", "confirm/", {"number": number})

    def send(self, token: str, method: str, act: str, said: dict) -> tuple[int, dict]:
        address = f"{self.site.url}/api/v1/links/{token}/matches/{self.match}/sheet/{act}"
        request = Request(address, json.dumps(said).encode(), {"Content-Type": "application/json"}, method=method)
        try:
            with urlopen(request) as answer:
                return answer.status, json.load(answer)
        except HTTPError as error:
            with error:
                return error.code, json.load(error)

    def put_at_once(self, *sent: tuple) -> list[tuple[int, dict]]:
        return at_once(*(partial(self.put, *one) for one in sent))

    def stored(self) -> tuple[list[list], int]:
        """Return side, state and number of games of every sheet, and how many reports the log has."""
        *sheets, logged = json.loads(self.site.python(STORED.format(match=self.match)).splitlines()[-1])
        return sheets, logged


def at_once(*sent: Callable[[], tuple[int, dict]]) -> list[tuple[int, dict]]:
    """Send from as many threads, all at the same moment; return the answers in their order."""
    together = Barrier(len(sent))

    def send(one: Callable[[], tuple[int, dict]]) -> tuple[int, dict]:
        together.wait()
        return one()

    with ThreadPoolExecutor(len(sent)) as threads:
        return list(threads.map(send, sent))


def played(games: list[dict]) -> list[dict]:
    return [{name: game[name] for name in A} for game in games]


def test_of_two_phones_with_one_link_one_is_taken_and_the_other_is_told_what_stands_now(live_site):
    phones = Phones(live_site, length=25)
    token, games, base = phones.tokens[0], [], 0
    for _round in range(ROUNDS):
        claims = [*games, A], [*games, B]
        answers = phones.put_at_once(*((token, claim, base) for claim in claims))
        assert sorted(status for status, _told in answers) == [200, 409]
        (taken,) = (number for number, (status, _told) in enumerate(answers) if status == 200)
        state, problem = answers[taken][1], answers[1 - taken][1]
        assert (problem["code"], problem["sheet"]["number"]) == ("report_changed", state["number"])
        assert played(state["games"]) == played(problem["sheet"]["games"]) == claims[taken]
        games, base = claims[taken], state["number"]
    sheets, logged = phones.stored()
    assert [count for _side, _state, count in sheets] == list(range(1, ROUNDS + 1))
    assert [state for _side, state, _count in sheets] == ["superseded"] * (ROUNDS - 1) + ["reported"]
    assert logged == ROUNDS


def test_a_claim_that_is_sent_twice_at_once_under_its_key_is_stored_once(live_site):
    phones = Phones(live_site, length=25)
    answers = phones.put_at_once(*[(phones.tokens[1], [A, B], 0, "the-same-key")] * 4)
    assert [(status, told["number"]) for status, told in answers] == [(200, 1)] * 4
    assert phones.stored() == ([["B", "reported", 2]], 1)


def test_both_sides_at_once_keep_their_scores_and_the_same_end_is_the_result_once(live_site):
    phones = Phones(live_site, length=3)
    bases = [0, 0]
    for count in (1, 2, 3):
        sent = [(token, [A] * count, base) for token, base in zip(phones.tokens, bases, strict=True)]
        answers = phones.put_at_once(*sent)
        assert [(status, len(told["games"])) for status, told in answers] == [(200, count)] * 2
        bases = [told["number"] for _status, told in answers]
    sheets, _logged = phones.stored()
    assert sorted((side, count) for side, _state, count in sheets) == [(s, n) for s in "AB" for n in (1, 2, 3)]
    assert [state for _side, state, _count in sheets].count("confirmed") == 1
    assert {state for _side, state, _count in sheets} == {"confirmed", "superseded"}


def test_both_sides_at_once_with_different_ends_are_both_kept_and_disputed(live_site):
    phones = Phones(live_site, length=1)
    answers = phones.put_at_once((phones.tokens[0], [A], 0), (phones.tokens[1], [B], 0))
    assert [status for status, _told in answers] == [200, 200]
    sheets, logged = phones.stored()
    assert sorted(sheets) == [["A", "disputed", 1], ["B", "disputed", 1]]
    assert logged == 2
    for token, game in zip(phones.tokens, (A, B), strict=True):
        status, told = phones.put(token, [game], 0)
        assert (status, told["status"], played(told["games"]), told["differs_at"]) == (200, "disputed", [game], 1)


def test_a_yes_and_a_correction_of_what_it_means_at_once_are_never_both_taken(live_site):
    phones = Phones(live_site, length=1)
    one, other = phones.tokens
    number = phones.put(one, [A], 0)[1]["number"]
    (said, _state), (put, told) = at_once(
        partial(phones.confirm, other, number), partial(phones.put, one, [B], number, "corrected")
    )
    assert sorted([said, put]) == [200, 409]
    sheets, _logged = phones.stored()
    if said == 200:
        assert told["code"] == "result_confirmed"
        assert sheets == [["A", "confirmed", 1]]
    else:
        assert sheets == [["A", "superseded", 1], ["A", "reported", 1]]
