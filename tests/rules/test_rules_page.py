"""docs/rules.md names only functions, codes and tests that exist, and leaves out no code."""

import importlib
import re
from pathlib import Path

import pytest

from rules.sheet import CODES

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
TESTS = sorted(set(re.findall(r"`([\w/]+\.py)::(\w+)`", PAGE)))
NAMES = sorted(set(re.findall(r"`((?:rules|players)\.[a-z][\w.]*)`", PAGE)))


@pytest.mark.parametrize(("file", "name"), TESTS)
def test_rules_page_names_tests_that_exist(file, name):
    path = ROOT / file if "/" in file else ROOT / "tests" / "rules" / file
    assert re.search(rf"^def {name}\(", path.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("name", NAMES)
def test_rules_page_names_functions_that_exist(name):
    parts = name.split(".")
    for cut in range(len(parts), 0, -1):
        module_path = ROOT.joinpath(*parts[:cut])
        if module_path.with_suffix(".py").exists() or (module_path / "__init__.py").exists():
            target = importlib.import_module(".".join(parts[:cut]))
            break
    for attribute in parts[cut:]:
        target = getattr(target, attribute)
    assert len(parts) > 1


def test_rules_page_lists_every_row_every_invariant_and_every_code():
    rows = [int(number) for number in re.findall(r"^\| (\d+) \|", PAGE, re.MULTILINE)]
    invariants = re.findall(r"^\| ([IW]\d+) \|", PAGE, re.MULTILINE)
    assert rows == list(range(1, 64))
    assert invariants == [f"I{number}" for number in range(1, 16)] + [f"W{number}" for number in range(1, 7)]
    assert [code for code in CODES if f"`{code}`" not in PAGE] == []
    assert len(TESTS) > 10
    assert len(NAMES) > 10
