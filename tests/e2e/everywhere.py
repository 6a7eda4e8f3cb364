"""A running site in which everything is going on, and the addresses of all its pages, found by following links.

Run by ``manage.py shell`` on the site that the browser visits: ``tests.e2e.everywhere.describe()`` prints JSON.
"""

import io
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import chain
from pathlib import Path

from django.core.management import call_command
from django.test import Client
from django.urls import NoReverseMatch, Resolver404, URLPattern, URLResolver, get_resolver, resolve, reverse
from django.utils import timezone

from matches.import_records import import_record
from players.models import Player, RegistryRole, User
from players.registry.bodies import ClubData, FederationData, create_club, create_federation
from rules.score import Side
from tests.builders import build_director, build_event, build_tournament, open_matches, play_out, win
from tests.tournament.pages.walk import build_walk
from tournament.draw.standings import store_standings
from tournament.entries.links import token_of
from tournament.models import Event, Stage

RECORD = Path(__file__).parent.parent / "data" / "records" / "gnubg-7pt.mat"
OF_A_KIND = 2
"""How many pages of one kind are looked at: those found first, if they have anything that none before them has."""
LONG_NAME = "Große Märkische Meisterschaft von Ærøskøbing"
LONG = "/t/grosse-markische-meisterschaft-von-aeroskobing/"
"""Pages with names that need more room than others; all of them are looked at."""
BY_FORMAT = {"pairings", "bracket", "standings", "screen"}
"""Pages that each format of an event draws in its own way."""
LINK = re.compile(r'<a\b[^>]*?\bhref="(/[^"#]*)')
WITHOUT_END = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
ELSEWHERE = ("/api/", "/static/", "/language/", "/accounts/logout", "/redoc", "/docs")

Element = tuple[str, str]
"""What holds it, and the element: tag, classes, type, role and the names of its attributes."""


def describe() -> None:
    """Fill the site, walk it as a visitor and as its director, and print what was found."""
    director = build_director()
    walk = build_walk(director)
    fill(director)
    seeds = defaultdict(list)
    for client, page in walk.pages:
        seeds[who(client)].append(page)
    event = Event.objects.filter(slug="main").order_by("pk")[0]
    seeds["visitor"] += [page for page in seeds["director"] if is_open(page)]
    known: set[Element] = set()
    found = {
        name: list(with_news(walk_from([*seeds[name], *guessed(event)], client_of(name)), known))
        for name in ("visitor", "director")
    }
    found["invited"] = seeds["invited"]
    print(json.dumps(found))  # noqa: T201 - for the test that runs this


def fill(director: User) -> None:
    """Add a long hall: names in all letters, a Swiss under way, an ended knockout, a record, ranking lists."""
    tournament = build_tournament(director, LONG_NAME)
    for format in ("swiss", "round-robin", "double-elimination", "pools"):
        event = build_event(director, players=16, format=format, tournament=tournament, name=format)
        for number, match in enumerate(open_matches(event)[:5]):
            win(match, Side.A if number % 3 else Side.B, loser_points=number % 4)
        store_standings(event.pk)
    ended = build_event(director, players=8, tournament=tournament, name="ended")
    play_out(ended)
    store_standings(ended.pk)
    names = ["Åse Østergård", "Ærlig Ærøe", "Özil Ömer", "Maximilian-Alexander von und zu Hohenlohe-Langenburg"]
    for player, name in zip(Player.objects.order_by("pk"), names, strict=False):
        Player.objects.filter(pk=player.pk).update(name=name)
    federation = create_federation(FederationData("DBGF", "Dansk Backgammon Forbund", "DK"), by=None)
    create_club(ClubData("Ærøskøbing Backgammonklub", federation="DBGF"), by=None)
    RegistryRole.objects.create(user=director, federation=federation, since=timezone.now())
    import_record(RECORD.read_bytes(), name="played.mat", at=timezone.now())
    call_command("rate", "fibs", stdout=io.StringIO())


def who(client: Client) -> str:
    user = User.objects.filter(pk=client.session.get("_auth_user_id", 0)).first()
    return user.username if user else "visitor"


def client_of(name: str) -> Client:
    client = Client()
    if name != "visitor":
        client.force_login(User.objects.get(username=name))
    return client


def is_open(page: str) -> bool:
    return Client().get(page).status_code == 200


def guessed(event: Event) -> Iterator[str]:
    """Addresses to which no page may lead, such as screens and overlays: any that the names of an event fill."""
    entry = event.entries.order_by("pk")[0]
    known = {
        "tournament_slug": event.tournament.slug,
        "event_slug": event.slug,
        "player_id": entry.player_id,
        "token": token_of(entry),
        "match_id": open_matches(event)[0].pk,
        "number": 1,
        "system": "fibs",
    }
    for name, wanted in addresses(get_resolver()):
        if wanted <= known.keys():
            try:
                yield reverse(name, kwargs={key: known[key] for key in wanted})
            except NoReverseMatch:
                continue


def addresses(resolver: URLResolver, above: frozenset[str] = frozenset()) -> Iterator[tuple[str, frozenset[str]]]:
    for pattern in resolver.url_patterns:
        own = above | frozenset(pattern.pattern.regex.groupindex)
        if isinstance(pattern, URLPattern):
            if pattern.name and not pattern.default_args:
                yield pattern.name, own
        elif not pattern.app_name:
            yield from addresses(pattern, own)


def walk_from(seeds: list[str], client: Client) -> list[tuple[str, set[Element]]]:
    """Follow links from these pages; return those that answer with HTML, a few of each kind, in a stable order.

    With each is what it is made of.
    """
    queue, seen = list(dict.fromkeys(seeds)), set()
    pages: dict[str, list[tuple[str, set[Element]]]] = defaultdict(list)
    while queue:
        address = queue.pop(0)
        kind = kind_of(address)
        if kind is None or address in seen or len(pages[kind]) >= OF_A_KIND:
            continue
        seen.add(address)
        answer = client.get(address)
        if answer.status_code != 200 or not answer.headers["Content-Type"].startswith("text/html") or answer.streaming:
            continue
        text = answer.content.decode()
        if "<html" in text:
            pages[kind].append((address, elements_of(text)))
            queue += [link.replace("&amp;", "&") for link in LINK.findall(text)]
    return list(chain.from_iterable(pages.values()))


def with_news(pages: list[tuple[str, set[Element]]], known: set[Element]) -> Iterator[str]:
    """Yield the pages that have an element which is not yet known, and those with long names; all are known then."""
    for address, elements in pages:
        if elements - known or address.startswith(LONG):
            yield address
        known |= elements


def elements_of(page: str) -> set[Element]:
    parser = Elements()
    parser.feed(page)
    return parser.found


class Elements(HTMLParser):
    """Reads of what a page is made of: each element and the one that holds it, without what they say."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[Element] = set()
        self.open: list[tuple[str, str]] = [("", "")]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        names = sorted(name for name in told if not name.startswith("data-"))
        kinds = [*sorted(told.get("class", "").split()), told.get("type", ""), told.get("role", "")]
        element = " ".join([tag, *kinds, *names])
        self.found.add((self.open[-1][1], element))
        if tag not in WITHOUT_END:
            self.open.append((tag, element))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        places = [place for place, (name, _element) in enumerate(self.open) if name == tag]
        if places:
            del self.open[places[-1] :]


def kind_of(address: str) -> str | None:
    """What a page is, by the name of its address and what is asked of it; None for what is no page of ours."""
    path, _mark, query = address.partition("?")
    if path.startswith(ELSEWHERE):
        return None
    try:
        match = resolve(path)
    except Resolver404:
        return None
    if match.view_name in BY_FORMAT and not query:
        stages = Stage.objects.filter(event__slug=match.kwargs["event_slug"], number=1)
        return f"{match.view_name} {stages.values_list('format', flat=True).first()}"
    asked = "&".join(sorted(re.findall(r"(\w+)=", query)))
    slug = str(match.kwargs.get("slug", ""))  # the sheets on paper are pages of their own
    return f"{match.view_name} {slug} {asked}"
