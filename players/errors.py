"""How a service refuses. The lowest app with a user interface defines it, so that all services share it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from django.core.exceptions import ValidationError
from django.db import IntegrityError, OperationalError
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from rules.errors import Finding


class Sentence(Protocol):
    """A sentence from a pure package: an English template and its parameters."""

    @property
    def template(self) -> str: ...

    @property
    def params(self) -> Iterable[tuple[str, object]] | Mapping[str, object]: ...


def in_words(sentence: Sentence) -> str:
    """Return the sentence in the reader's language."""
    return _(sentence.template) % dict(sentence.params)


class Refused(Exception):  # noqa: N818
    """What a service raises to say no: it changed nothing, and says why in one sentence with a stable code.

    ``message`` is translatable; ``findings`` are the rules engine's, if that is what refused. ``field`` is the path of
    what has to be sent differently, as in ``options.third_place``, if it is a single field.
    """

    status: int

    def __init__(self, code: str, message: str | Promise, *, findings: Sequence[Finding] = (), field: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.message = message
        self.findings = tuple(findings)
        self.field = field

    def __str__(self) -> str:
        return str(self.message)


class Refusal(Refused):
    """A refusal of what was sent: a page may give its form back, to be changed and sent again."""

    status = 400


class Conflict(Refusal):
    """A request that fits the rules, but not what has happened in the meantime."""

    status = 409


class Unconfirmed(Conflict):
    """A request that is legal but unlikely: it is accepted once its warnings are confirmed.

    ``question`` is the digest of what was asked about (:func:`players.questions.digest_of`).
    """

    def __init__(self, code: str, message: str | Promise, *, findings: Sequence[Finding], question: str) -> None:
        super().__init__(code, message, findings=findings)
        self.question = question


class TooOften(Refusal):
    """A request that was tried too often in too short a time."""

    status = 429


class Forbidden(Refused):
    """A refusal of the person, whatever was sent: no page gives its form back."""

    status = 403


BUSY = ("deadlock detected", "could not serialize access", "database is locked")
FULL = ("database or disk is full", "No space left on device")
"""The words of SQLite and of PostgreSQL."""


def refusal_of(error: Exception) -> Refused | None:
    """Return the refusal behind an error raised by a write: a broken constraint, a lock, a value that a model refuses.

    None for anything else: that is a bug in the program, or a database out of reach.
    """
    if isinstance(error, Refused):
        return error
    if isinstance(error, ValidationError):
        return Refusal("invalid", " ".join(error.messages))
    if isinstance(error, IntegrityError):
        return Conflict(
            "changed_meanwhile", _("Somebody else made a conflicting change at the same moment. Try again.")
        )
    if isinstance(error, OperationalError) and any(words in str(error) for words in BUSY):
        return Conflict("busy", _("The database was busy, so nothing was saved. Try again in a moment."))
    if isinstance(error, OperationalError) and any(words in str(error) for words in FULL):
        return Conflict(
            "disk_full", _("The server’s disk is full, so nothing was saved. Make room on it and try again.")
        )
    return None
