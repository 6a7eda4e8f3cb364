"""The story of an event, for everybody to read."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tournament.pages.following import find_event, page_of
from tournament.roles.permissions import actions_of
from tournament.story.tell import story_of


@require_safe
def story(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    """Tell what happened: rounds, upsets, extremes and figures; as far as the event has come."""
    event = find_event(tournament_slug, event_slug)
    return page_of(
        request,
        event,
        allowed=actions_of(request.user, event),
        template="event/story",
        context=lambda snapshot: {"story": story_of(snapshot)},
    )
