"""What is prepared before the first request."""

from pathlib import Path

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage

from config import prepare


@pytest.fixture
def site(settings, tmp_path: Path, monkeypatch) -> Path:
    """The folder with the style sheets of a site of its own."""
    source, root = tmp_path / "source", tmp_path / "static"
    source.mkdir()
    root.mkdir()
    settings.STATICFILES_DIRS, settings.STATIC_ROOT = [source], root
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"}
    }
    monkeypatch.setattr(prepare, "_static_state", lambda _base: (source / "page.css").read_text())
    return source


def collected(settings) -> set[str]:
    return {path.name for path in Path(settings.STATIC_ROOT).glob("page.*.css")}


def test_servers_of_the_last_version_find_their_files_until_the_next_one(settings, site: Path) -> None:
    """Pages of the version before are still served, and open in browsers, while one server after the other is new."""
    found = []
    for colour in ("green", "clay", "blue"):
        (site / "page.css").write_text(f"h1 {{ color: {colour}; }}")
        prepare._collect_static_files()
        found.append(collected(settings))
    assert [len(names) for names in found] == [1, 2, 2]
    assert found[0] < found[1]
    assert not found[0] & found[2]
    assert staticfiles_storage.stored_name("page.css") in found[2]


def test_a_list_of_files_that_was_damaged_is_made_again(settings, site: Path) -> None:
    (site / "page.css").write_text("h1 { color: green; }")
    prepare._collect_static_files()
    (settings.STATIC_ROOT / "staticfiles.json").write_text("{")
    (site / "page.css").write_text("h1 { color: clay; }")
    prepare._collect_static_files()
    assert len(collected(settings)) == 1
