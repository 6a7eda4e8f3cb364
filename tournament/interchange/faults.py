"""What is wrong with an event file: each fault names the rule that is broken, and the place."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

MOST_FAULTS = 100
"""Up to so many faults of a file are named: a file with more is no better known by the others."""

MOST_SHOWN = 40
"""How much of a value from the file a sentence repeats."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong: ``code`` is stable, ``pointer`` is a JSON Pointer (RFC 6901), empty for the whole file.

    ``template % params`` is the English sentence, which does not repeat the pointer.
    """

    code: str
    pointer: str
    template: str
    params: Mapping[str, object] = field(default_factory=dict, hash=False)

    @property
    def message(self) -> str:
        """The sentence in English."""
        return self.template % dict(self.params)


def at(pointer: str, *names: str | int) -> str:
    """Return the pointer to what stands under these keys and indexes of the value at ``pointer``."""
    return pointer + "".join("/" + str(name).replace("~", "~0").replace("/", "~1") for name in names)


def shown(value: object) -> str:
    """Return the start of the value as a sentence repeats it."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text[:MOST_SHOWN].encode("utf-8", "replace").decode()
