"""Files that commands read and write, with a sentence where that fails."""

from pathlib import Path

from django.core.management.base import CommandError
from django.utils.translation import gettext as _


def read_file(path: Path, most_bytes: int) -> bytes:
    """Return the bytes of the file, at most one more than ``most_bytes``. Raises CommandError."""
    try:
        with path.open("rb") as opened:
            return opened.read(most_bytes + 1)
    except OSError as error:
        raise CommandError(
            _("%(file)s cannot be read: %(reason)s.") % {"file": path, "reason": error.strerror}
        ) from error


def write_file(path: Path, data: bytes) -> None:
    """Write the bytes to the file. Raises CommandError."""
    try:
        path.write_bytes(data)
    except OSError as error:
        raise CommandError(
            _("%(file)s cannot be written: %(reason)s.") % {"file": path, "reason": error.strerror}
        ) from error
