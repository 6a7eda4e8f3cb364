"""Draws by lots: the chain of links, and the urns opened with them."""

import json
import secrets
from hashlib import sha256

import pytest
from django.db import transaction

from players.errors import Conflict
from rules.score import Side
from tests.builders import (
    AT,
    build_event,
    build_terms,
    build_tournament,
    fixture_of,
    open_matches,
    play_out,
    win,
)
from tournament.audit import audit_event
from tournament.draw import secret
from tournament.draw.document import canonical
from tournament.draw.make import cancel_draw, make_draw
from tournament.draw.standings import store_standings
from tournament.entries.attendance import leave_event
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries
from tournament.events.services import create_event
from tournament.events.stages import add_stage, remove_stage
from tournament.formats import FORMATS
from tournament.log.words import tell
from tournament.models import Departure, DrawChain, Event, Fixture, OpenUrn, Stage
from tournament.snapshot import take_snapshot


def build_lots(director, **terms: object) -> Event:
    """An event whose draw is decided by lots, with a chain of the server's own secret."""
    return build_event(director, seed="", nonce=None, **terms)


def sha(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def scopes(event: Event) -> list[str]:
    return list(OpenUrn.objects.filter(chain__event=event).order_by("chain", "number").values_list("scope", flat=True))


def seats(event: Event) -> list[tuple]:
    return list(event_fixtures(event).values_list("key", "entry_a__number", "entry_b__number"))


def event_fixtures(event: Event):
    return Fixture.objects.filter(stage__event=event).order_by("stage__number", "key")


def differences(event: Event) -> list[str]:
    store_standings(event.pk)
    return [str(difference) for difference in audit_event(event)]


# The chain


def test_a_new_event_has_a_chain_with_a_public_anchor(director):
    event = create_event(build_tournament(director), build_terms(), by=director, at=AT)
    chain = event.draw_chains.get()
    stage = take_snapshot(event.pk).stage
    assert (stage.seed, stage.urns, event.stages.get().seed) == ("", (), "")
    assert stage.anchor == stage.seed_hash == chain.anchor
    assert event.log.get(verb="create_event").detail["anchor"] == chain.anchor


def test_each_draw_reveals_the_link_before_which_everybody_knew(director):
    event = build_lots(director, players=5, drawn=False)
    before = take_snapshot(event.pk).stage
    make_draw(event, by=director, at=AT)
    after = take_snapshot(event.pk).stage
    (urn,) = after.urns
    assert (urn.chain, urn.number, urn.scope, urn.public_value) == (1, 1, "draw", "")
    assert sha(urn.link) == before.anchor == after.anchor
    assert (after.seed, after.seed_hash, before.seed_hash) == (urn.link, sha(urn.link), sha(urn.link))
    assert after.draw_hash == before.draw_hash == urn.digest


def test_the_lots_of_a_draw_are_hashes_of_four_lines(director):
    event = build_lots(director, players=4)
    urn = OpenUrn.objects.get()
    lots = {number: sha(f"{urn.link}\n\n{urn.digest}\n{number}\n") for number in range(1, 5)}
    first, second = event_fixtures(event).filter(round=1)
    drawn = [entry.number for one in (first, second) for entry in (one.entry_a, one.entry_b)]
    assert drawn == sorted(lots, key=lots.get)


def test_the_digest_is_of_a_document_that_tells_what_was_known(director):
    event = build_lots(director, players=3)
    urn = OpenUrn.objects.get()
    document = json.loads(urn.document)
    assert (sha(urn.document), canonical(document)) == (urn.digest, urn.document)
    assert {name: document[name] for name in ("sixprime_draw", "tournament", "event", "stage", "scope", "format")} == {
        "sixprime_draw": 1,
        "tournament": "Friday Club",
        "event": "Main",
        "stage": 1,
        "scope": "draw",
        "format": "single-elimination",
    }
    assert document["entries"][2] == {
        "number": 3,
        "name": "Player 3",
        "seed": None,
        "club": "",
        "country": "",
        "family": "",
        "members": [],
        "lives": 1,
        "presence": [1],
        "bye_taken": 0,
        "shares": [],
    }
    assert event.stages.get().draw_hash == urn.digest


def test_the_secret_of_the_server_is_needed_for_a_link(director, settings):
    event = build_lots(director, players=4, drawn=False)
    settings.SECRET_KEY = secrets.token_hex(20)
    chain = event.draw_chains.get()
    assert secret.reveal_link(chain, 1, chain.anchor) is None


def test_a_secret_that_was_replaced_still_gives_the_chain(director, settings):
    event = build_lots(director, players=4, drawn=False)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = secrets.token_hex(20)
    make_draw(event, by=director, at=AT)
    assert (DrawChain.objects.count(), sha(OpenUrn.objects.get().link)) == (1, event.draw_chains.get().anchor)


def test_a_lost_secret_begins_a_new_chain_which_is_public(director, settings):
    event = build_lots(director, players=4, drawn=False)
    settings.SECRET_KEY = secrets.token_hex(20)
    make_draw(event, by=director, at=AT)
    first, second = event.draw_chains.order_by("number")
    stage = take_snapshot(event.pk).stage
    assert (stage.urns[0].chain, stage.urns[0].number, sha(stage.seed)) == (2, 1, second.anchor)
    assert stage.anchor == second.anchor != first.anchor
    row = event.log.get(verb="begin_chain")
    assert (row.detail, row.actor) == ({"chain": 2, "anchor": second.anchor}, None)
    assert tell(row).startswith("Chain 2 begun: the secret of the one before it was lost")
    assert differences(event) == []


def test_a_used_up_chain_is_followed_by_a_new_one(director, monkeypatch):
    monkeypatch.setattr("tournament.draw.lots.LENGTH", 1)
    monkeypatch.setattr("tournament.draw.secret.LENGTH", 1)
    monkeypatch.setattr("tournament.draw.lots.anchor_of", lambda nonce: secret.anchor_of(nonce, 1))
    event = build_lots(director, players=4)
    cancel_draw(event, by=director, at=AT)
    make_draw(event, by=director, at=AT)
    assert list(OpenUrn.objects.order_by("pk").values_list("chain__number", "number")) == [(1, 1), (2, 1)]
    assert differences(event) == []


def test_the_chain_of_a_demonstration_is_the_same_everywhere(director, settings):
    drawn = []
    for key in ("one", "two"):
        settings.SECRET_KEY = key
        event = create_event(
            build_tournament(director, key), build_terms(), nonce=f"{secret.OPEN_NONCE}7", by=director, at=AT
        )
        drawn.append(event.draw_chains.get().anchor)
    assert drawn[0] == drawn[1]


# Draws taken back


def test_a_draw_taken_back_stays_listed_and_the_next_uses_the_next_link(director):
    event = build_lots(director, players=6)
    first = take_snapshot(event.pk).stage
    cancel_draw(event, by=director, at=AT)
    between = take_snapshot(event.pk).stage
    make_draw(event, by=director, at=AT)
    second = take_snapshot(event.pk).stage
    assert (between.seed, between.seed_hash, between.urns) == ("", first.seed, ())
    assert (second.urns[0].number, sha(second.seed), second.anchor) == (2, first.seed, first.anchor)
    urns = OpenUrn.objects.order_by("number").values_list("number", "scope", "cancelled_at")
    assert list(urns) == [(1, "draw", AT), (2, "draw", None)]
    assert event.log.get(verb="cancel_draw").detail["urns"][0]["link"] == first.seed
    assert differences(event) == []


def test_the_urns_of_a_stage_that_is_removed_stay(director):
    event = build_lots(director, players=4)
    last = {"format": "single-elimination", "options": {"lengths": [3]}, "qualifiers": 2}
    add_stage(event, **last, by=director, at=AT)
    play_out(event)
    make_draw(event, by=director, at=AT)
    cancel_draw(event, by=director, at=AT)
    remove_stage(event, number=2, by=director, at=AT)
    assert list(OpenUrn.objects.order_by("number").values_list("scope", "stage__number")) == [
        ("draw", 1),
        ("qualifiers", None),
        ("draw", None),
    ]
    assert differences(event) == []


def test_a_refused_draw_opens_no_urn(director):
    event = build_lots(director, players=1, drawn=False)
    with pytest.raises(Exception, match="entrants"):
        make_draw(event, by=director, at=AT)
    assert not OpenUrn.objects.exists()


def test_a_draw_that_was_cut_short_has_used_no_link(director):
    event = build_lots(director, players=4, drawn=False)
    with pytest.raises(Conflict):
        draw_and_die(event)
    assert (scopes(event), seats(event)) == ([], [])
    make_draw(event, by=director, at=AT)
    make_draw(event, by=director, at=AT)
    assert list(OpenUrn.objects.values_list("number", "scope")) == [(1, "draw")]


@transaction.atomic
def draw_and_die(event: Event) -> None:
    make_draw(event, by=None, at=AT)
    raise Conflict("killed", "Killed on the way.")


# Rounds and stages


def test_each_round_of_a_swiss_has_an_urn_opened_when_it_is_paired(director):
    event = build_lots(director, players=6, format="swiss", options={"rounds": 3})
    assert scopes(event) == ["round 1"]
    first, *others = open_matches(event)
    for match in others:
        win(match, Side.A)
    assert scopes(event) == ["round 1"]
    win(first, Side.B)
    assert scopes(event) == ["round 1", "round 2"]
    play_out(event)
    assert scopes(event) == ["round 1", "round 2", "round 3"]
    links = list(OpenUrn.objects.order_by("number").values_list("link", flat=True))
    assert [sha(link) for link in links] == [event.draw_chains.get().anchor, *links[:-1]]
    assert differences(event) == []


@pytest.mark.parametrize("format", sorted(FORMATS.keys() - {"jackpot", "lives-bracket"}))
def test_an_event_by_lots_is_played_to_its_end(director, format):
    event = build_lots(director, players=9, format=format)
    play_out(event)
    assert differences(event) == []


def test_pairings_in_a_continuous_event_are_not_known_before_they_are_made(director):
    event = build_lots(director, players=8, format="swiss-lives", options={"lives": 2, "mode": "continuous"})
    while matches := open_matches(event):
        win(matches[0], Side.A)
        rounds = set(event_fixtures(event).values_list("round", flat=True))
        assert scopes(event) == [f"round {number}" for number in sorted(rounds)]
    assert len(scopes(event)) > 2
    assert differences(event) == []


def test_a_jackpot_opens_an_urn_when_it_is_full(director):
    event = build_lots(director, players=3, format="jackpot", options={"size": "4"})
    assert scopes(event) == ["draw"]
    add_entries(event, lines=[EntryLine(name=f"Late {n}", line=n) for n in range(1, 7)], by=director, at=AT)
    assert scopes(event) == ["draw", "jackpot A", "jackpot B"]
    assert differences(event) == []


def test_qualifiers_and_the_second_stage_have_urns_of_their_own(director):
    event = build_lots(director, players=6, format="round-robin")
    last = {"format": "single-elimination", "options": {"lengths": [3]}, "qualifiers": 4}
    add_stage(event, **last, by=director, at=AT)
    play_out(event)
    known = take_snapshot(event.pk).at_stage(2).stage
    make_draw(event, by=director, at=AT)
    stage = take_snapshot(event.pk).at_stage(2).stage
    assert [urn.scope for urn in stage.urns] == ["qualifiers", "draw"]
    assert sha(stage.seed) == known.seed_hash == stage.seed_hash
    play_out(event)
    assert differences(event) == []


def test_a_late_entry_draws_its_bye_from_an_urn_of_its_own(director):
    event = build_lots(director, players=12)
    before = {key: pair for key, *pair in seats(event)}
    (late,) = add_entries(event, lines=[EntryLine(name="Late", line=1)], by=director, at=AT)
    assert scopes(event) == ["draw", "late 13"]
    urn = OpenUrn.objects.get(scope="late 13")
    byes = [int(key.removeprefix("M1-")) for key, (_a, b) in before.items() if key.startswith("M1-") and b is None]
    assert len(byes) == 4
    assert late.bye_taken == min(byes, key=lambda bye: sha(f"{urn.link}\n\n{urn.digest}\npairing {bye}\n"))
    assert differences(event) == []


def test_lots_are_drawn_among_the_byes_that_move_nobody_if_there_are_any(director):
    event = build_lots(director, players=5)
    (played,) = [int(key[3:]) for key, a, b in seats(event) if key.startswith("M1-") and None not in (a, b)]
    beside = played + 1 if played % 2 else played - 1
    for name, number, byes in (("Late", 6, [beside]), ("Later", 7, sorted({1, 2, 3, 4} - {played, beside}))):
        add_entries(event, lines=[EntryLine(name=name, line=1)], by=director, at=AT)
        assert json.loads(OpenUrn.objects.get(scope=f"late {number}").document)["byes"] == byes
    assert differences(event) == []


def test_two_absent_players_draw_lots_for_the_consolation(director):
    event = build_lots(director, players=4, format="consolation")
    fixture = fixture_of(event, "M1-1")
    leave_event(fixture.entry_a, kind=Departure.NO_SHOW, by=director, at=AT)
    assert scopes(event) == ["draw"]
    fixture = fixture_of(event, "M1-2")
    for entry in (fixture.entry_a, fixture.entry_b):
        leave_event(entry, kind=Departure.WITHDRAWN, only_main=True, by=director, at=AT)
    assert scopes(event)[:1] == ["draw"]
    assert differences(event) == []


def test_a_draw_from_a_seed_stays_as_it_was_and_its_next_draw_is_by_lots(director):
    event = build_event(director, players=4)
    assert not OpenUrn.objects.exists()
    stage = take_snapshot(event.pk).stage
    assert (stage.anchor, stage.urns, sha(stage.seed)) == ("", (), stage.seed_hash)
    cancel_draw(event, by=director, at=AT)
    make_draw(event, by=director, at=AT)
    assert (scopes(event), Stage.objects.get().seed) == (["draw"], "")
    assert differences(event) == []
