"""Knockout with buy-ins: those who lose early in the main bracket may enter again, for a second bracket."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

from rules.errors import gettext_noop
from tournament.formats.advance import advance
from tournament.formats.buy_in_bracket import SCOPE, BuyInBracket, add_buy_ins, draw_buy_ins
from tournament.formats.buy_in_options import BUY_IN_FIELDS
from tournament.formats.buy_in_places import buy_in_placings, buy_in_sections
from tournament.formats.buy_ins import has_bought_in, sort_buy_ins
from tournament.formats.drawing import check_draw
from tournament.formats.first_round import draw_first_round
from tournament.formats.format import Format
from tournament.formats.knockout import BUY_IN, FINAL, Graph
from tournament.formats.knockout_options import with_defaults
from tournament.formats.main_bracket import add_main
from tournament.formats.options import OptionField
from tournament.formats.plan import Draw, Outcome, Pairing, Plan

LATER = re.compile(rf"[{BUY_IN}{FINAL}]\d+-\d+")
"""The keys of the pairings that there are only once the buy-in bracket is drawn."""


class KnockoutWithBuyIns(Format):
    """A knockout whose early losers may buy in to a second bracket, drawn when buy-ins close."""

    slug: ClassVar[str] = "buy-in"
    name: ClassVar[str] = gettext_noop("Knockout with buy-ins")
    description: ClassVar[str] = gettext_noop(
        "Players who lose early in the main bracket may enter again, for the re-entry fee. A second bracket is drawn "
        "from them; its winner can meet the winner of the main bracket."
    )
    fields: ClassVar[tuple[OptionField, ...]] = BUY_IN_FIELDS
    open_entries: ClassVar[bool] = True
    takes_late: ClassVar[bool] = False
    pairs_by_round: ClassVar[bool] = False
    allows_reentry: ClassVar[bool] = True
    ranks_by_record: ClassVar[bool] = False
    has_final: ClassVar[bool] = True
    min_entrants: ClassVar[int] = 2
    max_entrants: ClassVar[int] = 1024

    def takes_buy_ins(self) -> bool:
        return True

    def scope(self, pairing: Pairing) -> str:
        """Return the scope in which chance decided, or would have decided, who meets in ``pairing``."""
        return SCOPE if pairing.bracket == BUY_IN else "draw"

    def plan(self, draw: Draw) -> Plan:
        """Plan the main bracket and, once buy-ins are closed, the second one. Raises PlanError."""
        check_draw(draw, self)
        draw = replace(draw, options=with_defaults(draw.options, self.fields))
        field = replace(draw, entrants=tuple(one for one in draw.entrants if not has_bought_in(one)))
        first = draw_first_round(field)
        early = {key: outcome for key, outcome in draw.outcomes.items() if not LATER.fullmatch(key)}
        graph = Graph()
        rounds = add_main(graph, first.byes)
        run = advance(graph, first.lines, first.reasons, replace(draw, outcomes=early))
        buy_ins = sort_buy_ins(draw, run, rounds)
        bracket = draw_buy_ins(draw, run, buy_ins.admitted) if buy_ins.are_closed else None
        reunite = draw.options.choice("reunite") == "grand-final"
        stands = early
        if bracket is not None:
            buy_ins = buy_ins.without(bracket.left_out)
            add_buy_ins(graph, bracket, len(first.lines), rounds[-1][0], reunite=reunite)
            stands = early | _those_that_stand(draw.outcomes, graph, bracket)
            run = advance(graph, first.lines + bracket.lines, first.reasons, replace(draw, outcomes=stands))
        return Plan(
            pairings=tuple(run.pairings),
            placings=buy_in_placings(run, buy_ins, reunite=reunite),
            finished=run.finished,
            stale=(*run.stale, *(key for key in draw.outcomes if key not in stands)),
            sections=buy_in_sections(run, buy_ins),
            notes=first.notes + (bracket.notes if bracket else ()),
            refused=buy_ins.refused,
            takes_entries=not buy_ins.are_closed,
        )


def _those_that_stand(outcomes: Mapping[str, Outcome], graph: Graph, bracket: BuyInBracket) -> dict[str, Outcome]:
    """Return the results of the buy-in bracket and the grand final, except those of players drawn elsewhere since."""
    seats = {f"{BUY_IN}1-{number}": {a.id, b.id if b else 0} for number, (a, b) in enumerate(bracket.matches, start=1)}
    return {
        key: outcome
        for key, outcome in outcomes.items()
        if LATER.fullmatch(key)
        and key in graph.index
        and {outcome.winner, outcome.loser} == seats.get(key, {outcome.winner, outcome.loser})
    }
