"""A log verb, and the parts of its sentence: names, scores and match keys."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.models.draw import place_of

MOST_NAMES = 12
Detail = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb with its ``name``, for lists and for rows without a sentence; ``tell`` makes the sentence from the detail.

    What is not ``public`` is in the log, for those who may read it, but not in the history of an event.
    """

    name: str | Promise
    tell: Callable[[Detail], str] | None = None
    public: bool = True


def names_of(detail: Detail) -> str:
    """Return the first ``MOST_NAMES`` names in the row, and how many more there are."""
    names = [str(name) for name in detail.get("names", [])]  # type: ignore[attr-defined]
    listed = ", ".join(names[:MOST_NAMES])
    more = len(names) - MOST_NAMES
    if more > 0:
        listed += " " + ngettext("and %(count)s more", "and %(count)s more", more) % {"count": more}
    return listed


def score_of(detail: Detail) -> str:
    """Return the row's score, or a question mark."""
    score = detail.get("score")
    # Word joiners keep the two numbers on one line.
    return "\u2060–\u2060".join(str(points) for points in score) if isinstance(score, list) else "?"


def result_of(detail: Detail) -> dict[str, object]:
    """Return the match with its players and score, for a sentence about a result."""
    return {"fixture": match_of(detail), "score": score_of(detail)}


def match_of(detail: Detail) -> str:
    """Return the key of the match with its players."""
    players = detail.get("players")
    names = " – ".join(str(name) for name in players) if isinstance(players, list) else ""
    return f"{key_of(detail)} {names}".strip()


def key_of(detail: Detail) -> str:
    """Return a pairing's key, with the board of a team match, and the stage if it is not the first."""
    key = place_of(str(detail.get("fixture", "")), int(str(detail.get("board", 0))))
    return _("Stage %(stage)s, %(key)s") % {"stage": detail["stage"], "key": key} if "stage" in detail else key


def with_names(template: str, detail: Detail) -> str:
    """Return the template as a sentence, filled in with the names in the row."""
    return template % {"names": names_of(detail)}
