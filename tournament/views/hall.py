"""The hall for everybody: who plays where, the day and when it will be over; its tables and breaks for directors."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from matches.models import SheetState
from players.errors import Refusal
from tournament.desk import pace_of, pauses_of, take_desk
from tournament.forecast import HALF, NINE_TENTHS, forecasts
from tournament.hall_forms import BreakForm, TablesForm, TableTermsForm
from tournament.models import Break, Event, Tournament
from tournament.permissions import may_direct
from tournament.services import tables as services
from tournament.views.desk import directed_hall
from tournament.views.hall_following import find_tournament, hall_page


@require_safe
def screen(request: HttpRequest, tournament_slug: str) -> HttpResponse:
    """Who plays where, as large as the screen: for a beamer in the hall."""
    tournament = find_tournament(tournament_slug)
    return hall_page(
        request,
        tournament,
        template="hall_screen",
        context=lambda: {"desk": take_desk(tournament, at=timezone.now())},
    )


@require_safe
def day(request: HttpRequest, tournament_slug: str) -> HttpResponse:
    """Events with their starts and expected ends, and the breaks between."""
    return day_page(request, find_tournament(tournament_slug), BreakForm())


def day_page(request: HttpRequest, tournament: Tournament, form: BreakForm) -> HttpResponse:
    status = 400 if form.is_bound else 200
    return hall_page(
        request,
        tournament,
        template="day",
        context=lambda: {
            "form": form,
            "directs": may_direct(request.user, tournament),
            "breaks": Break.objects.filter(tournament=tournament).order_by("starts_at"),
            "pace": pace_of(tournament),
            **plan_of_the_day(tournament),
        },
        status=status,
    )


def plan_of_the_day(tournament: Tournament) -> dict[str, object]:
    """Each event with how much of it is played and when it is expected to be over."""
    now, pauses = timezone.now(), pauses_of(tournament)
    events = list(counted_events(tournament))
    known = forecasts(events, at=now)
    lines = [
        {
            "event": event,
            "half": known[event.pk].over_at(HALF, pauses) if event.pk in known else None,
            "nine_tenths": known[event.pk].over_at(NINE_TENTHS, pauses) if event.pk in known else None,
            "as_of": known[event.pk].at if event.pk in known else None,
        }
        for event in events
    ]
    return {"lines": lines}


def counted_events(tournament: Tournament) -> QuerySet[Event]:
    """The events with their ``matches``, byes left out, and how many are ``decided``; in the order of their starts."""
    fixtures = "stages__fixtures"
    byes = Q(**{f"{fixtures}__feed_a": "bye"}) | Q(**{f"{fixtures}__feed_b": "bye"})
    decided = Q(**{f"{fixtures}__match__sheets__state": SheetState.CONFIRMED})
    return (
        Event.objects.filter(tournament=tournament)
        .select_related("tournament")
        .annotate(
            matches=Count(fixtures, filter=~byes, distinct=True), decided=Count(fixtures, filter=decided, distinct=True)
        )
        .order_by("starts_at", "pk")
    )


@require_POST
@login_required
def add_break(request: HttpRequest, tournament_slug: str) -> HttpResponse:
    tournament, director = directed_hall(request, tournament_slug)
    form = BreakForm(request.POST)
    if form.is_valid():
        try:
            services.add_break(tournament, **form.cleaned_data, by=director, at=timezone.now())
        except Refusal as refusal:
            form.add_error(None, str(refusal))
        else:
            return redirect("day", tournament.slug)
    return day_page(request, tournament, form)


@require_POST
@login_required
def remove_break(request: HttpRequest, tournament_slug: str, break_id: int) -> HttpResponse:
    tournament, director = directed_hall(request, tournament_slug)
    services.remove_break(tournament, break_id=break_id, by=director, at=timezone.now())
    return redirect("day", tournament.slug)


@login_required
def tables(request: HttpRequest, tournament_slug: str) -> HttpResponse:
    """The tables of the hall; numbers are added in one go."""
    tournament, director = directed_hall(request, tournament_slug)
    form = TablesForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            new = services.add_tables(tournament, **form.cleaned_data, by=director, at=timezone.now())
        except Refusal as refusal:
            form.add_error(None, str(refusal))
        else:
            said = ngettext("%(count)s table added.", "%(count)s tables added.", len(new)) % {"count": len(new)}
            messages.success(request, said)
            return redirect("tables", tournament.slug)
    desk = take_desk(tournament, at=timezone.now())
    context = {
        "tournament": tournament,
        "form": form,
        "tables": desk.tables,
        "events": tournament.events.filter(finished_at__isnull=True).order_by("pk"),
    }
    return render(request, "tournament/tables.html", context, status=400 if form.is_bound else 200)


@require_POST
@login_required
def update_table(request: HttpRequest, tournament_slug: str, number: int) -> HttpResponse:
    tournament, director = directed_hall(request, tournament_slug)
    form = TableTermsForm(request.POST, events=tournament.events.all())
    try:
        if not form.is_valid():
            raise Refusal("event_of_another_tournament", _("This event belongs to another tournament."))
        services.update_table(tournament, number=number, **form.cleaned_data, by=director, at=timezone.now())
    except Refusal as refusal:
        messages.error(request, str(refusal))
    return redirect("tables", tournament.slug)
