"""How the event ended for an entry: its place, or that places are still being counted."""

from __future__ import annotations

from django.utils.translation import gettext as _

from tournament.formats import FORMATS
from tournament.mine.places import is_played_out, line_of
from tournament.snapshot import EntrySnapshot, EventSnapshot


def end_of(snapshot: EventSnapshot, entry: EntrySnapshot) -> tuple[str, str]:
    """Return the sentence that tells an entry without a match to come how it ended, and one that explains it."""
    is_over = snapshot.finished_at is not None
    detail = _("The event has ended.") if is_over else ""
    if entry.has_left and not is_over:
        return _("You have left the event"), _("If that is wrong, tell the director.")
    line = line_of(snapshot, entry.id)
    if line is None:
        return (_("The event has ended"), "") if is_over else (_("You are not in the draw"), "")
    if not snapshot.standings_are_current and not is_over:
        return _("Your place is being worked out"), ""
    places = {"place": line.place, "place_to": line.place_to}
    if FORMATS[snapshot.stage.format].ranks_by_record and not (is_over or is_played_out(snapshot.stage)):
        others = _("Others are still playing.")
        return _("You have played all your matches"), f"{_place(places)}. {others}"
    if line.place == 1 and line.place_to == 1:
        if is_over or snapshot.next_stage is None:
            return _("You have won"), detail
        return _("You are first"), _("The next stage is not drawn yet.")
    if snapshot.next_stage is not None and not is_over:
        return _place(places), _("The next stage is not drawn yet.")
    if is_over:
        return _place(places), detail
    if line.place == line.place_to:
        return _("You are out: place %(place)s") % places, detail
    return _("You are out: places %(place)s–%(place_to)s") % places, detail


def _place(places: dict[str, int]) -> str:
    text = _("Place %(place)s") if places["place"] == places["place_to"] else _("Places %(place)s–%(place_to)s")
    return text % places
