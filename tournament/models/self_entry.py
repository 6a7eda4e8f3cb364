"""Players who have entered an event themselves, by its public link."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from players.rows import Row
from tournament.models.event import Entry, Event

MAX_KEY = 64


class SelfEntry(Row):
    """Somebody has entered the event without an account; ``key`` makes a repeated form the same entry.

    ``asked`` is the digest of who was to be entered, by which another form under the key is known; empty if the row is
    older than it. ``entry`` is null once that entry has been removed: the same form does not enter it again.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="self_entries")
    key = models.CharField(max_length=MAX_KEY)
    asked = models.CharField(max_length=32, blank=True)
    entry = models.OneToOneField(Entry, on_delete=models.SET_NULL, null=True, blank=True, related_name="self_entry")
    made_at = models.DateTimeField()

    class Meta:
        verbose_name = _("self-entry")
        verbose_name_plural = _("self-entries")
        constraints = [models.UniqueConstraint(fields=["event", "key"], name="self_entry_once_per_key")]

    def __str__(self) -> str:
        return f"{self.entry_id} in {self.event_id}"
