"""Every address of the API, and its documentation."""

from django.urls import path, re_path
from django.views.decorators.cache import cache_page

from tournament.api import (
    views_advice,
    views_docs,
    views_entries,
    views_events,
    views_jobs,
    views_lists,
    views_results,
    views_rules,
    views_rulings,
    views_session,
)

app_name = "api"

SCHEMA_SECONDS = 300

urlpatterns = [
    path("token/", views_session.TokenView.as_view(), name="token"),
    path("tournaments/", views_events.TournamentsView.as_view(), name="tournaments"),
    path("tournaments/<int:tournament_id>/", views_events.TournamentView.as_view(), name="tournament"),
    path("tournaments/<int:tournament_id>/events/", views_events.TournamentEventsView.as_view(), name="events"),
    path("events/<int:event_id>/", views_events.EventView.as_view(), name="event"),
    path("events/<int:event_id>/stages/", views_events.StagesView.as_view(), name="stages"),
    path("events/<int:event_id>/stages/<int:number>/", views_events.StageView.as_view(), name="stage"),
    path("events/<int:event_id>/draw/", views_events.DrawView.as_view(), name="draw"),
    path("events/<int:event_id>/finish/", views_events.FinishView.as_view(), name="finish"),
    path("events/<int:event_id>/reopen/", views_events.ReopenView.as_view(), name="reopen"),
    path("events/<int:event_id>/log/", views_events.EventLogView.as_view(), name="log"),
    path("events/<int:event_id>/entries/", views_entries.EntriesView.as_view(), name="entries"),
    path("events/<int:event_id>/entries/list/", views_entries.EntryListView.as_view(), name="entry-list"),
    path("events/<int:event_id>/entries/csv/", views_entries.EntryCSVView.as_view(), name="entry-csv"),
    path("entries/<int:entry_id>/", views_entries.EntryView.as_view(), name="entry"),
    path("entries/<int:entry_id>/family/", views_entries.FamilyView.as_view(), name="family"),
    path("entries/<int:entry_id>/withdraw/", views_entries.WithdrawView.as_view(), name="withdraw"),
    path("entries/<int:entry_id>/return/", views_entries.ReturnView.as_view(), name="return"),
    path("entries/<int:entry_id>/seed/", views_entries.SeedView.as_view(), name="seed"),
    path("matches/<int:match_id>/", views_results.MatchView.as_view(), name="match"),
    path("matches/<int:match_id>/result/", views_results.ResultView.as_view(), name="result"),
    path("matches/<int:match_id>/rulings/", views_rulings.RulingsView.as_view(), name="rulings"),
    path("matches/<int:match_id>/void/", views_results.VoidView.as_view(), name="void"),
    path("jobs/<int:job_id>/", views_jobs.JobView.as_view(), name="job"),
    path("jobs/<int:job_id>/cancel/", views_jobs.CancelJobView.as_view(), name="cancel-job"),
    path("players/", views_lists.PlayersView.as_view(), name="players"),
    path("players/<int:player_id>/", views_lists.PlayerView.as_view(), name="player"),
    path("players/<int:player_id>/matches/", views_lists.PlayerMatchesView.as_view(), name="player-matches"),
    path("ranking-lists/", views_lists.RankingListsView.as_view(), name="ranking-lists"),
    path("ranking-lists/<slug:system>/", views_lists.RankingView.as_view(), name="ranking"),
    path("advice/", views_advice.AdviceView.as_view(), name="advice"),
    path("formats/", views_lists.FormatsView.as_view(), name="formats"),
    path("tiebreaks/", views_lists.TieBreaksView.as_view(), name="tiebreaks"),
    path("profiles/", views_lists.ProfilesView.as_view(), name="profiles"),
    path("records/verify/", views_results.VerifyView.as_view(), name="verify"),
    path("rules/plays/", views_rules.PlaysView.as_view(), name="rules-plays"),
    path("rules/judge/", views_rules.JudgeView.as_view(), name="rules-judge"),
    path("rules/disputes/", views_rules.DisputesView.as_view(), name="rules-disputes"),
    path("rules/equity/", views_rules.EquityView.as_view(), name="rules-equity"),
    path("schema/", cache_page(SCHEMA_SECONDS)(views_docs.SchemaView.as_view()), name="schema"),
    path("docs/", views_docs.DocsView.as_view(), name="docs"),
    re_path("", views_session.NothingView.as_view(), name="nothing"),
]
