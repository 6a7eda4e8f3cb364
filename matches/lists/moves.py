"""Why a player's rating moved from one publication to the next: each match, and what was corrected before it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any

from matches.lists.history import stored_document
from players.lists.criteria import shown
from players.lists.document import corrections_from_json
from players.lists.models import Publication
from players.lists.read import counted_of
from players.lists.stored import StoredDocument
from players.lists.systems import build
from players.lists.values import Correction, Counted


@dataclass(frozen=True, slots=True)
class Step:
    """A match of the player: with the rating before and after it, as the list counts them."""

    counted: Counted
    at: datetime
    won: bool
    opponent: int
    before: Decimal
    after: Decimal

    @property
    def delta(self) -> Decimal:
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class Moves:
    """How a player came from ``published``, what the publication before had, to ``value``.

    Both are None where the player is not on the list. ``begins`` is the rating that the steps begin with: what the
    earlier publication would have had by what is counted now. ``earlier`` are the steps that the run took again before
    the cut-off of the publication before, and ``corrections`` what was corrected in the player's own matches.
    """

    published: Decimal | None
    value: Decimal | None
    begins: Decimal
    earlier: tuple[Step, ...]
    steps: tuple[Step, ...]
    corrections: tuple[Correction, ...]

    @property
    def delta(self) -> Decimal | None:
        """The change since the publication before; None for a player who was not on both."""
        return None if self.value is None or self.published is None else self.value - self.published

    @property
    def corrected(self) -> Decimal | None:
        """The part of the change that comes from corrections before; None for a player who was not on the list."""
        return None if self.published is None else self.begins - self.published


def moves_of(publication: Publication, player: int) -> Moves:
    """Return why the player stands where they do. Reads ``publication.previous`` and its document, and no match."""
    stored = _document(publication.pk, publication.sha256)
    document = stored.said
    until = publication.previous.matches_until if publication.previous else None
    own = tuple(_steps(stored, player))
    earlier = tuple(step for step in own if until is not None and step.at <= until)
    steps = own[len(earlier) :]
    values = {line["player"]: Decimal(line["value"]) for line in document["lines"] if line["player"] == player}
    was = {pk: Decimal(value) for pk, value in document["previous"]["values"] if pk == player}
    begins = steps[0].before if steps else own[-1].after if own else _base(document, player)
    corrections = corrections_from_json(document["corrections"])
    theirs = (one for one in corrections if player in people_in(one))
    return Moves(was.get(player), values.get(player), begins, earlier, steps, tuple(theirs))


def corrections_in(publication: Publication) -> tuple[Correction, ...]:
    """Return the matches that the publication counts otherwise than one before it, in the order of rating."""
    return corrections_from_json(_document(publication.pk, publication.sha256).said["corrections"])


def people_in(correction: Correction) -> set[int]:
    """Return the ids of those whose match it is, before and now."""
    return {player for one in (correction.was, correction.now) if one for player in (one.winner, one.loser)}


def _steps(stored: StoredDocument, player: int) -> list[Step]:
    before, found = _base(stored.said, player), []
    for row in stored.rows_of(player):
        one, won = counted_of(row), row[2] == player
        if one.guest and one.guest[0] == ("w" if won else "l"):
            continue
        after = Decimal(row[-2] if won else row[-1])
        opponent = one.loser if won else one.winner
        found.append(Step(one, datetime.fromisoformat(one.at), won, opponent, before, after))
        before = after
    return found


def _base(document: Mapping[str, Any], player: int) -> Decimal:
    """Return the rating with which the run of the document begins for this player, to four places."""
    for row in document["base"]["standings"]:
        if row[0] == player:
            return Decimal(shown(float(row[3][0]), 4))
    for pk, value, _experience in document["starts"]:
        if pk == player:
            return Decimal(shown(float(value), 4))
    system = document["system"]
    return Decimal(shown(build(system["kind"], system["parameters"]).newcomer.value, 4))


@lru_cache(maxsize=4)
def _document(publication: int, _sha256: str) -> StoredDocument:
    """Return the document of the publication, which never changes: another one has another digest."""
    return stored_document(publication)
