"""What the directors of a tournament announce to everybody."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from players.rows import Row
from tournament.models.event import Event, Tournament

MAX_ANNOUNCEMENT = 280


class Announcement(Row):
    """A sentence to all players of a tournament, or of one ``event``: from ``made_at`` until ``ends_at``.

    Without ``ends_at`` it stays until it is withdrawn. ``withdrawn_at`` is when it left the pages, withdrawn or ended.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="announcements")
    event = models.ForeignKey(Event, on_delete=models.CASCADE, null=True, blank=True, related_name="announcements")
    text = models.CharField(_("text"), max_length=MAX_ANNOUNCEMENT)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    made_at = models.DateTimeField()
    ends_at = models.DateTimeField(_("until"), null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("announcement")
        verbose_name_plural = _("announcements")
        ordering = ["-made_at", "-pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(text=""), name="announcement_has_text"),
            models.CheckConstraint(
                condition=Q(ends_at__isnull=True) | Q(ends_at__gt=F("made_at")),
                name="announcement_ends_after_it_begins",
            ),
        ]
        indexes = [
            models.Index(fields=["tournament"], condition=Q(withdrawn_at__isnull=True), name="announcement_of_now"),
        ]

    def __str__(self) -> str:
        return self.text
