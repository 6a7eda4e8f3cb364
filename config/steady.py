"""A schedule that goes on when the clock is put back."""

from datetime import datetime
from typing import Any

from celery.schedules import schedstate, schedule


class Steady(schedule):
    """Due every so many seconds, and at once if the last time is still to come: then the clock has been put back.

    Celery would wait until that time has come again.
    """

    def is_due(self, last_run_at: datetime) -> Any:
        if self.maybe_make_aware(last_run_at) > self.now():
            return schedstate(is_due=True, next=self.seconds)
        return super().is_due(last_run_at)
