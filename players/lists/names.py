"""The names in what has been published, when they are no longer for everybody; documents hold none.

A line whose ``salt`` is gone proves no name: files of the publication leave it out (:mod:`matches.lists.files`).
"""

from typing import Any

from players.models import Player, PublishedLine
from players.services import fold_name

UNPROVED: dict[str, Any] = {"salt": "", "number": "", "title": ""}
"""What goes with the name: a member number or a title leads to it, by any older list."""
EMPTY: dict[str, Any] = {**UNPROVED, **dict.fromkeys(("nation", "club"), "")}


def rename_lines(player: Player, *, is_public: bool) -> None:
    """Let the lines of the player have the name that is public now.

    With ``is_public`` only those whose names had been taken back get it: all others are as they were published.
    """
    lines = PublishedLine.objects.filter(player=player)
    if is_public:
        lines = lines.filter(salt="")
    current = Player.objects.get(pk=player.pk)
    lines.update(name=current.name, folded_name=current.folded_name, **UNPROVED)


def forget_lines(player: Player, name: str) -> None:
    """Let the lines of a player who is deleted have this name, and nothing else that tells of them."""
    PublishedLine.objects.filter(player=player).update(name=name, folded_name=fold_name(name), **EMPTY)
