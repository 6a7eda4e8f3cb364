"""The next publication of a list: shown with everything that it changes, then published exactly as it was shown."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from matches.lists.draft import Draft, draft_next
from matches.lists.publish import publish
from players.errors import Conflict, Refusal
from players.lists.criteria import active_from, shown
from players.lists.facts import Known
from players.lists.models import OfficialList
from players.lists.officers import require_keeper
from players.lists.published import names_now, publications_of
from players.lists.unlisted import memberships_ended
from players.lists.values import Line
from tournament.exports.draft import draft_table
from tournament.pages.files import answer_file
from tournament.pages.lists.forms import CutForm
from tournament.pages.lists.published import find_list
from tournament.pages.returning import refuse
from tournament.reporting.correcting import correction_lines
from tournament.reporting.source import SOURCE
from tournament.reporting.unfinished import not_ended

MOST_LINES, MOST_CHANGES = 2000, 20


@dataclass(frozen=True, slots=True)
class DraftLine:
    """A line of a draft with what is known of its player."""

    line: Line
    known: Known


@dataclass(frozen=True, slots=True)
class Unlisted:
    """Somebody who does not stand on a draft, with their rating and the reason."""

    name: str
    value: str
    why: str


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def publish_list(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask where to cut off, show what would be published, and publish that and nothing else."""
    found = find_list(slug)
    by, now = require_keeper(request.user, found), timezone.now()
    if request.method == "POST":
        form = CutForm(request.POST)
        if form.is_valid():
            digest = request.POST.get("digest", "")[:64]
            try:
                published = publish(found, form.cut(), digest=digest, source=SOURCE, by=by, at=now)
            except Conflict as conflict:
                messages.error(request, str(conflict))
                return _page(request, found, form, status=conflict.status)
            except Refusal as refusal:
                refuse(form, refusal)
                return _page(request, found, form, status=refusal.status)
            said = {"list": found.name, "number": published.number}
            messages.success(request, _("%(list)s, number %(number)s, has been published.") % said)
            return redirect(published)
        return _page(request, found, form, status=400)
    today = timezone.localdate(now)
    first = {"of": today, "matches_until": today - timedelta(days=1), "members_on": today}
    return _page(request, found, CutForm(request.GET if "of" in request.GET else None, initial=first))


def _page(request: HttpRequest, found: OfficialList, form: CutForm, *, status: int = 200) -> HttpResponse:
    context: dict[str, object] = {"list": found, "form": form, "newest": publications_of(found).first()}
    if form.is_bound and form.is_valid():
        try:
            draft = draft_next(found, form.cut(), at=timezone.now(), source=SOURCE)
            context |= _shown(found, draft, form)
        except Refusal as refusal:
            refuse(form, refusal, field=refusal.field if refusal.field in form.fields else None)
            status = refusal.status
    elif form.is_bound:
        status = 400
    return render(request, "tournament/lists/publish.html", context, status=status)


@require_safe
@login_required
@never_cache
def draft_file(request: HttpRequest, slug: str) -> HttpResponse:
    """Answer with the whole draft as CSV; with the page that says why, if there is none."""
    found = find_list(slug)
    require_keeper(request.user, found)
    form = CutForm(request.GET)
    if form.is_valid():
        try:
            draft = draft_next(found, form.cut(), at=timezone.now(), source=SOURCE)
        except Refusal as refusal:
            return _page(request, found, form, status=refusal.status)
        return answer_file(draft_table(draft), name=f"{slug}-{draft.head.number}-draft", format="csv")
    return _page(request, found, form, status=400)


def _shown(found: OfficialList, draft: Draft, form: CutForm) -> dict[str, object]:
    changed = sorted(draft.changed, key=lambda line: (-abs(Decimal(line.delta or 0)), line.player))
    gone = dict(list(draft.gone.items())[:MOST_LINES])
    rest = [player for player in draft.unlisted if player not in draft.gone]
    names = names_now(gone)
    counted = ("new", "changed", "unchanged", "gone", "corrections")
    why = _reasons(found, draft, {*gone, *rest[:MOST_LINES]})
    return {
        "draft": draft,
        "not_ended": not_ended(found, draft.cut.matches_until),
        "counts": {name: len(getattr(draft, name)) for name in counted} | {"unlisted": len(rest)},
        "corrections": correction_lines(found, draft.corrections[:MOST_LINES]),
        "most_changed": _named(draft, changed[:MOST_CHANGES]),
        "new": _named(draft, draft.new[:MOST_LINES]),
        "gone": [Unlisted(names.get(player, "–"), value, why.get(player, "")) for player, value in gone.items()],
        "unlisted": [_unlisted(draft, player, why) for player in rest[:MOST_LINES]],
        "lines": _named(draft, draft.made.lines[:MOST_LINES]),
        "more": max(0, len(draft.made.lines) - MOST_LINES),
        "file": f"{reverse('draft-file', args=[found.slug])}?{urlencode(form.data_of_cut())}",
    }


def _unlisted(draft: Draft, player: int, why: Mapping[int, str]) -> Unlisted:
    known, rating = draft.known.get(player), draft.made.standings[player].rating
    return Unlisted(known.name if known else "–", shown(rating.value, draft.head.places), why.get(player, ""))


def _reasons(found: OfficialList, draft: Draft, players: Collection[int]) -> dict[int, str]:
    """Return why these do not stand on the draft, in a sentence for each."""
    criteria, day = draft.head.criteria, draft.cut.memberships_until
    codes = {player: draft.unlisted[player] for player in players if player in draft.unlisted}
    ended = memberships_ended(found, [player for player, code in codes.items() if code == "not_member"], day)
    active = active_from(criteria, draft.cut.as_of)
    sentences = {
        "not_member": _("No member on %(day)s.") % {"day": date_format(day)},
        "nation": _("They do not play for the country of the list."),
        "club": _("They are not in the club of the list."),
        "provisional": _("Provisional: too little is known of them."),
        "inactive": _("No match since %(day)s.") % {"day": date_format(date.fromisoformat(active)) if active else "–"},
        "unknown": "",
    }
    of_ended = {
        player: _("Their membership ended on %(day)s.") % {"day": date_format(last)} for player, last in ended.items()
    }
    return {player: of_ended.get(player, sentences[code]) for player, code in codes.items()}


def _named(draft: Draft, lines: Iterable[Line]) -> list[DraftLine]:
    return [DraftLine(line, draft.known[line.player]) for line in lines]
