"""The real match records in CORPUS_DIR."""

import os
from pathlib import Path


def corpus(*suffixes: str) -> list[Path]:
    """The records with these suffixes, in the order of their paths."""
    folder = Path(os.environ["CORPUS_DIR"])
    return sorted(path for path in folder.rglob("*") if path.suffix in suffixes)
