"""The mail server, read from one address. Without one, the mails of the door are put into a folder."""

from pathlib import Path
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

PORTS = {"smtp": 25, "smtps": 465, "smtp+tls": 587}


def read_mail(url: str, sender: str, folder: Path) -> dict[str, object]:
    """Return Django's settings of the mail server for ``smtp+tls://user:password@mail.example.org:587``.

    ``smtps`` is encrypted from the start, ``smtp+tls`` after greeting, ``smtp`` not at all. Without an address
    the mails go into the ``folder``, which only its owner can read: links to new passwords are in them. Raises
    ImproperlyConfigured for another text, and for a server without a ``sender``.
    """
    parts = urlsplit(url)
    try:
        port = parts.port
    except ValueError:
        port = -1
    if url and (parts.scheme not in PORTS or not parts.hostname or port == -1 or parts.path.strip("/")):
        raise ImproperlyConfigured("EMAIL_URL must be like smtp+tls://user:password@mail.example.org:587.")
    if url and "@" not in sender:
        raise ImproperlyConfigured("EMAIL_FROM must be the address that e-mails come from, where EMAIL_URL is set.")
    if not url:
        folder.mkdir(mode=0o700, exist_ok=True)
    return {
        "EMAIL_BACKEND": f"django.core.mail.backends.{'smtp' if url else 'filebased'}.EmailBackend",
        "EMAIL_FILE_PATH": folder,
        "EMAIL_HOST": parts.hostname or "" if url else "",
        "EMAIL_PORT": port or PORTS.get(parts.scheme, 25),
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_TLS": parts.scheme == "smtp+tls",
        "EMAIL_USE_SSL": parts.scheme == "smtps",
        "EMAIL_TIMEOUT": 10,
        "EMAIL_FROM": sender,
        "DEFAULT_FROM_EMAIL": sender or "sixprime@localhost",
    }
