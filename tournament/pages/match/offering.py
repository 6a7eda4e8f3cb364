"""The offer before a correction that touches later matches: what falls with each repair, and the choice of one."""

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from matches.models import Match
from players.errors import Conflict
from tournament.corrections.preview import Consequence, preview_correction
from tournament.draw.reconcile import Repair
from tournament.models.team import find_fixture
from tournament.pages.forms import RepairForm

NEEDS_A_CHOICE = ("later_match_begun", "correction_closed")
NOT_SENT_AGAIN = ("csrfmiddlewaretoken", "repair", "preview", "reason", "confirmed")

REPAIRS: dict[Repair, tuple[str | Promise, str | Promise]] = {
    Repair.SWAP: (_("Swap"), _("Players swap seats in later matches without a score; calls to tables follow.")),
    Repair.REPLAY: (
        _("Cancel and replay"),
        _("Later matches that have begun are voided with your reason, and played again by the right players."),
    ),
    Repair.STAND: (
        _("Let stand"),
        _("The score, points and ratings are corrected, but the player who advanced stays. This can be taken back."),
    ),
}


def make_or_offer(
    request: HttpRequest,
    match: Match,
    form: RepairForm,
    change: Callable[[Repair | None, str], None],
) -> dict[str, Any] | None:
    """Make the change and return None, or return what the page shows for choosing a repair first.

    ``form`` is valid. Nothing is stored with an offer. Raises Refusal and Conflict as the change does, and where no
    repair makes it possible.
    """
    if form.cleaned_data["preview"]:
        return _offer(request, match, change, None)
    try:
        change(form.chosen, "")
    except Conflict as conflict:
        if conflict.code not in NEEDS_A_CHOICE:
            raise
        return _offer(request, match, change, conflict)
    return None


def _offer(
    request: HttpRequest, match: Match, change: Callable[[Repair | None, str], None], conflict: Conflict | None
) -> dict[str, Any]:
    fixture = find_fixture(match)
    if fixture is None:
        raise Http404
    costs = preview_correction(fixture.stage.event, change)
    sent = [(name, value) for name, value in request.POST.items() if name not in NOT_SENT_AGAIN]
    sent.append(("confirmed", "on"))  # there is nothing left to confirm, or the change would have asked
    correction = {
        "action": request.path,
        "sent": sent,
        "reason": request.POST.get("reason", ""),
        "conflict": conflict,
        "repairs": [_repair(cost) for cost in costs],
    }
    return {"correction": correction, "status": conflict.status if conflict else 200}


def _repair(cost: Consequence) -> dict[str, Any]:
    name, sentence = REPAIRS[cost.repair]
    return {"cost": cost, "name": name, "sentence": sentence}
