"""Whom a row of members means, and what it would change: asked of the registry as it is, in a few queries.

A row means the person with its number, unless name and year of birth tell of another one; else the only one of its
name and year of birth, or of its name and club; else the one whose spelling somebody has decided on. Where only the
name fits, somebody has to choose.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum

from django.utils.translation import gettext as _

from players.errors import Refusal
from players.models import Alias, ExternalId, Federation, Membership, Player, User
from players.registry.clubs import ClubNames
from players.registry.member_file import BadLine, MemberLine
from players.registry.memberships import Term, require_room, year_of
from players.registry.names import own_name
from players.registry.people import Person, born_of, check_born, parse_born, person_of
from players.registry.records import check_number
from players.registry.roles import reach_of, rights_over
from players.services import fold_name

NEW = "new"
"""The choice of a new person where a row could mean somebody known."""
Choices = Mapping[int, str]
"""What was chosen for rows, by their number: the id of a person, or :data:`NEW`."""


class Outcome(StrEnum):
    """What becomes of a row of a file of members or of an official list."""

    NEW = "new"
    SAME = "same"
    CHANGED = "changed"
    AMBIGUOUS = "ambiguous"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class MemberFate:
    """What becomes of a row: whom it means, what it changes, or why it is left out.

    ``candidates`` are those between whom somebody chooses, or has chosen. ``membership`` is the row that ``term`` is
    stored in, None for a new one; without a ``term`` nothing is stored of a membership. An ambiguous row is told as
    that of somebody new. ``new_club`` is the name of a club that the row makes.
    """

    line: int
    name: str
    outcome: Outcome
    player: Player | None = None
    candidates: tuple[Player, ...] = ()
    person: Person | None = None
    number: str = ""
    kind: str = ""
    membership: Membership | None = None
    term: Term | None = None
    new_club: str = ""
    chosen: str = ""
    changes: tuple[str, ...] = ()
    code: str = ""
    reason: str = ""

    @property
    def facts(self) -> list[object]:
        """What the row says and becomes; the reason is in the language of its reader."""
        person = [repr(self.person), self.new_club]
        return [self.line, self.outcome.value, self.name, person, self.number, self.kind, repr(self.term), self.code]


class Matching:
    """The registry as far as these rows ask about it, and the user keeps the people in it.

    Somebody whom other federations keep is as unknown to the rows as to an officer who types them in. With ``locks``,
    in a transaction, the people stay as they are until its end.
    """

    def __init__(
        self,
        federation: Federation,
        lines: Sequence[MemberLine],
        *,
        by: User | None,
        today: date,
        locks: bool = False,
    ) -> None:
        self.federation, self.today = federation, today
        issuer, numbers = federation.issuer, {line.number for line in lines if line.number}
        folded = {fold_name(line.name) for line in lines}
        self.clubs = ClubNames(federation, [line.club for line in lines])
        self.aliases = dict(Alias.objects.filter(folded__in=folded).values_list("folded", "player"))
        ids = ExternalId.objects.filter(issuer=issuer, value__in=numbers).values_list("value", "player")
        self.by_number = dict(ids)
        named = Player.objects.filter(folded_name__in=folded, merged_into__isnull=True)
        wanted = {*self.by_number.values(), *self.aliases.values(), *named.values_list("pk", flat=True)}
        found = Player.objects.filter(pk__in=wanted, merged_into__isnull=True).select_related("club").order_by("pk")
        people = list(found.select_for_update(of=("self",)) if locks else found)
        rights = rights_over(reach_of(by), people)
        self.people = {player.pk: player for player in people if rights[player.pk].officer}
        self.by_name: dict[str, list[Player]] = {}
        for player in self.people.values():
            self.by_name.setdefault(player.folded_name, []).append(player)
        self.numbers: dict[int, str] = {}
        for pk, number in ExternalId.objects.filter(issuer=issuer, player__in=wanted).values_list("player", "value"):
            self.numbers[pk] = number
        self.memberships: dict[int, list[Membership]] = {}
        for row in Membership.objects.filter(federation=federation, player__in=wanted).select_related("player"):
            self.memberships.setdefault(row.player_id, []).append(row)
        self.met: set[int] = set()
        self.given: set[str] = set()

    def fates_of(
        self, lines: Sequence[MemberLine | BadLine], chosen: Choices
    ) -> tuple[tuple[MemberFate, ...], list[object]]:
        """Return what becomes of each row, and everything that the fates follow from beside what was chosen.

        Of two rows that mean one person the second is refused, and one for which they were chosen before any other.
        """
        asked = [(line, self._fate_of(line)) for line in lines]
        facts: list[object] = [
            [*fate.facts, *map(self._state_of, (fate.player, *fate.candidates))] for _line, fate in asked
        ]
        fates = [
            self._fate_chosen(line, fate, chosen.get(line.line, "")) if isinstance(line, MemberLine) else fate
            for line, fate in asked
        ]
        return tuple(fates), facts

    def _state_of(self, player: Player | None) -> object:
        """Return what a row may change of the person."""
        if player is None:
            return None
        terms = [[row.kind, *map(str, (row.starts, row.ends, row.paid_on))] for row in self._terms_of(player)]
        return [player.pk, repr(person_of(player)), self.numbers.get(player.pk), terms]

    def _fate_of(self, line: MemberLine | BadLine) -> MemberFate:
        """Return what becomes of the row where nobody has chosen."""
        if isinstance(line, BadLine):
            return MemberFate(line.line, line.name, Outcome.REFUSED, code=line.code, reason=line.reason)
        try:
            check_born(*parse_born(line.born), today=self.today)
            if line.number:
                check_number(self.federation, line.number)
                self._require_first(line.number)
                self._require_ours(line.number)
            player, candidates = self._meant(line)
            if player is not None:
                return self._known(line, player)
            fate = self._new(line)
            return replace(fate, outcome=Outcome.AMBIGUOUS, candidates=candidates) if candidates else fate
        except Refusal as refusal:
            return _refused(line, refusal)

    def _fate_chosen(self, line: MemberLine, fate: MemberFate, chosen: str) -> MemberFate:
        """Return what becomes of an ambiguous row with what was chosen for it; another one stays as it is."""
        if fate.outcome != Outcome.AMBIGUOUS or not chosen:
            return fate
        try:
            if chosen != NEW:
                known = self._known(line, self._chosen(chosen, fate.candidates), is_chosen=True)
                return replace(known, candidates=fate.candidates, chosen=chosen)
            self._require_free(line.number)
            return replace(fate, outcome=Outcome.NEW, chosen=chosen)
        except Refusal as refusal:
            return replace(_refused(line, refusal), candidates=fate.candidates, chosen=chosen)

    def _require_first(self, number: str) -> None:
        """Raise Refusal if an earlier row has this number."""
        if number in self.given:
            sentence = _("The number %(number)s is in an earlier row already.")
            raise Refusal("member_twice", sentence % {"number": number})
        self.given.add(number)

    def _require_ours(self, number: str) -> None:
        """Raise Refusal if the number is that of somebody whom only other federations keep."""
        if number in self.by_number and self.by_number[number] not in self.people:
            self._require_free(number)

    def _require_free(self, number: str) -> None:
        """Raise Refusal if the number is somebody's."""
        if number in self.by_number:
            raise Refusal("number_taken", _("The number %(number)s is that of somebody else.") % {"number": number})

    def _meant(self, line: MemberLine) -> tuple[Player | None, tuple[Player, ...]]:
        """Return whom the row means, or None and those whom it may mean."""
        folded, year = fold_name(line.name), line.born[:4]
        decided = self.people.get(self.aliases.get(folded, 0))
        called = [player for player in self.by_name.get(folded, ()) if player != decided]
        called = [player for player in (*called, *([decided] if decided else ())) if _may_be(player, line)]
        numbered = self.people.get(self.by_number.get(line.number, 0))
        if numbered is not None:
            if decided == numbered or not self._is_doubtful(numbered, line, called):
                return numbered, ()
            return None, (numbered, *(player for player in called if player != numbered))
        candidates = tuple(player for player in called if not self._has_another(player, line))
        club = self.clubs.name_of(line.club)
        for fitting in (
            [player for player in candidates if year and player.birth_year == int(year)],
            [player for player in candidates if club and player.club and player.club.name == club],
            [player for player in candidates if player == decided and player.pk not in self.met],
        ):
            if len(fitting) == 1:
                return fitting[0], ()
        return None, candidates

    def _is_doubtful(self, numbered: Player, line: MemberLine, called: Sequence[Player]) -> bool:
        """Whether the row tells of another person than the one with its number.

        So it does where name and year of birth are those of somebody else, where no word of the name is theirs, and
        where both the name and the year of birth differ.
        """
        folded, year = fold_name(line.name), line.born[:4]
        own = fold_name(own_name(numbered))
        if folded in (own, numbered.folded_name):
            return False
        if any(year and player != numbered and player.birth_year == int(year) for player in called):
            return True
        said, known = _words(folded), _words(own)
        if not (year and numbered.birth_year):
            return said.isdisjoint(known)
        return int(year) != numbered.birth_year and not (said <= known or known <= said)

    def _chosen(self, chosen: str, candidates: Collection[Player]) -> Player:
        for player in candidates:
            if str(player.pk) == chosen:
                return player
        raise Refusal("choice_unknown", _("This row cannot mean the person who was chosen."))

    def _has_another(self, player: Player, line: MemberLine) -> bool:
        """Whether the federation knows the person by another number than that of the row."""
        return bool(line.number) and self.numbers.get(player.pk, line.number) != line.number

    def _terms_of(self, player: Player) -> Sequence[Membership]:
        return self.memberships.get(player.pk, ())

    def _new(self, line: MemberLine) -> MemberFate:
        club = self.clubs.name_of(line.club)
        person = Person(line.given, line.family, line.country, club, "", line.born)
        return MemberFate(
            line.line,
            line.name,
            Outcome.NEW,
            person=person,
            number=line.number,
            kind=line.kind or Membership.Kind.ORDINARY,
            term=self._term(line, None),
            new_club=club if club in self.clubs.new else "",
        )

    def _known(self, line: MemberLine, player: Player, *, is_chosen: bool = False) -> MemberFate:
        if player.pk in self.met:
            raise Refusal("member_twice", _("%(name)s is in an earlier row already.") % {"name": player.name})
        self.met.add(player.pk)
        was, club = person_of(player), self.clubs.name_of(line.club)
        person = replace(
            was,
            **_name_of(line, was),
            country=line.country or was.country,
            club=club or was.club,
            born=was.born if born_of(player).startswith(line.born) else line.born,
        )
        changes = [name for name in ("given", "family", "country", "club", "born") if _differ(name, was, person)]
        number = line.number if player.pk not in self.numbers and line.number not in self.by_number else ""
        kind = line.kind or Membership.Kind.ORDINARY
        row = self._membership(line, player, kind)
        told_of = self._term(line, row)
        is_known = row is not None and (row.ends, row.paid_on) == (told_of.ends, told_of.paid_on)
        term = None if is_known else told_of
        if term is not None:
            self._require_room(player, row, kind, term)
        told = [*changes, *(["number"] if number else []), *(["membership"] if term else [])]
        if is_chosen and not told and fold_name(line.name) not in self.aliases:
            told = ["spelling"]
        return MemberFate(
            line.line,
            line.name,
            Outcome.CHANGED if told else Outcome.SAME,
            player=player,
            person=person if changes else None,
            number=number,
            kind=kind,
            membership=row,
            term=term,
            new_club=club if "club" in changes and club in self.clubs.new else "",
            changes=tuple(told),
        )

    def _membership(self, line: MemberLine, player: Player, kind: str) -> Membership | None:
        """Return the membership that the row tells of: that from its day, or without a day that of today."""
        for row in self._terms_of(player):
            if row.kind == kind and (row.starts == line.starts if line.starts else row.holds_on(self.today)):
                return row
        return None

    def _require_room(self, player: Player, row: Membership | None, kind: str, term: Term) -> None:
        """Raise Refusal if the membership would overlap another one."""
        pk = row.pk if row else None
        new = Membership(
            pk=pk, player=player, federation=self.federation, kind=kind, starts=term.starts, ends=term.ends
        )
        require_room(new, self._terms_of(player))

    def _term(self, line: MemberLine, row: Membership | None) -> Term:
        """Return the dates of the membership: a new one begins with the year of the federation if the row is silent."""
        if row is None:
            starts = line.starts or year_of(self.federation, self.today)[0]
            term = Term(starts, line.ends, line.paid_on)
        else:
            paid_on = line.paid_on or row.paid_on
            term = Term(row.starts, line.ends or row.ends, paid_on, row.number, row.source)
        if term.ends is not None and term.ends < term.starts:
            raise Refusal("membership_ends_early", _("A membership cannot end before it begins."))
        return term


def _refused(line: MemberLine, refusal: Refusal) -> MemberFate:
    return MemberFate(line.line, line.name, Outcome.REFUSED, code=refusal.code, reason=str(refusal))


def _words(folded: str) -> set[str]:
    return set(re.findall(r"\w+", folded))


def _name_of(line: MemberLine, was: Person) -> dict[str, str]:
    """Return given names and family name, as they were where the row has them in other letters alone."""
    if line.is_whole and fold_name(line.name) == fold_name(f"{was.given} {was.family}"):
        return {"given": was.given, "family": was.family}
    is_same = {
        name: fold_name(getattr(line, name)) in ("", fold_name(getattr(was, name))) for name in ("given", "family")
    }
    return {name: getattr(was if same else line, name) for name, same in is_same.items()}


def _may_be(player: Player, line: MemberLine) -> bool:
    """Whether nothing shows that they are two people: their years of birth do not differ."""
    return not (line.born and player.birth_year) or line.born[:4] == str(player.birth_year)


def _differ(name: str, was: Person, person: Person) -> bool:
    return getattr(was, name) != getattr(person, name)
