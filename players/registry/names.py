"""What the public may read of a person's name, and their own names, which those who keep the registry read.

:attr:`players.models.Player.name` is the public name and nothing else, so that no page can show more than it by
forgetting to ask. It is made here of the person's own names whenever those or the visibility change.
"""

import re

from players.models import Player, Visibility

_NUMBER = re.compile(r"Player #[0-9]{1,20}")


def public_name(player: Player) -> str:
    """Return the name that everybody may read: the whole name, initials, or a number; ``A. H.``, ``Player #4711``.

    A person whose own names nobody has told apart is public, and called as they are.
    """
    match player.visibility:
        case Visibility.PUBLIC:
            return own_name(player)
        case Visibility.HIDDEN:
            return f"Player #{player.pk}"
        case _:
            return " ".join(initial for part in (player.given, player.family) if (initial := _initial(part)))


def tells_no_more(player: Player) -> bool:
    """Whether the name that the person has is no more than the public may read, be it the number of another
    installation.
    """
    return player.name == public_name(player) or (
        player.visibility == Visibility.HIDDEN and _NUMBER.fullmatch(player.name) is not None
    )


def own_name(player: Player) -> str:
    """Return the person's whole name, which only those who keep the registry may read if it is not public."""
    return f"{player.given} {player.family}".strip() or player.name


def own_parts(player: Player) -> tuple[str, str]:
    """Return the person's given names and family name, as far as somebody has told them apart."""
    return (player.given, player.family) if player.family else split_name(player.name)


def shown_name(player: Player, *, sees_own: bool) -> str:
    """Return the name for a reader: the own name for one who may see it, as :mod:`players.registry.roles` says."""
    return own_name(player) if sees_own else player.name


def split_name(name: str) -> tuple[str, str]:
    """Return given names and family name of a name that was written as one: its last word is the family name."""
    given, _space, family = name.strip().rpartition(" ")
    return given, family


def read_name(text: str) -> tuple[str, str]:
    """Return given names and family name as somebody wrote them: ``Holm, Asta`` or ``Asta Holm``."""
    family, comma, given = text.partition(",")
    return (given.strip(), family.strip()) if comma else split_name(text)


def in_order(text: str) -> str:
    """Return the name that somebody wrote with its given names first: ``Asta Holm``."""
    return " ".join(filter(None, read_name(text)))


def _initial(part: str) -> str:
    letter = next((char for char in part if char.isalnum()), "")
    return f"{letter.upper()}." if letter else ""
