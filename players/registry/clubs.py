"""Clubs as a file of members names them: by the code or the name that the federation has for its own, else by name."""

from collections.abc import Iterable

from players.models import Club, Federation
from players.services import fold_name


class ClubNames:
    """The clubs that these texts mean, in one query; :attr:`new` are those that nobody knows yet, as they are called.

    A text is the code of a club of the federation, else the name of one of them, else that of any other club.
    """

    def __init__(self, federation: Federation, texts: Iterable[str]) -> None:
        self.names: dict[str, str] = {}
        own: dict[str, str] = {}
        codes: dict[str, str] = {}
        for name, code, of in Club.objects.order_by("pk").values_list("name", "code", "federation"):
            if of == federation.pk:
                own.setdefault(fold_name(name), name)
                codes.setdefault(fold_name(code), name)
            else:
                self.names.setdefault(fold_name(name), name)
        codes.pop("", None)
        self.names |= own | codes
        self.new: set[str] = set()
        for text in texts:
            if text and fold_name(text) not in self.names:
                self.names[fold_name(text)] = text
                self.new.add(text)

    def name_of(self, text: str) -> str:
        """Return the name of the club that the text means; empty for an empty text."""
        return self.names[fold_name(text)] if text else ""
