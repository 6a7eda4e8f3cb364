"""League: everyone meets everyone once, or home and away, at about a round a week; 2 to 32 entrants."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import ClassVar

from rules.errors import gettext_noop
from tournament.formats.chance import chance_in
from tournament.formats.drawing import check_draw, check_persons, drawn_order
from tournament.formats.format import Format
from tournament.formats.hand import swap_seats, with_reasons
from tournament.formats.lots import DRAW
from tournament.formats.options import OptionField, OptionKind, Options
from tournament.formats.plan import Bye, Draw, Entrant, Plan, Reason
from tournament.formats.rate_points import RATE_POINT
from tournament.formats.round_robin import (
    ROUND_ROBIN,
    Seats,
    berger_rounds,
    check_outcomes,
    pair_rounds,
    rounds_to_meet,
)
from tournament.formats.unplayed import UNPLAYED_FIELDS
from tournament.formats.weeks import WEEK_FIELDS


class League(Format):
    """All play all over several weeks, with side A at home; ranked by wins and the event's tie-breaks."""

    slug: ClassVar[str] = "league"
    name: ClassVar[str] = gettext_noop("League")
    description: ClassVar[str] = gettext_noop(
        "Everyone meets everyone over several weeks, once or twice (home and away). The player named "
        "first plays at home."
    )
    fields: ClassVar[tuple[OptionField, ...]] = (
        OptionField(
            name="home_and_away",
            kind=OptionKind.FLAG,
            label=gettext_noop("Home and away"),
            help=gettext_noop("Everyone meets everyone twice; in the second half home and away are swapped."),
            default=False,
        ),
        RATE_POINT,
        *WEEK_FIELDS,
        *UNPLAYED_FIELDS,
    )
    open_entries: ClassVar[bool] = False
    takes_late: ClassVar[bool] = False
    pairs_by_round: ClassVar[bool] = False
    allows_reentry: ClassVar[bool] = False
    ranks_by_record: ClassVar[bool] = True
    has_final: ClassVar[bool] = False
    min_entrants: ClassVar[int] = 2
    max_entrants: ClassVar[int] = 32

    def planned_rounds(self, options: Options, entrants: Sequence[Entrant]) -> int:
        return rounds_to_meet(len(entrants)) * (2 if options.flag("home_and_away") else 1)

    def plan(self, draw: Draw) -> Plan:
        """Plan all weeks as rounds; in an odd field one entrant is free each week. Raises PlanError."""
        check_draw(draw, self)
        check_persons(draw.entrants)
        twice = draw.options.flag("home_and_away")
        hand = swap_seats(drawn_order(draw, chance_in(draw, DRAW)), draw.moves, lambda seats: False)
        rounds = berger_rounds([entrant for entrant in hand.seats if entrant])
        if twice:
            rounds += [[_reversed(seats) for seats in meetings] for meetings in rounds]
        why = partial(_why, weeks=len(rounds), entrants=len(draw.entrants), twice=twice)
        pairings = pair_rounds(rounds, bracket=ROUND_ROBIN, length=draw.options.length(0), why=why)
        finished = check_outcomes(draw, pairings)
        return Plan(
            pairings=with_reasons(pairings.values(), hand.causes),
            placings=None,
            finished=finished,
            scheduled=True,
            notes=hand.notes,
        )


def _reversed(seats: Seats) -> Seats:
    home, away = seats
    return (away, home) if isinstance(away, Entrant) else seats


def _why(week: int, seats: Seats, *, weeks: int, entrants: int, twice: bool) -> Reason:
    if isinstance(seats[1], Bye):
        return Reason(
            "free_week",
            gettext_noop(
                "Free in week %(week)s of %(weeks)s: the number of entrants (%(entrants)s) is odd, so somebody is "
                "free each week, and everyone equally often."
            ),
            (("week", week), ("weeks", weeks), ("entrants", entrants)),
        )
    params = (("week", week), ("weeks", weeks))
    if twice:
        return Reason(
            "home_and_away",
            gettext_noop(
                "Week %(week)s of %(weeks)s: everyone meets everyone home and away; the side named first is at home."
            ),
            params,
        )
    return Reason(
        "at_home",
        gettext_noop("Week %(week)s of %(weeks)s: everyone meets everyone once; the side named first is at home."),
        params,
    )
