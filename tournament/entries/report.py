"""Results reported, confirmed and disputed by a private link, which must be valid under the lock of the event.

``entry`` is always the entry as it was when its link was read.
"""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from matches.attached import Submission, read_submission
from matches.claims import Claim
from matches.evidence import Evidence
from matches.models import Match, Scoresheet
from players.errors import Conflict
from rules.score import Side
from tournament.entries.links import Link, require_open
from tournament.entries.services import lock_entry
from tournament.models import Entry
from tournament.models.team import find_fixture
from tournament.results.evidence import attach_submission
from tournament.results.reports import confirm_result, dispute_result, report_result, withdraw_result


@transaction.atomic
def report_by_link(entry: Entry, match: Match, *, claim: Claim, at: datetime, agrees: bool = True) -> Scoresheet:
    """Report the claim for the entry; ``agrees`` is that of :func:`tournament.results.reports.report_result`.

    Raises as :func:`lock_side` and :func:`tournament.results.reports.report_result` do.
    """
    return report_result(match, claim=claim, side=lock_side(entry, match, at), by=None, at=at, agrees=agrees)


@transaction.atomic
def withdraw_by_link(entry: Entry, match: Match, *, base: int, at: datetime) -> None:
    """Withdraw the report of the entry, which has taken back its first game.

    Raises as :func:`lock_side` and :func:`tournament.results.reports.withdraw_result` do.
    """
    withdraw_result(match, base=base, side=lock_side(entry, match, at), at=at)


@transaction.atomic
def confirm_by_link(entry: Entry, match: Match, *, number: int, at: datetime) -> Scoresheet:
    """Confirm the report of the entry's opponent.

    Raises as :func:`lock_side` and :func:`tournament.results.reports.confirm_result` do.
    """
    return confirm_result(match, number=number, side=lock_side(entry, match, at), by=None, at=at)


@transaction.atomic
def dispute_by_link(entry: Entry, match: Match, *, number: int, reason: str, at: datetime) -> Scoresheet:
    """Dispute the report of the entry's opponent.

    Raises as :func:`lock_side` and :func:`tournament.results.reports.dispute_result` do.
    """
    return dispute_result(match, number=number, side=lock_side(entry, match, at), reason=reason, by=None, at=at)


def propose_record_by_link(
    entry: Entry, match: Match, data: bytes, *, name: str, left: Side | None = None, at: datetime
) -> Evidence:
    """Propose a record of the match as evidence; those who enter results see it, and nothing else follows.

    ``left`` is the side in its left column, which the names tell if it is None. It is replayed before the event is
    locked. Raises as :func:`lock_side` and :func:`tournament.results.evidence.attach_record` do.
    """
    return _propose(entry, match, read_submission(match, data, name=name, left=left), at)


@transaction.atomic
def _propose(entry: Entry, match: Match, submission: Submission, at: datetime) -> Evidence:
    return attach_submission(match, submission, side=lock_side(entry, match, at), by=None, at=at)


def lock_side(entry: Entry, match: Match, at: datetime) -> Side:
    """Lock the event and return the entry's side in the match.

    Raises LinkEnded if the entry has another link by now or none, and Conflict if it was removed or the match is
    between others.
    """
    _event, current, _at = lock_entry(entry, at)
    require_open(Link(entry.pk, entry.link_epoch), current)
    fixture = find_fixture(match)
    if fixture is None or current.pk not in (fixture.entry_a_id, fixture.entry_b_id):
        raise Conflict("match_of_others", _("This match is between other players."))
    return Side.A if current.pk == fixture.entry_a_id else Side.B
