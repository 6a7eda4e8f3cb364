"""The rules page: setting up a position, seeing what a roll allows, and judging a play."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from matches.models import SIDES, Match
from rules.board import Holder
from rules.cube import CENTRED
from rules.disputes import Outcome
from rules.equity import DEFAULT_TABLE, win_probability
from rules.ids import FORMATS, Offer, Progress, Situation, typed_position
from rules.score import Side
from tournament.models.team import event_of
from tournament.pages.match.forms import LEVEL_NAMES
from tournament.pages.rules.form import DICE, RulesForm, RulesQuestion
from tournament.pages.tags.board import cube_words
from tournament.referee.answers import disputes, judge, list_plays


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """Answer the question in the address; redirect a submitted form to such an address, which can be shared.

    With ``match`` the players have their names, and a link leads back to their match.
    """
    form = RulesForm(request.GET)
    valid = form.is_valid()
    question = form.question()
    if valid and form.sent:
        query = question.query()
        place = "" if question.roll is None else "#verdict" if question.play else "#plays"
        return redirect(reverse("rules") + (f"?{query}" if query else "") + place)
    match = None
    if question.match_id is not None:
        match = get_object_or_404(Match.objects.select_related(*SIDES), pk=question.match_id)
    context = {"form": form, "match": match, **_names(match, question.situation.on_roll), **_answer(question)}
    event = event_of(match) if match is not None else None
    context["shows_chances"] = event is None or event.shows_chances
    return render(request, "tournament/rules/rules.html", context, status=200 if valid else 400)


def _names(match: Match | None, on_roll: Side) -> dict[str, str]:
    """Return what the sides are called: by name if the players are known, otherwise by whose turn it is."""
    if match is None:
        return {"mine": _("Player on roll"), "theirs": _("Opponent")}
    names = (match.name_a, match.name_b)
    return dict(zip(("mine", "theirs"), names if on_roll is Side.A else names[::-1], strict=True))


def _answer(question: RulesQuestion) -> dict[str, object]:
    situation = question.situation
    position = situation.position
    answer: dict[str, object] = {
        "question": question,
        "position": position,
        "after": position,
        "before": None,
        "plays": None,
        "typed": typed_position(position),
        "cube": _cube(situation),
        "dice": DICE,
        "ids": [(id_format.name, id_format.write(question.rolled)) for id_format in FORMATS.values()],
        "equity": _equity(situation),
        "state": _state(situation),
        "disputes": disputes(question.profile),
    }
    if question.roll is None:
        return answer
    plays = list_plays(position, question.roll, question.profile, situation.on_roll)
    verdict = None if question.play is None else judge(plays, question.play)
    after = verdict.after if verdict and verdict.after else None
    if 0 < question.show <= len(plays.written):
        after = plays.written[question.show - 1].after
    lines = [
        {
            "number": number,
            "text": plays.text_of(written.play),
            "query": question.query(show=number, play=""),
            "shown": written.after == after,
            **typed_position(written.after),
        }
        for number, written in enumerate(plays.written, start=1)
    ]
    answer |= {"plays": lines, "verdict": verdict, "query": question.query(show="", play="")}
    if verdict and verdict.made and verdict.follows and verdict.follows.outcome == Outcome.ACCEPT_OR_REDO:
        answer["accepted"] = question.after(verdict.made).query()
    if after is not None:
        answer |= {"after": after, "before": position}
    return answer


def _cube(situation: Situation) -> tuple[int, Holder]:
    cube = situation.cube
    if cube.owner is None:
        return cube.value, Holder.MIDDLE
    return cube.value, Holder.MINE if cube.owner is situation.on_roll else Holder.THEIRS


def _state(situation: Situation) -> list[str]:
    """Describe what an id holds besides position, dice and score; nothing for a centred cube."""
    cube = situation.cube
    sentences = [] if cube == CENTRED else [cube_words(_cube(situation))]
    if situation.offer is not Offer.NONE:
        template = {
            Offer.DOUBLE: _("The player on roll has doubled to %(value)s; the opponent takes or drops."),
            Offer.BEAVER: _("The opponent has answered the double with a beaver."),
            Offer.RACCOON: _("The player on roll has answered the beaver with a raccoon."),
        }[situation.offer]
        sentences.append(template % {"value": 2 * cube.value})
    if situation.resigned:
        level = {"level": LEVEL_NAMES[situation.resigned]}
        sentences.append(_("The player on roll offers to resign: %(level)s.") % level)
    if situation.progress in {Progress.OVER, Progress.RESIGNED, Progress.DROPPED}:
        sentences.append(_("The game is over."))
    if situation.jacoby:
        sentences.append(_("The Jacoby rule is in force."))
    if situation.beavers:
        sentences.append(_("Beavers are allowed."))
    return sentences


def _equity(situation: Situation) -> dict[str, object] | None:
    """Return the score as seen by the player on roll, with their chance of winning the match; None in money play."""
    score, side = situation.score, situation.on_roll
    if not score.length:
        return None
    try:
        chance: float | None = 100 * win_probability(score, side=side)
    except ValueError:
        chance = None
    mine, theirs = (score.a, score.b) if side is Side.A else (score.b, score.a)
    return {"score": score, "mine": mine, "theirs": theirs, "chance": chance, "table": DEFAULT_TABLE.name}
