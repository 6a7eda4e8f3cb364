"""Match records beside a match of an event: attached and detached by those who enter results; players propose them."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from matches.attached import Submission, attach, detach, read_submission
from matches.evidence import Evidence
from matches.models import Match
from matches.services import lock_sheets
from players.errors import Conflict
from players.models import User
from rules.score import Side
from tournament.changes.record import record_change, require_running
from tournament.draw.steps import lock_fixture, place_details
from tournament.models.team import present_matches


def attach_record(
    match: Match, data: bytes, *, name: str, left: Side | None = None, by: User | None, at: datetime
) -> Evidence:
    """Attach the record to the match; the same again changes nothing. The result stays what the score sheet says.

    It is replayed before the event is locked. Raises Refusal and Conflict as :func:`matches.attached.read_submission`
    and :func:`matches.attached.attach` do.
    """
    return attach_submission(match, read_submission(match, data, name=name, left=left), by=by, at=at)


@transaction.atomic
def attach_submission(
    match: Match, submission: Submission, *, by: User | None, at: datetime, side: Side | None = None
) -> Evidence:
    """Attach the record, which has been replayed, as :func:`attach_record` does, or as a proposal of the ``side``.

    Raises Conflict as :func:`matches.attached.attach` does, and for a record that is attached to another match.
    """
    event, fixture, at = lock_fixture(match, at)
    require_running(event)
    evidence, is_new = attach(lock_sheets(match).match, submission, by=by, at=at, side=side)
    if is_new:
        _require_one_match(evidence)
        said = {"match": match.pk, "evidence": evidence.pk, "side": evidence.side}
        record_change(event, verb="attach_record", by=by, at=at, **place_details(fixture, match), **said)
    return evidence


def _require_one_match(evidence: Evidence) -> None:
    """Refuse a record that is attached to another match, but for one of a deleted event: nobody can detach it there."""
    same = Evidence.attached.filter(identity=evidence.identity, match__in=present_matches())
    elsewhere = same.exclude(match=evidence.match_id).defer("data").first()
    if elsewhere is not None:
        sentence = _("This record is attached to match %(number)s already: detach it there first.")
        raise Conflict("record_attached", sentence % {"number": elsewhere.match_id})


@transaction.atomic
def detach_record(match: Match, number: int, *, by: User | None, at: datetime) -> None:
    """Take the record with this number off the match, as :func:`matches.attached.detach` does.

    Also after its games were taken as a correction: the sheet is what its people entered, and stays. Raises Conflict.
    """
    event, fixture, at = lock_fixture(match, at)
    require_running(event)
    evidence = detach(lock_sheets(match).match, number, at=at)
    said = {"match": match.pk, "evidence": evidence.pk, "side": evidence.side}
    record_change(event, verb="detach_record", by=by, at=at, **place_details(fixture, match), **said)
