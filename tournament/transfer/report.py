"""The Swiss part of an event as a tournament report (TRF26), from its event file."""

from django.utils.translation import gettext as _

from players.errors import Conflict
from players.registry.countries import olympic
from tournament.interchange.adapters.trf_report import swiss_stage_of, write_trf
from tournament.models import Event
from tournament.transfer.export import export_document


def report_bytes(event: Event) -> bytes:
    """Return the report of the first Swiss stage. Raises Conflict for an event that has none with single players."""
    document = export_document(event.tournament, [event], with_reasons=False)
    told = document["events"][0]
    stage = swiss_stage_of(told)
    if stage is None:
        raise Conflict("no_swiss_stage", _("This event has no drawn Swiss stage of single players."))
    return write_trf(document, told, stage, olympic=olympic)
