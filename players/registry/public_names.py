"""Which names everybody may read, as a version: who reads names for a while and then keeps them asks for it.

It is read before the names, and held in the transaction that keeps them. A writer changes it before locking a person,
so of the two that meet, the one that comes second knows of the first.
"""

from django.db import models
from django.db.models import F, Q

from players.rows import Row


class PublicNames(Row):
    """``version`` grows whenever a name is taken back or given again; there is one row at most."""

    version = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(id=1), name="public_names_is_one_row")]

    def __str__(self) -> str:
        return f"version {self.version}"


def version_of_names() -> int:
    """Return the version of the names that are read from now on, or of an earlier moment."""
    return PublicNames.objects.values_list("version", flat=True).first() or 0


def hold_names() -> int:
    """Return the version, which stays until the transaction ends; it comes before every lock on a person or a list.

    The row is written, not locked alone: a writer who sees the state of an earlier moment is then told to come again.
    """
    held = _held()
    PublicNames.objects.filter(pk=held.pk).update(version=F("version"))
    return held.version


def change_names() -> None:
    """Raise the version once nobody holds it; it comes after the locks on events and before that on a person."""
    PublicNames.objects.filter(pk=_held().pk).update(version=F("version") + 1)


def _held() -> PublicNames:
    return PublicNames.objects.select_for_update().get_or_create(pk=1)[0]
