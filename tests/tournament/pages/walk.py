"""Tournaments in which everything is going on that a form is about, and all their pages with forms."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.test import Client
from django.urls import reverse
from django.utils import timezone

from matches.money_play import MoneyTerms, add_game, begin_session
from players.models import Player, User
from rules.money import BoxResult
from rules.profiles import Variants
from rules.score import Side
from rules.sheet import GameResult
from tests.builders import (
    AT,
    build_director,
    build_event,
    build_key,
    build_money_terms,
    claim,
    fixture_of,
    open_matches,
    play_out,
    win,
)
from tests.pages import PageForm, forms_of
from tests.tournament.closed import build_closings
from tests.tournament.ladders import at_rung, build_ladder
from tournament.alerts.mail import path_to_confirm, path_to_stop
from tournament.alerts.telling import KINDS
from tournament.draw.hand import change_draw
from tournament.draw.play_offs import enter_play_off
from tournament.draw.reconcile import Repair
from tournament.draw.standings import store_standings
from tournament.entries.attendance import check_in, leave_event, put_to_wait, set_door
from tournament.entries.identity import merge_players
from tournament.entries.links import token_of
from tournament.entries.lists import EntryLine
from tournament.entries.page_requests import ask_for_page
from tournament.entries.self_entry import enter_oneself, set_self_entry
from tournament.entries.services import add_entries, withdraw_entry
from tournament.events.appoint import invite
from tournament.events.deletion import delete_event, delete_tournament
from tournament.events.services import finish_event
from tournament.events.stages import add_stage
from tournament.formats.moves import MoveKind
from tournament.hall.announcements import announce
from tournament.hall.calling import call_match
from tournament.hall.director_calls import call_director
from tournament.hall.tables import add_break, add_tables
from tournament.jobs.kinds import given_lines
from tournament.jobs.services import start_job
from tournament.models import Appointment, Entry, Event, Role, Subscription, Tournament
from tournament.models.alert import Channel
from tournament.models.team import matches_in
from tournament.money.calcutta import make_lots, sell_lot
from tournament.money.services import set_money, settle_accounts
from tournament.money.side_pools import join_side_pool, open_side_pool
from tournament.prizes import PrizeTable
from tournament.results.enter import enter_result
from tournament.results.reports import report_result
from tournament.setup.divisions import DivisionRule, set_divisions
from tournament.setup.templates import save_template


@dataclass
class Walk:
    """Pages, each with the client that reads it."""

    pages: list[tuple[Client, str]]

    def forms(self) -> Iterator[tuple[Client, str, PageForm, str]]:
        """Return every form that is sent, with the page that it is on and each address that it may be sent to."""
        for client, page in self.pages:
            answer = client.get(page)
            assert answer.status_code == 200, page
            for form in forms_of(answer):
                if form.attributes.get("method") == "post":
                    for address in form.addresses(page):
                        yield client, page, form, address


OF_TOURNAMENT = (
    *("tournament", "new-event", "tournament-settings", "log", "roles", "delete-tournament"),
    *("desk", "day", "tables"),
)


def build_walk(director: User) -> Walk:
    """The pages of tournaments in which everything is going on that a form is about."""
    director.is_superuser = True
    director.save()
    signed_in = Client()
    signed_in.force_login(director)
    knockout = build_knockout(director)
    door = build_door(director, knockout.tournament)
    pages = [*pages_of(knockout), *pages_of(door), *pages_of(build_teams(director, knockout.tournament))]
    for build in (build_tie, build_league, build_swiss, build_ended):
        pages += pages_of(build(director, knockout.tournament))
    ladder = build_ladder(director, knockout.tournament)
    pages += pages_of(ladder)
    closed, private = build_closings(knockout.tournament, director)
    private += [reverse("my-entry", args=[token_of(at_rung(ladder, rung))]) for rung in (2, 4)]
    pages += [reverse("entries", args=[event.tournament.slug, event.slug]) for event in closed]
    tournament = [knockout.tournament.slug]
    pages += [reverse(name, args=tournament) for name in OF_TOURNAMENT]
    save_template(knockout, name="Mine", by=director, at=AT)
    pages += [reverse("event-again", args=[knockout.tournament.slug, knockout.slug]), reverse("templates")]
    end_season(director, knockout.tournament)
    pages += [reverse(name, args=tournament) for name in ("tournament-again", "divisions")]
    pages += [reverse("seeding", args=[door.tournament.slug, door.slug])]
    pages += [reverse("new-tournament"), reverse("records"), reverse("backups"), job_of(director, door)]
    pages += [reverse("money-sessions"), *pages_of_money(director)]
    pages += [*pages_of_players(knockout.tournament), *pages_of_door(director)]
    appoint(director, knockout.tournament)
    gone = build_event(director, players=0, drawn=False, tournament=knockout.tournament, name="Gone")
    delete_event(gone, typed="Gone", by=director, at=AT)
    pages.append(deleted_tournament(director))
    ask_for_page(fixture_of(knockout, "M1-7").entry_a, key="walk", at=timezone.now())
    visitor, token = Client(), token_of(fixture_of(knockout, "M1-6").entry_a)
    mine = reverse("my-entry", args=[token])
    mailed = subscribe(fixture_of(knockout, "M1-6").entry_a)
    to_check_in = next(entry for entry in door.entries.all() if entry.checked_in_at is None and entry.left_at is None)
    set_self_entry(door, open=True, until=None, by=director, at=AT)
    of_oneself = enter_oneself(door, line=EntryLine(name="Self Made"), key="walk", at=AT)
    _invitation, secret = invite(knockout.tournament, role="scorer", by=director, at=timezone.now())
    other = Client()
    other.force_login(build_director("invited"))
    return Walk(
        [
            *((signed_in, page) for page in pages),
            (visitor, mine),
            (visitor, reverse("my-entry", args=[token_of(to_check_in)])),
            (visitor, path_to_confirm(mailed)),
            (visitor, path_to_stop(mailed)),
            (visitor, reverse("find-me", args=[knockout.tournament.slug, knockout.slug])),
            (visitor, reverse("enter-oneself", args=[door.tournament.slug, door.slug])),
            (visitor, reverse("my-entry", args=[token_of(of_oneself)])),
            *((visitor, page) for page in private),
            (visitor, reverse("sign-up", args=[secret])),
            (visitor, reverse("login")),
            (visitor, reverse("account_reset_password")),
            (visitor, reverse("check-draw")),
            (other, reverse("invitation", args=[secret])),
        ]
    )


def pages_of_money(director: User) -> list[str]:
    """A session with a game, as its owner sees it."""
    session = begin_session(MoneyTerms(("Player 1", "Player 2"), "dk-leaflet", Variants()), by=director, at=AT)
    add_game(session, [BoxResult(0, 1, GameResult(Side.A))], number=1, by=director)
    return [session.get_absolute_url()]


def pages_of(event: Event) -> list[str]:
    """The pages of the event that have forms, and those of its matches and of one of its entries."""
    here = [event.tournament.slug, event.slug]
    names = ["pairings", "standings", "history", "entries", "settings", "delete-event"]
    names += ["money", "money-terms", "payout-sheet", "side-pools", "calcutta"]
    entries = [reverse("entry", args=[*here, entry.pk]) for entry in event.entries.all()[:3]]
    matches = [match.get_absolute_url() for match in matches_in(event)]
    hand = [reverse("change-draw", args=[*here, 1])]
    return [*(reverse(name, args=here) for name in names), *hand, *matches, *entries]


def build_knockout(director: User) -> Event:
    """A knockout with money and tables: results, one of which later matches rest on, reports and a called match."""
    event = build_event(director, players=16)
    set_money(event, build_money_terms(), by=director, at=AT)
    entries = list(event.entries.all())
    settle_accounts(event, accounts=[f"entry-{entries[0].pk}"], amount=5000, key="paid", by=director, at=AT)
    pool = open_side_pool(event, name="Side", fee=100, table=PrizeTable("template", "winner"), by=director, at=AT)
    join_side_pool(pool, entry=entries[1], by=director, at=AT)
    add_tables(event.tournament, first=1, last=3, by=director, at=AT)
    add_break(event.tournament, name="Lunch", starts_at=AT, ends_at=AT.replace(hour=20), by=director, at=AT)
    announce(event.tournament, text="Supper at six.", by=director, at=AT)
    announce(event.tournament, text="The final is streamed.", event=event, by=director, at=AT)
    for number in (1, 2, 3, 4):
        win(fixture_of(event, f"M1-{number}").match, Side.A)
    win(fixture_of(event, "M2-1").match, Side.A)
    enter_result(
        fixture_of(event, "M1-1").match,
        claim=claim(final=(1, 5), base=1, reason="Seen."),
        repair=Repair.STAND,
        may_repair=True,
        by=director,
        at=AT,
    )
    enter_result(
        fixture_of(event, "M1-5").match, claim=claim(games=(GameResult(Side.A, 4),), confirmed=True), by=director, at=AT
    )
    report_result(fixture_of(event, "M1-6").match, claim=claim(final=(5, 1)), side=Side.B, by=None, at=AT)
    call_match(fixture_of(event, "M1-7").match, by=director, at=AT)
    call_director(fixture_of(event, "M1-7").match, entry=None, by=None, at=AT)
    return event


def end_season(director: User, tournament: Tournament) -> Event:
    """A division whose season has ended, so that the next one can be made."""
    season = build_event(director, players=2, format="league", tournament=tournament, name="Season")
    play_out(season)
    finish_event(season, by=director, at=AT)
    store_standings(season.pk)
    set_divisions(tournament, rules=[DivisionRule(season.pk)], by=director, at=AT)
    return season


def build_door(director: User, tournament: Tournament) -> Event:
    """An event that takes entries: some checked in, one waiting, one gone; its lots are for sale, and one is sold."""
    event = build_event(director, players=6, drawn=False, tournament=tournament, name="Door")
    set_door(event, max_entries=5, check_in=True, late_minutes=5, by=director, at=AT)
    first, second, third, *_others = event.entries.all()
    check_in(first, by=director, at=AT)
    put_to_wait(second, by=director, at=AT)
    leave_event(third, kind="withdrawn", by=director, at=AT)
    set_money(event, build_money_terms(), by=director, at=AT)
    make_lots(event, by=director, at=AT)
    lots = event.lots.all()
    sell_lot(lots[0], buyer="Cy", price=1000, base=0, by=director, at=AT)
    add_entries(event, lines=[EntryLine(name="Late Comer", line=1)], by=director, at=AT)
    add_stage(
        event, format="single-elimination", options={"lengths": [5]}, qualifiers=2, carry="none", by=director, at=AT
    )
    return event


def build_teams(director: User, tournament: Tournament) -> Event:
    return build_event(director, players=2, boards=3, tournament=tournament, name="Teams")


def build_tie(director: User, tournament: Tournament) -> Event:
    """Four players who have each won as often as another; one play-off has been entered, another is to be.

    The lower error rates would count too, and are open.
    """
    rated = {"format": "round-robin", "options": {"rate_point": True}}
    event = build_event(director, players=4, **rated, tiebreaks=["play-off"], tournament=tournament, name="Tie")
    beats = {("1", "2"), ("2", "3"), ("3", "1"), ("1", "4"), ("2", "4"), ("3", "4")}
    for match in open_matches(event):
        pair = (match.name_a.removeprefix("Player "), match.name_b.removeprefix("Player "))
        win(match, Side.A if pair in beats else Side.B)
    store_standings(event.pk)
    one, two, *_others = event.entries.order_by("number")
    enter_play_off(event.stages.get(), winner=one, loser=two, by=director, at=AT)
    store_standings(event.pk)
    return event


def build_league(director: User, tournament: Tournament) -> Event:
    options = {"starts_on": "2026-01-05", "days": 7}
    event = build_event(director, players=4, format="league", options=options, tournament=tournament, name="League")
    first, second = event.entries.all()[:2]
    change_draw(event.stages.get(), kind=MoveKind.SWAP, a=first, b=second, reason="Asked.", by=director, at=AT)
    return event


def build_swiss(director: User, tournament: Tournament) -> Event:
    """A Swiss in which somebody sits out."""
    event = build_event(director, players=4, format="swiss", tournament=tournament, name="Swiss")
    withdraw_entry(event.entries.all()[0], by=director, at=AT)
    return event


def build_ended(director: User, tournament: Tournament) -> Event:
    event = build_event(director, players=2, tournament=tournament, name="Ended")
    win(open_matches(event)[0], Side.A)
    finish_event(event, by=director, at=AT)
    return event


def appoint(director: User, tournament: Tournament) -> None:
    scorer = build_director("scorer")
    Appointment.objects.create(tournament=tournament, user=scorer, role=Role.SCORER, since=AT)


def subscribe(entry: Entry) -> Subscription:
    """An e-mail address that is to be told about the entry, once it has confirmed."""
    asked = {"kinds": list(KINDS), "language": "en", "made_at": timezone.now()}
    return Subscription.objects.create(
        entry=entry, epoch=entry.link_epoch, channel=Channel.MAIL, address="anna@example.org", **asked
    )


def job_of(director: User, event: Event) -> str:
    lines = given_lines([EntryLine(name="Ann", line=1)])
    return start_job("entries", event=event, given=lines, by=director, at=AT).get_absolute_url()


def pages_of_door(director: User) -> list[str]:
    build_key(director)
    names = ("users", "access-tokens", "account_change_password", "account_email")
    return [*(reverse(name) for name in names), reverse("user", args=[director.pk])]


def deleted_tournament(director: User) -> str:
    gone = build_event(director, players=0, drawn=False, name="There").tournament
    gone.name = gone.slug = "gone"
    gone.save()
    delete_tournament(gone, typed="gone", by=director, at=AT)
    return reverse("log", args=[gone.slug])


def known_in(tournament: Tournament, name: str) -> Player:
    """A player who is in an event of the tournament, with nobody else."""
    event = build_event(None, players=0, drawn=False, tournament=tournament, name=f"Evening of {name}")
    add_entries(event, lines=[EntryLine(name=name)], by=None, at=AT)
    return event.entries.get().player


def pages_of_players(tournament: Tournament) -> list[str]:
    one, other, third = (known_in(tournament, name) for name in ("Ann", "Anne", "Anna"))
    merge_players(one, other, by=User.objects.get(username="director"), at=AT)
    return [
        one.get_absolute_url(),
        reverse("personal-data", args=[one.pk]),
        f"{reverse('merge-player', args=[one.pk])}?gone={third.pk}",
    ]
