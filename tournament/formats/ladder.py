"""Challenge ladder: players challenge somebody above them, and take the rung by winning; 2 to 256 entrants."""

from __future__ import annotations

from typing import ClassVar

from rules.errors import gettext_noop
from tournament.formats.challenge import LADDER, Challenge
from tournament.formats.drawing import check_draw, check_outcome_keys, settle
from tournament.formats.errors import PlanError
from tournament.formats.format import Format
from tournament.formats.options import OptionField, OptionKind, Options
from tournament.formats.plan import Draw, Entrant, Pairing, Placing, Plan, Reason
from tournament.formats.rungs import INSERT, SWAP, rungs_of
from tournament.formats.unplayed import UNPLAYED_FIELDS

REACH = OptionField(
    name="reach",
    kind=OptionKind.NUMBER,
    label=gettext_noop("Rungs above"),
    default=3,
    least=1,
    most=32,
    help=gettext_noop("Players may challenge anybody at most this many rungs above them."),
)
DAYS = OptionField(
    name="days",
    kind=OptionKind.NUMBER,
    label=gettext_noop("Days to play"),
    default=14,
    least=1,
    most=90,
    help=gettext_noop("Counted from the day of the challenge; the last of them is the deadline."),
)
TAKING = OptionField(
    name="taking",
    kind=OptionKind.CHOICE,
    label=gettext_noop("A challenger who wins"),
    default=SWAP,
    choices=(
        (SWAP, gettext_noop("changes rungs with the loser")),
        (INSERT, gettext_noop("takes the loser's rung, and everyone between moves down one")),
    ),
)
REST = OptionField(
    name="rest",
    kind=OptionKind.NUMBER,
    label=gettext_noop("Days before the same two may meet again"),
    default=0,
    least=0,
    most=90,
    help=gettext_noop("Counted from their last match, whoever won it; 0 for no wait."),
)


class Ladder(Format):
    """A ladder without rounds; its pairings are the challenges that players make, and its places are the rungs."""

    slug: ClassVar[str] = "ladder"
    name: ClassVar[str] = gettext_noop("Challenge ladder")
    description: ClassVar[str] = gettext_noop(
        "Players stand on rungs and challenge somebody above them, who has some days to play; a challenger "
        "who wins takes the rung. New players start at the bottom, and the director ends the event."
    )
    fields: ClassVar[tuple[OptionField, ...]] = (REACH, DAYS, TAKING, REST, *UNPLAYED_FIELDS)
    open_entries: ClassVar[bool] = True
    takes_late: ClassVar[bool] = False
    pairs_by_round: ClassVar[bool] = False
    allows_reentry: ClassVar[bool] = False
    ranks_by_record: ClassVar[bool] = False
    has_final: ClassVar[bool] = False
    min_entrants: ClassVar[int] = 2
    max_entrants: ClassVar[int] = 256

    def pairs_on_challenge(self) -> bool:
        return True

    def plan(self, draw: Draw) -> Plan:
        """Plan a pairing for each challenge; the places are the rungs. Raises PlanError.

        It counts as finished while no challenge is open, although more may be made until the event has ended.
        """
        check_draw(draw, self)
        entrants = {entrant.id: entrant for entrant in draw.entrants}
        pairings = {
            challenge.key: _pairing(challenge, entrants, draw.options)
            for challenge in sorted(draw.challenges, key=lambda challenge: challenge.number)
        }
        check_outcome_keys(draw.outcomes, pairings)
        decided = [settle(pairing, draw.outcomes.get(key)) for key, pairing in pairings.items()]
        return Plan(
            pairings=tuple(pairings.values()),
            placings=tuple(
                Placing(id, rung, rung, _why_placed(rung)) for rung, id in enumerate(rungs_of(draw), start=1)
            ),
            finished=None not in decided,
        )


def _pairing(challenge: Challenge, entrants: dict[int, Entrant], options: Options) -> Pairing:
    two = [entrants.get(id) for id in (challenge.challenger, challenge.challenged)]
    a, b = two
    if a is None or b is None or a == b:
        raise PlanError(
            "challenge_unknown",
            gettext_noop("Challenge %(number)s is not between two entrants of this draw."),
            number=challenge.number,
        )
    return Pairing(
        key=challenge.key,
        bracket=LADDER,
        round=1,
        number=challenge.number,
        a=a,
        b=b,
        length=options.length(0),
        feed_a="",
        feed_b="",
        why=_why(challenge.number, inserts=options.choice("taking") == INSERT),
    )


def _why(number: int, *, inserts: bool) -> Reason:
    params = (("number", number),)
    if inserts:
        return Reason(
            "challenge_for_a_rung",
            gettext_noop(
                "Challenge %(number)s: the player named first challenged the other one, who stood higher. By winning "
                "they take that rung, and everyone between moves down one; otherwise everyone stays."
            ),
            params,
        )
    return Reason(
        "challenge",
        gettext_noop(
            "Challenge %(number)s: the player named first challenged the other one, who stood higher. By winning they "
            "change rungs; otherwise everyone stays."
        ),
        params,
    )


def _why_placed(rung: int) -> Reason:
    return Reason("rung", gettext_noop("On rung %(rung)s of the ladder."), (("rung", rung),))
