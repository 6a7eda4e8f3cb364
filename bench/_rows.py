"""Each rule of docs/rules.md: the function that it names is broken, and a test that it lists must fail."""

import contextlib
import functools
import importlib
import inspect
import io
import multiprocessing
import os
import re
import sys
import tempfile
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "rules.md"
PURE = ("rules.", "players.ratings.", "players.points.", "players.performance.", "tournament.formats.")
"""Where the functions are that need no database: their tests run without the settings of the site, if they can."""
NAMED = re.compile(r"`((?:rules|players|matches|tournament)\.[a-z][\w.]*)`")
TESTED = re.compile(r"`([\w/]+\.py)::(\w+)`")
QUIETLY = ("-q", "-x", "-p", "no:cacheprovider", "--noconftest", "-p", "no:django", "-c", "/dev/null")
"""How pytest runs without the settings of the site, which pure tests do not need."""
WITH_THE_SITE = ("-q", "-x", "-p", "no:cacheprovider", "--nomigrations", "-c", str(ROOT / "pyproject.toml"))
"""How it runs with them, on a database in memory whose tables are made at once."""
BROKEN, HELD, NOT_TRIED = "a test fails", "NO TEST FAILS", "not tried"


@dataclass(frozen=True, slots=True)
class Row:
    """A rule with the functions that it names and its tests, as files and names."""

    rule: str
    functions: tuple[str, ...]
    tests: tuple[str, ...]


def rows_of(page: str) -> Iterator[Row]:
    """Yield each row of the tables that names a function and a test, in the order of the page."""
    section = ""
    for line in page.splitlines():
        if line.startswith("## "):
            section = line[3:]
        cells = [cell.strip() for cell in line.split("|")]
        functions = tuple(dict.fromkeys(NAMED.findall(line)))
        tests = [(file if "/" in file else f"tests/rules/{file}", name) for file, name in TESTED.findall(line)]
        if line.startswith("| ") and functions and tests:
            rule = next((cell for cell in cells[1:4] if len(cell) > 8), cells[1])
            yield Row(f"{section}: {rule[:70]}", functions, tuple(f"{file}::{name}" for file, name in tests))


def report_rows(only: Collection[str] = ()) -> bool:
    """Print each function whose breaking no listed test notices, and how many were tried; return whether none is.

    With ``only``, the last words of some functions, these alone are tried.
    """
    tally = {BROKEN: 0, HELD: 0, NOT_TRIED: 0}
    for row in rows_of(PAGE.read_text(encoding="utf-8")):
        for name in row.functions:
            if only and name.rpartition(".")[2] not in only:
                continue
            verdict = try_out(name, row.tests)
            tally[verdict] += 1
            if verdict != BROKEN:
                print(f"{verdict}: {name} ({row.rule})", flush=True)
    print(", ".join(f"{verdict}: {number}" for verdict, number in tally.items()))
    return not tally[HELD]


def try_out(name: str, tests: tuple[str, ...]) -> str:
    """Return what happens to the tests once the function returns nothing.

    Those of a function that is not pure, and those that cannot run so, have the site and its database.
    """
    verdict = _attempt(name, tests, QUIETLY) if name.startswith(PURE) else NOT_TRIED
    return _attempt(name, tests, WITH_THE_SITE) if verdict == NOT_TRIED else verdict


def _attempt(name: str, tests: tuple[str, ...], options: tuple[str, ...]) -> str:
    forked = multiprocessing.get_context("fork")
    answer = forked.SimpleQueue()
    child = forked.Process(target=_run, args=(name, tests, options, answer))
    child.start()
    child.join()
    return answer.get() if not answer.empty() else NOT_TRIED


def _run(name: str, tests: tuple[str, ...], options: tuple[str, ...], answer: Any) -> None:
    told, plugin = io.StringIO(), _Break(name)
    os.environ.pop("DATABASE_URL", None)
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.redirect_stdout(told),
        contextlib.redirect_stderr(told),
    ):
        os.environ["VAR_DIR"] = folder
        code = pytest.main([*options, f"--rootdir={ROOT}", *(str(ROOT / test) for test in tests)], plugins=[plugin])
    answer.put(BROKEN if plugin.failed else HELD if code == pytest.ExitCode.OK else NOT_TRIED)


class _Break:
    """Breaks the function once all tests are collected, so that a test fails and not the reading of its file.

    ``failed`` says whether a test itself did, and not what it needs.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.failed = False

    def pytest_collection_finish(self) -> None:
        break_function(self.name)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed |= report.when == "call" and report.failed


def break_function(name: str) -> None:
    """Make the function or property return nothing wherever it is called from, and a class or value hold nothing.

    Raises LookupError for a name that stands for nothing.
    """
    owner, attribute, target = _found(name)
    if isinstance(target, property):
        target = target.fget
    target = inspect.unwrap(target) if callable(target) else target
    target = getattr(target, "__func__", target)
    if isinstance(target, FunctionType) and target.__code__.co_freevars:
        setattr(owner, attribute, _nothing)
    elif isinstance(target, FunctionType):
        target.__code__ = _nothing.__code__
        for cached in _caches(owner, attribute):
            cached.cache_clear()
    elif isinstance(target, type):
        for method in [one for one in vars(target).values() if isinstance(one, FunctionType)]:
            if not method.__code__.co_freevars:
                method.__code__ = _nothing.__code__
        target.__new__ = _refuse  # type: ignore[method-assign, assignment]
    elif isinstance(target, dict):
        target.clear()
    elif isinstance(target, tuple | frozenset | str | int):
        for module in list(sys.modules.values()):
            for bound in [key for key, value in vars(module).items() if value is target]:
                setattr(module, bound, None)
    else:
        for field in type(target).__slots__ if hasattr(type(target), "__slots__") else vars(target):
            object.__setattr__(target, field, None)


def _found(name: str) -> tuple[Any, str, Any]:
    parts = name.split(".")
    for cut in range(len(parts) - 1, 0, -1):
        with contextlib.suppress(ModuleNotFoundError):
            owner: Any = importlib.import_module(".".join(parts[:cut]))
            for attribute in parts[cut:-1]:
                owner = getattr(owner, attribute)
            return owner, parts[-1], inspect.getattr_static(owner, parts[-1], None) or getattr(owner, parts[-1])
    raise LookupError(name)


def _caches(owner: Any, attribute: str) -> Iterator[Any]:
    cached = getattr(owner, attribute, None)
    if isinstance(cached, functools._lru_cache_wrapper):
        yield cached


def _nothing(*_args: Any, **_kwargs: Any) -> None:
    return None


def _refuse(*_args: Any, **_kwargs: Any) -> Any:
    raise AssertionError("broken on purpose")
