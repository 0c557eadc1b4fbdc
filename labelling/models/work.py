"""The queue of a campaign: units, workers, who has which unit, and what they answered."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from accounts.server.database_rights import Writer
from accounts.server.keyed_hashes import keyed_hashes
from labelling.models.campaign import Campaign
from labelling.querysets import AssignmentQuerySet, UnitQuerySet, WorkerQuerySet


class Unit(models.Model):
    """What one answer is about: an item, a tuple of items, a pair of texts, or something to be written.

    `taken` counts the assignments that hold a place of it: those that are held or answered and counted.
    """

    class Part(models.TextChoices):
        MAIN = "main", "to be labelled"
        CHECK = "check", "check question"
        QUALIFICATION = "qualification", "qualification question"

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="units")
    key = models.CharField(max_length=240, help_text="Its id within the campaign.")
    part = models.CharField(max_length=16, choices=Part, default=Part.MAIN)
    group = models.CharField(max_length=120, blank=True, help_text="Such as the task that it is from.")
    items = models.JSONField(help_text="Ids of the items that it shows, in order.")
    shown = models.JSONField(help_text="Of each item a list of [heading, text].")
    draw = models.PositiveIntegerField(help_text="Its place in the drawn order.")
    wanted = models.PositiveIntegerField(null=True, help_text="Answers wanted; empty: any number.")
    taken = models.PositiveIntegerField(default=0)
    answer = models.JSONField(null=True, help_text="The right one, of check and qualification questions.")
    reason = models.CharField(max_length=500, blank=True, help_text="Why that is right; told to workers.")
    author = models.ForeignKey(
        "Worker",
        null=True,
        on_delete=models.PROTECT,
        related_name="written_units",
        help_text="Who wrote it, and is not asked about it.",
    )
    source = models.JSONField(default=dict, help_text="Where it comes from, for files and later campaigns.")
    turn = models.PositiveIntegerField(
        null=True,
        help_text="Units of each turn come to a worker equally often, such as those of each system; empty: by lot.",
    )

    objects = UnitQuerySet.as_manager()

    class Meta:
        ordering = ["campaign", "draw"]
        indexes = [models.Index(fields=["campaign", "part", "taken"], name="unit_on_offer")]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "key"], name="unit_key_once_per_campaign"),
            models.CheckConstraint(
                condition=Q(wanted__isnull=True) | Q(taken__lte=F("wanted")), name="unit_taken_within_wanted"
            ),
            models.CheckConstraint(
                condition=Q(part="main") ^ Q(answer__isnull=False), name="unit_checks_have_an_answer"
            ),
        ]

    def __str__(self) -> str:
        return self.key


class Worker(models.Model):
    """A person in one campaign, known to everybody by a number alone."""

    class Source(models.TextChoices):
        ACCOUNT = "account", "account"
        INVITATION = "invitation", "invitation"
        PANEL = "panel", "outside platform"
        IMPORT = "import", "imported file"

    class Stage(models.TextChoices):
        QUALIFYING = "qualifying", "answers qualification questions"
        WAITING = "waiting", "waits to be let in"
        WORKING = "working", "works"
        DONE = "done", "has stopped"
        SCREENED_OUT = "screened_out", "not qualified"
        EXCLUDED = "excluded", "excluded"

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="workers")
    number = models.PositiveIntegerField()
    source = models.CharField(max_length=16, choices=Source)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="labelling_workers"
    )
    invitation = models.ForeignKey("Invitation", null=True, on_delete=models.PROTECT, related_name="workers")
    outside_hmac = models.CharField(max_length=64, blank=True, help_text="Keyed digest of an outside id.")
    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False, help_text="For the link back.")
    stage = models.CharField(max_length=16, choices=Stage, default=Stage.WORKING)
    stage_because = models.CharField(max_length=300, blank=True)
    consent_sha256 = models.CharField(max_length=64, blank=True, help_text="Of what they agreed to.")
    joined_at = models.DateTimeField()
    seen_at = models.DateTimeField()
    given = models.PositiveIntegerField(default=0, help_text="Units that were ever given to them.")
    answered = models.PositiveIntegerField(default=0)
    checks_seen = models.PositiveIntegerField(default=0)
    checks_right = models.PositiveIntegerField(default=0)
    qualification_answered = models.PositiveIntegerField(
        default=0, db_default=0, help_text="Qualification questions among the answered ones."
    )
    milliseconds = models.PositiveBigIntegerField(default=0, help_text="On answered units, as the page says.")
    quick = models.PositiveIntegerField(default=0, help_text="Answers faster than the least time.")

    objects = WorkerQuerySet.as_manager()

    class Meta:
        ordering = ["campaign", "number"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "number"], name="worker_number_once_per_campaign"),
            models.UniqueConstraint(
                fields=["campaign", "user"], condition=Q(user__isnull=False), name="worker_once_per_user"
            ),
            models.UniqueConstraint(
                fields=["campaign", "outside_hmac"],
                condition=~Q(outside_hmac=""),
                name="worker_once_per_outside_id",
            ),
            models.CheckConstraint(
                condition=Q(checks_right__lte=F("checks_seen")), name="worker_right_within_seen"
            ),
        ]

    def __str__(self) -> str:
        return f"Worker {self.number}"

    def same_person(self) -> WorkerQuerySet:
        """All workers, of whatever campaign, that this one is known to be: by account, or by the id of a platform.

        In the campaign that theirs goes on from they are found also where the id was erased there since.
        """
        is_same = Q(pk=self.pk)
        if self.user_id:
            is_same |= Q(user=self.user_id)
        outside = getattr(self, "outside_id", None)
        if outside:
            is_same |= Q(outside_id__platform=outside.platform, outside_id__value=outside.value)
            if (before := self.campaign.after_id) is not None:
                digests = outside_digests(before, outside.platform, outside.value)
                is_same |= Q(campaign=before, outside_hmac__in=digests)
        return Worker.objects.filter(is_same)

    @property
    def units_asked(self) -> int:
        """How many units the campaign is about; asked for anew where it was not read along (`counting_units`)."""
        counted = getattr(self, "counted_units", None)
        return self.campaign.units.filter(part=Unit.Part.MAIN).count() if counted is None else int(counted)

    @property
    def minutes(self) -> int:
        """Minutes of work, as their pages say: one that has begun counts."""
        return -(-self.milliseconds // 60_000)


def outside_digests(campaign: uuid.UUID, platform: str, outside_id: str) -> list[str]:
    """By what a worker of an outside platform is found again in a campaign, also once the id was erased.

    New workers are noted by the first; the others are from before the server's secret was changed.
    """
    value = f"{campaign}\0{platform}\0{outside_id}"
    return [digest.hex() for digest in keyed_hashes("labelling.outside", value)]


class OutsideId(models.Model):
    """The id by which an outside platform knows a worker; it can be erased, and the answers stay under a number."""

    sole_writer = Writer.WEB

    worker = models.OneToOneField(
        Worker, primary_key=True, on_delete=models.CASCADE, related_name="outside_id"
    )
    platform = models.CharField(max_length=32)
    value = models.CharField(max_length=200)

    def __str__(self) -> str:
        return f"{self.worker}"


class Assignment(models.Model):
    """A unit that was given to a worker, once and never again. While it is held or answered it may hold a place."""

    class Status(models.TextChoices):
        HELD = "held", "held"
        ANSWERED = "answered", "answered"
        RETURNED = "returned", "given back"
        EXPIRED = "expired", "not answered in time"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    unit = models.ForeignKey(Unit, on_delete=models.PROTECT, related_name="assignments")
    worker = models.ForeignKey(Worker, on_delete=models.PROTECT, related_name="assignments")
    number = models.PositiveIntegerField(help_text="The how-manieth unit of this worker.")
    status = models.CharField(max_length=16, choices=Status, default=Status.HELD)
    holds_place = models.BooleanField(default=True, help_text="Whether it is one of the unit's `taken`.")
    given_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True)
    is_right = models.BooleanField(null=True, help_text="Of check and qualification questions.")
    note = models.CharField(max_length=500, blank=True, help_text="Why it was given back.")

    objects = AssignmentQuerySet.as_manager()

    class Meta:
        ordering = ["worker", "number"]
        indexes = [models.Index(fields=["status", "expires_at"], name="assignment_lapsing")]
        constraints = [
            models.UniqueConstraint(fields=["unit", "worker"], name="assignment_once_per_unit_and_worker"),
            models.UniqueConstraint(fields=["worker", "number"], name="assignment_number_once_per_worker"),
            models.CheckConstraint(
                condition=Q(holds_place=False) | Q(status__in=["held", "answered"]),
                name="assignment_places_are_held_or_answered",
            ),
            models.CheckConstraint(
                condition=Q(status__in=["held", "answered", "returned", "expired"]),
                name="assignment_status_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.worker}: {self.unit}"


class Answer(models.Model):
    """One version of an answer, kept for ever. The newest of an assignment counts.

    Where the campaign is sealed, value and note stand in the box alone.
    """

    sole_writer = Writer.WEB

    assignment = models.ForeignKey(Assignment, on_delete=models.PROTECT, related_name="answers")
    version = models.PositiveSmallIntegerField()
    value = models.JSONField(null=True)
    note = models.CharField(max_length=500, blank=True)
    box = models.BinaryField(null=True)
    commitment = models.CharField(max_length=64, blank=True)
    client_id = models.UUIDField(
        unique=True, help_text="Made by whoever sent it: sent twice, it counts once."
    )
    milliseconds = models.PositiveIntegerField(
        default=0, help_text="Since the unit was shown, as the page says."
    )
    given_at = models.DateTimeField()

    class Meta:
        ordering = ["assignment", "version"]
        constraints = [
            models.UniqueConstraint(
                fields=["assignment", "version"], name="answer_version_once_per_assignment"
            ),
            models.CheckConstraint(
                condition=Q(value__isnull=True) ^ Q(box__isnull=True), name="answer_plain_or_sealed"
            ),
            models.CheckConstraint(
                condition=Q(box__isnull=True) | (Q(note="") & ~Q(commitment="")),
                name="answer_sealed_has_a_commitment",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.assignment} {self.version}"


class Exclusion(models.Model):
    """Why a worker's answers count no longer. The answers stay, and the work is paid."""

    worker = models.ForeignKey(Worker, on_delete=models.PROTECT, related_name="exclusions")
    rule = models.CharField(max_length=32)
    numbers = models.JSONField(default=dict, help_text="What the rule counted.")
    reason = models.CharField(max_length=300)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["-at"]

    def __str__(self) -> str:
        return f"{self.worker}: {self.reason}"
