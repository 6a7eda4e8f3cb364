"""The real match records in CORPUS_DIR."""

import os
from pathlib import Path

NOT_READ_YET = "xg"
"""The folder of eXtreme Gammon's records, whose dialect has signs of its own (``???`` for giving up after the roll)."""


def corpus(*suffixes: str) -> list[Path]:
    """The records with these suffixes, in the order of their paths; all but those of a dialect that is not read yet."""
    folder = Path(os.environ["CORPUS_DIR"])
    paths = (path for path in folder.rglob("*") if path.suffix in suffixes)
    return sorted(path for path in paths if NOT_READ_YET not in path.relative_to(folder).parts)
