"""What came of each backup that the program made by itself, or that somebody asked it for."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from players.rows import Row


class BackupRun(Row):
    """An attempt to make a backup. ``by`` is the person who asked; nobody did if it was due.

    It has ``begun_at`` once a worker is at it, and ``ended_at`` once it has ended: with the ``name`` of its file and
    its ``bytes``, or with the ``reason`` why there is none. The last ones are kept, and none is part of a backup.
    """

    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    asked_at = models.DateTimeField()
    begun_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    name = models.CharField(max_length=60, blank=True)
    bytes = models.PositiveBigIntegerField(default=0)
    reason = models.CharField(max_length=300, blank=True)

    class Meta:
        verbose_name = _("backup")
        verbose_name_plural = _("backups")
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True, name="", reason="")
                | Q(ended_at__isnull=False, begun_at__isnull=False) & (Q(name="") ^ Q(reason="")),
                name="backup_run_ends_with_a_file_or_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return self.name or f"backup {self.pk}"
