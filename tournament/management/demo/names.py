"""Invented players with clubs; nobody real among them."""

from datetime import datetime
from random import Random

from django.utils.translation import gettext as _

from players.errors import Refusal
from players.models import Player
from players.services import create_player, fold_name

FIRST_NAMES = (
    *(
        "Anders",
        "Anna",
        "Astrid",
        "Birgit",
        "Bjørn",
        "Britta",
        "Carsten",
        "Cecilie",
        "Dagny",
        "Dieter",
        "Ebba",
        "Eirik",
    ),
    *("Elin", "Emil", "Frederik", "Freja", "Gerd", "Greta", "Gunnar", "Hanne", "Heike", "Henrik", "Ingrid", "Jens"),
    *("Jörg", "Jürgen", "Kåre", "Karin", "Katrin", "Knut", "Lars", "Liv", "Maja", "Märta", "Mikkel", "Nils", "Oda"),
    *("Olaf", "Petra", "Ragnhild", "Sigrid", "Søren", "Sven", "Thea", "Torben", "Uwe", "Vibeke", "Åse"),
)
LAST_NAMES = (
    *("Aas", "Ahlgren", "Bakke", "Becker", "Bengtsson", "Bergström", "Bjerre", "Brandt", "Dahl", "Dreyer", "Ekström"),
    *("Engelhardt", "Fjeldstad", "Friis", "Hagen", "Hedlund", "Hjorth", "Holmgren", "Iversen", "Jørgensen", "Kirchner"),
    *(
        "Kjær",
        "Krüger",
        "Lindqvist",
        "Lund",
        "Møller",
        "Nordby",
        "Nygård",
        "Ohlsson",
        "Pedersen",
        "Rasmussen",
        "Richter",
    ),
    *("Sandvik", "Schäfer", "Sjöberg", "Skovgaard", "Solberg", "Strand", "Sørensen", "Thiele", "Vestergaard", "Vogt"),
    *("Wallin", "Weiß", "Wikström", "Ødegaard", "Åkesson"),
)
CLUBS = {
    "Demo København": "DK",
    "Demo Aarhus": "DK",
    "Demo Malmö": "SE",
    "Demo Stockholm": "SE",
    "Demo Oslo": "NO",
    "Demo Bergen": "NO",
    "Demo Hamburg": "DE",
    "Demo Berlin": "DE",
}


def invent_players(count: int, *, rng: Random, at: datetime) -> list[Player]:
    """Return invented players with clubs; players whom an earlier demo made with the same names are used again."""
    names = [f"{first} {last}" for first in FIRST_NAMES for last in LAST_NAMES]
    if not 0 <= count <= len(names):
        raise Refusal("demo_players", _("A demo has from 0 to %(limit)s players.") % {"limit": len(names)})
    people = [(name, rng.choice(list(CLUBS))) for name in rng.sample(names, count)]
    known = {
        (player.folded_name, player.club.name): player
        for player in Player.objects.filter(club__name__in=CLUBS).select_related("club").order_by("-id")
        if player.club
    }
    return [
        known.get((fold_name(name), club)) or create_player(name=name, club=club, country=CLUBS[club], at=at)
        for name, club in people
    ]
