"""Challenges: what a ladder is paired by."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from players.rows import Row
from tournament.models.draw import Stage
from tournament.models.event import Entry


class Challenge(Row):
    """A challenge of one entry to another, which stands above it on the ladder; ``number`` counts within the stage.

    One that was withdrawn stays, with ``withdrawn_at``; its number is not used again. Its deadline follows from
    ``made_at`` and the options of the stage.
    """

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="challenges")
    number = models.PositiveSmallIntegerField()
    challenger = models.ForeignKey(Entry, on_delete=models.RESTRICT, related_name="+")
    challenged = models.ForeignKey(Entry, on_delete=models.RESTRICT, related_name="+")
    made_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("challenge")
        verbose_name_plural = _("challenges")
        ordering = ["stage_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "number"], name="challenge_number_once_per_stage"),
            models.CheckConstraint(condition=Q(number__gte=1), name="challenge_number_from_one"),
            models.CheckConstraint(condition=~Q(challenger=F("challenged")), name="challenge_entries_differ"),
        ]

    def __str__(self) -> str:
        return f"{self.number}: {self.challenger_id} – {self.challenged_id}"
