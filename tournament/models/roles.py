"""Roles in a tournament or in one of its events, and invitations to them."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from players.rows import Row
from tournament.models.event import Event, Tournament

MAX_NOTE = 80


class Role(models.TextChoices):
    """A role in a tournament; :data:`tournament.roles.permissions.PERMISSIONS` says what each one allows."""

    OWNER = "owner", _("owner")
    DIRECTOR = "director", _("director")
    DEPUTY = "deputy", _("deputy")
    SCORER = "scorer", _("scorer")
    READER = "reader", _("reader")


WHOLE_TOURNAMENT = (Role.OWNER, Role.DIRECTOR)
"""Roles that always cover the whole tournament. A deputy covers one event, a scorer or reader either."""


def fits_reach(prefix: str) -> models.CheckConstraint:
    """Return the constraint that deputies cover one event, and owners and directors the whole tournament."""
    return models.CheckConstraint(
        condition=Q(role__in=[Role.SCORER, Role.READER])
        | Q(role=Role.DEPUTY, event__isnull=False)
        | Q(role__in=WHOLE_TOURNAMENT, event__isnull=True),
        name=f"{prefix}_role_fits_reach",
    )


class Appointment(Row):
    """A user's role in the tournament, or in ``event`` alone: at most one for each."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="appointments")
    event = models.ForeignKey(Event, on_delete=models.CASCADE, null=True, blank=True, related_name="appointments")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="appointments")
    role = models.CharField(_("role"), max_length=8, choices=Role)
    since = models.DateTimeField()

    class Meta:
        verbose_name = _("appointment")
        verbose_name_plural = _("appointments")
        ordering = ["id"]
        constraints = [
            fits_reach("appointment"),
            models.UniqueConstraint(
                fields=["tournament", "user"], condition=Q(event__isnull=True), name="appointment_once_per_tournament"
            ),
            models.UniqueConstraint(
                fields=["event", "user"], condition=Q(event__isnull=False), name="appointment_once_per_event"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} {self.role}"


class Invitation(Row):
    """A role for the person who opens the link, usable once. ``note`` says for whom it is intended.

    Only the SHA-256 of its token is stored: reading the database is not enough to accept it.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="invitations")
    event = models.ForeignKey(Event, on_delete=models.CASCADE, null=True, blank=True, related_name="invitations")
    role = models.CharField(_("role"), max_length=8, choices=Role)
    note = models.CharField(_("meant for"), max_length=MAX_NOTE, blank=True)
    token_hash = models.CharField(max_length=64, unique=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    accepted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    accepted_at = models.DateTimeField(null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        ordering = ["-id"]
        constraints = [
            fits_reach("invitation"),
            models.CheckConstraint(
                condition=Q(accepted_at__isnull=True) | Q(withdrawn_at__isnull=True),
                name="invitation_accepted_or_withdrawn",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament} {self.role}"
