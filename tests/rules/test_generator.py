import random
from itertools import islice

import pytest

from rules.generator import in_order
from tests.rules.samples import KINDS


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_in_order_finds_each_play_of_a_double_once(kind):
    for position in islice(KINDS[kind](random.Random(kind)), 50):
        for die in range(1, 7):
            _, found = in_order(position, (die,) * 4, freely=False)
            assert len(found) == len(set(found))
