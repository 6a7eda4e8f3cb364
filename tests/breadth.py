"""How widely the tests look: at a spread of their cases in ``script/test``, at all of them in ``script/bench breadth``.

What is spread is what a test repeats: sizes, seeds and fields of one format. No format, rule, role or address is ever
left out.
"""

import os
from collections.abc import Iterable
from typing import TypeVar

IS_WIDE = os.environ.get("BREADTH") == "all"
Case = TypeVar("Case")


def some(cases: Iterable[Case], most: int) -> list[Case]:
    """At most ``most`` of the cases, evenly from the first to the last; all of them if the tests look widely."""
    found = list(cases)
    if IS_WIDE or len(found) <= most:
        return found
    return [found[number * (len(found) - 1) // max(most - 1, 1)] for number in range(most)]


def few(examples: int) -> int:
    """A quarter of the examples that Hypothesis makes up; all of them if the tests look widely."""
    return examples if IS_WIDE else max(5, examples // 4)
