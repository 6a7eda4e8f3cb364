"""Commands speak the language of the terminal."""

import pytest
from django.core.management import load_command_class
from django.core.management.base import BaseCommand
from django.utils import translation

from config.terminal import words
from players.commands import SpokenCommand
from players.spoken import spoken

KNOWN = ("en", "da", "sv", "nb", "de")
OURS = {
    "tournament": ("audit", "backup", "demo", "export", "redraw", "restore", "simulate"),
    "matches": ("convert_record", "import_records", "legal_plays", "perft", "rate", "verify_record"),
}


@pytest.mark.parametrize(
    ("environ", "language"),
    [
        ({}, "en"),
        ({"LANG": "de_AT.UTF-8"}, "de"),
        ({"LANG": "nn_NO.UTF-8"}, "nb"),
        ({"LANG": "no"}, "nb"),
        ({"LANG": "da_DK", "LC_MESSAGES": "sv_SE"}, "sv"),
        ({"LANG": "da_DK", "LC_ALL": "en_GB.UTF-8"}, "en"),
        ({"LANG": "en_US.UTF-8", "LANGUAGE": "fr:da:de"}, "da"),
        ({"LANG": "C.UTF-8", "LANGUAGE": "da"}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "", "LANGUAGE": "de"}, "de"),
    ],
)
def test_the_language_is_that_of_the_environment(environ: dict[str, str], language: str) -> None:
    assert spoken(environ, KNOWN) == language


@pytest.fixture
def german(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANGUAGE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "de_DE.UTF-8")


@pytest.mark.parametrize(("app", "name"), [(app, name) for app, names in OURS.items() for name in names])
def test_every_command_describes_itself_in_the_language(app: str, name: str, german, capsys) -> None:
    command: BaseCommand = load_command_class(app, name)
    assert isinstance(command, SpokenCommand)
    english = type(command).help
    command.print_help("manage.py", name)
    said = " ".join(capsys.readouterr().out.split())
    assert " ".join(english.split())[:30] not in said
    with translation.override("de"):
        assert " ".join(translation.gettext(english).split())[:30].replace("-", "") in said.replace("- ", "").replace(
            "-", ""
        )


@pytest.mark.parametrize(("app", "name"), [(app, name) for app, names in OURS.items() for name in names])
def test_every_argument_is_explained_in_the_language(app: str, name: str) -> None:
    command: BaseCommand = load_command_class(app, name)
    untouched = {action.dest for action in BaseCommand().create_parser("manage.py", name)._actions}
    explained = {}
    for language in ("en", "de"):
        with translation.override(language):
            actions = command.create_parser("manage.py", name)._actions
        explained[language] = {
            action.dest: action.help
            for action in actions
            if action.help and action.dest not in untouched and action.dest != "check"
        }
    alike = {dest for dest, said in explained["en"].items() if explained["de"][dest] == said}
    assert alike == set()


def test_a_refusal_is_said_in_the_language_and_nothing_stays_of_it(german, capsys, db) -> None:
    with pytest.raises(SystemExit):
        load_command_class("tournament", "audit").run_from_argv(["manage.py", "audit", "--event", "a/b", "--records"])
    assert "--records prüft die ganze Datenbank" in capsys.readouterr().err
    assert translation.get_language() == "en"


def test_the_server_says_where_it_is_in_the_language(german) -> None:
    assert words()("Stop with Ctrl-C.") in {"Beenden mit Strg-C.", "Stop with Ctrl-C."}
