"""What players ask the desk for who cannot prove with a code whose page is theirs."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from players.rows import Row
from tournament.models.event import Entry

MAX_KEY = 64
MAX_NETWORK = 43


class PageRequest(Row):
    """Somebody who says that they play as ``entry``, and asks the desk to open its page on their phone.

    ``link_epoch`` is the entry's when they asked: with that link the request ends too. The phone shows ``number``, and
    ``key`` makes a repeated request the same. ``asked_from`` is the address that asked, or its network, of which few
    requests wait at once. ``said_yes`` is null until the desk has answered.
    """

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="page_requests")
    link_epoch = models.PositiveIntegerField()
    key = models.CharField(max_length=MAX_KEY)
    number = models.PositiveSmallIntegerField()
    asked_from = models.CharField(max_length=MAX_NETWORK, blank=True)
    asked_at = models.DateTimeField()
    said_yes = models.BooleanField(null=True, blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        verbose_name = _("request for a page")
        verbose_name_plural = _("requests for pages")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["entry", "key"], name="page_request_once_per_key"),
            models.CheckConstraint(
                condition=Q(said_yes__isnull=True, answered_at__isnull=True)
                | Q(said_yes__isnull=False, answered_at__isnull=False),
                name="page_request_answered_at_a_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number} for {self.entry_id}"
