"""Releases and the pages rendered from them, and webhooks."""

import gzip
import secrets
import uuid
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q

from accounts.server.database_rights import Writer
from benchmarks.fields import OrderedJSONField, PackedJSONField
from benchmarks.models import Benchmark, Phase, Split, Task
from benchmarks.spec import OVERALL
from leaderboard.board.model.serialization import ranking_of
from leaderboard.querysets import PageQuerySet, ReleaseQuerySet
from scoring.models import Batch, Disclosed, Score
from submissions.models import Submission, System


class Release(models.Model):
    """A frozen, numbered leaderboard. A trigger refuses every change."""

    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="releases")
    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="releases")
    batch = models.OneToOneField(Batch, on_delete=models.PROTECT, related_name="release")
    number = models.PositiveIntegerField()
    published_at = models.DateTimeField()
    overall = PackedJSONField(help_text="The overall board.")
    others = PackedJSONField(help_text="Every other board under its id.")
    ranking = PackedJSONField(
        help_text="Of the overall board, the column that ranks it: later releases read no more."
    )
    reports = OrderedJSONField(
        default=dict, blank=True, help_text="What is frozen beside the boards: fact sheets, equity, attacks."
    )

    objects = ReleaseQuerySet.as_manager()

    class Meta:
        ordering = ["benchmark", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["benchmark", "number"], name="release_number_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="release_number_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.benchmark} release {self.number}"

    @property
    def boards(self) -> dict[str, Any]:
        """The overall board under `overall`, every other under its id."""
        return {OVERALL: self.overall, **self.others}

    @boards.setter
    def boards(self, boards: Mapping[str, Any]) -> None:
        self.overall = boards[OVERALL]
        self.others = {key: board for key, board in boards.items() if key != OVERALL}
        self.ranking = ranking_of(self.overall)


class ArchivedRelease(models.Model):
    """Which count of `Benchmark.archive_wanted` the permanent pages of a release show."""

    release = models.OneToOneField(
        Release, primary_key=True, on_delete=models.CASCADE, related_name="archived"
    )
    wanted = models.PositiveBigIntegerField()

    def __str__(self) -> str:
        return f"{self.release}: pages as of {self.wanted}"


class ReleaseCell(models.Model):
    """Which score, of one seed, fills a system's cell for a split in one release."""

    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="cells")
    system = models.ForeignKey(System, on_delete=models.PROTECT, related_name="release_cells")
    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="release_cells")
    split = models.ForeignKey(Split, on_delete=models.PROTECT, related_name="release_cells")
    track = models.CharField(max_length=64, blank=True)
    seed = models.PositiveSmallIntegerField(default=1)
    submission = models.ForeignKey(Submission, on_delete=models.PROTECT, related_name="release_cells")
    score = models.ForeignKey(Score, on_delete=models.PROTECT, related_name="release_cells")
    disclosed = models.ForeignKey(
        Disclosed,
        null=True,
        on_delete=models.PROTECT,
        related_name="release_cells",
        help_text="What was shown in place of the exact score.",
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["release", "system", "split", "track", "seed"], name="cell_once_per_release"
            )
        ]

    def __str__(self) -> str:
        return f"{self.release}: {self.system} {self.task}"

    @property
    def value(self) -> float | None:
        """The number that the release shows; None where it is undefined."""
        return self.score.value if self.disclosed is None else self.disclosed.shown

    @property
    def undefined(self) -> str:
        """Why there is no number."""
        return self.score.undefined if self.disclosed is None else self.disclosed.undefined


class PageBody(models.Model):
    """What one page or several answer: kept once, compressed, under its digest. Releases share what has not changed."""

    sha256 = models.CharField(max_length=64, primary_key=True, help_text="Of what it says when unpacked.")
    packed = models.BinaryField(help_text="As gzip.")

    class Meta:
        verbose_name_plural = "page bodies"

    def __str__(self) -> str:
        return self.sha256

    @property
    def plain(self) -> bytes:
        return gzip.decompress(self.packed)


class Page(models.Model):
    """One published page or file, ready to be sent. Derived from releases; can be rendered anew at any time."""

    path = models.CharField(max_length=255, primary_key=True)
    benchmark = models.ForeignKey(Benchmark, null=True, on_delete=models.CASCADE, related_name="pages")
    content_type = models.CharField(max_length=64)
    stored = models.ForeignKey(PageBody, on_delete=models.PROTECT, related_name="pages")
    printing = models.PositiveBigIntegerField()

    objects = PageQuerySet.as_manager()

    def __str__(self) -> str:
        return self.path

    @property
    def body(self) -> bytes:
        """What it answers, not compressed."""
        return self.stored.plain


class Printing(models.Model):
    """One row that counts publications; web servers look at it to know when to forget what they hold."""

    number = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(pk=1), name="printing_is_one_row")]

    def __str__(self) -> str:
        return str(self.number)


class Press(models.Model):
    """A row of each benchmark, locked while its pages are drawn and put in place: older pages never come last."""

    benchmark = models.OneToOneField(Benchmark, primary_key=True, on_delete=models.CASCADE)

    class Meta:
        verbose_name_plural = "presses"

    def __str__(self) -> str:
        return str(self.pk)


class SiteAddress(models.Model):
    """One row: the address under which the site publishes, see `leaderboard.publication.site_address`."""

    url = models.URLField()

    class Meta:
        verbose_name_plural = "site addresses"
        constraints = [models.CheckConstraint(condition=Q(pk=1), name="site_address_is_one_row")]

    def __str__(self) -> str:
        return self.url


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
    by_team = models.JSONField(
        default=dict, help_text="What each team's own answers so far could carry alone."
    )

    class Meta:
        verbose_name_plural = "ledger entries"
        constraints = [models.UniqueConstraint(fields=["release", "task"], name="ledger_entry_once_per_task")]

    def __str__(self) -> str:
        return f"{self.release}: {self.task.slug}"


class AnswerBudget(models.Model):
    """What share of each task's gold labels published answers may carry before the organisers are told."""

    sole_writer = Writer.WORKER

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
        return f"{self.benchmark}: {self.share:.0%}"


class ArchiveOrder(models.Model):
    """An organiser's word that everything about a benchmark be put into one file; a worker makes it, for a day."""

    benchmark = models.OneToOneField(
        Benchmark, primary_key=True, on_delete=models.CASCADE, related_name="archive_order"
    )
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    asked_at = models.DateTimeField()
    made_at = models.DateTimeField(null=True, help_text="Empty: a worker has yet to make it.")
    stored_file = models.FileField(blank=True, max_length=200)
    said = models.CharField(max_length=300, blank=True, help_text="What it holds, or why it was not made.")

    def __str__(self) -> str:
        return f"{self.benchmark_id}: everything"


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


def new_secret() -> str:
    return secrets.token_urlsafe(32)


class Webhook(models.Model):
    """An address that is told what happens in a benchmark."""

    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="webhooks")
    url = models.URLField("address", max_length=500, help_text="https; the address of a public host.")
    tells_accepted = models.BooleanField("a file was accepted", default=True)
    tells_scored = models.BooleanField("a batch is scored", default=True)
    tells_released = models.BooleanField("a release is published", default=True)
    is_active = models.BooleanField("active", default=True)
    secret = models.CharField(
        max_length=64,
        default=new_secret,
        editable=False,
        help_text="X-Heldout-Signature is sha256= and the HMAC-SHA256 of the body under this secret, in hex.",
    )
    made_at = models.DateTimeField(editable=False)
    looked_until = models.DateTimeField(editable=False, help_text="What happened before was put in the post.")

    class Meta:
        ordering = ["benchmark", "pk"]
        constraints = [models.UniqueConstraint(fields=["benchmark", "url"], name="webhook_once_per_address")]

    def __str__(self) -> str:
        return self.url


class WebhookDelivery(models.Model):
    """One message to one webhook, from when it was written until it was taken or given up."""

    class Status(models.TextChoices):
        WAITING = "waiting", "waiting to be sent"
        SENDING = "sending", "being sent"
        SENT = "sent", "taken"
        FAILED = "failed", "given up"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    about = models.CharField("occasion", max_length=120)
    body = models.JSONField()
    status = models.CharField(max_length=16, choices=Status, default=Status.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    error = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField()
    due_at = models.DateTimeField(
        help_text="When it is tried next; of one being sent, when it is tried again."
    )

    class Meta:
        ordering = ["-created_at", "id"]
        verbose_name_plural = "webhook deliveries"
        constraints = [
            models.UniqueConstraint(fields=["webhook", "about"], name="webhook_told_once"),
            models.CheckConstraint(
                condition=Q(status__in=["waiting", "sending", "sent", "failed"]),
                name="webhook_delivery_status_known",
            ),
        ]
        indexes = [models.Index(fields=["status", "due_at"], name="webhook_delivery_due")]

    def __str__(self) -> str:
        return self.about


class Rehearsal(models.Model):
    """A person's word that a shared task in files be played; a worker does, and what came out stays for a day."""

    person = models.OneToOneField(
        settings.AUTH_USER_MODEL, primary_key=True, on_delete=models.CASCADE, related_name="rehearsal"
    )
    file_name = models.CharField(max_length=200)
    definition = models.TextField(
        blank=True, help_text="Played in place of the one in the folder; empty: that one."
    )
    sealed = models.BinaryField(help_text="The folder as a zip; empty once it was played.")
    commitment = models.CharField(max_length=64)
    asked_at = models.DateTimeField()
    began_at = models.DateTimeField(null=True, help_text="Empty: a worker has yet to begin.")
    ended_at = models.DateTimeField(null=True)
    outcome = OrderedJSONField(
        default=dict, help_text="What came out, or why the folder cannot be rehearsed."
    )
    pages = models.BinaryField(default=b"", help_text="Every page as it would be: a static site as a zip.")

    def __str__(self) -> str:
        return f"rehearsal of {self.file_name}"
