"""Templates: settings of events that directors keep for later ones."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from players.models import MAX_NAME
from players.rows import Row
from tournament.models.event import Event


class EventTemplate(Row):
    """Settings of an event under a name of its owner's choice, in the form of :mod:`tournament.setup.settings`.

    They are those that ``event`` had when the template was saved, and do not follow it.
    """

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="event_templates")
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="templates")
    name = models.CharField(_("name"), max_length=MAX_NAME)
    settings = models.JSONField()
    created_at = models.DateTimeField()

    class Meta:
        verbose_name = _("template")
        verbose_name_plural = _("templates")
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["owner", "name"], name="event_template_name_once_per_owner"),
            models.CheckConstraint(condition=~Q(name=""), name="event_template_has_name"),
        ]

    def __str__(self) -> str:
        return self.name
