"""SGF as text: the main line of every game of a collection, whatever kind of game it records.

Source: the SGF FF[4] definition at red-bean.com. A variation is commentary: of several branches the first is the game
that was played, and the others are ignored.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from rules.errors import gettext_noop
from rules.records.record import RecordError

MAX_DEPTH: Final = 50
MAX_TOKENS: Final = 100_000

Node = dict[str, tuple[str, ...]]
"""The requested properties of a node, each with its values as they are in the text, escapes included."""

_VALUES = r"(?:\[(?:[^\]\\]++|\\.)*+\]\s*+)++"
_TOKEN = re.compile(rf"\s*+(?:([();])|([A-Z]{{1,9}})\s*+({_VALUES}))", re.DOTALL)
_VALUE = re.compile(r"\[((?:[^\]\\]++|\\.)*+)\]", re.DOTALL)
_ESCAPED = re.compile(r"\\(\n|.)", re.DOTALL)


def main_lines(text: str, wanted: frozenset[str]) -> list[list[Node]]:
    """Return the nodes of each game's main line, with those of their properties that are `wanted`.

    Raises RecordError for what is not SGF, is nested deeper than fifty trees, or has too many parts for one match.
    """
    reader = _Reader(wanted)
    at = 0
    for _ in range(MAX_TOKENS):
        found = _TOKEN.match(text, at)
        if found is None:
            break
        sign, name, values = found.groups()
        fault = reader.sign(sign) if sign else reader.property(name, values)
        if fault is not None:
            raise _unreadable(text, found.end() - 1, fault)
        at = found.end()
    else:
        template = gettext_noop("The file has more than %(most)s parts, too many for a match.")
        raise RecordError("record_too_large", template, most=MAX_TOKENS)
    rest = text[at:].lstrip()
    if rest or reader.open:
        raise _unreadable(
            text, len(text) - len(rest), gettext_noop("Line %(line)s breaks off or is not SGF: “%(text)s”.")
        )
    return reader.games


def unescaped(value: str) -> str:
    """Return a value as one line: escapes resolved, every line end and tab a blank."""
    return " ".join(unescaped_lines(value))


def unescaped_lines(value: str) -> list[str]:
    """Return a value line by line; an escaped line end does not count."""
    text = _ESCAPED.sub(lambda found: "" if found[1] == "\n" else found[1], value)
    return text.replace("\t", " ").split("\n")


def escaped(text: str) -> str:
    """Return the text escaped for a value."""
    return text.replace("\\", "\\\\").replace("]", "\\]")


def written(node: Mapping[str, Iterable[str]]) -> str:
    """Write a node as SGF; the values are written as they are."""
    return ";" + "".join(name + "".join(f"[{value}]" for value in values) for name, values in node.items())


class _Reader:
    """A reader that goes part by part. `open` holds the number of branches of each open tree, the innermost last."""

    def __init__(self, wanted: frozenset[str]) -> None:
        self.wanted = wanted
        self.games: list[list[Node]] = []
        self.open: list[int] = []
        self.nodes_here = 0
        self.variation: int | None = None
        """The depth at which the branch that is passed over began."""

    def sign(self, sign: str) -> str | None:
        """Read a sign; return the fault if it is not allowed here."""
        if sign == "(":
            return self._begin()
        if not self.open:
            return gettext_noop("Line %(line)s breaks off or is not SGF: “%(text)s”.")
        if sign == ")":
            return self._end()
        if self.open[-1]:
            return gettext_noop("On line %(line)s a node follows a branch: “%(text)s”.")
        self.nodes_here += 1
        if self.variation is None:
            self.games[-1].append({})
        return None

    def property(self, name: str, values: str) -> str | None:
        """Read a property with its values; return the fault if it is not allowed here."""
        if not self.nodes_here:
            return gettext_noop("On line %(line)s a property is outside any node: “%(text)s”.")
        if self.variation is not None or name not in self.wanted:
            return None
        node = self.games[-1][-1]
        if name in node:
            return gettext_noop("On line %(line)s a node has the same property twice: “%(text)s”.")
        node[name] = tuple(_VALUE.findall(values))
        return None

    def _begin(self) -> str | None:
        if len(self.open) >= MAX_DEPTH:
            return gettext_noop("On line %(line)s the parentheses are nested too deeply: “%(text)s”.")
        if not self.open:
            self.games.append([])
        elif not self.nodes_here and not self.open[-1]:
            return gettext_noop("On line %(line)s a tree begins without a node: “%(text)s”.")
        else:
            self.open[-1] += 1
            if self.open[-1] > 1 and self.variation is None:
                self.variation = len(self.open)
        self.open.append(0)
        self.nodes_here = 0
        return None

    def _end(self) -> str | None:
        if not self.nodes_here and not self.open[-1]:
            return gettext_noop("On line %(line)s a tree ends without a node: “%(text)s”.")
        self.open.pop()
        if self.variation == len(self.open):
            self.variation = None
        self.nodes_here = 0
        return None


def _unreadable(text: str, at: int, template: str) -> RecordError:
    line = text.count("\n", 0, at) + 1
    return RecordError("sgf_unreadable", template, line=line, text=text[at : at + 40].split("\n")[0].strip())
