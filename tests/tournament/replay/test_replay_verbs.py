"""Every verb of the log is replayed from its row, or named with the reason why not."""

import pytest

from tests.tournament.replay.pictures import picture
from tests.tournament.replay.replaying import NOT_REPLAYED, Replay
from tests.tournament.replay.scenes import SCENES, late_and_gone
from tournament.draw.standings import store_standings
from tournament.log.words import VERBS

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
def test_an_event_replayed_from_its_log_is_the_same(director, scene):
    event = scene(director)
    again = Replay(event).event
    for one in (event, again):
        store_standings(one.pk)
    assert picture(again) == picture(event)


def test_every_verb_of_the_log_is_replayed_or_named_with_a_reason():
    replayed = {verb for verb in VERBS if hasattr(Replay, verb)}
    assert replayed | set(NOT_REPLAYED) == set(VERBS)
    assert not replayed & set(NOT_REPLAYED)
    assert all(NOT_REPLAYED.values())


def test_every_verb_that_is_replayed_is_in_a_scene(director):
    seen = {verb for scene in SCENES for verb in scene(director).tournament.log.values_list("verb", flat=True)}
    assert set(VERBS) - set(NOT_REPLAYED) <= seen


def test_a_false_row_does_not_give_the_same_event(director):
    event = late_and_gone(director)
    row = event.log.filter(verb="leave_event").first()
    row.detail["only_main"] = False
    row.save(update_fields=["detail"])
    assert picture(Replay(event).event) != picture(event)
