"""A director's hand on the draw: choose two players, give a reason, see what changes, and confirm."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms.boundfield import BoundWidget
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from matches.models import MAX_REASON
from players.errors import Refusal
from tournament.draw.hand import ChangedPairing, change_draw, end_changes, preview_change
from tournament.draw.moves import changes_held
from tournament.formats import FORMATS
from tournament.formats.moves import MoveKind
from tournament.models import Event, Stage
from tournament.pages.following import event_for
from tournament.pages.lines import LineField
from tournament.pages.returning import refuse
from tournament.snapshot import FixtureSnapshot, StageSnapshot, take_snapshot
from tournament.snapshot.hand import can_change_by_hand, seats_by_draw

BYE = "bye"


class HandForm(forms.Form):
    """What is to change: the players, and whether they change places or meet; one player alone may have the bye."""

    players = forms.MultipleChoiceField(label=gettext_lazy("Two players"), widget=forms.CheckboxSelectMultiple)
    change = forms.ChoiceField(label=gettext_lazy("Change"), widget=forms.RadioSelect)
    reason = LineField(
        label=gettext_lazy("Reason"),
        max_length=MAX_REASON,
        help_text=gettext_lazy("Everybody sees it with the pairings that change."),
    )

    def __init__(self, *args: object, fixtures: Sequence[FixtureSnapshot], has_byes: bool, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        seated = [seat.entry for fixture in fixtures for seat in (fixture.a, fixture.b) if seat.entry]
        self.fields["players"].choices = [(str(entry.id), entry.name) for entry in seated]  # type: ignore[attr-defined]
        kinds = [(MoveKind.SWAP.value, _("They swap places")), (MoveKind.PAIR.value, _("They meet each other"))]
        if has_byes:
            kinds.append((BYE, _("The player has the bye")))
        self.fields["change"].choices = kinds  # type: ignore[attr-defined]
        self.fields["change"].initial = MoveKind.SWAP.value

    def clean(self) -> dict[str, object]:
        cleaned = super().clean() or {}
        wanted = 1 if cleaned.get("change") == BYE else 2
        if not self.errors and len(cleaned["players"]) != wanted:
            alone = _("Choose the one player who has the bye.")
            self.add_error("players", alone if wanted == 1 else _("Choose two players."))
        return cleaned

    @property
    def chosen(self) -> tuple[int, int | None]:
        """The ids of the two, the second None for a bye; of a valid form."""
        first, *others = map(int, self.cleaned_data["players"])
        return first, others[0] if others else None

    @property
    def move(self) -> MoveKind:
        """The kind of the change; of a valid form."""
        kind = self.cleaned_data["change"]
        return MoveKind.PAIR if kind == BYE else MoveKind(kind)


@dataclass(frozen=True, slots=True)
class Row:
    """A pairing with a box for each of its players."""

    fixture: FixtureSnapshot
    boxes: tuple[BoundWidget, ...]


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def change_draw_page(request: HttpRequest, tournament_slug: str, event_slug: str, number: int) -> HttpResponse:
    """Show the pairings to choose from, then what a change would do, and make it once it is confirmed."""
    event, director = event_for(request, tournament_slug, event_slug, "make_draw")
    stage = get_object_or_404(event.stages, number=number)
    shown = take_snapshot(event.pk).at_stage(number).stage
    if shown.drawn_at is not None and (event.finished_at is not None or not can_change_by_hand(shown)):
        return _too_late(request, event, stage)
    form = HandForm(request.POST or None, fixtures=seats_by_draw(shown), has_byes=FORMATS[stage.format].pairs_by_round)
    found: list[ChangedPairing] = []
    if request.method == "POST" and form.is_valid():
        a, b = form.chosen
        people = {entry.pk: entry for entry in event.entries.select_related("player", "partner")}
        change = partial(
            change_draw,
            stage,
            kind=form.move,
            a=people[a],
            b=people[b] if b is not None else None,
            reason=form.cleaned_data["reason"],
            by=director,
            at=timezone.now(),
            base=_base_from(request),
        )
        try:
            if "confirm" in request.POST:
                change()
                messages.success(request, _("The draw has been changed."))
                return redirect("pairings", tournament_slug, event_slug)
            found = preview_change(stage, change)
        except Refusal as refusal:
            refuse(form, refusal)
            return _page(request, event, stage, shown, form, found, status=refusal.status)
    return _page(request, event, stage, shown, form, found, status=400 if form.errors else 200)


def _base_from(request: HttpRequest) -> int | None:
    typed = request.POST.get("base", "")
    return int(typed) if typed.isascii() and typed.isdecimal() and len(typed) < 10 else None


def _too_late(request: HttpRequest, event: Event, stage: Stage) -> HttpResponse:
    """Say in place of the form why nothing can be changed any more."""
    if event.finished_at is not None:
        sentence = _("This event has ended. Reopen it to change anything.")
    else:
        sentence = _("Nothing can be changed any more: the matches have begun.")
    changes = changes_held(event, stage.number)
    context = {"event": event, "stage": stage, "too_late": sentence, "changes": changes}
    status = 409 if request.method == "POST" else 200
    return render(request, "tournament/event/change_draw.html", context, status=status)


def _page(
    request: HttpRequest,
    event: Event,
    stage: Stage,
    shown: StageSnapshot,
    form: HandForm,
    found: Sequence[ChangedPairing],
    *,
    status: int,
) -> HttpResponse:
    boxes = iter(form["players"])
    rows = [
        Row(fixture, tuple(next(boxes) for seat in (fixture.a, fixture.b) if seat.entry))
        for fixture in seats_by_draw(shown)
    ]
    context = {
        "event": event,
        "stage": stage,
        "form": form,
        "rows": rows,
        "found": found,
        "base": stage.hand_changes.order_by("number").values_list("number", flat=True).last() or 0,
        "sent": [(name, value) for name in ("players", "change", "reason") for value in request.POST.getlist(name)],
        "changes": changes_held(event, stage.number),
    }
    return render(request, "tournament/event/change_draw.html", context, status=status)


@require_POST
@login_required
def end_change(request: HttpRequest, tournament_slug: str, event_slug: str, number: int, change: int) -> HttpResponse:
    """Take a change back."""
    event, director = event_for(request, tournament_slug, event_slug, "make_draw")
    stage = get_object_or_404(event.stages, number=number)
    get_object_or_404(stage.hand_changes, number=change)
    try:
        end_changes(stage, numbers=[change], by=director, at=timezone.now())
    except Refusal as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _("The change has been taken back."))
    return redirect("change-draw", tournament_slug, event_slug, number)
