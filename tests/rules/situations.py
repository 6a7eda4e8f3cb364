"""Situations for tests."""

from hypothesis import strategies as st

from rules.cube import Cube
from rules.ids import Offer, Progress, Situation
from rules.ids.situation import MAX_NUMBER
from rules.score import Level, MatchScore, Side
from tests.rules.boards import positions, rolls

sides = st.sampled_from(Side)
cubes = st.one_of(
    st.builds(lambda log: Cube(1 << log), st.integers(0, 15)),
    st.builds(lambda log, owner: Cube(1 << log, owner), st.integers(1, 15), sides),
)


@st.composite
def scores(draw: st.DrawFn) -> MatchScore:
    """Draw any score of a match with the Crawford rule, or of money play."""
    length = draw(st.one_of(st.just(0), st.integers(1, 25), st.integers(1, MAX_NUMBER)))
    most = length or MAX_NUMBER
    ends = st.sampled_from([most, max(most - 1, 0), max(most - 2, 0)])
    a = draw(st.one_of(ends, st.integers(0, most)))
    b = draw(st.one_of(ends, st.integers(0, most)))
    if length and a == b == length:
        a -= 1
    away_one = length >= 2 and max(a, b) == length - 1
    over = length >= 2 and max(a, b) == length
    return MatchScore(length, a, b, crawford_done=over or (away_one and draw(st.booleans())))


@st.composite
def situations(
    draw: st.DrawFn,
    offers: tuple[Offer, ...] = (Offer.NONE, Offer.DOUBLE),
    progress: tuple[Progress, ...] = (Progress.PLAYING,),
    money_rules: bool = True,
    beavers: bool = False,
    limits: bool = False,
    resignations: bool = False,
) -> Situation:
    """Draw any situation that a format with room for these can hold: no beavers in matches."""
    on_roll, offer, score = draw(sides), draw(st.sampled_from(offers)), draw(scores())
    if score.length == 1 or score.is_crawford or (score.length and offer in {Offer.BEAVER, Offer.RACCOON}):
        offer = Offer.NONE
    cube = draw(cubes if offer is Offer.NONE else cubes.filter(lambda cube: cube.owner is not on_roll.other))
    acting = on_roll.other if offer in {Offer.DOUBLE, Offer.RACCOON} else on_roll
    roll = draw(st.none() | rolls) if offer is Offer.NONE else None
    money = score.length == 0
    return Situation(
        position=draw(positions()),
        on_roll=on_roll,
        acting=draw(sides) if resignations else acting,
        dice=(max(roll), min(roll)) if roll else None,
        cube=cube,
        offer=offer,
        resigned=draw(st.none() | st.sampled_from(Level)) if resignations else None,
        score=score,
        jacoby=money and money_rules and draw(st.booleans()),
        beavers=money and beavers and draw(st.booleans()),
        progress=draw(st.sampled_from(progress)),
        cube_limit=1 << draw(st.integers(0, 15)) if limits else 1024,
    )
