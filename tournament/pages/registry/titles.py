"""Titles and norms on pages: what a player has and still needs, and what an officer awards."""

from datetime import date

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from players.errors import Conflict
from players.models import Player
from players.performance.table_rules import write_table
from players.registry.names import shown_name
from players.registry.roles import Reach, forbidden, reach_of, require_federation, rights_over
from players.registry.title_rules import tables_of
from players.registry.titles import set_title_table
from tournament.pages.registry.bodies import find_federation, form_page
from tournament.pages.registry.forms import TitleTableForm
from tournament.registry.titles import Tracked, award_title, candidates, may_read_titles, record_norm, tracked_for
from tournament.roles.permissions import require_signed_in


@require_safe
@never_cache
def player_titles(request: HttpRequest, player_id: int) -> HttpResponse:
    """Show the titles and norms of a player, and what is missing for the next.

    Of somebody whose name is not public, only they and those who keep the registry read it.
    """
    player = get_object_or_404(Player.objects.select_related("club"), pk=player_id, merged_into=None)
    if not may_read_titles(request.user, player):
        raise forbidden()
    context = {
        "player": player,
        "titles": player.titles.all(),
        "norms": player.norms.filter(void_reason=""),
        "tracked": tracked_for(player, timezone.localdate()),
    }
    return render(request, "tournament/registry/player_titles.html", context)


@require_safe
@login_required
@never_cache
def federation_titles(request: HttpRequest, code: str) -> HttpResponse:
    """List who has reached a title or a norm, and who is near, to the officers of the federation."""
    federation, user = find_federation(code), require_signed_in(request.user)
    require_federation(user, federation)
    today = timezone.localdate()
    found = candidates(federation, today, by=user)
    named = _named(reach_of(user), found)
    context = {
        "federation": federation,
        "table": tables_of(federation).on(today),
        "due": [one for one in named if one[0].is_due],
        "near": [one for one in named if not one[0].is_due],
    }
    return render(request, "tournament/registry/titles.html", context)


def _named(reach: Reach, found: list[Tracked]) -> list[tuple[Tracked, str]]:
    """Return each with the name that the officer may read."""
    rights = rights_over(reach, [one.player for one in found])
    return [(one, shown_name(one.player, sees_own=rights[one.player.pk].is_own)) for one in found]


@require_POST
@login_required
def award(request: HttpRequest, code: str) -> HttpResponse:
    """Award the title that a player has reached, or record the norm."""
    federation, by, now = find_federation(code), require_signed_in(request.user), timezone.now()
    require_federation(by, federation)
    row, title, day = (request.POST.get(name, "")[:20] for name in ("player", "title", "norm"))
    number = int(row) if row.isascii() and row.isdecimal() and len(row) < 19 else 0
    player = get_object_or_404(Player, pk=number)
    try:
        if title:
            award_title(federation, player, title, by=by, at=now)
        else:
            record_norm(federation, player, _day(day), by=by, at=now)
    except Conflict as conflict:
        messages.error(request, str(conflict))
    else:
        messages.success(request, _("Saved."))
    return redirect("federation-titles", federation.code)


def _day(text: str) -> date:
    """Return the day of the text; one that is none is a day without a norm."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return date.min


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def title_table(request: HttpRequest, code: str) -> HttpResponse:
    """Say which titles the federation awards, from a day on."""
    federation, by = find_federation(code), require_signed_in(request.user)
    require_federation(by, federation)
    today = timezone.localdate()
    table = tables_of(federation).on(today)
    initial = TitleTableForm.typed(write_table(table) if table else {}, today)

    def store(form: TitleTableForm) -> HttpResponse:
        day = form.cleaned_data["valid_from"]
        set_title_table(federation, form.rules(), valid_from=day, by=by, at=timezone.now())
        messages.success(request, _("Saved."))
        return redirect("federation-titles", federation.code)

    form = TitleTableForm(request.POST or None, initial=initial)
    title = _("Table of titles")
    return form_page(request, form, store, title=title, back=("federation-titles", federation.code))
