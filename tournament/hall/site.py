"""How whole addresses begin: with the site address of a tournament, or with the one under which the reader is here.

Everything that leaves the site passes here: QR codes, links to give away, feeds, calendars, shared pictures, the API.
"""

from datetime import datetime
from urllib.parse import urljoin, urlsplit

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.db import transaction
from django.http import HttpRequest
from django.utils.encoding import iri_to_uri
from django.utils.translation import gettext as _

from players.errors import Refusal
from players.models import User
from tournament.changes.record import changes_between, lock_hall, record_hall_change
from tournament.hall.addresses import is_local, read_site_address
from tournament.hall.machine import is_own_host, site_on_lan
from tournament.models import Tournament


def address_of(tournament: Tournament) -> str:
    """Return the tournament's site address, or the default of the installation; empty if there is neither."""
    return tournament.site_address or settings.SITE_ADDRESS


def site_of(request: HttpRequest) -> str:
    """Return scheme and host under which the reader reaches this site; empty if none is known for certain.

    The host that a browser names is believed if ``ALLOWED_HOSTS`` names hosts, or if it can only be this machine:
    anybody can send any other. Instead of one that is not believed, the site address or the one of this machine on its
    network is taken.
    """
    scheme = request.scheme or "http"
    try:
        host = request.get_host()
        parts = urlsplit(f"//{host}")
        if "*" not in settings.ALLOWED_HOSTS or is_own_host(parts.hostname or "", parts.port):
            return f"{scheme}://{host}"
    except (DisallowedHost, ValueError):
        pass
    return settings.SITE_ADDRESS or site_on_lan(scheme)


def site_for_others(request: HttpRequest, tournament: Tournament) -> str:
    """Return how addresses begin that somebody else opens: with the site address, or with that of the reader.

    Empty if neither is known, so that addresses stay those of the page on which they are.
    """
    return address_of(tournament) or site_of(request)


def whole_address(request: HttpRequest, location: str | None = None) -> str:
    """Return the location, or that of the request, as a whole address of this site."""
    there = urljoin(request.path, request.get_full_path() if location is None else location)
    return iri_to_uri(urljoin(site_of(request), there) if urlsplit(there).path.startswith("/") else there)


@transaction.atomic
def set_site_address(tournament: Tournament, *, address: str, by: User | None, at: datetime) -> Tournament:
    """Set the site address, or none for an empty text.

    Raises Refusal for a text that is no address of a site, and for an address by which a phone reaches only itself.
    """
    hall = lock_hall(tournament.pk)
    try:
        after = read_site_address(address)
    except ValueError:
        raise Refusal(
            "site_address_invalid",
            _("Write the site address as https://play.example.org or http://192.168.1.20:8000, without a path."),
        ) from None
    if is_local(after):
        raise Refusal(
            "site_address_local",
            _("This address works only on this computer. Use the one that phones in the hall can open."),
        )
    changes = changes_between({"site_address": hall.site_address}, {"site_address": after})
    if changes:
        hall.site_address = after
        hall.save(update_fields=["site_address"])
        record_hall_change(hall, verb="set_site_address", by=by, at=at, site_address=after, changes=changes)
    return hall
