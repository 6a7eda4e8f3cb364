"""What is wrong with a file that is no draw file."""

from __future__ import annotations

from collections.abc import Mapping

from rules.errors import gettext_noop

TOO_LARGE = gettext_noop("The file is larger than %(most)s MB: that is no draw file.")


class FileFault(ValueError):  # noqa: N818
    """A file that cannot be read as a draw file: ``code`` is stable, ``place`` is such as ``draws[0].steps[2].at``.

    ``template % params`` is the English sentence; the params have the place too.
    """

    def __init__(self, code: str, template: str, place: str = "", **params: str | int) -> None:
        self.params: Mapping[str, str | int] = {"place": place, **params}
        super().__init__(template % self.params)
        self.code = code
        self.template = template
        self.place = place
