"""The date of play of a match, as somebody gives it who enters its result later."""

from collections.abc import Callable
from datetime import datetime, time, timedelta

from django.db.models import Q, QuerySet
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from matches.claims import Claim
from matches.models import Conclusion, Scoresheet, SheetState
from players.errors import Refusal
from tournament.models import Fixture

MINUTE = timedelta(minutes=1)
SHOWN = "DATETIME_FORMAT"


def confirmed_date(sheet: Scoresheet | None) -> datetime | None:
    """Return when the match was played, as a confirmed sheet says it; None where there is none."""
    return sheet.played_at if sheet is not None and sheet.state == SheetState.CONFIRMED else None


def require_played_at(fixture: Fixture, confirmed: datetime | None, claim: Claim, at: datetime) -> None:
    """Raise Refusal for a date of play that cannot be: in the future, too early, or on the wrong side of another match.

    The earliest is the first day of the tournament, or the draw of the stage where that is earlier: what was played
    last week may be drawn and typed in today. A match ends before those that it leads to, as their sheets say. A claim
    with another date than the ``confirmed`` one needs a reason. All is taken to the minute. It is asked once the claim
    is entered: that somebody else was faster comes first.
    """
    played_at = claim.played_at
    if played_at is None:
        return
    zone = fixture.stage.event.tournament.zone
    if sentence := _why_not(fixture, played_at, at, lambda moment: date_format(localtime(moment, zone), SHOWN)):
        raise Refusal("played_at_out_of_range", sentence, field="played_at")
    if confirmed not in (None, played_at) and not claim.reason.strip():
        raise Refusal("reason_missing", _("This changes when the match was played: give a reason."), field="reason")


def dates_of(claim: Claim, confirmed: datetime | None) -> dict[str, str]:
    """Return what the log keeps of the date of play: the claimed one, and the ``confirmed`` one if it was another."""
    if claim.played_at is None:
        return {}
    before = {} if confirmed in (None, claim.played_at) else {"dated_before": confirmed.isoformat()}
    return {"dated": claim.played_at.isoformat(), **before}


def _earliest(fixture: Fixture) -> datetime:
    """Return the first moment at which the match may have ended."""
    tournament, drawn_at = fixture.stage.event.tournament, fixture.stage.drawn_at
    first = datetime.combine(tournament.starts_on, time.min, tzinfo=tournament.zone)
    return first if drawn_at is None else min(first, drawn_at.replace(second=0, microsecond=0))


def _why_not(fixture: Fixture, played_at: datetime, at: datetime, told: Callable[[datetime], str]) -> str:
    """Return why the match cannot have ended then, or nothing if it can."""
    if played_at > at:
        return _("A match has ended when its result is entered: this date is in the future.")
    if played_at < (first := _earliest(fixture)):
        return _("The tournament and its draw were not before %(moment)s, so no match was.") % {"moment": told(first)}
    minute = played_at.replace(second=0, microsecond=0)
    feeds = [key for feed in (fixture.feed_a, fixture.feed_b) if (key := feed.partition(":")[2])]
    before = _sheets_of(fixture, Q(key__in=feeds)).filter(played_at__gte=minute + MINUTE).order_by("-played_at")
    if feeds and (sheet := before.first()) is not None:
        return _("A match that leads to this one ended on %(moment)s.") % {"moment": told(sheet.played_at)}
    after = _sheets_of(fixture, Q(feed_a__endswith=f":{fixture.key}") | Q(feed_b__endswith=f":{fixture.key}"))
    if (sheet := after.filter(played_at__lt=minute).order_by("played_at").first()) is not None:
        return _("A match that this one leads to ended on %(moment)s.") % {"moment": told(sheet.played_at)}
    return ""


def _sheets_of(fixture: Fixture, which: Q) -> QuerySet[Scoresheet]:
    """Return the confirmed sheets of matches that were played for these fixtures of the stage."""
    fixtures = Fixture.objects.filter(which, stage=fixture.stage_id)
    played = Scoresheet.objects.filter(state=SheetState.CONFIRMED, conclusion=Conclusion.PLAYED)
    return played.filter(Q(match__fixture__in=fixtures) | Q(match__board__fixture__in=fixtures))
