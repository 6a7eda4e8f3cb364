"""Publications of a list: frozen, numbered, signed, and the next one says what was corrected before."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import transaction

from matches.lists.counting import EveryRatedMatch
from matches.lists.draft import draft_next
from matches.lists.files import list_file
from matches.lists.history import document_of, read_document
from matches.lists.moves import moves_of
from matches.lists.publish import publish
from matches.models import Match, SheetSource
from matches.services import submit_sheet, void_sheet
from players.errors import Conflict, Forbidden, Refusal
from players.lists.check import check_list
from players.lists.models import Frozen, OfficialList, Publication, PublishedLine, StartValue
from players.lists.read import read_list_file
from players.lists.signing import verify
from players.lists.systems import build
from players.models import Player, RegistryRole
from players.ratings import RATINGS, RatedResult, Rating
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
        for line in read_document(publication.pk)["lines"]
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
    (correction,) = read_document(third.pk)["corrections"]
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
    one, other = read_document(publication.pk)["corrections"]
    assert (one["kind"], one["why"], one["was"][1:3], one["now"][1:3]) == (
        "changed",
        "result_changed",
        [ann.pk, bo.pk],
        [bo.pk, ann.pk],
    )
    assert (other["kind"], other["why"], other["now"]) == ("removed", "not_rated", [])
    assert (publication.base, values(publication)) == (0, ratings((bo, ann)))
    assert findings(publication) == ()


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
