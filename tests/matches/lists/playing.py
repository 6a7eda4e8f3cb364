"""A list of a federation with matches that count for it."""

from datetime import UTC, date, datetime, timedelta

from matches.lists.counting import EveryRatedMatch
from matches.lists.draft import Cut, Draft, draft_next
from matches.lists.publish import publish
from matches.models import Match, SheetSource
from matches.services import submit_sheet
from players.lists.make import make_list
from players.lists.models import OfficialList, Publication
from players.lists.values import Criteria
from players.models import Federation, Player
from players.services import create_player
from tests.builders import claim

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
NOW = datetime(2027, 1, 1, tzinfo=UTC)


def build_list(**terms: object) -> OfficialList:
    federation = Federation.objects.get_or_create(code="DBGF", defaults={"name": "Danish Backgammon"})[0]
    given = {"federation": federation, "kind": "fibs", "parameters": {}, "criteria": Criteria()}
    return make_list(**{"name": "DBgF list", **given, "by": None, "at": BEGAN, **terms})


def build_people(*names: str) -> list[Player]:
    return [create_player(name=name, country="DK", at=BEGAN) for name in names]


def play(winner: Player, loser: Player, *, day: float, length: int = 7) -> Match:
    match = Match.objects.create(side_a=winner, side_b=loser, length=length, created_at=BEGAN)
    said = claim(final=(length, 3), confirmed=True)
    submit_sheet(match, claim=said, source=SheetSource.DESK, by=None, at=BEGAN + timedelta(days=day))
    return match


def cut(day: int) -> Cut:
    moment = BEGAN + timedelta(days=day)
    return Cut(moment.date(), moment, date(2026, 6, 1))


def draft(official_list: OfficialList, day: int) -> Draft:
    return draft_next(official_list, cut(day), at=NOW, source=EveryRatedMatch())


def publish_by(official_list: OfficialList, day: int) -> Publication:
    return publish(official_list, cut(day), digest=None, source=EveryRatedMatch(), by=None, at=NOW)
