"""What a test starts ends with it, however the test ends."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes import PATIENCE_SECONDS, ROOT, environment, wait_until

SERVER = """
import sys, time
from pathlib import Path
from tests.processes import environment, running
with running(["sleep", "600"], env=environment(), log=Path(sys.argv[1], "log")) as one:
    print(one.process.pid, flush=True)
    time.sleep(600)
"""
NOBODYS_CHILD = '''
import subprocess, sys, time
from pathlib import Path
from tests.processes import guarded
folder = Path(sys.argv[1], "data")
folder.mkdir()
start = """
import signal, subprocess
signal.signal(signal.SIGQUIT, signal.SIG_DFL)  # a job in the background of a shell ignores it
print(subprocess.Popen(['sleep', '600'], stdout=subprocess.DEVNULL).pid)
"""
server = int(subprocess.run([sys.executable, "-c", start], stdout=subprocess.PIPE, start_new_session=True).stdout)
with guarded(server, folder):
    print(server, flush=True)
    time.sleep(600)
'''


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process that its parent has died")
@pytest.mark.parametrize("code", [SERVER, NOBODYS_CHILD], ids=["server", "nobody's child"])
def test_a_server_ends_when_the_tests_are_killed(tmp_path: Path, code: str) -> None:
    tests = subprocess.Popen(
        [sys.executable, "-c", code, tmp_path], cwd=ROOT, env=environment(), stdout=subprocess.PIPE, text=True
    )
    server = int(tests.stdout.readline())
    assert is_alive(server)
    tests.kill()
    tests.communicate(timeout=PATIENCE_SECONDS)
    wait_until(lambda: not is_alive(server), why="the server ends")
    wait_until(lambda: not (tmp_path / "data").exists(), why="its data are removed")


def _ignore_nothing() -> None:
    """A shell cannot trap what it was told to ignore."""
    for interruption in (signal.SIGINT, signal.SIGHUP):
        signal.signal(interruption, signal.SIG_DFL)


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_interrupting_script_test_ends_the_step_that_runs(tmp_path: Path, name: str) -> None:
    clone, started = tmp_path / "clone", tmp_path / "started"
    (clone / "script").mkdir(parents=True)
    for file in ("script/test", "script/environment", "requirements.txt", "requirements-dev.txt"):
        (clone / file).write_text((ROOT / file).read_text())
    tools = clone / ".venv-test" / "bin"
    tools.mkdir(parents=True)
    for tool in ("python", "ruff"):
        (tools / tool).write_text(
            "#!/bin/sh\nexit 0\n" if tool == "python" else f"#!/bin/sh\necho $$ >{started}\nexec sleep 600\n"
        )
        (tools / tool).chmod(0o755)
    (tmp_path / "temporary").mkdir()
    env = environment(CHROMIUM="none", TMPDIR=tmp_path / "temporary")
    script = subprocess.Popen(
        ["sh", clone / "script" / "test"],
        env=env,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=_ignore_nothing,
    )
    step = int(wait_until(lambda: started.exists() and started.read_text(), why="the first step runs"))
    script.send_signal(getattr(signal, name))
    assert "Interrupted.\n" in script.communicate(timeout=PATIENCE_SECONDS)[1]
    assert script.returncode == 1
    assert not is_alive(step)
    assert list((tmp_path / "temporary").iterdir()) == []
