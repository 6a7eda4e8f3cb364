"""The rating system of a list, from its kind and parameters."""

import json
from collections.abc import Mapping
from typing import Any

from players.ratings import RatingSystem, build_system


def build(kind: str, parameters: Mapping[str, Any]) -> RatingSystem:
    """Return the system of this kind; each parameter is JSON text, as :func:`written` has it. Raises ValueError."""
    return build_system(kind, {name: json.loads(text) for name, text in parameters.items()})


def written(system: RatingSystem) -> dict[str, str]:
    """Return all its parameters as a document has them: each as JSON text, since it has no numbers but integers."""
    return {name: json.dumps(value) for name, value in sorted(system.as_dict().items())}
