"""The import of a list from a file: the fate of each row is shown before anything is stored."""

from collections.abc import Sequence

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from players.errors import Conflict, Refusal
from players.models import User
from players.tables import MAX_FILE
from tournament.entries.imports import import_entries, preview_import
from tournament.entries.lists import EntryLine, line_from, parse_file
from tournament.jobs.kinds import MOST_AT_ONCE, given_lines
from tournament.jobs.services import start_job
from tournament.models import Event
from tournament.pages.carried import carried, carry
from tournament.pages.entries.forms import EntryFileForm
from tournament.pages.following import event_for


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def import_page(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    """Show the form for a file, the preview of the file that was sent, or import what was previewed."""
    event, director = event_for(request, tournament_slug, event_slug, "change_entries")
    if request.method != "POST":
        return _page(request, event, EntryFileForm())
    if "lines" in request.POST:
        lines = [line_from(line) for line in carried(request.POST["lines"])["lines"]]
        return _confirm(request, event, lines, director)
    form = EntryFileForm(request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, event, form, status=400)
    try:
        return _preview(request, event, parse_file(form.cleaned_data["file"].read(MAX_FILE + 1)))
    except Refusal as refusal:
        form.add_error(None, str(refusal))
        return _page(request, event, form, status=refusal.status)


def _confirm(request: HttpRequest, event: Event, lines: Sequence[EntryLine], by: User) -> HttpResponse:
    digest, now = request.POST.get("digest", "")[:64], timezone.now()
    if len(lines) > MOST_AT_ONCE:
        return redirect(start_job("import", event=event, given=given_lines(lines) | {"digest": digest}, by=by, at=now))
    try:
        added = import_entries(event, lines=lines, digest=digest, by=by, at=now)
    except Conflict as conflict:
        if conflict.code != "preview_changed":
            raise
        messages.error(request, str(conflict))
        return _preview(request, event, lines, status=conflict.status)
    messages.success(request, _("Entries added: %(count)s.") % {"count": len(added)})
    return redirect("entries", event.tournament.slug, event.slug)


def _preview(request: HttpRequest, event: Event, lines: Sequence[EntryLine], *, status: int = 200) -> HttpResponse:
    preview = preview_import(event, lines=lines, at=timezone.now())
    return _page(request, event, EntryFileForm(), preview=preview, lines=carry(given_lines(lines)), status=status)


def _page(
    request: HttpRequest, event: Event, form: EntryFileForm, *, status: int = 200, **shown: object
) -> HttpResponse:
    context = {"event": event, "form": form, **shown}
    return render(request, "tournament/entries/import.html", context, status=status)
