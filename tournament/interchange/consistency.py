"""What must hold within one object of an event file, or between it and those around it, before anything is planned."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from rules.errors import gettext_noop
from tournament.formats import FORMATS, parse_options
from tournament.formats.editions import EDITION
from tournament.formats.errors import PlanError
from tournament.formats.unplayed import UNPLAYED
from tournament.interchange.faults import Fault, at, shown
from tournament.interchange.read import Document
from tournament.interchange.sheets import terms_before_rulings

Member = Mapping[str, Any]

PLACEHOLDER = re.compile(r"%\((\w+)\)s|%%")


def check_consistency(document: Document) -> Iterator[Fault]:
    """Check each event of the file, whose references have been checked."""
    for index, event in enumerate(document["events"]):
        yield from _check_event(event, at("", "events", index), is_drawn=document["profile"] == "event")


def _fault(code: str, pointer: str, template: str, **params: object) -> Fault:
    return Fault(code, pointer, template, params)


def _check_event(event: Member, pointer: str, *, is_drawn: bool) -> Iterator[Fault]:
    yield from _check_entrants(event, pointer)
    yield from _check_closings(event["draw"], at(pointer, "draw"))
    yield from _check_urns(event["draw"], at(pointer, "draw"))
    people = {entrant["number"]: entrant["people"] for entrant in event["entrants"]}
    for index, stage in enumerate(event["stages"]):
        place = at(pointer, "stages", index)
        yield from _check_stage(stage, place) if is_drawn else _check_undrawn(stage, place)
        yield from _check_hand(stage, place)
        seen: set[tuple[object, ...]] = set()
        for number, pairing in enumerate(stage["pairings"]):
            inner = at(place, "pairings", number)
            where = pairing["bracket"], pairing["round"], pairing["number"]
            if where in seen:
                yield _fault("place_taken", inner, gettext_noop("Another pairing has this place in the draw."))
            seen.add(where)
            yield from _check_pairing(event, pairing, people, inner)
            yield from _check_deadline(stage, pairing, inner)


def _check_entrants(event: Member, pointer: str) -> Iterator[Fault]:
    boards, is_doubles = event["rules"]["boards"], event["rules"]["doubles"]
    taken: set[tuple[object, ...]] = set()
    byes: set[int] = set()
    for index, entrant in enumerate(event["entrants"]):
        place, people = at(pointer, "entrants", index), entrant["people"]
        least = boards if boards > 1 else 2 if is_doubles else 1
        if len(people) < least or (boards == 1 and len(people) > least) or len(set(people)) != len(people):
            yield _fault(
                "people_of_entrant",
                at(place, "people"),
                gettext_noop("An entrant of this event has %(count)s different people, a team reserves besides."),
                count=least,
            )
        if bool(entrant["team"]) != (boards > 1):
            yield _fault("team_name", at(place, "team"), gettext_noop("A team has a name, and nobody else has one."))
        keys: set[tuple[object, ...]] = {("person", people[0], entrant["reentry"])}
        if entrant["team"]:
            keys.add(("team", entrant["team"], entrant["reentry"]))
        if keys & taken:
            yield _fault("entry_twice", place, gettext_noop("The same player or team is entered twice."))
        taken |= keys
        if entrant["waiting"] and (entrant["left"] is not None or entrant["bye_taken"]):
            yield _fault(
                "waits_or_plays",
                at(place, "waiting"),
                gettext_noop("A waiting entrant has neither played nor left."),
            )
        if entrant["bye_taken"] and entrant["bye_taken"] in byes:
            yield _fault("bye_taken_twice", at(place, "bye_taken"), gettext_noop("Another late entry took this bye."))
        byes.add(entrant["bye_taken"])


def _check_closings(draw: Member, pointer: str) -> Iterator[Fault]:
    if sum(one["voided_at"] is None for one in draw["closings"]) > 1:
        yield _fault("closing_twice", at(pointer, "closings"), gettext_noop("Only one closing of entries can stand."))
    for index, one in enumerate(draw["closings"]):
        is_drand = one["source"] == "drand"
        holds = (
            bool(one["value"]) == (one["known_at"] is not None)
            and (one["drand_round"] is not None) == is_drand
            and (is_drand or not one["signature"])
            and (one["source"] == "dice" or not one["dice"])
            and (one["voided_at"] is not None or not one["void_reason"])
        )
        if not holds:
            yield _fault(
                "closing_incomplete",
                at(pointer, "closings", index),
                gettext_noop(
                    "A closing has what its source gives, a value once it is known, a reason once it is void."
                ),
            )


def _check_urns(draw: Member, pointer: str) -> Iterator[Fault]:
    standing: set[tuple[int, str]] = set()
    for index, urn in enumerate(draw["urns"]):
        if urn["stage"] is None or urn["cancelled_at"] is not None:
            continue
        if (urn["stage"], urn["scope"]) in standing:
            yield _fault(
                "urn_twice",
                at(pointer, "urns", index, "scope"),
                gettext_noop("Another link has the lots of “%(scope)s” too."),
                scope=urn["scope"],
            )
        standing.add((urn["stage"], urn["scope"]))


def _check_stage(stage: Member, pointer: str) -> Iterator[Fault]:
    if stage["format"] not in FORMATS:
        yield _unknown_format(stage, pointer)
        return
    try:
        parse_options(stage["format"], stage["options"])
    except PlanError as error:
        yield Fault(error.code, at(pointer, "options"), error.template, error.params)
    if (stage["number"] > 1) != (stage["qualifiers"] is not None):
        yield _fault(
            "qualifiers_of_stage",
            at(pointer, "qualifiers"),
            gettext_noop("The first stage has no qualifiers; every later one says how many go on to it."),
        )
    is_drawn = stage["drawn_at"] is not None
    if not (is_drawn <= (1 <= stage["edition"] <= EDITION)) or (not is_drawn and stage["edition"]):
        yield _fault(
            "edition_unknown",
            at(pointer, "edition"),
            gettext_noop("A stage that is drawn names the edition of its rules, 1 to %(most)s; any other has 0."),
            most=EDITION,
        )
    for index, note in enumerate(stage["notes"]):
        yield from check_sentence(note, at(pointer, "notes", index))


def _check_undrawn(stage: Member, pointer: str) -> Iterator[Fault]:
    """Check a stage of which only results are told: nothing in it says how it was drawn."""
    if stage["format"] and stage["format"] not in FORMATS:
        yield _unknown_format(stage, pointer)
    if stage["drawn_at"] is not None or stage["edition"] or stage["draw_hash"] or stage["seed"]:
        yield _fault(
            "results_with_draw",
            at(pointer, "drawn_at"),
            gettext_noop("A file of results has nothing of a draw: with it the profile is “event”."),
        )


def _unknown_format(stage: Member, pointer: str) -> Fault:
    return _fault(
        "format_unknown",
        at(pointer, "format"),
        gettext_noop("This program has no format “%(format)s”."),
        format=shown(stage["format"]),
    )


def check_sentence(reason: Member, pointer: str) -> Iterator[Fault]:
    """Check that the template of a reason can be filled from its params, and asks for nothing else."""
    template, params = reason["template"], reason["params"]
    named = {name for name in PLACEHOLDER.findall(template) if name}
    if "%" in PLACEHOLDER.sub("", template) or not named <= set(params):
        yield _fault(
            "sentence_incomplete",
            at(pointer, "template"),
            gettext_noop("The sentence names what its params do not give."),
        )


def _check_hand(stage: Member, pointer: str) -> Iterator[Fault]:
    for index, move in enumerate(stage["moves"]):
        is_swap = move["kind"] == "swap"
        fits = move["b"] is not None and move["round"] == 0 if is_swap else move["round"] >= 1
        if not fits or move["a"] == move["b"]:
            yield _fault(
                "move_impossible",
                at(pointer, "moves", index),
                gettext_noop("A swap is of two entrants and no round, a pairing of a round."),
            )
    for name, (one, other) in {"challenges": ("challenger", "challenged"), "play_offs": ("winner", "loser")}.items():
        met: set[frozenset[int]] = set()
        for index, row in enumerate(stage[name]):
            two = frozenset((row[one], row[other]))
            if len(two) == 1 or (name == "play_offs" and two in met):
                yield _fault(
                    "entrants_differ", at(pointer, name, index), gettext_noop("Two different entrants meet, and once.")
                )
            met.add(two)


def _check_pairing(event: Member, pairing: Member, people: Mapping[int, list[str]], pointer: str) -> Iterator[Fault]:
    yield from check_sentence(pairing["why"], at(pointer, "why"))
    a, b = pairing["a"], pairing["b"]
    if a is not None and a == b:
        yield _fault("entrants_differ", at(pointer, "b"), gettext_noop("Two different entrants meet, and once."))
    for side in ("a", "b"):
        if pairing[side] is None and not pairing[f"{side}_from"]:
            yield _fault(
                "seat_empty", at(pointer, side), gettext_noop("A seat has an entrant, or says who will fill it.")
            )
    boards = event["rules"]["boards"]
    is_ready = a is not None and b is not None
    expected = [] if not is_ready else [0] if boards == 1 else list(range(1, boards + 1))
    if [match["board"] for match in pairing["matches"]] != expected:
        yield _fault(
            "boards_of_pairing",
            at(pointer, "matches"),
            gettext_noop(
                "Two entrants have one match, with board 0; two teams one on each board; nobody else has any."
            ),
        )
        return
    for index, match in enumerate(pairing["matches"]):
        yield from _check_seats(event, pairing, match, people, at(pointer, "matches", index))


def _check_deadline(stage: Member, pairing: Member, pointer: str) -> Iterator[Fault]:
    """Check what follows from deadlines: of single pairings, and in matches that nobody began in time."""
    has_deadlines = stage["format"] in FORMATS and UNPLAYED in FORMATS[stage["format"]].fields
    extended_by, offers = pairing.get("extended_by", []), pairing.get("offers", [])
    named = {*extended_by, *(offer["entrant"] for offer in offers)}
    sides = {pairing["a"], pairing["b"]}
    fits = has_deadlines and None not in sides and named <= sides and len(set(extended_by)) == len(extended_by)
    if not fits and ("play_by" in pairing or named):
        yield _fault(
            "deadline_of_others",
            pointer,
            gettext_noop(
                "Only two who meet, in a format with deadlines, have one of their own; each extends it once, and only "
                "they offer to play."
            ),
        )
    for index, match in enumerate(pairing["matches"]):
        is_unplayed = "unplayed_by" in (match["sheet"] or ())
        if is_unplayed and not (has_deadlines and match["outcome"] in ("walkover", "void")):
            yield _fault(
                "unplayed_otherwise",
                at(pointer, "matches", index, "sheet", "unplayed_by"),
                gettext_noop(
                    "Only a walkover or a void match, in a format with deadlines, is one that nobody began in time."
                ),
            )


def _check_seats(
    event: Member, pairing: Member, match: Member, people: Mapping[int, list[str]], pointer: str
) -> Iterator[Fault]:
    for side in ("a", "b"):
        own = people[pairing[side]]
        if match[side] != own if match["board"] == 0 else (len(match[side]) > 1 or match[side][0] not in own):
            yield _fault(
                "seat_of_others", at(pointer, side), gettext_noop("Those who play are the people of the entrant.")
            )
    if set(match["a"]) & set(match["b"]):
        yield _fault("entrants_differ", at(pointer, "b"), gettext_noop("Two different entrants meet, and once."))
    if max(match["start"]) >= match["length"]:
        yield _fault("start_invalid", at(pointer, "start"), gettext_noop("A match starts below its length."))
    drawn = {
        "length": pairing["length"],
        "rules": event["rules"]["profile"],
        "crawford": event["rules"]["crawford"],
    }
    for name, value in {"rules": match["rules"], "crawford": match["crawford"], **terms_before_rulings(match)}.items():
        if name in drawn and value != drawn[name]:
            yield _fault(
                "terms_differ",
                at(pointer, name),
                gettext_noop("The draw says “%(drawn)s”; only a ruling changes the terms of a match."),
                drawn=shown(drawn[name]),
            )
    advance = match["advance"]
    if advance is not None and advance["entrant"] not in (pairing["a"], pairing["b"]):
        yield _fault(
            "advance_of_others",
            at(pointer, "advance", "entrant"),
            gettext_noop("Only one of the two who met goes on from a match."),
        )
    for index, ruling in enumerate(match["rulings"]):
        yield from check_sentence(ruling["why"], at(pointer, "rulings", index, "why"))
