"""Side pools, lots and terms close when play begins: a change then needs a reason, and consent to all that it moves."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from matches.models import MAX_REASON, Scoresheet, SheetSource
from players.errors import Refusal, Unconfirmed
from tournament.changes.record import lock_event
from tournament.draw.begun import play_has_begun
from tournament.draw.standings import store_standings
from tournament.models import Event
from tournament.models.team import matches_in
from tournament.money.accounts import Ledger
from tournament.money.ledger import take_ledger, view_ledger
from tournament.money.moves import Moves, compare_ledgers
from tournament.snapshot import take_snapshot

CLOSED_VERBS = (
    *("set_money", "open_side_pool", "join_side_pool", "leave_side_pool"),
    *("make_lots", "dissolve_lot", "sell_lot"),
)
"""The steps that need a reason once play has begun."""


@dataclass(frozen=True, slots=True)
class Consent:
    """A director's consent to what a change moves: their reason, and the digest of the moves that they were shown.

    ``is_given`` is for a change within a step that has asked for consent as a whole.
    """

    reason: str = ""
    digest: str = ""
    is_given: bool = False


NOT_ASKED = Consent()
GIVEN = Consent(is_given=True)


class MovesUnconfirmed(Unconfirmed):
    """A change after play has begun, with what it moves: it is made once exactly that is confirmed."""

    def __init__(self, moves: Moves) -> None:
        sentence = _("Play has begun: check who gets and who gives back what, and confirm it with a reason.")
        super().__init__("confirm_moves", sentence, findings=(), question=moves.digest)
        self.moves = moves


def is_closed(event: Event) -> bool:
    """Whether play has begun, or a prize has been won without play because all the others are absent."""
    if play_has_begun(event):
        return True
    if not Scoresheet.objects.filter(match__in=matches_in(event), source=SheetSource.ABSENCE).exists():
        return False
    store_standings(event.pk)
    return any(account.due for account in take_ledger(event.pk).payouts)


@contextmanager
def moving_money(event: Event, consent: Consent, **asked: object) -> Iterator[dict[str, object]]:
    """Make the change inside the block; once the locked event is closed, only with consent to exactly what it moves.

    ``asked`` describes the change in the types of JSON. Yields the details for its row of the log, which are complete
    after the block: the reason and the moves, or nothing while the event is open. Raises MovesUnconfirmed with the
    moves unless their digest is in the consent, and Refusal if the reason is missing.
    """
    told: dict[str, object] = {}
    if consent.is_given or not is_closed(event):
        yield told
        return
    store_standings(event.pk)
    snapshot = take_snapshot(event.pk)
    before = view_ledger(snapshot)
    yield told
    told |= _agreed(consent, compare_ledgers(before, view_ledger(snapshot), asked))


@contextmanager
def keeping_prizes(event: Event, consent: Consent, **asked: object) -> Iterator[Event]:
    """Make the change of tie-breaks or stages inside the block, which writes its log row; yields the locked event.

    Once play has begun, a prize that somebody has won moves only with consent, as in :func:`moving_money`; the row then
    has the reason and the moves. Raises as :func:`moving_money` does.
    """
    with transaction.atomic():
        event = lock_event(event)
        if not is_closed(event):
            yield event
            return
        before = _counted_ledger(event)
        yield event
        moves = compare_ledgers(before, _counted_ledger(event), asked)
        if any(move.before for move in moves.accounts):
            row = event.log.latest("id")
            row.detail |= _agreed(consent, moves)
            row.save(update_fields=["detail"])


def _counted_ledger(event: Event) -> Ledger:
    store_standings(event.pk)
    return view_ledger(take_snapshot(event.pk))


def _agreed(consent: Consent, moves: Moves) -> dict[str, object]:
    """Return the details of a change that was consented to. Raises MovesUnconfirmed, and Refusal without a reason."""
    if consent.digest != moves.digest:
        raise MovesUnconfirmed(moves)
    reason = " ".join(consent.reason.split())[:MAX_REASON]
    if not reason:
        raise Refusal("reason_missing", _("Give a reason."))
    return {"reason": reason, "moves": [move.as_dict() for move in moves.accounts]}
