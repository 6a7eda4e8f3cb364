"""Why two meet in a Swiss, why somebody is free, and what a director should know before a round is published."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rules.errors import gettext_noop
from tournament.formats.pairing import Player, Within
from tournament.formats.plan import Entrant, Reason

WITHIN = {
    "random": gettext_noop("Both stand at %(record)s; among equals the lot decided."),
    Within.FOLD: gettext_noop("Both stand at %(record)s; among equals the first meets the last."),
    Within.SLIDE: gettext_noop("Both stand at %(record)s; among equals the upper half meets the lower half in order."),
    Within.NEIGHBOURS: gettext_noop("Both stand at %(record)s; among equals neighbours in the order meet."),
}


@dataclass(frozen=True, slots=True)
class Paired:
    """A round as it was paired: who was there, how, and what is needed to say why.

    ``records`` are wins and losses as text, byes counted as wins; ``last_met`` says in which round two last met.
    """

    round: int
    way: str
    players: Mapping[int, Player]
    entrants: Mapping[int, Entrant]
    records: Mapping[int, str]
    last_met: Mapping[frozenset[int], int]

    def why_pair(self, a: int, b: int) -> Reason:
        """Why ``a``, whose record is not the worse one, meets ``b``."""
        one, other = self.players[a], self.players[b]
        names = (("name", self.entrants[a].name), ("other", self.entrants[b].name))
        if other.id in one.met:
            return Reason(
                "rematch",
                gettext_noop(
                    "%(name)s and %(other)s have met before: without this, this round could not be paired "
                    "or others would have to meet again."
                ),
                names,
            )
        if one.score != other.score:
            return self._why_float(one, other)
        return Reason(f"same_record_{self.way}", WITHIN[self.way], (("record", self.records[a]),))

    def _why_float(self, one: Player, other: Player) -> Reason:
        params = (
            ("name", self.entrants[one.id].name),
            ("record", self.records[one.id]),
            ("other", self.entrants[other.id].name),
            ("other_record", self.records[other.id]),
        )
        above = sum(player.score > other.score for player in self.players.values())
        if above % 2:
            return Reason(
                "float_odd",
                gettext_noop(
                    "%(name)s (%(record)s) meets %(other)s (%(other_record)s): an odd number of players have "
                    "better records, so that one of them meets somebody below."
                ),
                params,
            )
        return Reason(
            "float_met",
            gettext_noop(
                "%(name)s (%(record)s) meets %(other)s (%(other_record)s): nearer records could not be paired without "
                "a rematch or a second bye."
            ),
            params,
        )

    def why_bye(self, free: int) -> Reason:
        """Why ``free`` has no opponent."""
        player = self.players[free]
        params = (("name", self.entrants[free].name), ("round", self.round), ("record", self.records[free]))
        if not any(self._may_meet(player, other) for other in self.players.values()):
            return Reason(
                "bye_nobody_left",
                gettext_noop("%(name)s is free in round %(round)s: nobody else is here whom he may meet."),
                params,
            )
        if player.byes > self._fewest_byes:
            return Reason(
                "bye_again",
                gettext_noop(
                    "%(name)s is free in round %(round)s once more: with a bye for anybody who has had fewer, "
                    "others would have to meet again."
                ),
                params,
            )
        if any(other.byes == player.byes and other.score < player.score for other in self.players.values()):
            return Reason(
                "bye_better_record",
                gettext_noop(
                    "%(name)s (%(record)s) is free in round %(round)s: with a bye for a worse record, "
                    "others would have to meet again."
                ),
                params,
            )
        return Reason(
            "bye_worst_record",
            gettext_noop(
                "%(name)s (%(record)s) is free in round %(round)s, which counts as a win: the worst record among "
                "those with the fewest byes."
            ),
            params,
        )

    @property
    def _fewest_byes(self) -> int:
        return min(player.byes for player in self.players.values())

    @staticmethod
    def _may_meet(one: Player, other: Player) -> bool:
        return one.id != other.id and one.persons.isdisjoint(other.persons)

    def notes(self, pairs: Sequence[tuple[int, int]], byes: Sequence[int]) -> list[Reason]:
        """Which rules this round breaks, because it cannot be paired without."""
        notes = []
        for a, b in pairs:
            if b in self.players[a].met:
                notes.append(
                    Reason(
                        "rematch",
                        gettext_noop("Round %(round)s: %(name)s and %(other)s meet again, as in round %(met)s."),
                        (
                            ("round", self.round),
                            ("name", self.entrants[a].name),
                            ("other", self.entrants[b].name),
                            ("met", self.last_met.get(frozenset((a, b)), 0)),
                        ),
                    )
                )
        notes += [self.why_bye(free) for free in byes if self.players[free].byes > self._fewest_byes]
        return notes
