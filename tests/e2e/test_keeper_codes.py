"""What the score keeper's scripts compute by themselves: hashes, signatures, QR codes, scores and what the rules allow.

The scores and the rules are compared with those of the engine.
"""

import base64
import hashlib
import hmac
import json
from random import Random

import pytest
import segno
from playwright.sync_api import Page

from rules.keeper import WORDS, kind_at, table_of, word_of
from rules.penalties import Penalty
from rules.profiles import PROFILES
from rules.score import MatchScore, Phase, Side
from rules.sheet import GameResult, Terms

pytestmark = pytest.mark.browser

TOKEN = "3.1~made_up"
CAPACITIES = [17, 32, 53, 78, 106, 134, 154, 192, 230, 271, 321, 367, 425, 458, 520, 586, 644, 718, 792, 858]
"""How many bytes a code of version 1, 2 ... holds at level L (ISO/IEC 18004, table 7)."""


def url64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


@pytest.fixture
def scripts(open_page) -> Page:
    page = open_page()
    page.goto("/handed/")
    return page


@pytest.mark.parametrize("length", [0, 3, 55, 56, 63, 64, 65, 119, 120, 1000])
def test_hashes_are_those_of_sha_256(scripts, length):
    text = ("abcdefghijklmnopqrstuvwxyz" * 40)[:length]
    found = scripts.evaluate("text => Codes.toBase64url(Codes.sha256(Codes.bytes(text)))", text)
    assert found == url64(hashlib.sha256(text.encode()).digest())


@pytest.mark.parametrize(
    ("key", "message"), [("k", "m"), ("Jefe", "what do ya want for nothing?"), ("x" * 64, ""), ("ø" * 70, "ß")]
)
def test_signatures_are_those_of_hmac_sha_256(scripts, key, message):
    found = scripts.evaluate(
        "([key, message]) => Codes.toBase64url(Codes.hmac(Codes.bytes(key), Codes.bytes(message)))", [key, message]
    )
    assert found == url64(hmac.digest(key.encode(), message.encode(), "sha256"))


def test_keys_are_random_and_long(scripts):
    keys = scripts.evaluate("Array.from({ length: 100 }, Codes.newKey)")
    assert len(set(keys)) == 100
    assert {len(key) for key in keys} == {32}


@pytest.mark.parametrize("length", CAPACITIES)
def test_qr_codes_are_those_of_another_encoder(scripts, length):
    """Full codes, as encoders fill up what is left over in ways of their own."""
    text = ("https://play.example.org/handed/#abc-_.XYZ0123456789" * 20)[:length]
    found = scripts.evaluate("text => Qr.code(new TextEncoder().encode(text))", text)
    other = segno.make(text.encode(), error="l", mode="byte", mask=found["mask"], boost_error=False, micro=False)
    assert found["version"] == other.version == CAPACITIES.index(length) + 1
    assert found["modules"] == [list(row) for row in other.matrix]


def test_one_byte_more_takes_the_next_size(scripts):
    sizes = scripts.evaluate(
        "lengths => lengths.map(length => Qr.code(new Uint8Array(length)).version)", [17, 18, 2953]
    )
    assert sizes == [1, 2, 40]
    assert scripts.evaluate("() => { try { Qr.code(new Uint8Array(2954)) } catch (error) { return error.name } }") == (
        "RangeError"
    )


def test_a_sheet_that_is_handed_over_is_signed_as_the_server_reads_it(scripts):
    record = {"match": 12, "side": "b", "token": TOKEN, "number": 3, "games": [game("a", "gammon", 2)]}
    sheet = scripts.evaluate("record => Handover.sheetOf(record, 'the-key', 0)", record)
    payload, mac = sheet.split(".")
    assert mac == url64(hmac.digest(TOKEN.encode(), payload.encode(), "sha256"))
    told = {"m": 12, "s": "b", "k": "the-key", "b": 3, "g": [["a", "gammon", 2]], "t": "1970-01-01T00:00:00.000Z"}
    assert json.loads(base64.urlsafe_b64decode(payload + "==")) == told
    yes = scripts.evaluate("([sheet, record]) => Handover.yesTo(sheet, record)", [sheet, record | {"side": "a"}])
    said = json.loads(base64.urlsafe_b64decode(yes.split(".")[0] + "=="))
    assert said == {"m": 12, "s": "a", "h": url64(hashlib.sha256(payload.encode()).digest())}
    read = scripts.evaluate("text => Handover.read(text)", f"https://x/handed/#{sheet}.{yes}")
    assert (read["sheet"], read["yes"], read["told"]["games"][0]["ending"]) == (sheet, yes, "gammon")


@pytest.mark.parametrize(
    "text", ["", "#", "#a.b", "#a.b.c", "#bnVsbA.x", "#e30.x", "#W10.x", "#🎲.🎲", "https://else.where/"]
)
def test_anything_else_is_no_sheet(scripts, text):
    assert scripts.evaluate("text => Handover.read(text)", text) is None


TERMS = {"length": 7, "crawford": True, "start": {"a": 0, "b": 0, "done": False}, "penalties": []}


def game(winner: str, ending: str = "single", cube: int = 1) -> dict:
    return {"winner": winner, "ending": ending, "cube": cube}


def score(page: Page, games: list[dict], **terms) -> list:
    found = page.evaluate("([terms, games]) => Score.of(terms, games)", [TERMS | terms, games])
    return [found["a"], found["b"], found["phase"], found["winner"]]


def test_the_score_follows_the_crawford_rule(scripts):
    six = [game("a", "gammon", 2), game("a", "gammon", 1)]
    assert score(scripts, []) == [0, 0, "", ""]
    assert score(scripts, six) == [6, 0, "crawford", ""]
    assert score(scripts, [*six, game("b")]) == [6, 1, "after", ""]
    assert score(scripts, [*six, game("b"), game("b", "backgammon", 2)]) == [6, 7, "", "b"]
    assert score(scripts, six, crawford=False) == [6, 0, "", ""]
    assert score(scripts, [game("a")], length=1) == [1, 0, "", "a"]


def test_the_score_has_the_start_and_the_penalty_points_that_a_director_set(scripts):
    start = {"a": 6, "b": 2, "done": True}
    assert score(scripts, [], start=start) == [6, 2, "after", ""]
    assert score(scripts, [game("b")], penalties=[[0, 2, 0], [1, 0, 3]]) == [2, 4, "", ""]
    assert score(scripts, [], penalties=[[0, 6, 0]]) == [6, 0, "crawford", ""]


def random_terms(random: Random) -> Terms:
    length = random.choice([1, 2, 3, 5, 7, 11])
    start = (random.randrange(length), random.randrange(length)) if random.random() < 0.3 else (0, 0)
    most = max(length // 2, 1)
    penalties = [
        Penalty(random.randrange(4), random.randint(0, most), random.randint(0, most))
        for _penalty in range(random.choice([0, 0, 1, 2]))
    ]
    resumed = {"start": start, "crawford_done": max(start) == length - 1 > 0 and random.random() < 0.5}
    crawford = random.random() < 0.8 or resumed["crawford_done"]
    profile = random.choice(list(PROFILES.values()))
    return Terms(length, profile, crawford=crawford, penalties=tuple(penalties), **resumed)


def random_games(random: Random, terms: Terms) -> list[GameResult]:
    """Games that the table lets in, until the match is over."""
    games, score = [], terms.opening
    while not score.over:
        kind = kind_at(terms, score)
        word = random.choice([*kind.endings, "single"])
        cube = random.choice(kind.drops if word == "drop" else kind.cubes)
        games.append(GameResult(random.choice(list(Side)), cube, *WORDS[word]))
        score = terms.after(score, len(games), games[-1])
    return games


def told(terms: Terms, score: MatchScore) -> list:
    """The score as the phone has it, and what its next game can be."""
    phase = {Phase.CRAWFORD: "crawford", Phase.AFTER: "after"}.get(score.phase, "")
    winner = score.winner.lower() if score.winner else ""
    return [score.a, score.b, phase, winner, None if winner else kind_at(terms, score).as_dict()]


COUNTED = """
cases => cases.map(([rules, games]) => {
  const scores = Score.through(Score.termsOf({}, rules), games);
  return scores.map((score) => {
    const { a, b, phase, winner } = score;
    return [a, b, phase, winner, winner ? null : Score.allowed(rules, score)];
  });
})
"""


def test_scores_and_what_the_phone_offers_are_those_of_the_engine_through_random_matches(scripts):
    random = Random("the phone and the engine")
    cases = [(terms, random_games(random, terms)) for terms in (random_terms(random) for _match in range(300))]
    sent = [
        [table_of(terms), [game(one.winner.lower(), word_of(one), one.cube) for one in games]] for terms, games in cases
    ]
    counted = scripts.evaluate(COUNTED, sent)
    assert {score[2] for scores in counted for score in scores} == {"", "crawford", "after"}
    for (terms, games), scores in zip(cases, counted, strict=True):
        assert scores == [told(terms, score) for score in terms.scores(games)], terms


def test_without_a_table_yet_the_phone_offers_nothing_that_the_engine_refuses_under_usual_rules(scripts):
    for length in (1, 2, 3, 5, 7):
        for before in (MatchScore(length), MatchScore(length, length - 1, 0)):
            facts = TERMS | {"length": length, "start": {"a": before.a, "b": before.b, "done": False}}
            offered = scripts.evaluate("facts => Score.allowed(null, Score.of(facts, []))", facts)
            engine = kind_at(Terms(length), before).as_dict()
            assert not any(set(offered[name]) - set(engine[name]) for name in engine), before
