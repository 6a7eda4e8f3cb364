"""Files that appear whole or not at all, whatever happens meanwhile."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from django.utils.translation import gettext as _

from players.errors import Refusal


@contextmanager
def draft_of(path: Path, *, replaces: bool = False) -> Iterator[Path]:
    """Give the path of a draft, readable for nobody else, which has the name ``path`` and is on the disk at the end.

    Raises Refusal if the file cannot be written, or exists and is not to be replaced; the draft is gone then.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}.draft")
    try:
        if path.exists() and not replaces:
            raise Refusal("file_exists", _("%(file)s exists already: choose another name.") % {"file": path})
        draft.unlink(missing_ok=True)
        draft.touch(mode=0o600)
        yield draft
        _to_disk(draft)
        draft.replace(path)
        _to_disk(path.parent)
    except OSError as error:
        sentence = _("%(file)s cannot be written: %(reason)s.")
        raise Refusal("not_written", sentence % {"file": path, "reason": error.strerror or error}) from error
    finally:
        with suppress(OSError):  # a folder that is gone has no draft
            draft.unlink(missing_ok=True)


def _to_disk(path: Path) -> None:
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
