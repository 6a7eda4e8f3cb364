"""The sentences about a Swiss round: why two players meet, why one is free, and what a director should know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rules.errors import gettext_noop
from tournament.formats.pairing import Contender, Within
from tournament.formats.plan import Reason

LOT = "lot"

SAME_RECORD: Mapping[str, str] = {
    LOT: gettext_noop("Both have a record of %(record)s; among equals the draw decided."),
    Within.FOLD: gettext_noop("Both have a record of %(record)s; among equals the first meets the last."),
    Within.SLIDE: gettext_noop(
        "Both have a record of %(record)s; within each group with the same record, the top half plays the bottom "
        "half in order."
    ),
    Within.NEIGHBOURS: gettext_noop("Both have a record of %(record)s; among equals neighbours in the order meet."),
}


@dataclass(frozen=True, slots=True)
class RoundWords:
    """A round as paired, and the sentences about it.

    ``players``, their ``names`` and their ``records`` (wins and losses as text, byes among the wins) are by entry id.
    ``last_met`` says in which round two met last, 0 in an earlier stage. ``free`` have a bye. With ``byes_first`` byes
    were shared before rematches were avoided.
    """

    round: int
    way: str
    players: Mapping[int, Contender]
    names: Mapping[int, str]
    records: Mapping[int, str]
    last_met: Mapping[frozenset[int], int]
    free: Sequence[int]
    byes_first: bool = False

    def why_pair(self, a: int, b: int) -> Reason:
        """Return why ``a``, whose record is no worse, meets ``b``."""
        one, other = self.players[a], self.players[b]
        if b in one.met:
            return self._why_rematch(a, b)
        if one.score != other.score:
            return self._why_float(one, other)
        shared = next((word for word, same in zip(one.apart, other.apart, strict=True) if word and word == same), None)
        if shared:
            return Reason(
                "same_record_together",
                gettext_noop(
                    "Both have a record of %(record)s; both belong to “%(shared)s”, which could not be avoided among "
                    "equals."
                ),
                (("record", self.records[a]), ("shared", shared)),
            )
        return Reason(f"same_record_{self.way}", SAME_RECORD[self.way], (("record", self.records[a]),))

    def _why_rematch(self, a: int, b: int) -> Reason:
        met = self.last_met[frozenset((a, b))]
        params = (("round", self.round), ("name", self.names[a]), ("other", self.names[b]), ("met", met))
        if self.byes_first and self.free:
            return Reason(
                "rematch_or_bye",
                gettext_noop(
                    "%(name)s and %(other)s meet again in round %(round)s: the round cannot be paired with fewer "
                    "rematches, unless somebody has another bye before everyone has had as many."
                ),
                params,
            )
        if met == 0:
            return Reason(
                "rematch_of_stage",
                gettext_noop(
                    "%(name)s and %(other)s meet again in round %(round)s, as in an earlier stage: "
                    "the round cannot be paired with fewer rematches."
                ),
                params,
            )
        return Reason(
            "rematch",
            gettext_noop(
                "%(name)s and %(other)s meet again in round %(round)s, as in round %(met)s: "
                "the round cannot be paired with fewer rematches."
            ),
            params,
        )

    def _why_float(self, one: Contender, other: Contender) -> Reason:
        params = (
            ("name", self.names[one.id]),
            ("record", self.records[one.id]),
            ("other", self.names[other.id]),
            ("other_record", self.records[other.id]),
        )
        playing = [player.score for player in self.players.values() if player.id not in self.free]
        between = any(one.score > score > other.score for score in playing)
        if not between and sum(score > other.score for score in playing) % 2:
            return Reason(
                "float_odd",
                gettext_noop(
                    "%(name)s (%(record)s) meets %(other)s (%(other_record)s): an odd number of players have "
                    "better records than %(other)s, so one of them meets somebody below."
                ),
                params,
            )
        return Reason(
            "float_met",
            gettext_noop(
                "%(name)s (%(record)s) meets %(other)s (%(other_record)s): when the round was paired, a closer "
                "pairing would have forced a rematch or an unfair bye."
            ),
            params,
        )

    def why_bye(self, free: int) -> Reason:
        """Return why ``free`` has no opponent."""
        player = self.players[free]
        others = [other for other in self.players.values() if other.id != free]
        params = (("round", self.round), ("name", self.names[free]), ("record", self.records[free]))
        if not any(self._may_meet(free, other) for other in self.players):
            return Reason(
                "bye_nobody_left",
                gettext_noop("%(name)s is free in round %(round)s: nobody else is here to play."),
                params,
            )
        if any(self._may_meet(free, other) for other in self.free):
            return Reason(
                "bye_short_round",
                gettext_noop(
                    "%(name)s is free in round %(round)s: only enough matches are played to remove the surplus lives, "
                    "and nobody with as few byes has a worse record."
                ),
                params,
            )
        if self.byes_first and any(other.byes < player.byes for other in others):
            return Reason(
                "bye_again_persons",
                gettext_noop(
                    "%(name)s is free again in round %(round)s: entries of the same person never meet, so nobody with "
                    "fewer byes could be free."
                ),
                params,
            )
        if any(other.byes < player.byes for other in others):
            return Reason(
                "bye_again",
                gettext_noop(
                    "%(name)s is free again in round %(round)s: when the round was paired, giving the bye to anyone "
                    "with fewer byes would have forced a rematch."
                ),
                params,
            )
        if any(other.byes == player.byes and other.score < player.score for other in others):
            return Reason(
                "bye_better_record",
                gettext_noop(
                    "%(name)s (%(record)s) is free in round %(round)s: when the round was paired, giving the bye to "
                    "anyone with a worse record would have forced a rematch."
                ),
                params,
            )
        return Reason(
            "bye_worst_record",
            gettext_noop(
                "%(name)s (%(record)s) is free in round %(round)s, which counts as a win: the number of "
                "players is odd, and nobody with as few byes has a worse record."
            ),
            params,
        )

    def _may_meet(self, one: int, other: int) -> bool:
        return one != other and self.players[one].persons.isdisjoint(self.players[other].persons)

    def notes(self, pairs: Sequence[tuple[int, int]]) -> list[Reason]:
        """Return the rules that the round breaks because it cannot be paired otherwise."""
        notes = [self._why_rematch(a, b) for a, b in pairs if b in self.players[a].met]
        byes = [self.why_bye(free) for free in self.free]
        notes += [why for why in byes if why.code in ("bye_again", "bye_again_persons", "bye_nobody_left")]
        together = sum(self._are_together(a, b) for a, b in pairs)
        if together:
            notes.append(
                Reason(
                    "kept_together",
                    gettext_noop(
                        "Round %(round)s: pairings within one club, country or family that could not be avoided: "
                        "%(pairs)s."
                    ),
                    (("round", self.round), ("pairs", together)),
                )
            )
        return notes

    def _are_together(self, a: int, b: int) -> bool:
        words = zip(self.players[a].apart, self.players[b].apart, strict=True)
        return any(word and word == other for word, other in words)
