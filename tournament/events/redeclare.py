"""A declaration changed after the draw: by an officer of the lists, with a reason that everybody reads."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from matches.models import MAX_REASON
from players.errors import Refusal
from players.lines import one_line
from players.lists.models import OfficialList
from players.lists.officers import require_keeper
from players.models import User
from tournament.changes.record import begin_step, changes_between, record_change
from tournament.events.declaring import check_declaration
from tournament.events.terms import DECLARED
from tournament.models import Event
from tournament.reporting.reports import send_reports


@transaction.atomic
def redeclare(
    event: Event, *, rated_for: Sequence[str], event_class: str, online: bool, reason: str, by: User, at: datetime
) -> Event:
    """Change what the event is rated for, whatever has been drawn and played; it holds for all its matches.

    If the event has ended, its reports arrive as they do at the end: for each list that it declares by now.

    Raises Forbidden for somebody who is no officer of a list that comes or goes, or of any that stays if class or place
    of play change; Refusal without a reason, and as :func:`tournament.events.declaring.check_declaration` does.
    """
    event, at = begin_step(event, at)
    lists = check_declaration(rated_for, event_class)
    reason = one_line(reason)[:MAX_REASON]
    if not reason:
        raise Refusal("reason_missing", _("This changes what the event is rated for: give a reason."), field="reason")
    before = {name: getattr(event, name) for name in DECLARED}
    after: dict[str, object] = {"rated_for": lists, "event_class": event_class, "online": online}
    changes = changes_between(before, after)
    if not changes:
        return event
    touched = set(before["rated_for"]) ^ set(lists)
    if changes.keys() - {"rated_for"}:
        touched |= set(before["rated_for"]) | set(lists)
    for official_list in OfficialList.objects.filter(slug__in=touched):
        require_keeper(by, official_list)
    if not touched:
        raise Refusal("list_missing", _("Name a list: this event counts for none."), field="rated_for")
    drawn = event.stages.filter(number=1).values_list("drawn_at", flat=True).first()
    event.rated_for, event.event_class, event.online = lists, event_class, online
    event.declared_at = min(filter(None, (event.declared_at, drawn, at))) if lists else None
    event.save(update_fields=[*DECLARED, "declared_at"])
    record_change(event, verb="redeclare", by=by, at=at, changes=changes, reason=reason)
    if event.finished_at is not None:
        send_reports(event, by=by, at=at)
    return event
