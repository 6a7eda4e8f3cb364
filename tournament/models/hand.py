"""Changes by hand: what a director has swapped or fixed in a draw, with who, when and why."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from matches.models import MAX_REASON
from players.rows import Row
from tournament.formats.moves import Move, MoveKind
from tournament.models.draw import Stage
from tournament.models.event import Entry


class HandChange(Row):
    """A change of a stage's draw by a director, until ``ended_at``; it stays listed after that.

    It is a :class:`tournament.formats.moves.Move`: a swap of two entries in the layout of the draw, or a fixed pairing
    of a ``round``, where an empty ``entry_b`` is the bye. ``number`` counts within the stage.
    """

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="hand_changes")
    number = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=4)
    round = models.PositiveSmallIntegerField(default=0)
    entry_a = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    entry_b = models.ForeignKey(Entry, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    reason = models.CharField(_("reason"), max_length=MAX_REASON)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("change by the director")
        verbose_name_plural = _("changes by the director")
        ordering = ["stage_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "number"], name="hand_change_number_once_per_stage"),
            models.CheckConstraint(
                condition=Q(kind="swap", round=0, entry_b__isnull=False) | Q(kind="pair", round__gte=1),
                name="hand_change_is_a_swap_or_a_pairing",
            ),
            models.CheckConstraint(condition=~Q(entry_a=F("entry_b")), name="hand_change_entries_differ"),
            models.CheckConstraint(condition=~Q(reason=""), name="hand_change_has_a_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.number}: {self.kind} {self.entry_a_id} {self.entry_b_id}"

    @property
    def move(self) -> Move:
        """The change as formats take it into account."""
        return Move(self.number, MoveKind(self.kind), self.entry_a_id, self.entry_b_id, self.reason, self.round)
