from tests.builders import build_event
from tests.tournament.entries.test_seed_by import rate, stored


def test_a_client_reads_the_proposal_and_sends_it_back(api, director):
    event = build_event(director, players=3, drawn=False)
    rate(event, {"Player 2": 1700, "Player 3": 1600})
    address = f"events/{event.pk}/entries/seeding/"
    proposal = api.get(f"{address}proposal/?ranking=fibs&most=1")
    assert [row["seed"] for row in proposal.json()["entries"]] == [None, 1, None]
    assert stored(event) == dict.fromkeys(stored(event))
    assert api.put(address, proposal.json()).status_code == 200
    assert stored(event) == {"Player 1": None, "Player 2": 1, "Player 3": None}
    for query, code in (
        ("", "ranking_unknown"),
        ("?ranking=elo", "ranking_unknown"),
        (f"?event={event.pk}", "earlier_event_not_ended"),
    ):
        refused = api.get(f"{address}proposal/{query}")
        assert (refused.status_code, refused.json()["code"]) == (400, code)
