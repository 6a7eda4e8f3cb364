"""Swiss with a fixed number of rounds: equal records meet, and nobody meets the same opponent twice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rules.errors import gettext_noop
from tournament.formats.drawing import check_draw
from tournament.formats.format import Format
from tournament.formats.lots import round_scope
from tournament.formats.options import OptionField, OptionKind, Options
from tournament.formats.pairing import Within
from tournament.formats.plan import Draw, Entrant, Pairing, Plan
from tournament.formats.rate_points import RATE_POINT
from tournament.formats.swiss_rounds import AVOID, BYES, MOST_ENTRANTS, WITHIN, SwissRounds

ROUNDS = OptionField(
    name="rounds",
    kind=OptionKind.NUMBER,
    label=gettext_noop("Rounds"),
    help=gettext_noop("0 means as many as a knockout with this field would take."),
    default=0,
    least=0,
    most=30,
)


class Swiss(Format):
    """A fixed number of rounds; ranked by wins and the event's tie-breaks; a bye counts as a win."""

    slug: ClassVar[str] = "swiss"
    name: ClassVar[str] = gettext_noop("Swiss")
    description: ClassVar[str] = gettext_noop(
        "A fixed number of rounds. Players with equal records meet, and nobody meets an opponent twice."
    )
    fields: ClassVar[tuple[OptionField, ...]] = (ROUNDS, WITHIN, AVOID, BYES, RATE_POINT)
    open_entries: ClassVar[bool] = True
    takes_late: ClassVar[bool] = False
    pairs_by_round: ClassVar[bool] = True
    allows_reentry: ClassVar[bool] = False
    ranks_by_record: ClassVar[bool] = True
    has_final: ClassVar[bool] = False
    min_entrants: ClassVar[int] = 2
    max_entrants: ClassVar[int] = MOST_ENTRANTS

    def planned_rounds(self, options: Options, entrants: Sequence[Entrant]) -> int:
        """Return the last round in which at least two are present; earlier rounds are held even with fewer."""
        rounds = options.number(ROUNDS.name) or (len(entrants) - 1).bit_length()
        for round in range(rounds, 0, -1):
            if sum(entrant.plays_in(round) for entrant in entrants) >= 2:
                return round
        return 0

    def scope(self, pairing: Pairing) -> str:
        return round_scope(pairing.round)

    def plan(self, draw: Draw) -> Plan:
        """Plan the rounds up to the first undecided one, and anything published after it. Raises PlanError."""
        check_draw(draw, self)
        rounds = SwissRounds(draw, self._way(draw.options))
        last = self.planned_rounds(draw.options, draw.entrants)
        for round in range(1, max(last, rounds.last_published) + 1):
            is_next = not rounds.running and round <= last
            rounds.add_published(round)
            if is_next:
                rounds.pair_rest(round, (entrant for entrant in draw.entrants if entrant.plays_in(round)))
        return Plan(
            pairings=rounds.pairings,
            placings=None,
            finished=not rounds.running,
            stale=rounds.stale,
            free_wins=dict(rounds.byes),
            notes=tuple(rounds.notes),
        )

    def _way(self, options: Options) -> str:
        return options.choice("within")


class Monrad(Swiss):
    """A Swiss in which neighbours in the standings meet.

    The players are numbered by lot, or by seed, once. They stand by wins, and with equal wins by number; from the top
    down each meets the next one whom they have not met, as in the rules of the Danish and Norwegian chess federations.
    Here the whole round is weighed at once, so that it never ends with two at the bottom who have met.
    """

    slug: ClassVar[str] = "monrad"
    name: ClassVar[str] = gettext_noop("Monrad")
    description: ClassVar[str] = gettext_noop(
        "A Swiss in which neighbours in the standings meet: first against second, third against "
        "fourth. The order among equals is drawn once."
    )
    fields: ClassVar[tuple[OptionField, ...]] = (ROUNDS, AVOID, BYES, RATE_POINT)

    def _way(self, options: Options) -> str:
        return Within.NEIGHBOURS
