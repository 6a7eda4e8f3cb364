"""The division of a prize pool: the part of it that each ranking is paid, and by which table."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from rules.errors import gettext_noop
from tournament.prizes.errors import MoneyError
from tournament.prizes.pool import WHOLE
from tournament.prizes.rounding import ROUNDINGS, apportion
from tournament.prizes.tables import PrizeTable

EACH_GROUP = "groups"
"""Stands in place of a section if every group, or jackpot, is paid its own entrants' fees."""

MAX_SHARES = 8


@dataclass(frozen=True, slots=True)
class Share:
    """The part of the pool, in ``basis_points``, paid by ``table`` to the ranking of a ``section`` ("": the field)."""

    section: str
    basis_points: int
    table: PrizeTable


@dataclass(frozen=True, slots=True)
class PayoutPlan:
    """The shares of the pool, and how prizes are rounded: by which method, to multiples of ``step`` smallest units."""

    shares: tuple[Share, ...] = (Share("", WHOLE, PrizeTable()),)
    step: int = 1
    rounding: str = "largest-remainder"

    def check(self) -> None:
        """Check the shares and the rounding.

        Raises MoneyError if the shares are not the whole pool, name a section twice, or combine groups with others.
        """
        sections = [share.section for share in self.shares]
        if not 1 <= len(sections) <= MAX_SHARES or len(set(sections)) != len(sections):
            raise MoneyError("section_twice", gettext_noop("Name each ranking once."))
        if EACH_GROUP in sections and len(sections) > 1:
            raise MoneyError(
                "groups_and_more", gettext_noop("If every group has its own pool, nothing else can be paid from it.")
            )
        if (
            min(share.basis_points for share in self.shares) < 0
            or sum(share.basis_points for share in self.shares) != WHOLE
        ):
            raise MoneyError("parts_not_whole", gettext_noop("The shares of the pool must add up to 100 percent."))
        if not 1 <= self.step <= 10**9:
            raise MoneyError(
                "step_invalid", gettext_noop("Prizes must be rounded to the smallest unit or to a larger step.")
            )
        if self.rounding not in ROUNDINGS:
            raise MoneyError(
                "rounding_unknown",
                gettext_noop("There is no rounding rule called “%(slug)s”."),
                slug=self.rounding[:30],
            )
        for share in self.shares:
            share.table.check()

    @property
    def is_by_group(self) -> bool:
        return self.shares[0].section == EACH_GROUP

    def amounts(self, pool: int, sections: Collection[str] | None) -> tuple[tuple[Share, int], ...]:
        """Divide the pool: return each share with its part; the parts add up to the pool.

        ``sections`` are those that are played, None while that is not known. The part of a section that is not played
        goes to the first share.
        """
        played = [
            replace(share, basis_points=share.basis_points if self._is_played(share, sections) else 0)
            for share in self.shares
        ]
        lost = WHOLE - sum(share.basis_points for share in played)
        played[0] = replace(played[0], basis_points=played[0].basis_points + lost)
        weights = [share.basis_points for share in played]
        parts = apportion(pool, weights, step=self.step, rounding=self.rounding)
        return tuple(
            (share, part) for share, part in zip(self.shares, parts, strict=True) if self._is_played(share, sections)
        )

    def _is_played(self, share: Share, sections: Collection[str] | None) -> bool:
        return share is self.shares[0] or sections is None or share.section in sections

    def prizes(self, share: Share, amount: int, *, field: int, places: int) -> tuple[int, ...]:
        """Compute what the places of a share are paid, first place first."""
        return share.table.prizes(amount, field=field, places=places, step=self.step, rounding=self.rounding)

    def as_dict(self) -> dict[str, object]:
        """Return the plan as it is stored."""
        return {
            "shares": [
                {"section": share.section, "basis_points": share.basis_points, "table": share.table.as_dict()}
                for share in self.shares
            ],
            "step": self.step,
            "rounding": self.rounding,
        }

    @classmethod
    def parse(cls, stored: Mapping[str, object]) -> PayoutPlan:
        """Read what :meth:`as_dict` has written. Raises MoneyError.

        Without any content the whole pool is paid by the template for knockouts.
        """
        if not stored:
            return cls()
        lines = stored.get("shares")
        shares = []
        for line in lines if isinstance(lines, Sequence) else ():
            table, part = line.get("table", {}), line.get("basis_points", 0)
            shares.append(
                Share(str(line.get("section", "")), part if type(part) is int else -1, PrizeTable.parse(table))
            )
        step = stored.get("step", 1)
        plan = cls(tuple(shares), step if type(step) is int else 0, str(stored.get("rounding", "largest-remainder")))
        plan.check()
        return plan
