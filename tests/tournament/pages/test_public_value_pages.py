"""The public value on the pages: the panel of the entries, the proof of the draw, and the players' private pages."""

import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from tests.builders import AT, build_director, build_event
from tests.tournament.closed import DICE, build_closed
from tournament.draw.close_entries import close_entries, reopen_entries
from tournament.draw.dice import type_dice
from tournament.draw.make import cancel_draw, make_draw
from tournament.entries.attendance import put_to_wait
from tournament.entries.links import link_of, token_of
from tournament.entries.public_value import give_word_by_link
from tournament.entries.renew import renew_links
from tournament.models import Event
from tournament.past.closings import closings_at
from tournament.past.event import find_moment
from tournament.setup.settings import make_event, settings_of

pytestmark = pytest.mark.django_db

HONEST = "This draw has no public value: whoever runs this server could have known it beforehand."


@pytest.fixture
def dice(director) -> Event:
    return build_event(director, players=4, drawn=False, seed="", public_source="dice")


@pytest.fixture
def words(dice) -> Event:
    return build_closed(dice.tournament, "words", name="Words")


@pytest.fixture
def desk(director) -> Client:
    client = Client()
    client.force_login(director)
    return client


def text_of(page) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page.content.decode())).split())


def page_of(event: Event, name: str = "entries", client: Client | None = None) -> str:
    return text_of((client or Client()).get(reverse(name, args=[event.tournament.slug, event.slug])))


def send(client: Client, event: Event, name: str, **typed: str):
    return client.post(reverse(name, args=[event.tournament.slug, event.slug]), typed)


def test_an_event_without_a_public_value_says_so(director, dice):
    plain = build_event(director, players=4, tournament=dice.tournament, name="Plain")
    assert HONEST in page_of(plain, "bracket")
    assert HONEST not in page_of(dice, "bracket")
    assert "Public value of the draw" not in page_of(plain)


def test_dice_from_the_closing_to_the_draw(director, desk, dice):
    assert "Close entries" in page_of(dice, client=desk)
    assert "entries open" in page_of(dice)
    assert send(desk, dice, "close-entries").status_code == 302
    assert "entries closed" in page_of(dice)
    assert "Enter players" not in page_of(dice, client=desk)
    send(desk, dice, "type-dice", dice=DICE)
    seen = page_of(dice)
    assert "director has typed in the dice." in seen
    assert DICE not in seen + page_of(dice, client=desk) + page_of(dice, "history") + page_of(dice, "bracket")
    entry = dice.entries.first()
    assert DICE not in text_of(Client().get(link_of(entry)))
    wrong = Client().post(reverse("my-dice", args=[token_of(entry)]), {"dice": "1" * 12})
    assert (wrong.status_code, 'value="111111111111"' in wrong.content.decode()) == (409, True)
    assert Client().post(reverse("my-dice", args=[token_of(entry)]), {"dice": DICE}).status_code == 302
    assert "Make the draw" in page_of(dice, client=desk)
    assert f"Public value: the dice {DICE}, typed in by director and by the private link of Player 1" in page_of(
        dice, "history"
    )
    make_draw(dice, by=director, at=AT)
    assert f"Public value: {DICE}" in page_of(dice, "bracket")
    assert "typed in by director (signed in) and repeated by the private link of Player 1" in page_of(dice, "bracket")
    mine = text_of(Client().get(link_of(entry)))
    assert "Dice for the draw" not in mine
    assert "Your private link repeated the dice of the draw on" in mine
    assert "Your private link" not in text_of(Client().get(link_of(dice.entries.last())))


def test_the_browser_of_the_director_does_not_repeat_their_dice_by_the_link_of_a_player(director, desk, dice):
    send(desk, dice, "close-entries")
    send(desk, dice, "type-dice", dice=DICE)
    answer = desk.post(reverse("my-dice", args=[token_of(dice.entries.first())]), {"dice": DICE})
    assert answer.status_code == 409
    assert "You typed the dice in first." in text_of(answer)
    assert dice.closings.get().value == ""


def test_the_page_of_the_past_shows_closings_as_they_were(director, desk, dice):
    """By the rows of the log, for in the tests many steps have the same time."""
    other = build_director("other", dice.tournament)
    close_entries(dice, by=director, at=AT)
    type_dice(dice, dice=DICE, by=director, at=AT)
    type_dice(dice, dice=DICE, by=other, at=AT)
    make_draw(dice, by=director, at=AT)
    cancel_draw(dice, by=director, at=AT)
    rows = {row.verb: row.pk for row in dice.log.all()}

    def seen(verb: str) -> list[tuple[str, str, str, bool, bool]]:
        views = closings_at(dice, find_moment(dice, str(rows[verb])))
        return [(one.first, one.second, one.value, one.is_used, one.voided_at is not None) for one in views]

    assert seen("add_entries") == []
    assert seen("close_entries") == [("", "", "", False, False)]
    assert seen("type_dice") == [("director", "", "", False, False)]
    assert seen("repeat_dice") == [("director", "other", DICE, False, False)]
    assert seen("make_draw") == [("director", "other", DICE, True, False)]
    assert seen("cancel_draw") == [("director", "other", DICE, False, True)]
    past = Client().get(reverse("bracket", args=[dice.tournament.slug, dice.slug]), {"at": rows["type_dice"]})
    assert DICE not in text_of(past)
    drawn = Client().get(reverse("bracket", args=[dice.tournament.slug, dice.slug]), {"at": rows["make_draw"]})
    assert DICE in text_of(drawn)


def test_words_of_the_past_are_those_given_by_then(director, words):
    first, second, *_others = words.entries.order_by("number")
    give_word_by_link(first, word="pear", at=AT)
    give_word_by_link(second, word="plum", at=AT)
    make_draw(words, by=director, at=AT)
    one, two, drawn = (row.pk for row in words.log.filter(verb__in=("give_word", "make_draw")).order_by("id"))

    def seen(row: int) -> tuple[list[str], bool]:
        (closing,) = closings_at(words, find_moment(words, str(row)))
        return [given.word for given in closing.words], bool(closing.value)

    assert [seen(row) for row in (one, two, drawn)] == [
        (["pear"], False),
        (["pear", "plum"], False),
        (["pear", "plum"], True),
    ]


def test_void_values_stay_on_the_page(director, dice):
    other = build_director("other", dice.tournament)
    for dice_thrown in (DICE, "1" * 12):
        close_entries(dice, by=director, at=AT)
        type_dice(dice, dice=dice_thrown, by=director, at=AT)
        type_dice(dice, dice=dice_thrown, by=other, at=AT)
        if dice_thrown == DICE:
            reopen_entries(dice, reason="Eve came late.", by=director, at=AT)
    make_draw(dice, by=director, at=AT)
    cancel_draw(dice, by=director, at=AT)
    for name in ("entries", "bracket"):
        seen = page_of(dice, name)
        assert f"reopened (Eve came late.) {DICE}" in seen
        assert f"the draw was taken back {'1' * 12}" in seen


def test_reopening_on_the_page_asks_for_a_reason(desk, dice):
    send(desk, dice, "close-entries")
    refused = send(desk, dice, "reopen-entries", reason=" ")
    assert (refused.status_code, dice.closings.get().voided_at) == (400, None)
    send(desk, dice, "reopen-entries", reason="Eve came late.")
    assert "Entries reopened: Eve came late." in page_of(dice, "history")


def test_words_are_public_as_they_come_in(words):
    first, second, *_others = words.entries.all()
    assert "Your word for the draw" in text_of(Client().get(link_of(first)))
    answer = Client().post(reverse("my-word", args=[token_of(first)]), {"word": "<b>Änd</b>"})
    assert answer.status_code == 302
    seen = Client().get(reverse("entries", args=[words.tournament.slug, words.slug])).content.decode()
    assert "&lt;b&gt;Änd&lt;/b&gt;" in seen
    assert "Your word: <b>Änd</b>" in text_of(Client().get(link_of(first)))
    assert "Give this word" not in text_of(Client().get(link_of(first)))
    assert "Give this word" in text_of(Client().get(link_of(second)))


@pytest.mark.parametrize(("word", "status"), [("", 400), ("x" * 41, 400), ("a\nb", 400), ("other", 409)])
def test_a_refused_word_comes_back_as_typed(words, word, status):
    entry = words.entries.first()
    if word == "other":
        give_word_by_link(entry, word="pear", at=AT)
    answer = Client().post(reverse("my-word", args=[token_of(entry)]), {"word": word})
    assert answer.status_code == status
    assert words.closings.get().words.count() == (word == "other")


def test_nobody_gives_a_word_with_another_or_an_old_link(director, words):
    first, second, third, _fourth = words.entries.all()
    old = token_of(first)
    renew_links(words, entries=[first.pk], by=director, at=AT)
    assert Client().post(reverse("my-word", args=[old]), {"word": "pear"}).status_code == 410
    forged = f"{second.pk}.{second.link_epoch}~{token_of(third).split('~')[1]}"
    assert Client().post(reverse("my-word", args=[forged]), {"word": "pear"}).status_code == 404
    Client().post(reverse("my-word", args=[token_of(third)]), {"word": "pear"})
    assert [word.number for word in words.closings.get().words.all()] == [third.number]


def test_those_who_wait_are_not_asked(director):
    event = build_event(director, players=4, drawn=False, seed="", public_source="words")
    entry = put_to_wait(event.entries.last(), by=director, at=AT)
    close_entries(event, by=director, at=AT)
    assert "Your word for the draw" not in text_of(Client().get(link_of(entry)))
    assert Client().post(reverse("my-word", args=[token_of(entry)]), {"word": "pear"}).status_code == 409


def test_a_word_after_the_draw_is_refused(director, words):
    first, second, third, _fourth = words.entries.all()
    for entry in (first, second):
        give_word_by_link(entry, word="pear", at=AT)
    make_draw(words, by=director, at=AT)
    value = words.closings.get().value
    assert Client().post(reverse("my-word", args=[token_of(third)]), {"word": "plum"}).status_code == 409
    assert words.closings.get().value == value


def test_the_public_value_is_set_in_the_settings_and_kept_for_the_next_event(director, desk, dice):
    page = desk.get(reverse("settings", args=[dice.tournament.slug, dice.slug])).content.decode()
    assert '<option value="dice" selected>' in page
    again = make_event(dice.tournament, settings_of(dice), name="Again", copy_of="Main", by=director, at=AT)
    assert again.public_source == "dice"


def test_the_form_for_dice_is_in_the_language_of_its_reader(desk, dice):
    send(desk, dice, "close-entries")
    address = reverse("entries", args=[dice.tournament.slug, dice.slug])
    german = desk.get(address, headers={"accept-language": "de"}).content.decode()
    assert "At least 12 dice" not in german
    assert "12 Würfel" in german


def test_the_tournament_and_the_settings_say_how_entries_stand(desk, dice):
    cards = dice.tournament.get_absolute_url()
    assert "entries open" in text_of(Client().get(cards))
    send(desk, dice, "close-entries")
    assert "entries closed" in text_of(Client().get(cards))
    assert "entries open" not in text_of(Client().get(cards))
    assert "public value: dice thrown in the hall" in page_of(dice, "settings", desk)
