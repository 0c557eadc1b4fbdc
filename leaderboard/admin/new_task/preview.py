"""The public pages of a task before it is made: everything is done and drawn, and then undone."""

import datetime as dt
import re
from dataclasses import dataclass

from django.db import transaction

from accounts.models import User
from leaderboard.pages.benchmark_pages import render_benchmark
from scoring.definitions.task_import import Plan, open_task
from submissions.intake.tables.labelled import LabelledTable

_SCRIPT = re.compile(r"<script\b.*?</script>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class PreviewPage:
    """A page as everybody will see it: its title here, its address there, and its HTML."""

    title: str
    address: str
    text: str

    @property
    def still(self) -> str:
        """The page without its scripts, which a frame of a page to come does not run."""
        return _SCRIPT.sub("", self.text)


def pages_to_come(
    planned: Plan, *, table: LabelledTable, user: User, now: dt.datetime
) -> tuple[PreviewPage, ...]:
    """The pages of the task and of its benchmark as they will be. Nothing of it is kept.

    Raises
    ------
    FileRefused
        As `open_task` does, but for clues that wait for a second look.
    """
    base = f"/benchmarks/{planned.spec.id}/"
    wanted = {
        f"{base}tasks/{planned.task.id}/": planned.task.title,
        base: planned.spec.title,
        f"{base}rules/": "Tasks and rules",
    }
    with transaction.atomic():
        task = open_task(planned, table=table, user=user, now=now, confirm_clues=True)
        drawn = {page.path: page for page in render_benchmark(task.benchmark)}
        transaction.set_rollback(True)
    return tuple(
        PreviewPage(title, path, drawn[path].body.decode()) for path, title in wanted.items() if path in drawn
    )
