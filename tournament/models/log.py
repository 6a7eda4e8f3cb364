"""The log of a tournament."""

from collections.abc import Iterator, Mapping

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from players.rows import Row
from players.services import fold_name
from tournament.models.event import Event, Tournament
from tournament.origin import MAX_AGENT, Way

MAX_WORDS = 4000


class LogEntry(Row):
    """A step taken in a tournament or one of its events, written in the same transaction.

    ``detail`` is what the sentence of the verb needs, with ``changes``, ``{field: [before, after]}``, where values
    changed. ``words`` are those of the detail as a search finds them. ``address`` and ``agent`` are the client's, or
    for a command or a task its name; rows older than these columns have none.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="log")
    event = models.ForeignKey(Event, on_delete=models.CASCADE, null=True, blank=True, related_name="log")
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    verb = models.CharField(max_length=30)
    detail = models.JSONField(default=dict)
    words = models.TextField(blank=True, editable=False)
    way = models.CharField(max_length=8, choices=Way, blank=True)
    address = models.GenericIPAddressField(null=True, blank=True)
    agent = models.CharField(max_length=MAX_AGENT, blank=True)
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("log entry")
        verbose_name_plural = _("log entries")
        ordering = ["-id"]
        indexes = [models.Index(fields=["tournament", "event", "id"], name="log_newest")]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.verb}"


def words_in(detail: Mapping[str, object]) -> str:
    """Return all texts and numbers in a detail, folded like names, each once."""
    found = dict.fromkeys(fold_name(text) for text in _texts(detail))
    return " ".join(found)[:MAX_WORDS]


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, Mapping):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner)
    elif isinstance(value, str | int) and not isinstance(value, bool):
        yield str(value)
