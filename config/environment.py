"""Reading settings from the environment. A value that cannot be meant raises ImproperlyConfigured, in one sentence."""

import os
import secrets
import ssl
from collections.abc import Sequence
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.core.exceptions import ImproperlyConfigured

from tournament.hall.addresses import is_local, read_site_address


def env_flag(name: str, default: bool) -> bool:
    value = os.environ.get(name, "").strip().lower()
    if value in {"", "0", "1", "true", "false", "yes", "no"}:
        return default if value == "" else value in {"1", "true", "yes"}
    raise ImproperlyConfigured(f"{name} must be 1 or 0, not {value!r}.")


def env_int(name: str, default: int) -> int:
    value = os.environ.get(name, "").strip()
    if not value:
        return default
    if not value.isdecimal():
        raise ImproperlyConfigured(f"{name} must be a whole number, not {value!r}.")
    return int(value)


def env_list(name: str, default: str) -> list[str]:
    return [part.strip() for part in os.environ.get(name, default).split(",") if part.strip()]


def env_port(name: str, default: int) -> int:
    port = env_int(name, default)
    if not 1 <= port <= 65535:
        raise ImproperlyConfigured(f"{name} must be a port from 1 to 65535, not {port}.")
    return port


def env_site_address(name: str) -> str:
    try:
        address = read_site_address(os.environ.get(name, ""))
    except ValueError:
        raise ImproperlyConfigured(
            f"{name} must be like https://play.example.org, without a path, not {os.environ[name]!r}."
        ) from None
    if is_local(address):
        raise ImproperlyConfigured(f"{name} must be an address that phones can reach, not {address}.")
    return address


def env_certificate(cert: str, key: str) -> tuple[Path, Path] | None:
    """Return the files of the certificate and of its key; None if neither is given."""
    given = [os.environ.get(name, "").strip() for name in (cert, key)]
    if not any(given):
        return None
    if not all(given):
        raise ImproperlyConfigured(f"{cert} and {key} must be given together.")
    files = Path(given[0]).resolve(), Path(given[1]).resolve()
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(*files)
    except FileNotFoundError:
        missing = next(str(path) for path in files if not path.is_file())
        raise ImproperlyConfigured(f"{cert} and {key} must be files: there is no {missing}.") from None
    except (ssl.SSLError, OSError) as error:
        why = getattr(error, "reason", None) or error.strerror
        raise ImproperlyConfigured(
            f"{cert} and {key} must be a certificate and its own key, both in PEM, the key without a password ({why})."
        ) from None
    return files


def env_zone(name: str, default: str) -> str:
    zone = os.environ.get(name) or default
    try:
        ZoneInfo(zone)
    except (ValueError, OSError, ZoneInfoNotFoundError):
        raise ImproperlyConfigured(
            f"{name} must be the name of a time zone, such as Europe/Copenhagen, not {zone!r}."
        ) from None
    return zone


def env_choice(name: str, default: str, choices: Sequence[str]) -> str:
    value = (os.environ.get(name) or default).upper()
    if value not in choices:
        *others, last = choices
        raise ImproperlyConfigured(f"{name} must be {', '.join(others)} or {last}, not {os.environ[name]!r}.")
    return value


def kept_secret(path: Path) -> str:
    """Return the secret key of this installation, made at the first start and kept beside its data.

    Two processes that start at the same time read the same key: the file appears whole or not at all.
    """
    if not path.exists():
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_urlsafe(50))
        try:
            path.hardlink_to(draft)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    key = path.read_text().strip()
    if len(key) < 50:
        raise ImproperlyConfigured(f"{path} is damaged: delete it; everyone will then have to sign in again.")
    return key
