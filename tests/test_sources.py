"""Rules that hold for every Python file of the tree."""

import ast
import re
import tomllib

from tests.processes import ROOT

EXCEPTION = re.compile(r"# noqa:[^#]*\bPLC0415\b(.*)")
REASON = re.compile(r" - \w.+")
SOURCES = sorted(path for path in ROOT.rglob("*.py") if not path.relative_to(ROOT).parts[0].startswith((".", "var")))

MOST_LINES_OF_A_FILE, MOST_LINES_OF_A_FUNCTION = 400, 60


def test_files_and_functions_are_short() -> None:
    """But for migrations that make all the tables at once."""
    long = {}
    for path in SOURCES:
        source, name = path.read_text(), str(path.relative_to(ROOT))
        if path.parent.name == "migrations" and path.name.startswith("0001"):
            continue
        if source.count("\n") > MOST_LINES_OF_A_FILE:
            long[name] = source.count("\n")
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno is not None:
                lines = node.end_lineno - node.lineno + 1
                if lines > MOST_LINES_OF_A_FUNCTION:
                    long[f"{name}: {node.name}"] = lines
    assert long == {}


def test_no_answer_is_made_while_it_is_sent() -> None:
    """It would read the database after its turn, by a connection that nobody counts: :mod:`config.answering`."""
    answers = [path for path in SOURCES if path.relative_to(ROOT).parts[0] not in ("tests", "bench")]
    assert [path for path in answers if "StreamingHttpResponse" in path.read_text()] == []


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
