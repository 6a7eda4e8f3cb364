"""The traces of a correction: advances by ruling, and matches that lost their fixture."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from matches.models import Match
from players.rows import Row
from tournament.models.draw import Stage
from tournament.models.event import Entry


class Advance(Row):
    """An entry's advance from a match by ruling, whatever the match's corrected score says, until ``ended_at``.

    The score, the points and the rating follow the score sheet; only the plan takes this as the outcome. Between two
    teams ``match`` is the board whose correction called for it; at most one of their boards has one that stands.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="advances")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    reason = models.CharField(_("reason"), max_length=200)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        verbose_name = _("advance by ruling")
        verbose_name_plural = _("advances by ruling")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["match"], condition=Q(ended_at__isnull=True), name="advance_one_standing_per_match"
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="advance_has_a_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.entry_id} from {self.match_id}"


class FormerMatch(Row):
    """A match that lost its fixture to other entries: where it was, and between which entries.

    It has a history, or is a ``board`` of two teams another of whose boards has one; 0 between players or pairs.
    """

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="former")
    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="former_matches")
    key = models.CharField(max_length=16)
    bracket = models.CharField(max_length=4)
    round = models.PositiveSmallIntegerField()
    number = models.PositiveSmallIntegerField()
    board = models.PositiveSmallIntegerField(default=0)
    entry_a = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    entry_b = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    left_at = models.DateTimeField()

    class Meta:
        verbose_name = _("former match")
        verbose_name_plural = _("former matches")
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.key}: {self.match_id}"
