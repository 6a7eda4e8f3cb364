"""A tournament and its events: how directors create, set up, draw and end them."""

from collections.abc import Callable, Mapping

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from players.errors import Refusal
from players.models import User
from tournament.draw.make import cancel_draw, make_draw
from tournament.events import services, stages
from tournament.events.terms import kept_terms, terms_of
from tournament.formats import FORMATS
from tournament.formats.occasions import OCCASIONS
from tournament.formats.options import Seeding
from tournament.models import Event, Role, Tournament
from tournament.money.closing import MovesUnconfirmed, keeping_prizes
from tournament.pages.event.forms import EventForm, NextStageForm
from tournament.pages.event.occasion_forms import NewEventForm, NewTournamentForm, TemplateForm, TournamentForm
from tournament.pages.following import event_for, tournament_for
from tournament.pages.money.consent import ConsentForm, ask_for_consent
from tournament.roles.permissions import actions_of, may, require_signed_in
from tournament.setup.names import name_with_day
from tournament.setup.occasion import create_with_event
from tournament.snapshot import StageSnapshot, take_snapshot

MOST_RECENT = 3
"""The number of the user's own tournaments that are offered to be held again."""


@login_required
def new_tournament(request: HttpRequest) -> HttpResponse:
    """Create a tournament with its first event; without an occasion, the tournament alone."""
    user = require_signed_in(request.user)
    today = timezone.localdate()
    initial = {"starts_on": today, "occasion": next(iter(OCCASIONS))}
    form = NewTournamentForm(request.POST or None, initial=initial, templates=list(user.event_templates.all()))
    if request.method == "POST" and form.is_valid():
        try:
            return _create(form, user)
        except Refusal as refusal:
            form.add_error(None, str(refusal))
    directed = Tournament.objects.filter(appointments__user=user, appointments__role__in=[Role.OWNER, Role.DIRECTOR])
    usual = name_with_day(_(next(iter(OCCASIONS.values())).tournament), today)
    context = {"form": form, "recent": directed.order_by("-starts_on", "-id")[:MOST_RECENT], "usual_name": usual}
    return render(request, "tournament/event/new_tournament.html", context, status=_status(form))


def _create(form: NewTournamentForm, user: User) -> HttpResponse:
    """Create what the valid form describes, and go on to its entries or to its first event."""
    facts, first, now = form.days_and_place(), form.first_event(), timezone.now()
    if first is None:
        return redirect("new-event", services.create_tournament(**facts, by=user, at=now).slug)
    lengths = form.cleaned_data["lengths"]
    event = create_with_event(**facts, first=first, lengths=lengths, by=user, at=now)
    return redirect("entries", event.tournament.slug, event.slug)


@login_required
def tournament_settings(request: HttpRequest, tournament_slug: str) -> HttpResponse:
    tournament, user = tournament_for(request, tournament_slug, "change_tournament")
    form = TournamentForm(request.POST or None, initial=TournamentForm.values_of(tournament))
    if request.method == "POST" and form.is_valid():
        try:
            facts = {**form.cleaned_data, "ends_on": form.cleaned_data["ends_on"] or form.cleaned_data["starts_on"]}
            services.update_tournament(tournament, **facts, by=user, at=timezone.now())
        except Refusal as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("Saved."))
            return redirect("tournament", tournament_slug)
    context = {"form": form, "tournament": tournament, "may": actions_of(request.user, tournament)}
    return render(request, "tournament/event/tournament_settings.html", context, status=_status(form))


@login_required
def new_event(request: HttpRequest, tournament_slug: str) -> HttpResponse:
    tournament, director = tournament_for(request, tournament_slug, "create_event")
    form = NewEventForm(request.POST or None, initial=NewEventForm.event_defaults() | _advised(request))
    if request.method == "POST" and form.is_valid():
        try:
            event = services.create_event(tournament, form.terms(), by=director, at=timezone.now())
        except Refusal as refusal:
            form.add_error(None, str(refusal))
        else:
            return redirect("entries", tournament.slug, event.slug)
    context = {"form": form, "tournament": tournament, "templates": director.event_templates.all()}
    return render(request, "tournament/event/new_event.html", context, status=_status(form))


def _advised(request: HttpRequest) -> dict[str, object]:
    """Return the format and lengths that the adviser's page put into the address; without them, the first occasion."""
    advised: dict[str, object] = {
        name: request.GET[name][:80] for name in ("format", "lengths", "boards") if name in request.GET
    }
    return {"lengths": "", **advised, "occasion": "" if advised else next(iter(OCCASIONS))}


@login_required
def settings(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    event, director = event_for(request, tournament_slug, event_slug, "change_event")
    form, asked = _terms_form(event, request.POST or None), ConsentForm(request.POST)
    if request.method == "POST" and form.is_valid():
        try:
            terms = form.terms()
            with keeping_prizes(event, asked.consent, terms=kept_terms(terms)):
                services.update_event(event, terms, by=director, at=timezone.now())
        except MovesUnconfirmed as unconfirmed:
            return ask_for_consent(request, event, unconfirmed, what=_("Settings"), form=asked, back=request.path)
        except Refusal as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("Saved."))
            return redirect("pairings", tournament_slug, event_slug)
    return settings_page(request, event, form)


def settings_page(
    request: HttpRequest,
    event: Event,
    form: EventForm | None = None,
    stage_form: NextStageForm | None = None,
    template_form: TemplateForm | None = None,
) -> HttpResponse:
    """Answer with the settings; one of the forms may come back as it was typed."""
    snapshot = take_snapshot(event.pk)
    form, stage_form = form or _terms_form(event), stage_form or _next_stage_form(last=snapshot.stages[-1])
    template_form = template_form or TemplateForm(initial={"name": event.name})
    context = {
        "form": form,
        "stage_form": stage_form,
        "template_form": template_form,
        "event": snapshot,
        "stage": snapshot.stage,
        "may": actions_of(request.user, event),
        "may_create": may(request.user, event.tournament, "create_event"),
    }
    status = 400 if any(one.is_bound for one in (form, stage_form, template_form)) else 200
    return render(request, "tournament/event/settings.html", context, status=status)


def _terms_form(event: Event, data: QueryDict | None = None) -> EventForm:
    return EventForm(data, initial=EventForm.values_of(terms_of(event, event.stages.get(number=1))))


def _next_stage_form(data: QueryDict | None = None, last: StageSnapshot | None = None) -> NextStageForm:
    """Return the form for a stage; after groups two go on from each, seeded so that the groups cross."""
    after_groups = last is not None and FORMATS[last.format].makes_groups
    usual = {"qualifiers": 2, "seeding": Seeding.SEEDED.value} if after_groups else {"qualifiers": 8}
    return NextStageForm(data, initial={**NextStageForm.defaults(), **usual}, prefix="next")


@require_POST
@login_required
def add_stage(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    event, director = event_for(request, tournament_slug, event_slug, "change_event")
    form, asked = _next_stage_form(request.POST), ConsentForm(request.POST)
    if form.is_valid():
        try:
            terms = form.stage_terms()
            with keeping_prizes(event, asked.consent, stage=str(terms)):
                stages.add_stage(event, **terms, by=director, at=timezone.now())
        except MovesUnconfirmed as unconfirmed:
            back, what = reverse("settings", args=[tournament_slug, event_slug]), _("Add a stage at the end")
            return ask_for_consent(request, event, unconfirmed, what=what, form=asked, back=back)
        except Refusal as refusal:
            form.add_error(None, str(refusal))
        else:
            return redirect("settings", tournament_slug, event_slug)
    return settings_page(request, event, stage_form=form)


@require_POST
@login_required
def remove_stage(request: HttpRequest, tournament_slug: str, event_slug: str, number: int) -> HttpResponse:
    event, director = event_for(request, tournament_slug, event_slug, "change_event")
    try:
        stages.remove_stage(event, number=number, by=director, at=timezone.now())
    except Refusal as refusal:
        messages.error(request, str(refusal))
    return redirect("settings", tournament_slug, event_slug)


@require_POST
@login_required
def act(request: HttpRequest, tournament_slug: str, event_slug: str, action: str) -> HttpResponse:
    """Draw, withdraw the draw, or end or reopen the event: one button each."""
    buttons: Mapping[str, tuple[Callable[..., object], str]] = {
        "draw": (make_draw, "make_draw"),
        "cancel-draw": (cancel_draw, "make_draw"),
        "finish": (services.finish_event, "finish_event"),
        "reopen": (services.reopen_event, "finish_event"),
    }
    service, permission = buttons[action]
    event, director = event_for(request, tournament_slug, event_slug, permission)
    said = {"confirmed": "confirmed" in request.POST} if action == "finish" else {}
    try:
        service(event, **said, by=director, at=timezone.now())
    except Refusal as refusal:
        messages.error(request, str(refusal))
    else:
        if action == "finish":
            messages.success(request, _("The event has ended."))
    return redirect("entries" if action == "cancel-draw" else "pairings", tournament_slug, event_slug)


def _status(form: object) -> int:
    return 400 if form.is_bound else 200  # type: ignore[attr-defined]
