"""Event files that were changed: refused with a place and a reason, and then nothing is stored."""

import json
from random import Random

import pytest
from django.db import transaction

from matches.models import Match
from players.errors import Conflict, Refusal
from players.models import Club, Player
from rules.score import Side
from tests.builders import AT, build_event, open_matches, win
from tests.tournament.interchange.test_form import change
from tests.tournament.transfer.mutations import mutated, resolves, signed
from tests.tournament.transfer.round_trip import exported
from tournament.interchange.adapters.known import convert
from tournament.interchange.adapters.results import Given
from tournament.interchange.canonical import canonical
from tournament.models import Event, LogEntry, Tournament
from tournament.transfer.export import export_bytes
from tournament.transfer.judge import judge
from tournament.transfer.load import import_event_file

pytestmark = pytest.mark.django_db

STAGE = "/events/0/stages/0"


@pytest.fixture
def document(director):
    event = build_event(director, players=5, seed="")
    win(open_matches(event)[0], Side.A, by=director)
    return json.loads(exported(event))


def stored() -> list[int]:
    return [model.objects.count() for model in (Tournament, Event, Player, Club, Match, LogEntry)]


def test_a_changed_file_is_refused_with_its_place_and_nothing_is_stored(document):
    """``script/bench event_files`` tries ten thousand."""
    Tournament.everything.update(slug="moved-away")
    before, refused = stored(), []
    for number in range(30):
        changed = mutated(document, Random(number))
        try:
            with transaction.atomic():
                import_event_file(signed(changed), by=None, at=AT)
                transaction.set_rollback(True)
        except Refusal as refusal:
            refused.append((str(refusal) != "", resolves(changed, refusal.field)))
    assert stored() == before
    assert set(refused) == {(True, True)}
    assert len(refused) > 20


@pytest.mark.parametrize(
    ("pointer", "value", "place", "code"),
    [
        (f"{STAGE}/pairings/0/number", 7, f"{STAGE}/pairings/0/number", "derived_differs"),
        (f"{STAGE}/pairings/0/why/template", "Because.", f"{STAGE}/pairings/0/why", "derived_differs"),
        (f"{STAGE}/draw_hash", "0" * 64, f"{STAGE}/draw_hash", "draw_hash_wrong"),
        ("/events/0/draw/urns/0/link", "0" * 64, "/events/0/draw/urns/0/link", "link_wrong"),
        ("/events/0/draw/urns/0/document", "{}", "/events/0/draw/urns/0/entries_hash", "digest_of_document_wrong"),
        ("/events/0/draw/urns", [], STAGE, "urn_missing"),
        (f"{STAGE}/standings/0/place", 2, f"{STAGE}/standings/0/place", "derived_differs"),
        ("/events/0/id", "log", "/events/0/id", "id_reserved"),
        ("/events/0/tiebreaks", ["luck"], "/events/0", "tiebreak_unknown"),
        ("/people/0/name", "  Anna", "/people/0/name", "name_untidy"),
        ("/people/0/name", "--", "/people/0/name", "name_empty"),
        ("/tournament/time_zone", "Mars/Olympus", "/tournament/time_zone", "time_zone_unknown"),
        ("/tournament/ends_on", "2026-03-01", "/tournament/ends_on", "last_day_before_first"),
    ],
)
def test_what_the_draw_and_the_services_refuse_is_named(document, pointer, value, place, code):
    change(document, pointer, value)
    faults = [(fault.pointer, fault.code) for fault in judge(signed(document)).faults]
    assert (place, code) in faults


def test_a_missing_pairing_and_a_swapped_one_are_named(document):
    pairings = document["events"][0]["stages"][0]["pairings"]
    gone = pairings.pop()
    document["events"][0]["stages"][0]["standings"] = []
    for pairing in pairings:
        for side in ("winner_to", "loser_to"):
            pairing[side] = None if pairing[side] == gone["id"] else pairing[side]
    codes = {fault.code for fault in judge(signed(document)).faults}
    assert codes == {"pairing_missing"}


def test_a_tournament_whose_address_is_taken_is_not_imported(document):
    before = stored()
    with pytest.raises(Conflict) as error:
        import_event_file(signed(document), by=None, at=AT)
    assert error.value.code == "tournament_exists"
    assert stored() == before


def test_it_is_imported_beside_other_tournaments_and_its_owner_may_direct_it(document, director):
    document["tournament"]["id"] = "another"
    tournament = import_event_file(signed(document), owner=director, by=None, at=AT)
    assert [appointment.user for appointment in tournament.appointments.all()] == [director]
    assert Tournament.objects.count() == 2
    event = tournament.events.get()
    assert event.log.get().verb == "import_event"
    win(open_matches(event)[0], Side.B, by=director)


def test_results_without_their_draw_are_judged_and_not_imported(document):
    document["profile"] = "results"
    assert {fault.code for fault in judge(signed(document)).faults} == {"results_with_draw"}
    data = canonical(
        convert("results-csv", b"player1,player2,score1,score2\nAnna,Bo,5,3\n", Given(name="A", day=AT.date()))
    )
    assert judge(data).holds
    before = stored()
    with pytest.raises(Refusal) as error:
        import_event_file(data, by=None, at=AT)
    assert (error.value.code, error.value.field, stored()) == ("results_not_imported", "/profile", before)


def test_a_file_that_a_visitor_would_wait_for_is_left_to_the_command(document):
    (fault,) = judge(signed(document), most_work=4).faults
    assert fault.code == "event_file_too_long"


def test_the_public_reads_no_reasons_and_no_score_in_dispute(director):
    event = build_event(director, players=4, seed="")
    event.entries.filter(number=1).update(family="Bergs")
    public = export_bytes(event.tournament, [event], with_reasons=False)
    assert b"Bergs" not in public
    assert b"Bergs" in exported(event)
