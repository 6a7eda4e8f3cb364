"""The file of an event in the open format, and the page on which anybody checks one."""

from __future__ import annotations

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe
from rest_framework.request import Request

from players.errors import TooOften, in_words
from tournament.pages.following import find_event
from tournament.roles.authors import SEES_REASONS
from tournament.roles.permissions import actions_of
from tournament.roles.throttling import VerifyThrottle
from tournament.transfer.export import export_bytes
from tournament.transfer.judge import MOST_BYTES_OF_A_PAGE, Judgement, judge_on_page
from tournament.transfer.report import report_bytes


@require_safe
def event_interchange(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    event = find_event(tournament_slug, event_slug)
    with_reasons = SEES_REASONS in actions_of(request.user, event)
    data = export_bytes(event.tournament, [event], with_reasons=with_reasons)
    answer = HttpResponse(data, content_type="application/json; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{tournament_slug}-{event_slug}-event.json"'
    return answer


@require_safe
def event_trf(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    event = find_event(tournament_slug, event_slug)
    answer = HttpResponse(report_bytes(event), content_type="text/plain; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{tournament_slug}-{event_slug}.trf"'
    return answer


class EventFileForm(forms.Form):
    file = forms.FileField(label=gettext_lazy("File"))


@require_http_methods(["GET", "HEAD", "POST"])
def check_event_file(request: HttpRequest) -> HttpResponse:
    """Show the form for an event file, or what was found in the one that was sent. Nothing is stored."""
    if request.method != "POST":
        return _checked(request, EventFileForm())
    if not VerifyThrottle().allow_request(Request(request), None):  # type: ignore[arg-type]
        raise TooOften("too_many_checks", _("Too many files from your network. Wait a minute, then try again."))
    form = EventFileForm(request.POST, request.FILES)
    if not form.is_valid():
        return _checked(request, form, status=400)
    judgement = judge_on_page(form.cleaned_data["file"].read(MOST_BYTES_OF_A_PAGE + 1))
    if judgement.document is None and [fault.pointer for fault in judgement.faults] == [""]:
        form.add_error("file", in_words(judgement.faults[0]))  # it is no event file at all
        return _checked(request, form, status=400)
    return _checked(request, EventFileForm(), judgement=judgement)


def _checked(
    request: HttpRequest, form: EventFileForm, *, status: int = 200, judgement: Judgement | None = None
) -> HttpResponse:
    faults = [(fault, in_words(fault)) for fault in judgement.faults] if judgement else []
    context = {"form": form, "judgement": judgement, "faults": faults}
    return render(request, "tournament/transfer/check.html", context, status=status)
