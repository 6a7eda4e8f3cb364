"""What is kept about a player: handed out as a file, and deleted after asking twice."""

import json

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from players.errors import Refusal
from players.models import Player
from tournament.career.delete_person import delete_person, new_name, why_not_deleted
from tournament.career.personal_data import export_person
from tournament.pages.people.forms import DeletionForm
from tournament.roles.permissions import require_reader


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def personal_data(request: HttpRequest, player_id: int) -> HttpResponse:
    """Show how much is kept, and delete it once the name has been typed and the question answered."""
    player = _player(player_id)
    by = require_reader(request.user, player)
    form = DeletionForm(request.POST or None)
    is_sure = False
    if request.method == "POST" and form.is_valid():
        typed = form.cleaned_data["name"]
        try:
            if " ".join(typed.split()) == player.name and "sure" not in request.POST and not why_not_deleted(player):
                is_sure = True
            else:
                deleted = delete_person(player, typed=typed, by=by, at=timezone.now())
                messages.success(
                    request, _("Deleted. Results stay under the name “%(name)s”.") % {"name": deleted.name}
                )
                return redirect(deleted)
        except Refusal as refusal:
            form.add_error("name", str(refusal))
    rows = export_person(player)["rows"]
    context = {
        "player": player,
        "form": form,
        "is_sure": is_sure,
        "new_name": new_name(player),
        "why_not": why_not_deleted(player),
        "rows": sum(map(len, rows.values())),
    }
    status = 400 if form.is_bound and not is_sure else 200
    return render(request, "tournament/people/personal.html", context, status=status)


@require_safe
@login_required
@never_cache
def personal_file(request: HttpRequest, player_id: int) -> HttpResponse:
    """Answer with everything that is kept about the player, as JSON."""
    player = _player(player_id)
    require_reader(request.user, player)
    told = json.dumps(export_person(player), ensure_ascii=False, indent=2)
    headers = {"Content-Disposition": f'attachment; filename="player-{player.pk}.json"'}
    return HttpResponse(told, content_type="application/json", headers=headers)


def _player(player_id: int) -> Player:
    return get_object_or_404(Player.objects.select_related("club"), pk=player_id, merged_into__isnull=True)
