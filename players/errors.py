"""How a service says no. The lowest app that speaks to people defines it, so that all services share it."""

from collections.abc import Sequence

from django.utils.functional import Promise

from rules.errors import Finding


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


class Forbidden(Refusal):
    """This person may not do this."""

    status = 403
