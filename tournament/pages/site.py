"""The address under which a tournament is reached by others than the reader."""

from django.http import HttpRequest

from tournament.hall.addresses import is_local
from tournament.hall.site import address_of
from tournament.models import Tournament


def site_for_codes(request: HttpRequest, tournament: Tournament) -> str:
    """Return the address with which QR codes begin: the site address, or that of the reader's browser.

    Empty if the browser is on the server itself: a code with its address would lead each phone to itself.
    """
    here = request.build_absolute_uri("/").rstrip("/")
    return address_of(tournament) or ("" if is_local(here) else here)


def link_for_others(request: HttpRequest, tournament: Tournament, path: str) -> str:
    """Return the whole address of a path of this site, to give to somebody else."""
    site = address_of(tournament)
    return f"{site}{path}" if site else request.build_absolute_uri(path)
