"""What is watched: gold labels that releases have told, and copies among submissions."""

from django.db import models
from django.db.models import Q

from accounts.formats.numbers import percent
from accounts.server.database_rights import Writer
from benchmarks.models import Benchmark, Task
from leaderboard.models.releases import Release
from scoring.models import Batch


class LedgerEntry(models.Model):
    """What one release added to what is known of a task's gold labels: upper bounds in bits, see `scoring.core.ledger`.

    Derived from the released scores, without gold labels; can be made again at any time.
    """

    sole_writer = Writer.WORKER

    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="ledger_entries")
    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="ledger_entries")
    answer_count = models.PositiveIntegerField(
        help_text="Answers that this release was the first to publish."
    )
    bound_bits = models.FloatField(help_text="What these answers could carry, each by itself.")
    carried_bits = models.FloatField(help_text="What they could carry beyond all that was published before.")
    spent_bits = models.FloatField(help_text="What everything published so far could carry together.")
    label_bits = models.FloatField(help_text="All that there is to know.")
    honest_bits = models.FloatField(
        null=True,
        help_text="What honest use of everything published so far is expected to tell; empty where no model fits.",
    )
    # As code of before keeps it; see `TeamBits`. Nothing reads it any more, and it can go a version later.
    by_team = models.JSONField(
        default=dict, help_text="What each team's own answers so far could carry alone."
    )

    class Meta:
        verbose_name_plural = "ledger entries"
        constraints = [models.UniqueConstraint(fields=["release", "task"], name="ledger_entry_once_per_task")]

    def __str__(self) -> str:
        return f"{self.release}: {self.task.slug}"


class TeamBits(models.Model):
    """What each team's own answers to a task could carry alone, of all releases that are in the ledger.

    It names every team, so that it is kept once, and not with each release.
    """

    sole_writer = Writer.WORKER

    task = models.OneToOneField(Task, primary_key=True, on_delete=models.PROTECT, related_name="team_bits")
    by_team = models.JSONField(default=dict, help_text="Bits by the id of a team.")

    class Meta:
        verbose_name_plural = "bits by team"

    def __str__(self) -> str:
        return f"{self.task.slug} by team"


class AnswerBudget(models.Model):
    """What share of each task's gold labels published answers may carry before the organisers are told."""

    sole_writer = Writer.WEB

    benchmark = models.OneToOneField(
        Benchmark, primary_key=True, on_delete=models.PROTECT, related_name="answer_budget"
    )
    share = models.FloatField()
    changed_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(share__gt=0, share__lte=1), name="answer_budget_is_a_share")
        ]

    def __str__(self) -> str:
        return f"{self.benchmark}: {percent(self.share, 0)}"


class WatchReport(models.Model):
    """What looked odd in the predictions of a batch, for its organisers alone."""

    batch = models.OneToOneField(Batch, on_delete=models.PROTECT, related_name="watch_report")
    made_at = models.DateTimeField()
    finished_at = models.DateTimeField(
        null=True, blank=True, help_text="Empty while a worker looks, and where it was ended meanwhile."
    )
    findings = models.JSONField(default=list)
    finding_count = models.PositiveIntegerField(default=0)
    seen_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-made_at", "-pk"]

    def __str__(self) -> str:
        return f"watch on {self.batch}"
