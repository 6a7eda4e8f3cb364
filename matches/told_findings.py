"""What a record keeps of its replay, told to readers of whom not all may know who played it."""

from django.utils.translation import gettext as _

from matches.models import Record

OF_NAMES = frozenset({"name", "left", "right", "first", "second", "winner", "reason"})
"""The parameters of findings that may hold a name as the file has it, where they are texts."""


def told_finding(record: Record, *, by_name: bool) -> dict[str, object] | None:
    """Return the record's finding in the reader's language, with its code, severity, game and row; None without one.

    Who is hidden today has their name in the file still: unless ``by_name``, a finding that tells a name is None.
    """
    stored = record.finding
    if not stored:
        return None
    names = [value for key, value in stored["params"].items() if key in OF_NAMES and isinstance(value, str)]
    if names and not by_name:
        return None
    said = {key: stored[key] for key in ("code", "severity", "game", "row")}
    return said | {"message": _(stored["template"]) % stored["params"]}
