"""Reports of events to the officers of official lists: they arrive when an event ends, and are decided one by one."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from players.errors import Conflict, Refusal
from players.lines import is_visible, one_line
from players.lists.officers import require_keeper
from players.models import User
from players.webhooks.outbox import tell, tell_all
from tournament.changes.record import begin_step, record_change
from tournament.models import Event, EventReport, ReportState, ReportStep
from tournament.models.report import MAX_SAID
from tournament.reporting.counting import digest_of, lists_of, verdicts
from tournament.roles.permissions import require


def verb_of(state: ReportState) -> str:
    """Return the verb of the log for what an officer decided."""
    return (
        "accept_report"
        if state == ReportState.ACCEPTED
        else ("return_report" if state == ReportState.RETURNED else "queue_report")
    )


def send_reports(event: Event, *, by: User | None, at: datetime) -> None:
    """Let a report of the event, which is locked and has ended, arrive for each list that it declares.

    A report that was there before and has the same matches stays as it is. One that has been accepted goes on counting
    with the new matches, and asks for another look; any other arrives again.
    """
    for official_list in lists_of(event):
        digest = digest_of(verdicts(official_list, Event.objects.filter(pk=event.pk)))
        first = {"digest": digest, "arrived_at": at}
        report, is_new = EventReport.objects.get_or_create(event=event, official_list=official_list, defaults=first)
        if not is_new:
            if report.digest == digest:
                continue
            report.digest = digest
            if report.state == ReportState.ACCEPTED:
                report.changed_at = at
            else:
                report.state, report.arrived_at = ReportState.ARRIVED, at
            report.save(update_fields=["digest", "state", "arrived_at", "changed_at"])
        ReportStep.objects.create(report=report, state=ReportState.ARRIVED, by=by, at=at)


def tell_of_end(event: Event, *, at: datetime) -> None:
    """Tell the federations of the lists that the event declares that it has ended."""
    lists = lists_of(event)
    federations = {one.federation_id: one.federation for one in lists if one.federation is not None}
    told = {"event": event.pk, "address": event.get_absolute_url(), "lists": [one.slug for one in lists]}
    tell_all(federations.values(), "event.ended", told, at=at)


@transaction.atomic
def decide_report(
    report: EventReport, state: ReportState, *, digest: str, said: str = "", by: User, at: datetime
) -> EventReport:
    """Accept the report, return it with a question, or keep it for a later list; repeating this changes nothing.

    ``digest`` is that of the matches which the officer saw. Raises Forbidden, Conflict if the matches are others by
    now or the event is open again, and Refusal for a question that says nothing.
    """
    event, at, report = _locked(report, at)
    require_keeper(by, report.official_list)
    said = clean_said(said, needed=state == ReportState.RETURNED)
    if report.digest != digest:
        raise Conflict("report_outdated", _("Other results have arrived since you looked: look at the report again."))
    if report.state == state and report.changed_at is None:
        return report
    if state == ReportState.ACCEPTED and event.finished_at is None:
        raise Conflict("event_running", _("This event is open again: its report can be accepted once it has ended."))
    return _move(event, report, state, verb=verb_of(state), said=said, by=by, at=at)


@transaction.atomic
def answer_report(report: EventReport, *, said: str, by: User, at: datetime) -> EventReport:
    """Answer the officer's question about the report, for those who may end the event.

    Raises Forbidden, Refusal for an answer that says nothing, and Conflict if no question is open.
    """
    event, at, report = _locked(report, at)
    require(by, event, "finish_event")
    said = clean_said(said, needed=True)
    if report.state != ReportState.RETURNED:
        raise Conflict("no_question", _("No question about this report is open."))
    return _move(event, report, ReportState.ANSWERED, verb="answer_report", said=said, by=by, at=at)


def _locked(report: EventReport, at: datetime) -> tuple[Event, datetime, EventReport]:
    event, at = begin_step(report.event, at)
    found = EventReport.objects.select_for_update(of=("self",)).select_related("official_list__federation")
    return event, at, found.get(pk=report.pk)


def clean_said(said: str, *, needed: bool) -> str:
    """Return the text as stored. Raises Refusal for one that is empty but ``needed``, too long, or cannot be shown."""
    said = one_line(said)
    if needed and not said:
        raise Refusal("said_empty", _("Write what you ask or answer."), field="said")
    if len(said) > MAX_SAID:
        sentence = _("A question or an answer has at most %(limit)s characters.")
        raise Refusal("said_too_long", sentence % {"limit": MAX_SAID}, field="said")
    if not is_visible(said):
        raise Refusal("said_unprintable", _("The text contains characters that cannot be shown."), field="said")
    return said


def _move(
    event: Event, report: EventReport, state: ReportState, *, verb: str, said: str, by: User, at: datetime
) -> EventReport:
    report.state, report.changed_at = state, None
    report.save(update_fields=["state", "changed_at"])
    ReportStep.objects.create(report=report, state=state, said=said, by=by, at=at)
    record_change(event, verb=verb, by=by, at=at, list=report.official_list.name, said=said)
    if state == ReportState.ACCEPTED:
        told = {"report": report.pk, "event": event.pk, "list": report.official_list.slug, "digest": report.digest}
        tell(report.official_list.federation, "report.accepted", told, at=at)
    return report
