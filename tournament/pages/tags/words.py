"""The names that pages use, in the visitor's language, for what the code knows by a slug or a value."""

import json
import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from urllib.parse import urlencode

from django import template
from django.template.defaultfilters import floatformat
from django.utils.dates import WEEKDAYS
from django.utils.formats import date_format
from django.utils.html import conditional_escape, escape
from django.utils.safestring import SafeData, SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from matches.models import Match
from players.errors import in_words
from players.models import Player, Rating
from players.services import LETTERS
from rules.errors import Finding
from rules.penalties import penalty_limit
from rules.profiles import PROFILES
from rules.rulings import Principle
from rules.score import MatchScore, Phase, Side
from rules.sheet import GameResult
from tournament.formats import FORMATS
from tournament.formats.options import Options, Seeding
from tournament.models import Departure, Event, FormerMatch
from tournament.models.team import fixture_of
from tournament.pages.match.forms import ENDING_NAMES, LEVEL_NAMES
from tournament.pictures.draw import bracket_title, round_name
from tournament.pictures.progress import matches_in_all, planned_rounds, round_now
from tournament.ranking.tiebreaks import TIEBREAKS
from tournament.snapshot import Clock, EntrySnapshot, EventSnapshot, FixtureState, StageSnapshot
from tournament.snapshot.hand import can_change_by_hand

MOST_STEPS = 6
SCORE = r"\d+–\d+"
SHORT_NAME = 16
"""The letters of a name for which the headline of a page has room on the narrowest phone."""

register = template.Library()
register.simple_tag(round_name)
register.simple_tag(round_now)
register.simple_tag(matches_in_all)
register.filter(bracket_title)


@register.simple_tag
def folded_letters() -> str:
    """Return the letters that the pages' script needs to fold a name as the server does."""
    return json.dumps(LETTERS, ensure_ascii=False)


@register.filter
def format_name(slug: str) -> str:
    return _(FORMATS[slug].name)


@register.filter
def time_for(clock: Clock, length: int) -> int:
    """Return the minutes that the clock gives each side in a match of this length."""
    return clock.time_for(length)


@register.filter
def format_description(slug: str) -> str:
    return _(FORMATS[slug].description)


@register.filter
def profile_name(slug: str) -> str:
    return _(PROFILES[slug].name)


@register.filter
def knows_matches(slug: str) -> bool:
    """Whether the text of the rule profile speaks of matches, and not of money play alone."""
    return PROFILES[slug].match_play


@register.filter
def tiebreak_name(slug: str) -> str:
    return _(TIEBREAKS[slug].name) if slug in TIEBREAKS else slug


@register.filter
def tiebreak_description(slug: str) -> str:
    return _(TIEBREAKS[slug].description)


@register.filter
def error_rate(rate: int) -> str:
    """Write an error rate, which is in thousandths, with three decimals."""
    return floatformat(Decimal(rate) / 1000, 3)


@register.filter
def tiebreak_value(value: int | str | None, slug: str = "") -> str:
    """Write a tie-break's value as people do: 7/2 is 3½, a rating has decimals, a dash where it does not apply."""
    if value is None:
        return "–"
    if slug in TIEBREAKS and TIEBREAKS[slug].hundredths:
        return floatformat(Decimal(value) / 100, 2)
    number = Fraction(value)
    whole, rest = divmod(abs(number), 1)
    sign = "−" if number < 0 else ""
    if not rest:
        return f"{sign}{whole}"
    if rest == Fraction(1, 2):
        return f"{sign}{whole or ''}½"
    return f"{sign}{abs(number)}"


@register.filter
def signed(value: int) -> str:
    """Write a number with its sign: +3, −2, 0."""
    return f"{value:+d}".replace("-", "−") if value else "0"


@register.filter
def seeding_name(options: Options) -> str:
    return _("by seed") if options.seeding is Seeding.SEEDED else _("at random")


@register.filter
def lengths(options: Options) -> str:
    """Write the match lengths as a phrase: "to 5, semifinals to 7, final to 9"."""
    if len(set(options.lengths)) == 1:
        return _("to %(length)s") % {"length": options.lengths[0]}
    late_rounds = [_("final to %(length)s"), _("semifinals to %(length)s"), _("quarterfinals to %(length)s")]
    parts = [_("to %(length)s") % {"length": options.lengths[-1]}]
    for back in reversed(range(len(options.lengths) - 1)):
        template = late_rounds[back] if back < len(late_rounds) else _("then to %(length)s")
        parts.append(template % {"length": options.lengths[back]})
    return ", ".join(parts)


@register.filter
def match_lengths(stage: StageSnapshot) -> str:
    """Write a stage's match lengths as a phrase; a format without a final has one length for all its matches."""
    has_final = FORMATS[stage.format].has_final
    return lengths(stage.options if has_final else replace(stage.options, lengths=stage.options.lengths[:1]))


@register.filter
def presence_phrase(entry: EntrySnapshot) -> str:
    """Write the rounds from which the entry is in and out; empty if it is there from first to last, or bought in."""
    first, *later = entry.presence
    phrases = [_("from round %(round)s") % {"round": first}] if first > 1 and not entry.reentry else []
    for number, mark in enumerate(later):
        leaves = number % 2 == 0
        phrases.append((_("out from round %(round)s") if leaves else _("back from round %(round)s")) % {"round": mark})
    return ", ".join(phrases)


@register.simple_tag
def then(event: EventSnapshot) -> str:
    """Return the query that keeps an event's address at the moment shown; empty for the present."""
    return "" if event.at is None else f"?{urlencode({'at': event.at.isoformat()})}"


@register.filter(expects_localtime=True)
def day_and_time(moment: datetime) -> str:
    """Write the date in the usual format, and the time to the minute."""
    return date_format(moment, "DATETIME_FORMAT")


@register.filter
def weekday_name(weekday: int | None) -> str:
    """Return Monday for 0, and so on; nothing for None."""
    return "" if weekday is None else str(WEEKDAYS[weekday])


@register.filter
def departure_phrase(entry: EntrySnapshot) -> str:
    """Write in a word or two how the entry left; empty for one that has not."""
    if entry.left_main_only:
        return _("left the main bracket")
    return str(Departure(entry.left_kind).label) if entry.left_kind else ""


@register.filter
def late_steps(event: EventSnapshot, length: int) -> list[int]:
    """Return the minutes that cost one penalty point, two, ... until the match is lost; at most six."""
    if event.late_minutes is None:
        return []
    return [event.late_minutes * points for points in range(1, min(penalty_limit(length), MOST_STEPS) + 1)]


@register.filter
def qualifiers_phrase(stage: StageSnapshot, event: EventSnapshot) -> str:
    """Say in a phrase who enters a later stage of the event."""
    if not stage.qualifiers:
        return _("for everyone who has a life left")
    if FORMATS[event.stages[stage.number - 2].format].makes_groups:
        return _("for the best %(count)s of each group") % {"count": stage.qualifiers}
    return _("for the best %(count)s of the previous stage") % {"count": stage.qualifiers}


@register.filter
def away(score: MatchScore, side: str) -> int:
    return score.away(Side(side))


@register.filter
def phase_name(score: MatchScore) -> str:
    """Say briefly what the score means for the next game; empty if there is nothing special about it."""
    return {
        Phase.CRAWFORD: _("Crawford game"),
        Phase.AFTER: _("after the Crawford game"),
    }.get(score.phase, "")


@register.filter
def phase_rule(score: MatchScore) -> str:
    """Say in a sentence which rule the next game is played under."""
    return {
        Phase.MONEY: "",
        Phase.BEFORE: _("The Crawford game has not been reached: the cube is in play."),
        Phase.CRAWFORD: _("For the first time a side needs only one point: nobody may double in this game."),
        Phase.AFTER: _("The Crawford game has been played: the cube is in play again."),
        Phase.PLAIN: _("No Crawford game in this match: the cube is in play."),
        Phase.OVER: "",
    }[score.phase]


@register.filter
def score_to(score: MatchScore) -> str:
    """Write the score with the length of its match: 4–1 to 7."""
    return _("%(a)s–%(b)s to %(length)s") % {"a": score.a, "b": score.b, "length": score.length}


@register.filter
def unbroken(text: object, names: Iterable[str] = ()) -> SafeString:
    """Keep every score in the text on one line, and of these names the short ones.

    A browser may break a line after the dash of 7–4, and between the parts of a name.
    """
    short = sorted((str(escape(name)) for name in names if 0 < len(name) <= SHORT_NAME), key=len, reverse=True)
    whole = re.sub(
        "|".join([SCORE, *map(re.escape, short)]),
        r'<span class="unbroken">\g<0></span>',
        conditional_escape(text if isinstance(text, SafeData) else str(text)),
    )
    return mark_safe(whole)  # noqa: S308 - escaped above


@register.filter
def principle_name(principle: Principle) -> str:
    return _(principle.name)


@register.filter
def principle_rule(principle: Principle) -> str:
    return _(principle.sentence)


@register.filter
def level_name(game: GameResult) -> str:
    return str(LEVEL_NAMES[game.level])


@register.filter
def ending_name(game: GameResult) -> str:
    return str(ENDING_NAMES[game.ending])


@register.filter
def sentence(finding: Finding) -> str:
    return in_words(finding)


register.filter(can_change_by_hand)


@register.filter
def has_results(stage: StageSnapshot) -> bool:
    return bool(stage.in_state(FixtureState.LIVE, FixtureState.DONE))


@register.simple_tag
def field_hint(event: EventSnapshot) -> str:
    """Say how many rounds and byes a single bracket drawn now would have; empty for other formats."""
    count = len(event.entries)
    if count < 2 or not FORMATS[event.stages[0].format].has_final:
        return ""
    rounds = planned_rounds(event, event.stages[0])
    if rounds is None:
        return ""
    byes = 2**rounds - count
    no_byes, some_byes = (
        (
            _("With %(players)s teams: %(rounds)s, no byes."),
            _("With %(players)s teams: %(rounds)s, %(byes)s in the first."),
        )
        if event.has_teams
        else (
            _("With %(players)s players: %(rounds)s, no byes."),
            _("With %(players)s players: %(rounds)s, %(byes)s in the first."),
        )
    )
    rounds_text = ngettext("%(count)s round", "%(count)s rounds", rounds) % {"count": rounds}
    if not byes:
        return no_byes % {"players": count, "rounds": rounds_text}
    byes_text = ngettext("%(count)s bye", "%(count)s byes", byes) % {"count": byes}
    return some_byes % {
        "players": count,
        "rounds": rounds_text,
        "byes": byes_text,
    }


@register.filter
def event_of_match(match: Match) -> Event | None:
    """Return the event in whose draw the match is, or was before it lost its place there. Reads what is loaded."""
    fixture = fixture_of(match)
    former: FormerMatch | None = getattr(match, "former", None)
    if fixture is not None:
        return fixture.stage.event
    return former.stage.event if former is not None else None


@register.filter
def side_of(match: Match, player: Player) -> str:
    return "A" if player.pk in (match.side_a_id, match.partner_a_id) else "B"


@register.filter
def record(rating: Rating) -> str:
    """Write wins and losses: 12–5."""
    return f"{rating.wins}–{rating.matches - rating.wins}"


@register.filter
def ranks_by_wins(stage: StageSnapshot) -> bool:
    """Whether the standings go by wins and tie-breaks, rather than by the bracket."""
    return FORMATS[stage.format].ranks_by_record
