from rules.score import Side
from tests.builders import build_event, open_matches, win
from tournament.models import Entry


def test_a_play_off_is_entered_listed_and_taken_back(api, anonymous, director):
    event = build_event(director, players=3, format="round-robin", tiebreaks=["play-off"])
    address = f"events/{event.pk}/stages/1/play-offs/"
    one, two = Entry.objects.filter(event=event)[:2]
    early = api.post(address, {"winner": one.pk, "loser": two.pk})
    assert (early.status_code, early.json()["code"]) == (409, "play_off_too_early")
    for match in open_matches(event):
        a, b = (int(str(player).split()[-1]) for player in (match.side_a, match.side_b))
        win(match, Side.A if (b - a) % 3 == 1 else Side.B, by=director)
    entered = api.post(address, {"winner": one.pk, "loser": two.pk})
    assert (entered.status_code, anonymous.get(address).json()) == (201, [entered.json()])
    assert entered.json() | {"id": 0} == {"id": 0, "winner": one.pk, "loser": two.pk}
    same = api.post(address, {"winner": one.pk, "loser": one.pk})
    assert (same.status_code, same.json()["code"]) == (400, "play_off_not_tied")
    assert api.delete(f"play-offs/{entered.json()['id']}/").status_code == 204
    assert anonymous.get(address).json() == []
