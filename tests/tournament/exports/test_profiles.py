"""The tables of a federation, as its profiles write them; made at once, or by a worker."""

import csv
import io
import json
import zipfile
from datetime import UTC, date, datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from matches.models import Match
from players.errors import Conflict, Forbidden, Refusal
from players.models import Club, Delivery, Federation, Membership, Webhook
from players.services import create_player
from tests.builders import AT, build_director, build_event, play_out
from tests.matches.lists.playing import play, publish_by
from tests.players.registry.people import Registry, build_registry
from tests.tournament.reporting.lists import build_list
from tournament.draw.standings import store_standings
from tournament.events.services import finish_event
from tournament.exports import federation, layout
from tournament.exports.kinds import KINDS
from tournament.exports.layout import write_long
from tournament.exports.profiles import ProfileData, change_profile, make_profile, open_table, period_before
from tournament.jobs.exports import KEPT, due_exports, file_of, forget_exports
from tournament.jobs.services import run_job, start_due_exports, start_job
from tournament.models import ExportProfile, Job, JobState, KeptExport
from tournament.registry.people import show_as

pytestmark = pytest.mark.django_db
YEAR = (date(2026, 1, 1), date(2026, 12, 31))


@pytest.fixture
def registry() -> Registry:
    return build_registry()


def whole(kind: str, **given: object) -> ProfileData:
    """A profile with all columns of the kind under their own names."""
    return ProfileData(**{"name": kind, "kind": kind, "columns": [(name, "") for name in KINDS[kind].columns], **given})


def profile_of(registry: Registry, kind: str, **given: object) -> ExportProfile:
    return make_profile(registry.federation, whole(kind, **given), by=registry.officer, at=AT)


def written(profile: ExportProfile, days: tuple[date, date] = YEAR) -> bytes:
    table, layout = open_table(profile, first=days[0], last=days[1])
    return b"".join(write_long(table, layout))


def rows(profile: ExportProfile, days: tuple[date, date] = YEAR) -> list[dict[str, str]]:
    text = written(profile, days).decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text), delimiter=profile.delimiter))


@pytest.fixture
def event(registry):
    """An event of four that ended and reported to the federation."""
    build_list()
    event = build_event(build_director(), players=4, rated_for=("dbf",))
    play_out(event)
    finish_event(event, by=None, at=AT)
    store_standings(event.pk)
    return event


def test_results_are_those_of_events_that_ended_on_these_days(registry, event):
    profile = profile_of(registry, "results")
    found = rows(profile)
    assert sorted(row["outcome"] for row in found) == ["played"] * 3
    assert {(row["list"], row["rated"], row["why_not"]) for row in found} == {("dbf", "0", "not_member")}
    assert rows(profile, (AT.date() + timedelta(days=1), YEAR[1])) == []


def test_the_finishing_order_names_everybody_with_a_place(registry, event):
    found = rows(profile_of(registry, "standings"))
    assert [(row["place"], row["place_to"]) for row in found] == [("1", "1"), ("2", "2"), ("3", "4"), ("3", "4")]
    assert {row["event_id"] for row in found} == {f"{event.tournament.slug}/{event.slug}"}


def test_error_rates_have_a_line_for_each_side(registry, event):
    match = Match.objects.order_by("pk")[0]
    Match.objects.filter(pk=match.pk).update(rate_a=4350, rate_b=12001)
    found = rows(profile_of(registry, "pr"))
    assert [(row["match_id"], row["pr"], row["opponent_pr"]) for row in found] == [
        (str(match.pk), "4,350", "12,001"),
        (str(match.pk), "12,001", "4,350"),
    ]


def test_a_ranking_list_is_the_latest_publication_and_hides_who_is_not_public(registry):
    official = build_list()
    asta, bo = registry.holm, create_player(name="Bo Lund", country="DK", at=AT)
    play(asta, bo, day=1)
    publish_by(official, 30)
    profile = profile_of(registry, "ranking", list="dbf")
    found = rows(profile)
    assert [(row["name"], row["family"], row["given"], row["town"], row["wins"]) for row in found] == [
        ("Asta Holm", "Holm", "Asta", "Odense", "1"),
        ("Bo Lund", "Lund", "Bo", "", "0"),
    ]
    other = Federation.objects.create(code="NBF", name="Norges Backgammonforbund")
    for keeper, town in ((None, "Odense"), (registry.federation, "Odense"), (other, "")):
        asta.body_memberships.all().delete()
        Club.objects.update(federation=keeper)
        if keeper is not None:
            Membership.objects.create(player=asta, federation=keeper, starts=YEAR[0])
        assert [row["town"] for row in rows(profile) if row["name"] == "Asta Holm"] == [town]
    Club.objects.update(federation=registry.federation)
    assert [row["town"] for row in rows(profile) if row["name"] == "Asta Holm"] == ["Odense"]
    show_as(asta, "initials", by=None, at=AT)
    [line] = [row for row in rows(profile) if row["wins"] == "1"]
    assert (line["name"], line["family"], line["given"], line["town"]) == ("A. H.", "A. H.", "", "")
    with pytest.raises(Refusal, match="had not been published"):
        rows(profile, (YEAR[0], YEAR[0]))
    with pytest.raises(Refusal, match="choose it"):
        profile_of(registry, "ranking", name="x")


def test_members_are_those_of_the_last_day(registry):
    profile = profile_of(registry, "members")
    [row] = rows(profile, (YEAR[0], date(2026, 7, 31)))
    assert (row["family"], row["given"], row["birth"], row["kind"], row["to"]) == (
        "Holm",
        "Asta",
        "1961",
        "ordinary",
        "2026-07-31",
    )
    assert rows(profile, (YEAR[0], date(2026, 8, 1))) == []


def test_a_profile_says_which_columns_and_how_they_are_written(registry):
    told = {"columns": [("to", "Until"), ("family", ""), ("birth", "=Born")]}
    told |= {"dates": "dots", "delimiter": "\t", "encoding": "utf-16", "names_schema": True}
    days = (YEAR[0], date(2026, 7, 31))
    profile = profile_of(registry, "members", **told)
    assert written(profile, days).decode("utf-16") == (
        "sixprime-members-1\tDBGF\t2026-01-01\t2026-07-31\r\nUntil\tfamily\t'=Born\r\n31.07.2026\tHolm\t1961\r\n"
    )
    change_profile(profile, whole("members", **told, format="json"), by=registry.officer, at=AT)
    profile.refresh_from_db()
    assert json.loads(written(profile, days)) == {
        "schema": "sixprime-members-1",
        "rows": [{"Until": "2026-07-31", "family": "Holm", "=Born": "1961"}],
    }
    change_profile(profile, whole("members", **told, format="xlsx"), by=registry.officer, at=AT)
    profile.refresh_from_db()
    with zipfile.ZipFile(io.BytesIO(written(profile, days))) as book:
        assert b">Holm<" in book.read("xl/worksheets/sheet1.xml")


WRONG = [
    ({"columns": []}, "columns_unreadable"),
    ({"columns": [("family", ""), ("family", "")]}, "columns_unreadable"),
    ({"columns": [("secret", "")]}, "columns_unreadable"),
    ({"columns": [("family", "a"), ("given", "a")]}, "titles_twice"),
    ({"columns": [("family", "x" * 61)]}, "title_unreadable"),
    ({"encoding": "utf-7"}, "choice_unknown"),
    ({"list": "other"}, "list_unknown"),
    ({"kind": "secrets"}, "export_kind_unknown"),
    ({"name": " "}, "name_empty"),
]


@pytest.mark.parametrize(("given", "code"), WRONG, ids=[code for _given, code in WRONG])
def test_what_no_profile_can_be_is_refused(registry, given, code):
    with pytest.raises(Refusal) as refused:
        make_profile(registry.federation, ProfileData(**{**vars_of("members"), **given}), by=None, at=AT)
    assert (refused.value.code, ExportProfile.objects.count()) == (code, 0)


def vars_of(kind: str) -> dict[str, object]:
    return {"name": kind, "kind": kind, "columns": [(name, "") for name in KINDS[kind].columns]}


def test_officers_alone_keep_profiles(registry):
    for user in (registry.manager, registry.member, registry.stranger):
        with pytest.raises(Forbidden):
            make_profile(registry.federation, whole("members"), by=user, at=AT)
    profile = profile_of(registry, "members")
    with pytest.raises(Conflict, match="of this name"):
        profile_of(registry, "members")
    with pytest.raises(Conflict, match="another one"):
        change_profile(profile, whole("results"), by=registry.officer, at=AT)


def made_by_worker(profile: ExportProfile, by) -> Job:
    given = {"profile": profile.pk, "first": "2026-01-01", "last": "2026-07-31"}
    job = start_job("export", given=given, by=by, at=AT)
    run_job(job.pk, clock=lambda: AT)
    job.refresh_from_db()
    return job


def test_a_worker_makes_a_file_with_its_digest_and_tells_of_it(registry):
    Webhook.objects.create(
        federation=registry.federation, address="https://example.org/", events=["export.made"], nonce="1", made_at=AT
    )
    profile = profile_of(registry, "members")
    job = made_by_worker(profile, registry.officer)
    kept, delivery = KeptExport.objects.get(), Delivery.objects.get()
    assert (job.state, kept.rows, kept.size) == (JobState.DONE, 1, len(file_of(kept)))
    assert file_of(kept) == written(profile, (YEAR[0], date(2026, 7, 31)))
    assert json.loads(delivery.body)["data"]["sha256"] == kept.sha256
    refused = made_by_worker(profile, registry.stranger)
    assert (refused.state, KeptExport.objects.count()) == (JobState.REFUSED, 1)
    show_as(registry.holm, "hidden", by=registry.officer, at=AT)
    kept.refresh_from_db()
    with pytest.raises(Refusal, match="taken back"):
        file_of(kept)
    forget_exports(at=AT + KEPT + timedelta(seconds=1))
    assert not KeptExport.objects.exists()


@pytest.mark.parametrize(
    ("every", "first", "last"),
    [
        ("day", date(2026, 2, 28), date(2026, 2, 28)),
        ("week", date(2026, 2, 16), date(2026, 2, 22)),
        ("month", date(2026, 2, 1), date(2026, 2, 28)),
    ],
)
def test_a_whole_period_is_exported_once_after_it(registry, every, first, last):
    assert period_before(every, date(2026, 3, 1)) == (first, last)
    made = datetime.combine(first, datetime.min.time(), UTC) + timedelta(hours=12)
    profile = make_profile(registry.federation, whole("members", every=every), by=registry.officer, at=made)
    assert due_exports(at=made) == []
    after = datetime.combine(last, datetime.min.time(), UTC) + timedelta(hours=26)
    for _heal in range(2):
        start_due_exports(at=after)
    [job] = Job.objects.all()
    assert (job.given, job.by) == (
        {"profile": profile.pk, "first": first.isoformat(), "last": last.isoformat()},
        registry.officer,
    )


def test_a_long_list_is_read_part_by_part(registry, monkeypatch, django_assert_num_queries):
    monkeypatch.setattr(federation, "CHUNK", 2)
    people = [create_player(name=f"P {number}", country="DK", at=AT) for number in range(5)]
    for number, player in enumerate(people):
        play(registry.holm, player, day=number + 1)
    publish_by(build_list(), 30)
    profile_of(registry, "ranking", list="dbf")
    profile = ExportProfile.objects.select_related("federation", "official_list").get()
    with django_assert_num_queries(2 + 2 * 3 + 2):  # the publication, its length, three parts, who keeps one person
        assert len(rows(profile)) == 6


def test_officers_make_a_profile_beside_its_preview_and_download(registry, django_assert_num_queries, monkeypatch):
    client = Client()
    client.force_login(registry.officer)
    new = reverse("new-export", args=["DBGF", "members"])
    sent = {
        "name": "For the bank",
        "format": "csv",
        "delimiter": ";",
        "decimal": ",",
        "encoding": "utf-8",
        "dates": "iso",
    }
    sent |= {"place_family": 2, "place_given": 1, "title_given": "First"}
    client.get(new)
    shown = client.post(new, {**sent, "show": "yes"})
    assert (shown.status_code, ExportProfile.objects.count()) == (200, 0)
    assert b'<th scope="col">First</th><th scope="col">family</th>' in shown.content
    assert client.post(new, {**sent, "place_family": "x"}).status_code == 400
    assert client.post(new, sent).status_code == 302
    profile = ExportProfile.objects.get()
    days = {"first": "2026-01-01", "last": "2026-07-31"}
    answer = client.get(reverse("export-file", args=[profile.pk]), days)
    with django_assert_num_queries(0):
        assert b"".join(answer.streaming_content) == b"First;family\r\nAsta;Holm\r\n"
    assert client.get(reverse("export-file", args=[profile.pk]), {"first": "x"}).status_code == 400
    monkeypatch.setattr(layout, "MOST_AT_ONCE", 53)  # a line of two columns takes 54 microseconds
    too_long = client.get(reverse("export-file", args=[profile.pk]), days)
    assert (too_long.status_code, b"Have it made and kept" in too_long.content) == (409, True)
    assert client.post(reverse("make-export", args=[profile.pk]), days).status_code == 302
    run_job(Job.objects.get().pk, clock=lambda: AT)
    page = client.get(reverse("exports", args=["DBGF"]), days).content.decode()
    kept = KeptExport.objects.get()
    assert (kept.sha256 in page, "For the bank" in page) == (True, True)
    assert client.get(reverse("kept-export", args=[kept.pk])).content == b"First;family\r\nAsta;Holm\r\n"
    assert client.get(reverse("export-profile", args=[profile.pk])).status_code == 200
    assert client.post(reverse("export-profile", args=[profile.pk]), {**sent, "place_family": ""}).status_code == 302
    profile.refresh_from_db()
    assert profile.columns == [["given", "First"]]
    assert client.post(reverse("remove-export", args=[profile.pk])).status_code == 302
    assert (ExportProfile.objects.count(), KeptExport.objects.count()) == (0, 1)
