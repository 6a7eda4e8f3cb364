"""The document of an urn: what was known when it was opened, in one canonical form that every machine writes alike.

It is JSON in UTF-8, with the keys of every object sorted by code point, no spaces, and no character escaped that need
not be.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any

from tournament.formats.drawing import draw_hash
from tournament.formats.lots import DRAW
from tournament.formats.plan import Entrant
from tournament.models import Event, Stage

FORM = 1
"""The version of the form, under the key ``sixprime_draw``."""


def commitment(event: Event, stage: Stage, entrants: Iterable[Entrant]) -> str:
    """Return the hash that commits the stage's draw to terms and entries before it is made.

    It is the digest of the draw's document; for a stage with a seed, that of the seed and the entry list.
    """
    if stage.seed:
        return draw_hash(stage.seed, entrants)
    return digest_of(draw_document(event, stage, DRAW, entrants))


Standings = Mapping[str, Sequence[Sequence[int]]]
"""For each ranking of the stage before, those who can go on: number of the entry, place, wins and point difference.

With drawn matches or second wins for lower error rates, their counts follow.
"""

Known = Mapping[str, object]
"""What else an urn commits to: ``standings`` of those who can go on, or the ``byes`` that a late entry can take."""


def draw_document(
    event: Event, stage: Stage, scope: str, entrants: Iterable[Entrant], known: Known | None = None
) -> str:
    """Return the text whose digest is that of the urn of this scope, with the terms, format, options and entries.

    Reads ``event.tournament`` as loaded. The entries are those that the draw takes from, by number.
    """
    entrants = sorted(entrants, key=lambda entrant: (entrant.number, entrant.id))
    return canonical(
        {
            "sixprime_draw": FORM,
            "tournament": event.tournament.name,
            "event": event.name,
            "stage": stage.number,
            "scope": scope,
            "edition": stage.edition_of_rules,
            "format": stage.format,
            "options": stage.options,
            "terms": {
                "profile": event.profile,
                "crawford": event.crawford,
                "doubles": event.doubles,
                "boards": event.boards,
                "tiebreaks": list(event.tiebreaks),
            },
            "qualifiers": stage.qualifiers,
            "carry": stage.carry,
            "entries": _entries(entrants),
            **(known or {}),
        }
    )


def _entries(entrants: Sequence[Entrant]) -> list[dict[str, Any]]:
    """Return the entrants as the document has them; ``shares`` are the numbers of entries with the same person."""
    entries_of: dict[int, list[int]] = defaultdict(list)
    for entrant in entrants:
        for person in entrant.persons:
            entries_of[person].append(entrant.number)
    return [
        {
            "number": entrant.number,
            "name": entrant.name,
            "seed": entrant.seed,
            "club": entrant.club,
            "country": entrant.country,
            "family": entrant.family,
            "members": list(entrant.members),
            "lives": entrant.lives,
            "presence": list(entrant.presence),
            "bye_taken": entrant.bye_taken,
            "shares": sorted({other for person in entrant.persons for other in entries_of[person]} - {entrant.number}),
        }
        for entrant in entrants
    ]


def canonical(value: object) -> str:
    """Return the value as canonical JSON."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def digest_of(document: str) -> str:
    """Return the SHA-256 hash of the document's bytes, in hex."""
    return sha256(document.encode()).hexdigest()
