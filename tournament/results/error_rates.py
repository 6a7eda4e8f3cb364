"""The error rates of a match, where the lower one is a second win: typed in once the match is analysed."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from matches.error_rates import Rates, keep_error_rates, rates_of
from matches.models import Conclusion, Match, SheetState
from matches.services import lock_sheets
from players.errors import Conflict, Refusal
from players.models import User
from tournament.changes.record import record_change, require_running
from tournament.draw.advance import advance
from tournament.draw.steps import lock_fixture, place_details
from tournament.formats import parse_options
from tournament.formats.rate_points import gives_rate_point


@transaction.atomic
def set_error_rates(match: Match, *, rates: Rates | None, by: User | None, at: datetime) -> None:
    """Set or correct the error rates of both sides, in thousandths; None forgets them. The same again changes nothing.

    Rounds that nobody has begun are paired again. Raises Refusal in a stage where rates do not count, or for a rate
    that no analysis gives, and Conflict for a match that was not played or has no confirmed result.
    """
    event, fixture, at = lock_fixture(match, at)
    require_running(event)
    if not gives_rate_point(parse_options(fixture.stage.format, fixture.stage.options)):
        raise Refusal("rates_not_counted", _("In this stage, error rates do not count."))
    sheets = lock_sheets(match)
    never_began = (Conclusion.WALKOVER, Conclusion.VOID)
    sheet = sheets.current
    if sheet is None or sheet.state != SheetState.CONFIRMED or sheet.conclusion in never_began:
        raise Conflict(
            "match_not_played", _("Error rates are for a match that has been played and has a confirmed result.")
        )
    before = rates_of(sheets.match)
    if rates == before:
        return
    keep_error_rates(sheets.match, rates)
    advance(event, fixture.stage, by=by, at=at)
    said = {"match": match.pk, "rates": rates and list(rates), "before": before and list(before)}
    record_change(event, verb="set_error_rates", by=by, at=at, **place_details(fixture, match), **said)
