"""The time zone of a page: that of the tournament it shows."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone

from tournament.models import Tournament


def show_times_of(tournament: Tournament) -> None:
    """Show and read all times in the tournament's zone until the end of the request."""
    timezone.activate(tournament.zone)


class ZoneMiddleware:
    """Begins each request in the server's time zone, and leaves none of its own behind."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        with timezone.override(None):
            return self.get_response(request)
