"""Rows and constraints: Tournament (the weekend), Event (what people enter), Stage (one draw), Fixture (a pairing)."""

from tournament.models.alert import Alert, Subscription
from tournament.models.announcement import Announcement
from tournament.models.backup import BackupRun
from tournament.models.challenge import Challenge
from tournament.models.division import Division
from tournament.models.draw import Carry, Fixture, Stage, Standing
from tournament.models.event import Departure, Entry, Event, PublicSource, Tournament, default_tiebreaks, from_the_start
from tournament.models.event_template import EventTemplate
from tournament.models.export import Every, ExportProfile, KeptExport
from tournament.models.hall import Break, Call, CallEnding, DirectorCall, Seat, Table
from tournament.models.hand import HandChange
from tournament.models.job import Job, JobState
from tournament.models.kept_answer import KeptAnswer
from tournament.models.law import Advance, FormerMatch
from tournament.models.log import LogEntry
from tournament.models.lots import DrawChain, OpenUrn
from tournament.models.money import EventMoney, Lot, LotSale, Payment, Purpose, SidePool, SidePoolMember
from tournament.models.offer import Offer
from tournament.models.page_request import PageRequest
from tournament.models.play_off import PlayOff
from tournament.models.public_value import Closing, GivenWord
from tournament.models.report import EventReport, RatingRuling, RatingVerdict, ReportState, ReportStep, Sanction
from tournament.models.roles import Appointment, Invitation, Role
from tournament.models.self_entry import SelfEntry
from tournament.models.series import Series, SeriesEvent
from tournament.models.sign_in import AccessToken, Happening, Scope, SignInEvent
from tournament.models.team import Board, Member, listed_matches, present_matches

__all__ = [
    "AccessToken",
    "Advance",
    "Alert",
    "Announcement",
    "Appointment",
    "BackupRun",
    "Board",
    "Break",
    "Call",
    "CallEnding",
    "Carry",
    "Challenge",
    "Closing",
    "Departure",
    "DirectorCall",
    "Division",
    "DrawChain",
    "Entry",
    "Event",
    "EventMoney",
    "EventReport",
    "EventTemplate",
    "Every",
    "ExportProfile",
    "Fixture",
    "FormerMatch",
    "GivenWord",
    "HandChange",
    "Happening",
    "Invitation",
    "Job",
    "JobState",
    "KeptAnswer",
    "KeptExport",
    "LogEntry",
    "Lot",
    "LotSale",
    "Member",
    "Offer",
    "OpenUrn",
    "PageRequest",
    "Payment",
    "PlayOff",
    "PublicSource",
    "Purpose",
    "RatingRuling",
    "RatingVerdict",
    "ReportState",
    "ReportStep",
    "Role",
    "Sanction",
    "Scope",
    "Seat",
    "SelfEntry",
    "Series",
    "SeriesEvent",
    "SidePool",
    "SidePoolMember",
    "SignInEvent",
    "Stage",
    "Standing",
    "Subscription",
    "Table",
    "Tournament",
    "default_tiebreaks",
    "from_the_start",
    "listed_matches",
    "present_matches",
]
