"""Publications made in memory, and their files."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date
from hashlib import sha256
from random import Random
from typing import Any

from players.lists.document import Made, canonical, commit, make_document
from players.lists.read import ListFile, Names
from players.lists.run import ENGINE
from players.lists.signing import sign
from players.lists.values import Base, Before, Counted, Criteria, Facts, Head, Standing
from players.ratings import RATINGS, RatingSystem

HEAD = Head(
    engine=ENGINE,
    zone="Europe/Copenhagen",
    slug="dbgf",
    name="DBgF",
    federation="DBGF",
    number=1,
    as_of=date(2026, 11, 22),
    matches_until="2026-11-22T00:00:00+00:00",
    memberships_until=date(2026, 11, 22),
    kind="fibs",
    parameters={},
    places=2,
    criteria=Criteria(),
    base=Base(),
    before=Before(),
)


def build(kind: str, parameters: Mapping[str, Any]) -> RatingSystem:
    return RATINGS[kind]


def some_matches(count: int, *, players: int = 12, seed: int = 5, month: int = 1) -> list[Counted]:
    """So many matches of one month, in order, one each minute."""
    chance = Random(seed)
    matches = []
    for number in range(count):
        winner, loser = chance.sample(range(1, players + 1), 2)
        at = f"2026-{month:02}-{1 + number // 1440:02}T{number // 60 % 24:02}:{number % 60:02}:00+00:00"
        matches.append(Counted(month * 1000 + number, at, winner, loser, chance.choice([5, 7, 9, 11])))
    return matches


def facts_of(standings: Mapping[int, Standing]) -> dict[int, Facts]:
    return {
        player: Facts(True, "DK", 0, commit(f"salt {player}", "", "", f"Player {player}", "")) for player in standings
    }


def make(head: Head, matches: Iterable[Counted]) -> tuple[Made, ListFile]:
    pieces: list[bytes] = []
    made = make_document(head, build(head.kind, {}), matches, facts_of, pieces.append)
    signature, key = sign(made.sha256)
    names = tuple(Names(line.player, f"salt {line.player}", "", "", f"Player {line.player}", "") for line in made.lines)
    return made, ListFile(json.loads(b"".join(pieces)), made.sha256, signature, key, names)


def signed(document: Mapping[str, Any], names: tuple[Names, ...] = ()) -> ListFile:
    """The file of a document that somebody has changed and signed anew, with a key of their own."""
    digest = sha256(canonical(document)).hexdigest()
    signature, key = sign(digest)
    return ListFile(document, digest, signature, key, names)


def following(head: Head, made: Made, **changes: Any) -> Head:
    """The head of the publication after this one."""
    values = {line.player: line.value for line in made.lines}
    before = Before(head.number, made.sha256, values, made.held)
    base = Base(head.number, made.sha256, made.standings)
    return replace(head, number=head.number + 1, starts={}, base=base, before=before, **changes)
