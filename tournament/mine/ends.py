"""How the event ended for an entry: its place, or that places are still being counted."""

from __future__ import annotations

from django.utils.translation import gettext as _

from tournament.formats import FORMATS
from tournament.mine.places import OwnPlace, is_played_out, places_of
from tournament.snapshot import EntrySnapshot, EventSnapshot


def end_of(snapshot: EventSnapshot, entry: EntrySnapshot) -> tuple[str, str]:
    """Return the sentence that tells an entry without a match to come how it ended, and one that explains it."""
    is_over = snapshot.finished_at is not None
    detail = _("The event has ended.") if is_over else ""
    if entry.has_left and not is_over:
        return _("You have left the event"), _("If that is wrong, tell the director.")
    own = next(iter(places_of(snapshot, entry.id)), None)
    if own is None:
        return (_("The event has ended"), "") if is_over else (_("You are not in the draw"), "")
    if not snapshot.standings_are_current and not is_over:
        return _("Your place is being worked out"), ""
    if FORMATS[snapshot.stage.format].ranks_by_record and not (is_over or is_played_out(snapshot.stage)):
        others = _("Others are still playing.")
        return _("You have played all your matches"), f"{_place(own)}. {others}"
    if own.place == own.place_to == 1:
        if is_over or snapshot.next_stage is None:
            return f"{_('You have won')}: {own.ranking}" if own.section else _("You have won"), detail
        return _in_ranking(_("You are first"), own), _("The next stage is not drawn yet.")
    if snapshot.next_stage is not None and not is_over:
        return _place(own), _("The next stage is not drawn yet.")
    if is_over:
        return _place(own), detail
    one, several = _("You are out: place %(place)s"), _("You are out: places %(place)s–%(place_to)s")
    return _in_ranking(one if own.place == own.place_to else several, own), detail


def _place(own: OwnPlace) -> str:
    one, several = _("Place %(place)s"), _("Places %(place)s–%(place_to)s")
    return _in_ranking(one if own.place == own.place_to else several, own)


def _in_ranking(text: str, own: OwnPlace) -> str:
    """Return the text with the places, and the ranking where there are several."""
    text %= {"place": own.place, "place_to": own.place_to}
    return f"{text} ({own.ranking})" if own.ranking else text
