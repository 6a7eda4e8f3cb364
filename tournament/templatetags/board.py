"""A drawn position on any page: `{% board position dice=roll cube=cube %}`, with its alternative in words."""

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
) -> SafeString:
    """The position as `<svg>`, the player on roll below: see `rules.board.draw_board`. Needs `css/board.css`."""
    title = _("Position") if before is None else _("Position after the play")
    return mark_safe(  # noqa: S308  # title and description are escaped there; the rest is made of numbers
        draw_board(
            position,
            title=title,
            description=describe(position, dice=dice, cube=cube),
            name=name,
            before=before,
            dice=dice,
            cube=cube,
            mirrored=mirrored,
            spots=spots,
        )
    )


@register.simple_tag
def die(value: int) -> SafeString:
    """One die, for the eye only."""
    return mark_safe(draw_die(int(value)))  # noqa: S308  # made of numbers


@register.simple_tag
def side_words(position: Position, side: str) -> str:
    """Where the checkers of a side (`mine`, `theirs`) are, in words, in that side's own numbering."""
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


@register.simple_tag
def pip_count(position: Position, side: str) -> int:
    return position.pips() if side == "mine" else position.swapped().pips()


def describe(position: Position, *, dice: Roll | None, cube: tuple[int, Holder] | None) -> str:
    """The whole board in words; each side's points are counted from its own home."""
    sentences = []
    for side, who in (("mine", _("Player on roll")), ("theirs", _("Opponent"))):
        pips = pip_count(position, side)
        told = {"who": who, "checkers": side_words(position, side), "pips": pips}
        sentences.append(
            ngettext("%(who)s: %(checkers)s; %(pips)s pip.", "%(who)s: %(checkers)s; %(pips)s pips.", pips) % told
        )
    if dice:
        sentences.append(_("Roll: %(first)s and %(second)s.") % {"first": dice[0], "second": dice[1]})
    if cube:
        sentences.append(cube_words(cube))
    return " ".join(sentences)


def cube_words(cube: tuple[int, Holder]) -> str:
    value, holder = cube
    template = {
        Holder.MIDDLE: _("Cube at %(value)s in the middle."),
        Holder.MINE: _("Cube at %(value)s with the player on roll."),
        Holder.THEIRS: _("Cube at %(value)s with the opponent."),
    }[holder]
    return template % {"value": value}
