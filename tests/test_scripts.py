"""What the scripts say on a machine that lacks something; all other tests run on one that does not."""

import subprocess
from pathlib import Path

import pytest

from tests.processes import ROOT, environment

NO_VENV = """{python} lacks its venv module.
Install it (on Debian and Ubuntu: apt install python3-venv) and start again.
"""


@pytest.mark.parametrize("script", ["server", "test", "bench", "pictures", "requirements"])
def test_scripts_are_plain_shell(script: str) -> None:
    subprocess.run(["sh", "-n", ROOT / "script" / script], check=True)
    subprocess.run(["sh", "-n", ROOT / "script" / "environment"], check=True)


@pytest.mark.parametrize(
    ("refuses", "message"),
    [
        ("*version_info*", "Python 3.11 or newer is needed (PYTHON is {python}), and was not found.\n"),
        ("*ensurepip*", NO_VENV),
    ],
)
def test_server_says_what_the_machine_lacks(tmp_path: Path, refuses: str, message: str) -> None:
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\ncase "$2" in {refuses}) exit 1 ;; esac\nexec python3 "$@"\n')
    python.chmod(0o755)
    script = tmp_path / "clone" / "script"
    script.mkdir(parents=True)
    for name in ("server", "environment"):
        (script / name).write_text((ROOT / "script" / name).read_text())
    (tmp_path / "clone" / "requirements.txt").touch()
    answer = subprocess.run(
        ["sh", script / "server"], env=environment(PYTHON=python), capture_output=True, text=True, timeout=60
    )
    assert (answer.returncode, answer.stderr) == (1, message.format(python=python))
    assert not (tmp_path / "clone" / ".venv").exists()
