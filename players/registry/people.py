"""People of the registry: taken in, edited with what they were before kept, found by another spelling.

Names, clubs and countries also stand in draws and standings: :mod:`tournament.registry.people` changes those of people
who have played. These services see to the rows of the person alone.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from players.errors import Conflict, Forbidden, Refusal
from players.lines import one_line
from players.models import MAX_NAME, Alias, Club, FormerValue, Gender, Player, User, Visibility
from players.registry.countries import alpha_2
from players.registry.names import own_name, own_parts, public_name, split_name
from players.registry.public_names import change_names
from players.registry.roles import Reach, forbidden, reach_of, require_editor, require_officer_of, rights_over
from players.rows import insert_rows
from players.services import clean_name, fold_name

YEARS = 1880, 2200
Field = FormerValue.Field


@dataclass(frozen=True, slots=True)
class Person:
    """What is recorded of a person, as it is typed: ``club`` by its name, ``born`` a year or a day, or empty."""

    given: str
    family: str
    country: str = ""
    club: str = ""
    town: str = ""
    born: str = ""
    gender: str = ""


@dataclass(frozen=True, slots=True)
class _Values:
    """A person as they are stored, checked."""

    given: str
    family: str
    country: str
    club: Club | None
    town: str
    birth_year: int | None
    birth_date: date | None
    gender: str


def person_of(player: Player) -> Person:
    """Return the person as a form shows them; reads ``player.club`` as loaded."""
    given, family = own_parts(player)
    club = player.club.name if player.club else ""
    return Person(given, family, player.country, club, player.town, born_of(player), player.gender)


def born_of(player: Player) -> str:
    """Return day or year of birth as it is typed; empty if neither is known."""
    return str(player.birth_date or player.birth_year or "")


@transaction.atomic
def create_person(person: Person, *, visibility: str = Visibility.PUBLIC, by: User | None, at: datetime) -> Player:
    """Take a person into the registry.

    An officer may, and the manager of a club for their own club. Raises Forbidden, and Refusal for a name, country or
    date that cannot be.
    """
    reach = reach_of(by)
    values = _checked(person, None, _club(person.club, reach), at=at)
    if not (reach.is_officer or reach.keeps_club(values.club)):
        raise forbidden()
    if visibility not in Visibility:
        raise Refusal("visibility_unknown", _("A name is shown as name, initials or number."), field="visibility")
    player = Player(name="-", created_at=at, visibility=visibility)
    _set_values(player, values)
    player.save()
    if visibility == Visibility.HIDDEN:  # the number is known only now
        rename(player)
    if visibility != Visibility.PUBLIC:
        remember_spelling(player, own_name(player), by=by, at=at)
    return player


@transaction.atomic
def create_people(people: Sequence[Person], *, by: User | None, at: datetime) -> list[Player]:
    """Take people into the registry under their names, as :func:`create_person` does one, in a few statements.

    For officers. Raises Forbidden, and Refusal.
    """
    reach = reach_of(by)
    if not reach.is_officer:
        raise forbidden()
    clubs = {name: _club(name, reach) for name in sorted({person.club for person in people})}
    players = [Player(created_at=at) for _person in people]
    for player, person in zip(players, people, strict=True):
        _set_values(player, _checked(person, None, clubs[person.club], at=at))
    insert_rows(players)
    return players


@transaction.atomic
def edit_person(player: Player, person: Person, *, by: User | None, at: datetime) -> Player:
    """Store what is recorded of a person; what it was before is kept with this day.

    The manager of a club may not move a person into another club than theirs. Raises Forbidden, Conflict for a
    duplicate that has been merged, and Refusal for a name, country or date that cannot be.
    """
    return edit_people([(player, person)], by=by, at=at)[0].player


@dataclass(frozen=True, slots=True)
class Edited:
    """A person who was edited, with what was made of it: former values, and spellings."""

    player: Player
    former: list[FormerValue]
    aliases: list[Alias]


@transaction.atomic
def edit_people(edits: Sequence[tuple[Player, Person]], *, by: User | None, at: datetime) -> list[Edited]:
    """Store what is recorded of these people, as :func:`edit_person` does of one; it asks for all of them at once."""
    people, reach = lock_people([player for player, _person in edits]), reach_of(by)
    rights = rights_over(reach, people.values())
    clubs = {name: _club(name, reach) for name in sorted({person.club for _player, person in edits})}
    edited = []
    for player, person in ((people[player.pk], person) for player, person in edits):
        values = _checked(person, player, clubs[person.club], at=at)
        moves = values.club is not None and values.club.pk != player.club_id
        if not rights[player.pk].edits or (moves and not (reach.is_officer or reach.keeps_club(values.club))):
            raise forbidden()
        before, name = _kept(player), own_name(player)
        _set_values(player, values)
        player.save()
        now = _kept(player)
        former = [_former(player, one, was, by=by, at=at) for one, was in before.items() if was != now[one]]
        aliases = _spellings_left(player, name, by=by, at=at) if own_name(player) != name else []
        edited.append(Edited(player, former, aliases))
    insert_rows([row for one in edited for row in one.former])
    return edited


def _spellings_left(player: Player, name: str, *, by: User | None, at: datetime) -> list[Alias]:
    """Remember the name that the person had, and their own one if it is not public; return the spellings made."""
    names = [name, *([own_name(player)] if player.visibility != Visibility.PUBLIC else [])]
    made = [_remember(player, spelling, by=by, at=at) for spelling in names]
    return [alias for alias, is_new in made if is_new]


@transaction.atomic
def show_as(player: Player, visibility: str, *, by: User | None, at: datetime) -> Player:
    """Have the public read the name of a person in this way, from now on; an officer decides.

    A person who becomes less than public is still found by those who type the whole name at an entry desk. Raises
    Forbidden, Conflict and Refusal.
    """
    change_names()
    player = lock_person(player)
    require_officer_of(by, [player])
    if visibility not in Visibility:
        raise Refusal("visibility_unknown", _("A name is shown as name, initials or number."), field="visibility")
    if visibility == player.visibility:
        return player
    if not player.family:
        player.given, player.family = split_name(player.name)
    _keep(player, Field.VISIBILITY, player.visibility, by=by, at=at)
    player.visibility = visibility
    rename(player)
    if visibility != Visibility.PUBLIC:
        remember_spelling(player, own_name(player), by=by, at=at)
    return player


@transaction.atomic
def add_alias(player: Player, spelling: str, *, by: User | None, at: datetime) -> Alias:
    """Let the person be found by this spelling too. Raises Conflict if it is another person's, Refusal, Forbidden."""
    player = lock_person(player)
    require_editor(by, player)
    alias = remember_spelling(player, clean_name(spelling), by=by, at=at)
    if alias.player_id != player.pk:
        raise Conflict("alias_taken", _("This spelling already stands for another person."))
    return alias


@transaction.atomic
def remove_alias(alias: Alias, *, by: User | None) -> None:
    """Let nobody be found by this spelling any more. Raises Forbidden."""
    require_editor(by, lock_person(alias.player))
    Alias.objects.filter(pk=alias.pk).delete()


def remember_spelling(player: Player, spelling: str, *, by: User | None, at: datetime) -> Alias:
    """Return the alias of this spelling, which is the person's if it stood for nobody."""
    return _remember(player, spelling, by=by, at=at)[0]


def _remember(player: Player, spelling: str, *, by: User | None, at: datetime) -> tuple[Alias, bool]:
    """Return the alias of this spelling, and whether it stood for nobody."""
    kept = {"spelling": spelling[:MAX_NAME], "player": player, "by": by, "at": at}
    return Alias.objects.get_or_create(folded=fold_name(spelling), defaults=kept)


def lock_person(player: Player) -> Player:
    """Return the person as they are now, locked. Raises Conflict if the row has been merged into another one."""
    return lock_people([player])[player.pk]


def lock_people(players: Collection[Player]) -> dict[int, Player]:
    """Return these people as they are now, locked, by their ids. Raises as :func:`lock_person` does."""
    rows = Player.objects.select_for_update(of=("self",)).select_related("club").order_by("pk")
    found = {row.pk: row for row in rows.filter(pk__in=[player.pk for player in players])}
    for row in (found[player.pk] for player in players):
        if row.merged_into_id is not None:
            raise Conflict("player_merged", _("%(name)s has already been merged with another player.") % {"name": row})
    return found


def rename(player: Player) -> None:
    """Store the public name that follows from the person's own names and visibility."""
    _set_name(player)
    player.save()


def _set_name(player: Player) -> None:
    player.name = public_name(player)
    player.folded_name = fold_name(player.name)


def keep_number(player: Player, number: str, *, by: User | None, at: datetime) -> None:
    """Keep a number that the person no longer has."""
    _keep(player, Field.NUMBER, number, by=by, at=at)


def _keep(player: Player, field: str, value: str, *, by: User | None, at: datetime) -> None:
    _former(player, field, value, by=by, at=at).save()


def _former(player: Player, field: str, value: str, *, by: User | None, at: datetime) -> FormerValue:
    until = timezone.localdate(at)
    return FormerValue(player=player, field=field, value=value[:MAX_NAME], until=until, by=by, at=at)


def _kept(player: Player) -> Mapping[Field, str]:
    """Return what is kept of a person when it changes."""
    return {
        Field.NAME: own_name(player) if not player.family else "",
        Field.GIVEN: player.given,
        Field.FAMILY: player.family,
        Field.COUNTRY: player.country,
        Field.CLUB: player.club.name if player.club else "",
        Field.TOWN: player.town,
        Field.BORN: born_of(player),
        Field.GENDER: player.gender,
    }


def _set_values(player: Player, values: _Values) -> None:
    for name in _Values.__slots__:
        setattr(player, name, getattr(values, name))
    _set_name(player)


def _checked(person: Person, player: Player | None, club: Club | None, *, at: datetime) -> _Values:
    """Return the person as they are stored; a country that they have had is left alone."""
    given, family = one_line(person.given), clean_name(person.family)
    clean_name(f"{given} {family}")
    country = alpha_2(person.country)
    if person.country.strip() and not country:
        if player is None or person.country.strip().upper() != player.country:
            raise Refusal(
                "country_unknown",
                _("“%(country)s” is not the code of a country.") % {"country": person.country.strip()[:20]},
                field="country",
            )
        country = player.country
    town = one_line(person.town)
    if town:
        town = clean_name(town)
    if person.gender not in ("", *Gender.values):
        raise Refusal("gender_unknown", _("The gender is f, m, x or left empty."), field="gender")
    year, day = parse_born(person.born)
    check_born(year, day, today=timezone.localdate(at))
    return _Values(given, family, country, club, town, year, day, person.gender)


def _club(name: str, reach: Reach) -> Club | None:
    """Return the club of this name, else that of this code in the federations of an officer, else a new one."""
    if not name.strip():
        return None
    name = clean_name(name)
    known = Club.objects.filter(name=name).first()
    known = known or Club.objects.filter(federation__in=reach.federations, code=name.upper()).first()
    if known is None and not reach.is_officer:
        raise Forbidden("role_missing", _("Only an officer of a federation may add a club."))
    return known or Club.objects.get_or_create(name=name)[0]


def parse_born(text: str) -> tuple[int | None, date | None]:
    """Return year and day of birth, as ``1961`` or ``1961-05-02``. Raises Refusal for what is neither."""
    text = text.strip()
    if not text:
        return None, None
    try:
        if re.fullmatch(r"[0-9]{4}", text):
            year, day = int(text), None
        else:
            day = date.fromisoformat(text)
            year = day.year
    except ValueError as error:
        raise _not_born(text) from error
    if not YEARS[0] <= year <= YEARS[1]:
        raise _not_born(text)
    return year, day


def check_born(year: int | None, day: date | None, *, today: date) -> None:
    """Raise Refusal for a year or a day of birth that has not come yet."""
    if (year and year > today.year) or (day and day > today):
        raise Refusal(
            "birth_in_future", _("Nobody is born in the future: %(born)s.") % {"born": day or year}, field="born"
        )


def _not_born(text: str) -> Refusal:
    sentence = _("“%(text)s” is neither a year of birth nor a day such as 1961-05-02.")
    return Refusal("birth_unreadable", sentence % {"text": text[:20]}, field="born")
