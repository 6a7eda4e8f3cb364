"""Single elimination: one loss puts a player out; any field from 2 to 1024, with byes in the first round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from rules.errors import gettext_noop
from tournament.formats.advance import Advanced, advance_to_follow
from tournament.formats.consolation_graph import Shape, knockout_graph
from tournament.formats.drawing import check_draw
from tournament.formats.editions import EDITION
from tournament.formats.first_round import draw_first_round
from tournament.formats.format import Format
from tournament.formats.knockout_options import BYES, with_defaults
from tournament.formats.knockout_places import main_placings
from tournament.formats.main_bracket import round_count
from tournament.formats.options import PROTECT, OptionField, Options
from tournament.formats.plan import Draw, Entrant, Plan


class SingleElimination(Format):
    """A knockout drawn at random or by seeding."""

    slug: ClassVar[str] = "single-elimination"
    name: ClassVar[str] = gettext_noop("Single elimination")
    description: ClassVar[str] = gettext_noop(
        "Lose once and you are out. Any number of players; byes in the first round fill the bracket "
        "up to a power of two."
    )
    fields: ClassVar[tuple[OptionField, ...]] = (BYES, PROTECT)
    open_entries: ClassVar[bool] = False
    takes_late: ClassVar[bool] = True
    pairs_by_round: ClassVar[bool] = False
    allows_reentry: ClassVar[bool] = False
    ranks_by_record: ClassVar[bool] = False
    has_final: ClassVar[bool] = True
    min_entrants: ClassVar[int] = 2
    max_entrants: ClassVar[int] = 1024

    def shape(self, options: Options, rounds: int, edition: int = EDITION) -> Shape:
        """Return the shape of a bracket with nothing attached."""
        return Shape()

    def planned_rounds(self, options: Options, entrants: Sequence[Entrant]) -> int:
        return round_count(len(entrants))

    def plan(self, draw: Draw) -> Plan:
        """Plan the whole bracket, advanced as far as the outcomes allow. Raises PlanError."""
        check_draw(draw, self)
        first = draw_first_round(replace(draw, options=with_defaults(draw.options, self.fields)))
        graph = knockout_graph(first.byes, Shape())
        return self.plan_after(advance_to_follow(graph, first.lines, first.reasons, draw, first.notes))

    def plan_after(self, run: Advanced) -> Plan:
        """Return the plan of this run."""
        found = run.result
        return Plan(
            pairings=tuple(found.pairings),
            placings=main_placings(found),
            finished=found.finished,
            stale=tuple(found.stale),
            notes=run.notes,
            run=run,
        )
