"""The closings of an event as everybody may see them: what is known, and what is awaited."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tournament.draw.drand import HOSTS
from tournament.models import Closing, Entry, Event, LogEntry
from tournament.proof.drand import path_of, time_of


@dataclass(frozen=True, slots=True)
class Word:
    number: int
    word: str
    given_at: datetime


@dataclass(frozen=True, slots=True)
class ClosingView:
    """A closing without what is not public yet: the dice of the first person stay hidden until they are repeated.

    ``first`` is the user who typed the dice in first, empty while nobody has; ``second`` repeated them, with nothing
    but the private link of that player if it was ``by_link``. ``round_at`` and ``round_address`` are those of its
    round of drand. It ``is_used`` if its stage has been drawn.
    """

    number: int
    stage: int
    source: str
    digest: str
    closed_at: datetime
    first: str
    second: str
    by_link: bool
    drand_round: int | None
    round_at: datetime | None
    round_address: str
    signature: str
    words: tuple[Word, ...]
    value: str
    known_at: datetime | None
    voided_at: datetime | None
    void_reason: str
    is_used: bool


def closings_of(event: Event) -> Sequence[ClosingView]:
    """Return the event's closings in order, in four queries at most."""
    closings = list(event.closings.select_related("dice_by").prefetch_related("words").order_by("number"))
    drawn = set(event.stages.exclude(drawn_at=None).values_list("number", flat=True)) if closings else set()
    has_dice = any(closing.dice for closing in closings)
    repeated = {**_imported(event), **dice_repeated(event)} if has_dice else {}
    return [_view(closing, drawn, repeated.get(closing.number, {})) for closing in closings]


def _imported(event: Event) -> Mapping[int, Mapping[str, Any]]:
    """Return who typed in the dice according to the file from which the event was imported."""
    rows = event.log.filter(verb="import_event")
    return {one["closing"]: one for row in rows for one in row.detail["dice"]}


def dice_repeated(event: Event) -> Mapping[int, Mapping[str, Any]]:
    """Return the details of the log on who repeated the dice, by the number of the closing."""
    rows = event.log.filter(verb="repeat_dice").select_related("actor")
    return {row.detail["closing"]: _named(row) for row in rows}


def _named(row: LogEntry) -> Mapping[str, Any]:
    """Return the detail with the name that everybody may read, also where an older row has a login name."""
    if "is_shown" in row.detail or "entry" in row.detail:
        return row.detail
    return {**row.detail, "second": row.actor.shown_name if row.actor else "–"}


def times_repeated(entry: Entry) -> list[datetime]:
    """Return when the private link of the entry repeated dice, the first time first."""
    rows = LogEntry.objects.filter(event=entry.event_id, verb="repeat_dice", detail__entry=entry.pk)
    return list(rows.order_by("id").values_list("at", flat=True))


def _view(closing: Closing, drawn: set[int], repeated: Mapping[str, Any]) -> ClosingView:
    round = closing.drand_round
    return ClosingView(
        number=closing.number,
        stage=closing.stage,
        source=closing.source,
        digest=closing.digest,
        closed_at=closing.closed_at,
        first=(closing.dice_by.shown_name if closing.dice_by else repeated.get("first", "–")) if closing.dice else "",
        second=repeated.get("second", ""),
        by_link="entry" in repeated or repeated.get("by_link", False),
        drand_round=round,
        round_at=time_of(round) if round else None,
        round_address=f"https://{HOSTS[0]}{path_of(round)}" if round else "",
        signature=closing.signature,
        words=tuple(Word(given.number, given.word, given.given_at) for given in closing.words.all()),
        value=closing.value,
        known_at=closing.known_at,
        voided_at=closing.voided_at,
        void_reason=closing.void_reason,
        is_used=closing.voided_at is None and closing.stage in drawn,
    )
