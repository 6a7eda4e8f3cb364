"""The pages for whole lists of entries: import, seeds, removal, check-in of all; and questions that are asked once."""

import html
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from players.models import Player
from tests.builders import AT, build_event, fixture_of
from tests.pages import forms_of
from tests.tournament.entries.workbooks import workbook
from tournament.draw.make import make_draw
from tournament.entries.attendance import leave_event, set_door
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries, remove_entry, seed_entry
from tournament.jobs.kinds import MOST_AT_ONCE
from tournament.jobs.services import run_job
from tournament.models import Event, Job, LogEntry

WHO = {"by": None, "at": AT}
HIDDEN = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)"')


@pytest.fixture
def desk(client, director):
    client.force_login(director)
    return client


@pytest.fixture
def event(director) -> Event:
    return build_event(director, players=4, drawn=False)


def address(event: Event, name: str, *args: object) -> str:
    return reverse(name, args=[event.tournament.slug, event.slug, *args])


def asks_by_script(answer, path: str) -> bool:
    """Whether a form of the page that is sent to this address is asked about by a script, before the page asks."""
    forms = [form for form in forms_of(answer) if form.action == path]
    assert len(forms) > 0
    return any("data-confirm" in form.attributes for form in forms)


def text_of(answer) -> str:
    return html.unescape(answer.content.decode())


def hidden(answer) -> dict[str, list[str]]:
    """The hidden fields of the form that confirms, which is the first one with a digest."""
    found: dict[str, list[str]] = {}
    for name, value in HIDDEN.findall(answer.content.decode()):
        if name != "csrfmiddlewaretoken":
            found.setdefault(name, []).append(html.unescape(value))
    return found


def send(desk, event: Event, data: bytes, name: str = "list.csv"):
    return desk.post(address(event, "import-entries"), {"file": SimpleUploadedFile(name, data)})


def test_file_is_previewed_row_by_row_and_stored_only_when_confirmed(desk, event):
    Player.objects.create(name="Bo", folded_name="bo", created_at=AT)
    rows = [["Fornavn", "Efternavn", "Klub", "Seedning"], ["Anna", "Berg", "Odense", 1], ["Bo", "", ""], ["Player", 1]]
    before = (Player.objects.count(), LogEntry.objects.count())
    shown = send(desk, event, workbook([*rows, ["?!", ""]]), "list.xlsx")
    assert shown.status_code == 200
    assert (Player.objects.count(), LogEntry.objects.count(), event.entries.count()) == (*before, 4)
    fates = re.findall(r'class="is-(\w+)">', text_of(shown))
    assert fates == ["enters", "enters", "already", "refused"]
    text = " ".join(text_of(shown).split())
    assert "2 rows will be entered. 2 rows are left out. Nothing is stored yet." in text
    assert text.count("new player") == 1
    assert text.count("known player") == 1
    assert "A name needs at least one letter: “?!” has none." in text
    answer = desk.post(address(event, "import-entries"), hidden(shown))
    assert answer.url == address(event, "entries")
    assert sorted(entry.name for entry in event.entries.filter(number__gt=4).select_related("player")) == [
        "Anna Berg",
        "Bo",
    ]


def test_preview_that_is_no_longer_true_is_shown_anew(desk, event):
    shown = send(desk, event, b"name\nAnna\nBo\n")
    add_entries(event, lines=[EntryLine(name="Bo")], **WHO)
    again = desk.post(address(event, "import-entries"), hidden(shown))
    assert (again.status_code, event.entries.count()) == (409, 5)
    assert "Something has changed since this preview was made." in text_of(again)
    assert re.findall(r'class="is-(\w+)">', text_of(again)) == ["enters", "already"]
    desk.post(address(event, "import-entries"), hidden(again))
    assert event.entries.count() == 6


@pytest.mark.parametrize("data", [b"", b"klub\nA\n", b"PK", bytes.fromhex("d0cf11e0a1b11ae1")])
def test_file_that_cannot_be_read_is_refused_beside_its_field(desk, event, data):
    answer = send(desk, event, data)
    assert answer.status_code == 400
    assert 'id="entry-file"' in text_of(answer)


def test_rows_cannot_be_made_up(desk, event):
    shown = send(desk, event, b"name\nAnna\n")
    for wrong in ({"lines": ["x"]}, {"lines": [hidden(shown)["lines"][0] + "x"]}):
        answer = desk.post(address(event, "import-entries"), hidden(shown) | wrong)
        assert (answer.status_code, event.entries.count()) == (400, 4)


def test_long_file_is_imported_by_a_job(desk, event):
    names = "".join(f"Guest {number}\n" for number in range(MOST_AT_ONCE + 1))
    shown = send(desk, event, f"name\n{names}?!\n".encode())
    answer = desk.post(address(event, "import-entries"), hidden(shown))
    job = Job.objects.get()
    assert (answer.url, job.kind) == (job.get_absolute_url(), "import")
    run_job(job.pk, clock=lambda: AT)
    assert event.entries.count() == 4 + MOST_AT_ONCE + 1


def test_job_whose_preview_is_no_longer_true_enters_nobody(desk, event):
    names = "".join(f"Guest {number}\n" for number in range(MOST_AT_ONCE + 1))
    shown = send(desk, event, f"name\n{names}".encode())
    desk.post(address(event, "import-entries"), hidden(shown))
    add_entries(event, lines=[EntryLine(name="Guest 7")], **WHO)
    run_job(Job.objects.get().pk, clock=lambda: AT)
    assert (Job.objects.get().state, event.entries.count()) == ("refused", 5)


def table(answer) -> dict[str, str]:
    """The fields of the table, by name."""
    fields = re.findall(r'<input id="[\w-]+" name="((?:seed|family)-\d+)" value="([^"]*)"', answer.content.decode())
    return {name: html.unescape(value) for name, value in fields}


def test_seeds_and_families_are_saved_as_one_table(desk, event):
    page = desk.get(address(event, "seeding"))
    one, two = (event.entries.get(number=number).pk for number in (1, 2))
    fields = table(page) | {f"seed-{one}": "2", f"seed-{two}": "1", f"family-{two}": "Berg"}
    rows = event.log.count()
    answer = desk.post(address(event, "seeding"), {**fields, **hidden(page)})
    assert answer.status_code == 302
    assert list(event.entries.order_by("number").values_list("seed", "family")) == [
        (2, ""),
        (1, "Berg"),
        (None, ""),
        (None, ""),
    ]
    assert event.log.count() == rows + 1


def test_everything_typed_comes_back_with_an_error_in_each_row(desk, event):
    page = desk.get(address(event, "seeding"))
    one, two, three = (event.entries.get(number=number).pk for number in (1, 2, 3))
    typed = table(page) | {f"seed-{one}": "first", f"seed-{two}": "1", f"family-{three}": "Berg"}
    answer = desk.post(address(event, "seeding"), {**typed, **hidden(page)})
    assert (answer.status_code, table(answer)) == (400, typed)
    assert re.findall(r'id="error-(\d+)">([^<]*)<', text_of(answer)) == [(str(one), "“first” is not a seed.")]
    typed |= {f"seed-{one}": "1"}
    answer = desk.post(address(event, "seeding"), {**typed, **hidden(answer)})
    assert (answer.status_code, table(answer)) == (400, typed)
    assert re.findall(r'id="error-(\d+)">([^<]*)<', text_of(answer)) == [
        (str(one), "Player 1: seed 1 is also that of Player 2."),
        (str(two), "Player 2: seed 1 is also that of Player 1."),
    ]
    assert not event.entries.filter(seed__isnull=False).exists()


def test_conflict_names_the_rows_keeps_what_was_typed_and_can_be_saved_again(desk, event):
    page = desk.get(address(event, "seeding"))
    one, two = (event.entries.get(number=number) for number in (1, 2))
    typed = table(page) | {f"seed-{one.pk}": "1", f"seed-{two.pk}": "2"}
    seed_entry(one, seed=9, **WHO)
    seed_entry(event.entries.get(number=4), seed=4, **WHO)
    answer = desk.post(address(event, "seeding"), {**typed, **hidden(page)})
    assert (answer.status_code, table(answer)) == (409, typed)
    assert re.findall(r'id="error-(\d+)">([^<]*)<', text_of(answer)) == [
        (str(one.pk), "Somebody else has changed Player 1 meanwhile: seed 9.")
    ]
    assert desk.post(address(event, "seeding"), {**typed, **hidden(answer)}).status_code == 302
    # Player 4, whose row was not edited, keeps what somebody else gave them.
    assert list(event.entries.order_by("number").values_list("seed", flat=True)) == [1, 2, None, 4]


def test_removed_entry_is_named_above_the_table(desk, event):
    page = desk.get(address(event, "seeding"))
    gone = event.entries.get(number=3)
    typed = table(page) | {f"seed-{gone.pk}": "1"}
    remove_entry(gone, **WHO)
    answer = desk.post(address(event, "seeding"), {**typed, **hidden(page)})
    assert answer.status_code == 409
    assert "An entry of this table has been removed meanwhile." in text_of(answer)
    assert f"seed-{gone.pk}" not in table(answer)


def test_table_of_an_event_that_is_drawn_says_so(desk, event):
    page = desk.get(address(event, "seeding"))
    make_draw(event, **WHO)
    assert "The draw has been made" in text_of(desk.get(address(event, "seeding")))
    assert desk.post(address(event, "seeding"), {**table(page), **hidden(page)}).status_code == 409


def test_table_and_list_are_searched_without_scripts_by_folded_letters(desk, director):
    event = build_event(director, players=0, drawn=False)
    add_entries(event, lines=[EntryLine(name="Åse Lund"), EntryLine(name="Bo Madsen", line=2)], **WHO)
    for name in ("seeding", "entries"):
        text = text_of(desk.get(address(event, name), {"q": "ase"}))
        assert ("Åse Lund" in text, "Bo Madsen" in text) == (True, False)
    page = desk.get(address(event, "seeding"), {"q": "ase"})
    fields = {name: "1" if name.startswith("seed") else value for name, value in table(page).items()}
    desk.post(address(event, "seeding") + "?q=ase", {**fields, **hidden(page)})
    assert dict(event.entries.values_list("player__name", "seed")) == {"Åse Lund": 1, "Bo Madsen": None}


def test_team_is_found_by_a_member(client, director):
    event = build_event(director, players=3, boards=3, drawn=False)
    text = text_of(client.get(address(event, "entries"), {"q": "carl 2"}))
    assert ("Team 2" in text, "Team 3" in text) == (True, False)


def test_table_for_a_full_event_is_accepted(desk, director):
    event = build_event(director, players=0, drawn=False)
    lines = [EntryLine(name=f"Guest {number}", line=number) for number in range(1, 601)]
    add_entries(event, lines=lines, **WHO)
    page = desk.get(address(event, "seeding"))
    last = event.entries.get(number=600).pk
    assert desk.post(address(event, "seeding"), {**table(page), **hidden(page), f"seed-{last}": "1"}).status_code == 302
    assert event.entries.get(pk=last).seed == 1


def test_selected_entries_are_removed_after_one_question_with_their_names(desk, event):
    ids = [str(event.entries.get(number=number).pk) for number in (2, 3)]
    assert text_of(desk.get(address(event, "entries"))).count('name="entry"') == 4
    question = desk.post(address(event, "remove-entries"), {"entry": ids})
    text = text_of(question)
    assert question.status_code == 200
    assert "Remove 2 entries?" in text
    assert ("<li>Player 2</li>" in text, "<li>Player 3</li>" in text) == (True, True)
    assert event.entries.count() == 4
    assert desk.post(address(event, "remove-entries"), hidden(question)).status_code == 302
    assert list(event.entries.order_by("number").values_list("number", flat=True)) == [1, 4]


def test_selection_after_the_draw_or_of_nobody_is_refused(desk, event):
    assert desk.post(address(event, "remove-entries"), {"entry": ["x", "9" * 30]}).status_code == 400
    ids = [str(entry.pk) for entry in event.entries.all()[:2]]
    question = desk.post(address(event, "remove-entries"), {"entry": ids})
    make_draw(event, **WHO)
    answer = desk.post(address(event, "remove-entries"), hidden(question))
    assert (answer.status_code, event.entries.count()) == (409, 4)
    assert 'name="entry"' not in text_of(desk.get(address(event, "entries")))


def test_single_removal_is_asked_once(desk, event):
    entry = event.entries.get(number=1)
    assert not asks_by_script(desk.get(address(event, "entry", entry.pk)), address(event, "remove-entry", entry.pk))
    question = desk.post(address(event, "remove-entry", entry.pk))
    assert ("Remove Player 1 from the event?" in text_of(question), event.entries.count()) == (True, 4)
    desk.post(address(event, "remove-entry", entry.pk), hidden(question))
    assert event.entries.count() == 3


def test_everybody_missing_is_checked_in_with_one_button(desk, event):
    text = text_of(desk.get(address(event, "entries")))
    assert "Check in all (4)" in " ".join(text.split())
    desk.post(address(event, "check-in-all"))
    assert event.entries.filter(checked_in_at__isnull=True).count() == 0
    assert "Check in all" not in text_of(desk.get(address(event, "entries")))
    undo = desk.post(address(event, "undo", event.log.first().pk))
    assert (undo.status_code, event.entries.filter(checked_in_at__isnull=True).count()) == (302, 4)


WAYS = [
    ({"kind": "no-show"}, "Mark {} as a no-show?"),
    ({"kind": "withdrawn", "how": "now"}, "Withdraw {} now?"),
    ({"kind": "disqualified", "reason": "Shouted"}, "Disqualify {}?"),
]


@pytest.mark.parametrize(("said", "title"), WAYS)
def test_departure_is_asked_once_with_who_gets_the_walkover(desk, director, said, title):
    event = build_event(director, players=4)
    fixture = fixture_of(event, "M1-1")
    page = desk.get(address(event, "entry", fixture.entry_a_id))
    assert not asks_by_script(page, address(event, "door-leave", fixture.entry_a_id))
    question = desk.post(address(event, "door-leave", fixture.entry_a_id), said)
    text = " ".join(text_of(question).split())
    assert question.status_code == 200
    assert title.format(fixture.entry_a.name) in text
    assert f"{fixture.entry_b.name} gets a walkover in M1-1." in text
    assert "Opponents who are still to come get a walkover." in text
    assert not event.entries.filter(left_at__isnull=False).exists()
    answer = desk.post(address(event, "door-leave", fixture.entry_a_id), hidden(question))
    assert answer.status_code == 302
    assert event.entries.get(left_at__isnull=False).left_kind == said["kind"]


def test_question_whose_answer_has_changed_is_asked_again(desk, director):
    event = build_event(director, players=4)
    fixture = fixture_of(event, "M1-1")
    question = desk.post(address(event, "door-leave", fixture.entry_a_id), {"kind": "withdrawn", "how": "now"})
    leave_event(fixture.entry_b, kind="no-show", **WHO)
    again = desk.post(address(event, "door-leave", fixture.entry_a_id), hidden(question))
    assert (again.status_code, event.entries.filter(left_at__isnull=False).count()) == (409, 1)
    assert "Something has changed since you were asked." in text_of(again)
    desk.post(address(event, "door-leave", fixture.entry_a_id), hidden(again))
    assert event.entries.filter(left_at__isnull=False).count() == 2


def test_absent_entries_are_asked_about_once_by_name(desk, event):
    set_door(event, max_entries=4, check_in=True, late_minutes=None, **WHO)
    add_entries(event, lines=[EntryLine(name="Five")], **WHO)
    assert not asks_by_script(desk.get(address(event, "entries")), address(event, "leave-out-absent"))
    question = desk.post(address(event, "leave-out-absent"))
    text = " ".join(text_of(question).split())
    assert text.count("<li>Player ") == 4
    assert "Five moves up from the waiting list." in text
    assert not event.entries.filter(left_at__isnull=False).exists()
    desk.post(address(event, "leave-out-absent"), hidden(question))
    assert event.entries.filter(left_kind="no-show").count() == 4


@pytest.mark.parametrize("name", ["seeding", "entries"])
def test_pages_take_as_many_queries_for_any_number_of_entries(desk, director, name):
    counted = []
    tournament = None
    for players in (8, 64):
        event = build_event(director, players=players, drawn=False, name=f"Of {players}", tournament=tournament)
        tournament = event.tournament
        desk.get(address(event, name))
        with CaptureQueriesContext(connection) as queries:
            desk.get(address(event, name))
        counted.append(len(queries))
    assert counted[0] == counted[1]
