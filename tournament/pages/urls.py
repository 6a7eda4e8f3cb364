"""The address of every page."""

from django.urls import URLPattern, URLResolver, include, path, re_path

from tournament.pages import app, language
from tournament.pages.backup import backups
from tournament.pages.entries import asking, closing, door, entries, imports, seeding
from tournament.pages.event import (
    again,
    challenges,
    deletion,
    feeds,
    front,
    hand,
    log,
    paper,
    public,
    settings,
    standings,
    story,
)
from tournament.pages.exports import downloads
from tournament.pages.hall import announcing, desk, hall, page_requests, walls
from tournament.pages.jobs import advice, jobs
from tournament.pages.match import corrections, handed, keeper, match, mine, my_alerts, my_ladder, my_value, rulings
from tournament.pages.match.ruling_forms import RULING_FORMS
from tournament.pages.mine import acts, day, find
from tournament.pages.money import money, pools, terms
from tournament.pages.people import people, personal, roles
from tournament.pages.proof import proof
from tournament.pages.registry import bodies, person
from tournament.pages.registry import imports as registry_imports
from tournament.pages.reporting import events as reported
from tournament.pages.reporting import inbox
from tournament.pages.rules import records, rules
from tournament.pages.transfer import files as transfer

event_pages: list[URLPattern | URLResolver] = [
    path("", public.pairings, name="event"),
    path("pairings/", public.pairings, name="pairings"),
    path("bracket/", public.bracket, name="bracket"),
    path("screen/", public.screen, name="screen"),
    path("standings/", standings.standings, name="standings"),
    path("story/", story.story, name="story"),
    path("feed.atom", feeds.event_feed, name="event-feed"),
    path("card.png", feeds.event_picture, name="event-picture"),
    path("history/", public.history, name="history"),
    path("history/<int:row_id>/undo/", corrections.undo, name="undo"),
    path("log/", log.event_log, name="event-log"),
    re_path(r"^log/(?P<format>csv|json|xlsx)/$", log.event_log_file, name="event-log-file"),
    path("settings/", settings.settings, name="settings"),
    path("again/", again.event_again, name="event-again"),
    path("template/", again.save, name="save-template"),
    path("delete/", deletion.delete_event, name="delete-event"),
    path("restore/", deletion.restore_event, name="restore-event"),
    path("stages/add/", settings.add_stage, name="add-stage"),
    path("stages/<int:number>/remove/", settings.remove_stage, name="remove-stage"),
    re_path(r"^(?P<action>draw|cancel-draw|finish|reopen)/$", settings.act, name="act"),
    path("stages/<int:number>/play-off/", standings.enter_play_off, name="enter-play-off"),
    path("play-offs/<int:play_off_id>/remove/", standings.void_play_off, name="void-play-off"),
    path("stages/<int:number>/change/", hand.change_draw_page, name="change-draw"),
    path("stages/<int:number>/change/<int:change>/end/", hand.end_change, name="end-draw-change"),
    path("challenges/", challenges.make_challenge, name="make-challenge"),
    path("challenges/<int:number>/withdraw/", challenges.withdraw, name="withdraw-challenge"),
    path("prizes/", money.prizes, name="prizes"),
    path("money/", money.desk, name="money"),
    path("money/terms/", terms.terms, name="money-terms"),
    path("money/sheet/", money.payout_sheet, name="payout-sheet"),
    path("money/sides/", pools.sides, name="side-pools"),
    re_path(
        r"^money/sides/(?P<pool_id>[0-9]{1,18})/(?P<entry_id>[0-9]{1,18})/(?P<action>join|leave)/$",
        pools.side_member,
        name="side-member",
    ),
    path("money/calcutta/", pools.auction, name="calcutta"),
    re_path(
        r"^money/calcutta/(?P<lot_id>[0-9]{1,18})/(?P<action>sell|take-back|dissolve)/$", pools.sell, name="sell-lot"
    ),
    re_path(r"^money/settle/(?P<back>desk|sheet|sides|calcutta)/$", money.settle, name="settle"),
    re_path(r"^money/part/(?P<back>desk|sheet|sides|calcutta)/$", money.settle_part, name="pay-part"),
    path("money/payments/<int:payment_id>/take-back/", money.take_back, name="take-payment-back"),
    path("money/<slug:name>.csv", money.export, {"format": "csv"}, name="money-csv"),
    path("money/<slug:name>.xlsx", money.export, {"format": "xlsx"}, name="money-xlsx"),
    path("download/event.json", transfer.event_interchange, name="event-interchange"),
    re_path(r"^download/(?P<name>[a-z]{1,20})\.(?P<format>csv|json|xlsx)$", downloads.event_file, name="download"),
    path("print/", paper.contents, name="paper"),
    path("print/round/", paper.everything, name="print-round"),
    path("print/<slug:slug>/", paper.sheet, name="sheet"),
    path("entries/", entries.entry_page, name="entries"),
    path("entries/import/", imports.import_page, name="import-entries"),
    path("entries/seeding/", seeding.seeding_page, name="seeding"),
    path("entries/check-in/", entries.check_in_all, name="check-in-all"),
    path("entries/remove/", asking.remove_entries, name="remove-entries"),
    path("entries/<int:entry_id>/remove/", asking.remove_entry, name="remove-entry"),
    path("entries/<int:entry_id>/leave/", asking.leave, name="door-leave"),
    path("entries/<int:entry_id>/home-evening/", entries.set_home_evening, name="home-evening"),
    *(
        path(f"entries/<int:entry_id>/{action}/", entries.change_presence, {"action": action}, name=f"{action}-entry")
        for action in ("withdraw", "return")
    ),
    *(
        path(f"entries/<int:entry_id>/{action}/", door.act, {"action": action}, name=f"door-{action}")
        for action in door.ACTS
    ),
    path("entries/<int:entry_id>/", door.entry_page, name="entry"),
    path("entries/<int:entry_id>/new-link/", door.renew_link, name="renew-link"),
    path("entries/new-links/", door.renew_all_links, name="renew-links"),
    path("entries/leave-out-absent/", asking.leave_out_absent, name="leave-out-absent"),
    path("me/", find.find_me, name="find-me"),
    path("me/ask/", find.ask, name="ask-for-page"),
    path("me/asked/<str:token>/", find.asked, name="asked-page"),
    path("entries/door/", door.set_door, name="door"),
    path("entries/close/", closing.close, name="close-entries"),
    path("entries/reopen/", closing.reopen, name="reopen-entries"),
    path("entries/dice/", closing.dice, name="type-dice"),
    path("entries/drand/", closing.drand, name="type-round"),
]

tournament_pages: list[URLPattern | URLResolver] = [
    path("", public.tournament, name="tournament"),
    path("new/", settings.new_event, name="new-event"),
    path("new/<int:template_id>/", again.use, name="use-template"),
    path("settings/", settings.tournament_settings, name="tournament-settings"),
    path("log/", log.tournament_log, name="log"),
    re_path(r"^log/(?P<format>csv|json|xlsx)/$", log.tournament_log_file, name="log-file"),
    path("roles/", roles.roles_page, name="roles"),
    path("roles/<int:appointment_id>/change/", roles.change_role, name="change-role"),
    path("roles/<int:appointment_id>/take/", roles.take_role, name="take-role"),
    path("roles/invitations/<int:invitation_id>/withdraw/", roles.withdraw_invitation, name="withdraw-invitation"),
    path("delete/", deletion.delete_tournament, name="delete-tournament"),
    path("restore/", deletion.restore_tournament, name="restore-tournament"),
    path("cash/", money.cash, name="cash"),
    re_path(r"^cash/(?P<format>csv|json|xlsx)/$", money.cash_file, name="cash-file"),
    path("desk/", desk.desk, name="desk"),
    path("desk/find/", desk.find, name="desk-find"),
    path("desk/call/", desk.call_all, name="call-ready"),
    re_path(
        r"^desk/(?P<match_id>\d{1,18})/(?P<action>call|start|move|recall|come|helped|enter|walkover|confirm)/$",
        desk.act,
        name="desk-act",
    ),
    re_path(
        r"^desk/pages/(?P<request_id>[0-9]{1,18})/(?P<action>yes|no)/$",
        page_requests.answer_one,
        name="answer-page-request",
    ),
    path("desk/announce/", announcing.make, name="announce"),
    path("desk/announcements/<int:announcement_id>/withdraw/", announcing.withdraw, name="withdraw-announcement"),
    path("feed.atom", feeds.tournament_feed, name="tournament-feed"),
    path("events.ics", feeds.calendar, name="calendar"),
    path("card.png", feeds.tournament_picture, name="tournament-picture"),
    path("screen/", walls.screen, name="hall-screen"),
    path("overlay/<int:number>/", walls.table_overlay, name="table-overlay"),
    path("overlay/match/<int:match_id>/", walls.match_overlay, name="match-overlay"),
    path("day/", hall.day, name="day"),
    path("day/breaks/", hall.add_break, name="add-break"),
    path("day/breaks/<int:break_id>/remove/", hall.remove_break, name="remove-break"),
    path("tables/", hall.tables, name="tables"),
    path("tables/<int:number>/", hall.update_table, name="update-table"),
    path("tables/<int:number>/here/", find.table_here, name="table-here"),
    path("tables/site/", hall.set_site, name="site-address"),
    path("<slug:event_slug>/", include(event_pages)),
]

match_pages: list[URLPattern | URLResolver] = [
    path("", match.match_page, name="match"),
    re_path(r"^enter/(?P<way>game|sheet|final|award)/$", match.enter, name="enter"),
    re_path(rf"^rule/(?P<way>{'|'.join(RULING_FORMS)})/$", rulings.rule, name="rule"),
    path("void/", match.void, name="void"),
    path("reserve/", match.reserve, name="reserve"),
    path("walkover/", match.walkover, name="walkover"),
    path("rates/", match.error_rates, name="error-rates"),
    path("advance/end/", corrections.end_advance_of, name="end-advance"),
    re_path(r"^report/(?P<action>confirm|dispute)/$", corrections.settle, name="settle-report"),
]

urlpatterns = [
    path("", front.home, name="home"),
    path("app.webmanifest", app.manifest, name="app-manifest"),
    path("sw.js", app.service_worker, name="service-worker"),
    path("handed/", handed.handed, name="handed"),
    path("offline/", app.offline, name="offline"),
    path("language/<slug:code>/", language.choose_language, name="choose-language"),
    path("advice/", advice.advice, name="advice"),
    path("tournaments/new/", settings.new_tournament, name="new-tournament"),
    path("tournaments/<slug:tournament_slug>/again/", again.tournament_again, name="tournament-again"),
    path("templates/", again.templates, name="templates"),
    path("templates/<int:template_id>/remove/", again.remove, name="remove-template"),
    path("t/<slug:tournament_slug>/", include(tournament_pages)),
    path("matches/<int:match_id>/", include(match_pages)),
    path("invitations/<str:token>/", roles.invitation, name="invitation"),
    path("invitations/<str:token>/sign-up/", roles.sign_up, name="sign-up"),
    path("e/<str:token>/", mine.my_entry, name="my-entry"),
    re_path(
        r"^e/(?P<token>[^/]+)/(?P<match_id>[0-9]{1,18})/report/(?P<way>game|final)/$", mine.report, name="my-report"
    ),
    re_path(
        r"^e/(?P<token>[^/]+)/(?P<match_id>[0-9]{1,18})/(?P<action>confirm|dispute)/$", mine.answer, name="my-answer"
    ),
    re_path(r"^e/(?P<token>[^/]+)/(?P<match_id>[0-9]{1,18})/$", keeper.score_keeper, name="score-keeper"),
    path("e/<str:token>/day.ics", day.my_day, name="my-day"),
    path("e/<str:token>/check-in/", acts.check_in, name="my-check-in"),
    re_path(r"^e/(?P<token>[^/]+)/(?P<match_id>[0-9]{1,18})/director/$", acts.call_director, name="my-director"),
    path("e/<str:token>/alerts/", my_alerts.subscribe, name="my-alerts"),
    path("e/<str:token>/alerts/browser/", my_alerts.subscribe_browser, name="my-alerts-browser"),
    re_path(
        r"^e/(?P<token>[^/]+)/alerts/(?P<subscription_id>[0-9]{1,18})/stop/$", my_alerts.stop, name="stop-my-alerts"
    ),
    path("alerts/<str:token>/confirm/", my_alerts.confirm, name="confirm-alerts"),
    path("alerts/<str:token>/stop/", my_alerts.stop_mail, name="stop-alerts"),
    path("e/<str:token>/word/", my_value.word, name="my-word"),
    path("e/<str:token>/dice/", my_value.dice, name="my-dice"),
    path("e/<str:token>/challenge/<int:entry_id>/", my_ladder.challenge, name="my-challenge"),
    path("e/<str:token>/challenges/<int:number>/withdraw/", my_ladder.withdraw, name="my-withdrawal"),
    path("records/", records.records, name="records"),
    path("records/import/", jobs.import_records, name="import-records"),
    path("records/<int:record_id>/", records.record, name="record"),
    path("backups/", backups.backups, name="backups"),
    path("backups/now/", backups.back_up_now, name="back-up-now"),
    path("backups/<str:name>", backups.backup_file, name="backup-file"),
    path("jobs/<int:job_id>/", jobs.job, name="job"),
    path("jobs/<int:job_id>/cancel/", jobs.cancel, name="cancel-job"),
    path("reports/", inbox.inbox, name="inbox"),
    path("reports/<int:report_id>/", inbox.report_page, name="event-report"),
    path("reports/<int:report_id>/decide/", inbox.decide, name="decide-report"),
    path("reports/<int:report_id>/answer/", inbox.answer, name="answer-report"),
    path("reports/<int:report_id>/rule/", inbox.rule, name="rule-on-rating"),
    path("reports/events/<int:event_id>/", reported.event_page, name="officer-event"),
    path("reports/events/<int:event_id>/declare/", reported.declare, name="redeclare"),
    re_path(
        r"^reports/events/(?P<event_id>[0-9]{1,18})/(?P<slug>[-a-z0-9_]{1,40})/(?P<action>approve|withdraw)/$",
        reported.approve,
        name="approve-event",
    ),
    path("reports/lists/<slug:slug>/policy/", inbox.policy, name="list-policy"),
    path("reports/lists/<slug:slug>/anomalies/", inbox.anomalies, name="anomalies"),
    path("rules/", rules.rules, name="rules"),
    path("check-draw/", proof.check_draw, name="check-draw"),
    path("check-event/", transfer.check_event_file, name="check-event-file"),
    path("draws/<int:event_id>/", proof.event_draws, name="event-draws"),
    path("draws/<int:event_id>/draw.json", proof.draw_file, name="draw-file"),
    path("search/", front.search, name="search"),
    path("players/", people.players, name="players"),
    path("players/suggestions/", people.suggestions, name="suggestions"),
    path("players/<int:player_id>/", people.player, name="player"),
    path("players/<int:player_id>/versus/<int:other_id>/", people.versus, name="versus"),
    path("players/<int:player_id>/data/", personal.personal_data, name="personal-data"),
    path("players/<int:player_id>/data.json", personal.personal_file, name="personal-file"),
    path("players/<int:player_id>/merge/", people.merge, name="merge-player"),
    path("players/<int:player_id>/merge/<int:duplicate_id>/undo/", people.undo_merge, name="undo-merge"),
    path("players/new/", bodies.new_person, name="new-person"),
    path("players/duplicates/", bodies.duplicates, name="duplicates"),
    path("players/<int:player_id>/registry/", person.person, name="person"),
    re_path(
        rf"^players/(?P<player_id>[0-9]{{1,18}})/registry/(?P<action>{'|'.join(person.ACTS)})/$",
        person.act,
        name="person-act",
    ),
    path("federations/", bodies.federations, name="federations"),
    path("federations/new/", bodies.new_federation, name="new-federation"),
    path("federations/<slug:code>/", bodies.federation, name="federation"),
    path("federations/<slug:code>/edit/", bodies.edit, name="edit-federation"),
    path("federations/<slug:code>/members/", bodies.members, name="members"),
    path("federations/<slug:code>/members/import/", registry_imports.import_page, name="import-members"),
    path("federations/<slug:code>/clubs/new/", bodies.new_club, name="new-club"),
    path("federations/<slug:code>/officers/", bodies.appoint_officer, name="appoint-officer"),
    path("imports/<int:import_id>/undo/", registry_imports.undo, name="undo-import"),
    path("imports/<int:import_id>/file/", registry_imports.file, name="import-file"),
    path("clubs/<int:club_id>/", bodies.club, name="club"),
    path("clubs/<int:club_id>/edit/", bodies.edit_club, name="edit-club"),
    path("clubs/<int:club_id>/managers/", bodies.appoint_manager, name="appoint-manager"),
    path("registry-roles/<int:role_id>/end/", bodies.end_role, name="end-registry-role"),
    path("ranking/", people.rankings, name="rankings"),
    path("ranking/<slug:system>/", people.ranking, name="ranking"),
    re_path(
        r"^ranking/(?P<system>[-a-zA-Z0-9_]+)\.(?P<format>csv|json|xlsx)$", downloads.ranking_file, name="ranking-file"
    ),
]
