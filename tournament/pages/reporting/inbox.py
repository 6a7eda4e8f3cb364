"""The officer's inbox, a report with its matches for officer and director, and what stands out."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from matches.models import Match
from players.errors import Refusal
from players.lists.models import OfficialList
from players.lists.officers import keeps, lists_kept_by, require_keeper, require_officer
from players.lists.policies import Policies
from players.models import User
from tournament.models import Event, EventReport, RatingVerdict, ReportState
from tournament.pages.reporting.forms import AnswerForm, DecideForm, PolicyForm, RatingForm, policy_in_words
from tournament.pages.returning import refuse
from tournament.pages.zone import show_times_of
from tournament.reporting.decide import rule_on_rating, set_policy
from tournament.reporting.inbox import MOST_SHOWN, OPEN, declared_for, lines_of, reports_for, striking_in
from tournament.reporting.reports import answer_report, decide_report
from tournament.roles.permissions import forbidden, may, require_signed_in


@require_safe
@login_required
def inbox(request: HttpRequest) -> HttpResponse:
    """Show the reports that wait for the officer, and the others."""
    user = require_officer(request.user)
    reports = list(reports_for(user)[:MOST_SHOWN])
    context = {
        "open": [one for one in reports if _waits(one)],
        "others": [one for one in reports if not _waits(one)],
        "declared": declared_for(user),
        "lists": lists_kept_by(user),
    }
    return render(request, "tournament/reporting/inbox.html", context)


def _waits(report: EventReport) -> bool:
    """Whether the officer should look at the report."""
    return report.state in OPEN or report.changed_at is not None or report.is_open_again


def _report_for(request: HttpRequest, report_id: int) -> tuple[EventReport, User, bool]:
    """Find the report, the user, and whether they are its officer. Raises Http404, and Forbidden for others.

    Those who may end the event may read its reports too.
    """
    reports = EventReport.objects.filter(event__in=Event.objects.all())
    related = ("event__tournament", "official_list__federation")
    report = get_object_or_404(reports.select_related(*related), pk=report_id)
    user = require_signed_in(request.user)
    is_officer = keeps(user, report.official_list)
    if not is_officer and not may(user, report.event, "finish_event"):
        raise forbidden(report.event, "finish_event")
    show_times_of(report.event.tournament)
    return report, user, is_officer


@require_safe
@login_required
def report_page(request: HttpRequest, report_id: int) -> HttpResponse:
    return _render(request, *_report_for(request, report_id))


def _render(
    request: HttpRequest, report: EventReport, user: User, is_officer: bool, status: int = 200, **typed: object
) -> HttpResponse:
    lines = lines_of(report)
    named = [(line.match.pk, f"{line.place} {line.match}") for line in lines]
    context = {
        "report": report,
        "event_row": report.event,
        "lines": lines,
        "counted": sum(line.verdict.counts for line in lines),
        "steps": report.steps.select_related("by"),
        "is_officer": is_officer,
        "answers": report.state == ReportState.RETURNED and may(user, report.event, "finish_event"),
        "decide_form": DecideForm(initial={"digest": report.digest, "state": ReportState.ACCEPTED.value}),
        "answer_form": AnswerForm(),
        "rating_form": RatingForm(matches=named),
        **typed,
    }
    return render(request, "tournament/reporting/report.html", context, status=status)


@require_POST
@login_required
def decide(request: HttpRequest, report_id: int) -> HttpResponse:
    report, user, is_officer = _report_for(request, report_id)
    require_keeper(user, report.official_list)
    form = DecideForm(request.POST)
    if form.is_valid():
        data = form.cleaned_data
        try:
            decide_report(
                report,
                ReportState(data["state"]),
                digest=data["digest"],
                said=data["said"],
                by=user,
                at=timezone.now(),
            )
        except Refusal as refusal:
            refuse(form, refusal)
            return _render(request, report, user, is_officer, refusal.status, decide_form=form)
        messages.success(request, _("Saved."))
        return redirect("inbox")
    return _render(request, report, user, is_officer, 400, decide_form=form)


@require_POST
@login_required
def answer(request: HttpRequest, report_id: int) -> HttpResponse:
    report, user, is_officer = _report_for(request, report_id)
    form = AnswerForm(request.POST)
    if form.is_valid():
        try:
            answer_report(report, said=form.cleaned_data["said"], by=user, at=timezone.now())
        except Refusal as refusal:
            refuse(form, refusal)
        else:
            messages.success(request, _("The answer has been sent."))
            return redirect("event-report", report_id)
    return _render(request, report, user, is_officer, 400, answer_form=form, answers=True)


@require_POST
@login_required
def rule(request: HttpRequest, report_id: int) -> HttpResponse:
    """Rule whether one match of the report counts."""
    report, user, is_officer = _report_for(request, report_id)
    require_keeper(user, report.official_list)
    named = [(line.match.pk, f"{line.place} {line.match}") for line in lines_of(report)]
    form = RatingForm(request.POST, matches=named)
    if form.is_valid():
        data = form.cleaned_data
        match = get_object_or_404(Match, pk=data["match"])
        verdict, reason = RatingVerdict(data["verdict"]), data["reason"]
        try:
            rule_on_rating(match, report.official_list, verdict=verdict, reason=reason, by=user, at=timezone.now())
        except Refusal as refusal:
            refuse(form, refusal)
        else:
            messages.success(request, _("Saved."))
            return redirect("event-report", report_id)
    return _render(request, report, user, is_officer, 400, rating_form=form)


def _list_for(request: HttpRequest, slug: str) -> tuple[OfficialList, User]:
    found = get_object_or_404(OfficialList.objects.select_related("federation"), slug=slug)
    return found, require_keeper(request.user, found)


@require_safe
@login_required
def anomalies(request: HttpRequest, slug: str) -> HttpResponse:
    official_list, _user = _list_for(request, slug)
    striking = striking_in(official_list, at=timezone.now())
    return render(request, "tournament/reporting/anomalies.html", {"list": official_list, "striking": striking})


@login_required
def policy(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what has been decided about a list, and decide anew from a day on."""
    official_list, user = _list_for(request, slug)
    today = timezone.localdate()
    current = Policies(official_list.pk, has_federation=official_list.federation_id is not None).on(today)
    form = PolicyForm(request.POST or None, initial={**PolicyForm.values_of(current), "valid_from": today})
    if request.method == "POST" and form.is_valid():
        try:
            set_policy(
                official_list,
                valid_from=form.cleaned_data["valid_from"],
                rules=form.rules(),
                by=user,
                at=timezone.now(),
            )
        except Refusal as refusal:
            refuse(form, refusal)
        else:
            messages.success(request, _("Saved."))
            return redirect("list-policy", slug)
    rows = [(row, policy_in_words(row.policy)) for row in official_list.policies.select_related("by").order_by("-id")]
    context = {"list": official_list, "form": form, "rows": rows}
    return render(request, "tournament/reporting/policy.html", context, status=400 if form.is_bound else 200)
