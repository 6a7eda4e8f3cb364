import gettext
import io
import multiprocessing
import os
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

HEADER = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n'
GOOD = HEADER + '#, python-format\nmsgid "%(name)s wins"\nmsgstr "%(name)s vinder"\n'
BAD = HEADER + '#, python-format\nmsgid "%(name)s wins"\nmsgstr "%(navn)s vinder"\n'


@pytest.fixture
def po(tmp_path: Path, settings) -> Path:
    settings.LOCALE_PATHS = [tmp_path / "locale"]
    path = tmp_path / "locale" / "da" / "LC_MESSAGES" / "django.po"
    path.parent.mkdir(parents=True)
    return path


def compiled(**options: object) -> str:
    out = io.StringIO()
    call_command("compile_translations", stdout=out, **options)
    return out.getvalue()


def test_catalogue_is_compiled_once(po: Path) -> None:
    po.write_text(GOOD)
    assert compiled() == "1 of 1 catalogues compiled.\n"
    with po.with_suffix(".mo").open("rb") as file:
        assert gettext.GNUTranslations(file).gettext("%(name)s wins") == "%(name)s vinder"
    assert compiled() == ""


def test_changed_catalogue_is_compiled_again(po: Path) -> None:
    po.write_text(GOOD)
    compiled()
    os.utime(po, (2_000_000_000, 2_000_000_000))
    assert compiled() == "1 of 1 catalogues compiled.\n"


def test_sites_that_start_at_once_compile_the_same_folder(po: Path) -> None:
    languages = [po.parents[1].with_name(name) for name in ("da", "sv", "nb", "de", "fi", "nl", "fr", "it", "es", "pt")]
    for path in [folder / "LC_MESSAGES" / "django.po" for folder in languages]:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(GOOD)
    at_once = multiprocessing.get_context("fork")
    sites = [at_once.Process(target=compiled) for _site in range(4)]
    for site in sites:
        site.start()
    for site in sites:
        site.join()
    assert [site.exitcode for site in sites] == [0] * 4
    assert {path.name for path in po.parents[2].rglob("*.*")} == {"django.po", "django.mo"}


def test_check_writes_nothing(po: Path) -> None:
    po.write_text(GOOD)
    assert compiled(check=True) == "1 of 1 catalogues checked.\n"
    assert [path.name for path in po.parent.iterdir()] == ["django.po"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (BAD, r"^locale/da/LC_MESSAGES/django\.po:6: unknown named placeholder 'navn'$"),
        (HEADER + 'msgid "a"\nmsgid "b"\n', r"^locale/da/LC_MESSAGES/django\.po: missing msgstr"),
        ("nonsense\n", r"^locale/da/LC_MESSAGES/django\.po: "),
    ],
)
def test_broken_catalogue_is_refused_and_the_old_one_stays(po: Path, text: str, message: str) -> None:
    po.with_suffix(".mo").write_bytes(b"old")
    os.utime(po.with_suffix(".mo"), (1, 1))
    po.write_text(text)
    with pytest.raises(CommandError, match=message):
        compiled()
    assert po.with_suffix(".mo").read_bytes() == b"old"


def test_every_catalogue_of_ours_is_sound() -> None:
    compiled(check=True)
