"""People found by what is typed: by name, other spellings, former names and numbers; and those who may be one person.

What is typed may leave accents out, write ``aa`` for å, ``oe`` for ø and œ, be Cyrillic, or have its words in another
order, as ``Holm, Asta``: each of them is looked for. Other spellings, former names and numbers lead to people whose
name is public: they would tell everybody whose the initials are.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.db.models import F, Q, QuerySet, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Replace

from players.collation import COLLAPSED, collapse, latin
from players.models import Alias, ExternalId, Player, Visibility
from players.services import fold_name, name_order

MOST_TYPED = 80


def words_of(text: str) -> list[tuple[str, ...]]:
    """Return the words that are typed, each in the letters of its script and in Latin ones; a comma is none of them."""
    words = text[:MOST_TYPED].replace(",", " ").split()
    found = (dict.fromkeys((fold_name(word), fold_name(latin(word)))) for word in words)
    return [spellings for word in found if (spellings := tuple(filter(None, word)))]


def _collapsed(column: str) -> Combinable:
    """Return the folded names of the column as :func:`players.collation.collapse` returns them."""
    folded: Combinable = F(column)
    for two, one in COLLAPSED.items():
        folded = Replace(folded, Value(two), Value(one))
    return folded


def _has_words(column: str, words: Sequence[Sequence[str]], *, begun: bool = False) -> Q:
    """Return the condition that the column has every word, each letter of two as one or as two; or that words begin so.

    It asks of the column itself and of its ``plain`` form, which :func:`_collapsed` makes.
    """
    found = Q()
    for spellings in words:
        has = Q()
        for name, spelling in [(column, one) for one in spellings] + [("plain", collapse(one)) for one in spellings]:
            if begun:
                has |= Q(**{f"{name}__startswith": spelling}) | Q(**{f"{name}__contains": " " + spelling})
            else:
                has |= Q(**{f"{name}__contains": spelling})
        found &= has
    return found


def _spelt(words: Sequence[Sequence[str]], *, begun: bool = False) -> Q:
    """Return the condition on players that one of their other spellings has every word."""
    aliases = Alias.objects.alias(plain=_collapsed("folded")).filter(_has_words("folded", words, begun=begun))
    return Q(pk__in=aliases.values("player"))


def _numbered(text: str) -> Q:
    """Return the condition on players that one of their numbers is this text."""
    return Q(pk__in=ExternalId.objects.filter(value=text[:MOST_TYPED].strip()).values("player"))


def people_called(text: str, *, sees_all: bool = False) -> QuerySet[Player]:
    """Return the people with every word of this in their name, in another spelling or former name, or with this number.

    ``sees_all`` finds people whose name is not public by those too: it is for those who keep the registry. For a text
    of nothing they are all.
    """
    persons = Player.objects.filter(merged_into__isnull=True)
    words = words_of(text)
    if not words:
        return persons
    other = _spelt(words) | _numbered(text)
    named = persons.alias(plain=_collapsed("folded_name"))
    public = other if sees_all else other & Q(visibility=Visibility.PUBLIC)
    return named.filter(_has_words("folded_name", words) | public)


def find_players(text: str, *, limit: int = 10) -> Sequence[Player]:
    """Return the players in whose name, or another spelling, a word begins with each that is typed; sorted by name.

    Those whose name is public are found by a whole number as well.
    """
    words = words_of(text)
    if not words:
        return []
    other = _spelt(words, begun=True) | _numbered(text)
    named = Player.objects.filter(merged_into__isnull=True).alias(plain=_collapsed("folded_name"))
    persons = named.filter(_has_words("folded_name", words, begun=True) | (other & Q(visibility=Visibility.PUBLIC)))
    return list(persons.select_related("club").order_by(name_order(), "id")[:limit])


def known_by(folded: Iterable[str]) -> dict[str, list[Player]]:
    """Return the people whom each of these folded names stands for: by their name, or by a spelling that is theirs.

    The name of a duplicate that was merged stands for the person who was kept, if it is nobody else's.
    """
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
    gone = Player.objects.filter(folded_name__in=asked - found.keys(), merged_into__isnull=False)
    for duplicate in gone.select_related("merged_into__club").order_by("pk"):
        people = found.setdefault(duplicate.folded_name, [])
        if duplicate.merged_into is not None and duplicate.merged_into not in people:
            people.append(duplicate.merged_into)
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
