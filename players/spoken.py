"""The language of a person at a terminal: the first of LANGUAGE, LC_ALL, LC_MESSAGES and LANG that is known here."""

import re
from collections.abc import Collection, Mapping

NORWEGIAN = {"no": "nb", "nn": "nb"}
PLAIN = {"c", "posix"}


def spoken(environ: Mapping[str, str], known: Collection[str]) -> str:
    """Return one of the ``known`` languages, English if none is asked for. LANGUAGE counts only beside a locale."""
    locale = next((value for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := environ.get(name, ""))), "")
    wanted = [*environ.get("LANGUAGE", "").split(":"), locale] if _code(locale) not in PLAIN else []
    for code in map(_code, wanted):
        language = NORWEGIAN.get(code, code)
        if language in known:
            return language
    return "en"


def _code(name: str) -> str:
    """Return the language of a locale such as ``de_AT.UTF-8``."""
    return re.split(r"[-_.@]", name, maxsplit=1)[0].lower()
