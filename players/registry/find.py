"""People found by what is typed: by name, other spellings, former names and numbers; and those who may be one person.

What is typed may leave accents out, write ``aa`` for å, ``oe`` for ø and œ, or be Cyrillic. Other spellings, former
names and numbers lead to people whose name is public: they would tell everybody whose the initials are.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.db.models import Q, QuerySet

from players.collation import DIGRAPHS, collapse, fold, latin
from players.models import Alias, ExternalId, Player, Visibility
from players.services import fold_name, name_order

MOST_TYPED = 80


def spellings(text: str) -> tuple[str, ...]:
    """Return what is typed as names may be folded: without accents, and with letters written as one or as two."""
    plain = latin(text)
    found = (fold_name(text), fold_name(plain), fold_name(plain.translate(DIGRAPHS)), collapse(fold_name(plain)))
    return tuple(dict.fromkeys(spelling for spelling in found if spelling))


def people_called(text: str, *, sees_all: bool = False) -> QuerySet[Player]:
    """Return the people with this in their name, in another spelling or a former name, or with this number.

    ``sees_all`` finds people whose name is not public by those too: it is for those who keep the registry. For a text
    of nothing they are all.
    """
    persons = Player.objects.filter(merged_into__isnull=True)
    text = text[:MOST_TYPED]
    if not fold(text):
        return persons
    named, spelt = Q(), Q()
    for spelling in spellings(text):
        named |= Q(folded_name__contains=spelling)
        spelt |= Q(folded__contains=spelling)
    numbered = ExternalId.objects.filter(value=text.strip())
    other = Q(pk__in=Alias.objects.filter(spelt).values("player")) | Q(pk__in=numbered.values("player"))
    return persons.filter(named | (other if sees_all else other & Q(visibility=Visibility.PUBLIC)))


def find_players(text: str, *, limit: int = 10) -> Sequence[Player]:
    """Return the players with a name or another spelling that begins with the text, sorted by name."""
    begun, spelt = Q(), Q()
    for spelling in spellings(text):
        begun |= Q(folded_name__startswith=spelling) | Q(folded_name__contains=" " + spelling)
        spelt |= Q(folded__startswith=spelling) | Q(folded__contains=" " + spelling)
    if not begun:
        return []
    aliased = Q(pk__in=Alias.objects.filter(spelt).values("player"), visibility=Visibility.PUBLIC)
    persons = Player.objects.filter(merged_into__isnull=True).filter(begun | aliased)
    return list(persons.select_related("club").order_by(name_order(), "id")[:limit])


def known_by(folded: Iterable[str]) -> dict[str, list[Player]]:
    """Return the people whom each of these folded names stands for: by their name, or by a spelling that is theirs."""
    asked = set(folded)
    found: dict[str, list[Player]] = {}
    named = Player.objects.filter(folded_name__in=asked, merged_into__isnull=True).select_related("club")
    for player in named.order_by("pk"):
        found.setdefault(player.folded_name, []).append(player)
    spelt = Alias.objects.filter(folded__in=asked, player__merged_into__isnull=True).select_related("player__club")
    for alias in spelt:
        people = found.setdefault(alias.folded, [])
        if alias.player not in people:
            people.append(alias.player)
    return found


@dataclass(frozen=True, slots=True)
class Suspects:
    """People who may be one person: their names have the same words."""

    people: tuple[Player, ...]


def suspected_duplicates(*, limit: int = 100) -> list[Suspects]:
    """Return those of whom nothing that is known shows that they are two: the years of birth do not differ.

    Names are compared by their words in any order. Two queries.
    """
    rows = Player.objects.filter(merged_into__isnull=True, visibility=Visibility.PUBLIC)
    keyed = sorted(
        (" ".join(sorted(name.replace(",", " ").split())), year or 0, pk)
        for pk, name, year in rows.values_list("pk", "folded_name", "birth_year")
    )
    groups: list[list[int]] = []
    for _words, same in groupby(keyed, key=lambda row: row[0]):
        found = list(same)
        years = {year for _name, year, _pk in found if year}
        for year in years or {0}:
            group = [pk for _name, born, pk in found if born in (0, year)]
            if len(group) > 1:
                groups.append(group)
    groups = groups[:limit]
    people = Player.objects.select_related("club").in_bulk({pk for group in groups for pk in group})
    return [Suspects(tuple(people[pk] for pk in group)) for group in groups]
