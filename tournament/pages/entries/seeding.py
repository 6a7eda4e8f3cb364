"""Seeds and families of all entries: one table, saved at once."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from players.errors import Refusal
from players.models import RankingList
from players.ratings import RATINGS
from players.services import fold_name
from tournament.entries.seed_by import Proposed, earlier_events, seeds_by_event, seeds_by_ranking
from tournament.entries.seeding import MAX_FAMILY, RowConflict, RowRefusal, Seeding, SeedingRow, set_seeding
from tournament.models import Event
from tournament.pages.carried import carried, carry
from tournament.pages.following import event_for
from tournament.snapshot import EntrySnapshot, take_snapshot


@dataclass(frozen=True, slots=True)
class Line:
    """A row of the table: what its fields hold, as typed or as stored, and what is wrong with it."""

    entry: EntrySnapshot
    seed: str
    family: str
    error: str
    is_first: bool = False
    value: str = ""
    """The rating or the place by which a seed is proposed."""

    @property
    def wrong(self) -> str:
        """Return the field that the error is about."""
        return "" if not self.error else "family" if len(self.family) > MAX_FAMILY else "seed"


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def seeding_page(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    """Show the table of seeds and families, and save what was changed in it."""
    event, director = event_for(request, tournament_slug, event_slug, "change_entries")
    if request.method != "POST":
        return _propose(request, event) if request.GET.get("by") else _page(request, event)
    try:
        changed = set_seeding(event, rows=_rows_from(request.POST), by=director, at=timezone.now())
    except RowRefusal as refusal:
        return _page(request, event, refusal)
    messages.success(request, _("Entries changed: %(count)s.") % {"count": len(changed)})
    return redirect("seeding", tournament_slug, event_slug)


def _propose(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the table with the seeds that a ranking list or an earlier event would give; nothing is stored."""
    try:
        proposed = proposal_from(event, request.GET.get("by", ""), request.GET.get("most", ""))
    except Refusal as refusal:
        messages.error(request, str(refusal))
        return _page(request, event, status=refusal.status)
    return _page(request, event, proposed=proposed)


def proposal_from(event: Event, by: str, most: str) -> list[Proposed]:
    """Return the seeds by what was chosen: ``ranking-fibs``, or ``event-12``; an empty ``most`` is for all."""
    kind, chosen = (*by.split("-", 1), "")[:2]
    count = int(most) if most.isascii() and most.isdecimal() and len(most) < 10 else None
    if kind == "ranking":
        return seeds_by_ranking(event, system=chosen[:40], most=count)
    found = chosen if chosen.isascii() and chosen.isdecimal() and len(chosen) < 19 else "0"
    earlier = Event.objects.filter(pk=int(found)).first()
    if earlier is None:
        raise Refusal("earlier_event_not_ended", _("Choose an earlier event that has ended."))
    return seeds_by_event(event, earlier=earlier, most=count)


def _rows_from(posted: QueryDict) -> list[SeedingRow]:
    """Return the table as it was sent. Raises RowRefusal for seeds that are no numbers."""
    rows, wrong = [], {}
    for pk, (seed, family) in carried(posted.get("base", "")).items():
        typed = posted.get(f"seed-{pk}", "").strip()
        is_seed = typed.isascii() and typed.isdecimal() and len(typed) < 10
        if typed and not is_seed:
            wrong[int(pk)] = _("“%(seed)s” is not a seed.") % {"seed": typed[:20]}
        wanted = Seeding(int(typed) if is_seed else None, posted.get(f"family-{pk}", ""))
        rows.append(SeedingRow(int(pk), wanted, Seeding(seed, family)))
    if wrong:
        raise RowRefusal("seed_invalid", wrong)
    return rows


def _page(
    request: HttpRequest,
    stored: Event,
    refusal: RowRefusal | None = None,
    *,
    proposed: Sequence[Proposed] = (),
    status: int = 200,
) -> HttpResponse:
    """Render the table as it is stored, with the seeds that are proposed, or after a refusal as it was typed."""
    event = take_snapshot(stored.pk)
    typed: Mapping[str, str] = request.POST if refusal is not None else _as_typed(proposed)
    values = {one.entry.pk: _value_in_words(one.value) for one in proposed}
    errors: Mapping[int, str] = refusal.rows if refusal is not None else {}
    asked = request.GET.get("q", "")[:80]
    entries = [entry for entry in event.entries if fold_name(asked) in fold_name(entry.name)]
    first = next((entry.id for entry in entries if entry.id in errors), None)
    context = {
        "event": event,
        "q": asked,
        "refusal": refusal,
        "gone": [sentence for pk, sentence in errors.items() if pk not in {entry.id for entry in entries}],
        "lines": [
            replace(
                _line(entry, typed, errors.get(entry.id, ""), is_first=entry.id == first),
                value=values.get(entry.id, ""),
            )
            for entry in entries
        ],
        "is_proposal": bool(proposed),
        "rankings": [
            (one.system, _(RATINGS[one.system].name))
            for one in RankingList.objects.order_by("system")
            if one.system in RATINGS
        ],
        "earlier": earlier_events(stored) if not event.is_drawn else [],
        "by": request.GET.get("by", ""),
        "most": request.GET.get("most", "")[:9],
        "base": carry(_base(entries, request.POST, refusal)),
    }
    return render(request, "tournament/entries/seeding.html", context, status=refusal.status if refusal else status)


def _as_typed(proposed: Iterable[Proposed]) -> dict[str, str]:
    return {f"seed-{one.entry.pk}": str(one.seed or "") for one in proposed}


def _value_in_words(value: int | None) -> str:
    """Return a rating or a place, which comes in hundredths."""
    return "" if value is None else number_format(value / 100, 2 if value % 100 else 0)


def _base(entries: Iterable[EntrySnapshot], posted: QueryDict, refusal: RowRefusal | None) -> dict[str, list[object]]:
    """Return what the sender has seen of each row: what is stored, and after a refusal what they saw before.

    A conflict has told them what its rows have become.
    """
    stored: dict[str, list[object]] = {str(entry.id): [entry.seed, entry.family] for entry in entries}
    if refusal is None:
        return stored
    told = {str(pk) for pk in refusal.rows} if isinstance(refusal, RowConflict) else set()
    sent = carried(posted.get("base", ""))
    seen = {pk: value for pk, value in sent.items() if pk in stored and pk not in told}
    return stored | seen


def _line(entry: EntrySnapshot, typed: Mapping[str, str], error: str, *, is_first: bool) -> Line:
    stored = "" if entry.seed is None else str(entry.seed)
    seed, family = typed.get(f"seed-{entry.id}", stored)[:20], typed.get(f"family-{entry.id}", entry.family)[:200]
    return Line(entry, seed, family, error, is_first)
