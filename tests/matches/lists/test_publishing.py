"""Publications of a list: frozen, numbered, signed, and the next one says what was corrected before."""

from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import transaction

from matches.lists.counting import EveryRatedMatch
from matches.lists.draft import draft_next
from matches.lists.files import list_file
from matches.lists.history import document_of, stored_document
from matches.lists.moves import moves_of
from matches.lists.publish import publish
from matches.models import Match, SheetSource
from matches.services import submit_sheet, void_sheet
from players.errors import Conflict, Forbidden, Refusal
from players.lists.check import check_list
from players.lists.make import change_list
from players.lists.models import Frozen, OfficialList, Publication, PublishedLine, StartValue
from players.lists.published import Wanted, lines_wanted
from players.lists.read import counted_from, read_list_file
from players.lists.signing import verify
from players.lists.systems import build
from players.lists.values import Criteria
from players.models import Player, RegistryRole
from players.ratings import RATINGS, RatedResult, Rating
from players.services import create_player
from tests.builders import build_director, claim
from tests.matches.lists.playing import BEGAN, NOW, build_list, build_people, cut, draft, play, publish_by

pytestmark = pytest.mark.django_db


@pytest.fixture
def people() -> list[Player]:
    return build_people("Ann", "Bo", "Cy", "Di")


@pytest.fixture
def official_list() -> OfficialList:
    return build_list()


def findings(publication: Publication, earlier: Publication | None = None) -> tuple:
    files = [read_list_file(b"".join(list_file(one))) for one in (publication, earlier) if one is not None]
    return check_list(files[0], verify=verify, build=build, earlier=files[1] if earlier else None).findings


@pytest.fixture(autouse=True)
def every_list_holds(db) -> Iterator[None]:
    """Whatever a test has published holds, alone, after the one before and after the one that it goes on from."""
    yield
    for one in Publication.objects.order_by("pk"):
        others = Publication.objects.filter(official_list=one.official_list)
        for earlier in (None, one.previous, others.filter(number=one.base).first()):
            assert findings(one, earlier) == (), (one.number, earlier)


def values(publication: Publication) -> dict[int, Decimal]:
    return dict(publication.lines.values_list("player", "value"))


def ratings(*results: tuple[Player, Player], known: dict[int, Rating] | None = None) -> dict[int, Decimal]:
    """What the system alone makes of 7-point matches, as lists show it."""
    rated = RATINGS["fibs"].rate([RatedResult(one.pk, other.pk, 7) for one, other in results], known)
    return {player: Decimal(rating.value).quantize(Decimal("0.01")) for player, rating in rated.items()}


def test_a_publication_counts_the_matches_up_to_its_cut_off_and_holds(people, official_list):
    ann, bo, cy, _di = people
    play(ann, bo, day=1)
    play(bo, cy, day=2)
    play(cy, ann, day=12)
    first = publish_by(official_list, 10)
    second = publish_by(official_list, 20)
    assert (first.number, second.number, second.previous, second.base) == (1, 2, first, 1)
    assert values(first) == ratings((ann, bo), (bo, cy))
    assert values(second) == ratings((ann, bo), (bo, cy), (cy, ann))
    assert (findings(first), findings(second), findings(second, first)) == ((), (), ())
    assert second.matches == 1


def test_rows_and_document_say_the_same(people, official_list):
    ann, bo, cy, _di = people
    play(ann, bo, day=1)
    publish_by(official_list, 5)
    play(cy, bo, day=6)
    publication = publish_by(official_list, 10)
    said = [
        (line["player"], line["rank"], line["rank_to"], line["value"], line["delta"], line["experience"], line["wins"])
        for line in stored_document(publication.pk).said["lines"]
    ]
    rows = publication.lines.order_by("place")
    deltas = ["" if row.delta is None else f"{row.delta:.2f}" for row in rows]
    assert said == [
        (row.person, row.rank, row.rank_to, f"{row.value:.2f}", delta, row.experience, row.wins)
        for row, delta in zip(rows, deltas, strict=True)
    ]
    assert [(row.name, row.nation) for row in rows] == [(row.player.name, "DK") for row in rows]


def test_start_values_are_where_a_list_goes_on(people, official_list):
    ann, bo, _cy, di = people
    for player, value, experience in ((ann, 1612.5, 420), (di, 1388, 90)):
        given = {"value": value, "experience": experience, "as_of": BEGAN, "source": "old list"}
        StartValue.objects.create(official_list=official_list, player=player, **given)
    play(ann, bo, day=1)
    publication = publish_by(official_list, 5)
    known = {ann.pk: Rating(1612.5, 420), di.pk: Rating(1388.0, 90)}
    assert values(publication) == ratings((ann, bo), known=known)
    assert findings(publication) == ()


def test_a_late_match_is_rated_in_its_place_and_named_and_what_was_published_stays(people, official_list):
    ann, bo, cy, di = people
    play(ann, bo, day=1)
    first = publish_by(official_list, 10)
    play(bo, cy, day=11)
    second = publish_by(official_list, 20)
    published = document_of(first.pk), document_of(second.pk), values(second)
    late = play(cy, di, day=15)
    play(ann, di, day=21)
    third = publish_by(official_list, 30)
    assert (document_of(first.pk), document_of(second.pk), values(second)) == published
    assert third.base == 1, "only what follows the last publication before the late match is rated again"
    (correction,) = stored_document(third.pk).said["corrections"]
    assert (correction["kind"], correction["match"], correction["why"]) == ("added", late.pk, "entered_late")
    assert values(third) == ratings((ann, bo), (bo, cy), (cy, di), (ann, di))
    assert (findings(third, first), findings(third, second)) == ((), ())
    assert publish_by(official_list, 40).corrections == 0


def test_a_corrected_and_a_voided_match_are_named_with_old_and_new(people, official_list):
    ann, bo, cy, _di = people
    turned, gone = play(ann, bo, day=1), play(bo, cy, day=2)
    publish_by(official_list, 10)
    base = turned.sheets.get().number
    said = claim(final=(2, 7), confirmed=True, base=base, reason="typed the wrong way round")
    submit_sheet(turned, claim=said, source=SheetSource.DESK, by=None, at=BEGAN + timedelta(days=12))
    void_sheet(gone, base=gone.sheets.get().number, reason="never played", by=None, at=BEGAN + timedelta(days=12))
    publication = publish_by(official_list, 20)
    one, other = stored_document(publication.pk).said["corrections"]
    assert (one["kind"], one["why"], one["was"][1:3], one["now"][1:3]) == (
        "changed",
        "result_changed",
        [ann.pk, bo.pk],
        [bo.pk, ann.pk],
    )
    assert (other["kind"], other["why"], other["now"]) == ("removed", "not_rated", [])
    assert (publication.base, values(publication)) == (0, ratings((bo, ann)))
    assert findings(publication) == ()


def test_a_match_that_moved_past_the_cut_off_is_a_correction_and_counts_later(people, official_list):
    ann, bo, cy, _di = people
    play(ann, bo, day=1)
    publish_by(official_list, 5)
    moved, early = play(bo, cy, day=8), play(cy, ann, day=9)
    publish_by(official_list, 10)
    for match, day in ((moved, 15), (early, 3)):
        said = claim(final=(7, 2), confirmed=True, base=match.sheets.get().number, reason="wrong day")
        played, at = BEGAN + timedelta(days=day), BEGAN + timedelta(days=16)
        submit_sheet(match, claim=said, source=SheetSource.DESK, by=None, at=at, played_at=played)
    publication = publish_by(official_list, 20)
    said = stored_document(publication.pk).said["corrections"]
    assert [(one["match"], one["why"], one["now"] == []) for one in said] == [
        (early.pk, "date_changed", False),
        (moved.pk, "played_later", True),
    ]
    assert [row.match for row in counted_from(stored_document(publication.pk).rows())][-1] == moved.pk
    play(ann, cy, day=22)
    assert (publish_by(official_list, 30).corrections, publish_by(official_list, 40).corrections) == (0, 0)


def test_a_publication_never_changes(people, official_list):
    play(people[0], people[1], day=1)
    publication = publish_by(official_list, 10)
    for act in (
        publication.save,
        publication.delete,
        Publication.objects.all().delete,
        lambda: Publication.objects.update(matches=0),
    ):
        with pytest.raises(Frozen):
            act()
    with pytest.raises(Frozen), transaction.atomic():
        official_list.publications.all().delete()


def test_only_what_was_previewed_is_published(people, official_list):
    ann, bo, cy, _di = people
    play(ann, bo, day=1)
    digest = draft(official_list, 10).made.sha256
    play(bo, cy, day=2)
    given = {"source": EveryRatedMatch(), "by": None, "at": NOW}
    with pytest.raises(Conflict) as refused:
        publish(official_list, cut(10), digest=digest, **given)
    assert refused.value.code == "preview_changed"
    new = draft(official_list, 10)
    assert publish(official_list, cut(10), digest=new.made.sha256, **given).sha256 == new.made.sha256
    with pytest.raises(Conflict) as refused:
        publish(official_list, cut(10), digest=new.made.sha256, **given)
    assert refused.value.code == "cut_off_not_later"
    with pytest.raises(Refusal) as refused:
        draft_next(official_list, cut(400), at=NOW, source=EveryRatedMatch())
    assert refused.value.code == "cut_off_in_future"


def test_a_list_that_is_taken_over_is_first_published_as_it_was(people):
    ann, bo, cy, _di = people
    official_list = build_list(counts_from=BEGAN + timedelta(days=5))
    StartValue.objects.create(
        official_list=official_list, player=cy, value=1600, experience=50, as_of=BEGAN.date(), source="Old"
    )
    play(bo, ann, day=4.5)
    counted = play(ann, bo, day=6)
    with pytest.raises(Refusal) as refused:
        draft(official_list, 3)
    assert (refused.value.code, refused.value.field) == ("cut_off_too_early", "matches_until")
    assert str(refused.value) == "Matches count from 6 January 2026: choose 5 January 2026 or a later day."
    first = publish_by(official_list, 4)
    assert (first.matches, list(first.lines.values_list("player", "value"))) == (0, [(cy.pk, 1600)])
    second = publish_by(official_list, 10)
    assert (second.matches, second.corrections) == (1, 0)
    assert [row.match for row in counted_from(stored_document(second.pk).rows())] == [counted.pk]
    assert draft(official_list, 11).corrections == ()


def test_a_preview_says_who_is_new_changed_unchanged_and_gone(people):
    ann, bo, cy, di = people
    official_list = build_list()
    play(ann, bo, day=1)
    play(cy, di, day=2)
    publish_by(official_list, 10)
    (eve,) = build_people("Eve")
    play(ann, eve, day=11)
    found = draft(official_list, 20)
    assert [line.player for line in found.new] == [eve.pk]
    assert [line.player for line in found.changed] == [ann.pk]
    assert sorted(line.player for line in found.unchanged) == [bo.pk, cy.pk, di.pk]
    assert found.gone == {}
    OfficialList.objects.update(criteria={"nation": "SE"})
    official_list.refresh_from_db()
    assert sorted(draft(official_list, 20).gone) == [ann.pk, bo.pk, cy.pk, di.pk]


def test_a_class_goes_by_as_many_matches_as_are_asked_for_now(people, official_list):
    ann, bo, cy, di = people

    def published(day: int, matches: int) -> tuple[Publication, dict[str, str]]:
        play(cy, di, day=day)
        criteria = Criteria(classes=(("Masters", 1510), ("Others", 0)), class_matches=matches)
        publication = publish_by(change_list(official_list, criteria=criteria, by=None, at=NOW), day + 1)
        assert findings(publication, publication.previous) == ()
        return publication, dict(publication.lines.filter(player__in=(ann, bo)).values_list("name", "class_name"))

    for day in (1, 2, 3):
        play(ann, bo, day=day)
    for day in (4, 5, 6, 7):
        play(bo, ann, day=day)
    assert published(8, 5)[1] == {"Ann": "Masters", "Bo": "Masters"}
    for day, matches, base in ((10, 2, 1), (20, 0, 2), (30, 1, 2), (40, 1, 4)):
        publication, classes = published(day, matches)
        assert (publication.base, classes) == (base, {"Ann": "Others", "Bo": "Masters"})
    for day, matches, base in ((50, 5, 1), (60, 7, 0)):
        publication, classes = published(day, matches)
        assert (publication.base, classes) == (base, {"Ann": "Masters", "Bo": "Masters"})


def test_a_country_is_the_same_by_any_of_its_codes(official_list):
    people = [create_player(name=name, country=code, at=BEGAN) for name, code in (("Ann", "DEN"), ("Bo", "GER"))]
    play(people[0], people[1], day=1)
    for number, (nation, name) in enumerate([("DK", "Ann"), ("den", "Ann"), ("DEU", "Bo"), ("DE", "Bo")], start=1):
        OfficialList.objects.update(criteria={"nation": nation})
        official_list.refresh_from_db()
        publication = publish_by(official_list, number)
        assert (publication.lines.get().name, findings(publication)) == (name, ())
    for code, count in (("GER", 1), ("DE", 1), ("DK", 0)):
        assert lines_wanted(publication, Wanted(nation=code)).count() == count
    assert change_list(official_list, criteria=Criteria(nation="GER"), by=None, at=NOW).criteria["nation"] == "DE"


def test_a_match_that_ended_late_in_the_evening_is_of_the_day_where_the_site_is(people, official_list):
    play(people[0], people[1], day=1.98)
    publication = publish_by(official_list, 10)
    assert {line.last_played for line in publication.lines.all()} == {(BEGAN + timedelta(days=2)).date()}
    assert findings(publication) == ()


def test_only_an_officer_of_the_federation_publishes(people, official_list):
    play(people[0], people[1], day=1)
    user = build_director()
    given = {"digest": None, "source": EveryRatedMatch(), "at": NOW}
    with pytest.raises(Forbidden):
        publish(official_list, cut(10), by=user, **given)
    assert not Publication.objects.exists()
    RegistryRole.objects.create(user=user, federation=official_list.federation, since=BEGAN)
    assert publish(official_list, cut(10), by=user, **given).by == user
    assert PublishedLine.objects.count() == 2
    assert Match.objects.count() == 1


def test_the_steps_of_a_player_add_up_to_the_change(people, official_list):
    ann, bo, cy, di = people
    play(ann, bo, day=1)
    first = publish_by(official_list, 10)
    late, new = play(cy, bo, day=8), play(bo, di, day=12)
    second = publish_by(official_list, 20)
    assert moves_of(first, bo.pk).steps[0].before == Decimal(1500)
    moves = moves_of(second, bo.pk)
    assert [step.counted.match for step in moves.steps] == [new.pk]
    assert [(one.match, one.kind) for one in moves.corrections] == [(late.pk, "added")]
    assert moves.corrected + sum(step.delta for step in moves.steps) == moves.steps[-1].after - moves.published
    assert abs(moves.steps[-1].after - moves.value) < Decimal("0.005")
    assert moves_of(second, ann.pk).delta == 0
