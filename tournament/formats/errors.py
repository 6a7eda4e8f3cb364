"""The error raised for a draw that cannot be planned."""

from __future__ import annotations

from collections.abc import Mapping


class PlanError(ValueError):
    """A draw that cannot be planned: ``code`` is stable, and ``template % params`` is the English sentence."""

    def __init__(self, code: str, template: str, **params: str | int) -> None:
        super().__init__(template % params)
        self.code = code
        self.template = template
        self.params: Mapping[str, str | int] = params
