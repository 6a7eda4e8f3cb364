"""The error raised for impossible amounts and money terms."""

from __future__ import annotations

from collections.abc import Mapping


class MoneyError(ValueError):
    """An impossible amount or term; ``code`` is stable, ``template % params`` is the English sentence."""

    def __init__(self, code: str, template: str, **params: str | int) -> None:
        super().__init__(template % params)
        self.code = code
        self.template = template
        self.params: Mapping[str, str | int] = params
