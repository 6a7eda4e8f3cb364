"""Dice thrown in the hall, typed in by one person and repeated alike by another."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from players.errors import Conflict, Refusal
from players.models import User
from tournament.changes.record import begin_step, require_running
from tournament.draw.public_value import make_known, record_public_step, require_closing
from tournament.models import Closing, Event, PublicSource

FEWEST_DICE, MOST_DICE = 12, 60
MAX_TYPED_DICE = 200
"""With what may stand between them."""
BETWEEN_DICE = " ,.;-"


@transaction.atomic
def type_dice(event: Event, *, dice: str, by: User, at: datetime) -> Closing:
    """Type in the dice that were thrown: first by one user, then alike by another, who makes them the public value.

    Until they are repeated the first user may type them again. Raises Refusal for what are not dice, and Conflict as
    :func:`tournament.draw.public_value.require_closing` does and for dice that differ.
    """
    event, at = begin_step(event, at)
    require_running(event)
    closing = require_closing(event, PublicSource.DICE)
    thrown = read_dice(dice)
    if closing.dice and closing.dice_by_id != by.pk:
        namesakes = closing.dice_by is not None and closing.dice_by.shown_name == by.shown_name
        who = f"{by.shown_name} #{by.pk}" if namesakes else by.shown_name
        return repeat_dice(event, closing, thrown, who=who, by=by, at=at)
    closing.dice, closing.dice_by = thrown, by
    closing.save(update_fields=["dice", "dice_by"])
    record_public_step(event, closing, verb="type_dice", by=by, at=at, count=len(thrown))
    return closing


def repeat_dice(
    event: Event, closing: Closing, thrown: str, *, who: str, by: User | None, at: datetime, **detail: object
) -> Closing:
    """Make the dice of the locked event its public value, if they are those that the first person typed in.

    ``who`` is the name, shown to everybody, of the person who repeated them; ``detail`` goes into the log. Rows without
    ``is_shown`` have login names.

    Raises Conflict for dice that differ, or that nobody has typed in yet.
    """
    if not closing.dice:
        raise Conflict("dice_not_typed", _("A director types the dice in first."))
    if thrown != closing.dice:
        raise Conflict(
            "dice_differ",
            _("These are not the dice that the first person typed in. Look at the dice again; nothing has been saved."),
        )
    make_known(closing, thrown, at=at)
    first = closing.dice_by.shown_name if closing.dice_by else ""
    people = {"first": first, "second": who, "is_shown": True}
    record_public_step(event, closing, verb="repeat_dice", by=by, at=at, dice=thrown, **people, **detail)
    return closing


def read_dice(text: str) -> str:
    """Return the dice as digits from 1 to 6. Raises Refusal for anything else, and for too few or too many dice."""
    dice = "".join(character for character in text if character not in BETWEEN_DICE)
    if not set(dice) <= set("123456"):
        raise Refusal("dice_unreadable", _("Type one digit from 1 to 6 for each die."))
    if not FEWEST_DICE <= len(dice) <= MOST_DICE:
        raise Refusal(
            "dice_too_few",
            _("Type from %(least)s to %(most)s dice.") % {"least": FEWEST_DICE, "most": MOST_DICE},
        )
    return dice
