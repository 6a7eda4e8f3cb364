"""What the scripts say on a machine that lacks something; all other tests run on one that does not."""

import hashlib
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.processes import ROOT, environment

NO_VENV = """{python} lacks its venv module.
Install it (on Debian and Ubuntu: apt install python3-venv) and start again.
"""


@pytest.mark.parametrize("script", ["server", "test", "bench", "pictures", "requirements", "install", "manage"])
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


def test_a_package_with_another_hash_is_not_installed(tmp_path: Path) -> None:
    clone, wheels = tmp_path / "clone", tmp_path / "wheels"
    (clone / "script").mkdir(parents=True)
    wheels.mkdir()
    with zipfile.ZipFile(wheels / "tiny-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("tiny.py", "")
        wheel.writestr("tiny-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n")
        wheel.writestr("tiny-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr("tiny-1.0.dist-info/RECORD", "")
    for name in ("server", "environment"):
        (clone / "script" / name).write_text((ROOT / "script" / name).read_text())

    def start(rows: str) -> str:
        (clone / "requirements.txt").write_text(rows)
        env = environment(PYTHON=sys.executable, PIP_NO_INDEX=1, PIP_FIND_LINKS=wheels)
        script = ["sh", clone / "script" / "server"]
        return subprocess.run(script, env=env, capture_output=True, text=True, timeout=120, check=False).stderr

    said = start(f"tiny==1.0 --hash=sha256:{'0' * 64}\n")
    assert "tiny==1.0 from" in said
    assert said.endswith(
        "A package is not the one whose hash stands in requirements.txt, so nothing was installed: see above which.\n"
    )
    assert "Hashes are required in --require-hashes mode" in start("tiny==1.0\n")
    right = hashlib.sha256((wheels / "tiny-1.0-py3-none-any.whl").read_bytes()).hexdigest()
    assert "No module named" in start(f"tiny==1.0 --hash=sha256:{right}\n")
    assert list((clone / ".venv").rglob("tiny.py"))


def test_commands_of_the_service_have_its_settings_as_they_stand_in_its_file(tmp_path: Path) -> None:
    program = tmp_path / "program"
    for folder in ("script", ".venv/bin"):
        (program / folder).mkdir(parents=True)
    (program / "script" / "manage").write_text((ROOT / "script" / "manage").read_text())
    python = program / ".venv" / "bin" / "python"
    python.write_text('#!/bin/sh\nprintf "%s|" "$VAR_DIR" "$DATABASE_URL" "$HTTPS" "$@"\n')
    python.chmod(0o755)
    settings = tmp_path / "env"

    def said(**given: str) -> list[str]:
        command = ["sh", program / "script" / "manage", "restore", "a file"]
        env = {name: value for name, value in environment(SETTINGS=settings).items() if name != "VAR_DIR"} | given
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
        return done.stdout.split("|")[:-1]

    command = [str(program / "manage.py"), "restore", "a file"]
    assert said() == ["/var/lib/sixprime", "", "", *command]
    assert said(VAR_DIR="/srv/own") == ["/srv/own", "", "", *command]
    settings.write_text('# HTTPS=0\n\nHTTPS=1\nDATABASE_URL=postgresql://%2Frun/six?a=$b&c="d e"\nVAR_DIR=/srv/six')
    assert said() == ["/srv/six", 'postgresql://%2Frun/six?a=$b&c="d e"', "1", *command]
