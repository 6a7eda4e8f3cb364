"""A name that is taken back while a list or a file is being made is not in it."""

from collections.abc import Callable
from importlib import import_module

import pytest
from django.apps import apps

from matches.lists import publish as publishing
from matches.lists.counting import EveryRatedMatch
from matches.lists.files import list_file
from matches.lists.publish import TRIES, publish
from players.errors import Conflict
from players.lists.check import check_list
from players.lists.models import OfficialList, Publication
from players.lists.read import read_list_file
from players.lists.signing import verify
from players.lists.systems import build
from players.models import Player, PublicNames
from players.registry.records import add_number, give_title
from players.registry.visibility import ask_visibility
from tests.builders import AT
from tests.matches.lists.playing import NOW, build_people, cut, draft, play, publish_by
from tests.players.registry.people import Registry, build_registry
from tests.tournament.exports.test_profiles import made_by_worker, profile_of
from tests.tournament.reporting.lists import build_list
from tournament.career.delete_person import delete_person
from tournament.jobs import exports
from tournament.jobs.exports import file_of
from tournament.models import JobState, KeptExport
from tournament.registry.people import answer_request, show_as

pytestmark = pytest.mark.django_db


@pytest.fixture
def registry() -> Registry:
    return build_registry()


@pytest.fixture
def official_list(registry) -> OfficialList:
    """The list of a federation on which Asta Holm stands."""
    official_list = build_list()
    [bo] = build_people("Bo Lund")
    play(registry.holm, bo, day=1)
    return official_list


def hide(registry: Registry) -> None:
    show_as(registry.holm, "hidden", by=registry.officer, at=AT)


def grant(registry: Registry) -> None:
    wish = ask_visibility(registry.holm, "initials", by=registry.member, at=AT)
    answer_request(wish, granted=True, by=registry.officer, at=AT)


def delete(registry: Registry) -> None:
    delete_person(registry.holm, typed="Asta Holm", by=None, at=AT)


WAYS = pytest.mark.parametrize("take_back", [hide, grant, delete])


def right_after(monkeypatch: pytest.MonkeyPatch, place: object, name: str, act: Callable[[], object]) -> None:
    """Somebody else acts once this function has returned, the first time."""
    do, acted = getattr(place, name), False

    def then_act(*args: object, **given: object) -> object:
        nonlocal acted
        done = do(*args, **given)
        if not acted:
            acted = True
            act()
        return done

    monkeypatch.setattr(place, name, then_act)


@WAYS
def test_a_list_is_computed_again_without_the_name(registry, official_list, monkeypatch, take_back):
    right_after(monkeypatch, publishing, "draft_next", lambda: take_back(registry))
    publication = publish_by(official_list, 10)
    said = b"".join(list_file(publication))
    assert b"Holm" not in said
    names = {"Bo Lund", Player.objects.get(pk=registry.holm.pk).name}
    assert set(publication.lines.values_list("name", flat=True)) == names
    assert check_list(read_list_file(said), verify=verify, build=build).findings == ()


def test_a_preview_with_the_name_is_not_published(registry, official_list, monkeypatch):
    digest = draft(official_list, 10).made.sha256
    right_after(monkeypatch, publishing, "draft_next", lambda: hide(registry))
    with pytest.raises(Conflict) as refused:
        publish(official_list, cut(10), digest=digest, source=EveryRatedMatch(), by=None, at=NOW)
    assert (refused.value.code, Publication.objects.exists()) == ("preview_changed", False)


def test_a_list_is_computed_a_few_times_at_most(official_list, monkeypatch):
    versions = iter(range(100))
    monkeypatch.setattr(publishing, "version_of_names", lambda: -1 - next(versions))
    with pytest.raises(Conflict) as refused:
        publish_by(official_list, 10)
    assert (refused.value.code, next(versions), Publication.objects.exists()) == ("preview_changed", TRIES, False)


def test_a_change_of_others_that_was_made_before_does_not_matter(registry, official_list):
    hide(registry)
    show_as(registry.holm, "public", by=registry.officer, at=AT)
    assert publish_by(official_list, 10).lines.filter(name="Asta Holm").exists()
    assert PublicNames.objects.get().version == 2


@pytest.mark.parametrize("visibility", ["hidden", "initials", "minor"])
def test_who_is_not_public_has_neither_title_nor_number_on_any_list(registry, official_list, visibility):
    add_number(registry.holm, issuer="dbgf", value="408", by=None, at=AT)
    give_title(registry.holm, issuer="dbgf", code="GM", on=AT.date(), evidence="", by=None)
    first = publish_by(official_list, 10)
    assert list(first.lines.filter(player=registry.holm).values_list("title", "number")) == [("GM", "408")]
    show_as(registry.holm, visibility, by=registry.officer, at=AT)
    play(registry.holm, Player.objects.get(name="Bo Lund"), day=11)
    second = publish_by(official_list, 20)
    for publication in (first, second):
        said = b"".join(list_file(publication))
        assert (b"GM" in said, check_list(read_list_file(said), verify=verify, build=build).findings) == (False, ())
        assert list(publication.lines.filter(player=registry.holm).values_list("title", "number")) == [("", "")]


def test_a_title_that_a_list_told_before_is_taken_away(registry, official_list):
    hide(registry)
    publication = publish_by(official_list, 10)
    publication.lines.update(title="GM")
    migration = import_module("players.migrations.0010_no_titles_of_hidden_people")
    migration.take_away_titles(apps, None)
    assert dict(publication.lines.values_list("name", "title")) == {f"Player #{registry.holm.pk}": "", "Bo Lund": "GM"}
    assert b"Player #" not in b"".join(list_file(publication))


@WAYS
def test_a_file_is_kept_empty_if_a_name_was_taken_back_meanwhile(registry, monkeypatch, take_back):
    profile, write = profile_of(registry, "members"), exports.write_long
    monkeypatch.setattr(exports, "write_long", lambda *args, **given: list(write(*args, **given)))
    right_after(monkeypatch, exports, "write_long", lambda: take_back(registry))
    assert made_by_worker(profile, registry.officer).state == JobState.DONE
    assert KeptExport.objects.get().data is None
    assert made_by_worker(profile, registry.officer).state == JobState.DONE
    assert file_of(KeptExport.objects.first())
