"""The rows of webhooks: where a federation is told what has happened, and each thing that it is told."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from players.registry.models import Federation
from players.rows import Row

MAX_ADDRESS = 300
MAX_FAULT = 120

EVENTS = {
    "list.published": _("a list is published"),
    "report.accepted": _("the report of an event is accepted"),
    "event.ended": _("an event ends that counts for a list"),
    "export.made": _("an export has been made"),
}
"""What an endpoint may be told of."""


class Webhook(Row):
    """An address of a federation's own program. With the ``nonce``, its secret follows from that of the installation.

    ``events`` are those of :data:`EVENTS` that it is told of; ``ended_at`` ends it.
    """

    federation = models.ForeignKey(Federation, on_delete=models.PROTECT, related_name="webhooks")
    address = models.CharField(_("address"), max_length=MAX_ADDRESS)
    events = models.JSONField(default=list)
    nonce = models.CharField(max_length=64)
    made_at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(condition=~Q(address="") & ~Q(nonce=""), name="webhook_has_address_and_nonce"),
            models.UniqueConstraint(
                fields=["federation", "address"],
                condition=Q(ended_at__isnull=True),
                name="webhook_address_once_per_federation",
            ),
        ]

    def __str__(self) -> str:
        return self.address


class Delivery(Row):
    """One thing that an endpoint is told: stored with what it tells of, and sent until somebody answers.

    ``message`` is its id, the same each time it is sent, and ``body`` the exact text. It waits while ``next_at`` is
    set; without it, it was ``delivered_at``, or is given up.
    """

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    message = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    event = models.CharField(max_length=20)
    body = models.TextField()
    at = models.DateTimeField()
    attempts = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField(null=True, blank=True)
    delivered_at = models.DateTimeField(null=True, blank=True)
    fault = models.CharField(max_length=MAX_FAULT, blank=True)

    class Meta:
        verbose_name = _("delivery")
        verbose_name_plural = _("deliveries")
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(next_at__isnull=True) | Q(delivered_at__isnull=True), name="delivery_waits_or_was_delivered"
            ),
            models.CheckConstraint(condition=Q(event__in=list(EVENTS)), name="delivery_event_known"),
        ]
        indexes = [
            models.Index(fields=["next_at"], condition=Q(next_at__isnull=False), name="delivery_due"),
            models.Index(fields=["webhook", "-id"], name="delivery_of_webhook"),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.message}"

    @property
    def is_dead(self) -> bool:
        """Whether it has been given up: nobody sends it again by itself."""
        return self.next_at is None and self.delivered_at is None
