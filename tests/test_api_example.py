"""The worked example of docs/api.md, run as it stands there against a server."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.processes import ROOT, site

pytestmark = pytest.mark.cluster

USER, PASSWORD = "owner", "a long word or two"
EXAMPLE = re.compile(r"```bash\n(.*?)```", re.DOTALL)
TOOLS = ("bash", "curl", "jq")


@pytest.mark.skipif(not all(map(shutil.which, TOOLS)), reason=f"needs {', '.join(TOOLS)}")
def test_the_example_of_the_api_runs_as_it_is_written(tmp_path: Path) -> None:
    (example,) = EXAMPLE.findall((ROOT / "docs" / "api.md").read_text(encoding="utf-8"))
    with site(tmp_path / "var", from_nothing=True) as live:
        live.python(f"from players.models import User; User.objects.create_superuser({USER!r}, password={PASSWORD!r})")
        for written, here in (("http://127.0.0.1:8000", live.url), ("USER", USER), ("PASSWORD", PASSWORD)):
            assert example.count(written) == 1
            example = example.replace(written, here)
        ran = subprocess.run(
            ["bash", "-eo", "pipefail", "-c", example], capture_output=True, text=True, timeout=120, check=False
        )
    assert (ran.returncode, ran.stderr) == (0, "")
    said = ran.stdout.splitlines()
    assert said[:4] == ['"Anna"', '"Bo"', '"Carl"', '"Dora"']
    assert said[-2:] == ["[5,0]", '[[5,0],"A"]']
