"""The crossing of a stage that follows groups, shown before its draw."""

from __future__ import annotations

from tournament.draw.chain import Chain
from tournament.formats import FORMATS, parse_options
from tournament.formats.errors import PlanError
from tournament.formats.options import Options
from tournament.formats.pools import POOL
from tournament.models import Stage
from tournament.ranking.crossing import crossing


def crossing_of(stage: Stage, chain: Chain, options: Options) -> tuple[tuple[str, str], ...]:
    """Return who meets whom in round 1, as A1 and B2; nothing once it is drawn, and where no groups come before it."""
    if stage.drawn_at is not None or stage.number == 1 or not stage.qualifiers:
        return ()
    return crossing(FORMATS[stage.format], options, groups_before(chain, stage.number), stage.qualifiers)


def groups_before(chain: Chain, number: int) -> int:
    """Return how many groups the stage before this one has: as drawn, or as those entered now would make."""
    before = chain.stages[number - 2]
    if before.drawn_at is not None or before.number > 1:
        return len({one.bracket for one in chain.fixtures[before.pk] if one.bracket.startswith(POOL)})
    entered = sum(entry.is_drawn_in(1) for entry in chain.entries.values())
    try:
        return FORMATS[before.format].group_count(parse_options(before.format, before.options), entered)
    except PlanError:
        return 0
