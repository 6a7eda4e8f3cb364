"""The words that the script of the score keeper puts together, as the page hands them over."""

from django.utils.translation import gettext as _


def keeper_words() -> dict[str, str]:
    """Return every sentence of the score keeper's script in the active language, by name."""
    return {**_score_words(), **_claim_words(), **_network_words()}


def _score_words() -> dict[str, str]:
    return {
        "away": _("%(points)s-away"),
        "game": _("Game %(game)s"),
        "crawford": _("Crawford game: nobody may double"),
        "after": _("After the Crawford game: the cube is in play again"),
        "single": _("Single"),
        "gammon": _("Gammon"),
        "backgammon": _("Backgammon"),
        "drop": _("Drop"),
        "single_of": _("Single +%(points)s for %(name)s"),
        "gammon_of": _("Gammon +%(points)s for %(name)s"),
        "backgammon_of": _("Backgammon +%(points)s for %(name)s"),
        "drops": _("%(name)s drops:"),
        "drop_of": _("%(other)s drops: +%(points)s for %(name)s"),
        "cube_centred": _("Cube at 1, in the middle"),
        "cube_owned": _("Cube at %(cube)s, owned by %(name)s"),
        "cube_of": _("%(cube)s: cube owned by %(name)s"),
        "cube_middle": _("1: cube in the middle"),
        "undo": _("Undo game %(game)s"),
        "undo_of": _("Undo game %(game)s: %(name)s +%(points)s"),
        "wins": _("%(name)s wins %(score)s"),
    }


def _claim_words() -> dict[str, str]:
    return {
        "they_have": _("%(name)s has %(score)s: agreed to game %(game)s"),
        "they_have_first": _("%(name)s has %(score)s"),
        "they_differ": _("%(name)s has %(score)s: you differ from game %(game)s"),
        "they_none": _("%(name)s is not keeping score yet"),
        "desk_differs": _("The desk has something else from game %(game)s"),
        "final_only": _("Reported without its games: %(score)s."),
        "over": _("Report %(score)s"),
        "agree": _("I agree: the match is over"),
        "agree_with": _("I agree: %(score)s"),
        "agree_after_all": _("I agree after all: %(score)s"),
        "reported": _("Reported: %(score)s. %(name)s has not confirmed it yet."),
        "confirm_by": _("It counts at %(time)s unless %(name)s says that it is wrong."),
        "confirmed": _("The result counts: %(score)s."),
        "disputed": _("Your scores differ. The director decides; either of you can still correct yours."),
        "closed": _("This match takes no more reports."),
        "wrong_sent": _("The director has been told that this is wrong, and will settle it."),
        "objected": _("%(name)s says that your report is wrong. The director will settle it."),
        "go_on": _("Go on from %(score)s"),
        "by_at": _("kept by %(name)s, %(time)s"),
        "no_game": _("no game"),
        "won_game": _("%(name)s +%(points)s"),
        "of_cube": _("cube %(cube)s"),
        "this_phone": _("This phone"),
        "server": _("Reported for you elsewhere"),
    }


def handed_words() -> dict[str, str]:
    """Return the words of the page of a sheet that was handed over."""
    score = _score_words()
    return {
        **{name: score[name] for name in ("gammon", "backgammon", "drop")},
        "won_game": _("%(name)s +%(points)s"),
        "of_cube": _("cube %(cube)s"),
        "side": _("Player %(side)s"),
        "code": _("QR code of the score sheet with both signatures"),
        "aim": _("Hold the phone so that the code fills the picture."),
        "camera_refused": _("This browser may not use the camera. Allow it in its settings, or use the camera app."),
        "camera_missing": _("The camera cannot be used here. Use the phone's camera app."),
        "delivering": _("Delivering"),
        "delivered": _("Delivered. Thank you."),
        "waiting": _("Kept on this phone. It is delivered when the network is back."),
    }


def _network_words() -> dict[str, str]:
    return {
        "sent": _("Sent"),
        "sending": _("Sending"),
        "waiting": _("Kept on this phone. It is sent when the network is back."),
        "waiting_open": _("No network. Keep this page open: it is sent when the network is back."),
        "kept": _("Kept on this phone"),
        "ready": _("Ready"),
        "in_dispute": _("Disputed"),
        "qr": _("QR code of your score sheet"),
    }
