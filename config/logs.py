"""Log lines made of named fields, which people can read and programs can split; or the same fields as JSON."""

import json
import logging
import re
from datetime import UTC, datetime
from typing import Any

from config.private_paths import without_secrets
from config.trace import current_request_id

_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}
# Objects that Django attaches to its records; as text they tell nothing.
_OBJECTS = frozenset({"request", "server_time"})

_LINK = re.compile(r"\b(\d+\.\d+)~[\w-]{43}")
"""The token of a private link in an address: a secret, of which the log keeps whose it is."""


class OneLine(logging.Filter):
    """Makes what is logged a warning of one line: a client's mistake, of which a traceback tells nothing."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.levelno, record.levelname = logging.WARNING, logging.getLevelName(logging.WARNING)
        record.exc_info = record.exc_text = None
        return True


class FieldFormatter(logging.Formatter):
    """``time=... level=... logger=... message="..."`` and every field of ``extra``; one line per record."""

    def format(self, record: logging.LogRecord) -> str:
        return _LINK.sub(r"\1~…", self.line(self.fields(record)))

    def line(self, fields: dict[str, object]) -> str:
        return " ".join(f"{name}={_quote(str(value))}" for name, value in fields.items())

    def fields(self, record: logging.LogRecord) -> dict[str, object]:
        """Return what the line says: the request that it belongs to, if any, and no secret of an address."""
        fields: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": _without_the_secrets_of_its_request(record),
        }
        fields.update({k: v for k, v in vars(record).items() if k not in _STANDARD and k not in _OBJECTS})
        if request_id := current_request_id():
            fields.setdefault("request_id", request_id)
        if record.exc_info:
            fields["exception"] = self.formatException(record.exc_info)
        return fields


class JSONFormatter(FieldFormatter):
    """The same fields as one JSON object per line, for programs that collect logs."""

    def line(self, fields: dict[str, object]) -> str:
        return json.dumps(fields, default=str, ensure_ascii=False)


def logging_config(level: str, form: str) -> dict[str, Any]:
    """Return Django's ``LOGGING``: everything to standard error, each record as one line of that form."""
    formatter = "config.logs.JSONFormatter" if form == "JSON" else "config.logs.FieldFormatter"
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": {"()": formatter}},
        "filters": {"one_line": {"()": "config.logs.OneLine"}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "lines"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            "django": {"handlers": [], "level": level, "propagate": True},
            "django.server": {"handlers": [], "level": level, "propagate": True},
            "django.security.DisallowedHost": {"filters": ["one_line"]},
            "celery": {"level": "WARNING"},
            "kombu": {"level": "WARNING"},
            "config.access": {"level": "INFO"},  # it has a switch of its own
        },
    }


def _without_the_secrets_of_its_request(record: logging.LogRecord) -> str:
    """Return the message, in which Django names the address of the request as it was sent."""
    message = record.getMessage()
    path = getattr(getattr(record, "request", None), "path", "")
    return message.replace(path, without_secrets(path)) if len(path) > 1 else message


def _quote(text: str) -> str:
    plain = text and text.isprintable() and not any(sign in text for sign in ' "=\\')
    return text if plain else json.dumps(text, ensure_ascii=False)
