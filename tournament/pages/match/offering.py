"""The choices before a correction that affects later matches: what each repair would cost, and the choice of one."""

from functools import partial
from typing import Any, Protocol

from django.http import Http404, HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from matches.models import Match
from tournament.corrections.preview import Consequence, preview_correction
from tournament.draw.reconcile import Repair, RepairNeeded
from tournament.models import Event
from tournament.models.team import find_fixture
from tournament.pages.match.forms import RepairForm
from tournament.results.enter import MayRepair
from tournament.roles.permissions import forbidden, may

NOT_SENT_AGAIN = ("csrfmiddlewaretoken", "repair", "preview", "reason", "confirmed")

REPAIRS: dict[Repair, tuple[str | Promise, str | Promise]] = {
    Repair.SWAP: (
        _("Swap"),
        _(
            "Players swap seats in later matches without a score; a match already called to a "
            "table is called there again."
        ),
    ),
    Repair.REPLAY: (
        _("Cancel and replay"),
        _("Later matches that have begun are voided with your reason, and played again by the right players."),
    ),
    Repair.STAND: (
        _("Let it stand"),
        _("The score, points and ratings are corrected, but the player who advanced stays. This can be taken back."),
    ),
}


class Change(Protocol):
    """A service with all its arguments but three: the repair, the reason for it, and whether the user may repair."""

    def __call__(self, repair: Repair | None, reason: str, may_repair: MayRepair) -> object: ...


def make_or_offer(
    request: HttpRequest, match: Match, form: RepairForm, change: Change, *, may_repair: bool
) -> dict[str, Any] | None:
    """Make the change and return None, or store nothing and return what the page needs for choosing a repair first.

    ``form`` is valid. Raises Refusal and Conflict as the change does, and where no repair makes it possible, and
    Forbidden where one has to be chosen and the user may not repair.
    """
    if form.cleaned_data["preview"]:
        return _offer(request, match, change, None)
    try:
        change(form.chosen, "", lambda event: may(request.user, event, "repair_result"))
    except RepairNeeded as conflict:
        if not may_repair:
            raise forbidden(_event_of(match), "repair_result") from conflict
        return _offer(request, match, change, conflict)
    return None


def _event_of(match: Match) -> Event:
    fixture = find_fixture(match)
    if fixture is None:
        raise Http404
    return fixture.stage.event


def _offer(request: HttpRequest, match: Match, change: Change, conflict: RepairNeeded | None) -> dict[str, Any]:
    """Return the cost of each repair: anybody who may make the change may see it, as nothing is stored."""
    costs = preview_correction(_event_of(match), partial(change, may_repair=True))
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
