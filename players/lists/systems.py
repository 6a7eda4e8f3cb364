"""The rating system of a list, from its kind and parameters."""

import json
from collections.abc import Mapping
from typing import Any

from players.ratings import RATINGS, RatingSystem


def build(kind: str, parameters: Mapping[str, Any]) -> RatingSystem:
    """Return the system of this kind with these parameters, each as JSON text. Raises ValueError, KeyError."""
    values = {name: json.loads(text) for name, text in parameters.items()}
    if values:
        raise ValueError(sorted(values))
    return RATINGS[kind]


def written(parameters: Mapping[str, Any]) -> dict[str, str]:
    """Return the parameters as a document has them: each as JSON text, since it has no other numbers than integers."""
    return {name: json.dumps(value) for name, value in sorted(parameters.items())}
