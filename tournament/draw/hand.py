"""A director's hand on a draw: two seats swapped, or a pairing set, with a reason; and taken back.

The rule: a match that would lose a player must not have begun, and in a Swiss no match of the round.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from matches.models import MAX_REASON
from players.errors import Conflict, Refusal
from players.models import User
from tournament.changes.record import begin_step, record_change, require_running
from tournament.draw.chain import MOVED, StagePlan, load_chain
from tournament.draw.lots import on_paper
from tournament.draw.reconcile import reconcile
from tournament.formats import FORMATS
from tournament.formats.hand import lapsed
from tournament.formats.moves import MoveKind
from tournament.formats.plan import Bye, Entrant, Pairing, Plan, Seat, seated
from tournament.models import Entry, Event, HandChange, Stage

Step = tuple[MoveKind, int, int | None]
"""A move that is not numbered yet: its kind and two entries, the second None for a bye."""


@dataclass(frozen=True, slots=True)
class ChangedPairing:
    """A pairing before and after a change, its sides in words; empty texts for one that is not there."""

    key: str
    before: str
    after: str


@transaction.atomic
def change_draw(
    stage: Stage,
    *,
    kind: MoveKind,
    a: Entry,
    b: Entry | None,
    reason: str,
    by: User | None,
    at: datetime,
    base: int | None = None,
) -> list[HandChange]:
    """Swap the seats of two entries, or let them meet, and return the rows that say so.

    Without ``b``, a pairing is the bye of a Swiss round. Where players are paired round by round it holds for the
    round that is paired and has not begun, and where they are paired as they become free for the next batch.

    ``base`` is the number of the last change that the sender saw, so that a button pressed twice does not swap back.

    Raises Refusal for what cannot be, and Conflict if it is too late: the event has ended, a match has begun, or the
    draw has been changed since.
    """
    event, at = begin_step(stage.event, at)
    require_running(event)
    stage = event.stages.get(pk=stage.pk)
    reason = " ".join(reason.split())
    if not any(char.isalnum() for char in reason):
        raise Refusal("reason_missing", _("Give a reason: it is shown with the pairings that change."))
    if len(reason) > MAX_REASON:
        raise Refusal("reason_too_long", _("A reason can have at most %(most)s characters.") % {"most": MAX_REASON})
    planned = _drawn(event, stage)
    round, steps = _steps(planned, kind, a, b)
    last = stage.hand_changes.aggregate(last=Max("number"))["last"] or 0
    if base is not None and base != last:
        raise Conflict("draw_changed", _("The draw has been changed by hand meanwhile: look at it again."))
    rows = [
        HandChange(
            stage=stage,
            number=number,
            kind=one,
            round=round,
            entry_a_id=first,
            entry_b_id=second,
            reason=reason,
            by=by,
            at=at,
        )
        for number, (one, first, second) in enumerate(steps, start=last + 1)
    ]
    HandChange.objects.bulk_create(rows)
    plan = _follow(event, stage, by=by, at=at)
    _refuse_in_vain(planned, plan, {row.number for row in rows})
    said = {"kind": str(kind), "round": round, "reason": reason}
    _record(event, stage, rows, [a, b], verb="change_draw", by=by, at=at, **said)
    return rows


@transaction.atomic
def end_changes(stage: Stage, *, numbers: Collection[int], by: User | None, at: datetime) -> None:
    """Take changes of the stage back, so that its pairings are again as chance and rules made them.

    Raises Conflict if one of them has been taken back already, and as :func:`change_draw` does if it is too late.
    """
    event, at = begin_step(stage.event, at)
    require_running(event)
    stage = event.stages.get(pk=stage.pk)
    rows = list(stage.hand_changes.filter(number__in=numbers, ended_at=None).select_related("entry_a", "entry_b"))
    if not rows or len(rows) < len(set(numbers)):
        raise Conflict("draw_change_gone", _("This change of the draw has already been taken back."))
    begun = _rounds_begun(_drawn(event, stage))
    if any(row.round in begun for row in rows if row.round):
        raise _round_begun(max(row.round for row in rows))
    HandChange.objects.filter(pk__in=[row.pk for row in rows]).update(ended_at=at)
    _follow(event, stage, by=by, at=at)
    sides = dict.fromkeys(side for row in rows for side in (row.entry_a, row.entry_b))
    _record(event, stage, rows, list(sides), verb="end_draw_change", by=by, at=at)


def _follow(event: Event, stage: Stage, *, by: User | None, at: datetime) -> Plan:
    """Bring the stage into line with its changes. Raises Conflict if a match that has begun would lose a player."""
    try:
        return reconcile(event, stage, by=by, at=at).at(stage).plan
    except Refusal as refusal:
        if refusal.code not in MOVED:
            raise
        sentence = _("This would take a player out of a match that has begun. Take back its result or its call first.")
        raise Conflict("later_match_begun", sentence) from refusal


def preview_change(stage: Stage, change: Callable[[], object]) -> list[ChangedPairing]:
    """Return the pairings that ``change``, a service of this module, would change; it is made and undone.

    Raises what the service raises.
    """
    with transaction.atomic(), on_paper():
        event, _at = begin_step(stage.event, stage.drawn_at or stage.event.created_at)
        before = load_chain(event).at(event.stages.get(pk=stage.pk)).plan if stage.drawn_at else None
        change()
        after = load_chain(event).at(event.stages.get(pk=stage.pk)).plan
        transaction.set_rollback(True)
    old = {pairing.key: _in_words(pairing) for pairing in before.pairings} if before else {}
    new = {pairing.key: _in_words(pairing) for pairing in after.pairings}
    keys = [key for key in dict.fromkeys([*new, *old]) if old.get(key) != new.get(key)]
    return [ChangedPairing(key, old.get(key, ""), new.get(key, "")) for key in keys]


def _in_words(pairing: Pairing) -> str:
    return f"{_side(pairing.a)} – {_side(pairing.b)}"


def _side(seat: Seat) -> str:
    if isinstance(seat, Entrant):
        return seat.name
    return _("bye") if isinstance(seat, Bye) else "…"


def _drawn(event: Event, stage: Stage) -> StagePlan:
    if stage.drawn_at is None:
        raise Conflict("stage_not_drawn", _("This stage has not been drawn: there is nothing to change."))
    chain = load_chain(event)
    return chain.at(next(one for one in chain.stages if one.pk == stage.pk))


def _steps(planned: StagePlan, kind: MoveKind, a: Entry, b: Entry | None) -> tuple[int, list[Step]]:
    """Return the round that is changed, 0 for the layout of the draw, and the moves that do it."""
    here = {entrant.id for entrant in planned.entrants}
    if not {a.pk, b.pk if b else a.pk} <= here:
        raise Refusal("draw_change_unknown", _("Choose players who are in the draw of this stage."))
    if b is not None and a.pk == b.pk:
        raise Refusal("draw_change_same", _("Choose two different players."))
    if FORMATS[planned.stage.format].pairs_by_round:
        return _steps_in_round(planned, kind, a.pk, b.pk if b else None)
    if b is None:
        raise Refusal("draw_change_no_bye", _("Here a bye goes to somebody by swapping them with its holder."))
    if kind is MoveKind.SWAP:
        return 0, [(MoveKind.SWAP, a.pk, b.pk)]
    return 0, [_swap_to_meet(planned.plan, a.pk, b.pk)]


def _steps_in_round(planned: StagePlan, kind: MoveKind, a: int, b: int | None) -> tuple[int, list[Step]]:
    last = max((pairing.round for pairing in planned.plan.pairings), default=0)
    if FORMATS[planned.stage.format].is_continuous(planned.draw.options):
        if kind is MoveKind.SWAP:
            raise Refusal(
                "draw_change_stands",
                _("Players are paired as they become free, and a pairing stands once it is made: set the next one."),
            )
        return last + 1, [(MoveKind.PAIR, a, b)]
    if last in _rounds_begun(planned):
        raise _round_begun(last)
    if kind is MoveKind.PAIR:
        return last, [(MoveKind.PAIR, a, b)]
    opponents = _opponents(pairing for pairing in planned.plan.pairings if pairing.round == last)
    if b is None or a not in opponents or b not in opponents:
        raise Refusal("draw_change_not_paired", _("Both have to be in a pairing of round %(round)s.") % {"round": last})
    moved = [(a, opponents[b]), (b, opponents[a])]
    if opponents[a] == b or opponents[a] == opponents[b]:
        raise _nothing_changes()
    # A bye is fixed for its holder; whoever met them has the other opponent.
    return last, [(MoveKind.PAIR, one, other) for one, other in moved]


def _swap_to_meet(plan: Plan, a: int, b: int) -> Step:
    """Return the swap by which the two meet in the first round that was drawn."""
    if plan.scheduled:
        raise Refusal("draw_change_all_meet", _("Here everyone meets everyone: swap two players instead."))
    opponents = _opponents(pairing for pairing in plan.pairings if pairing.feed_a == "")
    if a not in opponents or b not in opponents:
        raise Refusal("draw_change_not_paired", _("Both have to be in a pairing of round %(round)s.") % {"round": 1})
    against_a, against_b = opponents[a], opponents[b]
    if against_a == b:
        raise _nothing_changes()
    if against_a is not None:
        return MoveKind.SWAP, against_a, b
    if against_b is not None:
        return MoveKind.SWAP, against_b, a
    raise Refusal("draw_change_both_byes", _("Both have a bye: swap one of them with somebody who plays first."))


def _opponents(pairings: Iterable[Pairing]) -> dict[int, int | None]:
    """Return the opponent of everyone in these pairings, None for a bye."""
    found: dict[int, int | None] = {}
    for pairing in pairings:
        a, b = seated(pairing.a), seated(pairing.b)
        found |= {side: other for side, other in ((a, b), (b, a)) if side is not None}
    return found


def _rounds_begun(planned: StagePlan) -> set[int]:
    """Return the rounds in which pairings stand, as play in them has begun."""
    published = {one.key for one in planned.published}
    return {pairing.round for pairing in planned.plan.pairings if pairing.key in published}


def _refuse_in_vain(planned: StagePlan, plan: Plan, numbers: set[int]) -> None:
    """Raise Refusal if the moves cannot be carried out, or change nothing."""
    gone = lapsed(plan.notes) & numbers
    if gone:
        raise Refusal(
            "draw_change_impossible",
            _("This cannot be: both have to be there to meet, and two entries of one player never meet."),
        )
    is_ahead = FORMATS[planned.stage.format].is_continuous(planned.draw.options)
    if not is_ahead and _meetings(plan) == _meetings(planned.plan):
        raise _nothing_changes()


def _meetings(plan: Plan) -> set[tuple[str, frozenset[int]]]:
    return {(pairing.key, pairing.entrant_ids) for pairing in plan.pairings}


def _nothing_changes() -> Refusal:
    return Refusal("draw_change_nothing", _("This changes no pairing."))


def _round_begun(round: int) -> Conflict:
    return Conflict("round_begun", _("Round %(round)s has begun: its pairings stand.") % {"round": round})


def _record(
    event: Event,
    stage: Stage,
    rows: Sequence[HandChange],
    sides: Sequence[Entry | None],
    *,
    verb: str,
    by: User | None,
    at: datetime,
    **detail: object,
) -> None:
    entries = [side.pk if side else None for side in sides]
    names = [side.name for side in sides if side]
    numbers = [row.number for row in rows]
    record_change(
        event, verb=verb, by=by, at=at, stage=stage.number, numbers=numbers, names=names, entries=entries, **detail
    )
