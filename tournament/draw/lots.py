"""The urns of an event as formats ask for them: those that are open, and for a writer the next one of the chain.

An urn is opened where a writer carries out a plan that leaves something to chance, and is stored in the same
transaction. A reader never opens one: what it plans beyond the open urns decides nothing and is shown to nobody.
"""

import secrets
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from copy import copy
from datetime import datetime
from typing import Any

from django.db.models import F, QuerySet

from tournament.changes.record import record_change
from tournament.draw.document import Known, digest_of, draw_document
from tournament.draw.public_value import public_value_of
from tournament.draw.secret import LENGTH, anchor_of, reveal_link
from tournament.formats.lots import Urn, next_link
from tournament.formats.plan import Entrant
from tournament.models import DrawChain, Event, OpenUrn, Stage

CLOSED = Urn("", "", "")
"""What a reader gets for an urn that is not open."""

_on_paper: ContextVar[bool] = ContextVar("draws_on_paper", default=False)

CHAIN_FIELDS = ("id", "event_id", "number", "nonce", "anchor", "length", "made_at")
URN_FIELDS = (
    *("id", "chain_id", "number", "link", "stage_id", "scope"),
    *("public_value", "digest", "opened_at", "cancelled_at"),
)
"""The fields with which an urn is read: all but its document, which is long."""


@contextmanager
def on_paper() -> Iterator[None]:
    """Reveal nothing while a change is made that will be undone: it is planned as by a reader."""
    token = _on_paper.set(True)
    try:
        yield
    finally:
        _on_paper.reset(token)


def begin_chain(event: Event, *, at: datetime, number: int = 1, nonce: str | None = None) -> DrawChain:
    """Store a new chain for the event and return it; its ``nonce`` is made here unless given."""
    nonce = nonce or secrets.token_hex(16)
    anchor = anchor_of(nonce)
    return DrawChain.objects.create(event=event, number=number, nonce=nonce, anchor=anchor, length=LENGTH, made_at=at)


def load_lots(event: Event) -> "EventLots":
    """Load the event's chains and urns in one query; the documents of urns are left out."""
    rows = DrawChain.objects.filter(event=event).values_list(*CHAIN_FIELDS, *(f"urns__{name}" for name in URN_FIELDS))
    return _lots_of(event, list(rows))


def load_events(events: QuerySet[Event]) -> list["EventLots"]:
    """Load the events with their chains and urns, as :func:`load_lots` does, all in one query."""
    paths = [f"draw_chains__{name}" for name in (*CHAIN_FIELDS, *(f"urns__{name}" for name in URN_FIELDS))]
    found: dict[int, Event] = {}
    rows: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for event in events.annotate(**{f"of_{path}": F(path) for path in paths}):
        rows[event.pk].append(tuple(event.__dict__.pop(f"of_{path}") for path in paths))
        found.setdefault(event.pk, event)
    return [_lots_of(event, rows[event.pk]) for event in found.values()]


def _lots_of(event: Event, rows: Iterable[tuple[Any, ...]]) -> "EventLots":
    """Return the lots of the event from rows of a chain and one of its urns, or none."""
    chains: dict[int, DrawChain] = {}
    urns: list[OpenUrn] = []
    for values in rows:
        of_chain, of_urn = values[: len(CHAIN_FIELDS)], values[len(CHAIN_FIELDS) :]
        if of_chain[0] is None:
            continue
        chain = chains.setdefault(of_chain[0], DrawChain.from_db(None, CHAIN_FIELDS, of_chain))
        if of_urn[0] is not None:
            urn = OpenUrn.from_db(None, URN_FIELDS, of_urn)
            urn.chain = chain
            urns.append(urn)
    in_order = sorted(chains.values(), key=lambda chain: chain.number)
    return EventLots(event, in_order, sorted(urns, key=lambda urn: (urn.chain.number, urn.number)))


class EventLots:
    """The chains and urns of an event, in order; ``closed`` are the stages and scopes of urns that a reader missed."""

    def __init__(self, event: Event, chains: Iterable[DrawChain], urns: Iterable[OpenUrn]) -> None:
        self.chains = list(chains)
        self.urns = list(urns)
        self.closed: set[tuple[int, str]] = set()
        self.event = event
        self._standing = {(urn.stage_id, urn.scope): urn for urn in self.urns if urn.cancelled_at is None}
        self._new: list[OpenUrn] = []
        self.has_opened = False
        self._opens: tuple[datetime, frozenset[int]] | None = None

    def as_of(
        self, moment: datetime, *, make_draw: Collection[tuple[int, int]], cancel_draw: Collection[tuple[int, int]]
    ) -> "EventLots":
        """Return the chains and urns as they were then.

        The chain and number are given of urns that were opened by a draw, and of those cancelled, after that moment.
        """
        urns = []
        for urn in self.urns:
            number = (urn.chain.number, urn.number)
            if urn.opened_at > moment or number in make_draw:
                continue
            then = copy(urn)
            if urn.cancelled_at is not None and (urn.cancelled_at > moment or number in cancel_draw):
                then.cancelled_at = None
            urns.append(then)
        return EventLots(self.event, [chain for chain in self.chains if chain.made_at <= moment], urns)

    def standing(self, stage: Stage) -> tuple[OpenUrn, ...]:
        """Return the urns of the stage's draw, in the order in which they were opened."""
        return tuple(urn for urn in self.urns if urn.stage_id == stage.pk and urn.cancelled_at is None)

    def seed_of(self, stage: Stage) -> str:
        """Return what a stage was drawn with: the link of its first urn, or the seed of a stage without lots."""
        urns = self.standing(stage)
        return stage.seed or (urns[0].link if urns else "")

    def seed_hash_of(self, stage: Stage) -> str:
        """Return the hash of what the stage is drawn with, in hex, public before the draw: the link revealed last."""
        seed = self.seed_of(stage)
        return next_link(seed) if seed else self._last()[1]

    def anchor_of(self, stage: Stage) -> str:
        """Return the anchor of the chain that the stage's links are from, or will be; empty for one with a seed."""
        chains = [urn.chain for urn in self.standing(stage)] or self.chains[-1:]
        return chains[0].anchor if chains and not stage.seed else ""

    def of(self, stage: Stage, entrants: Sequence[Entrant], known: Known | None = None) -> "StageLots":
        """Return the stage's urns; one that is opened now commits to these entrants, and to what else is ``known``."""
        return StageLots(self, stage, entrants, known)

    @contextmanager
    def opening(self, stages: Iterable[Stage], *, at: datetime) -> Iterator[None]:
        """Open the urns that the plans of these stages ask for, and store them at the end.

        The event must be locked. On paper none is opened.
        """
        self._opens = None if _on_paper.get() else (at, frozenset(stage.pk for stage in stages))
        try:
            yield
        finally:
            self._opens = None
        OpenUrn.objects.bulk_create(self._new)
        self._new = []

    def urn(self, stage: Stage, scope: str, entrants: Sequence[Entrant], known: Known | None = None) -> Urn:
        """Return the urn of the stage's scope, opened now if need be."""
        found = self._standing.get((stage.pk, scope))
        if found is None and self._opens is not None and stage.pk in self._opens[1]:
            document = draw_document(self.event, stage, scope, entrants, known)
            found = self._open(stage, scope, document, at=self._opens[0])
        if found is None:
            self.closed.add((stage.number, scope))
            return CLOSED
        return Urn(found.link, found.public_value, found.digest)

    def _open(self, stage: Stage, scope: str, document: str, *, at: datetime) -> OpenUrn:
        value = public_value_of(self.event)
        chain, number, link = self._next_link(at)
        urn = OpenUrn(
            chain=chain,
            number=number,
            link=link,
            stage=stage,
            scope=scope,
            public_value=value,
            digest=digest_of(document),
            document=document,
            opened_at=at,
        )
        self.urns.append(urn)
        self._new.append(urn)
        self.has_opened = True
        self._standing[stage.pk, scope] = urn
        return urn

    def _next_link(self, at: datetime) -> tuple[DrawChain, int, str]:
        """Return the next link, its number and its chain; a new chain, with a row in the log, if this one has none."""
        number, before = self._last()
        if self.chains:
            link = reveal_link(self.chains[-1], number + 1, before)
            if link is not None:
                return self.chains[-1], number + 1, link
        chain = begin_chain(self.event, at=at, number=len(self.chains) + 1)
        self.chains.append(chain)
        record_change(self.event, verb="begin_chain", by=None, at=at, chain=chain.number, anchor=chain.anchor)
        link = reveal_link(chain, 1, chain.anchor)
        if link is None:
            raise RuntimeError("A chain that was just made does not give its first link.")
        return chain, 1, link

    def _last(self) -> tuple[int, str]:
        """Return the number of the present chain's link that was revealed last, and the link; 0 is the anchor."""
        if not self.chains:
            return 0, ""
        of_chain = [urn for urn in self.urns if urn.chain_id == self.chains[-1].pk]
        return (of_chain[-1].number, of_chain[-1].link) if of_chain else (0, self.chains[-1].anchor)


class StageLots:
    """The urns of one stage: :class:`tournament.formats.lots.Lots`."""

    def __init__(self, lots: EventLots, stage: Stage, entrants: Sequence[Entrant], known: Known | None = None) -> None:
        self._lots, self._stage, self._entrants, self._known = lots, stage, entrants, known

    def urn(self, scope: str) -> Urn:
        return self._lots.urn(self._stage, scope, self._entrants, self._known)

    def knowing(self, known: Known) -> "StageLots":
        """Return the urns that commit to this as well."""
        return StageLots(self._lots, self._stage, self._entrants, known)

    @property
    def opened(self) -> Mapping[str, Urn]:
        """The urns that are open, by scope."""
        return {urn.scope: Urn(urn.link, urn.public_value, urn.digest) for urn in self._lots.standing(self._stage)}
