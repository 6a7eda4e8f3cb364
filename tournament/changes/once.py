"""A write that is sent twice is carried out once: its answer is kept under the key that its client has given it.

The key is claimed in the transaction of the write, so that of two requests at the same moment one waits for the other
and gets its answer, and a write that is refused or interrupted leaves its key free.
"""

import base64
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from players.errors import Conflict, Refusal
from players.outages import busy
from tournament.models import KeptAnswer

KEPT = timedelta(hours=48)
"""How long an answer is kept at most; for at least half of it, whatever the clock of the worker says."""


class KeyReused(Refusal):
    """A request under a key that belongs to another one."""

    status = 422


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer as it was sent: its headers are those that belong to the content."""

    status: int
    headers: Mapping[str, str]
    content: bytes


@dataclass(frozen=True, slots=True)
class Claim:
    """A key that this transaction has claimed for its request."""

    row: KeptAnswer
    owner: str
    key: str

    def keep(self, answer: Answer) -> None:
        """Keep the answer with the write that it tells of."""
        packed = json.dumps(dict(answer.headers)).encode() + b"\n" + answer.content
        self.row.status = answer.status
        self.row.answer = _cipher(self.owner, self.key).encrypt(zlib.compress(packed))
        self.row.save(update_fields=["status", "answer"])


def claim(owner: str, key: str, request: str, *, at: datetime) -> Claim | Answer:
    """Claim the key for what is sent, or return what was answered to the same request before.

    It must be called in the transaction of the write. Another one that has claimed the key is waited for. Raises
    KeyReused if the key belongs to another request, and Conflict if its answer can no longer be read, or was kept after
    this transaction began.
    """
    digest = _digest_of(owner, key)
    row = KeptAnswer.objects.filter(claim=digest).first()
    if row is None:
        row = KeptAnswer(claim=digest, request=request, made_at=at)
        try:
            with transaction.atomic():
                row.save(force_insert=True)
            return Claim(row, owner, key)
        except IntegrityError:
            row = KeptAnswer.objects.filter(claim=digest).first()
    if row is None:  # this transaction began before the other one ended, and cannot see what it kept
        raise busy()
    if row.request != request:
        raise KeyReused("key_reused", _("This key has already been used for another request: send a new one."))
    return _read(row, owner, key)


def find_answer(owner: str, key: str, request: str) -> Answer | None:
    """Return what was answered to the same request under the key; None if nothing was."""
    row = KeptAnswer.objects.filter(claim=_digest_of(owner, key), request=request).first()
    return _read(row, owner, key) if row is not None else None


def _digest_of(owner: str, key: str) -> str:
    return sha256(f"{owner}\0{key}".encode()).hexdigest()


def _read(row: KeptAnswer, owner: str, key: str) -> Answer:
    try:
        packed = zlib.decompress(_cipher(owner, key).decrypt(bytes(row.answer)))
    except InvalidToken as error:
        sentence = _("This was done before, but what was answered can no longer be read.")
        raise Conflict("answer_lost", sentence) from error
    headers, _line, content = packed.partition(b"\n")
    return Answer(row.status or 200, json.loads(headers), content)


def _cipher(owner: str, key: str) -> MultiFernet:
    """Return what reads and writes this answer alone; answers under the secrets before the present one are read too."""
    secrets = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    made = [
        salted_hmac("sixprime: kept answers", f"{owner}\0{key}", secret=secret, algorithm="sha256").digest()
        for secret in secrets
    ]
    return MultiFernet([Fernet(base64.urlsafe_b64encode(one)) for one in made])


def forget_answers(*, at: datetime) -> None:
    """Delete the answers that have been kept for long enough; a worker says until when time has certainly passed."""
    old = KeptAnswer.objects.filter(made_at__lt=at - KEPT)
    if old.exists():  # without the lock of a writer, nearly each time
        old.delete()
