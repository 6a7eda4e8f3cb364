"""The document that is fixed when entries close: everything on which the draw of a stage depends."""

import json
from hashlib import sha256

from tournament.draw.chain import Chain
from tournament.models import Stage


def digest_of(chain: Chain, stage: Stage) -> str:
    """Return the SHA-256 of the document for the draw of the stage. Raises as :meth:`Chain.at` does."""
    event, plan = chain.event, chain.at(stage)
    document = {
        "sixprime_draw": 1,
        "tournament": event.tournament.name,
        "event": event.name,
        "stage": stage.number,
        "scope": "draw",
        "format": stage.format,
        "options": stage.options,
        "terms": {"profile": event.profile, "crawford": event.crawford, "doubles": event.doubles},
        "qualifiers": stage.qualifiers,
        "carry": stage.carry,
        "entries": [
            {
                "number": chain.entries[entrant.id].number,
                "name": entrant.name,
                "seed": entrant.seed,
                "club": entrant.club,
                "country": entrant.country,
                "family": entrant.family,
                "members": list(entrant.members),
                "presence": list(entrant.presence),
                "bye_taken": entrant.bye_taken,
            }
            for entrant in sorted(plan.entrants, key=lambda entrant: chain.entries[entrant.id].number)
        ],
    }
    text = json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()
