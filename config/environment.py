"""Reading settings from the environment. A value that cannot be meant raises ImproperlyConfigured, in one sentence."""

import errno
import os
import secrets
import ssl
from collections.abc import Sequence
from contextlib import suppress
from ipaddress import ip_network
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.core.exceptions import ImproperlyConfigured

from tournament.hall.addresses import is_local, read_site_address

SHORTEST_TOKEN = 24

UNREACHABLE = {
    "connect_timeout": 3,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
"""When a connection to PostgreSQL is given up, in seconds, the last in milliseconds; DATABASE_URL may say otherwise."""

MARK = ".sixprime"
"""The file that says whose a data folder is."""

OWN = (MARK, "secret_key", "sixprime.sqlite3", "static/.collected")
"""What is in a folder that has been one; older versions made no mark."""

HARMLESS = ("lost+found", "apt.log")
"""What may be in an empty one: of a disk of its own, and of ``script/test``."""


def env_folder(name: str, default: Path) -> Path:
    """Return the folder for data, made if it is not there. It is one of its own: what is in it may be deleted.

    From the first start on nobody else may read it, unless somebody allows that afterwards.
    """
    folder = Path(os.environ.get(name) or default).resolve()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        others = [path.name for path in folder.iterdir() if not path.name.startswith(".") and path.name not in HARMLESS]
        # Asked last: another process may have made all this meanwhile, and the mark before it.
        if others and not any((folder / own).exists() for own in OWN):
            raise ImproperlyConfigured(
                f"{name} must be a folder of its own, but {folder} holds other files, such as {min(others)}."
            )
        if not (folder / MARK).exists():
            with suppress(PermissionError):  # it belongs to somebody else, who lets this program write
                folder.chmod(0o700)
            (folder / MARK).touch()
    except OSError as error:
        raise ImproperlyConfigured(f"{name}={folder} {_why_not(error)}") from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise ImproperlyConfigured(f"{name}={folder} {_why_not(OSError(errno.EACCES, ''))}")
    return folder


def made_folder(folder: Path) -> Path:
    """Return the folder inside the one for data, made if it is not there."""
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(f"VAR_DIR: {folder} {_why_not(error)}") from None
    return folder


def _why_not(error: OSError) -> str:
    if error.errno in (errno.ENOTDIR, errno.EEXIST):
        return "is not a folder, or lies in something that is none."
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "lies on a disk that is full: make room on it and start again."
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return "must be a folder in which this program may write."
    return f"cannot be used as a folder for data ({error.strerror})."


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


def env_networks(name: str, default: str) -> list[str]:
    """Return addresses and networks such as 10.0.0.0/8; an empty value is none of them."""
    networks = env_list(name, default)
    try:
        for network in networks:
            ip_network(network, strict=False)
    except ValueError:
        raise ImproperlyConfigured(
            f"{name} must be addresses and networks such as 127.0.0.1, 10.0.0.0/8, not {network!r}."
        ) from None
    return networks


def env_token(name: str) -> str:
    token = os.environ.get(name, "").strip()
    if token and len(token) < SHORTEST_TOKEN:
        raise ImproperlyConfigured(f"{name} must have at least {SHORTEST_TOKEN} characters.")
    return token


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
    try:
        key = _secret_at(path)
    except OSError as error:
        raise ImproperlyConfigured(f"VAR_DIR: {path} cannot be made or read ({error.strerror}).") from None
    if len(key) < 50:
        raise ImproperlyConfigured(f"{path} is damaged: delete it; everyone will then have to sign in again.")
    return key


def _secret_at(path: Path) -> str:
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
    return path.read_text().strip()
