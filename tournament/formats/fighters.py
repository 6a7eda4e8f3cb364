"""Fighter's bracket: four of the main bracket and four of the consolation make a final eight; 8 to 1024 entrants."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, cast

from rules.errors import gettext_noop
from tournament.formats.advance import advance
from tournament.formats.drawing import check_draw
from tournament.formats.fighters_graph import EIGHT_KEYS, FINAL_ROUNDS, fighters_graph, with_final_eight
from tournament.formats.final_eight import SCOPE, draw_final_eight
from tournament.formats.first_round import draw_first_round
from tournament.formats.format import Format
from tournament.formats.knockout import FINAL_EIGHT
from tournament.formats.knockout_options import BYES, with_defaults
from tournament.formats.knockout_places import final_eight_placings
from tournament.formats.options import PROTECT, OptionField, OptionKind, Options
from tournament.formats.plan import Draw, Pairing, Plan

CONSOLATION_LENGTHS = OptionField(
    name="consolation_lengths",
    kind=OptionKind.LENGTHS,
    label=gettext_noop("Consolation match lengths"),
    default=(),
    help=gettext_noop(
        "The last round before the final eight first. If left empty, the lengths of the main bracket apply."
    ),
)


class FightersBracket(Format):
    """A knockout whose last four meet the last four of its consolation in a final eight."""

    slug: ClassVar[str] = "fighters-bracket"
    name: ClassVar[str] = gettext_noop("Fighter's bracket")
    description: ClassVar[str] = gettext_noop(
        "The last four of the main bracket and the last four of its consolation are drawn into a final eight, which "
        "decides the event. At least 8 entrants."
    )
    fields: ClassVar[tuple[OptionField, ...]] = (CONSOLATION_LENGTHS, BYES, PROTECT)
    open_entries: ClassVar[bool] = False
    takes_late: ClassVar[bool] = False
    pairs_by_round: ClassVar[bool] = False
    allows_reentry: ClassVar[bool] = False
    ranks_by_record: ClassVar[bool] = False
    has_final: ClassVar[bool] = True
    min_entrants: ClassVar[int] = 8
    max_entrants: ClassVar[int] = 1024

    def scope(self, pairing: Pairing) -> str:
        """Return the scope in which chance decided, or would have decided, who meets in ``pairing``."""
        return SCOPE if pairing.bracket == FINAL_EIGHT else "draw"

    def plan(self, draw: Draw) -> Plan:
        """Plan both brackets and, once all who reach it are known, the final eight. Raises PlanError."""
        check_draw(draw, self)
        draw = replace(draw, options=_counted_from_the_final(with_defaults(draw.options, self.fields)))
        first = draw_first_round(draw)
        fighters = fighters_graph(first.byes)
        until_then = {key: outcome for key, outcome in draw.outcomes.items() if key not in EIGHT_KEYS}
        run = advance(fighters.graph, first.lines, first.reasons, replace(draw, outcomes=until_then))
        stale = [key for key in draw.outcomes if key in EIGHT_KEYS]
        notes = first.notes
        eight = draw_final_eight(draw, run, fighters.main, fighters.fallen)
        if eight is not None:
            graph = with_final_eight(fighters.graph, eight.seats, eight.reasons)
            run = advance(graph, first.lines, first.reasons, draw)
            stale, notes = [], notes + eight.notes
        return Plan(
            pairings=tuple(run.pairings),
            placings=final_eight_placings(run, (*fighters.main, *fighters.fallen)),
            finished=eight is not None and run.finished,
            stale=(*run.stale, *stale),
            notes=notes,
        )


def _counted_from_the_final(options: Options) -> Options:
    """Return the options with the consolation's lengths counted from the final, which comes rounds after its last."""
    lengths = cast("tuple[int, ...]", options.own[CONSOLATION_LENGTHS.name])
    if not lengths:
        return options
    return replace(options, own={**options.own, CONSOLATION_LENGTHS.name: lengths[:1] * FINAL_ROUNDS + lengths})
