"""A federation that all tests of a run share."""

from collections.abc import Iterator

import pytest

from tests.federation import Federation
from tests.processes import environment


@pytest.fixture(scope="session")
def federation(postgres_url: str, redis_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Federation]:
    folder = tmp_path_factory.mktemp("federation")
    env = environment(VAR_DIR=folder / "var", DATABASE_URL=postgres_url, REDIS_URL=redis_url, ACCESS_LOG=1)
    started = Federation(env, folder)
    try:
        started.start()
        yield started
    finally:
        started.stop()
