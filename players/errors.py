"""How a service refuses. The lowest app with a user interface defines it, so that all services share it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from rules.errors import Finding, Word


class Sentence(Protocol):
    """A sentence from a pure package: an English template and its parameters."""

    @property
    def template(self) -> str: ...

    @property
    def params(self) -> Iterable[tuple[str, object]] | Mapping[str, object]: ...


def in_words(sentence: Sentence) -> str:
    """Return the sentence in the reader's language, with its words translated and its decimal numbers grouped."""
    return _(sentence.template) % {name: _in_words(value) for name, value in dict(sentence.params).items()}


def _in_words(value: object) -> object:
    if isinstance(value, Word):
        return _(value)
    if isinstance(value, float):
        return number_format(int(value) if value.is_integer() else value, use_l10n=True, force_grouping=True)
    return value


class Refused(Exception):  # noqa: N818
    """What a service raises to say no: it changed nothing, and says why in one sentence with a stable code.

    ``message`` is translatable; ``findings`` are the rules engine's, if that is what refused. ``field`` is the path of
    what has to be sent differently, as in ``options.third_place``, if it is a single field.
    """

    status: int
    retry_after: int | None = None
    """After how many seconds the same request is worth another try, if it is worth one at all."""

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


def character_nul(field: str = "") -> Refusal:
    """Return the refusal of a text with U+0000, which no text has and PostgreSQL does not store."""
    return Refusal("character_nul", _("A text cannot contain the character U+0000."), field=field)


class Busy(Conflict):
    """A request that met another one at the database: it is sent again as it is, and may be sent by itself."""

    retry_after = 1


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


class Outage(Refused):
    """A refusal of nobody: the database or a disk cannot serve now, whoever asks."""

    status = 503
    retry_after = 10
