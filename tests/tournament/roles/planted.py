"""A tournament with everything in it, a viewer for every role, and a text of its own in every private field."""

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from allauth.account.models import EmailAddress
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from matches.evidence import Evidence
from matches.import_records import import_record
from matches.money_play import MoneyTerms, begin_session
from matches.money_sessions import MoneySession
from matches.ratings import rate_matches
from players.models import Player, RegistryImport, User
from players.webhooks.endpoints import make_webhook
from rules.profiles import Variants
from rules.score import Side
from tests.builders import AT, build_director, build_event, build_tournament, claim, fixture_of
from tests.players.registry.people import build_registry
from tests.tournament.closed import DICE, build_closed
from tests.tournament.pages.walk import build_walk
from tests.tournament.roles.sent import event_called, prepare
from tournament.alerts.mail import path_to_confirm, path_to_stop
from tournament.draw.dice import type_dice
from tournament.draw.make import make_draw
from tournament.draw.secret import OPEN_NONCE, reveal_link
from tournament.draw.standings import store_standings
from tournament.entries.attendance import leave_event
from tournament.entries.links import token_of
from tournament.entries.page_requests import token_of_request
from tournament.entries.services import keep_apart
from tournament.events.appoint import invite
from tournament.exports.profiles import ProfileData, make_profile
from tournament.hall.announcements import announce, withdraw_announcement
from tournament.models import (
    AccessToken,
    Announcement,
    Appointment,
    BackupRun,
    Entry,
    Event,
    EventTemplate,
    Job,
    KeptExport,
    LogEntry,
    Lot,
    LotSale,
    PageRequest,
    Payment,
    PlayOff,
    Role,
    SidePool,
    SignInEvent,
    Subscription,
)
from tournament.models.alert import Channel
from tournament.results.reports import dispute_result, report_result
from tournament.sign_in.tokens import make_token

ANONYMOUS, LINK, NOBODY, STRANGER, ELSEWHERE = "anonymous", "link", "nobody", "stranger", "elsewhere"
READER, SCORER, DEPUTY, DIRECTOR, OWNER, SUPERUSER = "reader", "scorer", "deputy", "director", "owner", "superuser"
VIEWERS = (ANONYMOUS, LINK, NOBODY, STRANGER, ELSEWHERE, READER, SCORER, DEPUTY, DIRECTOR, OWNER, SUPERUSER)
"""Who reads: a visitor, the holder of a player's link, a user without a role, the director of another tournament, the
scorer of another event, and a user with each role: scorer and deputy of Main, the others of the tournament."""

RECORD = Path(__file__).parents[2] / "data" / "records" / "gnubg-7pt.mat"
ADDRESS, AGENT, ASKED_FROM = "203.0.113.77", "PlantedAgent/7.7", "198.51.100.33"
DOOR_ADDRESS, DOOR_AGENT = "192.0.2.99", "PlantedDoor/9.9"
LOGIN = "zq-login-"
"""How the login name of every member of the staff begins."""


@dataclass
class World:
    """``main`` is the event that most is about; ``ids`` is what addresses hold, ``secrets`` the texts by their kind."""

    main: Event
    users: Mapping[str, User]
    own_link: str
    ids: dict[str, object] = field(default_factory=dict)
    secrets: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def client(self, viewer: str) -> Client:
        client = Client(raise_request_exception=False)
        if viewer in self.users:
            client.force_login(self.users[viewer])
        elif viewer == LINK:
            client.get(reverse("my-entry", args=[self.own_link]))
        return client


def build_world() -> World:
    owner = build_director()
    build_walk(owner)
    fresh = prepare()
    User.objects.filter(pk=owner.pk).update(is_superuser=False)
    owner.refresh_from_db()
    main = event_called("Main")
    world = World(main, appoint_all(main, owner), token_of(fixture_of(main, "M1-6").entry_a))
    rate_matches("fibs", at=AT)
    record = import_record(RECORD.read_bytes(), name="one.mat", at=AT).record
    world.ids = {
        "record_id": record.pk,
        "session_id": build_money_session(owner).pk,
        "report_id": 1,
        **build_federation(),
        **ids_of(main, owner),
        **tokens_of(main, owner, world.own_link),
    }
    world.secrets = plant(world, owner, fresh)
    store_standings(main.pk)
    return world


def build_money_session(owner: User) -> MoneySession:
    return begin_session(MoneyTerms(("Ida", "Jon"), "dk-leaflet", Variants(jacquet=True)), by=owner, at=AT)


def build_federation() -> dict[str, object]:
    """A federation with a club, a member and an import; return what addresses hold of it."""
    made = build_registry()
    kept = {"kind": "members", "file_name": "a.csv", "sha256": "0" * 64, "data": b"name", "at": AT}
    imported = RegistryImport.objects.create(federation=made.federation, **kept)
    role = made.federation.officers.get()
    profile = make_profile(made.federation, ProfileData("Members", "members", [("family", "")]), by=None, at=AT)
    days = {"first": AT.date(), "last": AT.date(), "rows": 1, "size": 1, "sha256": "0" * 64, "made_at": AT}
    export = KeptExport.objects.create(
        federation=made.federation, profile=profile, name="a.csv", format="csv", data=zlib.compress(b"x"), **days
    )
    told = {"address": "https://example.org/", "events": ["export.made"], "by": None, "at": AT}
    webhook, _secret = make_webhook(made.federation, **told)
    exported = {"profile_id": profile.pk, "export_id": export.pk, "webhook_id": webhook.pk, "delivery_id": 1}
    person = {"membership_id": made.holm.body_memberships.get().pk, "wish_id": 1, "number_id": 1, "norm_id": 1}
    return {"club_id": made.club.pk, "import_id": imported.pk, "role_id": role.pk, "alias_id": 1, **person, **exported}


def appoint_all(main: Event, owner: User) -> dict[str, User]:
    """A user for each viewer who is signed in; the login name of each is a secret, and so is the e-mail address."""
    reaches = {ELSEWHERE: (Role.SCORER, event_called("League")), READER: (Role.READER, None)}
    reaches |= {SCORER: (Role.SCORER, main), DEPUTY: (Role.DEPUTY, main), DIRECTOR: (Role.DIRECTOR, None)}
    users = {OWNER: owner}
    for viewer in (NOBODY, STRANGER, SUPERUSER, *reaches):
        users[viewer] = build_director(f"{LOGIN}{viewer}")
        if viewer in reaches:
            role, event = reaches[viewer]
            place = {"tournament": main.tournament, "event": event}
            Appointment.objects.create(**place, user=users[viewer], role=role, since=AT)
    build_tournament(users[STRANGER], "Elsewhere")
    users[SUPERUSER].is_superuser = True
    for viewer, user in users.items():
        user.first_name = f"Person {viewer}"
        user.username, user.email = f"{LOGIN}{viewer}", f"zq-mail-{viewer}@example.org"
        user.save()
    return users


def ids_of(main: Event, owner: User) -> dict[str, object]:
    entry, second = main.entries.all()[:2]
    held = Appointment.objects.get(user__username="scorer")
    return {
        "tournament_slug": main.tournament.slug,
        "event_slug": main.slug,
        "tournament_id": main.tournament_id,
        "event_id": main.pk,
        "entry_id": entry.pk,
        "player_id": entry.player_id,
        "other_id": second.player_id,
        "duplicate_id": Player.objects.get(name="Anne").pk,
        "match_id": fixture_of(main, "M1-1").match_id,
        "evidence_id": Evidence.attached.get().pk,
        "play_off_id": PlayOff.objects.get().pk,
        "appointment_id": held.pk,
        "announcement_id": Announcement.objects.filter(withdrawn_at=None).first().pk,
        "row_id": LogEntry.objects.filter(event=main).latest("id").pk,
        "pool_id": SidePool.objects.filter(event=main).get().pk,
        "lot_id": Lot.objects.first().pk,
        "payment_id": Payment.objects.first().pk,
        "template_id": EventTemplate.objects.get().pk,
        "job_id": Job.objects.get().pk,
        "break_id": main.tournament.breaks.get().pk,
        "number": 1,
        "change": 1,
        "code": "da",
        "moment": "2026-03-06T20:00:00Z",
        "system": "fibs",
        "pk": 1,
        "key": "zq",
        "uidb36": "zq",
    }


def tokens_of(main: Event, owner: User, own_link: str) -> dict[str, object]:
    mailed = Subscription.objects.get(channel=Channel.MAIL)
    asked = PageRequest.objects.get()
    invitation, token = invite(
        main.tournament, role="scorer", note="zq-note", token="zq-invitation", by=owner, at=timezone.now()
    )
    return {
        "invitation_id": invitation.pk,
        "invitation": token,
        "link": own_link,
        "request_id": asked.pk,
        "request": token_of_request(asked),
        "confirming": path_to_confirm(mailed).split("/")[2],
        "stopping": path_to_stop(mailed).split("/")[2],
        "subscription_id": mailed.pk,
    }


def plant_at_the_door(world: World, owner: User) -> tuple[str, str]:
    """Plant what is kept about the owner's sign-in; return the key of a token and its digest."""
    token, key = make_token(owner, name="zq-token-name", scope="write", days=30, at=timezone.now())
    AccessToken.objects.filter(pk=token.pk).update(prefix="zq-prefix")
    SignInEvent.objects.create(at=AT, user=owner, what="signed-in", address=DOOR_ADDRESS, agent=DOOR_AGENT)
    EmailAddress.objects.create(user=owner, email=owner.email, primary=True, verified=True)
    BackupRun.objects.create(asked_at=AT, begun_at=AT, ended_at=AT, reason="zq-backup")
    world.ids |= {"user_id": owner.pk, "token_id": token.pk}
    return key, token.digest


def plant_alerts(leaving: Entry) -> None:
    kinds = {"kinds": ["call"], "language": "en", "made_at": AT, "epoch": leaving.link_epoch}
    keys = {"public_key": "zq-browser-key", "secret": "zq-browser-secret"}
    mine = fixture_of(event_called("Main"), "M1-6").entry_a
    Subscription.objects.create(
        entry=mine,
        channel=Channel.PUSH,
        address="https://push.example.org/zq-endpoint",
        confirmed_at=AT,
        **kinds,
        **keys,
    )
    Subscription.objects.filter(channel=Channel.MAIL).update(address="zq-alerts@example.org", confirmed_at=AT)


def plant(world: World, owner: User, fresh: Event) -> dict[str, tuple[str, ...]]:
    """Put a text of its own into every private field, and return the texts by kind."""
    main = world.main
    leaving = fixture_of(main, "M1-8").entry_a
    leave_event(leaving, kind="disqualified", reason="zq-leaving", by=owner, at=AT)
    match = fixture_of(main, "M2-2").match
    report_result(match, claim=claim(final=(5, 1)), side=Side.A, by=None, at=AT)
    dispute_result(match, number=1, side=Side.B, reason="zq-objection", by=None, at=AT)
    drawn = build_event(
        None, players=4, drawn=False, seed="", tournament=main.tournament, name="Families", nonce=f"{OPEN_NONCE}zq"
    )
    for event in (fresh, drawn):
        for entry in event.entries.all()[:2]:
            keep_apart(entry, family="zq-family", by=owner, at=AT)
    make_draw(drawn, by=owner, at=AT)
    thrown = build_closed(main.tournament, "dice", name="Thrown")
    for user in (owner, world.users[DIRECTOR]):
        type_dice(thrown, dice=DICE[::-1], by=user, at=AT)
    make_draw(thrown, by=owner, at=AT)
    withdrawn = announce(main.tournament, text="zq-withdrawn", event=main, by=owner, at=AT)
    withdraw_announcement(withdrawn, by=owner, at=AT)
    LogEntry.objects.update(address=ADDRESS, agent=AGENT, way="page")
    PageRequest.objects.update(asked_from=ASKED_FROM, key="zq-key")
    Payment.objects.update(name="zq-payer")
    LotSale.objects.update(buyer="zq-buyer")
    EventTemplate.objects.update(name="zq-template")
    Event.everything.filter(name="Gone").update(name="zq-gone")
    plant_alerts(leaving)
    key, digest = plant_at_the_door(world, owner)
    chain = drawn.draw_chains.get()
    urn = chain.urns.latest("number")
    next_link = reveal_link(chain, urn.number + 1, urn.link)
    assert next_link
    return {
        "address": (ADDRESS,),
        "agent": (AGENT,),
        "asked_from": (ASKED_FROM,),
        "request_key": ("zq-key",),
        "note": ("zq-note",),
        "leaving": ("zq-leaving",),
        "objection": ("zq-objection",),
        "family": ("zq-family",),
        "withdrawn": ("zq-withdrawn",),
        "payer": ("zq-payer",),
        "buyer": ("zq-buyer",),
        "template": ("zq-template",),
        "deleted": ("zq-gone",),
        "push": ("zq-endpoint", "zq-browser-key", "zq-browser-secret"),
        "mail": ("zq-alerts@", *(user.email for user in world.users.values() if user != owner)),
        "login": (LOGIN,),
        "dice": (DICE,),
        "api_token": (key, digest),
        "own_token": ("zq-token-name", "zq-prefix"),
        "door": (DOOR_ADDRESS, DOOR_AGENT),
        "backup": ("zq-backup",),
        "own_mail": (owner.email,),
        "invitation": ("zq-invitation",),
        "links": tuple(token_of(entry) for entry in main.entries.all() if token_of(entry) != world.own_link),
        "next_link": (next_link,),
    }
