"""Every page, with the words of its address."""

from django.urls import path, re_path

from tournament.views import advice, desk, language, matches, pages, people, records, rules, rulings

urlpatterns = [
    path("", pages.home, name="home"),
    path("language/<slug:code>/", language.choose_language, name="choose-language"),
    path("advice/", advice.advice, name="advice"),
    path("tournaments/new/", desk.new_tournament, name="new-tournament"),
    path("t/<slug:tournament_slug>/", pages.tournament, name="tournament"),
    path("t/<slug:tournament_slug>/new/", desk.new_event, name="new-event"),
    path("t/<slug:tournament_slug>/<slug:event_slug>/", pages.pairings, name="event"),
    path("t/<slug:tournament_slug>/<slug:event_slug>/pairings/", pages.pairings, name="pairings"),
    path("t/<slug:tournament_slug>/<slug:event_slug>/bracket/", pages.bracket, name="bracket"),
    path("t/<slug:tournament_slug>/<slug:event_slug>/screen/", pages.screen, name="screen"),
    path("t/<slug:tournament_slug>/<slug:event_slug>/standings/", pages.standings, name="standings"),
    path("t/<slug:tournament_slug>/<slug:event_slug>/history/", pages.history, name="history"),
    path("t/<slug:tournament_slug>/<slug:event_slug>/settings/", desk.settings, name="settings"),
    path("t/<slug:tournament_slug>/<slug:event_slug>/stages/add/", desk.add_stage, name="add-stage"),
    path(
        "t/<slug:tournament_slug>/<slug:event_slug>/stages/<int:number>/remove/", desk.remove_stage, name="remove-stage"
    ),
    path("t/<slug:tournament_slug>/<slug:event_slug>/entries/", desk.entry_page, name="entries"),
    path(
        "t/<slug:tournament_slug>/<slug:event_slug>/entries/<int:entry_id>/remove/",
        desk.remove_entry,
        name="remove-entry",
    ),
    path("t/<slug:tournament_slug>/<slug:event_slug>/entries/<int:entry_id>/seed/", desk.seed_entry, name="seed-entry"),
    path(
        "t/<slug:tournament_slug>/<slug:event_slug>/entries/<int:entry_id>/family/", desk.keep_apart, name="keep-apart"
    ),
    *(
        path(
            f"t/<slug:tournament_slug>/<slug:event_slug>/entries/<int:entry_id>/{action}/",
            desk.change_presence,
            {"action": action},
            name=f"{action}-entry",
        )
        for action in ("withdraw", "return")
    ),
    re_path(
        r"^t/(?P<tournament_slug>[-\w]+)/(?P<event_slug>[-\w]+)/(?P<action>draw|cancel-draw|finish|reopen)/$",
        desk.act,
        name="act",
    ),
    path("matches/<int:match_id>/", matches.match_page, name="match"),
    re_path(r"^matches/(?P<match_id>\d{1,18})/enter/(?P<way>game|sheet|final|award)/$", matches.enter, name="enter"),
    re_path(
        r"^matches/(?P<match_id>\d{1,18})/rule/(?P<way>penalty|crawford|resume|length)/$", rulings.rule, name="rule"
    ),
    path("matches/<int:match_id>/void/", matches.void, name="void"),
    path("records/", records.records, name="records"),
    path("records/<int:record_id>/", records.record, name="record"),
    path("rules/", rules.rules, name="rules"),
    path("players/", people.players, name="players"),
    path("players/suggestions/", people.suggestions, name="suggestions"),
    path("players/<int:player_id>/", people.player, name="player"),
    path("ranking/", people.rankings, name="rankings"),
    path("ranking/<slug:system>/", people.ranking, name="ranking"),
]
