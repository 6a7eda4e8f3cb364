"""A member asks to be shown in another way, and an officer answers."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from players.errors import Conflict, Refusal
from players.models import Federation, Player, User, Visibility, VisibilityRequest
from players.registry.people import lock_person
from players.registry.public_names import change_names
from players.registry.roles import Reach, forbidden, reach_of, require_officer_of, rights_over


@transaction.atomic
def ask_visibility(player: Player, wanted: str, *, by: User, at: datetime) -> VisibilityRequest:
    """Ask for one's own name to be shown in this way.

    Raises Forbidden unless the user is the person, Conflict while an earlier request waits, and Refusal for a way that
    there is not. A minor who asks to be public is answered by an officer, who knows their age, like everybody.
    """
    player = lock_person(player)
    if player.pk not in reach_of(by).members:
        raise forbidden()
    if wanted not in Visibility:
        raise Refusal("visibility_unknown", _("A name is shown as name, initials or number."), field="visibility")
    if VisibilityRequest.objects.filter(player=player, granted__isnull=True).exists():
        raise Conflict("request_waits", _("An earlier request has not been answered yet."))
    return VisibilityRequest.objects.create(player=player, wanted=wanted, by=by, at=at)


@transaction.atomic
def answer_request(request: VisibilityRequest, *, granted: bool, by: User | None, at: datetime) -> VisibilityRequest:
    """Note the answer to a request; what was granted is carried out by :func:`tournament.registry.people.show_as`.

    Raises Conflict if it has been answered, and Forbidden.
    """
    if granted:
        change_names()
    require_officer_of(by, [lock_person(request.player)])
    request = VisibilityRequest.objects.select_for_update(of=("self",)).select_related("player").get(pk=request.pk)
    if request.granted is not None:
        raise Conflict("request_answered", _("This request has been answered already."))
    request.granted, request.answered_at, request.answered_by = granted, at, by
    request.save(update_fields=["granted", "answered_at", "answered_by"])
    return request


def requests_before(federation: Federation) -> list[VisibilityRequest]:
    """Return the requests that wait and that officers of this federation may answer, with the people; oldest first."""
    waiting = VisibilityRequest.objects.filter(granted__isnull=True, player__merged_into__isnull=True)
    found = list(waiting.select_related("player").order_by("at", "pk"))
    rights = rights_over(Reach(federations=frozenset({federation.pk})), [request.player for request in found])
    return [request for request in found if rights[request.player_id].officer]
