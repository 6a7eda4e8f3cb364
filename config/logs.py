"""Log lines made of named fields, which people can read and programs can split."""

import json
import logging
import re
from datetime import UTC, datetime

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
        fields: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        fields.update({k: v for k, v in vars(record).items() if k not in _STANDARD and k not in _OBJECTS})
        if record.exc_info:
            fields["exception"] = self.formatException(record.exc_info)
        return _LINK.sub(r"\1~…", " ".join(f"{name}={_quote(str(value))}" for name, value in fields.items()))


def _quote(text: str) -> str:
    plain = text and text.isprintable() and not any(sign in text for sign in ' "=\\')
    return text if plain else json.dumps(text, ensure_ascii=False)
