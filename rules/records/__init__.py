"""Match records: one module a format, and the replay that checks them."""

from collections.abc import Callable

from rules.records import mat
from rules.records.record import MatchRecord

FORMATS: dict[str, Callable[[bytes], MatchRecord]] = {
    "mat": mat.loads,
}
"""The reader of each format, by the suffix its files have."""
