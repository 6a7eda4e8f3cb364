"""Tasks are asked for by name: every name is one that each process knows."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from celery import current_app

from tests.processes import ROOT, environment
from tournament.work import ask

ASKS = {"ask", "ask_on_commit"}
ROOMS = ("config", "tournament", "matches", "players", "rules", "bench")
STARTED = "import django; django.setup(); from celery import current_app; print(*current_app.tasks)"


def asked_for(path: Path) -> Iterator[str | None]:
    """The name in every call of ``ask`` and ``ask_on_commit``; None for one that is not written out there."""
    tree = ast.parse(path.read_text())
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module == "tournament.work"]
    names = {alias.asname or alias.name for node in imports for alias in node.names if alias.name in ASKS}
    called = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    for node in called:
        if isinstance(node.func, ast.Name) and node.func.id in names:
            first = node.args[0] if node.args else None
            yield first.value if isinstance(first, ast.Constant) else None
    functions = {id(node.func) for node in called}
    uses = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id in names]
    yield from (None for node in uses if id(node) not in functions)


@pytest.fixture(scope="module")
def asked() -> dict[str, set[str | None]]:
    """The names by the file that asks for them."""
    paths = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]
    found = {str(path.relative_to(ROOT)): set(asked_for(path)) for path in paths}
    return {path: names for path, names in found.items() if names}


def test_every_file_that_asks_for_tasks_is_looked_at(asked: dict[str, set[str | None]]) -> None:
    importing = {
        str(path.relative_to(ROOT))
        for room in ROOMS
        for path in (ROOT / room).rglob("*.py")
        if re.search(r"from tournament(\.work import| import .*\bwork\b)", path.read_text())
    }
    assert set(asked) == importing
    assert "tournament/changes/record.py" in importing


def test_every_task_that_is_asked_for_is_registered(asked: dict[str, set[str | None]]) -> None:
    unknown = {
        path: {name for name in names if f"tournament.tasks.{name}" not in current_app.tasks}
        for path, names in asked.items()
    }
    assert {path: names for path, names in unknown.items() if names} == {}


def test_a_process_that_has_only_started_knows_every_task_that_is_asked_for(asked, tmp_path: Path) -> None:
    """Such as one of the pages, which does no task itself."""
    env = environment(VAR_DIR=tmp_path, DJANGO_SETTINGS_MODULE="config.settings")
    started = subprocess.run([sys.executable, "-c", STARTED], cwd=ROOT, env=env, capture_output=True, text=True)
    assert started.returncode == 0, started.stderr
    names = {f"tournament.tasks.{name}" for names in asked.values() for name in names}
    assert names - set(started.stdout.split()) == set()


def test_an_unknown_task_is_an_error_at_once() -> None:
    with pytest.raises(KeyError, match=r"tournament\.tasks\.nothing"):
        ask("nothing")
