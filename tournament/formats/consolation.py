"""Knockouts whose losers play on: with a consolation, with a last chance, or as double elimination."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from rules.errors import gettext_noop
from tournament.formats.advance import Advanced, Run, advance_to_follow
from tournament.formats.consolation_graph import Shape, knockout_graph
from tournament.formats.drawing import check_draw
from tournament.formats.editions import EDITION, FIRST
from tournament.formats.first_round import draw_first_round
from tournament.formats.format import Format
from tournament.formats.knockout import CONSOLATION, LAST_CHANCE, SECOND_CONSOLATION
from tournament.formats.knockout_options import (
    CONSOLATION_FIELDS,
    DOUBLE_ELIMINATION_FIELDS,
    DOUBLE_ELIMINATION_PRESET,
    notes_on,
    refuse_contradictions,
    refuse_semifinalists_twice,
    shape_of,
    with_defaults,
    with_lengths,
)
from tournament.formats.knockout_places import main_placings, second_place_placings, sections, whole_field_placings
from tournament.formats.main_bracket import round_count
from tournament.formats.options import OptionField, Options
from tournament.formats.plan import Draw, Placing, Plan


class Consolation(Format):
    """A main knockout with whichever consolations, last chance and finals the director chooses."""

    slug: ClassVar[str] = "consolation"
    name: ClassVar[str] = gettext_noop("Knockout with consolation")
    description: ClassVar[str] = gettext_noop(
        "Losers of the main bracket play on in a consolation; a last chance and a final between the "
        "two brackets can follow."
    )
    fields: ClassVar[tuple[OptionField, ...]] = CONSOLATION_FIELDS
    open_entries: ClassVar[bool] = False
    takes_late: ClassVar[bool] = True
    pairs_by_round: ClassVar[bool] = False
    allows_reentry: ClassVar[bool] = False
    ranks_by_record: ClassVar[bool] = False
    has_final: ClassVar[bool] = True
    min_entrants: ClassVar[int] = 2
    max_entrants: ClassVar[int] = 1024

    def check_options(self, options: Options) -> None:
        """Raise PlanError for options that exclude each other in every field."""
        refuse_contradictions(with_defaults(options, self.fields))

    def shape(self, options: Options, rounds: int, edition: int = EDITION) -> Shape:
        """Return what is attached to a main bracket of this many rounds. Raises PlanError."""
        return shape_of(with_defaults(options, self.fields), rounds, edition)

    def plan(self, draw: Draw) -> Plan:
        """Plan all brackets, advanced as far as the outcomes allow. Raises PlanError."""
        return _plan(self, draw, with_defaults(draw.options, self.fields))

    def plan_after(self, run: Advanced) -> Plan:
        """Return the plan of this run."""
        return _plan_after(run)


class DoubleElimination(Format):
    """A knockout in which two losses put an entrant out."""

    slug: ClassVar[str] = "double-elimination"
    name: ClassVar[str] = gettext_noop("Double elimination")
    description: ClassVar[str] = gettext_noop(
        "Lose twice and you are out: all losers of the main bracket enter the consolation, and the winners of the "
        "two brackets play the final."
    )
    fields: ClassVar[tuple[OptionField, ...]] = DOUBLE_ELIMINATION_FIELDS
    open_entries: ClassVar[bool] = False
    takes_late: ClassVar[bool] = True
    pairs_by_round: ClassVar[bool] = False
    allows_reentry: ClassVar[bool] = False
    ranks_by_record: ClassVar[bool] = False
    has_final: ClassVar[bool] = True
    min_entrants: ClassVar[int] = 2
    max_entrants: ClassVar[int] = 1024

    def shape(self, options: Options, rounds: int, edition: int = EDITION) -> Shape:
        """Return what is attached to a main bracket of this many rounds. Raises PlanError."""
        return shape_of(with_defaults(options, CONSOLATION_FIELDS, **DOUBLE_ELIMINATION_PRESET), rounds, edition)

    def plan(self, draw: Draw) -> Plan:
        """Plan both brackets and the grand final, advanced as far as the outcomes allow. Raises PlanError."""
        return _plan(self, draw, with_defaults(draw.options, CONSOLATION_FIELDS, **DOUBLE_ELIMINATION_PRESET))

    def plan_after(self, run: Advanced) -> Plan:
        """Return the plan of this run."""
        return _plan_after(run)


def _plan(format: Format, draw: Draw, options: Options) -> Plan:
    check_draw(draw, format)
    draw = replace(draw, options=options if draw.edition == FIRST else with_lengths(options))
    count = len(draw.entrants)
    shape = shape_of(options, round_count(count), draw.edition)
    refuse_semifinalists_twice(shape, count)
    first = draw_first_round(draw)
    graph = knockout_graph(first.byes, shape)
    notes = notes_on(options, shape, graph, count) + first.notes
    return _plan_of(advance_to_follow(graph, first.lines, first.reasons, draw, notes), shape)


def _plan_after(advanced: Advanced) -> Plan:
    draw = advanced.draw
    return _plan_of(advanced, shape_of(draw.options, round_count(len(draw.entrants)), draw.edition))


def _plan_of(advanced: Advanced, shape: Shape) -> Plan:
    run = advanced.result
    return Plan(
        pairings=tuple(run.pairings),
        placings=_placings(run, shape),
        finished=run.finished,
        stale=tuple(run.stale),
        sections=sections(run, [CONSOLATION] * (shape.reunite != "grand-final") + [SECOND_CONSOLATION, LAST_CHANCE]),
        notes=advanced.notes,
        run=advanced,
    )


def _placings(run: Run, shape: Shape) -> tuple[Placing, ...]:
    if shape.reunite == "grand-final":
        return whole_field_placings(run)
    if shape.reunite == "second-place" and shape.falling:
        return second_place_placings(run, max(shape.falling, 2) if shape.winless else shape.falling)
    return main_placings(run)
