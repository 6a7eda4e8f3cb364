"""The packages: pinned with hashes, listed with licences, billed; and the ground that they and the program stand on."""

import json
import re
import tomllib
from importlib.metadata import PackageNotFoundError, requires, version

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from script.packages import (
    LICENCES,
    RUN,
    SBOM,
    TEST,
    NoHashError,
    licence_of,
    licences,
    lines_of,
    rows_of,
    sbom,
    with_hashes,
)
from tests.processes import ROOT

AGAIN = "run script/requirements"
VERSIONS = ["3.11", "3.12", "3.13", "3.14"]
PLACES = [
    {
        "python_version": version,
        "python_full_version": f"{version}.3",
        "sys_platform": platform,
        "platform_system": system,
        "os_name": os_name,
        "platform_machine": machine,
    }
    for version in VERSIONS
    for platform, system, os_name, machine in (
        ("linux", "Linux", "posix", "x86_64"),
        ("linux", "Linux", "posix", "aarch64"),
        ("darwin", "Darwin", "posix", "arm64"),
        ("win32", "Windows", "nt", "AMD64"),
    )
]
FREE = re.compile(r"MIT|BSD|Apache-2\.0|PSF-2\.0|Zlib|CC0|OFL-1\.1|LGPL-3\.0|MPL-2\.0")
"""Licences under which a program with the MIT licence may use a package that it does not change."""


@pytest.mark.parametrize("path", [RUN, TEST])
def test_every_row_is_one_version_with_hashes(path) -> None:
    rows = rows_of(path)
    assert len(rows) > 20
    for row in rows:
        assert re.fullmatch(r"==[\w.]+", str(row.requirement.specifier)), row.text
        assert row.hashes, f"{row.text} has no hashes: {AGAIN}"


def test_the_rows_name_all_that_they_need() -> None:
    """With hashes pip installs nothing that has no row: for no extra that a row asks for, and on no other machine."""
    rows = {row.name: row.requirement for row in [*rows_of(RUN), *rows_of(TEST)]}
    missing = set()
    for name, row in rows.items():
        try:
            wanted = [Requirement(one) for one in requires(name) or ()]
        except PackageNotFoundError:
            continue
        for one in wanted:
            places = [{"extra": extra, **place} for extra in ("", *row.extras) for place in PLACES]
            asked = one.marker is None or any(one.marker.evaluate(place) for place in places)
            if asked and canonicalize_name(one.name) not in rows:
                missing.add(f"{name} needs {one}")
    assert missing == set()


def test_comments_and_the_order_of_rows_stay_when_hashes_are_written() -> None:
    written = with_hashes(lines_of(RUN), {row.name: row.hashes for row in rows_of(RUN)})
    assert written == RUN.read_text()
    assert "# What those need." in written
    with pytest.raises(NoHashError):
        with_hashes(["new==1.0"], {})


def test_what_is_installed_is_what_the_rows_say() -> None:
    other = {}
    for row in [*rows_of(RUN), *rows_of(TEST)]:
        marker = row.requirement.marker
        if marker is None or marker.evaluate():
            try:
                found = version(row.name)
            except PackageNotFoundError:
                found = "nothing"
            if found != row.version:
                other[row.text] = found
    assert other == {}


def test_licences_are_listed_as_the_packages_state_them() -> None:
    assert LICENCES.read_text() == licences(), AGAIN


def test_the_bill_names_exactly_what_runs() -> None:
    assert SBOM.read_text() == sbom(), AGAIN
    bill = json.loads(SBOM.read_text())
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    assert {(one["name"], one["version"]) for one in bill["components"]} == {
        (row.name, row.version) for row in rows_of(RUN)
    }
    refs = {one["bom-ref"] for one in bill["components"]} | {"sixprime"}
    assert {one["ref"] for one in bill["dependencies"]} == refs
    assert all(set(one["dependsOn"]) <= refs for one in bill["dependencies"])


def test_what_only_tests_is_not_in_the_bill() -> None:
    names = {one["name"] for one in json.loads(SBOM.read_text())["components"]}
    assert names & {"pytest", "gnubg-nn", "bgsage", "playwright", "uv"} == set()
    assert "requirements-dev" not in (ROOT / "Dockerfile").read_text()


def test_what_runs_may_be_used_by_a_program_with_our_licence() -> None:
    other = {row.name: licence_of(row.name) for row in rows_of(RUN) if not FREE.search(licence_of(row.name))}
    assert other == {}
    assert [row.name for row in rows_of(RUN) if re.search(r"(?<!L)GPL", licence_of(row.name))] == []


def test_the_licence_is_stated_in_one_way() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    text = (ROOT / "LICENSE").read_text()
    assert text.startswith("MIT License\n\nCopyright (c) 2026 The Sixprime developers\n")
    assert (project["license"], project["license-files"]) == ("MIT", ["LICENSE"])
    assert "[Licence: MIT](LICENSE)" in (ROOT / "README.md").read_text()


def test_the_same_versions_of_python_are_named_everywhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    classified = [one.rpartition(" ")[2] for one in project["classifiers"] if "Python :: 3" in one]
    assert classified == VERSIONS
    assert project["requires-python"] == f">={VERSIONS[0]}"
    first = (ROOT / "script" / "environment").read_text()
    assert " ".join(f"python{one}" for one in reversed(VERSIONS)) in first
    *others, last = VERSIONS
    assert f"Python {', '.join(others)} or {last}" in (ROOT / "README.md").read_text()
    assert re.search(rf"FROM python:({'|'.join(map(re.escape, VERSIONS))})-slim", (ROOT / "Dockerfile").read_text())
