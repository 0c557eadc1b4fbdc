"""What asks the questions of `SWEEPS`, whatever the clock does."""

from typing import Any

from celery.beat import PersistentScheduler


class SteadyScheduler(PersistentScheduler):
    """Celery's, which by itself asks nothing after the clock was set back until the former instant has come again."""

    def tick(self, *args: Any, **kwargs: Any) -> Any:
        """Ask one question that is due; returns the seconds until the next one."""
        now = self.app.now()
        ahead = [entry for entry in self.schedule.values() if entry.last_run_at and entry.last_run_at > now]
        for entry in ahead:
            entry.last_run_at = now
        if ahead:
            self._heap = None  # in which they stand in the order of instants to come
        return super().tick(*args, **kwargs)
