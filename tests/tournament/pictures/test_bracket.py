import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournament.formats.events import LENGTHS, field, options_of, play_out
from tournament.formats import FORMATS
from tournament.formats.plan import Bye, Draw, Entrant
from tournament.pictures.bracket import (
    PAGE,
    PROJECTED,
    BracketLabels,
    BracketMatch,
    BracketSeat,
    SeatState,
    clip_name,
    draw_bracket,
    place_matches,
    split_bracket,
    window_bracket,
)

SVG = "{http://www.w3.org/2000/svg}"
FORMAT = FORMATS["single-elimination"]
MATCH = BracketMatch(
    key="M1-1",
    round=1,
    number=1,
    length=7,
    a=BracketSeat("Anna", "7", SeatState.WINNER),
    b=BracketSeat("Bo", "5", SeatState.LOSER),
    url="/match/1/",
    state="done",
)
LABELS = BracketLabels("Championship", "A knockout of 2.", ("Final",), ("to 7",))


def parsed(svg):
    return ElementTree.fromstring(svg)  # noqa: S314  (our own drawing)


def seat(value):
    match value:
        case Entrant():
            return BracketSeat(value.name, "", SeatState.PENDING)
        case Bye():
            return BracketSeat("Bye", "", SeatState.BYE)
    return BracketSeat(f"Winner of {value.key}", "", SeatState.PENDING)


def matches_of(plan):
    return [
        BracketMatch(
            key=pairing.key,
            round=pairing.round,
            number=pairing.number,
            length=pairing.length,
            a=seat(pairing.a),
            b=seat(pairing.b),
            url="" if pairing.is_bye else f"/{pairing.key}/",
            state="bye" if pairing.is_bye else "waiting",
            sources=(pairing.feed_a.removeprefix("winner:"), pairing.feed_b.removeprefix("winner:")),
        )
        for pairing in plan.pairings
    ]


def labels_of(plan):
    rounds = plan.pairings[-1].round
    names = tuple(f"Round {number}" for number in range(1, rounds + 1))
    lengths = {pairing.round: f"to {pairing.length}" for pairing in plan.pairings}
    return BracketLabels("Championship", "All matches.", names, tuple(lengths[round] for round in range(1, rounds + 1)))


def corners(element):
    left, top = map(int, element.get("transform").removeprefix("translate(").removesuffix(")").split())
    return left, top


@pytest.mark.parametrize("size", [*range(2, 34), 63, 64, 65, 128, 255, 256, 257, 511, 512])
def test_every_pairing_is_drawn_once_inside_and_apart(size):
    plan = FORMAT.plan(Draw(field(size), LENGTHS, {}, "seed"))
    root = parsed(draw_bracket(matches_of(plan), labels_of(plan)))
    drawn = [element for element in root if element.get("data-key")]
    assert [element.get("data-key") for element in drawn] == [pairing.key for pairing in plan.pairings]
    assert {element.get("href") for element in drawn} - {None} == {
        f"/{pairing.key}/" for pairing in plan.pairings if not pairing.is_bye
    }
    _, _, width, height = map(int, root.get("viewBox").split())
    columns = {}
    for element in drawn:
        left, top = corners(element)
        assert 0 <= left <= width - PAGE.box
        assert 0 <= top <= height - PAGE.box_height
        columns.setdefault(left, []).append(top)
    assert len(columns) == plan.pairings[-1].round
    for tops in columns.values():
        assert tops == sorted(tops)
        assert all(lower - upper > PAGE.box_height for upper, lower in pairwise(tops))


def test_each_match_stands_half_way_between_the_two_that_feed_it():
    plan = FORMAT.plan(Draw(field(16), LENGTHS, {}, "seed"))
    root = parsed(draw_bracket(matches_of(plan), labels_of(plan)))
    tops = {element.get("data-key"): corners(element)[1] for element in root if element.get("data-key")}
    for round in (2, 3, 4):
        for number in range(1, 2 ** (4 - round) + 1):
            feeding = tops[f"M{round - 1}-{2 * number - 1}"] + tops[f"M{round - 1}-{2 * number}"]
            assert 2 * tops[f"M{round}-{number}"] == feeding
    assert len(root.findall(f"{SVG}path[@class='feed']")) == 7


@pytest.mark.parametrize("size", [2, 3, 4])
def test_matches_of_a_group_of_four_stand_apart_although_each_opener_feeds_two(size):
    format = FORMATS["gsl"]
    plan = format.plan(Draw(field(size), options_of(format), {}, "seed"))
    matches = [
        replace(match, sources=tuple(feed.partition(":")[2] for feed in (pairing.feed_a, pairing.feed_b)))
        for match, pairing in zip(matches_of(plan), plan.pairings, strict=True)
    ]
    heights = place_matches(matches)
    places = sorted((match.round, heights[match.key]) for match in matches)
    assert all(other[1] - height >= 2 for (round, height), other in pairwise(places) if other[0] == round)
    parsed(draw_bracket(matches, labels_of(plan)))


def test_finished_bracket_is_well_formed_too():
    plan = FORMAT.plan(play_out(FORMAT, Draw(field(37), LENGTHS)))
    assert parsed(draw_bracket(matches_of(plan), labels_of(plan))).tag == f"{SVG}svg"


def test_order_of_the_pairings_does_not_matter():
    plan = FORMAT.plan(Draw(field(12), LENGTHS, {}, "seed"))
    matches = matches_of(plan)
    assert draw_bracket(matches[::-1], labels_of(plan)) == draw_bracket(matches, labels_of(plan))


def test_match_shows_names_scores_and_states():
    root = parsed(draw_bracket([MATCH], LABELS))
    link = root.find(f"{SVG}a")
    assert (link.get("href"), link.get("class")) == ("/match/1/", "match is-done")
    assert link.get("aria-label") == "M1-1: Anna 7 – Bo 5"
    assert [seat.get("class") for seat in link.findall(f"{SVG}g")] == ["seat is-winner", "seat is-loser"]
    assert [text.text for text in link.iter(f"{SVG}text")] == ["M1-1", "Anna", "7", "Bo", "5"]


def test_headings_name_the_round_and_its_length():
    root = parsed(draw_bracket([MATCH], LABELS))
    assert [(text.get("class"), text.text) for text in root.findall(f"{SVG}text")] == [
        ("heading", "Final"),
        ("length", "to 7"),
    ]


@pytest.mark.parametrize(("url", "role"), [("/match/1/", "group"), ("", "img")])
def test_drawing_has_a_text_alternative(url, role):
    root = parsed(draw_bracket([replace(MATCH, url=url)], LABELS, dom_id="main"))
    assert (root.get("role"), root.get("aria-labelledby"), root.get("aria-describedby")) == (
        role,
        "main-title",
        "main-description",
    )
    texts = {element.get("id"): element.text for element in root if element.get("id", "").startswith("main-")}
    assert texts.pop("main-M1-1") is None
    assert texts == {"main-title": "Championship", "main-description": "A knockout of 2.", "main-clip": None}


def test_drawing_without_matches_is_empty_but_well_formed():
    root = parsed(draw_bracket([], BracketLabels("Championship", "Not drawn.", (), ())))
    assert [element.tag for element in root] == [f"{SVG}title", f"{SVG}desc", f"{SVG}clipPath"]


def test_labels_must_fit_the_rounds():
    with pytest.raises(ValueError, match="1 rounds need as many headings and lengths"):
        draw_bracket([MATCH], replace(LABELS, rounds=("Semifinals", "Final")))


HOSTILE = [
    "<script>alert(1)</script>",
    '" onload="alert(1)',
    "' onload='alert(1)",
    "</text></svg><img src=x>",
    "]]>",
    "&amp; &lt; &#60;",
    "<!--",
    "Null \x00 and bell \x07",
    "half a pair \ud800",
    "\u202egnorw",
    "",
]


def named(text):
    return replace(
        MATCH,
        key=text,
        a=BracketSeat(text, text, SeatState.LIVE),
        b=BracketSeat(text, text, SeatState.BYE),
        url=f"/match/?{text}",
        state=text,
    )


def shape(root):
    return [(element.tag, sorted(element.attrib)) for element in root.iter()]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_text(text):
    labels = BracketLabels(text, text, (text,), (text,))
    root = parsed(draw_bracket([named(text)], labels))
    score = named("7") if text else named("")
    assert shape(root) == shape(parsed(draw_bracket([score], labels)))
    shown = text.replace("\x00", "\ufffd").replace("\x07", "\ufffd").replace("\ud800", "\ufffd")
    assert root.find(f"{SVG}a").findall(f"{SVG}g")[0].find(f"{SVG}title").text == (shown or None)


@given(st.text(max_size=60))
def test_any_name_gives_well_formed_xml_without_style_or_script(name):
    svg = draw_bracket([named(name)], LABELS)
    root = parsed(svg)
    svg.encode()
    for element in root.iter():
        assert element.tag not in {f"{SVG}script", f"{SVG}style"}
        assert not [attribute for attribute in element.attrib if attribute == "style" or attribute.startswith("on")]


@pytest.mark.parametrize(
    ("name", "clipped"),
    [
        ("Anna", "Anna"),
        ("Exactly twenty cells", "Exactly twenty cells"),
        ("Just twenty-one cells", "Just twenty-one cel…"),
        ("Eighteen cells now and more", "Eighteen cells now…"),
        ("バックギャモン選手権", "バックギャモン選手権"),
        ("バックギャモン選手権大会", "バックギャモン選手…"),
        ("e\u0301" * 20, "e\u0301" * 20),
        ("e\u0301" * 21, "e\u0301" * 19 + "…"),
    ],
)
def test_long_names_are_clipped_with_an_ellipsis(name, clipped):
    assert clip_name(name) == clipped


def test_clipped_name_is_still_there_in_full():
    root = parsed(
        draw_bracket([replace(MATCH, a=BracketSeat("Bartholomew Featherstonehaugh", "", SeatState.LIVE))], LABELS)
    )
    line = root.find(f"{SVG}a").find(f"{SVG}g")
    assert line.find(f"{SVG}title").text == "Bartholomew Featherstonehaugh"
    assert line.find(f"{SVG}g/{SVG}text").text == "Bartholomew Feather…"


@pytest.mark.parametrize("size", [2, 16, 17, 32, 33, 40, 64, 100, 128, 512])
@pytest.mark.parametrize("slots", [4, 16])
def test_a_bracket_on_sheets_shows_each_match_and_where_it_leads(size, slots):
    matches = matches_of(FORMAT.plan(Draw(field(size), LENGTHS, {}, "seed")))
    parts = split_bracket(matches, slots)
    assert {match.key for part in parts for match in part} == {match.key for match in matches}
    keys = [{match.key for match in part} for part in parts]
    fed = [set(match.sources) & set().union(*keys) for match in matches]
    assert all(any(sources <= inside for inside in keys) for sources in fed)
    for part in parts[:-1]:
        assert sum(not (set(match.sources) & {other.key for other in part}) for match in part) <= slots
    if len(parts) == 1:
        assert parts[0] == matches
    assert (len(parts) == 1) == (sum(match.round == 1 for match in matches) <= slots)


def edge(part):
    return [match for match in part if not set(match.sources) & {other.key for other in part}]


@pytest.mark.parametrize("size", [2, 3, 5, 16, 17, 33, 64, 100, 128, 257])
@pytest.mark.parametrize(("rounds", "slots"), [(4, 8), (3, 8), (3, 4)])
def test_a_bracket_on_a_screen_shows_each_match_and_where_it_leads(size, rounds, slots):
    matches = matches_of(FORMAT.plan(Draw(field(size), LENGTHS, {}, "seed")))
    parts = window_bracket(matches, rounds=rounds, slots=slots)
    keys = [{match.key for match in part} for part in parts]
    assert set().union(*keys) == {match.key for match in matches}
    everywhere = {match.key for match in matches}
    for match in matches:
        sources = set(match.sources) & everywhere
        assert any({match.key} | sources <= inside for inside in keys)
    for part in parts:
        assert len(part) == len({match.key for match in part})
        assert len({match.round for match in part}) <= rounds
        assert len(edge(part)) <= slots


def test_a_bracket_on_a_screen_needs_as_few_parts_as_there_are_quarters():
    matches = matches_of(FORMAT.plan(Draw(field(64), LENGTHS, {}, "seed")))
    parts = window_bracket(matches, rounds=4, slots=8)
    assert [len(edge(part)) for part in parts] == [8, 8, 8, 8, 4]
    assert {match.key for match in parts[4]} == {match.key for match in matches if match.round >= 4}


def test_two_matches_that_the_same_ones_feed_are_on_one_part():
    format = FORMATS["gsl"]
    plan = format.plan(Draw(field(4), options_of(format), {}, "seed"))
    matches = [
        replace(match, sources=tuple(feed.partition(":")[2] for feed in (pairing.feed_a, pairing.feed_b)))
        for match, pairing in zip(matches_of(plan), plan.pairings, strict=True)
    ]
    (openers,) = window_bracket([match for match in matches if match.round <= 2], rounds=4, slots=1)
    assert {match.key for match in openers} == {match.key for match in matches if match.round <= 2}


@pytest.mark.parametrize("size", [4, 16])
def test_a_bracket_on_a_screen_has_its_boxes_inside_and_apart(size):
    plan = FORMAT.plan(Draw(field(size), LENGTHS, {}, "seed"))
    root = parsed(draw_bracket(matches_of(plan), labels_of(plan), measures=PROJECTED))
    _, _, width, height = map(int, root.get("viewBox").split())
    columns = {}
    for element in root:
        if element.get("data-key"):
            left, top = corners(element)
            assert 0 <= left <= width - PROJECTED.box
            assert PROJECTED.heading <= top <= height - PROJECTED.box_height
            columns.setdefault(left, []).append(top)
    assert all(b - a >= PROJECTED.slot for tops in columns.values() for a, b in pairwise(tops))


def test_a_mark_has_room_between_its_box_and_the_one_above():
    """A letter with a part above and one below its line is about 1.2 times as high as its size."""
    for measures in (PAGE, PROJECTED):
        assert measures.slot - measures.box_height >= 1.2 * measures.key
