"""From lines to entries: which players a line names, which of them are known, and what is already taken."""

import re
from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from datetime import datetime

from django.db.models import Max
from django.utils.translation import gettext as _

from players.errors import Refusal
from players.models import MAX_NAME, Player
from players.registry.countries import one_code
from players.registry.find import known_by
from players.registry.numbered import Numbered, people_numbered
from players.services import clean_name, create_player, ensure_clubs, fold_name, is_name, without_letters
from tournament.draw.chain import load_people
from tournament.entries.lists import EntryLine, parse_team, refusal_of_line, require_seed
from tournament.formats import FORMATS
from tournament.models import Entry, Event, Member, Stage

MAX_ENTRIES = 1024
MAX_MEMBERS = 20
MAX_PAIR = 2 * MAX_NAME + len(" & ")
"""Of the name of an entry as it is typed: that of a player, or of two."""
PAIR = re.compile(r"\s+&\s+|\s*[/+]\s*")


class Enrolment:
    """A list of lines that become entries in an event: its known players, and what is already taken."""

    def __init__(self, event: Event, stage: Stage, lines: Sequence[EntryLine], at: datetime) -> None:
        self.event = event
        format = FORMATS[stage.format]
        self.allows_again = format.allows_reentry and (stage.drawn_at is not None or not format.takes_buy_ins())
        self.at = at
        people = [person for line in lines for person in persons_of(self.event, line)]
        self.by_number = people_numbered(person.name for person in people if person.player_id is None)
        self.by_name = known_by(fold_name(person.name) for person in people)
        unnumbered = [person for person in people if person.player_id is None and person.name not in self.by_number]
        new = [person for person in unnumbered if not self._known(person)]
        ensure_clubs(person.club for person in new if is_name(person.club))
        entered = event.entries.all()
        self.taken: dict[int, int] = {}
        self.teams: dict[str, frozenset[int]] = {}
        for entry in load_people(entered):
            self._take(entry.team, entry.people)
        self.seeds = {entry.seed for entry in entered if entry.seed is not None}
        self.number = entered.aggregate(last=Max("number"))["last"] or 0

    def enter(self, line: EntryLine) -> tuple[Entry, list[Member]]:
        """Return an entry for the line and its members after the first, none of them stored yet. Raises Refusal."""
        require_seed(line)
        people = self._people(line)
        team = self._team_name(line, people) if self.event.has_teams else ""
        again = self.allows_again and (not team or self._is_entered(team, people))
        for number, person in enumerate(people):
            if person in people[:number] or (person.pk in self.taken and not again):
                raise refusal_of_line(line, "entry_twice", _("%(name)s is already entered.") % {"name": person.name})
        if line.seed is not None and (line.seed in self.seeds or not 1 <= line.seed <= MAX_ENTRIES):
            why = _("Seed %(seed)s is already taken or out of range.") % {"seed": line.seed}
            raise refusal_of_line(line, "seed_taken", why)
        reentry = self.taken.get(people[0].pk, 0)
        self._take(team, people)
        if line.seed is not None:
            self.seeds.add(line.seed)
        self.number += 1
        entry = Entry(
            event=self.event,
            player=people[0],
            partner=people[1] if self.event.doubles else None,
            team=team,
            reentry=reentry,
            number=self.number,
            seed=line.seed,
        )
        others = people[1:] if team else []
        return entry, [Member(entry=entry, player=player, board=board) for board, player in enumerate(others, start=2)]

    def copy(self) -> "Enrolment":
        """Return the enrolment as it stands: what either of the two enters from now on is unknown to the other."""
        other = copy(self)
        other.by_name = {name: list(players) for name, players in self.by_name.items()}
        other.taken, other.teams, other.seeds = dict(self.taken), dict(self.teams), set(self.seeds)
        return other

    def _take(self, team: str, people: Sequence[Player]) -> None:
        for person in people:
            self.taken[person.pk] = self.taken.get(person.pk, 0) + 1
        if team:
            self.teams[fold_name(team)] = frozenset(person.pk for person in people)

    def _team_name(self, line: EntryLine, people: Sequence[Player]) -> str:
        name = clean_name(parse_team(line).name)
        taken = fold_name(name) in self.teams
        if taken and not (self.allows_again and self._is_entered(name, people)):
            why = _("Another team is already called %(name)s.") % {"name": name}
            raise refusal_of_line(line, "team_name_taken", why)
        return name

    def _is_entered(self, team: str, people: Sequence[Player]) -> bool:
        return self.teams.get(fold_name(team)) == {person.pk for person in people}

    def replace(self, entry: Entry, line: EntryLine) -> None:
        """Give the entry the players named in the line, without storing it.

        Raises Refusal if one of them is entered elsewhere.
        """
        people = self._people(line)
        for person in people:
            if person.pk in self.taken and person.pk not in (entry.player_id, entry.partner_id):
                raise Refusal("entry_twice", _("%(name)s is already entered.") % {"name": person.name})
        if people[0].pk != entry.player_id:
            entry.reentry = 0
        entry.player, entry.partner = people[0], people[1] if len(people) == 2 else None

    def _people(self, line: EntryLine) -> list[Player]:
        if line.members and not self.event.has_teams:
            raise refusal_of_line(line, "event_without_teams", _("This event is not for teams."))
        people = persons_of(self.event, line)
        if self.event.has_teams:
            self._check_size(line, len(people))
            return [self._player(person) for person in people]
        if not self.event.doubles:
            return [self._player(line)]
        if len(people) != 2:
            why = _("In doubles an entry is two players, written as “Anna & Bo”.")
            raise refusal_of_line(line, "pair_incomplete", why)
        first, second = (self._player(person) for person in people)
        if first == second:
            why = _("%(name)s cannot be their own partner.") % {"name": first.name}
            raise refusal_of_line(line, "pair_of_one", why)
        return [first, second]

    def _check_size(self, line: EntryLine, count: int) -> None:
        boards = self.event.boards
        if line.player_id is not None or not boards <= count <= MAX_MEMBERS:
            sentence = _(
                "A team needs a name and %(boards)s to %(most)s members, in the order of the boards and then the "
                "reserves, written as “Team name: Anna, Bo, Carl”."
            )
            raise refusal_of_line(line, "team_size", sentence % {"boards": boards, "most": MAX_MEMBERS})

    def _player(self, line: EntryLine) -> Player:
        if line.player_id is not None:
            player = Player.objects.filter(pk=line.player_id).select_related("merged_into").first()
            if player is None:
                raise refusal_of_line(line, "player_unknown", _("There is no such player."))
            return player.merged_into or player
        if line.name in self.by_number:
            return _of_number(line, self.by_number[line.name])
        known = self._known(line)
        if len(known) > 1:
            sentence = _("%(count)s players are called %(name)s. Type the name and choose one, or add the club.")
            why = sentence % {"count": len(known), "name": clean_name(line.name)}
            raise refusal_of_line(line, "player_ambiguous", why)
        if known:
            return known[0]
        if not any(char.isalpha() for char in line.name):
            raise refusal_of_line(line, "name_empty", without_letters(line.name))
        try:
            player = create_player(name=line.name, club=line.club, country=line.country, at=self.at)
        except Refusal as refusal:
            raise refusal_of_line(line, refusal.code, str(refusal)) from refusal
        self.by_name.setdefault(player.folded_name, []).append(player)
        return player

    def _known(self, line: EntryLine) -> list[Player]:
        return [player for player in self.by_name.get(fold_name(line.name), []) if _fits(player, line)]


def _of_number(line: EntryLine, found: Numbered) -> Player:
    """Return the person who has the number in place of a name. Raises Refusal unless it is one person's."""
    if len(found.people) == 1:
        return found.people[0]
    if found.people:
        sentence = _("Several people have the number %(number)s: write whose it is, such as “%(example)s”.")
        if not found.example:
            sentence = _("Several people have had the number %(number)s: type the name.")
        why = sentence % {"number": found.typed, "example": found.example}
        raise refusal_of_line(line, "player_ambiguous", why)
    why = _("Nobody whose name is public has the number “%(number)s”: type the name.") % {"number": found.typed}
    raise refusal_of_line(line, "player_unknown", why)


def persons_of(event: Event, line: EntryLine) -> list[EntryLine]:
    """Return a line for each person named in the line."""
    if event.has_teams:
        return list(parse_team(line).members)
    if not event.doubles:
        return [line]
    return [replace(line, name=name, player_id=None) for name in PAIR.split(line.name.strip()) if name]


def _fits(player: Player, line: EntryLine) -> bool:
    """Whether the line is consistent with what is known about the player."""
    club = fold_name(player.club.name) if player.club else ""
    return (not line.club.strip() or not club or fold_name(line.club) == club) and (
        not line.country.strip() or not player.country or one_code(line.country) == one_code(player.country)
    )
