"""The steps of planning a knockout, counted instead of timed: each look at an entrant, a result or the graph."""

from __future__ import annotations

import pytest

from tests.steps import CountedDict, CountedList, Steps
from tests.tournament.formats.events import field, play_out
from tournament.formats import consolation_graph
from tournament.formats.consolation_graph import knockout_graph
from tournament.formats.first_round import draw_lines
from tournament.formats.knockout import Graph
from tournament.formats.plan import Draw, Entrant


def steps_of_planning(format, options, size):
    """The steps of planning a field of this size for the first time, and again when everything has been played."""
    steps = Steps()
    draw = Draw(counted_field(steps, size), options, {}, "steps")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(consolation_graph, "Graph", lambda: Graph(CountedList(steps)))
        forget()
        format.plan(draw)
        new = steps.taken
        played = play_out(format, draw)
        steps.taken = 0
        format.plan(Draw(played.entrants, options, CountedDict(steps, played.outcomes), played.seed))
        forget()
    return new, steps.taken


def forget():
    """Forget all fields that have been drawn before."""
    knockout_graph.cache_clear()
    draw_lines.cache_clear()


def counted_field(steps, size):
    """Entrants that count how often anything of them is read, which is also how two of them are compared."""

    class CountedEntrant(Entrant):
        def __getattribute__(self, name):
            steps.taken += 1
            return object.__getattribute__(self, name)

    return tuple(CountedEntrant(entrant.id, entrant.name) for entrant in field(size))
