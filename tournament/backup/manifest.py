"""What a backup says of itself: where it comes from, which tables it holds, and the hash of each."""

import json
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings

FORMAT = "sixprime-backup-1"
FAMILY = "sixprime-backup-"
MANIFEST = "manifest.json"
KEY = "secret_key"


@dataclass(frozen=True, slots=True)
class TableFile:
    """A table in a backup: a file with one row of JSON a line. ``last`` is the highest number ever given to a row."""

    name: str
    columns: list[str]
    rows: int
    last: int
    bytes: int
    sha256: str

    @property
    def path(self) -> str:
        return f"tables/{self.name}.jsonl"


@dataclass(frozen=True, slots=True)
class Manifest:
    """``keys`` are the fingerprints of the installation's secret keys, the present one first."""

    made_at: str
    program: str
    engine: str
    migrations: list[list[str]]
    keys: list[str]
    tables: list[TableFile]

    def write(self) -> bytes:
        return json.dumps({"format": FORMAT, **asdict(self)}, indent=1).encode() + b"\n"

    @classmethod
    def read(cls, stated: Mapping[str, Any]) -> "Manifest":
        """Read what :meth:`write` wrote. Raises ValueError, TypeError or KeyError for anything else."""
        tables = [TableFile(**_typed(table, TableFile)) for table in _list(stated["tables"], dict)]
        migrations = _list(stated["migrations"], list)
        if any(len(_list(migration, str)) != 2 for migration in migrations) or not tables:
            raise ValueError("an app and a name are a migration")
        if any(len(table.sha256) != 64 or min(table.rows, table.last, table.bytes) < 0 for table in tables):
            raise ValueError("no figures of a table")
        if len({table.name for table in tables}) < len(tables):
            raise ValueError("a table twice")
        datetime.fromisoformat(stated["made_at"])
        texts = {name: str(stated[name]) for name in ("made_at", "program", "engine")}
        return cls(**texts, migrations=migrations, keys=_list(stated["keys"], str), tables=tables)

    @property
    def rows(self) -> int:
        return sum(table.rows for table in self.tables)


@lru_cache(maxsize=1)
def program_version() -> str:
    with Path(settings.BASE_DIR, "pyproject.toml").open("rb") as file:
        return str(tomllib.load(file)["project"]["version"])


def _typed(stated: Mapping[str, Any], kind: type[TableFile]) -> dict[str, Any]:
    """Return the fields of a table as stated, each of its type."""
    kinds = {"name": str, "columns": list, "rows": int, "last": int, "bytes": int, "sha256": str}
    if set(stated) != set(kinds) or any(type(stated[name]) is not kinds[name] for name in kinds):
        raise TypeError(f"no {kind.__name__}")
    _list(stated["columns"], str)
    return dict(stated)


def _list(stated: Any, kind: type) -> list[Any]:
    if not isinstance(stated, list) or any(type(one) is not kind for one in stated):
        raise TypeError(f"no list of {kind.__name__}")
    return stated
