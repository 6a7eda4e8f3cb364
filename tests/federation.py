"""A federation's processes, started with the commands of docker-compose.yml, on servers from wheels."""

import sys
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
import yaml

from tests.processes import PATIENCE_SECONDS, ROOT, Running, Shell, Site, answers, free_port, running, wait_until

COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())


@dataclass
class Federation:
    """Two web processes, the live stream, the Celery workers and the clock, on PostgreSQL and Redis."""

    env: dict[str, str]
    folder: Path
    webs: list[str] = field(default_factory=list)
    live_url: str = ""
    workers: list[Running] = field(default_factory=list)
    parts: list[Running] = field(default_factory=list)
    commands: dict[str, tuple[list[str], Running]] = field(default_factory=dict)
    stack: ExitStack = field(default_factory=ExitStack)

    def __post_init__(self) -> None:
        self.shell = Shell(self.env)
        self.stack.callback(self.shell.stop)

    def start(self) -> None:
        manage_env = self.env | {"DEMO": "0"}
        prepared = self.run(COMPOSE["services"]["prepare"]["command"], name="prepare", env=manage_env)
        assert prepared.process.wait(PATIENCE_SECONDS) == 0, prepared.log.read_text()
        ports = [free_port(), free_port(), free_port()]
        for number, port in enumerate(ports[:2]):
            self.run(service("web", port), name=f"web-{number}")
            self.webs.append(f"http://127.0.0.1:{port}")
        self.run(service("live", ports[2]), name="live")
        self.live_url = f"http://127.0.0.1:{ports[2]}"
        self.start_worker()
        self.start_worker()
        self.run([*service("ratings"), "--hostname", "ratings@localhost"], name="ratings")
        self.run(service("beat"), name="beat")
        for url in [*(f"{web}/healthz" for web in self.webs), f"{self.live_url}/live/healthz"]:
            wait_until(lambda url=url: answers(url), why=f"{url} answers")

    def stop(self) -> None:
        """Tell all processes to stop before waiting for the first."""
        for part in self.parts:
            part.process.terminate()
        self.stack.close()

    def start_worker(self) -> None:
        number = len(self.workers)
        command = [*service("worker"), "--hostname", f"worker-{number}@localhost"]
        self.workers.append(self.run(command, name=f"worker-{number}"))

    def run(self, command: list[str], *, name: str, env: dict[str, str] | None = None) -> Running:
        part = running(program(command), env=env or self.env, log=self.folder / f"{name}.log")
        self.parts.append(self.stack.enter_context(part))
        self.commands[name] = (command, self.parts[-1])
        return self.parts[-1]

    def start_ended(self) -> None:
        """Start again what has ended, as Docker does with ``restart: unless-stopped``."""
        for name, (command, part) in list(self.commands.items()):
            if name != "prepare" and part.process.poll() is not None:
                self.parts.remove(part)
                self.run(command, name=name)

    def site(self) -> Site:
        return Site(self.webs[0], self.live_url, self.env, self.workers[0], self.shell)

    def database(self) -> psycopg.Connection:
        return psycopg.connect(self.env["DATABASE_URL"])

    def standings_are_current(self, event: int) -> bool:
        with self.database() as connection:
            row = connection.execute(
                "SELECT e.version = s.standings_version FROM tournament_event e "
                "JOIN tournament_stage s ON s.event_id = e.id WHERE e.id = %s",
                [event],
            ).fetchone()
        return row == (True,)

    def wait_for_standings(self, event: int) -> None:
        """Wait until they are current: at once by a task or, if that was lost, at the next tick of the clock."""
        wait_until(lambda: self.standings_are_current(event), why="the standings are current")


def service(name: str, port: int | None = None) -> list[str]:
    """The command of the service, on another port and only on this machine."""
    command = list(COMPOSE["services"][name]["command"])
    if port is not None:
        command[command.index("--port") + 1] = str(port)
        command[command.index("--host") + 1] = "127.0.0.1"
    return command


def program(command: list[str]) -> list[str]:
    """The command, beginning with this environment's own Python or script."""
    return [sys.executable if command[0] == "python" else str(Path(sys.executable).with_name(command[0])), *command[1:]]
