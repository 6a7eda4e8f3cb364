"""Event files with one thing changed, and their digest made to fit again."""

import copy
from random import Random
from typing import Any

from tournament.interchange.canonical import canonical, digest_of

OTHERS = (None, 0, 1, 2, -1, 99, 2**40, True, False, "", "x", "A", "p1", "%(x)s", "ä b", [], {}, [1], {"x": 1})


def signed(document: dict[str, Any]) -> bytes:
    """The file with the digest of what it holds."""
    document = {**document, "digest": ""}
    return canonical({**document, "digest": digest_of(document)})


def places_in(value: object, place: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Every place in the value, the whole first."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place, *(found for name, one in inner for found in places_in(one, (*place, name)))]


def mutated(document: dict[str, Any], random: Random) -> dict[str, Any]:
    """The document with one or two values changed, gone, doubled, or in each other's place."""
    changed = copy.deepcopy(document)
    for _change in range(random.choice((1, 1, 2))):
        *place, last = random.choice(places_in(changed)[1:])
        holder: Any = changed
        for name in place:
            holder = holder[name]
        match random.randrange(6):
            case 0:
                del holder[last]
            case 1:
                holder[last] = random.choice(OTHERS)
            case 2 if isinstance(holder[last], int):
                holder[last] += random.choice((-1, 1))
            case 3 if isinstance(holder, list):
                holder.insert(random.randrange(len(holder) + 1), copy.deepcopy(holder[last]))
            case 4:
                other = random.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
                holder[last], holder[other] = holder[other], holder[last]
            case _:
                holder[last] = copy.deepcopy(random.choice(_values_like(changed, holder[last])))
    return changed


def resolves(document: Any, pointer: str) -> bool:
    """Whether the JSON Pointer leads to something in the document."""
    for name in pointer.split("/")[1:]:
        name = name.replace("~1", "/").replace("~0", "~")
        try:
            document = document[int(name)] if isinstance(document, list) else document[name]
        except (LookupError, ValueError, TypeError):
            return False
    return True


def _values_like(document: object, value: object) -> list[Any]:
    """All values of this type in the document."""
    found: list[Any] = []

    def look(one: object) -> None:
        if type(one) is type(value):
            found.append(one)
        for inner in one.values() if isinstance(one, dict) else one if isinstance(one, list) else ():
            look(inner)

    look(document)
    return found
