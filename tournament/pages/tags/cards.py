"""Match cards on a page: the card of a fixture, the drawn cube, and a flag."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from tournament.models import Event, Tournament
from tournament.pictures.emblem import draw_emblem
from tournament.pictures.flags import draw_flag
from tournament.snapshot import EventSnapshot, FixtureSnapshot
from tournament.snapshot.cards import Card, card_of, colour_of

register = template.Library()


@register.simple_tag
def fixture_card(fixture: FixtureSnapshot, round: str = "", event: str = "", address: str = "") -> Card:
    """Return the card of the fixture for ``tournament/_match_card.html``."""
    return card_of(fixture, round=round, event=event, address=address)


@register.simple_tag
def cube_mark(value: int | None = None, owner: str = "", is_dead: bool = False) -> SafeString:
    """Draw the doubling cube with its value; one that is dead, as in the Crawford game, is crossed out."""
    words = _("no cube in this game") if is_dead else _("cube at %(value)s") % {"value": value}
    if owner and not is_dead:
        words = _("cube at %(value)s with %(name)s") % {"value": value, "name": owner}
    face = "C" if is_dead else str(value)
    stroke = '<path class="cube-strike" d="M3 29L29 3"/>' if is_dead else ""
    return format_html(
        '<svg class="cube{}" viewBox="0 0 32 32" role="img" aria-label="{}">'
        '<rect x="1.5" y="1.5" width="29" height="29" rx="6"/>'
        '<text x="16" y="{}" font-size="{}" text-anchor="middle">{}</text>{}</svg>',
        " is-dead" if is_dead else "",
        words,
        22 if len(face) < 3 else 20.5,
        17 if len(face) < 3 else 13,
        face,
        SafeString(stroke),
    )


@register.simple_tag
def flag(country: str) -> SafeString:
    """Draw the flag of the country with this code, or write the code where we know no flag; nothing without one."""
    return draw_flag(country)


@register.filter
def club_colour(club: str | None) -> str:
    """Return the class of the club's colour."""
    return colour_of(club or "")


@register.simple_tag
def emblem(subject: EventSnapshot | Event | Tournament) -> SafeString:
    """Draw the emblem of the event, or of the tournament."""
    if isinstance(subject, Tournament):
        return draw_emblem(subject.slug)
    tournament = subject.tournament.slug if isinstance(subject, Event) else subject.tournament_slug
    return draw_emblem(tournament, subject.slug)
