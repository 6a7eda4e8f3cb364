"""The divisions of a league: set by the director, and the next season made from their final standings."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from players.errors import Conflict, Refusal
from tournament.models import Division, Event, Tournament
from tournament.pages.event.occasion_forms import AgainForm
from tournament.pages.following import tournament_for
from tournament.pages.returning import refuse
from tournament.setup.divisions import DivisionRule, divisions_of, set_divisions
from tournament.setup.duplicate import next_day
from tournament.setup.next_season import Proposal, hold_next_season, propose_season

NOBODY = "0"
"""The choice of no division at all."""
MOST = 999
"""The highest number that can be typed; levels count by their order."""


def _number(label: Any) -> forms.IntegerField:
    return forms.IntegerField(
        label=label,
        required=False,
        min_value=0,
        max_value=MOST,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )


class DivisionsForm(forms.Form):
    """A level and two numbers for each event; an event without a level is no division."""

    def __init__(self, events: Sequence[Event], divisions: Sequence[Division], *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.events = events
        held = {one.event_id: one for one in divisions}
        for event in events:
            names = {"name": event.name}
            one = held.get(event.pk)
            level = _number(_("%(name)s: level") % names)
            up = _number(_("%(name)s: go up") % names)
            down = _number(_("%(name)s: go down") % names)
            for kind, field in (("level", level), ("up", up), ("down", down)):
                field.initial = getattr(one, kind) if one else None
                self.fields[f"{kind}-{event.pk}"] = field

    def rules(self) -> list[DivisionRule]:
        """Return the valid form as rules, the top division first."""
        data = self.cleaned_data
        chosen = [event.pk for event in self.events if data[f"level-{event.pk}"]]
        chosen.sort(key=lambda pk: data[f"level-{pk}"])
        return [DivisionRule(pk, data[f"up-{pk}"] or 0, data[f"down-{pk}"] or 0) for pk in chosen]


class NextSeasonForm(AgainForm):
    """When the next season begins, and the division of each player."""

    digest = forms.CharField(max_length=64, widget=forms.HiddenInput)

    def __init__(self, proposal: Proposal, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        choices = [(str(one.event_id), one.event.name) for one in proposal.divisions]
        self.fields["digest"].initial = proposal.digest
        for placed in proposal.placed:
            self.fields[f"to-{placed.entry}"] = forms.ChoiceField(
                label=placed.name,
                choices=[*choices, (NOBODY, gettext_lazy("none"))],
                initial=str(placed.proposed or NOBODY),
            )
        self.proposal = proposal

    def lines(self) -> list[tuple[Any, Any]]:
        """Return each player with the field of their division."""
        return [(placed, self[f"to-{placed.entry}"]) for placed in self.proposal.placed]

    def changed(self) -> dict[int, int | None]:
        """Return what the director has chosen otherwise than proposed."""
        chosen = {one.entry: int(self.cleaned_data[f"to-{one.entry}"]) or None for one in self.proposal.placed}
        return {one.entry: chosen[one.entry] for one in self.proposal.placed if chosen[one.entry] != one.proposed}


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def divisions(request: HttpRequest, tournament_slug: str) -> HttpResponse:
    """Show the divisions and what they give for the next season, or set them."""
    tournament, user = tournament_for(request, tournament_slug, "change_tournament")
    form = _form_of(tournament, request.POST or None)
    status = 200
    if request.method == "POST":
        status = Refusal.status
        if form.is_valid():
            try:
                set_divisions(tournament, rules=form.rules(), by=user, at=timezone.now())
            except Refusal as refusal:
                refuse(form, refusal)
                status = refusal.status
            else:
                messages.success(request, _("Saved."))
                return redirect("divisions", tournament_slug)
    return _page(request, tournament, form=form, status=status)


@login_required
@require_POST
def next_season(request: HttpRequest, tournament_slug: str) -> HttpResponse:
    """Make the next season as the director has confirmed it."""
    tournament, user = tournament_for(request, tournament_slug, "change_tournament")
    try:
        form = NextSeasonForm(propose_season(tournament), request.POST)
    except Conflict as conflict:
        return _page(request, tournament, status=conflict.status)
    if not form.is_valid():
        return _page(request, tournament, season_form=form, status=Refusal.status)
    asked = {name: form.cleaned_data[name] for name in ("starts_on", "name", "digest")}
    try:
        new = hold_next_season(tournament, **asked, changed=form.changed(), by=user, at=timezone.now())
    except Conflict as conflict:
        if conflict.code == "season_exists":
            return _page(request, tournament, status=conflict.status)
        raise
    except Refusal as refusal:
        refuse(form, refusal)
        return _page(request, tournament, season_form=form, status=refusal.status)
    messages.success(request, _("The next season has been created, with its players entered."))
    for one in form.proposal.raised_by(form.changed()):
        values = {"name": one.name, "limit": one.limit, "to": one.to}
        messages.info(request, _("%(name)s: the limit of entries is now %(to)s instead of %(limit)s.") % values)
    return redirect("tournament", new.slug)


def _form_of(tournament: Tournament, data: Any = None) -> DivisionsForm:
    events = list(tournament.events.filter(boards=1, doubles=False).order_by("id"))
    return DivisionsForm(events, divisions_of(tournament), data)


def _page(
    request: HttpRequest,
    tournament: Tournament,
    *,
    form: DivisionsForm | None = None,
    season_form: NextSeasonForm | None = None,
    status: int,
) -> HttpResponse:
    form = form or _form_of(tournament)
    why = ""
    if season_form is None:
        try:
            day = next_day(tournament, timezone.localdate())
            season_form = NextSeasonForm(propose_season(tournament), initial={"starts_on": day})
        except Conflict as conflict:
            why = str(conflict)
    rows = [(one, [form[f"{kind}-{one.pk}"] for kind in ("level", "up", "down")]) for one in form.events]
    context = {
        "tournament": tournament,
        "form": form,
        "rows": rows,
        "season_form": season_form,
        "why_not": why,
        "next_season": tournament.seasons_after.first(),
    }
    return render(request, "tournament/event/divisions.html", context, status=status)
