"""What commits a stage's draw before it is made, and the urns that show how it was made."""

from typing import Any

from tournament.draw.chain import Chain, entrant_of
from tournament.draw.document import commitment
from tournament.models import OpenUrn, Stage
from tournament.snapshot.event import UrnSnapshot


def chance_of(chain: Chain, stage: Stage) -> dict[str, Any]:
    """Return the fields of a stage's snapshot that tell of chance: seed and hashes, anchor and urns."""
    return {
        "seed": chain.lots.seed_of(stage) if stage.drawn_at else "",
        "seed_hash": chain.lots.seed_hash_of(stage),
        "draw_hash": _draw_hash(chain, stage),
        "anchor": chain.lots.anchor_of(stage),
        "urns": tuple(map(_urn_view, chain.lots.standing(stage))),
    }


def _draw_hash(chain: Chain, stage: Stage) -> str:
    if stage.drawn_at is not None or stage.number > 1:
        return stage.draw_hash
    entrants = [entrant_of(entry) for entry in chain.entries.values() if entry.is_drawn_in(1)]
    return commitment(chain.event, stage, entrants)


def _urn_view(urn: OpenUrn) -> UrnSnapshot:
    """Return the urn as displayed. Reads ``urn.chain`` as loaded."""
    return UrnSnapshot(
        chain=urn.chain.number,
        number=urn.number,
        scope=urn.scope,
        link=urn.link,
        public_value=urn.public_value,
        digest=urn.digest,
        opened_at=urn.opened_at,
    )
