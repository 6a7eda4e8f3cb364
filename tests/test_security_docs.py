"""docs/security.md: each test that it names exists, and each requirement has a place, a test or a reason."""

import ast
import re

import pytest

from tests.processes import ROOT
from tournament.backup.folder import MONTHS

TEXT = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in TEXT.splitlines()
    if line.startswith("| ") and not line.startswith(("| |", "|---"))
]
NAMED = sorted(set(re.findall(r"`(tests/[\w/.]+)(?:::(\w+))?`", TEXT)))


@pytest.mark.parametrize(("path", "name"), NAMED)
def test_a_test_that_is_named_exists(path: str, name: str) -> None:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    tests = {
        node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }
    assert tests if not name else name in tests


def test_every_row_says_where_and_by_which_test() -> None:
    assert len(ROWS) > 75
    assert [row for row in ROWS if len(row) != 4 or not all(row)] == []


def test_every_chapter_is_gone_through() -> None:
    numbers = {int(one) for row in ROWS for one in re.findall(r"^V?(\d+)|, V?(\d+)", row[0]) for one in one if one}
    assert numbers | {17} == set(range(1, 18))
    assert "V17" in TEXT


def test_what_is_not_held_has_a_reason() -> None:
    short = [row for row in ROWS if "*Not held*" in row[2] and len(row[2]) < 40]
    assert short == []


def test_the_way_to_report_a_weakness_names_no_address_that_nobody_reads() -> None:
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    assert "@" not in text
    assert [time for time in ("7 days", "30 days") if time not in text] == []


def test_the_pages_agree_on_which_data_an_upgrade_keeps() -> None:
    """Data made after the day on which the first migrations were written again."""
    said = [
        set(re.findall(r"Data made after (\w+ \w+ \w+) are migrated", (ROOT / name).read_text(encoding="utf-8")))
        for name in ("README.md", "SECURITY.md")
    ]
    assert said == [{"22 November 2026"}] * 2


def test_the_readme_says_how_to_install_and_not_start() -> None:
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    assert "`script/install` installs and starts nothing" in readme
    assert "config.serve" not in (ROOT / "script" / "install").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["privacy.md", "backup.md"])
def test_the_pages_say_for_how_long_backups_keep_what_is_deleted(name: str) -> None:
    text = " ".join((ROOT / "docs" / name).read_text(encoding="utf-8").split())
    assert MONTHS == 12
    assert "twelve months" in text
    assert re.search(r"[Dd]elete (?:them )?again", text)
