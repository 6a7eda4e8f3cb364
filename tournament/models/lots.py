"""The lots of an event: the hash chain that was fixed when it was made, and the urns opened with its links."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from players.rows import Row
from tournament.models.draw import Stage
from tournament.models.event import Event


class DrawChain(Row):
    """The hash chain from which the links of an event's urns come, in the order of the urns.

    ``anchor`` is public as soon as the chain is made. It is the link before the first; each link, hashed with SHA-256,
    gives the one before it. The last of the ``length`` links follows from the secret of the server and the ``nonce``,
    so nobody who has only the database knows a link before it is revealed. A later chain, with a higher ``number``,
    begins only when the secret was lost or every link was used.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="draw_chains")
    number = models.PositiveSmallIntegerField(default=1)
    nonce = models.CharField(max_length=64)
    anchor = models.CharField(max_length=64)
    length = models.PositiveIntegerField()
    made_at = models.DateTimeField()

    class Meta:
        verbose_name = _("chain of draws")
        verbose_name_plural = _("chains of draws")
        ordering = ["event_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="draw_chain_number_once_per_event"),
            models.CheckConstraint(condition=Q(number__gte=1, length__gte=1), name="draw_chain_has_links"),
            models.CheckConstraint(condition=~Q(nonce="") & ~Q(anchor=""), name="draw_chain_has_nonce_and_anchor"),
        ]

    def __str__(self) -> str:
        return f"{self.event_id} {self.number}"


class OpenUrn(Row):
    """An urn that was opened: link ``number`` of the chain, for everything that chance decides in a ``scope``.

    ``digest`` is the SHA-256 hash of ``document``, the text that says what was known then: terms, format, options and
    entries. The urns of a draw that was cancelled stay, without a stage once that is removed.
    """

    chain = models.ForeignKey(DrawChain, on_delete=models.CASCADE, related_name="urns")
    number = models.PositiveIntegerField()
    link = models.CharField(max_length=64)
    stage = models.ForeignKey(Stage, on_delete=models.SET_NULL, null=True, blank=True, related_name="urns")
    scope = models.CharField(max_length=40)
    public_value = models.CharField(max_length=1000, blank=True)
    digest = models.CharField(max_length=64)
    document = models.TextField()
    opened_at = models.DateTimeField()
    cancelled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("open urn")
        verbose_name_plural = _("open urns")
        ordering = ["chain_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["chain", "number"], name="open_urn_link_once_per_chain"),
            models.UniqueConstraint(
                fields=["stage", "scope"],
                condition=Q(cancelled_at__isnull=True),
                name="open_urn_one_standing_per_scope",
            ),
            models.CheckConstraint(condition=Q(number__gte=1), name="open_urn_number_positive"),
            models.CheckConstraint(
                condition=~Q(link="") & ~Q(scope="") & ~Q(digest="") & ~Q(document=""), name="open_urn_is_complete"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.scope}"
