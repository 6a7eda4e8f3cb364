"""Why ratings come out otherwise than an official list has them: a reason has to cover the size of its difference."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from players.lists.numbers import number_from, whole_from
from players.lists.played import Unread
from players.lists.starts import Listed
from players.lists.values import Effect, Standing, Start
from players.ratings import Rating, RatingSystem
from players.registry.names import in_order
from players.services import fold_name

EXACT = Decimal("0.01")
"""The difference up to which two ratings are the same; half of the last digit, if the list shows fewer."""
ORDERS: Mapping[str, str | Promise] = {
    "reversed": gettext_lazy("It comes out the same with the matches of each day in the opposite order."),
    "told": gettext_lazy("It comes out the same with the matches of each day in the order of their times and rounds."),
}
"""The orders of the matches of a day that are tried besides that of the file, and what is said if one is right."""
SLACK = 2
"""How much further apart two ratings may have been when their players met than they are at the end."""
FAR = 5000
"""So far from a newcomer is nobody: what a match against them gives is the most that one can give."""
MOST_NAMED = 3

Reason = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Difference:
    """A player whose rating comes out otherwise: ``ours`` is None for one who is in none of the other files."""

    row: int
    name: str
    number: str
    theirs: Decimal
    ours: Decimal | None
    code: str
    why: str

    @property
    def by(self) -> Decimal | None:
        return None if self.ours is None else self.ours - self.theirs


@dataclass(frozen=True, slots=True)
class Replayed:
    """A season as it was replayed: each match, everybody's standing, and their standings with other orders tried."""

    system: RatingSystem
    effects: Sequence[Effect]
    standings: Mapping[int, Standing]
    others: Mapping[str, Mapping[int, Standing]]

    @property
    def players(self) -> set[int]:
        """Everybody who played."""
        return {player for one in self.effects for player in (one.counted.winner, one.counted.loser)}


@dataclass(frozen=True, slots=True)
class _Compared:
    """A row of the official list with what was replayed for its player."""

    player: int
    row: Listed
    theirs: Decimal
    ours: Decimal | None

    @property
    def is_same(self) -> bool:
        return self.ours is not None and _are_same(self.row, self.theirs, self.ours)

    @property
    def size(self) -> float:
        return 0.0 if self.ours is None else abs(float(self.ours - self.theirs))


class Judge:
    """Says why ratings came out otherwise: the first reason that holds and can make so large a difference."""

    def __init__(
        self,
        replayed: Replayed,
        starts: Mapping[int, Start],
        names: Mapping[int, str],
        unread: Sequence[Unread],
        *,
        has_starts: bool,
    ) -> None:
        self.replayed, self.starts, self.names, self.has_starts = replayed, starts, names, has_starts
        self.unread: dict[str, int] = {}
        for row in unread:
            for key in (*row.numbers, *map(_folded, row.names)):
                self.unread.setdefault(key, row.row)
        self.sizes: dict[int, float] = {}
        self.roots: dict[int, tuple[int, ...]] = {}
        self.order = ""

    def compare(self, theirs: Iterable[tuple[int, Listed]]) -> tuple[int, list[Difference]]:
        """Return how many ratings are the same, and the differences in the order of the list."""
        compared = [
            _Compared(player, row, value, _value(self.replayed.standings.get(player)))
            for player, row in theirs
            if (value := number_from(row.value)) is not None
        ]
        otherwise = [one for one in compared if not one.is_same]
        self.sizes = {one.player: one.size for one in otherwise if one.ours is not None}
        self.order = self._best_order(compared, len(compared) - len(otherwise))
        # A cause differs more than what it causes: it is judged first.
        found = {one.row.row: self._reason(one) for one in sorted(otherwise, key=lambda one: (-one.size, one.player))}
        return len(compared) - len(otherwise), [
            Difference(one.row.row, one.row.name, one.row.number, one.theirs, one.ours, *found[one.row.row])
            for one in otherwise
        ]

    def _best_order(self, compared: Sequence[_Compared], same: int) -> str:
        """Return the order with which more ratings are the same than with that of the file; none with ""."""
        counts = {
            name: sum(self._is_same_with(name, one) for one in compared)
            for name in ORDERS
            if name in self.replayed.others
        }
        best = max(counts, key=lambda name: counts[name], default="")
        return best if counts.get(best, 0) > same else ""

    def _is_same_with(self, order: str, one: _Compared) -> bool:
        ours = _value(self.replayed.others[order].get(one.player))
        return ours is not None and _are_same(one.row, one.theirs, ours)

    def _reason(self, one: _Compared) -> Reason:
        standing = self.replayed.standings.get(one.player)
        unread = self._unread(one.row)
        if standing is None:
            return unread or ("not_here", _("They are in neither the start list nor the results."))
        theirs = whole_from(one.row.experience) if one.row.experience else None
        points = None if theirs is None else theirs - standing.rating.experience
        is_new, covers = one.player not in self.starts, points is not None and self._covers(points, one.size)
        if unread and (covers or points is None):
            return unread
        if self.order and self._is_same_with(self.order, one):
            return "order", str(ORDERS[self.order])
        if is_new and points and points > 0:
            return "no_start", f"{self._why_new()} {_why_points(points)}"
        if points and covers:
            return "experience", _why_points(points)
        return self._opponents(one) or self._orders(one) or self._unexplained(is_new and points is None)

    def _unexplained(self, may_be_start: bool) -> Reason:
        if may_be_start:
            return "no_start", self._why_new()
        return "unexplained", _("No reason was found: compare this rating, and the numbers of the rating system.")

    def _why_new(self) -> str:
        if self.has_starts:
            return _("They are not on the start list, so they began here as a newcomer.")
        return _("There is no start list, so they began here as a newcomer.")

    def _unread(self, row: Listed) -> Reason | None:
        key = row.number if row.number in self.unread else _folded(row.name)
        if not key or key not in self.unread:
            return None
        why = _("Row %(row)s of the results, which names them, could not be read.")
        return "row_unread", why % {"row": self.unread[key]}

    def _covers(self, points: int, size: float) -> bool:
        """Whether matches over so many points can move a rating so far."""
        return size <= abs(points) * self._most_for_a_point

    @cached_property
    def _most_for_a_point(self) -> float:
        system = self.replayed.system
        low, high = (system.starting(system.start + far) for far in (-FAR, FAR))
        won, lost = system.rate_match(low, high, 1)
        return max(abs(won.value - low.value), abs(lost.value - high.value))

    def _opponents(self, one: _Compared) -> Reason | None:
        """Return whom they met whose ratings differ more, if that moves theirs so far, and with whom it began."""
        moved = {other: by for other, by in self._moved.get(one.player, {}).items() if self.sizes[other] > one.size}
        named, left = list[int](), one.size
        for other in sorted(moved, key=lambda other: (-moved[other], other)):
            named.append(other)
            left -= SLACK * moved[other]
            if left <= 0:
                break
        if left > 0:
            return None
        named = named[:MOST_NAMED]
        began = dict.fromkeys(root for other in named for root in self.roots.get(other, (other,)))
        self.roots[one.player] = tuple(began)
        why = _("They met players whose ratings differ: %(names)s.") % {"names": self._names(named)}
        earlier = [root for root in began if root not in named]
        if earlier:
            why += " " + _("It began with %(names)s.") % {"names": self._names(earlier[:MOST_NAMED])}
        return "opponent", why

    @cached_property
    def _moved(self) -> dict[int, dict[int, float]]:
        """By how much the difference of each opponent moves the rating of a player, for all who differ."""
        found: dict[int, dict[int, float]] = {}
        for effect in self.replayed.effects:
            winner, loser = effect.counted.winner, effect.counted.loser
            if winner in self.sizes and loser in self.sizes:
                for player, other in ((winner, loser), (loser, winner)):
                    by = self._moved_in(effect, other, self.sizes[other])
                    of_player = found.setdefault(player, {})
                    of_player[other] = of_player.get(other, 0) + by
        return found

    def _moved_in(self, effect: Effect, other: int, by: float) -> float:
        """Return by how much the match moves a player otherwise if the other's rating is so much higher or lower."""
        counted = effect.counted
        won = self._rating(counted.winner, effect.winner_before)
        lost = self._rating(counted.loser, effect.loser_before)
        side = 0 if other == counted.loser else 1

        def after(shift: float) -> float:
            pair = (
                (won, replace(lost, value=lost.value + shift))
                if side == 0
                else (replace(won, value=won.value + shift), lost)
            )
            return self.replayed.system.rate_match(*pair, counted.length)[side].value

        middle = after(0)
        return max(abs(after(by) - middle), abs(after(-by) - middle))

    def _rating(self, player: int, value: float) -> Rating:
        start = self.starts.get(player)
        return self.replayed.system.starting(value, experience=start.experience if start else 0)

    def _names(self, players: Iterable[int]) -> str:
        return ", ".join(self.names[player] for player in players)

    def _orders(self, one: _Compared) -> Reason | None:
        """Return between what the order of the matches of a day leaves the rating, if that has the official one."""
        tried = (_value(standings.get(one.player)) for standings in self.replayed.others.values())
        values = [value for value in (one.ours, *tried) if value is not None]
        low, high = min(values), max(values)
        allowed = _tolerance(one.row.value)
        if low == high or not low - allowed <= one.theirs <= high + allowed:
            return None
        why = _(
            "The order of the matches of a day, which the file may not say, leaves it between %(low)s and %(high)s."
        )
        return "order", why % {"low": number_format(low, 2), "high": number_format(high, 2)}


def _value(standing: Standing | None) -> Decimal | None:
    return None if standing is None else Decimal(standing.rating.value).quantize(Decimal("0.0001"))


def _folded(name: str) -> str:
    return fold_name(in_order(name))


def _why_points(points: int) -> str:
    sentence = (
        ngettext(
            "Their list counts %(points)s point of experience more than the results have.",
            "Their list counts %(points)s points of experience more than the results have.",
            points,
        )
        if points > 0
        else ngettext(
            "The results have %(points)s point of experience more than their list counts.",
            "The results have %(points)s points of experience more than their list counts.",
            -points,
        )
    )
    return sentence % {"points": abs(points)}


def _are_same(row: Listed, one: Decimal, other: Decimal) -> bool:
    return abs(one - other) <= _tolerance(row.value)


def _tolerance(text: str) -> Decimal:
    """Return half of the last digit that the text shows, and one hundredth at least."""
    _whole, _point, digits = text.strip().replace(",", ".").rpartition(".")
    shown = len(digits) if "." in text.replace(",", ".") else 0
    return max(EXACT, Decimal(1).scaleb(-shown) / 2)
