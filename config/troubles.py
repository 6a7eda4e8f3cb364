"""Which parts of the site keep ending, as the watcher tells the pages: a small file, there only while one does."""

import json
import os
from contextlib import suppress

from django.conf import settings


def write_troubles(names: list[str]) -> None:
    """Say that these parts keep ending, and no others. On a full disk nothing is said."""
    path = settings.TROUBLES_FILE
    with suppress(OSError):
        if not names:
            path.unlink(missing_ok=True)
            return
        draft = path.with_suffix(f".{os.getpid()}")
        draft.write_text(json.dumps({"parts": names}))
        draft.replace(path)
