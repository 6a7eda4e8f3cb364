"""The pairings on a phone, and the filter over them."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from players.services import fold_name
from tests.desks import open_desk
from tests.processes import Site

pytestmark = pytest.mark.browser

NAME = """
from players.models import Player
from tournament.models import Event
for entry in Event.objects.get(pk={event}).entries.all():
    Player.objects.filter(pk=entry.player_id).update(name=f"{name} {{entry.number}}")
"""


@contextmanager
def named(site: Site, event: int, name: str) -> Iterator[None]:
    """Give the players of the event this name; they are those of the other tests too, and get their own back."""
    site.python(NAME.format(event=event, name=name))
    try:
        yield
    finally:
        site.python(NAME.format(event=event, name="Player"))


def test_an_advance_by_ruling_fits_on_a_phone_whatever_the_name(phone, live_site: Site) -> None:
    desk = open_desk(live_site, name=f"Long {uuid.uuid4().hex[:8]}", players=4)
    for match in desk.matches:
        desk.enter(live_site.url, match, key=uuid.uuid4().hex, final=(5, 3))
    stage = desk.get(live_site.url, f"events/{desk.event}/").body["stage"]
    (final,) = (fixture["match"] for fixture in stage["fixtures"] if fixture["state"] == "ready")
    desk.enter(live_site.url, final, key=uuid.uuid4().hex, final=(5, 3))
    correction = {"key": uuid.uuid4().hex, "base": 1, "final": [3, 5], "reason": "Swapped.", "repair": "stand"}
    assert desk.post(live_site.url, f"matches/{desk.matches[0]}/result/", correction).status == 201
    with named(live_site, desk.event, "Maximiliane-Charlotte Feddersen-Petersen"):
        phone.goto(desk.path)
        assert "advances by ruling" in phone.inner_text("#live")
        assert phone.evaluate("document.documentElement.scrollWidth") == 390


ALPHABETS = (*range(0x41, 0x700), *range(0x1E00, 0x2000))
"""Latin, Greek, Cyrillic, Armenian, Hebrew, Arabic; Latin and Greek with the accents that have signs of their own."""
LETTERS = [chr(code) for code in ALPHABETS if chr(code).isalpha()]
NAMES = ["Renée  Œhlenschläger", "SØREN ÆBELØ", "Weiß", "WEISS", "Þórður Đặng", "Łukasz Şahin", "ΟΔΥΣΣΕΥΣ", "İnci ıŞIK"]
UNLIKE = """(pairs) => {
  const filter = document.querySelector("[data-filter]");
  const item = document.querySelector("[data-names]");
  const finds = (typed, names) => {
    filter.value = typed;
    item.dataset.names = names;
    filter.dispatchEvent(new Event("input"));
    return !item.hidden;
  };
  return pairs.filter(([name, folded]) => !finds(name, folded) || !finds(folded, name));
}"""


def test_the_filter_folds_every_name_as_a_search_on_the_server_does(phone, live_site: Site) -> None:
    phone.goto(open_desk(live_site, name=f"Folded {uuid.uuid4().hex[:8]}", players=2).path)
    phone.evaluate("for (const item of [...document.querySelectorAll('[data-names]')].slice(1)) item.remove()")
    assert phone.evaluate(UNLIKE, [["Anna", "bo"]]) == [["Anna", "bo"]]
    assert phone.evaluate(UNLIKE, [[name, fold_name(name)] for name in (*LETTERS, *NAMES)]) == []
