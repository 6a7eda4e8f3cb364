"""The table of titles of a body as plain data: read, checked and written again."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from players.performance.norms import BotNorm
from players.performance.titles import Title, TitleTable

MOST_TITLES, MOST_NORMS, MOST_POINTS, MOST_MONTHS = 12, 30, 100_000, 120
MOST_RATING = Decimal(100)
MAX_CODE, MAX_TITLE = 12, 60
FLAGS = ("clocked", "sanction", "members")
NAMES = ("titles", "least", "shortest", "window", "months", "norm", *FLAGS)
TITLE_NAMES = ("code", "name", "pr", "norms")
NORM_NAMES = ("kind", "matches", "below", "shortest", "months", "most")


class TableError(ValueError):
    """A table that there cannot be; ``name`` is the rule at fault."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


def read_table(rules: object) -> TitleTable:
    """Return the table that the data hold. Raises TableError."""
    told = _mapping(rules, NAMES, "titles")
    titles = told.get("titles")
    if not isinstance(titles, list) or not 1 <= len(titles) <= MOST_TITLES:
        raise TableError("titles")
    found = tuple(_title(one) for one in titles)
    limits = [title.limit for title in found if title.limit is not None]
    if len({title.code for title in found}) < len(found) or limits != sorted(limits):
        raise TableError("titles")
    return TitleTable(
        slug="",
        name="",
        source="",
        verified=False,
        titles=found,
        least=_number(told, "least", 0, MOST_POINTS, default=0),
        shortest=_number(told, "shortest", 1, MOST_POINTS, default=1),
        window=None if told.get("window") is None else _number(told, "window", 1, MOST_POINTS),
        months=None if told.get("months") is None else _number(told, "months", 1, MOST_MONTHS),
        norm=None if told.get("norm") is None else _norm(told["norm"]),
        **{name: _flag(told, name) for name in FLAGS},
    )


def write_table(table: TitleTable) -> dict[str, Any]:
    """Return the table as plain data, every rule written out."""
    titles = [
        {"code": one.code, "name": one.name, "pr": None if one.limit is None else str(one.limit), "norms": one.norms}
        for one in table.titles
    ]
    norm = table.norm and {name: getattr(table.norm, name) for name in NORM_NAMES}
    if norm:
        norm["below"] = str(norm["below"])
    rest = {name: getattr(table, name) for name in ("least", "shortest", "window", "months", *FLAGS)}
    return {"titles": titles, "norm": norm, **rest}


def _title(told: object) -> Title:
    row = _mapping(told, TITLE_NAMES, "titles")
    code, name = _text(row, "code", MAX_CODE, "titles"), _text(row, "name", MAX_TITLE, "titles")
    limit = None if row.get("pr") is None else _rating(row["pr"], "titles")
    norms = _number(row, "norms", 0, MOST_NORMS, default=0, at="titles")
    if code != code.upper() or (limit is None and not norms):
        raise TableError("titles")
    return Title(code, name, limit, norms)


def _norm(told: object) -> BotNorm:
    row, usual = _mapping(told, NORM_NAMES, "norm"), BotNorm()
    kind = _text({"kind": usual.kind, **row}, "kind", MAX_CODE, "norm")
    if kind != kind.upper():
        raise TableError("norm")
    return BotNorm(
        matches=_number(row, "matches", 1, 100, default=usual.matches, at="norm"),
        below=_rating(row.get("below", str(usual.below)), "norm"),
        shortest=_number(row, "shortest", 1, MOST_POINTS, default=usual.shortest, at="norm"),
        months=_number(row, "months", 1, MOST_MONTHS, default=usual.months, at="norm"),
        most=_number(row, "most", 1, MOST_NORMS, default=usual.most, at="norm"),
        kind=kind,
    )


def _mapping(told: object, names: tuple[str, ...], at: str) -> Mapping[str, Any]:
    if not isinstance(told, Mapping) or not all(name in names for name in told):
        raise TableError(at)
    return told


def _text(row: Mapping[str, Any], name: str, most: int, at: str) -> str:
    text = row.get(name)
    if not isinstance(text, str) or not 0 < len(text) <= most or text != text.strip() or not text.isprintable():
        raise TableError(at)
    return text


def _number(row: Mapping[str, Any], name: str, least: int, most: int, *, default: int = 0, at: str = "") -> int:
    value = row.get(name, default)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise TableError(at or name)
    return value


def _rating(value: object, at: str) -> Decimal:
    """Return the rating, which has three decimal places at most."""
    try:
        rating = Decimal(value) if isinstance(value, str) and len(value) <= 12 else Decimal("NaN")
        is_one = rating.is_finite() and 0 < rating <= MOST_RATING and rating == rating.quantize(Decimal("0.001"))
    except InvalidOperation as error:
        raise TableError(at) from error
    if not is_one:
        raise TableError(at)
    return rating


def _flag(row: Mapping[str, Any], name: str) -> bool:
    value = row.get(name, True)
    if not isinstance(value, bool):
        raise TableError(name)
    return value
