"""Who may buy in after losing in the main bracket, and when buy-ins close."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from rules.errors import gettext_noop
from tournament.formats.advance import Run
from tournament.formats.knockout import BUY_IN, MAIN
from tournament.formats.plan import Draw, Entrant, Reason


def has_bought_in(entrant: Entrant) -> bool:
    """Whether the entrant came after the draw, and so belongs to the buy-in bracket."""
    return entrant.presence[0] > 1


@dataclass(frozen=True, slots=True)
class BuyIns:
    """The buy-ins in the order in which they came; those who are ``refused`` are not drawn, for these reasons."""

    admitted: tuple[Entrant, ...]
    refused: Mapping[int, Reason]
    are_closed: bool

    def without(self, left_out: Iterable[Entrant]) -> BuyIns:
        """Return the buy-ins without those who could only meet themselves."""
        refused = {entrant.id: _why_alone(entrant) for entrant in left_out}
        admitted = tuple(entrant for entrant in self.admitted if entrant.id not in refused)
        return replace(self, admitted=admitted, refused={**self.refused, **refused})


def sort_buy_ins(draw: Draw, run: Run, rounds: Sequence[Sequence[int]]) -> BuyIns:
    """Return who of the draw has bought in rightly. ``rounds`` are the nodes of the main bracket, by round.

    Buy-ins close when the round after the last whose losers may buy in is over, and stay closed once play in the
    buy-in bracket has begun.
    """
    last = min(draw.options.number("buy_in_rounds"), len(rounds) - 1)
    waited_for = [node for nodes in rounds[: last + 1] for node in nodes]
    has_begun = any(line.key.startswith(f"{BUY_IN}1-") for line in draw.published)
    admitted: list[Entrant] = []
    refused: dict[int, Reason] = {}
    came = (entrant for entrant in draw.entrants if has_bought_in(entrant))
    for entrant in sorted(came, key=lambda entrant: (entrant.number, entrant.id)):
        why = _why_refused(entrant, draw, run, last, admitted)
        if why is None:
            admitted.append(entrant)
        else:
            refused[entrant.id] = why
    are_closed = has_begun or all(run.winners[node] is not None for node in waited_for)
    return BuyIns(tuple(admitted), refused, are_closed)


def _why_refused(entrant: Entrant, draw: Draw, run: Run, last: int, admitted: Sequence[Entrant]) -> Reason | None:
    before = [other for other in draw.entrants if not has_bought_in(other) and other.persons & entrant.persons]
    if not before:
        return Reason(
            "buy_in_not_drawn",
            gettext_noop("%(name)s was not drawn in the main bracket: only players who have lost there may buy in."),
            (("name", entrant.name),),
        )
    # The name of a new entry counts the entries of its player, also where it is refused.
    name = ("name", before[0].name)
    tracks = [run.tracks[MAIN][other.id] for other in before]
    if any(track.won is not False for track in tracks):
        return Reason("buy_in_still_in", gettext_noop("%(name)s is still in the main bracket."), (name,))
    if any(run.graph.nodes[track.node].round > last for track in tracks):
        return Reason(
            "buy_in_lost_late",
            gettext_noop("%(name)s lost too late: only those who lose up to round %(round)s may buy in."),
            (name, ("round", last)),
        )
    times = draw.options.number("buy_ins")
    if sum(bool(other.persons & entrant.persons) for other in admitted) >= times:
        return Reason(
            "buy_in_again",
            gettext_noop("%(name)s has bought in as often as a player may (%(times)s)."),
            (name, ("times", times)),
        )
    places = draw.options.number("buy_in_places")
    if places and len(admitted) >= places:
        return Reason(
            "buy_in_full",
            gettext_noop("All places in the buy-in bracket are taken (%(places)s)."),
            (("places", places),),
        )
    return None


def _why_alone(entrant: Entrant) -> Reason:
    return Reason(
        "buy_in_meets_itself",
        gettext_noop("%(name)s would have to meet another entry of the same player, and so is not drawn."),
        (("name", entrant.name),),
    )
