"""The adviser: which formats suit the field, the tables and the hours available."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from tournament.forecast.advice import MOST_EVENTS, AdviceLine, advise, is_complete
from tournament.models import Tournament
from tournament.pages.jobs.advice_form import AdviceForm
from tournament.roles.permissions import may

FITS, TIGHT, TOO_LONG = "fits", "tight", "too-long"


@dataclass(frozen=True, slots=True)
class AdviceRow:
    """A format's row on the page, in hours and minutes and as whole percentages.

    ``best`` is how often the best player wins, with its standard ``error``; None before enough events to tell.
    ``fit`` is empty unless hours are given, ``create`` without a tournament.
    """

    line: AdviceLine
    half: str
    most: str
    best: int | None
    error: int | None
    fit: str
    create: str


@require_safe
def advice(request: HttpRequest) -> HttpResponse:
    """Show the form and, once it is submitted, the formats; a page that asks again gets only the formats."""
    sent = "players" in request.GET
    form = AdviceForm(
        request.GET if sent else None,
        initial={"lengths": [7], "tournament": request.GET.get("tournament", "")},
    )
    if not sent or not form.is_valid():
        return render(request, "tournament/jobs/advice.html", {"form": form}, status=400 if sent else 200)
    data = form.cleaned_data
    question = form.question()
    lines = advise(question)
    tournament = _directed(request, data["tournament"])
    context = {
        "form": form,
        "tournament": tournament,
        "boards": question.boards,
        "by_chance": 100 * question.by_chance,
        "events": MOST_EVENTS,
        "rows": [_row(line, data["hours"], data["lengths"], question.boards, tournament) for line in lines],
        "complete": is_complete(lines),
        "played": sum(line.played for line in lines),
        "wanted": sum(line.wanted for line in lines),
    }
    template = "_advice" if request.htmx else "advice"  # type: ignore[attr-defined]  # set by the middleware
    response = render(request, f"tournament/jobs/{template}.html", context)
    patch_vary_headers(response, ["HX-Request"])
    return response


def _directed(request: HttpRequest, slug: str) -> Tournament | None:
    tournament = Tournament.objects.filter(slug=slug).first() if slug else None
    return tournament if tournament and may(request.user, tournament, "create_event") else None


def _row(
    line: AdviceLine, hours: float | None, lengths: list[int], boards: int, tournament: Tournament | None
) -> AdviceRow:
    half = line.summary.hours_median if line.summary else 0.0
    most = line.summary.hours_p90 if line.summary else 0.0
    fit = ""
    if hours is not None and line.summary:
        fit = FITS if most <= hours else TIGHT if half <= hours else TOO_LONG
    create = ""
    if tournament:
        teams = {"boards": boards} if boards > 1 else {}
        query = urlencode({"format": line.format, "lengths": ", ".join(map(str, lengths)), **teams})
        create = f"{reverse('new-event', args=[tournament.slug])}?{query}"
    share = line.best_wins
    best, error = (round(100 * share.value), round(100 * share.error)) if share else (None, None)
    return AdviceRow(line, _clock(half), _clock(most), best, error, fit, create)


def _clock(hours: float) -> str:
    """Write hours and minutes in the form 6:20."""
    whole, minutes = divmod(round(60 * hours), 60)
    return f"{whole}:{minutes:02d}"
