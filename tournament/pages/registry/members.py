"""The members of a federation, for its officers."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from players.models import Federation, Membership, Player
from players.registry.memberships import members_on
from players.registry.records import numbers_of
from players.registry.roles import require_federation
from players.registry.roll import RollLine, Standing, people_on, roll_of
from tournament.pages.registry.bodies import PAGE, find_federation
from tournament.roles.permissions import require_signed_in

Line = tuple[Player, str, Standing, list[Membership]]


@require_safe
@login_required
@never_cache
def members(request: HttpRequest, code: str) -> HttpResponse:
    """List members by family name, with their own names and numbers: today's, or of any standing when searched for."""
    found = find_federation(code)
    require_federation(require_signed_in(request.user), found)
    text, today = request.GET.get("q", "").strip()[:80], timezone.localdate()
    clubs = list(found.clubs.order_by("name"))
    club = next((club for club in clubs if str(club.pk) == request.GET.get("club")), None)
    chosen = request.GET.get("state", "")
    if chosen in Standing.values:
        standings = [Standing(chosen)]
    else:
        chosen, standings = "", list(Standing) if text else [Standing.VALID]
    lines = roll_of(found, today, text=text, club=club.pk if club else None, standings=standings)
    page = Paginator(lines, PAGE).get_page(request.GET.get("page"))
    context = {
        "federation": found,
        "page": page,
        "lines": _told(found, list(page)),
        "q": text,
        "clubs": clubs,
        "club": club,
        "states": Standing.choices,
        "state": chosen,
        "total": Player.objects.filter(members_on(found, today), merged_into=None).count(),
        "narrowed": bool(text or club or chosen),
    }
    return render(request, "tournament/registry/members.html", context)


def _told(federation: Federation, lines: list[RollLine]) -> list[Line]:
    """Return each person with the number, the standing, and the memberships: those of today, else the last one."""
    shown, today = people_on(lines), timezone.localdate()
    numbers = dict(numbers_of(federation, shown))
    held: dict[int, list[Membership]] = {}
    rows = Membership.objects.filter(federation=federation, player__in=shown, starts__lte=today)
    for row in rows.order_by("starts", "pk"):
        held.setdefault(row.player_id, []).append(row)
    standings = {line.player: line.standing for line in lines}
    told = []
    for player in shown:
        mine = held.get(player.pk, [])
        last = [row for row in mine if row.holds_on(today)] or sorted(mine, key=_last_day)[-1:]
        told.append((player, numbers.get(player.pk, ""), standings[player.pk], last))
    return told


def _last_day(row: Membership) -> tuple[str, int]:
    return (row.ends.isoformat() if row.ends else "", row.pk)
