"""A drawn position on any page: `{% board position dice=roll cube=cube %}`, with an alternative in words."""

import json

from django import template
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules.board import Holder, draw_board, draw_die
from rules.plays import Roll
from rules.position import BAR, OFF, Position, count

register = template.Library()


@register.simple_tag
def board(
    position: Position,
    name: str = "board",
    before: Position | None = None,
    dice: Roll | None = None,
    cube: tuple[int, Holder] | None = None,
    mirrored: bool = False,
    spots: bool = False,
    mover: str = "mine",
    names: tuple[str, str] | None = None,
) -> SafeString:
    """Draw the position as `<svg>`: see `rules.board.draw_board`. Needs `css/board.css`.

    `names` are those of the sides `mine` and `theirs`, for the alternative in words; without them it speaks of the
    player on roll and the opponent.
    """
    title = _title(played=before is not None)
    return mark_safe(  # noqa: S308  # title and description are escaped there; the rest is made of numbers
        draw_board(
            position,
            title=title,
            description=describe(position, dice=dice, cube=cube, names=names),
            name=name,
            before=before,
            dice=dice,
            cube=cube,
            mirrored=mirrored,
            spots=spots,
            mover=mover,
        )
    )


@register.simple_tag
def die(value: int) -> SafeString:
    """Draw one die, hidden from screen readers."""
    return mark_safe(draw_die(int(value)))  # noqa: S308  # made of numbers


@register.simple_tag
def pip_count(position: Position, side: str) -> int:
    return position.pips() if side == "mine" else position.swapped().pips()


@register.simple_tag
def board_words(dice: Roll | None = None, cube: tuple[int, Holder] | None = None) -> str:
    """Return what `js/board.js` needs to describe a changed board in words, as JSON."""
    one, many = (_side_template(pips) for pips in (1, 2))
    return json.dumps(
        {
            "title": _title(played=False),
            "after": _title(played=True),
            "mine": _("Player on roll"),
            "theirs": _("Opponent"),
            "on": _("%(number)s on %(point)s"),
            "bar": _("%(number)s on the bar"),
            "off": _("%(number)s off"),
            "pip": one,
            "pips": many,
            "more": _dice_and_cube(dice, cube),
        }
    )


@register.simple_tag
def hand_sentences() -> str:
    """Return, as JSON, the sentences that `js/rules.js` needs for setting up a board with the keyboard."""
    return json.dumps(
        {
            "point": _("Point %(point)s"),
            "bar": _("Bar"),
            "off": _("Borne off"),
            "mine": _("the player on roll has %(number)s"),
            "theirs": _("the opponent has %(number)s"),
            "empty": _("empty"),
            "held": _("You have picked up a checker."),
            "taken": _("The checker cannot be placed here."),
            "short": _("All fifteen checkers of this side are on the board."),
            "nextMine": _("Empty points now take checkers of the player on roll."),
            "nextTheirs": _("Choosing an empty point now places the opponent's checkers there."),
        }
    )


def describe(
    position: Position, *, dice: Roll | None, cube: tuple[int, Holder] | None, names: tuple[str, str] | None = None
) -> str:
    """Describe the whole board in words; each side counts its points from its own home board."""
    sentences = []
    for side, who in zip(("mine", "theirs"), names or (_("Player on roll"), _("Opponent")), strict=True):
        pips = pip_count(position, side)
        values = {"who": who, "checkers": _side_words(position, side), "pips": pips}
        sentences.append(_side_template(pips) % values)
    return " ".join(sentences + _dice_and_cube(dice, cube, names))


def cube_words(cube: tuple[int, Holder], names: tuple[str, str] | None = None) -> str:
    value, holder = cube
    if names and holder is not Holder.MIDDLE:
        who = names[0 if holder is Holder.MINE else 1]
        return _("Cube at %(value)s with %(who)s.") % {"value": value, "who": who}
    template = {
        Holder.MIDDLE: _("Cube at %(value)s in the middle."),
        Holder.MINE: _("Cube at %(value)s with the player on roll."),
        Holder.THEIRS: _("Cube at %(value)s with the opponent."),
    }[holder]
    return template % {"value": value}


def _title(*, played: bool) -> str:
    return _("Position after the play") if played else _("Position")


def _side_template(pips: int) -> str:
    return ngettext("%(who)s: %(checkers)s; %(pips)s pip.", "%(who)s: %(checkers)s; %(pips)s pips.", pips)


def _side_words(position: Position, side: str) -> str:
    """Describe where a side's checkers (`mine`, `theirs`) are, in that side's own numbering."""
    own = position.mine if side == "mine" else position.theirs
    words = [
        _("%(number)s on %(point)s") % {"number": count(own, point), "point": point}
        for point in range(BAR - 1, OFF, -1)
        if count(own, point)
    ]
    if count(own, BAR):
        words.insert(0, _("%(number)s on the bar") % {"number": count(own, BAR)})
    if count(own, OFF):
        words.append(_("%(number)s off") % {"number": count(own, OFF)})
    return ", ".join(words)


def _dice_and_cube(
    dice: Roll | None, cube: tuple[int, Holder] | None, names: tuple[str, str] | None = None
) -> list[str]:
    rolled = [_("Roll: %(first)s and %(second)s.") % {"first": dice[0], "second": dice[1]}] if dice else []
    return [*rolled, cube_words(cube, names)] if cube else rolled
