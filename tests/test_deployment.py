"""docker-compose.yml, the units of systemd, and the Caddyfile of each: names, ports, limits."""

import configparser
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from config.replica import LEAVING_SECONDS, STOP_SECONDS
from tests.processes import ROOT, environment, free_port

TEXT = (ROOT / "docker-compose.yml").read_text()


class Strict(yaml.SafeLoader):
    """Refuses a key that stands twice, as compose does."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict:
        keys = [key.value for key, _value in node.value if key.value != "<<"]
        assert len(keys) == len(set(keys)), f"line {node.start_mark.line + 1}: a key stands twice"
        return super().construct_mapping(node, deep)


COMPOSE = yaml.load(TEXT, Strict)  # noqa: S506 - a safe loader
SERVICES = COMPOSE["services"]
OURS = ("prepare", "web", "web-b", "live", "worker", "ratings", "beat")
OTHERS = ("caddy", "postgres", "redis")
CADDY = (ROOT / "Caddyfile").read_text()
ALONE = (ROOT / "script" / "Caddyfile").read_text()
EXAMPLE = (ROOT / ".env.example").read_text()


def handled(proxy: str) -> tuple[str, str]:
    """What a Caddyfile says of the live stream, and of everything else."""
    live, rest = re.search(r"handle /live/\* \{(.*?)\n\t\}.*handle \{(.*?)\n\t\}", proxy, re.DOTALL).groups()
    return live, rest


def port_of(name: str) -> str:
    command = SERVICES[name]["command"]
    return str(command[command.index("--port") + 1])


def test_compose_file_sets_what_the_settings_read_and_keeps_no_secret() -> None:
    assert set(SERVICES) == {*OURS, *OTHERS}
    source = "".join((ROOT / "config" / name).read_text() for name in ("settings.py", "api.py"))
    for name in OURS:
        unknown = {key for key in SERVICES[name]["environment"] if f'"{key}"' not in source}
        assert unknown == set()
        assert set(SERVICES[name]["depends_on"]) <= set(SERVICES)
    for name in ("POSTGRES_PASSWORD", "REDIS_PASSWORD", "SECRET_KEY", "ALLOWED_HOSTS"):
        assert f"${{{name}:?" in TEXT
        assert re.search(rf"^{name}=", EXAMPLE, re.MULTILINE)
    assert {volume.split(":")[0] for service in SERVICES.values() for volume in service.get("volumes", [])} == {
        *COMPOSE["volumes"],
        "./Caddyfile",
    }


def test_every_setting_of_a_server_can_be_made_in_compose() -> None:
    """Besides those of a laptop, those that compose makes itself, and the folder of backups, which is in the volume."""
    described = (ROOT / "config" / "settings.py").read_text().split('"""')[1]
    listed = [re.match(r"([A-Z_]{2,})(?:, ([A-Z_]+))?", line) for line in described.splitlines()]
    settings = {name for found in listed if found for name in found.groups() if name}
    of_a_laptop = {"HOST", "PORT", "LIVE_PORT", "TLS_CERT", "TLS_KEY", "PAGE_PROCESSES", "WORKER", "DEMO", "DEBUG"}
    made_here = {"VAR_DIR", "BACKUP_DIR"}
    assert settings - of_a_laptop - made_here - set(SERVICES["web"]["environment"]) == set()
    assert {"API_READS", "API_WRITES_BY_ADDRESS", "CORS_ORIGINS", "HSTS_SECONDS", "PUSH_HOSTS"} < settings


def test_everything_that_the_environment_file_names_is_read_by_compose() -> None:
    named = set(re.findall(r"^([A-Z_]+)=", EXAMPLE, re.MULTILINE))
    assert named - set(re.findall(r"\$\{([A-Z_]+)", TEXT)) == set()
    assert {"TRUSTED_PROXIES", "LOG_LEVEL", "LOG_FORMAT", "ACCESS_LOG"} <= set(SERVICES["web"]["environment"])


@pytest.mark.parametrize("name", SERVICES)
def test_every_service_has_limits_and_no_rights_that_it_does_not_need(name: str) -> None:
    service = SERVICES[name]
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["read_only"] is True
    assert {"cpus", "mem_limit", "pids_limit"} <= set(service)
    assert "healthcheck" in service or name == "prepare"
    assert name not in OURS or "cap_add" not in service


def test_images_of_others_have_an_exact_version_or_the_digest_that_was_filled_in() -> None:
    for name in OTHERS:
        variable = f"{name.upper()}_IMAGE"
        assert re.fullmatch(rf"\$\{{{variable}:-{name}:\d[\w.]*-alpine\}}", SERVICES[name]["image"])
        assert variable in EXAMPLE
    assert "sha256:" not in TEXT + EXAMPLE  # each installation fills in what it has pulled


def test_only_the_proxy_is_reached_from_outside() -> None:
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["caddy"]


def test_the_proxy_passes_each_address_to_the_service_and_port_that_serve_it() -> None:
    live, rest = handled(CADDY)
    assert f"reverse_proxy live:{port_of('live')} {{" in live
    assert f"reverse_proxy web:{port_of('web')} web-b:{port_of('web-b')} {{" in rest
    assert {"health_uri /healthz", "health_interval 1s"} <= {line.strip() for line in rest.splitlines()}
    assert "flush_interval -1" in live
    assert "{$SITE_HOSTS}" in CADDY
    assert "SITE_HOSTS" in SERVICES["caddy"]["environment"]


@pytest.mark.parametrize("proxy", [CADDY, ALONE], ids=["compose", "systemd"])
def test_a_proxy_says_who_asks_and_keeps_metrics_to_those_with_a_token(proxy: str) -> None:
    for part in handled(proxy):
        assert "header_up X-Forwarded-For {remote_host}" in part
        assert "header_up X-Forwarded-Proto {scheme}" in part
        assert {"header_up -Forwarded", "header_up -X-Real-IP"} <= {line.strip() for line in part.splitlines()}
    assert "handle @nobody {\n\t\trespond 404" in proxy  # a bare "respond" would come after every "handle"
    assert "path /metrics\n\t\tnot header Authorization Bearer*" in proxy


def test_the_proxy_is_believed_and_nothing_outside_of_its_network_is() -> None:
    [network] = [each["subnet"] for each in COMPOSE["networks"]["default"]["ipam"]["config"]]
    assert SERVICES["web"]["environment"]["TRUSTED_PROXIES"] == f"${{TRUSTED_PROXIES:-{network}}}"


def test_three_tasks_run_at_once_and_those_in_hand_are_waited_for() -> None:
    command = SERVICES["worker"]["command"]
    assert int(command[command.index("--concurrency") + 1]) >= 3
    assert SERVICES["worker"]["stop_grace_period"] == "5m"


def test_a_server_leaves_for_longer_than_the_proxy_takes_to_hear_of_it_and_stops_in_time() -> None:
    assert LEAVING_SECONDS >= 2
    grace = int(SERVICES["web"]["stop_grace_period"].removesuffix("s"))
    assert grace > LEAVING_SECONDS + STOP_SECONDS


# Without Docker.


def unit(name: str) -> configparser.ConfigParser:
    read = configparser.ConfigParser(strict=False, interpolation=None)
    read.optionxform = str  # type: ignore[assignment,method-assign]
    read.read(ROOT / "script" / name)
    return read


def test_systemd_holds_the_ports_to_which_the_proxy_leads() -> None:
    held = re.findall(r"^ListenStream=(.+)$", (ROOT / "script" / "sixprime.socket").read_text(), re.MULTILINE)
    live, rest = handled(ALONE)
    assert [f"reverse_proxy {one} {{" in part for part, one in zip((rest, live), held, strict=True)] == [True, True]
    service = unit("sixprime.service")
    assert service["Unit"]["Requires"] == "sixprime.socket"
    assert "keepalive off" in rest


def test_the_service_writes_where_its_commands_look() -> None:
    service = unit("sixprime.service")["Service"]
    folder = f"/var/lib/{service['StateDirectory']}"
    assert f"VAR_DIR={folder} " in service["Environment"]
    manage = (ROOT / "script" / "manage").read_text()
    assert f'export VAR_DIR="${{VAR_DIR:-{folder}}}"\n' in manage
    assert service["EnvironmentFile"].removeprefix("-") in manage
    assert service["ExecStart"].startswith(f"{service['WorkingDirectory']}/.venv/bin/python")
    assert int(service["TimeoutStopSec"]) > 10


HOLD = """
import os, sys
number = int(sys.argv[1])
if number != 3:
    os.dup2(number, 3)
os.set_inheritable(3, True)
os.environ |= {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1"}
from config.ports import open_port
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
taken = open_port("PORT", int(sys.argv[2]))
print(taken.getsockname()[1], taken.fileno())
other = open_port("LIVE_PORT", int(sys.argv[3]))
print(other.getsockname()[1], other.fileno() > 3)
"""


def test_a_port_that_systemd_holds_is_taken_over_and_another_one_is_opened(tmp_path: Path) -> None:
    port, other = free_port(), free_port()
    with socket.create_server(("127.0.0.1", port)) as held:
        command = [sys.executable, "-c", HOLD, str(held.fileno()), str(port), str(other)]
        env = environment(VAR_DIR=tmp_path / "var", HOST="127.0.0.1", PORT=port, LIVE_PORT=other)
        done = subprocess.run(command, cwd=ROOT, env=env, pass_fds=[held.fileno()], capture_output=True, text=True)
    assert done.stdout.split("\n") == [f"{port} 3", f"{other} True", ""], done.stderr
