"""The site address of a tournament, with which the addresses in its QR codes begin."""

from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from players.errors import Refusal
from players.models import User
from tournament.changes.record import changes_between, lock_hall, record_hall_change
from tournament.hall.addresses import is_local, read_site_address
from tournament.models import Tournament


def address_of(tournament: Tournament) -> str:
    """Return the tournament's site address, or the default of the installation; empty if there is neither."""
    return tournament.site_address or settings.SITE_ADDRESS


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
