"""Match records beside a match: attached and detached by those who enter its result, or proposed by a private link."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.http import require_POST

from matches.evidence import Evidence
from players.errors import Refusal
from rules.records.formats import MAX_BYTES
from rules.score import Side
from tournament.entries.report import propose_record_by_link
from tournament.pages.match.forms import AttachForm
from tournament.pages.match.match import match_for, render_match
from tournament.pages.match.mine import entry_of, match_of, render_mine, until_it_ends
from tournament.pages.returning import SIDES, name_sides, refuse
from tournament.results.evidence import attach_record, detach_record


@require_POST
@login_required
def attach(request: HttpRequest, match_id: int) -> HttpResponse:
    """Attach a record to the match."""
    match, user, _allowed = match_for(request, match_id, "enter_result")
    form = AttachForm(request.POST, request.FILES)
    name_sides(form, match.name_a, match.name_b)
    if not form.is_valid():
        return render_match(request, match, {"attach_form": form}, 400)
    file = form.cleaned_data["file"]
    left = Side(form.cleaned_data["left"]) if form.cleaned_data["left"] else None
    try:
        attach_record(match, file.read(MAX_BYTES + 1), name=file.name, left=left, by=user, at=timezone.now())
    except Refusal as refusal:
        refuse(form, refusal)
        return render_match(request, match, {"attach_form": form}, refusal.status)
    messages.success(request, _("The record stands beside the score sheet, which counts as before."))
    return redirect(f"{match.get_absolute_url()}#records")


@require_POST
@login_required
def detach(request: HttpRequest, match_id: int, evidence_id: int) -> HttpResponse:
    """Take a record off the match."""
    match, user, _allowed = match_for(request, match_id, "enter_result")
    evidence = get_object_or_404(Evidence.objects.defer("data"), match=match, pk=evidence_id)
    detach_record(match, evidence.pk, by=user, at=timezone.now())
    messages.success(request, _("The record has been detached. The score sheet counts as before."))
    return redirect(f"{match.get_absolute_url()}#records")


@require_POST
@csrf_protect
@until_it_ends
def propose(request: HttpRequest, token: str, match_id: str) -> HttpResponse:
    """Propose a record of the entry's own match to those who enter results."""
    entry = entry_of(token)
    match = match_of(entry, int(match_id))
    file, said = request.FILES.get("file"), request.POST.get("left", "")
    left = Side(said) if said in SIDES else None
    try:
        if file is None:
            raise Refusal("no_records", _("Choose a match record: a .mat, .txt, .sgf, .xg or .bgf file."))
        data = file.read(MAX_BYTES + 1)
        propose_record_by_link(entry, match, data, name=str(file.name), left=left, at=timezone.now())
    except Refusal as refusal:
        typed = {"proposed": {"match_id": match.pk, "left": said}}
        return render_mine(request, entry, token, refusal=refusal, status=refusal.status, typed=typed)
    messages.success(request, _("Thank you. The desk has your record."))
    return redirect("my-entry", token=token)
