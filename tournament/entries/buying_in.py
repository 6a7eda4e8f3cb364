"""Whether a player who was drawn may buy in now."""

from dataclasses import replace

from players.errors import Refusal
from tournament.draw.chain import load_chain
from tournament.entries.admission import AFTER_THE_DRAW
from tournament.formats import FORMATS
from tournament.formats.errors import PlanError
from tournament.models import Entry


def may_buy_in(entry: Entry) -> bool:
    """Whether the format would take the players of this entry in once more, for its buy-in bracket."""
    chain = load_chain(entry.event)
    stage = chain.stages[0]
    format = FORMATS[stage.format]
    if not format.takes_buy_ins() or stage.drawn_at is None or entry.left_at is not None:
        return False
    try:
        draw = chain.at(stage).draw
        mine = next((one for one in draw.entrants if one.id == entry.pk and one.presence[0] == 1), None)
        if mine is None:
            return False
        new = max(one.id for one in draw.entrants) + 1
        number = max(one.number for one in draw.entrants) + 1
        again = replace(mine, id=new, number=number, seed=None, presence=(AFTER_THE_DRAW,))
        plan = format.plan(replace(draw, entrants=(*draw.entrants, again)))
    except (PlanError, Refusal):
        return False
    return plan.takes_entries and new not in plan.refused
