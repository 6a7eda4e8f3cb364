"""The date of play of a match, as somebody gives it who enters its result later."""

from datetime import datetime, time, timedelta

from django.db.models import Q
from django.utils.translation import gettext as _

from matches.claims import Claim
from matches.models import Conclusion, Scoresheet, SheetState
from players.errors import Refusal
from tournament.models import Fixture

MINUTE = timedelta(minutes=1)


def confirmed_date(sheet: Scoresheet | None) -> datetime | None:
    """Return when the match was played, as a confirmed sheet says it; None where there is none."""
    return sheet.played_at if sheet is not None and sheet.state == SheetState.CONFIRMED else None


def require_played_at(fixture: Fixture, confirmed: datetime | None, claim: Claim, at: datetime) -> None:
    """Raise Refusal for a date of play that cannot be: in the future, too early, or before a match that leads to it.

    The earliest is the first day of the tournament, or the draw of the stage where that is earlier: what was played
    last week may be drawn and typed in today. A claim with another date than the ``confirmed`` one needs a reason. All
    is taken to the minute. It is asked once the claim is entered: that somebody else was faster comes first.
    """
    played_at = claim.played_at
    if played_at is None:
        return
    if played_at > at or played_at < _earliest(fixture) or _is_before_its_feeds(fixture, played_at):
        raise Refusal(
            "played_at_out_of_range",
            _(
                "A match is not played before the first day of the tournament or its draw, before the matches that "
                "lead to it, or after its result is entered: correct the date of play."
            ),
            field="played_at",
        )
    if confirmed not in (None, played_at) and not claim.reason.strip():
        raise Refusal("reason_missing", _("This changes when the match was played: give a reason."), field="reason")


def _earliest(fixture: Fixture) -> datetime:
    """Return the first moment at which the match may have ended."""
    tournament, drawn_at = fixture.stage.event.tournament, fixture.stage.drawn_at
    first = datetime.combine(tournament.starts_on, time.min, tzinfo=tournament.zone)
    return first if drawn_at is None else min(first, drawn_at.replace(second=0, microsecond=0))


def _is_before_its_feeds(fixture: Fixture, played_at: datetime) -> bool:
    """Whether a match that was played for a seat of this one ended later, as its sheet says."""
    keys = [key for feed in (fixture.feed_a, fixture.feed_b) if (key := feed.partition(":")[2])]
    if not keys:
        return False
    feeds = Fixture.objects.filter(stage=fixture.stage_id, key__in=keys)
    later = played_at.replace(second=0, microsecond=0) + MINUTE
    sheets = Scoresheet.objects.filter(
        state=SheetState.CONFIRMED, conclusion=Conclusion.PLAYED, played_at__gte=later
    ).filter(Q(match__fixture__in=feeds) | Q(match__board__fixture__in=feeds))
    return sheets.exists()
