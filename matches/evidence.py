"""Evidence: match records that are attached to a match of an event, which stay beside its score sheet."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from players.rows import Row
from rules.score import Side


class Attached(models.Manager["Evidence"]):
    """The records that stand beside a match today."""

    def get_queryset(self) -> models.QuerySet["Evidence"]:
        return super().get_queryset().filter(detached_at__isnull=True)


class Evidence(Row):
    """A record of ``match``, kept byte for byte: nothing is rated by it, and the score sheet decides.

    ``exchanged`` says that its left column is side B. ``by`` is the member of the staff who attached it; a proposal by
    the private link of a player has their ``side`` instead. ``identity`` is that of a
    :class:`matches.models.Record`, so that an import makes no second match of it. One that was detached is kept, and
    stands beside nothing: nobody sees it, and the record is free as if it had never been attached.
    """

    match = models.ForeignKey("matches.Match", on_delete=models.CASCADE, related_name="evidence")
    sha256 = models.CharField(max_length=64)
    identity = models.CharField(max_length=64, blank=True, default="", db_index=True)
    name = models.CharField(max_length=200)
    data = models.BinaryField()
    exchanged = models.BooleanField(default=False)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    side = models.CharField(max_length=1, blank=True, default="", choices=[(side.value, side.value) for side in Side])
    at = models.DateTimeField()
    detached_at = models.DateTimeField(null=True, blank=True)

    objects = models.Manager()
    attached = Attached()

    class Meta:
        verbose_name = _("attached record")
        verbose_name_plural = _("attached records")
        ordering = ["match_id", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["match", "side", "sha256"],
                condition=Q(detached_at__isnull=True),
                name="evidence_attached_once_per_side",
            ),
            models.CheckConstraint(condition=Q(side="") | Q(by__isnull=True), name="evidence_by_staff_or_by_a_side"),
        ]

    def __str__(self) -> str:
        return self.name
