"""What has been published, for those who read it: lists, their newest publications, lines found, a player's history."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from django.db.models import OuterRef, Q, QuerySet, Subquery

from players.lists.models import OfficialList, Publication, PublishedLine
from players.models import Player
from players.registry.countries import codes_of
from players.services import fold_name

CHUNK = 900


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which lines of a publication are asked for: by a part of the name or the whole number, and by what a line says.

    An empty text asks for nothing.
    """

    text: str = ""
    club: str = ""
    nation: str = ""
    class_name: str = ""

    def __bool__(self) -> bool:
        return bool(self.text or self.club or self.nation or self.class_name)


@dataclass(frozen=True, slots=True)
class Choices:
    """What the lines of a publication say of club, country and class, each once and in order."""

    clubs: tuple[str, ...]
    nations: tuple[str, ...]
    classes: tuple[str, ...]


def publications_of(official_list: OfficialList) -> QuerySet[Publication]:
    """Return the publications of the list, the newest first, without their documents."""
    found = Publication.objects.filter(official_list=official_list).order_by("-number")
    return found.select_related("official_list__federation").defer("document")


def lists_with_newest(lists: QuerySet[OfficialList]) -> QuerySet[OfficialList]:
    """Return the lists, each with ``newest`` and ``newest_of``: number and day of its last publication, or None."""
    last = Publication.objects.filter(official_list=OuterRef("pk")).order_by("-number")
    found = lists.select_related("federation").annotate(
        newest=Subquery(last.values("number")[:1]), newest_of=Subquery(last.values("as_of")[:1])
    )
    return found.order_by("name", "id")


def lines_wanted(publication: Publication, wanted: Wanted) -> QuerySet[PublishedLine]:
    """Return the lines of the publication that are asked for, in the order in which it was published."""
    lines = PublishedLine.objects.filter(publication=publication).order_by("place")
    for word in fold_name(wanted.text).split():
        lines = lines.filter(Q(folded_name__contains=word) | Q(number__iexact=word))
    if wanted.club:
        lines = lines.filter(club=wanted.club)
    if wanted.nation:
        lines = lines.filter(nation__in=codes_of(wanted.nation))
    return lines.filter(class_name=wanted.class_name) if wanted.class_name else lines


def choices_in(publication: Publication) -> Choices:
    """Return what lines of the publication can be chosen by; classes with the highest first."""
    lines = PublishedLine.objects.filter(publication=publication)
    found = [
        tuple(lines.exclude(**{name: ""}).order_by(name).values_list(name, flat=True).distinct())
        for name in ("club", "nation", "class_name")
    ]
    classes = [name for name, _least in publication.criteria.get("classes", ()) if name in found[2]]
    return Choices(found[0], found[1], tuple(classes))


def history_on(official_list: OfficialList, player: Player) -> list[PublishedLine]:
    """Return the player's lines on the publications of the list, the newest first, with their publications."""
    lines = PublishedLine.objects.filter(publication__official_list=official_list, player=player)
    found = lines.select_related("publication").defer("publication__document")
    return list(found.order_by("-publication__number", "place"))


def names_now(people: Collection[int]) -> dict[int, str]:
    """Return the public names of these people as they are now, by the ids that documents have."""
    return dict(_names(sorted(people)))


def _names(people: list[int]) -> Iterator[tuple[int, str]]:
    for first in range(0, len(people), CHUNK):
        yield from Player.objects.filter(pk__in=people[first : first + CHUNK]).values_list("pk", "name")
