"""The tables of titles of a federation as rows: what an officer has decided, and from which day it holds."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from players.performance.table_rules import read_table
from players.performance.tracker import Tables
from players.registry.models import Federation
from players.rows import Row


class TitleRules(Row):
    """The table of titles of a federation from ``valid_from`` on, until another begins.

    ``rules`` are those of :mod:`players.performance.table_rules`. Appended, never edited: of two from the same day the
    later row holds.
    """

    federation = models.ForeignKey(Federation, on_delete=models.PROTECT, related_name="title_rules")
    valid_from = models.DateField(_("valid from"))
    rules = models.JSONField(default=dict)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("table of titles")
        verbose_name_plural = _("tables of titles")
        ordering = ["valid_from", "id"]
        indexes = [models.Index(fields=["federation", "valid_from"], name="title_rules_from_a_day")]

    def __str__(self) -> str:
        return f"{self.federation_id} from {self.valid_from}"


def tables_of(federation: Federation) -> Tables:
    """Return all tables of the federation, in one query."""
    rows = TitleRules.objects.filter(federation=federation).order_by("valid_from", "id")
    return Tables(tuple((row.valid_from, read_table(row.rules)) for row in rows))


def has_title_tables() -> bool:
    """Whether any federation has a table of titles."""
    return TitleRules.objects.exists()
