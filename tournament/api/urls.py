"""The addresses of the API and its documentation."""

from django.urls import path, re_path
from django.views.decorators.cache import cache_page

from tournament.api.entries import closing, door, links, lists, page_requests
from tournament.api.entries import views as entry_views
from tournament.api.events import (
    again,
    challenges,
    deletion,
    hand,
    past,
    play_offs,
)
from tournament.api.events import (
    views as event_views,
)
from tournament.api.exports import views as tables
from tournament.api.hall import announcements, director, overlay
from tournament.api.hall import views as hall_views
from tournament.api.money import pools as money_pools
from tournament.api.money import tables as money_tables
from tournament.api.money import views as money_views
from tournament.api.players import career
from tournament.api.players import views as player_views
from tournament.api.proof import views as proof_views
from tournament.api.results import corrections, rulings, sheets
from tournament.api.results import views as result_views
from tournament.api.roles import log, undo
from tournament.api.roles import views as role_views
from tournament.api.rules import views as rules_views
from tournament.api.site import advice, docs, jobs, session

app_name = "api"

SCHEMA_SECONDS = 300

urlpatterns = [
    # Addresses are tried in this order, and nothing is asked for as often as these.
    path("matches/<int:match_id>/", result_views.MatchView.as_view(), name="match"),
    path("matches/<int:match_id>/result/", result_views.ResultView.as_view(), name="result"),
    path("matches/<int:match_id>/call/", hall_views.CallMatchView.as_view(), name="call-match"),
    path("matches/<int:match_id>/overlay/", overlay.MatchOverlayView.as_view(), name="match-overlay"),
    path("matches/<int:match_id>/start/", hall_views.StartMatchView.as_view(), name="start-match"),
    path("matches/<int:match_id>/move/", hall_views.MoveMatchView.as_view(), name="move-match"),
    path("matches/<int:match_id>/recall/", hall_views.RecallMatchView.as_view(), name="recall-match"),
    path("matches/<int:match_id>/director/", director.DirectorView.as_view(), name="director"),
    path("links/<str:token>/matches/<int:match_id>/director/", director.MyDirectorView.as_view(), name="my-director"),
    path("matches/<int:match_id>/result/preview/", corrections.ResultPreviewView.as_view(), name="result-preview"),
    path("matches/<int:match_id>/void/preview/", corrections.VoidPreviewView.as_view(), name="void-preview"),
    path("matches/<int:match_id>/advance/end/", corrections.EndAdvanceView.as_view(), name="end-advance"),
    path("matches/<int:match_id>/reports/", corrections.ReportsView.as_view(), name="reports"),
    path("matches/<int:match_id>/confirm/", corrections.ConfirmView.as_view(), name="confirm"),
    path("matches/<int:match_id>/dispute/", corrections.DisputeView.as_view(), name="dispute"),
    path("matches/<int:match_id>/rulings/", rulings.RulingsView.as_view(), name="rulings"),
    path("matches/<int:match_id>/reserve/", result_views.ReserveView.as_view(), name="reserve"),
    path("matches/<int:match_id>/walkover/", result_views.WalkoverView.as_view(), name="walkover"),
    path("matches/<int:match_id>/rates/", result_views.ErrorRatesView.as_view(), name="error-rates"),
    path("matches/<int:match_id>/lateness/", door.LatenessView.as_view(), name="lateness"),
    path("matches/<int:match_id>/void/", result_views.VoidView.as_view(), name="void"),
    path("links/<str:token>/matches/<int:match_id>/sheet/", sheets.SheetView.as_view(), name="sheet"),
    path("links/<str:token>/matches/<int:match_id>/sheet/confirm/", sheets.YesView.as_view(), name="sheet-confirm"),
    path("links/<str:token>/matches/<int:match_id>/sheet/dispute/", sheets.NoView.as_view(), name="sheet-dispute"),
    path("handed-over/", sheets.HandedView.as_view(), name="handed-over"),
    path("token/", session.TokenView.as_view(), name="token"),
    path("tournaments/", event_views.TournamentsView.as_view(), name="tournaments"),
    path(
        "tournaments/<int:tournament_id>/overlay/<int:number>/",
        overlay.TableOverlayView.as_view(),
        name="table-overlay",
    ),
    path("tournaments/<int:tournament_id>/", event_views.TournamentView.as_view(), name="tournament"),
    path("tournaments/<int:tournament_id>/events/", event_views.TournamentEventsView.as_view(), name="events"),
    path(
        "tournaments/<int:tournament_id>/events/from-template/", again.FromTemplateView.as_view(), name="from-template"
    ),
    path("tournaments/<int:tournament_id>/again/", again.TournamentAgainView.as_view(), name="tournament-again"),
    path("tournaments/<int:tournament_id>/hall/", hall_views.HallView.as_view(), name="hall"),
    path("tournaments/<int:tournament_id>/hall/call/", hall_views.CallReadyView.as_view(), name="call-ready"),
    path("tournaments/<int:tournament_id>/day/", hall_views.DayView.as_view(), name="day"),
    path("tournaments/<int:tournament_id>/tables/", hall_views.TablesView.as_view(), name="tables"),
    path(
        "tournaments/<int:tournament_id>/site-address/",
        hall_views.SiteAddressView.as_view(),
        name="site-address",
    ),
    path("tournaments/<int:tournament_id>/tables/<int:number>/", hall_views.TableView.as_view(), name="table"),
    path("tournaments/<int:tournament_id>/breaks/", hall_views.BreaksView.as_view(), name="breaks"),
    path("tournaments/<int:tournament_id>/breaks/<int:break_id>/", hall_views.BreakView.as_view(), name="break"),
    path(
        "tournaments/<slug:tournament_id>/announcements/",
        announcements.AnnouncementsView.as_view(),
        name="announcements",
    ),
    path(
        "tournaments/<slug:tournament_id>/announcements/<int:announcement_id>/",
        announcements.AnnouncementView.as_view(),
        name="announcement",
    ),
    path("tournaments/<int:tournament_id>/roles/", role_views.RolesView.as_view(), name="roles"),
    path("tournaments/<int:tournament_id>/invitations/", role_views.InvitationsView.as_view(), name="invitations"),
    path("tournaments/<int:tournament_id>/log/", log.TournamentLogView.as_view(), name="tournament-log"),
    path("tournaments/<int:tournament_id>/delete/", deletion.DeleteTournamentView.as_view(), name="delete"),
    path("tournaments/<int:tournament_id>/restore/", deletion.RestoreTournamentView.as_view(), name="restore"),
    path("roles/<int:appointment_id>/", role_views.RoleView.as_view(), name="role"),
    path("invitations/accept/", role_views.AcceptView.as_view(), name="accept"),
    path("invitations/sign-up/", role_views.SignUpView.as_view(), name="sign-up"),
    path(
        "invitations/<int:invitation_id>/withdraw/",
        role_views.WithdrawInvitationView.as_view(),
        name="withdraw-invitation",
    ),
    path("events/<int:event_id>/", event_views.EventView.as_view(), name="event"),
    path("events/<int:event_id>/stages/", event_views.StagesView.as_view(), name="stages"),
    path("events/<int:event_id>/stages/<int:number>/", event_views.StageView.as_view(), name="stage"),
    path("events/<int:event_id>/stages/<int:number>/play-offs/", play_offs.PlayOffsView.as_view(), name="play-offs"),
    path("events/<int:event_id>/stages/<int:number>/changes/", hand.DrawChangesView.as_view(), name="draw-changes"),
    path(
        "events/<int:event_id>/stages/<int:number>/changes/<int:change>/",
        hand.DrawChangeView.as_view(),
        name="draw-change",
    ),
    path("play-offs/<int:play_off_id>/", play_offs.PlayOffView.as_view(), name="play-off"),
    path("events/<int:event_id>/challenges/", challenges.ChallengesView.as_view(), name="challenges"),
    path("events/<int:event_id>/challenges/<int:number>/", challenges.ChallengeView.as_view(), name="challenge"),
    path("events/<int:event_id>/draw/", event_views.DrawView.as_view(), name="draw"),
    path("events/<int:event_id>/finish/", event_views.FinishView.as_view(), name="finish"),
    path("events/<int:event_id>/reopen/", event_views.ReopenView.as_view(), name="reopen"),
    path("events/<int:event_id>/again/", again.EventAgainView.as_view(), name="event-again"),
    path("events/<int:event_id>/template/", again.SaveTemplateView.as_view(), name="save-template"),
    path("events/<int:event_id>/delete/", deletion.DeleteEventView.as_view(), name="delete-event"),
    path("events/<int:event_id>/restore/", deletion.RestoreEventView.as_view(), name="restore-event"),
    path("events/<int:event_id>/draw-file/", proof_views.DrawFileView.as_view(), name="draw-file"),
    path("draw-files/verify/", proof_views.CheckDrawView.as_view(), name="check-draw"),
    path("events/<int:event_id>/history/", log.EventHistoryView.as_view(), name="history"),
    path("events/<int:event_id>/log/", log.EventLogView.as_view(), name="log"),
    path("events/<int:event_id>/log/table/", tables.EventLogTableView.as_view(), name="log-table"),
    path("events/<int:event_id>/tables/<str:name>/", tables.EventTableView.as_view(), name="event-table"),
    path(
        "tournaments/<int:tournament_id>/log/table/",
        tables.TournamentLogTableView.as_view(),
        name="tournament-log-table",
    ),
    path("events/<int:event_id>/money/", money_views.MoneyView.as_view(), name="money"),
    path("events/<int:event_id>/money/preview/", money_views.MoneyPreviewView.as_view(), name="money-preview"),
    path(
        "events/<int:event_id>/money/tables/<str:name>/",
        money_tables.MoneyTableView.as_view(),
        name="money-table",
    ),
    path("events/<int:event_id>/prizes/", money_views.PrizesView.as_view(), name="prizes"),
    path("events/<int:event_id>/cash/", money_views.CashView.as_view(), name="cash"),
    path("events/<int:event_id>/payments/", money_views.PaymentsView.as_view(), name="payments"),
    path("events/<int:event_id>/part-payments/", money_views.PartPaymentsView.as_view(), name="part-payments"),
    path("events/<int:event_id>/side-pools/", money_pools.SidePoolsView.as_view(), name="side-pools"),
    path("events/<int:event_id>/lots/", money_pools.LotsView.as_view(), name="lots"),
    path("tournaments/<int:tournament_id>/cash/", money_views.TournamentCashView.as_view(), name="tournament-cash"),
    path("tournaments/<int:tournament_id>/cash/table/", money_tables.CashTableView.as_view(), name="cash-table"),
    path("payments/<int:payment_id>/reversal/", money_views.ReversalView.as_view(), name="reversal"),
    path(
        "side-pools/<int:pool_id>/members/<int:entry_id>/",
        money_pools.SidePoolMemberView.as_view(),
        name="side-pool-member",
    ),
    path("lots/<int:lot_id>/", money_pools.LotView.as_view(), name="lot"),
    path("lots/<int:lot_id>/sale/", money_pools.SaleView.as_view(), name="sale"),
    path("lots/<int:lot_id>/sale/back/", money_pools.SaleBackView.as_view(), name="sale-back"),
    path("events/<int:event_id>/log/<int:row_id>/undo/", undo.UndoView.as_view(), name="undo"),
    path("events/<int:event_id>/at/<str:moment>/", past.EventAtView.as_view(), name="event-at"),
    path("events/<int:event_id>/closings/", closing.ClosingsView.as_view(), name="closings"),
    path("events/<int:event_id>/closings/reopen/", closing.ReopenEntriesView.as_view(), name="reopen-entries"),
    path("events/<int:event_id>/closings/dice/", closing.DiceView.as_view(), name="type-dice"),
    path("events/<int:event_id>/closings/drand/", closing.RoundView.as_view(), name="type-round"),
    path("events/<int:event_id>/entries/", entry_views.EntriesView.as_view(), name="entries"),
    path("events/<int:event_id>/entries/list/", entry_views.EntryListView.as_view(), name="entry-list"),
    path("events/<int:event_id>/entries/csv/", entry_views.EntryCSVView.as_view(), name="entry-csv"),
    path("events/<int:event_id>/entries/import/", lists.ImportView.as_view(), name="entry-import"),
    path("events/<int:event_id>/entries/seeding/", lists.SeedingView.as_view(), name="seeding"),
    path(
        "events/<int:event_id>/entries/seeding/proposal/",
        lists.SeedingProposalView.as_view(),
        name="seeding-proposal",
    ),
    path("events/<int:event_id>/entries/remove/", lists.RemovalView.as_view(), name="remove-entries"),
    path("events/<int:event_id>/entries/check-in/", lists.CheckInAllView.as_view(), name="check-in-all"),
    path("entries/<int:entry_id>/", entry_views.EntryView.as_view(), name="entry"),
    path("entries/<int:entry_id>/family/", entry_views.FamilyView.as_view(), name="family"),
    path("entries/<int:entry_id>/home-evening/", entry_views.HomeEveningView.as_view(), name="home-evening"),
    path("entries/<int:entry_id>/withdraw/", entry_views.WithdrawView.as_view(), name="withdraw"),
    path("entries/<int:entry_id>/return/", entry_views.ReturnView.as_view(), name="return"),
    path("entries/<int:entry_id>/check-in/", door.CheckInView.as_view(), name="check-in"),
    path("entries/<int:entry_id>/waiting/", door.WaitingView.as_view(), name="waiting"),
    path("entries/<int:entry_id>/departure/", door.DepartureView.as_view(), name="departure"),
    path("entries/<int:entry_id>/departure/preview/", lists.DeparturePreviewView.as_view(), name="departure-preview"),
    path("entries/<int:entry_id>/replacement/", door.ReplacementView.as_view(), name="replacement"),
    path("entries/<int:entry_id>/link/", links.EntryLinkView.as_view(), name="entry-link"),
    path("events/<int:event_id>/links/", links.EntryLinksView.as_view(), name="entry-links"),
    path("events/<int:event_id>/door/", door.DoorView.as_view(), name="door"),
    path("events/<int:event_id>/absent/", door.AbsentView.as_view(), name="absent"),
    path("events/<int:event_id>/page-requests/", page_requests.PageRequestsView.as_view(), name="page-requests"),
    path(
        "page-requests/<int:request_id>/yes/",
        page_requests.AnswerPageRequestView.as_view(yes=True),
        name="page-request-yes",
    ),
    path(
        "page-requests/<int:request_id>/no/",
        page_requests.AnswerPageRequestView.as_view(yes=False),
        name="page-request-no",
    ),
    path("page-requests/<str:token>/", page_requests.AskedPageView.as_view(), name="page-request"),
    path("entries/<int:entry_id>/seed/", entry_views.SeedView.as_view(), name="seed"),
    path("jobs/<int:job_id>/", jobs.JobView.as_view(), name="job"),
    path("jobs/<int:job_id>/cancel/", jobs.CancelJobView.as_view(), name="cancel-job"),
    path("players/", player_views.PlayersView.as_view(), name="players"),
    path("players/<int:player_id>/", player_views.PlayerView.as_view(), name="player"),
    path("players/<int:player_id>/merge/", door.MergeView.as_view(), name="merge"),
    path("players/<int:player_id>/merge/<int:duplicate_id>/", door.UndoMergeView.as_view(), name="undo-merge"),
    path("players/<int:player_id>/career/", career.CareerView.as_view(), name="career"),
    path("players/<int:player_id>/versus/<int:other_id>/", career.VersusView.as_view(), name="versus"),
    path("players/<int:player_id>/matches/", player_views.PlayerMatchesView.as_view(), name="player-matches"),
    path("ranking-lists/", player_views.RankingListsView.as_view(), name="ranking-lists"),
    path("ranking-lists/<slug:system>/table/", tables.RankingTableView.as_view(), name="ranking-table"),
    path("ranking-lists/<slug:system>/", player_views.RankingView.as_view(), name="ranking"),
    path("advice/", advice.AdviceView.as_view(), name="advice"),
    path("occasions/", again.OccasionsView.as_view(), name="occasions"),
    path("templates/", again.TemplatesView.as_view(), name="templates"),
    path("templates/<int:template_id>/", again.TemplateView.as_view(), name="template"),
    path("formats/", player_views.FormatsView.as_view(), name="formats"),
    path("tiebreaks/", player_views.TieBreaksView.as_view(), name="tiebreaks"),
    path("profiles/", player_views.ProfilesView.as_view(), name="profiles"),
    path("records/verify/", result_views.VerifyView.as_view(), name="verify"),
    path("rules/plays/", rules_views.PlaysView.as_view(), name="rules-plays"),
    path("rules/judge/", rules_views.JudgeView.as_view(), name="rules-judge"),
    path("rules/disputes/", rules_views.DisputesView.as_view(), name="rules-disputes"),
    path("rules/equity/", rules_views.EquityView.as_view(), name="rules-equity"),
    path("schema/", cache_page(SCHEMA_SECONDS)(docs.SchemaView.as_view()), name="schema"),
    path("docs/", docs.DocsView.as_view(), name="docs"),
    re_path("", session.NothingView.as_view(), name="nothing"),
]
