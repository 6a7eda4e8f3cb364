"""Rules that hold for every Python file of the tree."""

import re
import tomllib

from tests.processes import ROOT

EXCEPTION = re.compile(r"# noqa:[^#]*\bPLC0415\b(.*)")
REASON = re.compile(r" - \w.+")
SOURCES = sorted(path for path in ROOT.rglob("*.py") if not path.relative_to(ROOT).parts[0].startswith((".", "var")))


def test_an_import_inside_a_function_has_a_reason() -> None:
    """Ruff finds those without the exception; here each exception has its reason."""
    lint = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["ruff"]["lint"]
    assert "PLC0415" in lint["select"]
    assert "PLC0415" not in {code for codes in lint["per-file-ignores"].values() for code in codes}
    exceptions = {
        f"{path.relative_to(ROOT)}:{number}": match[1]
        for path in SOURCES
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if (match := EXCEPTION.search(line))
    }
    assert "tournament/tasks.py" in {place.partition(":")[0] for place in exceptions}
    assert [place for place, reason in exceptions.items() if not REASON.fullmatch(reason)] == []
