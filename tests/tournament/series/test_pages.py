"""Series on pages: everybody reads the standings, officers make and change series."""

import html
import re

import pytest
from django.test import Client
from django.urls import reverse

from players.models import Player
from players.points import POINTS
from tests.builders import AT, build_event
from tests.pages import text_of
from tests.players.registry.people import Registry, build_registry
from tests.tournament.series.seasons import build_people, build_series, hold
from tournament.models import Event, Series, Tournament
from tournament.registry.people import show_as

pytestmark = pytest.mark.django_db


@pytest.fixture
def registry() -> Registry:
    return build_registry()


@pytest.fixture
def people(registry) -> list[Player]:
    return [registry.holm, *build_people()[1:]]


def client_of(user) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def test_everybody_reads_places_points_and_what_is_dropped(registry, director, people, client):
    ended, other = hold(director, people), hold(director, people[::-1], name="Second")
    hold_on = hold(director, people, ended=False, name="Third")
    series = build_series(registry.federation, [ended, other, hold_on], best=1)
    page = client.get(series.get_absolute_url())
    text, source = text_of(page), page.content.decode()
    assert page.status_code == 200
    assert "The best result of each player counts" in text
    assert f"Not ended yet: {hold_on.tournament.name} · Third" in text
    # 10 and 2, 2 and 10; 6 and 4, 4 and 6
    assert re.findall(r'<td class="num">(\d–\d)</td>', source) == ["1–2", "1–2", "3–4", "3–4"]
    dropped = re.findall(r'<s class="dropped"><span class="hidden">dropped: </span>(\d+)</s>', source)
    assert dropped == ["2", "2", "4", "4"]
    assert reverse("series-events", args=["DBGF", series.slug]) not in source
    assert series.get_absolute_url() in client.get(reverse("federation", args=["DBGF"])).content.decode()


def test_a_hidden_person_is_not_named(registry, director, people, client):
    series = build_series(registry.federation, [hold(director, people)])
    page = series.get_absolute_url()
    assert "Holm" in client.get(page).content.decode()
    show_as(registry.holm, "hidden", by=registry.officer, at=AT)
    for user in (None, registry.stranger):
        source = client_of(user).get(page).content.decode()
        assert "Holm" not in source
        assert f"Player #{registry.holm.pk}" in source


def test_an_officer_makes_a_series_adds_events_and_edits_it(registry, director, people):
    officer, event = client_of(registry.officer), hold(director, people)
    assert reverse("new-series", args=["DBGF"]) in officer.get(reverse("federation", args=["DBGF"])).content.decode()
    new = reverse("new-series", args=["DBGF"])
    systems = text_of(officer.get(new))
    assert "Nordic Tour" in systems
    assert "The table shown is an example: enter that of the season." in systems
    assert "For each match won, and for the places with points." in systems
    sent = {"name": "Tour", "slug": "", "best": "2", "p_table": "10 6", "p_taking_part": "1", "p_shared": "mean"}
    sent |= {"p_decimals": "0"}
    made = officer.post(f"{new}?points=places", sent)
    events = reverse("series-events", args=["DBGF", "tour"])
    assert (made.status_code, made["Location"]) == (302, events)
    series = Series.objects.get()
    assert (series.best, series.parameters["table"], series.members_only) == (2, [10.0, 6.0], False)
    address = f"{event.tournament.slug}/{event.slug}"
    assert f'value="{address}"' in officer.get(events).content.decode()
    row = {"number": "", "division": "1", "weight": "1.5", "designated": ""}
    whole = f"http://testserver{event.get_absolute_url()}standings/"
    assert officer.post(events, {**row, "event": whole}).status_code == 302
    assert series.rows.get().weight == 150
    again = officer.post(events, {**row, "event": address})
    assert (again.status_code, series.rows.count()) == (400, 1)
    assert "This event is in the series already." in html.unescape(again.content.decode())
    assert officer.post(events, {**row, "event": "nowhere/main"}).status_code == 400
    edit = reverse("edit-series", args=["DBGF", "tour"])
    assert 'value="10 6"' in officer.get(edit).content.decode()
    refused = officer.post(edit, {**sent, "p_table": "a"})
    assert refused.status_code == 400
    assert officer.post(edit, {**sent, "name": "Grand Tour", "best": ""}).status_code == 302
    series.refresh_from_db()
    assert (series.name, series.best, series.slug) == ("Grand Tour", None, "tour")
    remove = reverse("remove-series-event", args=["DBGF", "tour", series.rows.get().pk])
    assert officer.post(remove).status_code == 302
    assert not series.rows.exists()
    delete = reverse("delete-series", args=["DBGF", "tour"])
    assert f'action="{delete}"' in officer.get(edit).content.decode()
    deleted = officer.post(delete)
    assert (deleted.status_code, deleted["Location"]) == (302, reverse("federation", args=["DBGF"]))
    assert not Series.objects.exists()


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("10,6,4", None),
        ("10,6", "A comma here can be read in two ways."),
        ("a b", "“Points, first place first” takes numbers from 0 to 1,000,000"),
        ("1 " * 65, "“Points, first place first” has at most 64 numbers; these are 65."),
    ],
)
def test_a_table_is_typed_as_people_do(registry, typed, said):
    series, officer = build_series(registry.federation), client_of(registry.officer)
    edit = reverse("edit-series", args=["DBGF", series.slug])
    assert "a decimal comma: 2,5 1,5." in text_of(officer.get(edit))
    sent = {"name": "Tour", "p_table": typed, "p_taking_part": "0", "p_shared": "mean", "p_decimals": "0"}
    answer = officer.post(edit, sent)
    series.refresh_from_db()
    if said is None:
        assert (answer.status_code, series.parameters["table"]) == (302, [10.0, 6.0, 4.0])
    else:
        assert answer.status_code == 400
        assert said in text_of(answer)


def test_an_officer_sees_and_changes_what_the_series_says_of_an_event(registry, director):
    series = build_series(registry.federation, [build_event(director, players=0, drawn=False)])
    events, officer = reverse("series-events", args=["DBGF", series.slug]), client_of(registry.officer)
    assert "weight" not in text_of(officer.get(events)).replace("Weight", "")
    edit = reverse("edit-series-event", args=["DBGF", series.slug, series.rows.get().pk])
    assert f'href="{edit}"' in officer.get(events).content.decode()
    assert 'name="division"' not in officer.get(edit).content.decode()  # points by place ask for none
    assert officer.post(edit, {"number": "2", "weight": "1.5"}).status_code == 400
    assert officer.post(edit, {"number": "1", "weight": "1.5", "designated": "3"}).status_code == 302
    row = series.rows.get()
    assert (row.division, row.weight, row.designated) == (1, 150, 3)
    assert "· weight 1.5 · 3 places with points" in text_of(officer.get(events))
    assert 'value="1.5"' in officer.get(edit).content.decode()


def test_an_officer_chooses_another_point_system(registry):
    series, officer = build_series(registry.federation), client_of(registry.officer)
    edit = reverse("edit-series", args=["DBGF", series.slug])
    assert 'href="?points="' in officer.get(edit).content.decode()
    choosing = officer.get(f"{edit}?points=").content.decode()
    assert 'href="?points=abt"' in choosing
    other = f"{edit}?points=abt"
    source = officer.get(other).content.decode()
    assert f'value="{series.name}"' in source
    assert 'name="p_table"' not in source
    sent = {name: field.value() for name, field in _fields(officer.get(other))}
    assert officer.post(other, {name: value for name, value in sent.items() if value is not None}).status_code == 302
    series.refresh_from_db()
    assert series.points == "abt"
    assert series.parameters == dict(POINTS["abt"]().as_dict())
    assert officer.get(series.get_absolute_url()).status_code == 200


def _fields(page):
    return [(name, page.context["form"][name]) for name in page.context["form"].fields]


@pytest.mark.parametrize(("points", "asked"), [(slug, system.asks) for slug, system in POINTS.items()])
def test_the_form_asks_for_what_the_point_system_does(registry, points, asked):
    new = f"{reverse('new-series', args=['DBGF'])}?points={points}"
    officer = client_of(registry.officer)
    assert f"<title>New series: {POINTS[points].name}" in html.unescape(officer.get(new).content.decode())
    series = build_series(registry.federation, points=points, parameters={})
    source = officer.get(reverse("series-events", args=["DBGF", series.slug])).content.decode()
    assert {name for name in ("division", "weight", "designated") if f'name="{name}"' in source} == asked


@pytest.mark.parametrize(
    ("before", "status"),
    [
        *[(before, 302) for before in ("http://testserver", "testserver", "", "https://play.example.org")],
        ("https://hall.example.org", 302),
        *[(before, 400) for before in ("http://evil.example", "//evil.example", "evil.example", "http://testserver/x")],
        *[(before, 400) for before in ("http://", "https://", "/")],
    ],
)
def test_an_event_is_named_by_an_address_of_this_site(registry, director, settings, before, status):
    settings.SITE_ADDRESS = "https://play.example.org"
    series, event = build_series(registry.federation), build_event(director, players=0, drawn=False)
    Tournament.objects.update(site_address="https://hall.example.org")
    sent = {"event": f"{before}{event.get_absolute_url()}?round=1", "division": "1", "weight": "1"}
    answer = client_of(registry.officer).post(reverse("series-events", args=["DBGF", series.slug]), sent)
    assert (answer.status_code, series.rows.count()) == (status, int(status == 302))
    assert ("This is not an address of this site." in answer.content.decode()) is (status == 400)


def test_nobody_but_an_officer_reads_or_posts_the_forms(registry, director, unchanged):
    series = build_series(registry.federation, [hold(director, build_people(), ended=False)])
    code, slug = "DBGF", series.slug
    gets = [reverse(name, args=[code, slug]) for name in ("edit-series", "series-events")]
    gets.append(reverse("edit-series-event", args=[code, slug, series.rows.get().pk]))
    gets.append(reverse("new-series", args=[code]))
    posts = [
        *gets,
        reverse("delete-series", args=[code, slug]),
        reverse("remove-series-event", args=[code, slug, series.rows.get().pk]),
    ]
    for user in (None, registry.stranger, registry.member, registry.manager, director):
        client = client_of(user)
        with unchanged():
            answers = {client.get(path).status_code for path in gets} | {
                client.post(path).status_code for path in posts
            }
        assert answers == {302 if user is None else 403}
    assert Event.objects.count() == 1


def test_the_page_takes_as_many_queries_for_one_event_as_for_many(
    registry, director, people, django_assert_num_queries
):
    events = [hold(director, people, name=name) for name in ("One", "Two", "Three")]
    client = Client()
    for count in (1, 3):
        series = build_series(registry.federation, events[:count], name=f"Of {count}")
        client.get(series.get_absolute_url())
        with django_assert_num_queries(6):  # the series, events, stages, standings, fees, people
            client.get(series.get_absolute_url())
