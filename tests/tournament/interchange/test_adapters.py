"""Files of other programs: what becomes of them as event files, and the line at which one is refused."""

from datetime import date

import pytest

from tournament.interchange.adapters.known import convert
from tournament.interchange.adapters.results import Given
from tournament.interchange.adapters.trf_report import swiss_stage_of, write_trf
from tournament.interchange.canonical import canonical
from tournament.interchange.read import Unreadable
from tournament.transfer.judge import judge

DAY = date(2026, 3, 6)

RESULTS = """\ufeffPlayer 1;player2;score1;score2;winner;round;length;date;outcome;bracket;club
Anna  Berg;Bo Dahl;7;5;;1;7;2026-03-06T19:30:00+01:00;;;Odense
Cy;Dee;;;2;1;7;;;;
Anna Berg;Dee;3;1;Dee;2;7;;forfeit;;
Bo Dahl;Cy;;;1;1;5;;walkover;Consolation;
Eli;;;;;1;7;;;;
Eli;Cy;;;;1;7;;void;;
Bo Dahl;Dee;;;;2;5;;;Consolation;
"""

CHALLONGE = """round,player1_name,player2_name,scores_csv,winner_name,state,forfeited,completed_at
1,Anna,Bo,7-5,Anna,complete,false,2026-03-06T20:00:00Z
-1,Bo,Cy,0-0,Cy,complete,true,
2,Anna,,,,pending,,
2,Anna,Cy,,,open,,
"""


def player(number: int, name: str, *rounds: str) -> str:
    own = f"001 {number:4} m    {name:33} 2100 DEN {'1400000' + str(number):>11} 1990/01/01  1.0    1"
    return "  ".join([own, *rounds])


REPORT = "\r\n".join(
    [
        "012 Spring Open",
        "022 Odense",
        "042 2026/03/06",
        "052 2026/03/08",
        f"132 {'':87}26/03/06  26/03/07",
        player(1, "Berg, Anna", "   2 w 1", "   3 b +", "0000 - U"),
        player(2, "Dahl, Bo", "   1 b 0", "0000 - H", "   3 w W"),
        player(3, "Ek, Cy", "0000 - F", "   1 w -", "   2 b L"),
        player(4, "Fay, Dee", "0000 - Z", "", ""),
    ]
)


def converted(format: str, text: str, **given):
    document = convert(format, text.encode(), Given(name="Friday night", **given))
    assert [(fault.pointer, fault.message) for fault in judge(canonical(document)).faults] == []
    return document


def told(document) -> list[tuple]:
    """Each pairing: its id, who met, how it ended, the score, who won."""
    names = {person["id"]: person["name"] for person in document["people"]}
    event = document["events"][0]
    people = {entrant["number"]: names[entrant["people"][0]] for entrant in event["entrants"]}
    people[None] = None
    return [
        (
            pairing["id"],
            people[pairing["a"]],
            people[pairing["b"]],
            pairing["outcome"],
            *(match["score"] for match in pairing["matches"]),
            people[pairing["winner"]],
        )
        for pairing in event["stages"][0]["pairings"]
    ]


def test_a_plain_table_of_results():
    document = converted("results-csv", RESULTS, day=DAY)
    assert told(document) == [
        ("M1-1", "Anna Berg", "Bo Dahl", "played", [7, 5], "Anna Berg"),
        ("M1-2", "Cy", "Dee", "played", None, "Dee"),
        ("M2-1", "Anna Berg", "Dee", "forfeit", None, "Dee"),
        ("B21-1", "Bo Dahl", "Cy", "walkover", None, "Bo Dahl"),
        ("M1-3", "Eli", None, "bye", "Eli"),
        ("M1-4", "Eli", "Cy", "void", None, None),
        ("B22-1", "Bo Dahl", "Dee", "open", None, None),
    ]
    stage = document["events"][0]["stages"][0]
    assert [bracket["name"] for bracket in stage["brackets"]] == ["Main bracket", "Consolation"]
    assert stage["pairings"][0]["matches"][0]["completed_at"] == "2026-03-06T18:30:00Z"
    assert stage["pairings"][2]["x"] == {"score": [3, 1]}
    (ratings,) = document["ratings"]
    assert [line["matches"] for line in ratings["lines"]] == [1, 1, 1, 1]  # forfeits and walkovers are not rated


def test_the_matches_of_challonge():
    document = converted("challonge-csv", CHALLONGE, day=DAY, length=7)
    assert told(document) == [
        ("M1-1", "Anna", "Bo", "played", [7, 5], "Anna"),
        ("B21-1", "Bo", "Cy", "forfeit", None, "Cy"),
        ("M2-1", "Anna", "Cy", "open", None, None),
    ]


def test_the_swiss_part_of_a_report_keeps_every_kind_of_bye_apart():
    document = converted("trf26", REPORT, length=7)
    assert told(document) == [
        ("M1-1", "Berg, Anna", "Dahl, Bo", "played", None, "Berg, Anna"),
        ("M1-2", "Ek, Cy", None, "bye", "Ek, Cy"),
        ("M2-1", "Ek, Cy", "Berg, Anna", "walkover", None, "Berg, Anna"),
        ("M2-2", "Dahl, Bo", None, "bye", "Dahl, Bo"),
        ("M3-1", "Berg, Anna", None, "bye", "Berg, Anna"),
        ("M3-2", "Dahl, Bo", "Ek, Cy", "forfeit", None, "Dahl, Bo"),
    ]
    pairings = document["events"][0]["stages"][0]["pairings"]
    assert [pairing.get("x", {}).get("trf") for pairing in pairings] == [None, "F", "+", "H", "U", "W"]
    assert document["people"][0]["ids"] == [{"issuer": "fide", "value": "14000001"}]
    assert document["people"][0]["nation"] == "DEN"
    assert (document["tournament"]["name"], document["tournament"]["place"]) == ("Spring Open", "Odense")
    assert (document["tournament"]["starts_on"], document["tournament"]["ends_on"]) == ("2026-03-06", "2026-03-08")


@pytest.mark.parametrize(
    ("format", "text", "code"),
    [
        ("results-csv", "", "column_missing"),
        ("results-csv", "player1,player2\n", "no_matches"),
        ("results-csv", "player1,player2\nAnna,Bo\n", "length_missing"),
        ("results-csv", "player1,player2,score1,score2\nAnna,Bo,7,\n", "number_unreadable"),
        ("results-csv", "player1,player2,score1,score2,length\nAnna,Bo,7,5,9\n", "score_not_final"),
        ("results-csv", "player1,player2,score1,score2,winner\nAnna,Bo,7,5,2\n", "winner_other_than_score"),
        ("results-csv", "player1,player2,winner,length\nAnna,Bo,Cy,5\n", "winner_of_others"),
        ("results-csv", "player1,player2,outcome,length\nAnna,Bo,played,5\n", "winner_unknown"),
        ("results-csv", "player1,player2,outcome,length\nAnna,,walkover,5\n", "outcome_unreadable"),
        ("results-csv", "player1,player2,winner,length,date\nAnna,Bo,1,5,6 March\n", "date_unreadable"),
        ("results-csv", "player1,player2,winner,length\nAnna,Bo,1,5\n", "date_missing"),
        ("results-csv", f"player1,player2\n{'x' * 81},Bo\n", "name_unreadable"),
        ("challonge-csv", 'round,player1,player2,score,winner\n1,Anna,Bo,"7-5,3-1",Anna\n', "score_unreadable"),
        ("trf26", REPORT, "length_missing_in_report"),
        ("trf26", REPORT.replace("   1 b 0", "   1 b 1"), "results_differ"),
        ("trf26", REPORT.replace("   1 b 0", "   3 b 0"), "opponents_differ"),
        ("trf26", REPORT.replace("   2 w 1", "   2 w ="), "draw_in_report"),
        ("trf26", REPORT.replace("0000 - H", "0000 - Q"), "result_unreadable"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_in_one_sentence(format, text, code):
    length = None if code.startswith("length") or format != "trf26" else 7
    with pytest.raises(Unreadable) as error:
        convert(format, text.encode(), Given(name="Friday", length=length))
    assert error.value.fault.code == code
    assert error.value.fault.message


def test_a_report_that_is_written_of_the_swiss_part_reads_as_it_was():
    document = converted("trf26", REPORT, length=7)
    event = document["events"][0]
    stage = swiss_stage_of(event)
    written = write_trf(document, event, stage, olympic=str).decode()
    assert told(converted("trf26", written, length=7)) == told(document)
    lines = written.split("\r\n")
    assert [line for line in lines if line.startswith(("012", "042", "062", "132"))] == [
        "012 Spring Open",
        "042 2026/03/06",
        "062 3",
        f"132 {'':87}26/03/06  26/03/07  26/03/06",
    ]
    berg = next(line for line in lines if "Berg, Anna" in line)
    assert (berg[4:8], berg[14:47].strip(), berg[53:56], berg[57:68], berg[80:84], berg[91:]) == (
        "   1",
        "Berg, Anna",
        "DEN",
        "   14000001",
        " 3.0",
        "   2 w 1     3 b +  0000 - U",
    )


def test_an_event_without_rounds_of_single_players_has_no_report():
    document = converted("challonge-csv", CHALLONGE, length=7)
    event = document["events"][0]
    knockout = {**event, "stages": [{**event["stages"][0], "format": "single-elimination"}]}
    assert swiss_stage_of(knockout) is None
    couple = {**event["entrants"][0], "people": ["p1", "p2"]}
    assert swiss_stage_of({**event, "entrants": [couple]}) is None
