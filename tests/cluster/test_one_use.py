"""One record, one use: two who import, accept or attach it at the same moment have one result between them."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.processes import Shell, environment, manage, shell

pytestmark = pytest.mark.cluster

CASES = [
    (("imported", "imported"), False, ["proved", "known"], (1, 0, 0)),
    (("imported", "imported_anew"), False, ["proved", "known"], (1, 0, 0)),
    (("imported", "imported_of_another_match"), False, ["proved", "proved"], (2, 0, 0)),
    (("imported", "attached"), False, ["proved", "record_has_match"], (1, 0, 0)),
    (("attached", "imported"), False, ["attached", "quarantined record_attached"], (0, 0, 1)),
    (("accepted", "accepted"), True, ["accepted", "record_has_match"], (1, 1, 0)),
    (("accepted", "attached"), True, ["accepted", "record_has_match"], (1, 1, 0)),
    (("attached", "accepted"), True, ["attached", "record_attached"], (0, 0, 1)),
    (("accepted", "imported_anew"), True, ["accepted", "quarantined record_has_match"], (1, 1, 0)),
    (("imported_anew", "accepted"), True, ["proved", "record_has_match"], (1, 0, 0)),
    (("attached", "attached"), False, ["attached", "attached"], (0, 0, 1)),
]
"""Who comes first and who comes meanwhile, whether the record proves no match, how both end, and then the number of
matches, of acceptances and of attached records.
"""


@pytest.fixture(scope="module", params=["postgresql", "sqlite"])
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    """The program on an empty database, in which it runs what it is given."""
    folder: Path = tmp_path_factory.mktemp(request.param)
    given = {"DATABASE_URL": request.getfixturevalue("postgres_url")} if request.param == "postgresql" else {}
    env = environment(VAR_DIR=folder, **given)
    manage("migrate", "--verbosity", "0", env=env)
    with shell(env) as started:
        yield started


@pytest.mark.parametrize(("acts", "doubtful", "outcomes", "stored"), CASES, ids=["-".join(case[0]) for case in CASES])
def test_two_at_once_use_a_record_once(program: Shell, acts, doubtful, outcomes, stored) -> None:
    code = f"from tests.cluster.racing import race; race({acts[0]!r}, {acts[1]!r}, doubtful={doubtful})"
    told = json.loads(program.run(code))
    assert told["outcomes"] == outcomes
    assert (told["matches"], told["accepted"], told["attached"]) == stored
    assert told["players"] == (2 if told["matches"] else 1 if doubtful else 0)
