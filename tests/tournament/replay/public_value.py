"""Entries closed for a draw, and public values, done again from the log."""

from tournament.draw.beacon import enter_round
from tournament.draw.close_entries import close_entries, reopen_entries
from tournament.draw.dice import type_dice
from tournament.entries.public_value import give_word_by_link, repeat_dice_by_link
from tournament.models import Closing


class ReplayedPublicValue:
    """The verbs of a public value, for :class:`tests.tournament.replay.replaying.Replay`."""

    def close_entries(self, row, detail, who) -> None:
        close_entries(self.event, round=detail.get("drand_round"), **who)

    def reopen_entries(self, row, detail, who) -> None:
        reopen_entries(self.event, reason=detail["reason"], **who)

    def type_dice(self, row, detail, who) -> None:
        """The row does not tell the dice, which may never have become public."""
        dice = Closing.objects.get(event=row.event, number=detail["closing"]).dice
        type_dice(self.event, dice=dice, **who)

    def repeat_dice(self, row, detail, who) -> None:
        if "entry" in detail:
            repeat_dice_by_link(self._entry(detail["entry"]), dice=detail["dice"], at=who["at"])
        else:
            type_dice(self.event, dice=detail["dice"], **who)

    def give_word(self, row, detail, who) -> None:
        give_word_by_link(self._entry(detail["entry"]), word=detail["word"], at=who["at"])

    def enter_drand(self, row, detail, who) -> None:
        proof = {"randomness": detail["value"], "signature": detail["signature"]}
        enter_round(self.event, round=detail["round"], **proof, **who)
