"""What every format can do: it turns entrants and outcomes into pairings.

A format is a pure function: the same :class:`~tournament.formats.plan.Draw` always gives the same
:class:`~tournament.formats.plan.Plan`. Starting, advancing, correcting and auditing an event are the same call with
other outcomes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from tournament.formats.lots import DRAW
from tournament.formats.options import OptionField, Options
from tournament.formats.plan import Draw, Entrant, Pairing, Plan

if TYPE_CHECKING:
    from tournament.formats.advance import Advanced


class Format(Protocol):
    """A way of drawing an event; ``tournament.formats.FORMATS`` lists them.

    ``fields`` are its own options. ``open_entries`` says that entries stay open after the draw; ``takes_late`` that
    late entries may take a bye of round 1 (``Entrant.bye_taken``); ``pairs_by_round`` that entrants may miss rounds,
    leave and come back (``Entrant.presence``); ``allows_reentry`` that a player who is out may enter again;
    ``ranks_by_record`` that wins and tie-breaks make the places, not the bracket, so that a match may be drawn;
    ``has_final`` that match lengths are read from a final backwards (``Options.length``), where other formats play all
    matches to the first of them.
    """

    @property
    def slug(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def description(self) -> str: ...

    @property
    def fields(self) -> tuple[OptionField, ...]: ...

    @property
    def open_entries(self) -> bool: ...

    @property
    def takes_late(self) -> bool: ...

    @property
    def pairs_by_round(self) -> bool: ...

    @property
    def allows_reentry(self) -> bool: ...

    @property
    def ranks_by_record(self) -> bool: ...

    @property
    def has_final(self) -> bool: ...

    @property
    def min_entrants(self) -> int: ...

    @property
    def max_entrants(self) -> int: ...

    def plan(self, draw: Draw) -> Plan:
        """Return the pairings that should exist, given the entrants and what has been decided.

        Raises PlanError for a field, options or outcomes that cannot belong to this draw.
        """
        ...

    def plan_after(self, run: Advanced) -> Plan:
        """Return the plan of a run of this format, which was taken further than its plan (``Plan.run``)."""
        raise TypeError(f"A plan of {self.slug} has no run.")

    @property
    def makes_groups(self) -> bool:
        """Whether the field is divided into groups, from each of which the same number go on."""
        return False

    def group_count(self, options: Options, entrants: int) -> int:
        """Return into how many groups a field is divided; 0 for none.

        Raises PlanError for a field that cannot be divided so.
        """
        return 0

    def check_options(self, options: Options) -> None:
        """Raise PlanError for options that exclude each other in every field; its ``option`` has to give."""
        return

    def is_continuous(self, options: Options) -> bool:
        """Whether players are paired as they become free: there are no rounds, and a pairing stands once it is made."""
        return False

    def scope(self, pairing: Pairing) -> str:
        """Return the scope in which chance decided, or would have decided, who meets in ``pairing``."""
        return DRAW

    def takes_buy_ins(self) -> bool:
        """Whether only players who have lost may enter after the draw, and nobody twice before it."""
        return False

    def pairs_on_challenge(self) -> bool:
        """Whether players are paired by the challenges that they make, so that a draw alone pairs nobody.

        Nothing is forecast of such a format: nobody knows who will challenge whom.
        """
        return False

    def planned_rounds(self, options: Options, entrants: Sequence[Entrant]) -> int | None:
        """Return how many rounds this field plays; None if that depends on results, groups or parallel brackets."""
        return None
