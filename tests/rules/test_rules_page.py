"""docs/rules.md names only functions, codes and tests that exist, and leaves out no code."""

import importlib
import re
from pathlib import Path

import pytest

from rules.findings import CODES
from rules.profiles import PROFILES
from rules.rulings import RulingKind

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
    assert rows == list(range(1, 67))
    assert invariants == [f"I{number}" for number in range(1, 16)] + [f"W{number}" for number in range(1, 7)]
    assert [code for code in CODES if f"`{code}`" not in PAGE] == []
    assert len(TESTS) > 10
    assert len(NAMES) > 10


ROWS = dict(re.findall(r"^\| (\d+) \|(.+)", PAGE, re.MULTILINE))
ROW_TESTS = re.findall(
    r"^def (test_row_(\d+)_\w+)\(",
    "".join(path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parent.glob("test_rows_*.py"))),
    re.MULTILINE,
)


def test_rules_page_lists_every_test_of_a_row_in_that_row():
    assert {int(row) for _name, row in ROW_TESTS} == set(range(1, 67))
    assert [name for name, row in ROW_TESTS if f"::{name}`" not in ROWS[row]] == []


def test_rules_page_marks_every_row():
    marks = {row: cells.rstrip("| ").split("|")[-1].strip() for row, cells in ROWS.items()}
    assert [row for row, mark in marks.items() if not mark.startswith("yes")] == []


def test_rules_page_names_every_ruling():
    rulings = PAGE[PAGE.index("## Rulings") : PAGE.index("## Pairing a round")]
    assert len(re.findall(r"^\| [A-Z]", rulings, re.MULTILINE)) == len(RulingKind)


def test_rules_page_names_every_code_of_a_ruling():
    sources = [
        (ROOT / "rules" / f"{name}.py").read_text() for name in ("rulings", "awards", "wrong_length", "ruling_kinds")
    ]
    codes = {code for source in sources for code in re.findall(r'RulingRefused\(\s*"(\w+)"', source)}
    assert len(codes) > 10
    assert sorted(code for code in codes if f"`{code}`" not in PAGE) == []


@pytest.mark.parametrize("slug", PROFILES)
def test_rules_page_shows_every_parameter_of_a_profile_and_its_place(slug):
    section = re.split(r"^##+ ", PAGE[PAGE.index(f"### `{slug}`") + 4 :], flags=re.MULTILINE)[0]
    listed = {
        name: (value, place) for name, value, place in re.findall(r"^\| `(\w+)` \| (.+?) \| (.+) \|$", section, re.M)
    }
    profile = PROFILES[slug]
    assert {name: place for name, (_value, place) in listed.items()} == {
        name: profile.stated.get(name, "*default*") for name in profile.parameters
    }
    assert {name: value for name, (value, _place) in listed.items()} == {
        name: written(value) for name, value in profile.parameters.items()
    }


def written(value):
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(str(item) for item in value)
    return "none" if value is None else str(value)
