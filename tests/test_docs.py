"""Every path and every dotted name that docs/ and the README mention exists."""

import importlib
import re
from pathlib import Path

import pytest
import yaml
from django.apps import apps
from django.core.management import get_commands
from django.urls import resolve

from config.health import AWAY, CHECKS, FULL, LOCKED, OK, SILENT
from tests.pictures import PICTURES
from tests.test_translations import messages, plural, singular

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
NOT_OURS = {
    *("api/v1/", "var/", "random.Random", "gnubg_nn.moves", "bgsage.possible_moves", "games.2.cube", "play.example.org")
}
"""Addresses of the site, the folder of data, fields of a request, and names of other people's packages."""


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


WALK = ROOT / "docs" / "directing.md"
BOLD = re.compile(r"\*\*([^*]+)\*\*")
FILLED_IN = re.compile(r"%\\\(\w+\\\)[sd]")
MOST_BYTES = 80 * 1024


def labels(page: str) -> list[str]:
    """What the page calls buttons, tabs and choices: everything in bold, once each."""
    return sorted({" ".join(found.split()) for found in BOLD.findall(page)})


def is_on_the_pages(label: str, sentences: set[str]) -> bool:
    """Whether the label is a sentence of the pages, or one that begins as it does, with names and numbers filled in."""
    begun = [sentence for sentence in sentences if "%(" in sentence[1:] and sentence[0] != "%"]
    return label in sentences or any(re.fullmatch(FILLED_IN.sub(".+", re.escape(one)), label) for one in begun)


def test_every_button_that_the_weekend_names_is_on_the_pages():
    sentences = {text for message in messages("da") for text in (singular(message), plural(message)) if text}
    named = labels(WALK.read_text(encoding="utf-8"))
    assert len(named) > 50
    assert [label for label in named if not is_on_the_pages(label, sentences)] == []
    assert not is_on_the_pages("Shuffle the players", sentences)


def test_the_pictures_of_the_weekend_and_of_the_readme_are_those_that_are_made_for_them_and_small():
    pages = "\n".join(path.read_text(encoding="utf-8") for path in (WALK, ROOT / "README.md"))
    shown = re.findall(r"!\[[^\]]+\]\((?:docs/)?pictures/([\w-]+)\.webp\)", pages)
    assert sorted({*shown}) == sorted(PICTURES)
    folder = ROOT / "docs" / "pictures"
    assert sorted(path.name for path in folder.iterdir()) == sorted(f"{name}.webp" for name in PICTURES)
    assert {path.name: size for path in folder.iterdir() if (size := path.stat().st_size) > MOST_BYTES} == {}


def test_the_weekend_is_a_walk_and_not_a_book():
    assert 1200 <= len(WALK.read_text(encoding="utf-8").split()) <= 1800


OPERATING = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
FENCED = re.compile(r"^```\n(.*?)^```", re.DOTALL | re.MULTILINE)
CODE = "\n".join([*FENCED.findall(OPERATING), *QUOTED.findall(FENCED.sub("", OPERATING))])
"""What somebody who sets up a server types, or looks for in a file."""

SHELL = {"PASSWORD"}
"""A variable of a command, and no setting."""


def settings_in(code: str) -> set[str]:
    """The settings that are given a value, and everything else that is written as only settings are."""
    return {*re.findall(r"(?<![\w$])([A-Z]+)=", code), *re.findall(r"\b[A-Z]+(?:_[A-Z]+)+\b", code)} - SHELL


def known_settings() -> set[str]:
    described = (ROOT / "config" / "settings.py").read_text().split('"""')[1]
    listed = {name for line in described.splitlines() for name in re.findall(r"^([A-Z_]+)(?:, ([A-Z_]+))?", line)}
    example = re.findall(r"^([A-Z_]+)=", (ROOT / ".env.example").read_text(), re.MULTILINE)
    return {part for name in listed for part in name if part} | {*example}


def known_metrics() -> set[str]:
    source = "".join((ROOT / "config" / "metrics" / name).read_text() for name in ("instruments.py", "state.py"))
    made = re.findall(r'(Counter|Histogram|GaugeMetricFamily)\(\s*"(\w+)"', source)
    return {f"{name}_total" if kind == "Counter" else name for kind, name in made}


def services_in(code: str) -> set[str]:
    """The services that commands of compose name."""
    found = set()
    for words in (line.split() for line in re.findall(r"docker compose ((?:exec|run|up|stop|restart|logs) .+)", code)):
        ends = words.index("python") if "python" in words else len(words)
        plain = [word for word in words[1:ends] if not word.startswith(("-", "$", '"'))]
        found |= {word.rstrip(";") for word in plain} - {"done"}
    return found | {word for line in re.findall(r"for name in ([a-z -]+);", code) for word in line.split()}


def test_a_server_is_operated_with_settings_metrics_and_commands_that_exist():
    assert settings_in(CODE) - known_settings() == set()
    assert len(settings_in(CODE)) > 15
    assert {*re.findall(r"sixprime_\w+", CODE)} - known_metrics() == set()
    commands = {*re.findall(r"(?:manage\.py|script/manage) ([a-z_]+)", CODE)}
    assert {"backup", "restore", "createsuperuser"} <= commands <= {*get_commands()}
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    assert {"worker", "web-b", "postgres"} <= services_in(CODE) <= {*services}


def test_a_setting_a_metric_or_a_service_that_does_not_exist_is_found():
    assert settings_in("echo EMAIL_ADDRESS; HTTP=1 MAIL=$(x)") == {"EMAIL_ADDRESS", "HTTP", "MAIL"}
    assert not {"EMAIL_ADDRESS", "HTTP", "MAIL"} & known_settings()
    assert "sixprime_requests" not in known_metrics()
    assert services_in("docker compose up --wait web redis\ndocker compose exec web-c python manage.py x") == {
        *("web", "redis", "web-c")
    }


def test_a_server_is_operated_with_files_and_pages_that_exist():
    scripts = {*re.findall(r"script/[\w.]+\w", CODE)}
    assert "script/sixprime.socket" in scripts
    assert [name for name in scripts if not (ROOT / name).is_file()] == []
    units = re.findall(r"sixprime\.(?:service|socket)", CODE)
    assert [name for name in units if not (ROOT / "script" / name).is_file()] == []
    addresses = {*re.findall(r"^/(?:[a-z]+/)+$|^/[a-z]+z$", CODE, re.MULTILINE)}
    assert {"/accounts/users/", "/backups/", "/readyz"} <= addresses
    for address in addresses:
        resolve(address)


def test_the_page_for_operators_is_short_and_names_buttons_and_states_as_they_are():
    assert len(OPERATING.split()) <= 1700
    sentences = {text for message in messages("da") for text in (singular(message), plural(message)) if text}
    assert [label for label in labels(OPERATING) if not is_on_the_pages(label, sentences)] == []
    for name in (*CHECKS, OK, AWAY, FULL, SILENT, LOCKED):
        assert f"`{name}`" in OPERATING
