"""Officers make and change series: what is refused, who may, and the order of events."""

import pytest

from players.errors import Conflict, Forbidden, Refusal
from players.models import RegistryRole, User
from tests.builders import AT, build_event
from tests.players.registry.people import Registry, build_registry
from tests.tournament.series.seasons import build_people, build_series, hold
from tournament.models import Event, Series
from tournament.series import make
from tournament.series.make import (
    SeriesData,
    add_series_event,
    change_series,
    change_series_event,
    delete_series,
    make_series,
    remove_series_event,
)

pytestmark = pytest.mark.django_db
TOUR = SeriesData("Nordic Tour", "nordic-tour")


@pytest.fixture
def registry() -> Registry:
    return build_registry()


def numbers(series: Series) -> list[tuple[int, str]]:
    return list(series.rows.order_by("number").values_list("number", "event__name"))


def test_events_keep_their_order_without_gaps(registry, director):
    people = build_people()
    events = [hold(director, people, name=name) for name in ("One", "Two", "Three", "Four")]
    series = build_series(registry.federation, events[:3])
    add_series_event(series, events[3], number=2, by=registry.officer)
    assert numbers(series) == [(1, "One"), (2, "Four"), (3, "Two"), (4, "Three")]
    row = series.rows.get(number=1)
    remove_series_event(row, by=registry.officer)
    assert numbers(series) == [(1, "Four"), (2, "Two"), (3, "Three")]
    with pytest.raises(Conflict) as refused:
        remove_series_event(row, by=registry.officer)
    assert refused.value.code == "series_event_gone"


@pytest.mark.parametrize(
    ("before", "after", "order"), [(1, 3, "BCA"), (3, 1, "CAB"), (2, 3, "ACB"), (2, 1, "BAC"), (2, 2, "ABC")]
)
def test_an_event_is_changed_and_moved(registry, director, before, after, order):
    events = [build_event(director, players=0, drawn=False, name=name) for name in "ABC"]
    series = build_series(registry.federation, events)
    row, terms = series.rows.get(number=before), {"division": 2, "weight": 150, "designated": 3}
    changed = change_series_event(row, number=after, **terms, by=registry.officer)
    assert numbers(series) == list(enumerate(order, start=1))
    assert (changed.pk, changed.division, changed.weight, changed.designated) == (row.pk, 2, 150, 3)
    for wrong in ({"number": 0}, {"number": 4}, {"division": 0}, {"weight": -1}, {"designated": 0}):
        with pytest.raises(Refusal) as refused:
            change_series_event(row, **{"number": after, **terms, **wrong}, by=registry.officer)
        assert (refused.value.code, refused.value.field) == ("number_out_of_range", next(iter(wrong)))
    remove_series_event(row, by=registry.officer)
    with pytest.raises(Conflict) as gone:
        change_series_event(row, number=1, **terms, by=registry.officer)
    assert gone.value.code == "series_event_gone"


@pytest.mark.parametrize(
    ("data", "code", "field"),
    [
        (SeriesData("Tour", "nothing"), "point_system_unknown", "points"),
        (SeriesData("Tour", "places", {"table": [-1]}), "parameter_invalid", "parameters.table"),
        (SeriesData("Tour", "places", {"other": 1}), "parameter_unknown", "parameters.other"),
        (SeriesData("Tour", "wbgf", {"fees": [1]}), "parameters_conflict", "parameters.fees"),
        (SeriesData("Tour", "places", best=0), "number_out_of_range", "best"),
        (SeriesData("…", "places"), "name_empty", ""),
    ],
)
def test_what_no_series_can_be_is_refused(registry, data, code, field):
    with pytest.raises(Refusal) as refused:
        make_series(registry.federation, data, by=registry.officer, at=AT)
    assert (refused.value.code, refused.value.field) == (code, field)
    assert not Series.objects.exists()


def test_an_address_is_taken_once_in_a_federation_and_needs_a_letter(registry):
    made = make_series(registry.federation, TOUR, by=registry.officer, at=AT)
    assert (made.slug, made.parameters["main"]) == ("nordic-tour", 7.0)
    with pytest.raises(Conflict) as refused:
        make_series(registry.federation, TOUR, by=registry.officer, at=AT)
    assert (refused.value.code, refused.value.field) == ("series_exists", "name")
    assert "“nordic-tour”" in str(refused.value)
    with pytest.raises(Conflict) as refused:
        make_series(registry.federation, TOUR, slug="nordic-tour", by=registry.officer, at=AT)
    assert (refused.value.code, refused.value.field) == ("series_exists", "slug")
    with pytest.raises(Refusal) as refused:
        make_series(registry.federation, SeriesData("Кубок", "places"), by=registry.officer, at=AT)
    assert (refused.value.code, refused.value.field) == ("address_empty", "slug")


@pytest.mark.parametrize("slug", ["…", "Nordic-Tour", "nordic tour", "-tour", "ærø", "a" * 41])
def test_an_address_that_is_none_is_refused(registry, slug):
    with pytest.raises(Refusal) as refused:
        make_series(registry.federation, TOUR, slug=slug, by=registry.officer, at=AT)
    assert (refused.value.code, refused.value.field) == ("address_invalid", "slug")
    assert not Series.objects.exists()


def test_an_address_keeps_the_letters_of_the_north(registry):
    made = make_series(registry.federation, SeriesData("Ærø Cup Åß", "places"), by=registry.officer, at=AT)
    assert made.slug == "aero-cup-ass"


def test_an_event_is_of_single_players_and_once_in_a_series(registry, director, monkeypatch):
    event = build_event(director, players=0, drawn=False)
    teams = build_event(director, players=0, drawn=False, boards=3)
    series = build_series(registry.federation, [event])
    refusals = [(event, {}, "series_event_twice"), (teams, {}, "series_event_of_many")]
    other = build_event(director, players=0, drawn=False)
    refusals += [(other, {name: 0}, "number_out_of_range") for name in ("number", "division", "designated")]
    refusals += [(other, {"number": 3}, "number_out_of_range"), (other, {"weight": -1}, "number_out_of_range")]
    for one, terms, code in refusals:
        with pytest.raises(Refusal) as refused:
            add_series_event(series, one, **terms, by=registry.officer)
        assert refused.value.code == code
    monkeypatch.setattr(make, "MOST_EVENTS", 1)
    with pytest.raises(Conflict) as refused:
        add_series_event(series, other, by=registry.officer)
    assert refused.value.code == "series_events_too_many"


def test_a_series_is_deleted_and_its_events_stay(registry, director):
    event = build_event(director, players=0, drawn=False)
    series, other = build_series(registry.federation, [event]), build_series(registry.federation, [event], name="Other")
    delete_series(series, by=registry.officer)
    assert (list(Series.objects.all()), Event.objects.get(), numbers(other)) == ([other], event, [(1, "Main")])
    acts = (
        lambda: delete_series(series, by=registry.officer),
        lambda: change_series(series, TOUR, by=registry.officer),
        lambda: add_series_event(series, event, by=registry.officer),
    )
    for act in acts:
        with pytest.raises(Conflict) as refused:
            act()
        assert refused.value.code == "series_gone"


def test_nobody_but_an_officer_of_the_federation_writes(registry, director):
    event, other = (build_event(director, players=0, drawn=False) for _each in range(2))
    series = build_series(registry.federation, [event])
    row = series.rows.get()
    RegistryRole.objects.filter(user=registry.officer).delete()
    for user in (registry.officer, registry.manager, registry.member, director, User.objects.create_user("new")):
        acts = (
            lambda by: make_series(registry.federation, TOUR, by=by, at=AT),
            lambda by: change_series(series, TOUR, by=by),
            lambda by: add_series_event(series, other, by=by),
            lambda by: remove_series_event(row, by=by),
            lambda by: change_series_event(row, number=1, division=2, weight=50, designated=3, by=by),
            lambda by: delete_series(series, by=by),
        )
        for act in acts:
            with pytest.raises(Forbidden):
                act(user)
    assert (Series.objects.get().name, numbers(series)) == ("Tour 2026", [(1, "Main")])
