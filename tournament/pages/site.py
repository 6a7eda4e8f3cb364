"""The address under which a tournament is reached by others than the reader."""

from django.http import HttpRequest

from tournament.hall.addresses import is_local
from tournament.hall.site import site_for_others
from tournament.models import Tournament


def site_for_codes(request: HttpRequest, tournament: Tournament) -> str:
    """Return the address with which QR codes begin: the site address, or that of the reader's browser.

    Empty if the browser is on the server itself: a code with its address would lead each phone to itself.
    """
    site = site_for_others(request, tournament)
    return "" if is_local(site) else site


def link_for_others(request: HttpRequest, tournament: Tournament, path: str) -> str:
    """Return the whole address of a path of this site, to give to somebody else."""
    return f"{site_for_others(request, tournament)}{path}"
