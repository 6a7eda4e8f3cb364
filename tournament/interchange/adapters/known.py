"""The formats of other programs that are read. A new one needs a module and a line in ``ADAPTERS``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tournament.interchange.adapters.challonge_csv import read_challonge_csv
from tournament.interchange.adapters.results import Given, Results, as_document
from tournament.interchange.adapters.results_csv import read_results_csv
from tournament.interchange.adapters.trf import read_trf

ADAPTERS: Mapping[str, Callable[[bytes, Given], Results]] = {
    "results-csv": read_results_csv,
    "challonge-csv": read_challonge_csv,
    "trf26": read_trf,
}


def convert(format: str, data: bytes, given: Given) -> dict[str, Any]:
    """Return the file in this format as an event file. Raises Unreadable."""
    return as_document(ADAPTERS[format](data, given), given)
