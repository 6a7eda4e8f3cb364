"""Payout tables: what each place is paid, by percentages, fixed amounts, or a template for the size of the field."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rules.errors import gettext_noop
from tournament.prizes.errors import MoneyError
from tournament.prizes.pool import WHOLE
from tournament.prizes.rounding import apportion

MAX_PLACES = 64


@dataclass(frozen=True, slots=True)
class Template:
    """A table that follows the size of the field: ``weights`` takes the size and gives shares, first place first."""

    name: str
    description: str
    weights: Callable[[int], tuple[int, ...]]


KNOCKOUT: tuple[tuple[int, tuple[int, ...]], ...] = (
    (64, (34, 20, 11, 11, *(4,) * 4, *(1,) * 8)),
    (32, (40, 22, 11, 11, *(4,) * 4)),
    (16, (50, 25, 12, 12)),
    (8, (65, 35)),
    (1, (100,)),
)
"""The weights of a knockout, by the number of entrants from which they apply; losers of one round get the same."""


def knockout_weights(entrants: int) -> tuple[int, ...]:
    return next((weights for least, weights in KNOCKOUT if entrants >= least), (100,))


def graded_weights(places: int) -> tuple[int, ...]:
    """Return 5, 4, 3, 2, 1 for five places: the last is paid one share, and each above it one share more."""
    places = min(MAX_PLACES, max(1, places))
    return tuple(range(places, 0, -1))


TEMPLATES: dict[str, Template] = {
    "winner": Template(
        gettext_noop("Winner takes all"), gettext_noop("First place takes the whole pool."), lambda entrants: (1,)
    ),
    "two": Template(gettext_noop("First two"), gettext_noop("Two thirds and one third."), lambda entrants: (2, 1)),
    "knockout": Template(
        gettext_noop("Knockout rounds"),
        gettext_noop(
            "The winner; from 8 entrants both finalists, from 16 the semifinalists, then one more round from 32 and "
            "another from 64."
        ),
        knockout_weights,
    ),
    "eighth": Template(
        gettext_noop("One in eight"),
        gettext_noop(
            "An eighth of the field is paid: the last place paid gets one share, and each place above it "
            "one share more."
        ),
        lambda entrants: graded_weights(entrants // 8),
    ),
    "quarter": Template(
        gettext_noop("One in four"),
        gettext_noop(
            "A quarter of the field is paid: the last place paid gets one share, and each place above it "
            "one share more."
        ),
        lambda entrants: graded_weights(entrants // 4),
    ),
}
"""The tables that follow the size of the field, by the slug that is stored."""


@dataclass(frozen=True, slots=True)
class PrizeTable:
    """What each place is paid; ``kind`` is a key of :data:`TABLES`.

    ``values`` are basis points or amounts, first place first.
    """

    kind: str = "template"
    template: str = "knockout"
    values: tuple[int, ...] = ()

    def check(self) -> None:
        """Check the table. Raises MoneyError if it pays nobody, too many places, or not the whole amount."""
        if self.kind == "template":
            if self.template not in TEMPLATES:
                raise MoneyError(
                    "template_unknown", gettext_noop("There is no payout table “%(slug)s”."), slug=self.template[:30]
                )
            return
        if self.kind not in TABLES:
            raise MoneyError(
                "table_unknown", gettext_noop("“%(slug)s” is not a kind of payout table."), slug=self.kind[:30]
            )
        if not 1 <= len(self.values) <= MAX_PLACES or min(self.values) < 0 or not any(self.values):
            raise MoneyError("table_empty", gettext_noop("A payout table pays 1 to %(most)s places."), most=MAX_PLACES)
        if self.kind == "percent" and sum(self.values) != WHOLE:
            raise MoneyError(
                "percent_not_whole",
                gettext_noop(
                    "The percentages of a payout table must add up to 100; these add up to %(whole)s.%(part)s."
                ),
                whole=sum(self.values) // 100,
                part=f"{sum(self.values) % 100:02}",
            )

    def prizes(self, amount: int, *, field: int, places: int, step: int, rounding: str) -> tuple[int, ...]:
        """Compute what each place is paid, first place first; the prizes add up to the amount.

        ``field`` is the number of entrants, which a template goes by. Only so many ``places`` are there to be taken;
        the shares of further places go to these. Raises MoneyError, also if fixed prizes are more than the amount.
        """
        self.check()
        return TABLES[self.kind](self, amount, field, max(1, places), step, rounding)

    def as_dict(self) -> dict[str, object]:
        """Return the table as it is stored."""
        if self.kind == "template":
            return {"kind": self.kind, "template": self.template}
        return {"kind": self.kind, "values": list(self.values)}

    @classmethod
    def parse(cls, stored: Mapping[str, object]) -> PrizeTable:
        """Read what :meth:`as_dict` has written. Raises MoneyError."""
        values = stored.get("values", [])
        whole = isinstance(values, Sequence) and all(type(value) is int for value in values)
        table = cls(
            kind=str(stored.get("kind", "template")),
            template=str(stored.get("template", "knockout")),
            values=tuple(values) if whole and isinstance(values, Sequence) else (),
        )
        table.check()
        return table


def _by_weights(weights: Sequence[int], amount: int, places: int, step: int, rounding: str) -> tuple[int, ...]:
    taken = weights[:places]
    return apportion(amount, taken if any(taken) else (1,), step=step, rounding=rounding)


def _template(table: PrizeTable, amount: int, field: int, places: int, step: int, rounding: str) -> tuple[int, ...]:
    return _by_weights(TEMPLATES[table.template].weights(field), amount, places, step, rounding)


def _percent(table: PrizeTable, amount: int, field: int, places: int, step: int, rounding: str) -> tuple[int, ...]:
    return _by_weights(table.values, amount, places, step, rounding)


def _fixed(table: PrizeTable, amount: int, field: int, places: int, step: int, rounding: str) -> tuple[int, ...]:
    """Pay the amounts as they are, and whatever is left over to first place as well."""
    values = table.values[:places]
    over = amount - sum(values)
    if over < 0:
        raise MoneyError("fixed_above_pool", gettext_noop("The fixed prizes add up to more than the pool."))
    return (values[0] + over, *values[1:])


TABLES: dict[str, Callable[[PrizeTable, int, int, int, int, str], tuple[int, ...]]] = {
    "template": _template,
    "percent": _percent,
    "fixed": _fixed,
}
"""The kinds of payout table, by the name that is stored."""
