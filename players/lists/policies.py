"""The policies of a list as rows: what an officer has decided, and from which day it holds."""

from datetime import date

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from players.lists.policy import Policy, read_policy
from players.rows import Row


class ListPolicy(Row):
    """The policy of a list for matches from ``valid_from`` on, until another begins: :mod:`players.lists.policy`.

    Appended, never edited: of two from the same day the later row holds.
    """

    official_list = models.ForeignKey("players.OfficialList", on_delete=models.PROTECT, related_name="policies")
    valid_from = models.DateField(_("valid from"))
    rules = models.JSONField(default=dict)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("policy of a list")
        verbose_name_plural = _("policies of lists")
        ordering = ["valid_from", "id"]
        indexes = [models.Index(fields=["official_list", "valid_from"], name="list_policy_from_a_day")]

    def __str__(self) -> str:
        return f"{self.official_list_id} from {self.valid_from}"

    @property
    def policy(self) -> Policy:
        return read_policy(self.rules)


class Policies:
    """All policies of a list, read once: :meth:`on` gives the one of a day."""

    def __init__(self, official_list: int, *, has_federation: bool) -> None:
        rows = ListPolicy.objects.filter(official_list=official_list).order_by("valid_from", "id")
        self._rows = [(row.valid_from, row.policy) for row in rows]
        self._default = Policy(members=has_federation)

    def on(self, day: date) -> Policy:
        """Return the policy of this day; without one the default, which asks for members only of a federation."""
        return next((policy for since, policy in reversed(self._rows) if since <= day), self._default)
