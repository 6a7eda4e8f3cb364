"""Every operation of the API, as its document lists them, with an address that resolves."""

import re

from tests.tournament.api.client import document

OPERATIONS = [
    (method.upper(), path, operation)
    for path, operations in document()["paths"].items()
    for method, operation in operations.items()
]
READING = [(method, path, operation) for method, path, operation in OPERATIONS if method == "GET"]
WRITING = [(method, path, operation) for method, path, operation in OPERATIONS if method != "GET"]


def named(operations: list[tuple[str, str, dict]]) -> list[str]:
    return [f"{method} {path}" for method, path, _operation in operations]


def filled(path: str) -> str:
    """The address with a number, or a word that is one too, at each place; there need be nothing."""
    return re.sub(r"\{\w+\}", "987654", path)


def parameters_of(operation: dict, where: str = "query") -> dict[str, dict]:
    return {each["name"]: each["schema"] for each in operation.get("parameters", []) if each["in"] == where}
