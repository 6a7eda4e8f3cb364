"""Every case of every test, of which script/test takes a spread; what follows is for pytest."""

import os
import subprocess
import sys

from tests.processes import ROOT


def main() -> None:
    processes = ["-n", str(min(os.cpu_count() or 2, 8)), "--dist", "loadfile"]
    command = [sys.executable, "-m", "pytest", *processes, *sys.argv[1:]]
    sys.exit(subprocess.run(command, cwd=ROOT, env=os.environ | {"BREADTH": "all"}).returncode)


if __name__ == "__main__":
    main()
