"""Whom a row of members means, and what it would change: asked of the registry as it is, in a few queries.

A row means the person with its number; else the one whose spelling somebody has decided on; else the only one of its
name and year of birth, or of its name and club. Where only the name fits, somebody has to choose.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum

from django.utils.translation import gettext as _

from players.errors import Refusal
from players.models import Alias, ExternalId, Federation, Membership, Player
from players.registry.member_file import BadLine, MemberLine
from players.registry.memberships import Term, year_of
from players.registry.people import Person, born_of, person_of
from players.registry.records import check_number
from players.services import fold_name

NEW = "new"
"""The choice of a new person where a row could mean somebody known."""
Choices = Mapping[int, str]
"""What was chosen for rows, by their number: the id of a person, or :data:`NEW`."""


class Outcome(StrEnum):
    """What becomes of a row."""

    NEW = "new"
    SAME = "same"
    CHANGED = "changed"
    AMBIGUOUS = "ambiguous"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class MemberFate:
    """What becomes of a row: whom it means, what it changes, or why it is left out.

    ``candidates`` are those between whom somebody chooses, or has chosen. ``membership`` is the row that ``term`` is
    stored in, None for a new one; without a ``term`` nothing is stored of a membership.
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
    chosen: str = ""
    changes: tuple[str, ...] = ()
    code: str = ""
    reason: str = ""

    @property
    def facts(self) -> list[object]:
        """Everything that a confirmation holds on to; the reason is in the language of its reader."""
        term = self.term and [str(self.term.starts), str(self.term.ends), str(self.term.paid_on)]
        people = [self.player and self.player.pk, [one.pk for one in self.candidates]]
        person = repr(self.person)
        return [self.line, self.outcome.value, self.name, people, person, self.number, self.kind, term, self.code]


class Matching:
    """The registry as far as these rows ask about it."""

    def __init__(self, federation: Federation, lines: Sequence[MemberLine], *, chosen: Choices, today: date) -> None:
        self.federation, self.chosen, self.today = federation, chosen, today
        issuer, numbers = federation.issuer, {line.number for line in lines if line.number}
        folded = {fold_name(line.name) for line in lines}
        self.aliases = dict(Alias.objects.filter(folded__in=folded).values_list("folded", "player"))
        ids = ExternalId.objects.filter(issuer=issuer, value__in=numbers).values_list("value", "player")
        self.by_number = dict(ids)
        named = Player.objects.filter(folded_name__in=folded, merged_into__isnull=True)
        wanted = {*self.by_number.values(), *self.aliases.values(), *named.values_list("pk", flat=True)}
        wanted |= {int(choice) for choice in chosen.values() if choice != NEW}
        self.people = Player.objects.filter(merged_into__isnull=True).select_related("club").in_bulk(wanted)
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

    def fate_of(self, line: MemberLine | BadLine) -> MemberFate:
        """Return what becomes of the row; of two rows that mean one person, the second is refused."""
        if isinstance(line, BadLine):
            return MemberFate(line.line, line.name, Outcome.REFUSED, code=line.code, reason=line.reason)
        try:
            if line.number:
                check_number(self.federation, line.number)
                self._require_first(line.number)
            player, candidates = self._meant(line)
            chosen = self.chosen.get(line.line, "")
            if player is None and candidates and chosen != NEW:
                return MemberFate(line.line, line.name, Outcome.AMBIGUOUS, candidates=candidates)
            fate = self._new(line) if player is None else self._known(line, player)
        except Refusal as refusal:
            return MemberFate(line.line, line.name, Outcome.REFUSED, code=refusal.code, reason=str(refusal))
        return replace(fate, candidates=candidates, chosen=chosen)

    def _require_first(self, number: str) -> None:
        """Raise Refusal if an earlier row has this number."""
        if number in self.given:
            sentence = _("The number %(number)s is in an earlier row already.")
            raise Refusal("member_twice", sentence % {"number": number})
        self.given.add(number)

    def _meant(self, line: MemberLine) -> tuple[Player | None, tuple[Player, ...]]:
        """Return whom the row means, or None and those whom it may mean."""
        numbered = self.people.get(self.by_number.get(line.number, 0))
        if numbered is not None:
            return numbered, ()
        folded = fold_name(line.name)
        decided = self.people.get(self.aliases.get(folded, 0))
        if decided is not None and _may_be(decided, line) and not self._has_another(decided, line):
            return decided, ()
        candidates = tuple(
            player
            for player in self.by_name.get(folded, ())
            if _may_be(player, line) and not self._has_another(player, line)
        )
        chosen = self.chosen.get(line.line, "")
        if chosen and chosen != NEW:
            return self._chosen(chosen, candidates), candidates
        if chosen == NEW:
            return None, candidates
        year = line.born[:4]
        for fitting in (
            [player for player in candidates if year and player.birth_year == int(year)],
            [player for player in candidates if line.club and player.club and player.club.name == line.club],
        ):
            if len(fitting) == 1:
                return fitting[0], ()
        return None, candidates

    def _chosen(self, chosen: str, candidates: Collection[Player]) -> Player:
        for player in candidates:
            if str(player.pk) == chosen:
                return player
        raise Refusal("choice_unknown", _("This row cannot mean the person who was chosen."))

    def _has_another(self, player: Player, line: MemberLine) -> bool:
        """Whether the federation knows the person by another number than that of the row."""
        return bool(line.number) and self.numbers.get(player.pk, line.number) != line.number

    def _new(self, line: MemberLine) -> MemberFate:
        person = Person(line.given, line.family, line.country, line.club, "", line.born)
        return MemberFate(
            line.line,
            line.name,
            Outcome.NEW,
            person=person,
            number=line.number,
            kind=line.kind or Membership.Kind.ORDINARY,
            term=self._term(line, None),
        )

    def _known(self, line: MemberLine, player: Player) -> MemberFate:
        if player.pk in self.met:
            raise Refusal("member_twice", _("%(name)s is in an earlier row already.") % {"name": player.name})
        self.met.add(player.pk)
        was = person_of(player)
        person = replace(
            was,
            given=line.given or was.given,
            family=line.family,
            country=line.country or was.country,
            club=line.club or was.club,
            born=was.born if born_of(player).startswith(line.born) else line.born,
        )
        changes = [name for name in ("given", "family", "country", "club", "born") if _differ(name, was, person)]
        number = line.number if line.number and player.pk not in self.numbers else ""
        kind = line.kind or Membership.Kind.ORDINARY
        row = self._membership(line, player, kind)
        told_of = self._term(line, row)
        is_known = row is not None and (row.ends, row.paid_on) == (told_of.ends, told_of.paid_on)
        term = None if is_known else told_of
        if term is not None:
            self._require_room(player, row, kind, term)
        told = [*changes, *(["number"] if number else []), *(["membership"] if term else [])]
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
            changes=tuple(told),
        )

    def _membership(self, line: MemberLine, player: Player, kind: str) -> Membership | None:
        """Return the membership that the row tells of: that from its day, or without a day that of today."""
        for row in self.memberships.get(player.pk, ()):
            if row.kind == kind and (row.starts == line.starts if line.starts else row.holds_on(self.today)):
                return row
        return None

    def _require_room(self, player: Player, row: Membership | None, kind: str, term: Term) -> None:
        """Raise Refusal if the membership would overlap another one."""
        pk = row.pk if row else None
        new = Membership(
            pk=pk, player=player, federation=self.federation, kind=kind, starts=term.starts, ends=term.ends
        )
        other = new.overlapping(self.memberships.get(player.pk, ()))
        if other is not None:
            raise Refusal(
                "memberships_overlap",
                _("There is a membership of this kind from %(starts)s to %(ends)s already.")
                % {"starts": other.starts, "ends": other.ends or "…"},
            )

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


def _may_be(player: Player, line: MemberLine) -> bool:
    """Whether nothing shows that they are two people: their years of birth do not differ."""
    return not (line.born and player.birth_year) or line.born[:4] == str(player.birth_year)


def _differ(name: str, was: Person, person: Person) -> bool:
    return getattr(was, name) != getattr(person, name)
