"""The tables of a federation or an organiser, each read a part at a time: an event, or a few thousand lines.

Names are those that everybody may read. Members alone have their own names, as their officers see them on their page.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal

from django.db.models import Prefetch, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from matches.models import Match, Scoresheet, SheetState
from players.errors import Conflict, Refusal
from players.lists.models import OfficialList, Publication, PublishedLine
from players.models import Federation, Membership, Player, User, Visibility
from players.registry.names import own_name, split_name
from players.registry.people import born_of
from players.registry.records import numbers_of
from players.registry.roles import Reach, rights_over
from tournament.draw.standings import stale_event_ids
from tournament.exports.keepers import directed_by
from tournament.exports.layout import Line, LongTable
from tournament.exports.reported import (
    OWN_ISSUER,
    REPORTED_COLUMNS,
    STANDING_COLUMNS,
    numbers_by,
    reported_results,
    reported_standings,
)
from tournament.models import Board, Entry, Event, Fixture
from tournament.models.team import matches_in
from tournament.money.ledger import take_ledger
from tournament.reporting.counting import lists_of
from tournament.snapshot import take_snapshot

CHUNK = 2000
"""How many lines of a list are read at once."""
OF_A_LIST, OF_MEMBERS, OF_RATES, OF_AN_EVENT = 20, 50, 200, 2000
"""How many microseconds it takes to read a line of each, as measured or more."""

RANKING_COLUMNS = (
    *("list", "publication", "as_of", "rank", "rank_to", "provisional", "id", "no", "title", "name", "family", "given"),
    *("town", "club", "nation", "class", "rating", "delta", "experience", "matches", "wins", "losses", "last_played"),
)
OF_A_LINE = (
    *("rank", "rank_to", "player_id", "number", "title", "name", "club", "nation", "class_name", "value", "delta"),
    *("experience", "matches", "wins", "last_played"),
)
OF_A_PERSON = ("player__family", "player__given", "player__visibility", "player__merged_into")
MEMBER_COLUMNS = ("id", "no", "family", "given", "birth", "nation", "town", "club", "kind", "from", "to", "paid")
RATE_COLUMNS = (
    *("event_id", "match_id", "completed_at", "length", "issuer", "no", "name", "nation", "pr", "opponent_pr"),
    "record_sha256",
)


@dataclass(frozen=True, slots=True)
class Asked:
    """Whose table is asked for, and of which days, both included: events that ended then, or how things stood last.

    Without a ``federation`` the events are those that the ``organiser`` directs now.
    """

    federation: Federation | None
    official_list: OfficialList | None
    first: date
    last: date
    organiser: User | None = None

    @property
    def issuer(self) -> str:
        return self.federation.issuer if self.federation is not None else OWN_ISSUER


def results(asked: Asked) -> LongTable:
    """Open the results of the events: a line for each list that they declare, of the federation or of all."""

    def lines(event: Event) -> Iterable[Line]:
        return reported_results(event, take_snapshot(event.pk), asked=_lists(asked, event)).rows

    events = _events(asked)
    return LongTable("sixprime-results-2", REPORTED_COLUMNS, events, lines, _pairings(events), OF_AN_EVENT)


def standings(asked: Asked) -> LongTable:
    """Open the finishing orders of the events.

    Raises Conflict while standings of one of them are being computed.
    """
    events = _events(asked)
    if not {event.pk for event in events}.isdisjoint(stale_event_ids()):
        raise Conflict("standings_stale", _("The standings are being computed. Try again in a moment."))

    def lines(event: Event) -> Iterable[Line]:
        snapshot, ledger = take_snapshot(event.pk), take_ledger(event.pk)
        return reported_standings(event, snapshot, ledger, federation=asked.federation).rows

    entries = Entry.objects.filter(event__in=events).count()
    return LongTable("sixprime-standings-2", STANDING_COLUMNS, events, lines, entries, OF_AN_EVENT)


def rates(asked: Asked) -> LongTable:
    """Open the error rates of both sides of analysed matches, two lines each; ``pr`` has three decimals."""

    def lines(event: Event) -> Iterable[Line]:
        found = matches_in(event).filter(rate_a__isnull=False, partner_a__isnull=True)
        confirmed = Scoresheet.objects.filter(state=SheetState.CONFIRMED)
        found = found.select_related("side_a", "side_b", "record").defer("record__data").order_by("pk")
        matches = list(found.prefetch_related(Prefetch("sheets", confirmed, to_attr="confirmed")))
        issuer = asked.issuer
        numbers = numbers_by(issuer, {pk for match in matches for pk in (match.side_a_id, match.side_b_id)})
        event_id = f"{event.tournament.slug}/{event.slug}"
        for match in matches:
            yield from _rate_lines(match, event_id, issuer, numbers)

    events = _events(asked)
    return LongTable("sixprime-pr-1", RATE_COLUMNS, events, lines, 2 * _pairings(events), OF_RATES)


def _rate_lines(match: Match, event_id: str, issuer: str, numbers: dict[int, str]) -> Iterable[Line]:
    played_at = next((sheet.played_at for sheet in match.confirmed), None)  # type: ignore[attr-defined] # prefetched
    record = getattr(match, "record", None)
    for player, rate, other in ((match.side_a, match.rate_a, match.rate_b), (match.side_b, match.rate_b, match.rate_a)):
        number = numbers.get(player.pk)
        yield (
            *(event_id, match.pk, played_at, match.length),
            *((issuer, number) if number is not None else (OWN_ISSUER, str(player.pk))),
            *(player.name, player.country, _rate(rate), _rate(other)),
            record.sha256 if record else None,
        )


def _rate(thousandths: int | None) -> Decimal:
    return Decimal(thousandths or 0).scaleb(-3)


def ranking(asked: Asked) -> LongTable:
    """Open the latest publication of the list as of the last day. Raises Refusal without a list or a publication."""
    if asked.official_list is None:
        raise Refusal("ranking_without_list", _("A ranking list is of one list: choose it."), field="list")
    slug, places = asked.official_list.slug, asked.official_list.places
    published = Publication.objects.filter(official_list=asked.official_list, as_of__lte=asked.last)
    publication = published.defer("document").order_by("-number").first()
    if publication is None:
        raise Refusal("list_not_published", _("This list had not been published on that day."))

    def lines(first: int) -> Iterable[Line]:
        part = PublishedLine.objects.filter(publication=publication, place__range=(first, first + CHUNK - 1))
        towns = _towns(part, asked.federation)
        for row in part.order_by("place").values_list(*OF_A_LINE, *OF_A_PERSON):
            rank, rank_to, person, number, title, name, club, nation, class_name, value, delta = row[:11]
            experience, matches, wins, last_played = row[11:15]
            family, given, town = _parts(name, towns.get(person, ""), *row[15:])
            yield (
                *(slug, publication.number, publication.as_of, rank, rank_to, int(rank is None)),
                *(person, number or None, title, name, family, given, town, club, nation, class_name),
                *(_rounded(value, places), _rounded(delta, places)),
                *(experience, matches, wins, matches - wins, last_played),
            )

    count = PublishedLine.objects.filter(publication=publication).count()
    parts = range(1, count + 1, CHUNK)
    return LongTable("sixprime-ranking-2", RANKING_COLUMNS, parts, lines, count, OF_A_LIST)


def members(asked: Asked) -> LongTable:
    """Open the members of the federation on the last day, with their own names: for its officers alone."""
    federation = asked.federation
    if federation is None:
        raise Refusal("export_kind_unknown", _("There is no such kind of table."), field="kind")
    held = Membership.objects.filter(Membership.on(asked.last), federation=federation).order_by("player", "pk")
    ids = list(held.values_list("pk", flat=True))

    def lines(first: int) -> Iterable[Line]:
        rows = Membership.objects.filter(pk__in=ids[first : first + CHUNK]).select_related("player__club")
        rows = rows.order_by("player", "pk")
        numbers = dict(numbers_of(federation, [row.player for row in rows]))
        for row in rows:
            player = row.player
            yield (
                *(player.pk, numbers.get(player.pk) or row.number or None, *_own_parts(player), born_of(player)),
                *(player.country, player.town, player.club.name if player.club else ""),
                *(row.kind, row.starts, row.ends, row.paid_on),
            )

    parts = range(0, len(ids), CHUNK)
    return LongTable("sixprime-members-1", MEMBER_COLUMNS, parts, lines, len(ids), OF_MEMBERS)


def _events(asked: Asked) -> list[Event]:
    """Return the events that ended on these days, in that order.

    They reported to the federation, or the organiser directs them.
    """
    zone = timezone.get_default_timezone()
    begins = datetime.combine(asked.first, time(), zone)
    ends = datetime.combine(asked.last + timedelta(days=1), time(), zone)
    found: QuerySet[Event] = Event.objects.filter(finished_at__gte=begins, finished_at__lt=ends)
    if asked.organiser is not None:
        found = found.filter(tournament__in=directed_by(asked.organiser).values("tournament"))
    elif asked.official_list is not None:
        found = found.filter(reports__official_list=asked.official_list)
    else:
        found = found.filter(reports__official_list__federation=asked.federation)
    return list(found.select_related("tournament").distinct().order_by("finished_at", "pk"))


def _pairings(events: Sequence[Event]) -> int:
    """Return how many pairings and boards these events have, each of which is about a line of their results."""
    fixtures = Fixture.objects.filter(stage__event__in=events).count()
    return fixtures + Board.objects.filter(fixture__stage__event__in=events).count()


def _lists(asked: Asked, event: Event) -> Sequence[OfficialList]:
    """Return the lists that the event declares: the one that is asked for, those of the federation, or else all."""
    wanted, federation = asked.official_list, asked.federation
    found = [one for one in lists_of(event) if federation is None or one.federation_id == federation.pk]
    return [one for one in found if wanted is None or one.pk == wanted.pk]


def _towns(lines: QuerySet[PublishedLine], federation: Federation | None) -> dict[int, str]:
    """Return where the people on these lines live whom the officers of the federation keep, by id."""
    if federation is None:
        return {}
    people = list(Player.objects.filter(pk__in=lines.values("player")).exclude(town=""))
    rights = rights_over(Reach(federations=frozenset({federation.pk})), people)
    return {player.pk: player.town for player in people if rights[player.pk].officer}


def _parts(
    name: str, town: str, own_family: str, own_given: str, visibility: str, merged_into: int | None
) -> tuple[str, str, str]:
    """Return family name, given names and town of a published line: no more than the name that is published tells."""
    if visibility != Visibility.PUBLIC or merged_into is not None:
        return name, "", ""
    if own_family and name == f"{own_given} {own_family}".strip():
        return own_family, own_given, town
    given, family = split_name(name)
    return family, given, town


def _own_parts(player: Player) -> tuple[str, str]:
    if player.family:
        return player.family, player.given
    given, family = split_name(own_name(player))
    return family, given


def _rounded(value: Decimal | None, places: int) -> Decimal | None:
    return None if value is None else value.quantize(Decimal(1).scaleb(-places))
