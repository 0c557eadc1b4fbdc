"""Systems, submissions and the predictions taken from them."""

import datetime as dt
import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q

from accounts.models import Team
from accounts.server.database_rights import Writer
from benchmarks.fields import SHA256_HEX
from benchmarks.models import Benchmark, Phase, Split
from benchmarks.spec import RowKind
from submissions.intake.canonical import CanonicalPredictions
from submissions.participants import (  # noqa: F401  # Django looks for rows here
    Ban,
    GroupLink,
    GroupUse,
    ParticipantGroup,
    RowClaim,
)
from submissions.querysets import SubmissionQuerySet, SystemQuerySet


class System(models.Model):
    """The thing a team built: a row on the board."""

    class Kind(models.TextChoices):
        SYSTEM = RowKind.SYSTEM.value, "system"
        BASELINE = RowKind.BASELINE.value, "baseline"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    team = models.ForeignKey(Team, on_delete=models.PROTECT, related_name="systems")
    name = models.CharField(max_length=80)
    kind = models.CharField(max_length=16, choices=Kind, default=Kind.SYSTEM)
    description = models.TextField(blank=True, max_length=4000)
    paper_url = models.URLField("paper", blank=True, max_length=500)
    code_url = models.URLField("code", blank=True, max_length=500)
    tags = models.JSONField(default=list, blank=True)
    facts = models.JSONField(default=dict, blank=True, help_text="As `catalogue.declared_facts` writes them.")
    created_at = models.DateTimeField()
    name_removed_at = models.DateTimeField(null=True, editable=False)

    # The person whose systems were asked for, where it is one of theirs (`SystemQuerySet.of`).
    member_id: int | None = None

    objects = SystemQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["team", "name"], name="system_name_once_per_team")]

    def __str__(self) -> str:
        return self.name


class Submission(models.Model):
    """One accepted upload for a system. It is never deleted: a withdrawal leaves its trace."""

    class Status(models.TextChoices):
        ACCEPTED = "accepted", "accepted, waiting for the cut-off"
        SCORING = "scoring", "being scored"
        SCORED = "scored", "scored, waiting for publication"
        PUBLISHED = "published", "published"
        FAILED = "failed", "could not be scored"
        WITHDRAWN = "withdrawn", "withdrawn by its team"
        DISQUALIFIED = "disqualified", "disqualified by the organiser"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    system = models.ForeignKey(System, on_delete=models.PROTECT, related_name="submissions")
    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="submissions")
    submitted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="submissions"
    )
    track = models.CharField(max_length=64, blank=True, help_text="Empty where the benchmark has no tracks.")
    status = models.CharField(max_length=16, choices=Status, default=Status.ACCEPTED)
    status_reason = models.CharField(max_length=500, blank=True)
    received_at = models.DateTimeField(help_text="When its request began, by the database's clock.")
    cut_off_at = models.DateTimeField(help_text="The cut-off that it waits for or was scored at.")
    quota_window_ends_at = models.DateTimeField(
        null=True, editable=False, help_text="Of the window whose slot it took; empty where it took none."
    )
    group = models.ForeignKey(
        "submissions.ParticipantGroup",
        null=True,
        editable=False,
        on_delete=models.PROTECT,
        related_name="submissions",
        help_text="Who shares its quota, as it was made then: its `root` is the one that counts.",
    )
    ended_at = models.DateTimeField(null=True, blank=True, help_text="When it was withdrawn or disqualified.")
    held_back_at = models.DateTimeField(
        null=True, editable=False, help_text="Since when it is on no board until organisers let it go."
    )
    held_back_because = models.CharField(max_length=300, blank=True, editable=False)
    told_at = models.DateTimeField(
        null=True, editable=False, help_text="When its team was first told a score before a release."
    )
    let_go_at = models.DateTimeField(null=True, editable=False, help_text="When it was last let go.")
    file_name = models.CharField(max_length=255)
    file_size = models.PositiveIntegerField()
    file_sha256 = models.CharField(max_length=64, validators=[SHA256_HEX])
    stored_file = models.FileField(max_length=100, blank=True)
    file_removed_at = models.DateTimeField(
        null=True,
        editable=False,
        help_text="Since when its bytes and the predictions read from them are gone.",
    )
    file_removed_because = models.CharField(max_length=300, blank=True, editable=False)
    predictions_sha256 = models.CharField(max_length=64)

    objects = SubmissionQuerySet.as_manager()

    class Meta:
        ordering = ["-received_at", "id"]
        indexes = [models.Index(fields=["phase", "status", "cut_off_at"], name="submission_due")]
        constraints = [
            models.UniqueConstraint(
                fields=["system", "phase", "track", "predictions_sha256"],
                condition=~Q(status__in=["withdrawn", "disqualified"]),
                name="submission_same_predictions_once",
            ),
            models.CheckConstraint(
                condition=Q(
                    status__in=[
                        "accepted",
                        "scoring",
                        "scored",
                        "published",
                        "failed",
                        "withdrawn",
                        "disqualified",
                    ]
                ),
                name="submission_status_known",
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True) ^ Q(status__in=["withdrawn", "disqualified"]),
                name="submission_end_has_an_instant",
            ),
            models.CheckConstraint(
                condition=Q(held_back_at__isnull=True) ^ ~Q(held_back_because=""),
                name="submission_held_back_for_a_reason",
            ),
            models.CheckConstraint(
                condition=Q(file_removed_at__isnull=True, file_removed_because="")
                | Q(file_removed_at__isnull=False, ended_at__isnull=False) & ~Q(file_removed_because=""),
                name="submission_file_removed_after_its_end",
            ),
            models.CheckConstraint(
                condition=Q(quota_window_ends_at__isnull=True) | Q(group__isnull=False),
                name="submission_with_a_slot_has_a_group",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.system} {self.received_at:%Y-%m-%d %H:%M}"

    @property
    def is_held_back(self) -> bool:
        """Whether it is on no board until organisers let it go. Of one let go, it stays known since when it was."""
        return self.held_back_at is not None and self.let_go_at is None and self.ended_at is None

    def counted_at(self, instant: dt.datetime) -> bool:
        """Whether it had neither ended nor was held back at an instant, by when it was held back last."""
        if self.ended_at is not None and self.ended_at <= instant:
            return False
        is_before = self.held_back_at is None or instant < self.held_back_at
        return is_before or (self.let_go_at is not None and self.let_go_at <= instant)

    def get_absolute_url(self) -> str:
        """The submission's page, for the members of its team."""
        return f"/submissions/{self.pk}/"


class Predictions(models.Model):
    """One split's canonical predictions of a submission, with one seed: codes aligned to the split's ids."""

    sole_writer = Writer.WEB

    submission = models.ForeignKey(Submission, on_delete=models.PROTECT, related_name="predictions")
    split = models.ForeignKey(Split, on_delete=models.PROTECT, related_name="predictions")
    seed = models.PositiveSmallIntegerField(default=1)
    alignment_sha256 = models.CharField(
        max_length=64, help_text="Digest of the labels and ids that the codes are aligned to."
    )
    sha256 = models.CharField(max_length=64)

    class Meta:
        verbose_name_plural = "predictions"
        constraints = [
            models.UniqueConstraint(
                fields=["submission", "split", "seed"], name="predictions_once_per_split_and_seed"
            ),
            models.CheckConstraint(condition=Q(seed__gte=1), name="predictions_seed_from_one"),
        ]
        indexes = [models.Index(fields=["sha256"], name="predictions_by_content")]

    def __str__(self) -> str:
        return f"{self.submission_id} {self.split_id}"

    def canonical(self) -> CanonicalPredictions:
        """The predictions themselves. ValueError where the stored bytes are damaged."""
        return CanonicalPredictions.from_bytes(bytes(self.codes.packed))


class PredictionCodes(models.Model):
    """The codes of predictions, as `CanonicalPredictions.to_bytes` packs them."""

    sole_writer = Writer.WEB

    predictions = models.OneToOneField(
        Predictions, primary_key=True, on_delete=models.CASCADE, related_name="codes"
    )
    packed = models.BinaryField()

    class Meta:
        verbose_name_plural = "prediction codes"

    def __str__(self) -> str:
        return f"{self.predictions_id} codes"


class Choice(models.Model):
    """The submission that a team chose to count for one split, where the phase lets teams choose."""

    system = models.ForeignKey(System, on_delete=models.PROTECT, related_name="choices")
    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="choices")
    track = models.CharField(max_length=64, blank=True)
    split = models.ForeignKey(Split, on_delete=models.PROTECT, related_name="+")
    submission = models.ForeignKey(Submission, on_delete=models.PROTECT, related_name="choices")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["system", "phase", "track", "split"], name="choice_once_per_split"
            )
        ]

    def __str__(self) -> str:
        return f"{self.system} {self.split}: {self.submission_id}"


class FactSheet(models.Model):
    """What a system is made of, by the lists of one benchmark: `{list: [option, ...]}`."""

    system = models.ForeignKey(System, on_delete=models.PROTECT, related_name="fact_sheets")
    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="fact_sheets")
    answers = models.JSONField()
    changed_at = models.DateTimeField()
    changed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["system", "benchmark"], name="fact_sheet_once_per_benchmark")
        ]

    def __str__(self) -> str:
        return f"{self.system} {self.benchmark_id}"


class Pseudonym(models.Model):
    """What a system is called in a benchmark as long as its systems are anonymous: `System 4`."""

    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="pseudonyms")
    system = models.ForeignKey(System, on_delete=models.PROTECT, related_name="pseudonyms")
    number = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["benchmark", "system"], name="pseudonym_once_per_system"),
            models.UniqueConstraint(fields=["benchmark", "number"], name="pseudonym_number_once"),
        ]

    def __str__(self) -> str:
        return f"System {self.number}"


class BoardName(models.Model):
    """What organisers have a system, or a team, called on the boards of their benchmark alone."""

    benchmark = models.ForeignKey(Benchmark, on_delete=models.CASCADE, related_name="board_names")
    system = models.ForeignKey(System, null=True, on_delete=models.CASCADE, related_name="board_names")
    team = models.ForeignKey(Team, null=True, on_delete=models.CASCADE, related_name="board_names")
    name = models.CharField(max_length=80)
    reason = models.CharField(max_length=60)
    named_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    named_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["benchmark", "system"], name="board_name_once_per_system"),
            models.UniqueConstraint(fields=["benchmark", "team"], name="board_name_once_per_team"),
            models.CheckConstraint(
                condition=Q(system__isnull=True) ^ Q(team__isnull=True),
                name="board_name_of_a_system_or_a_team",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} in {self.benchmark_id}"


class Refusal(models.Model):
    """An upload that was not accepted, kept so that an organiser can help. It cost nothing."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    system = models.ForeignKey(System, on_delete=models.PROTECT, related_name="refusals")
    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="refusals")
    submitted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="refusals"
    )
    received_at = models.DateTimeField()
    file_name = models.CharField(max_length=255)
    problems = models.JSONField(help_text="The first problems, as the team saw them.")
    more = models.PositiveIntegerField(default=0, help_text="How many further problems there were.")
    causes = models.JSONField(
        default=list, help_text="What the problems are about, each cause told once with its true count."
    )

    class Meta:
        ordering = ["-received_at"]

    def __str__(self) -> str:
        return f"{self.file_name} {self.received_at:%Y-%m-%d %H:%M}"
