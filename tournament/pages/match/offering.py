"""The choices before a correction that affects later matches: what each repair would cost, and the choice of one."""

from typing import Any

from django.db import transaction
from django.http import Http404, HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from matches.models import Match
from players.errors import Conflict, Refusal
from players.questions import digest_of
from tournament.changes.record import lock_event
from tournament.corrections.changes import Correction
from tournament.corrections.preview import Consequence, preview_correction, versions_of
from tournament.draw.reconcile import Repair, RepairNeeded
from tournament.models import Event
from tournament.models.team import find_fixture
from tournament.pages.match.forms import RepairForm
from tournament.results.enter import MayRepair
from tournament.roles.permissions import forbidden, may

NOT_SENT_AGAIN = ("csrfmiddlewaretoken", "repair", "shown", "preview", "reason")

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
NOTHING_MOVES = (
    _("Make the correction"),
    _("Nobody changes seats in a later match, and no match is voided."),
)


def make_or_offer(
    request: HttpRequest, match: Match, form: RepairForm, change: Correction, *, may_repair: bool
) -> dict[str, Any] | None:
    """Make the change and return None, or store nothing and return what the page needs for choosing a repair first.

    ``form`` is valid. A repair is made only if it still costs what was shown when it was chosen. Raises Refusal and
    Conflict as the change does, and where no repair makes it possible, and Forbidden where one has to be chosen and the
    user may not repair.
    """
    if form.cleaned_data["preview"]:
        return _Offer(request, _event_of(match), change).context(200)
    if form.chosen is not None and may_repair and not _is_repeated(match, form):
        return _repair_as_shown(_Offer(request, _event_of(match), change), form, form.chosen)
    try:
        change(form.chosen, "", _asked_of(request))
    except RepairNeeded as conflict:
        if not may_repair:
            raise forbidden(_event_of(match), "repair_result") from conflict
        return _Offer(request, _event_of(match), change).context(conflict.status, conflict=conflict)
    return None


def _asked_of(request: HttpRequest) -> MayRepair:
    """Return how to ask whether the user may repair: the service asks once it has the lock."""
    return lambda event: may(request.user, event, "repair_result")


class _Offer:
    """The repairs from which one is to be chosen, and what each of them costs now."""

    def __init__(self, request: HttpRequest, event: Event, change: Correction) -> None:
        self.request, self.event, self.change = request, event, change
        self.versions = versions_of(event)
        # Anybody who may make the change may see its cost, as nothing is stored.
        self.costs = preview_correction(event, change)
        self.shown = digest_of(self._sent(), *(cost.stored for cost in self.costs))

    def _sent(self) -> list[tuple[str, str]]:
        """Return the change as it was sent, which is sent again with the repair."""
        return sorted((name, str(value)) for name, value in self.request.POST.items() if name not in NOT_SENT_AGAIN)

    def context(self, status: int, **why: object) -> dict[str, Any]:
        """Return what the page shows; ``why`` it is shown again."""
        posted = self.request.POST
        correction = {
            "action": self.request.path,
            "sent": self._sent(),
            "reason": posted.get("reason", ""),
            "chosen": posted.get("repair", ""),
            "shown": self.shown,
            "repairs": [_repair(cost) for cost in self.costs],
            **why,
        }
        return {"correction": correction, "status": status}


def _repair_as_shown(offer: _Offer, form: RepairForm, repair: Repair) -> dict[str, Any] | None:
    """Make the change with its repair, or return the offer again if it is not what was shown, or if it is refused."""
    if form.cleaned_data["shown"] != offer.shown:
        return offer.context(Conflict.status, is_new=bool(form.cleaned_data["shown"]))
    try:
        with transaction.atomic():
            if versions_of(lock_event(offer.event)) != offer.versions:
                raise _Overtaken
            offer.change(repair, "", _asked_of(offer.request))
    except _Overtaken:
        return _Offer(offer.request, offer.event, offer.change).context(Conflict.status, is_new=True)
    except Refusal as refusal:
        if refusal.status != Refusal.status:
            raise
        return offer.context(refusal.status, refusal=refusal)
    return None


class _Overtaken(Exception):  # noqa: N818
    """Something has happened in the event since the cost was read."""


def _is_repeated(match: Match, form: RepairForm) -> bool:
    """Whether the form was sent before and has been followed: sending it again changes nothing."""
    key = form.cleaned_data.get("key", "")
    return key != "" and (match.sheets.filter(key=key).exists() or match.rulings.filter(key=key).exists())


def _event_of(match: Match) -> Event:
    fixture = find_fixture(match)
    if fixture is None:
        raise Http404
    return fixture.stage.event


def _repair(cost: Consequence) -> dict[str, Any]:
    moves_nothing = cost.repair is Repair.SWAP and not (cost.seats or cost.matches)
    name, sentence = NOTHING_MOVES if moves_nothing else REPAIRS[cost.repair]
    return {"cost": cost, "name": name, "sentence": sentence}
