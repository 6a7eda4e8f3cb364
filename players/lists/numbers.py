"""Ratings and experience as people and programs write them."""

import re
from decimal import Decimal, InvalidOperation

from django.utils.translation import gettext as _

MOST_VALUE = 100_000
_GROUPED = re.compile(r"[+-]?\d{1,3}(?:(?:,\d{3})+\.|(?:\.\d{3})+,)\d+", re.ASCII)
_EITHER = re.compile(r"[+-]?[1-9]\d{0,2}[.,]\d{3}", re.ASCII)


def number_from(text: str) -> Decimal | None:
    """Return the rating that the text says; None if it says none, or may say two.

    The decimal sign is a point or a comma; where both stand, the last of them, and the other stands between thousands.
    """
    written = _plain(text)
    if _is_either(written):
        return None
    if _GROUPED.fullmatch(written):
        written = written.replace("," if written.rindex(".") > written.rindex(",") else ".", "")
    if "," in written and "." not in written:
        written = written.replace(",", ".")
    try:
        value = Decimal(written).quantize(Decimal("0.0001"))
    except InvalidOperation:
        return None
    return value if value.is_finite() and abs(value) <= MOST_VALUE else None


def why_no_number(text: str) -> str:
    """Say why the text is no rating."""
    written = _plain(text)
    if not _is_either(written):
        return _("“%(text)s” is not a rating.") % {"text": text[:20]}
    numbers = {"whole": re.sub("[.,]", "", written), "decimal": written.replace(",", ".")}
    return _(
        "“%(text)s” may be %(whole)s or %(decimal)s: write it without a sign between thousands, or with other decimals."
    ) % {"text": text[:20], **numbers}


def whole_from(text: str) -> int | None:
    """Return the experience that the text says; None if it says none."""
    written = _plain(text)
    return int(written) if written.isascii() and written.isdecimal() and len(written) < 8 else None


def _plain(text: str) -> str:
    return re.sub(r"[\s'’]", "", text)


def _is_either(written: str) -> bool:
    """Whether a sign before three digits may stand between thousands or be the decimal one, as in 1.103."""
    return _EITHER.fullmatch(written) is not None and abs(int(re.sub("[.,]", "", written))) <= MOST_VALUE
