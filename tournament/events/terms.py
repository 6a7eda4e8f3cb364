"""The terms of an event: a director's choices for it, checked in one place."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import datetime

from django.utils.translation import gettext as _

from players.errors import Refusal, in_words
from players.services import clean_name
from rules.profiles import DEFAULT_PROFILE, PROFILES
from tournament.changes.record import refuse_odd_times
from tournament.events.declaring import check_declaration
from tournament.formats import FORMATS, parse_options
from tournament.formats.drawn_matches import check_boards
from tournament.formats.errors import PlanError
from tournament.formats.options import Options
from tournament.formats.rate_points import check_rate_point
from tournament.models import Event, PublicSource, Stage
from tournament.models.event import BOARDS
from tournament.ranking.tiebreaks import DEFAULT_TIEBREAKS, MAX_TIEBREAKS, TIEBREAKS

MOST_CLOCK_MINUTES, MOST_CLOCK_DELAY = 30, 120
MOST_CONFIRM_MINUTES = 7 * 24 * 60
"""The longest time to object to a report: a week, for leagues."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventTerms:
    """A director's choices for an event; ``format`` and ``options`` are those of its first stage.

    ``options`` are read by :class:`tournament.formats.options.Options`. ``boards`` above 1 is how many a team has. A
    clock gives ``clock_minutes`` for each point of a match and ``clock_delay`` seconds before each play.
    ``public_source`` names where the public value of its draws comes from. ``phones``, ``confirm_minutes`` and
    ``shows_chances`` are as in :class:`tournament.models.Event`, and so are ``rated_for``, ``event_class`` and
    ``online``.
    """

    name: str
    format: str
    options: Mapping[str, object]
    profile: str = DEFAULT_PROFILE.slug
    crawford: bool = True
    doubles: bool = False
    boards: int = 1
    tiebreaks: Sequence[str] = DEFAULT_TIEBREAKS
    starts_at: datetime | None = None
    clock_minutes: int | None = None
    clock_delay: int | None = None
    public_source: str = PublicSource.NONE.value
    phones: bool = True
    confirm_minutes: int | None = None
    shows_chances: bool = False
    rated_for: Sequence[str] = ()
    event_class: str = ""
    online: bool = False


OF_STAGE = frozenset({"format", "options"})
COLUMNS = tuple(field.name for field in fields(EventTerms) if field.name not in OF_STAGE)
"""The terms stored with the event itself."""
DECLARED = ("rated_for", "event_class", "online")
"""What an event declares before its draw to those who keep the official lists."""


def terms_of(event: Event, first: Stage) -> EventTerms:
    """Return the event's terms, with those of its first stage."""
    stored = {name: getattr(event, name) for name in COLUMNS}
    return EventTerms(**stored, format=first.format, options=first.options)


def set_terms(event: Event, first: Stage, terms: EventTerms) -> None:
    """Give the event and its first stage these checked terms, without storing anything."""
    for name in COLUMNS:
        setattr(event, name, getattr(terms, name))
    first.format, first.options = terms.format, terms.options


def kept_terms(terms: EventTerms) -> dict[str, object]:
    """Return all terms as JSON, as the log keeps them: enough to create the event again."""
    return {**asdict(terms), "starts_at": terms.starts_at.isoformat() if terms.starts_at else None}


def check_terms(terms: EventTerms) -> EventTerms:
    """Return the terms in stored form: the name cleaned, every format option named, a delay with each clock.

    Raises Refusal for terms that no event can have.
    """
    if terms.profile not in PROFILES:
        raise Refusal("profile_unknown", _("There is no rule profile “%(slug)s”.") % {"slug": terms.profile})
    if terms.public_source not in PublicSource.values:
        raise Refusal(
            "public_source_unknown",
            _("A public value comes from dice, words or drand, or there is none; “%(source)s” is not known.")
            % {"source": terms.public_source[:40]},
        )
    _check_tiebreaks(terms.tiebreaks)
    options = check_options(terms.format, terms.options)
    clock_delay = _check_clock(terms.clock_minutes, terms.clock_delay)
    _check_confirm_minutes(terms.confirm_minutes)
    rated_for = check_declaration(terms.rated_for, terms.event_class)
    refuse_odd_times(terms.starts_at)
    _check_boards(terms.boards, doubles=terms.doubles)
    refuse_drawn_matches(terms.format, terms.boards)
    refuse_rate_points_of_teams(options, terms.boards)
    return replace(
        terms,
        name=clean_name(terms.name),
        options=options.as_dict(),
        tiebreaks=list(terms.tiebreaks),
        clock_delay=clock_delay,
        rated_for=rated_for,
    )


def _check_tiebreaks(tiebreaks: Sequence[str]) -> None:
    unknown = [slug for slug in tiebreaks if slug not in TIEBREAKS]
    if unknown:
        raise Refusal("tiebreak_unknown", _("There is no tie-break “%(slug)s”.") % {"slug": unknown[0]})
    if len(set(tiebreaks)) != len(tiebreaks):
        raise Refusal("tiebreak_twice", _("Name each tie-break only once."))
    if len(tiebreaks) > MAX_TIEBREAKS:
        raise Refusal("tiebreaks_too_many", _("An event has at most %(limit)s tie-breaks.") % {"limit": MAX_TIEBREAKS})


def _check_clock(minutes: int | None, delay: int | None) -> int | None:
    """Return the clock's delay, 0 if none was given. Raises Refusal for times that no clock can show."""
    if minutes is None:
        if delay is not None:
            raise Refusal("clock_incomplete", _("Say how many minutes per point the clock gives."))
        return None
    if not 1 <= minutes <= MOST_CLOCK_MINUTES:
        sentence = _("A clock gives 1 to %(limit)s minutes per point.")
        raise Refusal("clock_out_of_range", sentence % {"limit": MOST_CLOCK_MINUTES})
    if not 0 <= (delay or 0) <= MOST_CLOCK_DELAY:
        sentence = _("The delay of a clock is 0 to %(limit)s seconds.")
        raise Refusal("clock_out_of_range", sentence % {"limit": MOST_CLOCK_DELAY})
    return delay or 0


def _check_confirm_minutes(minutes: int | None) -> None:
    if minutes is not None and not 1 <= minutes <= MOST_CONFIRM_MINUTES:
        sentence = _("The time to object to a report is 1 to %(limit)s minutes.")
        raise Refusal("confirm_minutes_out_of_range", sentence % {"limit": MOST_CONFIRM_MINUTES})


def _check_boards(boards: int, *, doubles: bool) -> None:
    if boards not in BOARDS:
        raise Refusal(
            "boards_not_odd",
            _("Teams have %(least)s to %(most)s boards, not %(boards)s. 1 is for players or pairs.")
            % {"least": BOARDS[1], "most": BOARDS[-1], "boards": boards},
        )
    if boards > 1 and doubles:
        raise Refusal("teams_of_pairs", _("An event is for teams or for pairs, not for both."))


def refuse_drawn_matches(format: str, boards: int) -> None:
    """Raise Refusal if matches of teams with so many boards can be drawn, but the format needs winners."""
    try:
        check_boards(FORMATS[format], boards)
    except PlanError as error:
        raise Refusal(error.code, in_words(error), field="boards") from error


def refuse_rate_points_of_teams(options: Options, boards: int) -> None:
    """Raise Refusal if the lower error rate is to count in matches of teams."""
    try:
        check_rate_point(options, boards)
    except PlanError as error:
        raise Refusal(error.code, in_words(error), field=f"options.{error.params['option']}") from error


def check_options(format: str, options: Mapping[str, object]) -> Options:
    """Return the options as read by the format.

    Raises Refusal for a format or an option that does not exist, and for options that exclude each other.
    """
    if format not in FORMATS:
        raise Refusal("format_unknown", _("There is no format “%(slug)s”.") % {"slug": format})
    try:
        parsed = parse_options(format, options)
        FORMATS[format].check_options(parsed)
    except PlanError as error:
        option = error.params.get("option")
        raise Refusal(error.code, in_words(error), field=f"options.{option}" if option else "") from error
    return parsed
