"""Reading a published list: the file around a document, and what the document says. Pure."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

from players.lists.document import (
    VERSION,
    corrections_from_json,
    criteria_from_json,
    held_from_json,
    standing_from_json,
)
from players.lists.run import ENGINES
from players.lists.values import Base, Before, Correction, Counted, Facts, Head, Start
from players.ratings import RatingSystem
from rules.errors import gettext_noop

FILE_VERSION = 1

BuildSystem = Callable[[str, Mapping[str, Any]], RatingSystem]
"""What makes a rating system of its kind and parameters. Raises ValueError."""


class ListFault(ValueError):  # noqa: N818
    """A file that cannot be read as a published list; ``template % params`` is the English sentence."""

    def __init__(self, code: str, template: str, **params: str | int) -> None:
        super().__init__(template % params)
        self.code, self.template, self.params = code, template, params


@dataclass(frozen=True, slots=True)
class Names:
    """What a file says beside the document of a player on the list; ``salt`` is what their commitment was made with."""

    player: int
    salt: str
    number: str
    title: str
    name: str
    club: str

    @property
    def words(self) -> tuple[str, str, str, str]:
        return self.number, self.title, self.name, self.club


@dataclass(frozen=True, slots=True)
class ListFile:
    """A published list as it is handed out: the document, its digest, signature and public key in hex, and names."""

    document: Mapping[str, Any]
    sha256: str
    signature: str
    key: str
    names: tuple[Names, ...]


def read_list_file(data: bytes) -> ListFile:
    """Read the bytes of the file. Raises ListFault."""
    try:
        whole = json.loads(data, object_pairs_hook=_once, parse_float=_no_other_number, parse_constant=_no_other_number)
    except RecursionError as error:
        raise ListFault("file_too_deep", gettext_noop("The file is nested too deeply.")) from error
    except ListFault:
        raise
    except ValueError as error:
        raise ListFault("file_not_json", gettext_noop("The file is not JSON in UTF-8.")) from error
    if not isinstance(whole, dict) or whole.get("sixprime_list_file") != FILE_VERSION:
        raise ListFault("not_a_list_file", gettext_noop("This is no published list, or one of an unknown version."))
    keys = {"document", "key", "names", "sha256", "signature", "sixprime_list_file"}
    if set(whole) != keys or not isinstance(whole["document"], dict):
        raise ListFault("keys_differ", gettext_noop("The file needs exactly these keys: %(keys)s."), keys=_listed(keys))
    if not all(isinstance(whole[key], str) for key in ("sha256", "signature", "key")):
        raise ListFault("value_wrong", gettext_noop("%(place)s is not what it should be."), place="/sha256")
    try:
        names = tuple(Names(*row) for row in whole["names"])
    except TypeError as error:
        raise ListFault("value_wrong", gettext_noop("%(place)s is not what it should be."), place="/names") from error
    for place, one in enumerate(names):
        if type(one.player) is not int or not all(isinstance(text, str) for text in (one.salt, *one.words)):
            raise ListFault("value_wrong", gettext_noop("%(place)s is not what it should be."), place=f"/names/{place}")
    return ListFile(whole["document"], whole["sha256"], whole["signature"], whole["key"], names)


def head_of(document: Mapping[str, Any], build: BuildSystem) -> tuple[Head, RatingSystem]:
    """Return what the document says before its matches, and the rating system of its list.

    Raises ListFault, naming the part that cannot be read.
    """
    if document.get("sixprime_list") != VERSION:
        raise ListFault("not_a_list_file", gettext_noop("This is no published list, or one of an unknown version."))
    named, said = _part(document, "list", dict), _part(document, "system", dict)
    with _Reading("engine"):
        engine = _whole(document["engine"])
    if engine not in ENGINES:
        template = gettext_noop("This program does not know the rules by which the list was computed: %(engine)s.")
        raise ListFault("engine_unknown", template, engine=engine)
    system = _system(said, build)
    with _Reading("base"):
        base = document["base"]
        standings = dict(standing_from_json(row, system) for row in base["standings"])
    with _Reading("previous"):
        was = document["previous"]
        values = {player: _text(value) for player, value in was["values"]}
        before = Before(_whole(was["number"]), _text(was["sha256"]), values, held_from_json(was["held"]))
    with _Reading("starts"):
        starts = {player: Start(float(value), _whole(experience)) for player, value, experience in document["starts"]}
    with _Reading("corrections"):
        corrections = _corrections(document["corrections"])
    with _Reading("criteria"):
        criteria = criteria_from_json(document["criteria"])
    with _Reading("list"):
        head = Head(
            engine=engine,
            zone=_zone(document) if engine > 1 else "",
            slug=_text(named["slug"]),
            name=_text(named["name"]),
            federation=_text(named["federation"]),
            number=_whole(document["number"]),
            as_of=date.fromisoformat(document["of"]),
            matches_until=_text(document["matches_until"]),
            memberships_until=date.fromisoformat(document["memberships_until"]),
            kind=_text(said["kind"]),
            parameters=dict(said["parameters"]),
            places=_whole(document["places"]),
            criteria=criteria,
            base=Base(_whole(base["number"]), _text(base["sha256"]), standings),
            before=before,
            starts=starts,
            corrections=corrections,
        )
    return head, system


def _corrections(rows: Iterable[Mapping[str, Any]]) -> tuple[Correction, ...]:
    found = corrections_from_json(rows)
    for one in found:
        _whole(one.match)
        _text(one.why)
        for side in filter(None, (one.was, one.now)):
            counted_of([*side, "", ""])
    return found


def _system(said: Mapping[str, Any], build: BuildSystem) -> RatingSystem:
    try:
        return build(_text(said["kind"]), dict(said["parameters"]))
    except (ValueError, KeyError, TypeError) as error:
        template = gettext_noop("This program has no rating system “%(kind)s” with these parameters.")
        raise ListFault("system_unknown", template, kind=str(said.get("kind"))[:40]) from error


def _zone(document: Mapping[str, Any]) -> str:
    name = str(_part(document, "zone", str))
    try:
        return ZoneInfo(name).key
    except (KeyError, ValueError, OSError) as error:
        template = gettext_noop("This program does not know the time zone “%(zone)s”.")
        raise ListFault("zone_unknown", template, zone=name[:40]) from error


def counted_in(document: Mapping[str, Any]) -> Iterator[Counted]:
    """Yield the matches that the document counts. Raises ListFault."""
    return counted_from(_part(document, "counted", list))


def counted_from(rows: Iterable[Any]) -> Iterator[Counted]:
    """Yield the matches of these rows of ``counted``. Raises ListFault."""
    for place, row in enumerate(rows):
        with _Reading(f"counted/{place}"):
            yield counted_of(row)


def counted_of(row: Sequence[Any]) -> Counted:
    """Return the match of a row of ``counted``. Raises TypeError, ValueError."""
    match, at, winner, loser, length, weight, guest, _winner_after, _loser_after = row
    numbers = map(_whole, (match, winner, loser, length, weight))
    number, won, lost, points, hundredths = numbers
    return Counted(number, _text(at), won, lost, points, hundredths, _text(guest))


def facts_in(document: Mapping[str, Any]) -> dict[int, Facts]:
    """Return what the document says of each player; provisional ones sort as they do in it. Raises ListFault."""
    with _Reading("lines"):
        order = {line["player"]: f"{place:09}" for place, line in enumerate(document["lines"])}
    with _Reading("people"):
        return {
            _whole(player): Facts(bool(member), _text(nation), _whole(club), _text(commitment), order.get(player, ""))
            for player, member, nation, club, commitment in document["people"]
        }


class _Reading:
    """What cannot be read in this part of a document becomes a ListFault that names the part."""

    def __init__(self, place: str) -> None:
        self.place = place

    def __enter__(self) -> None:
        pass

    def __exit__(self, _type: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, (KeyError, TypeError, ValueError, AttributeError, OverflowError)) and not isinstance(
            error, ListFault
        ):
            raise ListFault(
                "value_wrong", gettext_noop("%(place)s is not what it should be."), place=f"/document/{self.place}"
            ) from error


def _part(document: Mapping[str, Any], key: str, kind: type) -> Any:
    found = document.get(key)
    if not isinstance(found, kind):
        raise ListFault("value_wrong", gettext_noop("%(place)s is not what it should be."), place=f"/document/{key}")
    return found


def _whole(value: object) -> int:
    if type(value) is not int:
        raise TypeError
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ListFault("key_twice", gettext_noop("A key stands twice in the same object."))
    return found


def _no_other_number(text: str) -> object:
    raise ListFault("number_invalid", gettext_noop("“%(text)s” is no whole number."), text=text[:40])


def _listed(keys: set[str]) -> str:
    return ", ".join(sorted(keys))
