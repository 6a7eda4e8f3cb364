"""Answers that are kept for a client that sends a request again, because it has not heard the first one."""

from django.db import models
from django.utils.translation import gettext_lazy as _

DIGEST = 64


class KeptAnswer(models.Model):
    """What the API has answered to a write that came with a key.

    ``claim`` is a digest of who sent it and of the key, ``request`` one of the method, the address and the body. The
    answer is encrypted: only whoever has the key and the secret of this installation can read it, for it may hold a
    private link. ``status`` is null for as long as the write is carried out, which no other transaction sees.
    """

    claim = models.CharField(max_length=DIGEST, unique=True)
    request = models.CharField(max_length=DIGEST)
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    answer = models.BinaryField(default=bytes, blank=True)
    made_at = models.DateTimeField(db_index=True)

    class Meta:
        verbose_name = _("kept answer")
        verbose_name_plural = _("kept answers")

    def __str__(self) -> str:
        return f"{self.made_at:%Y-%m-%d %H:%M} {self.status}"
