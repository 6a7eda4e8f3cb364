"""The places in a knockout with buy-ins: in the whole field, and in the buy-in bracket."""

from __future__ import annotations

from dataclasses import replace

from rules.errors import gettext_noop
from tournament.formats.advance import Run
from tournament.formats.buy_ins import BuyIns
from tournament.formats.knockout import BUY_IN, FINAL, MAIN
from tournament.formats.knockout_places import TITLES, bracket_placings, decider_placing, main_placings
from tournament.formats.plan import Placing, Reason, Section
from tournament.formats.void import close_up

NOT_DRAWN = f"{BUY_IN}X"
"""The section of those who have entered again and are not drawn, as after a correction of the match that they lost."""


NOT_DRAWN_TITLE = Reason("not_in_buy_in_bracket", gettext_noop("Not in the buy-in bracket"))


def buy_in_sections(run: Run, buy_ins: BuyIns) -> tuple[Section, ...]:
    """Return the ranking of the buy-in bracket, and those who are not drawn there."""
    sections = []
    if buy_ins.admitted:
        entrants = tuple(sorted(entrant.id for entrant in buy_ins.admitted))
        sections.append(Section(BUY_IN, TITLES[BUY_IN], entrants, _of_buy_ins(run, buy_ins)))
    if buy_ins.refused:
        count = len(buy_ins.refused)
        placings = tuple(Placing(entrant, 1, count, why) for entrant, why in sorted(buy_ins.refused.items()))
        sections.append(Section(NOT_DRAWN, NOT_DRAWN_TITLE, tuple(sorted(buy_ins.refused)), placings))
    return tuple(sections)


def buy_in_placings(run: Run, buy_ins: BuyIns, *, reunite: bool) -> tuple[Placing, ...]:
    """Return the places in the whole field: first those of the main bracket, then those of the buy-in bracket.

    If the two brackets ``reunite``, the winners play for first place, and everyone whom the winner of the buy-in
    bracket passes comes a place lower.
    """
    main = main_placings(run)
    behind = _of_buy_ins(run, buy_ins)
    first, last = len(main), len(main) + len(behind) + len(buy_ins.refused)
    outside = [Placing(entrant, last - len(buy_ins.refused) + 1, last, why) for entrant, why in buy_ins.refused.items()]
    may_pass = reunite and (not buy_ins.are_closed or bool(behind))
    final = run.tracks.get(FINAL, {})
    placings = [
        *(_passed(line, sure=buy_ins.are_closed) if may_pass else line for line in main if line.entrant not in final),
        *(
            replace(
                line, place=1 if may_pass and line.place == 1 else first + line.place, place_to=first + line.place_to
            )
            for line in behind
            if line.entrant not in final
        ),
        *(decider_placing(run, entrant, track) for entrant, track in final.items()),
        *outside,
    ]
    return close_up(run, (MAIN, BUY_IN, FINAL), placings)


def _passed(line: Placing, *, sure: bool) -> Placing:
    """Return the place in the main bracket, behind the winner of the buy-in bracket if that is ``sure`` to come."""
    return replace(line, place=line.place + (sure and line.place > 1), place_to=line.place_to + 1)


def _of_buy_ins(run: Run, buy_ins: BuyIns) -> tuple[Placing, ...]:
    """Return the places in the buy-in bracket; before it is drawn all are open."""
    count = len(buy_ins.admitted)
    if not buy_ins.are_closed:
        why = Reason(
            "buy_in_waits",
            gettext_noop("Bought in: the buy-in bracket is drawn when buy-ins close."),
        )
        return tuple(Placing(entrant.id, 1, count, why) for entrant in buy_ins.admitted)
    if count == 1:
        why = Reason("buy_in_alone", gettext_noop("Nobody else bought in."))
        return (Placing(buy_ins.admitted[0].id, 1, 1, why),)
    return bracket_placings(run, BUY_IN)
