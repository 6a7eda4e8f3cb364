"""Play-offs: matches whose only purpose is to separate tied entries."""

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Greatest, Least
from django.utils.translation import gettext_lazy as _

from players.rows import Row
from tournament.models.draw import Stage
from tournament.models.event import Entry


class PlayOff(Row):
    """The result of a play-off, at most one for any two entries of a stage: it decides a tie, and nothing else."""

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="play_offs")
    winner = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    loser = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")

    class Meta:
        verbose_name = _("play-off")
        verbose_name_plural = _("play-offs")
        ordering = ["stage_id", "id"]
        constraints = [
            models.UniqueConstraint(
                F("stage"), Least("winner", "loser"), Greatest("winner", "loser"), name="play_off_once_for_two_entries"
            ),
            models.CheckConstraint(condition=~Q(winner=F("loser")), name="play_off_entries_differ"),
        ]

    def __str__(self) -> str:
        return f"{self.winner_id} > {self.loser_id}"
