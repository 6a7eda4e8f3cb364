"""The demo director's login: made once for an installation and kept in a file that only its owner can read."""

import secrets
from pathlib import Path

from players.models import User

DIRECTOR = "demo-director"


def ensure_director(path: Path) -> User:
    """Let the demo director sign in with the name and the password in ``path``, which only its owner can read."""
    user, made = User.objects.get_or_create(username=DIRECTOR)
    password = read_login(path)
    if password is None:
        password = secrets.token_urlsafe(9)
        path.unlink(missing_ok=True)
        path.touch(mode=0o600)
        path.write_text(f"{DIRECTOR}\n{password}\n")
        made = True
    if made:
        user.set_password(password)
        user.save()
    return user


def read_login(path: Path) -> str | None:
    """Return the demo director's password, or None if no demo was made."""
    if not path.exists():
        return None
    lines = path.read_text().splitlines()
    return lines[1] if len(lines) == 2 and lines[0] == DIRECTOR and lines[1] else None


def director_login(path: Path) -> tuple[str, str] | None:
    """Return the demo director's name and password; None if there is no such user or the password has been changed."""
    password = read_login(path)
    user = User.objects.filter(username=DIRECTOR, is_active=True).first()
    if password is None or user is None or not user.check_password(password):
        return None
    return user.username, password
