"""The pages of a draw's proof: the lots of an event and how they are made, its file, and the check of any file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe
from rest_framework.request import Request

from players.errors import TooOften, in_words
from tournament.formats.lots import LATE
from tournament.models import Event
from tournament.pages.tags.proof import moment
from tournament.pages.zone import show_times_of
from tournament.past.draw_file import draw_file_bytes, find_drawn_event
from tournament.proof.check import Report, check_file
from tournament.proof.drawn_lots import lots_of
from tournament.proof.faults import FileFault
from tournament.proof.findings import WHOLE, Finding, Verdict
from tournament.proof.moves import name_moves
from tournament.proof.page_limits import MOST_BYTES_OF_A_PAGE, refuse_long_work
from tournament.proof.read import read_draw_file
from tournament.proof.values import DrawFile, FileDraw, FileUrn
from tournament.roles.throttling import VerifyThrottle

MOST_URNS, SHOWN_URNS = 12, 6
"""The most links that the page lists openly, and how many of the last ones if there are more."""


def _found(event_id: int) -> Event:
    event = find_drawn_event(event_id)
    show_times_of(event.tournament)
    return event


@require_safe
def draw_file(request: HttpRequest, event_id: int) -> HttpResponse:
    event = _found(event_id)
    answer = HttpResponse(draw_file_bytes(event), content_type="application/json; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{event.tournament.slug}-{event.slug}-draw.json"'
    return answer


@require_safe
def event_draws(request: HttpRequest, event_id: int) -> HttpResponse:
    """Show the chain of an event, and the lots of one of its urns: the one asked for, or the first that stands."""
    event = _found(event_id)
    file = read_draw_file(draw_file_bytes(event))
    context = {"event": event, "tournament": event.tournament, "file": file, **_shown(request, file)}
    return render(request, "tournament/proof/draws.html", context | {"changed": _changed(file)})


def _changed(file: DrawFile) -> list[tuple[FileDraw, list[str]]]:
    """Return the draws that a director has changed by hand, cancelled ones included, each with its moves in words."""
    return [(draw, [_told(found) for found in name_moves(draw, WHOLE)]) for draw in file.draws if draw.moves]


def _shown(request: HttpRequest, file: DrawFile) -> dict[str, object]:
    """Return the urn that the reader chose, the lots drawn from it, and the line that makes one of them."""
    asked = request.GET.get("urn", "")
    names = {name_of(urn): urn for urn in file.urns}
    standing = [urn for urn in file.urns if urn.cancelled_at is None]
    urn = names.get(asked) or next(iter([*standing, *file.urns]), None)
    if urn is None:
        return {"urns": []}
    (chosen,) = lots_of(file, [urn])
    line = request.GET.get("entry")
    entry = next((lot for lot in chosen.lots if lot.line == line), None)
    entry = entry or next(iter(chosen.lots), None)
    listed = [(name, one, one is urn) for name, one in names.items()]
    earlier = listed[:-SHOWN_URNS] if len(listed) > MOST_URNS else []
    return {
        "urns": listed[len(earlier) :],
        "earlier": earlier,
        "is_earlier": "urn" in request.GET and any(is_chosen for _name, _urn, is_chosen in earlier),
        "chosen": chosen,
        "chosen_name": name_of(urn),
        "entry": entry,
        "is_late": urn.scope.startswith(LATE),
        "command": chosen.command(entry.line) if entry else "",
        "before": _link_before(file, urn),
        "cancelled": [(draw, _pairings(draw.steps)) for draw in file.draws if draw.cancelled_at is not None],
    }


def name_of(urn: FileUrn) -> str:
    """Return how an address names the urn."""
    return f"{urn.chain}-{urn.number}"


def _link_before(file: DrawFile, urn: FileUrn) -> str:
    """Return the link that the chosen one leads to: the one before it, or the anchor."""
    before = {one.number: one.link for one in file.urns if one.chain == urn.chain}
    anchors = {chain.number: chain.anchor for chain in file.chains}
    return before.get(urn.number - 1, anchors.get(urn.chain, ""))


def _pairings(steps: object) -> list[tuple[str, str, str]]:
    """Return key and sides of the pairings of a cancelled draw, in words."""
    found = []
    for step in steps:  # type: ignore[attr-defined]
        names = {entrant.number: entrant.name for entrant in step.entrants or ()}
        for one in step.pairings:
            if one.a is not None or one.b is not None:
                sides = [names.get(side, "") or (_("bye") if feed == "bye" else "…") for side, feed in _sides(one)]
                found.append((one.key, *sides))
    return found


def _sides(one: object) -> list[tuple[int | None, str]]:
    return [(one.a, one.feed_a), (one.b, one.feed_b)]  # type: ignore[attr-defined]


def _worst_first(findings: Sequence[Finding]) -> list[Finding]:
    """Return what is wrong, then what to ask about, then what holds, each in the order of checking."""
    order = (Verdict.WRONG, Verdict.NOTE, Verdict.OK)
    return sorted(findings, key=lambda finding: order.index(finding.verdict))


def _told(finding: Finding) -> str:
    """Return the finding in the reader's words, its times too."""
    params = {name: moment(str(value)) if name == "time" else value for name, value in finding.params.items()}
    return in_words(replace(finding, params=params))


class DrawFileForm(forms.Form):
    file = forms.FileField(label=gettext_lazy("File"))


@require_http_methods(["GET", "HEAD", "POST"])
def check_draw(request: HttpRequest) -> HttpResponse:
    """Show the form for a draw file, or what was found in the one that was sent. Nothing is stored."""
    if request.method != "POST":
        return _checked(request, DrawFileForm())
    if not VerifyThrottle().allow_request(Request(request), None):  # type: ignore[arg-type]
        raise TooOften("too_many_checks", _("Too many files from your network. Wait a minute, then try again."))
    form = DrawFileForm(request.POST, request.FILES)
    if not form.is_valid():
        return _checked(request, form, status=400)
    try:
        file, report = _checked_file(form.cleaned_data["file"])
    except FileFault as fault:
        form.add_error("file", in_words(fault))
        return _checked(request, form, status=400)
    return _checked(request, DrawFileForm(), file=file, report=report)


def _checked_file(sent: UploadedFile) -> tuple[DrawFile, Report]:
    file = read_draw_file(sent.read(MOST_BYTES_OF_A_PAGE + 1), MOST_BYTES_OF_A_PAGE)
    refuse_long_work(file)
    return file, check_file(file)


def _checked(
    request: HttpRequest,
    form: DrawFileForm,
    *,
    status: int = 200,
    file: DrawFile | None = None,
    report: Report | None = None,
) -> HttpResponse:
    findings = [(finding, _told(finding)) for finding in _worst_first(report.findings)] if report else []
    context = {"form": form, "file": file, "report": report, "findings": findings}
    return render(request, "tournament/proof/check.html", context, status=status)
