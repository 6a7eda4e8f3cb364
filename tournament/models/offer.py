"""Offers: what a side of a match with a deadline says that it has done to play it."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from players.rows import Row
from tournament.models.draw import Fixture
from tournament.models.event import Entry


class Offer(Row):
    """Days on which the entry has offered to play the match of this fixture, noted with its private link.

    ``days`` are written 2026-01-05, and none says that the opponent does not answer. An offer by an entry that is no
    longer in the fixture counts for nothing.
    """

    fixture = models.ForeignKey(Fixture, on_delete=models.CASCADE, related_name="offers")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="offers")
    days = models.JSONField(default=list, blank=True)
    made_at = models.DateTimeField()

    class Meta:
        verbose_name = _("offer")
        verbose_name_plural = _("offers")
        ordering = ["fixture_id", "pk"]

    def __str__(self) -> str:
        return f"{self.fixture_id} {self.entry_id}: {', '.join(self.days)}"
