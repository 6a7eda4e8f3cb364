"""The story of an event: who won, its rounds in sentences, upsets, extremes, figures, and what is not known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.snapshot import EventSnapshot
from tournament.story.matches import ToldMatch, ToldRound, told_rounds
from tournament.story.upsets import Upset, find_upsets

TOLD_ONE_BY_ONE = 4
"""In a round of more matches, the single results are not told."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """A round: its name and its sentences."""

    title: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """The match that stands out in one respect, called ``label``."""

    label: str
    sentence: str
    match_id: int


@dataclass(frozen=True, slots=True)
class Figure:
    label: str
    value: str


@dataclass(frozen=True, slots=True)
class Story:
    """``gaps`` say what is not known; ``winners`` are empty until the event has ended."""

    winners: tuple[str, ...]
    lead: tuple[str, ...]
    chapters: tuple[Chapter, ...]
    upsets: tuple[Mark, ...]
    marks: tuple[Mark, ...]
    figures: tuple[Figure, ...]
    gaps: tuple[str, ...]


def story_of(event: EventSnapshot) -> Story:
    """Tell the story of the event as it stands, in at most five queries, whatever its size."""
    rounds = told_rounds(event)
    matches = [match for told in rounds for match in told.matches]
    played = [match for match in matches if match.is_played]
    upsets = find_upsets({match.match_id: match for match in played}) if played else []
    winners = tuple(line.entry.name for line in event.stages[-1].winners) if event.finished_at is not None else ()
    return Story(
        winners=winners,
        lead=tuple(_lead(event, winners, played)),
        chapters=tuple(Chapter(told.title, tuple(_sentences(told))) for told in rounds),
        upsets=tuple(_upset(upset) for upset in upsets or ()),
        marks=tuple(_marks(played)),
        figures=tuple(_figures(played)),
        gaps=tuple(_gaps(played, upsets is None)),
    )


def _lead(event: EventSnapshot, winners: Sequence[str], played: Sequence[ToldMatch]) -> list[str]:
    words = {"event": event.name, "tournament": event.tournament_name}
    if len(winners) == 1:
        said = [_("%(winner)s won %(event)s of %(tournament)s.") % {**words, "winner": winners[0]}]
    elif winners:
        said = [_("First place in %(event)s is shared: %(winners)s.") % {**words, "winners": ", ".join(winners)}]
    elif event.is_drawn:
        said = [_("%(event)s of %(tournament)s is being played.") % words]
    else:
        return [_("%(event)s of %(tournament)s has not been drawn yet.") % words]
    count = event.participants
    if event.has_teams:
        took_part = ngettext("%(count)s team took part.", "%(count)s teams took part.", count)
    elif event.doubles:
        took_part = ngettext("%(count)s pair took part.", "%(count)s pairs took part.", count)
    else:
        took_part = ngettext("%(count)s player took part.", "%(count)s players took part.", count)
    matches = ngettext("%(count)s match has been played.", "%(count)s matches have been played.", len(played))
    return [*said, took_part % {"count": count}, matches % {"count": len(played)}]


def _sentences(told: ToldRound) -> list[str]:
    matches = told.matches
    if len(matches) <= TOLD_ONE_BY_ONE:
        return [_result(match) for match in matches]
    played = [match for match in matches if match.is_played]
    count = len(played)
    if told.is_over:
        said = [ngettext("%(count)s match was played.", "%(count)s matches were played.", count) % {"count": count}]
    else:
        said = [ngettext("%(count)s match is over.", "%(count)s matches are over.", count) % {"count": count}]
    if last := sum(match.went_to_the_last_point for match in played):
        sentence = ngettext(
            "%(count)s went to double match point.", "%(count)s went to double match point.", last
        )  # the verb changes in other languages
        said.append(sentence % {"count": last})
    if clear := max(played, key=_margin, default=None):
        words = {"winner": clear.winner, "loser": clear.loser, "score": clear.score}
        said.append(_("The clearest win: %(winner)s beat %(loser)s %(score)s.") % words)
    if given := len(matches) - count:
        sentence = ngettext("%(count)s was won without play.", "%(count)s were won without play.", given)
        said.append(sentence % {"count": given})
    return said


def _margin(match: ToldMatch) -> int:
    return match.points[0] - match.points[1] if match.points is not None else -1


def _result(match: ToldMatch) -> str:
    words = {"winner": match.winner, "loser": match.loser, "score": match.score}
    if not match.score:
        return _("%(winner)s won against %(loser)s without a match played to its end.") % words
    if match.went_to_the_last_point:
        return _("%(winner)s beat %(loser)s %(score)s at double match point.") % words
    return _("%(winner)s beat %(loser)s %(score)s.") % words


def _upset(upset: Upset) -> Mark:
    match = upset.match
    words = {"winner": match.winner, "loser": match.loser, "score": match.score, "round": match.round}
    ratings = {"low": upset.winner, "high": upset.loser}
    sentence = _("%(winner)s (rated %(low)s) beat %(loser)s (rated %(high)s) %(score)s.") % {**words, **ratings}
    return Mark(match.round, sentence, match.match_id)


def _marks(played: Sequence[ToldMatch]) -> list[Mark]:
    """Return the matches that stand out, each once: for the first respect in which it does."""
    marks = []
    timed = [(match.lasted, match) for match in played if match.lasted is not None]
    if len(timed) > 1:
        for label, (lasted, match) in (
            (_("Longest match"), max(timed, key=lambda one: one[0])),
            (_("Fastest match"), min(timed, key=lambda one: one[0] / one[1].length)),
        ):
            marks.append(Mark(label, f"{_result(match)} {_minutes(lasted)}", match.match_id))
    most = max(played, key=lambda match: len(match.games), default=None)
    if most is not None and most.games:
        count = len(most.games)
        games = ngettext("It took %(count)s game.", "It took %(count)s games.", count) % {"count": count}
        marks.append(Mark(_("Most games"), f"{_result(most)} {games}", most.match_id))
    close = [match for match in played if match.was_close]
    if close:
        closest = max(close, key=lambda match: (match.length, len(match.games)))
        marks.append(Mark(_("Closest match"), _result(closest), closest.match_id))
    return list({mark.match_id: mark for mark in reversed(marks)}.values())[::-1]


def _minutes(lasted: timedelta) -> str:
    minutes = max(1, round(lasted.total_seconds() / 60))
    return ngettext("It lasted %(count)s minute.", "It lasted %(count)s minutes.", minutes) % {"count": minutes}


def _figures(played: Sequence[ToldMatch]) -> list[Figure]:
    games = [game for match in played for game in match.games]
    figures = [Figure(_("Matches"), str(len(played)))] if played else []
    figures += [Figure(_("Points"), str(sum(sum(match.points) for match in played if match.points)))] if played else []
    last = sum(match.went_to_the_last_point for match in played)
    figures += [Figure(_("Double match points"), str(last))] if played else []
    if games:
        gammons, backgammons, drops = (
            sum(counts) for counts in zip(*((m.gammons, m.backgammons, m.drops) for m in played), strict=True)
        )
        figures += [
            Figure(_("Games"), str(len(games))),
            Figure(_("Gammons"), f"{gammons} ({round(100 * gammons / len(games))}\u00a0%)"),
            Figure(_("Backgammons"), str(backgammons)),
            Figure(_("Doubles dropped"), str(drops)),
            Figure(_("Games with a turned cube"), str(sum(game.cube > 1 for game in games))),
            Figure(_("Highest cube"), str(max(game.cube for game in games))),
        ]
    return figures


def _gaps(played: Sequence[ToldMatch], is_unrated: bool) -> list[str]:
    if not played:
        return []
    gaps = []
    total = len(played)
    if final := sum(not match.games for match in played):
        sentence = ngettext(
            "%(count)s of %(total)s matches was entered as a final score: its games and cubes are not known.",
            "%(count)s of %(total)s matches were entered as a final score: their games and cubes are not known.",
            final,
        )
        gaps.append(sentence % {"count": final, "total": total})
    if untimed := sum(match.lasted is None for match in played):
        sentence = ngettext(
            "For %(count)s of %(total)s matches it is not known how long it took.",
            "For %(count)s of %(total)s matches it is not known how long they took.",
            untimed,
        )
        gaps.append(sentence % {"count": untimed, "total": total})
    if is_unrated:
        gaps.append(_("No ratings from that time are known, so no upsets can be named."))
    return gaps
