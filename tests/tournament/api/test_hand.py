from rules.score import Side
from tests.builders import build_event, fixture_of, win


def test_a_change_of_the_draw_is_previewed_made_listed_shown_and_taken_back(api, anonymous, director):
    event = build_event(director, players=8, seed="")
    address = f"events/{event.pk}/stages/1/changes/"
    first, second = fixture_of(event, "M1-1"), fixture_of(event, "M1-2")
    a, b = first.entry_a, second.entry_a
    asked = {"kind": "swap", "a": a.pk, "b": b.pk, "reason": "They came in one car."}
    seen = api.post(address, asked | {"preview": True})
    assert (seen.status_code, seen.json()[0]) == (
        200,
        {"key": "M1-1", "before": f"{a.name} – {first.entry_b.name}", "after": f"{b.name} – {first.entry_b.name}"},
    )
    assert anonymous.get(address).json() == []
    made = api.post(address, asked)
    assert (made.status_code, anonymous.get(address).json()) == (201, made.json())
    assert made.json()[0] | {"at": ""} == {
        "number": 1,
        "kind": "swap",
        "round": 0,
        "a": a.pk,
        "b": b.pk,
        "reason": "They came in one car.",
        "at": "",
        "ended_at": None,
    }
    shown = {one["key"]: one for one in anonymous.get(f"events/{event.pk}/").json()["stages"][0]["fixtures"]}
    assert (shown["M1-1"]["is_by_hand"], shown["M1-3"]["is_by_hand"]) == (True, False)
    assert shown["M1-1"]["why"] == "Changed by the director: They came in one car."
    assert api.delete(f"{address}1/").status_code == 204
    again = api.delete(f"{address}1/")
    assert (again.status_code, again.json()["code"]) == (409, "draw_change_gone")
    assert anonymous.get(address).json()[0]["ended_at"] is not None


def test_what_cannot_be_is_refused_with_a_code(api, director):
    event = build_event(director, players=8, seed="")
    address = f"events/{event.pk}/stages/1/changes/"
    first, second = fixture_of(event, "M1-1"), fixture_of(event, "M1-2")
    asked = {"kind": "swap", "a": first.entry_a_id, "b": second.entry_a_id, "reason": "Asked."}
    for change, status, code in (
        ({"reason": ""}, 400, "reason_missing"),
        ({"reason": "x" * 201}, 400, "reason_too_long"),
        ({"b": first.entry_b_id}, 400, "draw_change_nothing"),
        ({"b": first.entry_a_id}, 400, "draw_change_same"),
        ({"b": None}, 400, "draw_change_no_bye"),
        ({"kind": "pair", "b": None}, 400, "draw_change_no_bye"),
    ):
        answer = api.post(address, asked | change)
        assert (answer.status_code, answer.json()["code"]) == (status, code), change
    win(first.match, Side.A)
    late = api.post(address, asked)
    assert (late.status_code, late.json()["code"]) == (409, "later_match_begun")
