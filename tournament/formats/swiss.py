"""Swiss with a fixed number of rounds: in each, equal records meet, and nobody meets an opponent twice."""

from __future__ import annotations

from typing import ClassVar

from rules.errors import gettext_noop
from tournament.formats.drawing import check_draw
from tournament.formats.options import OptionField, OptionKind, Options
from tournament.formats.pairing import Within
from tournament.formats.plan import Draw, Plan
from tournament.formats.swiss_rounds import RANDOM, SwissRounds

MOST_ENTRANTS = 4096

ROUNDS = OptionField(
    name="rounds",
    kind=OptionKind.NUMBER,
    label=gettext_noop("Rounds"),
    help=gettext_noop("0: as many as a knockout of this field would need."),
    default=0,
    least=0,
    most=30,
)
WITHIN = OptionField(
    name="within",
    kind=OptionKind.CHOICE,
    label=gettext_noop("Who meets whom among equal records"),
    help=gettext_noop("The order is that of the seeds, or else drawn by lot before round 1."),
    default=RANDOM,
    choices=(
        (RANDOM, gettext_noop("by lot, anew in each round")),
        (str(Within.FOLD), gettext_noop("the first meets the last")),
        (str(Within.SLIDE), gettext_noop("the upper half meets the lower half in order")),
        (str(Within.NEIGHBOURS), gettext_noop("neighbours in the order meet")),
    ),
)
AVOID = OptionField(
    name="avoid",
    kind=OptionKind.CHOICE,
    label=gettext_noop("Kept apart in every round"),
    help=gettext_noop("As far as equal records allow. Entries of one family are kept apart in round 1."),
    default="none",
    choices=(
        ("none", gettext_noop("nobody")),
        ("club", gettext_noop("players of one club")),
        ("country", gettext_noop("players of one country")),
        ("club-country", gettext_noop("players of one club, then of one country")),
    ),
)


class Swiss:
    """A fixed number of rounds; ranked by wins and the event's tie-breaks; a bye counts as a win."""

    slug: ClassVar[str] = "swiss"
    name: ClassVar[str] = gettext_noop("Swiss")
    description: ClassVar[str] = gettext_noop(
        "A fixed number of rounds. In each, players with equal records meet, and nobody meets an opponent twice."
    )
    fields: ClassVar[tuple[OptionField, ...]] = (ROUNDS, WITHIN, AVOID)
    min_entrants: ClassVar[int] = 2
    max_entrants: ClassVar[int] = MOST_ENTRANTS

    def plan(self, draw: Draw) -> Plan:
        """The rounds up to the first that is not decided, and whatever is published after it. Raises PlanError."""
        check_draw(draw, self)
        rounds = SwissRounds(draw)
        last = _last_round(draw)
        for round in range(1, max(last, rounds.last_published) + 1):
            decided = not rounds.running
            rounds.add_published(round)
            if decided and round <= last:
                here = [entrant for entrant in draw.entrants if entrant.plays_in(round)]
                rounds.pair_rest(round, here, self._way(draw.options), rounds.wins)
        return Plan(
            pairings=rounds.sorted_pairings(),
            placings=None,
            finished=not rounds.running,
            stale=rounds.unused(),
            free_wins=dict(rounds.byes),
            notes=tuple(rounds.notes),
        )

    def _way(self, options: Options) -> str:
        return options.choice("within")


class Monrad(Swiss):
    """A Swiss in which neighbours in the standings meet.

    The players are numbered by lot, or by seed, once. They stand by wins, and with equal wins by number; from the top
    down each meets the next whom he has not met, as the Danish and Norwegian federations of chess have it. Here the
    whole round is weighed at once, so that it never ends with two at the bottom who have met.
    """

    slug: ClassVar[str] = "monrad"
    name: ClassVar[str] = gettext_noop("Monrad")
    description: ClassVar[str] = gettext_noop(
        "A Swiss in which neighbours in the standings meet: the first the second, the third the fourth. "
        "The order among equals is drawn once."
    )
    fields: ClassVar[tuple[OptionField, ...]] = (ROUNDS, AVOID)

    def _way(self, options: Options) -> str:
        return Within.NEIGHBOURS


def _last_round(draw: Draw) -> int:
    """The last round that is held: none is in which fewer than two are there, unless a later one has more."""
    rounds = draw.options.number("rounds") or (len(draw.entrants) - 1).bit_length()
    for round in range(rounds, 0, -1):
        if sum(entrant.plays_in(round) for entrant in draw.entrants) >= 2:
            return round
    return 0
