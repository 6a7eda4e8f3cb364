"""Every path and every dotted name that docs/ and the README mention exists."""

import importlib
import re
from pathlib import Path

import pytest
from django.apps import apps

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
QUOTED = re.compile(r"`([^`\n]+)`")
LINKED = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")
PATH = re.compile(r"^(?:[\w.-]+/)+[\w.-]*$|^[\w-]+\.(?:py|toml|yml|txt|md)$")
DOTTED = re.compile(r"^[A-Za-z_]\w*(?:\.\w+)+$")
PACKAGES = ("config", "matches", "players", "rules", "tests", "tournament")
FOLDERS = ("", "tournament/", "tests/tournament/", "tests/rules/", "tests/matches/", "config/")
"""Where a path may begin: the page says which package it speaks of."""
NAMES_OF_FILES = {
    path.name
    for folder in (ROOT, *(ROOT / name for name in ("bench", "docs", "script", *PACKAGES)))
    for path in (folder.iterdir() if folder == ROOT else folder.rglob("*"))
}
NOT_OURS = {"api/v1/", "var/", "random.Random", "gnubg_nn.moves", "bgsage.possible_moves"}
"""Addresses of the site, the folder of data, and names of other people's packages."""


def quoted() -> list[tuple[str, str]]:
    """Page and text of everything that stands in backticks."""
    return sorted({(page.name, text) for page in PAGES for text in QUOTED.findall(page.read_text(encoding="utf-8"))})


def exists(path: str) -> bool:
    """Whether there is such a file or folder; a bare file name may stand in any room."""
    if "/" not in path:
        return path in NAMES_OF_FILES
    return any((ROOT / folder / path).exists() for folder in FOLDERS)


def target_of(name: str) -> object:
    """The module, class, function or attribute of that name. Raises LookupError if there is none."""
    first, *rest = name.split(".")
    if first in PACKAGES:
        target, left = _module_of(name)
    else:
        target = next((model for model in apps.get_models() if model.__name__ == first), None)
        left = rest
    if target is None:
        raise LookupError(name)
    for attribute in left:
        fields = {field.name for field in target._meta.get_fields()} if hasattr(target, "_meta") else set()
        if attribute not in fields and not hasattr(target, attribute):
            raise LookupError(name)
        target = getattr(target, attribute, None)
    return target


def _module_of(name: str) -> tuple[object, list[str]]:
    parts = name.split(".")
    for cut in range(len(parts), 0, -1):
        path = ROOT.joinpath(*parts[:cut])
        if path.with_suffix(".py").exists() or path.is_dir():
            return importlib.import_module(".".join(parts[:cut])), parts[cut:]
    raise LookupError(name)


TO_FILL_IN = re.compile(r"NAME|SUBJECT")
PATHS = [
    (page, text) for page, text in quoted() if PATH.match(text) and text not in NOT_OURS and not TO_FILL_IN.search(text)
]
NAMES = [
    (page, text) for page, text in quoted() if DOTTED.match(text) and not PATH.match(text) and text not in NOT_OURS
]


@pytest.mark.parametrize(("page", "path"), PATHS)
def test_path_named_in_the_docs_exists(page, path):
    assert exists(path), f"{page} names {path}"


@pytest.mark.parametrize(("page", "name"), NAMES)
def test_dotted_name_in_the_docs_exists(page, name):
    target_of(name)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_of_a_page_lead_to_files(page):
    links = LINKED.findall(page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_the_docs_name_enough_for_these_tests_to_mean_something():
    assert len(PATHS) > 60
    assert len(NAMES) > 60


def test_a_name_that_does_not_exist_is_found():
    with pytest.raises(LookupError):
        target_of("tournament.results.enter.no_such_name")
    assert not exists("tournament/no_such_room/")


def test_the_picture_of_the_structure_has_every_room_of_a_tournament_once():
    picture = (ROOT / "docs" / "structure.md").read_text(encoding="utf-8").split("```")[3]
    drawn = re.findall(r"(?<![\w/])(\w+(?:/|\.py))", picture)
    rooms = [
        f"{path.name}/" if path.is_dir() else path.name
        for path in (ROOT / "tournament").iterdir()
        if path.name not in {"__init__.py", "__pycache__", "apps.py", "migrations"}
    ]
    assert sorted(drawn) == sorted(rooms)


def test_the_page_of_the_structure_is_short():
    assert len((ROOT / "docs" / "structure.md").read_text(encoding="utf-8").split()) <= 900
