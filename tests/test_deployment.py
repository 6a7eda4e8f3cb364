"""docker-compose.yml, the Caddyfile and what docs/operating.md shows of other proxies: names, ports, limits."""

import re

import pytest
import yaml

from config.replica import LEAVING_SECONDS, STOP_SECONDS
from tests.processes import ROOT

TEXT = (ROOT / "docker-compose.yml").read_text()
COMPOSE = yaml.safe_load(TEXT)
SERVICES = COMPOSE["services"]
OURS = ("prepare", "web", "web-b", "live", "worker", "ratings", "beat")
OTHERS = ("caddy", "postgres", "redis")
CADDY = (ROOT / "Caddyfile").read_text()
EXAMPLE = (ROOT / ".env.example").read_text()


def port_of(name: str) -> str:
    command = SERVICES[name]["command"]
    return str(command[command.index("--port") + 1])


def test_compose_file_sets_what_the_settings_read_and_keeps_no_secret() -> None:
    assert set(SERVICES) == {*OURS, *OTHERS}
    source = (ROOT / "config" / "settings.py").read_text()
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
    live, rest = re.search(r"handle /live/\* \{(.*?)\n\t\}.*handle \{(.*?)\n\t\}", CADDY, re.DOTALL).groups()
    assert f"reverse_proxy live:{port_of('live')} {{" in live
    assert f"reverse_proxy web:{port_of('web')} web-b:{port_of('web-b')} {{" in rest
    assert {"health_uri /healthz", "health_interval 1s"} <= {line.strip() for line in rest.splitlines()}
    assert "flush_interval -1" in live
    for part in (live, rest):
        assert "header_up X-Forwarded-For {remote_host}" in part
        assert "header_up X-Forwarded-Proto {scheme}" in part
        assert "header_up -Forwarded" in part
    assert "respond @nobody 404" in CADDY  # /metrics, without a token
    assert "{$SITE_HOSTS}" in CADDY
    assert "SITE_HOSTS" in SERVICES["caddy"]["environment"]


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
