"""Minimal pairs that teams hand in to break other teams' systems, and what is argued over."""

import datetime as dt
import uuid
import zlib

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.crypto import salted_hmac

from accounts.models import Team
from benchmarks.fields import SHA256_HEX, OrderedJSONField
from benchmarks.models import Phase, Split, Task
from breaking.querysets import BreakerSetQuerySet, ContestQuerySet, PairFileQuerySet, PairQuerySet
from labelling.models import Campaign, Outcome, Worker
from scoring.models import GoldVersion


class StarterData(models.Model):
    """The sentences that breakers may start from, with their labels: public, unlike everything made of them.

    The columns are `id`, `text`, `label` and perhaps more that a changed sentence keeps, such as a question.
    """

    task = models.OneToOneField(Task, on_delete=models.PROTECT, related_name="starter_data")
    header = models.JSONField(help_text="The columns: id, text, label, then the others.")
    packed = models.BinaryField()
    sha256 = models.CharField(max_length=64, validators=[SHA256_HEX])
    item_count = models.PositiveIntegerField()
    file_name = models.CharField(max_length=255)
    loaded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    loaded_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "starter data"

    def __str__(self) -> str:
        return f"{self.task} starter data"

    def csv(self) -> bytes:
        return zlib.decompress(self.packed)


class PairFile(models.Model):
    """One accepted file of a breaker's pairs. It is sealed, because it says what the pairs' labels are.

    A later file of the same team replaces it. One that an organiser has imported has no team.
    """

    class Status(models.TextChoices):
        ACCEPTED = "accepted", "accepted"
        REPLACED = "replaced", "replaced by a later file"
        WITHDRAWN = "withdrawn", "withdrawn"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="pair_files")
    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="pair_files")
    team = models.ForeignKey(Team, null=True, on_delete=models.PROTECT, related_name="pair_files")
    breaker = models.CharField(max_length=120, help_text="What its set is called.")
    submitted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    received_at = models.DateTimeField(help_text="When its request began, by the database's clock.")
    status = models.CharField(max_length=16, choices=Status, default=Status.ACCEPTED)
    status_reason = models.CharField(max_length=500, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    file_name = models.CharField(max_length=255)
    file_digest = models.CharField(
        max_length=64,
        validators=[SHA256_HEX],
        help_text="Keyed: by a plain digest one could try out the labels of texts that are public.",
    )
    sealed = models.BinaryField()
    key_fingerprint = models.CharField(max_length=64)
    commitment = models.CharField(max_length=64, validators=[SHA256_HEX])
    pair_count = models.PositiveIntegerField()

    objects = PairFileQuerySet.as_manager()

    class Meta:
        ordering = ["-received_at", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["task", "phase", "team"],
                condition=Q(status="accepted", team__isnull=False),
                name="pair_file_one_accepted_per_team",
            ),
            models.CheckConstraint(
                condition=Q(status__in=["accepted", "replaced", "withdrawn"]), name="pair_file_status_known"
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True) ^ Q(status__in=["replaced", "withdrawn"]),
                name="pair_file_end_has_an_instant",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.breaker}, {self.received_at:%Y-%m-%d %H:%M}"

    def end(self, status: Status, reason: str, at: dt.datetime) -> None:
        self.status, self.status_reason, self.ended_at = status, reason, at
        self.save(update_fields=["status", "status_reason", "ended_at"])

    @staticmethod
    def digest_of(data: bytes) -> str:
        """What tells a file that is sent again, to this server alone."""
        return salted_hmac("breaking.pairs", data, algorithm="sha256").hexdigest()

    def get_absolute_url(self) -> str:
        return reverse("breaking:pair_file", args=[self.task.benchmark_id, self.pk])


class Pair(models.Model):
    """An original and the sentence that a breaker made of it. Their labels stand only in the sealed file."""

    class Decision(models.TextChoices):
        FINE = "fine", "within the rule"
        WAITING = "waiting", "waits for the organiser"
        ADMITTED = "admitted", "admitted by the organiser"
        LEFT_OUT = "left_out", "left out by the organiser"

    pair_file = models.ForeignKey(PairFile, on_delete=models.PROTECT, related_name="pairs")
    position = models.PositiveIntegerField()
    line = models.PositiveIntegerField(help_text="That of the changed sentence in the file.")
    original_item = models.CharField(max_length=200, help_text="Under this id systems answer the original.")
    changed_item = models.CharField(max_length=200)
    original_id = models.CharField(max_length=200, help_text="Its id in the starter data.")
    original_text = models.TextField()
    changed_text = models.TextField()
    rationale = models.TextField(blank=True)
    category = models.CharField(
        max_length=60, blank=True, help_text="The kind of change; empty: none is named."
    )
    is_from_scratch = models.BooleanField(default=False)
    character_edits = models.PositiveIntegerField()
    token_edits = models.PositiveIntegerField()
    token_count = models.PositiveIntegerField()
    outlier_reason = models.CharField(max_length=500, blank=True)
    asked_count = models.PositiveIntegerField(
        "people asked", default=0, help_text="Whether only what matters was changed."
    )
    minimal_count = models.PositiveIntegerField("said yes", default=0)
    decision = models.CharField(max_length=16, choices=Decision, default=Decision.FINE)
    decision_reason = models.CharField(max_length=500, blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)

    objects = PairQuerySet.as_manager()

    class Meta:
        ordering = ["pair_file", "position"]
        constraints = [
            models.UniqueConstraint(fields=["pair_file", "position"], name="pair_position_once_per_file"),
            models.CheckConstraint(
                condition=Q(decision__in=["fine", "waiting", "admitted", "left_out"]),
                name="pair_decision_known",
            ),
            models.CheckConstraint(
                condition=Q(decision="fine") | ~Q(outlier_reason=""), name="pair_waits_for_a_reason"
            ),
            models.CheckConstraint(
                condition=Q(minimal_count__lte=F("asked_count")), name="pair_minimal_within_asked"
            ),
        ]

    def __str__(self) -> str:
        return self.changed_item


class BreakerSet(models.Model):
    """A breaker's pairs as a split: made at the close of a break phase, or imported by an organiser."""

    split = models.OneToOneField(Split, on_delete=models.PROTECT, related_name="breaker_set")
    pair_file = models.OneToOneField(PairFile, on_delete=models.PROTECT, related_name="breaker_set")
    made_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    withdrawal_reason = models.CharField(max_length=500, blank=True)
    withdrawn_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="The organiser; empty where the team did so itself.",
    )

    objects = BreakerSetQuerySet.as_manager()

    class Meta:
        ordering = ["split"]

    def __str__(self) -> str:
        return f"{self.split}"


class Contest(models.Model):
    """An item whose gold label somebody doubts. What the organiser decides becomes the split's next gold version.

    `sealed` holds what gives labels away while gold is sealed: for an item that a file gives several times, its lines
    with their labels; see `breaking.contests.services`.
    """

    class Status(models.TextChoices):
        OPEN = "open", "open"
        KEPT = "kept", "the label stands"
        CHANGED = "changed", "the label was changed"
        RETRACTED = "retracted", "taken back by its team"

    class Choice(models.TextChoices):
        KEEP = "keep", "keep the label"
        LABEL = "label", "this label"
        FIRST = "first", "that of the first line"
        LAST = "last", "that of the last line"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    split = models.ForeignKey(Split, on_delete=models.PROTECT, related_name="contests")
    item = models.CharField(max_length=200)
    reason = models.TextField(max_length=2000)
    proposed_label = models.CharField(
        max_length=1000, blank=True, help_text="What whoever contests would give it; gold is open by then."
    )
    raised_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    team = models.ForeignKey(Team, null=True, on_delete=models.PROTECT, related_name="contests")
    campaign = models.ForeignKey(
        Campaign,
        null=True,
        on_delete=models.PROTECT,
        related_name="contests",
        help_text="By whose answers it was raised; empty where somebody did so.",
    )
    raised_at = models.DateTimeField()
    sealed_lines = models.BinaryField(null=True)
    sealed_lines_commitment = models.CharField(max_length=64, blank=True)
    status = models.CharField(max_length=16, choices=Status, default=Status.OPEN)
    choice = models.CharField(max_length=16, choices=Choice, blank=True)
    sealed_label = models.BinaryField(null=True)
    sealed_label_commitment = models.CharField(max_length=64, blank=True)
    note = models.CharField(max_length=500, blank=True, help_text="Why it was decided so; public.")
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)
    gold_version = models.ForeignKey(
        GoldVersion, null=True, blank=True, on_delete=models.PROTECT, related_name="contests"
    )

    objects = ContestQuerySet.as_manager()

    class Meta:
        ordering = ["-raised_at", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["split", "item"], condition=Q(status="open"), name="contest_one_open_per_item"
            ),
            models.CheckConstraint(
                condition=Q(status__in=["open", "kept", "changed", "retracted"]), name="contest_status_known"
            ),
            models.CheckConstraint(
                condition=Q(choice__in=["", "keep", "label", "first", "last"]), name="contest_choice_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.split} {self.item}"


class Vote(models.Model):
    """What one more annotator says about a contested item; or one more team that contests it, which is no annotator.

    One with a `worker` is an answer of a campaign, and is entered once.
    """

    contest = models.ForeignKey(Contest, on_delete=models.PROTECT, related_name="votes")
    voter = models.CharField(max_length=160, help_text="The annotator; of a team, its name.")
    team = models.ForeignKey(Team, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    worker = models.ForeignKey(Worker, null=True, blank=True, on_delete=models.PROTECT, related_name="votes")
    label = models.CharField(max_length=1000)
    entered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    entered_at = models.DateTimeField()

    class Meta:
        ordering = ["contest", "voter", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["contest", "voter"],
                condition=Q(team__isnull=True, worker__isnull=True),
                name="vote_once_per_voter",
            ),
            models.UniqueConstraint(
                fields=["contest", "worker"], condition=Q(worker__isnull=False), name="vote_once_per_worker"
            ),
            models.UniqueConstraint(
                fields=["contest", "team"], condition=Q(team__isnull=False), name="vote_once_per_team"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.voter}: {self.label}"


class TakenOutcome(models.Model):
    """An outcome of a campaign that contests, votes or decisions about pairs were made of; each is taken once.

    `report` counts what came of it.
    """

    outcome = models.OneToOneField(Outcome, primary_key=True, on_delete=models.PROTECT, related_name="taken")
    report = OrderedJSONField()
    taken_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.outcome}, taken"
