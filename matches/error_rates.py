"""The error rates of both sides of a match, in thousandths, as an analysis of the match gives them."""

from django.utils.translation import gettext as _

from matches.models import MOST_ERROR_RATE, Match
from players.errors import Refusal

Rates = tuple[int, int]


def rates_of(match: Match) -> Rates | None:
    """Return the rates of side A and side B; None while they are not known."""
    return None if match.rate_a is None or match.rate_b is None else (match.rate_a, match.rate_b)


def write_rate(rate: int) -> str:
    """Write a rate in thousandths as analyses do, with three decimals: 4350 is 4.350."""
    return f"{rate // 1000}.{rate % 1000:03}"


def keep_error_rates(match: Match, rates: Rates | None) -> None:
    """Store the rates of the locked match, or forget them. Raises Refusal for a rate that no analysis gives."""
    if rates is not None and not all(0 <= rate <= MOST_ERROR_RATE for rate in rates):
        raise Refusal(
            "error_rate_out_of_range", _("An error rate is from 0 to %(most)s.") % {"most": MOST_ERROR_RATE // 1000}
        )
    match.rate_a, match.rate_b = rates or (None, None)
    match.save(update_fields=["rate_a", "rate_b"])
