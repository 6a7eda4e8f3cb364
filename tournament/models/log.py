"""Who did what to a tournament."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.models.event import Event, Tournament


class LogEntry(models.Model):
    """Who did what to an event, written in the transaction that did it."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="log")
    event = models.ForeignKey(Event, on_delete=models.CASCADE, null=True, blank=True, related_name="log")
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    verb = models.CharField(max_length=30)
    detail = models.JSONField(default=dict)
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("log entry")
        verbose_name_plural = _("log entries")
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.verb}"
