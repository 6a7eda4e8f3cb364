"""How a service says no. The lowest app that speaks to people defines it, so that all services share it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from django.core.exceptions import ValidationError
from django.db import IntegrityError, OperationalError
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from rules.errors import Finding


class Said(Protocol):
    """A sentence of a pure package: an English template and what fills it."""

    @property
    def template(self) -> str: ...

    @property
    def params(self) -> Iterable[tuple[str, object]] | Mapping[str, object]: ...


def in_words(said: Said) -> str:
    """The sentence in the reader's language."""
    return _(said.template) % dict(said.params)


class Refusal(Exception):  # noqa: N818
    """A service changed nothing, and says why in one sentence with a stable code.

    ``message`` is translatable; ``findings`` are the rules engine's, if it was the one that refused.
    """

    status = 400

    def __init__(self, code: str, message: str | Promise, *, findings: Sequence[Finding] = ()) -> None:
        super().__init__(code)
        self.code = code
        self.message = message
        self.findings = tuple(findings)

    def __str__(self) -> str:
        return str(self.message)


class Conflict(Refusal):
    """The request fits the rules, but not what has happened meanwhile."""

    status = 409


class Unconfirmed(Conflict):
    """Legal but unlikely: the same request is accepted once its warnings are confirmed."""


class TooOften(Refusal):
    """The same was tried too often in too short a time."""

    status = 429


class Forbidden(Refusal):
    """This person may not do this."""

    status = 403


BUSY = ("deadlock detected", "could not serialize access", "database is locked")


def refusal_of(error: Exception) -> Refusal | None:
    """The refusal that an error of a write is: a constraint that two met at once, a lock, a value a model refuses.

    None for anything else: that is a mistake of the program, or a database out of reach.
    """
    if isinstance(error, Refusal):
        return error
    if isinstance(error, ValidationError):
        return Refusal("invalid", " ".join(error.messages))
    if isinstance(error, IntegrityError):
        return Conflict("changed_meanwhile", _("Somebody else changed the same thing at the same moment. Try again."))
    if isinstance(error, OperationalError) and any(words in str(error) for words in BUSY):
        return Conflict("busy", _("The database was busy, and nothing was stored. Try again in a moment."))
    return None
