"""A campaign: one question, asked of people about a set of units."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse

from benchmarks.fields import OrderedJSONField
from benchmarks.models import Attack, Benchmark, Task
from labelling.core.questions import QUESTION_KINDS
from labelling.core.questions.question import CampaignQuestion, QuestionKind
from labelling.querysets import CampaignQuerySet


class Campaign(models.Model):
    """One question about a set of units, who answers it, and by which rules.

    CampaignQuestion, rule and limits are fixed once it is opened (`definition_sha256`); its words may still be mended.
    """

    class Status(models.TextChoices):
        DRAFT = "draft", "draft"
        OPEN = "open", "open"
        PAUSED = "paused", "paused"
        CLOSED = "closed", "closed"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="campaigns")
    task = models.ForeignKey(Task, null=True, blank=True, on_delete=models.PROTECT, related_name="campaigns")
    split_slug = models.CharField("split", max_length=64, blank=True)
    attack = models.ForeignKey(
        Attack, null=True, blank=True, on_delete=models.PROTECT, related_name="campaigns"
    )
    after = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="followers",
        help_text="The campaign whose outcome this one goes on from.",
    )
    title = models.CharField(max_length=120)
    purpose = models.CharField(max_length=32, help_text="What becomes of the answers.")
    question = models.JSONField(help_text="See labelling.core.questions.")
    rule = models.CharField(max_length=32, help_text="How answers become a value per item.")
    rule_settings = models.JSONField(default=dict, blank=True)
    row_name = models.CharField(
        "name of the row",
        max_length=80,
        blank=True,
        help_text="What boards call people who answered a sample.",
    )

    # What workers read. `words` are buttons and notes in the organiser's words; what is missing is in English.
    guidelines = models.TextField(blank=True, help_text="Markdown; with examples and why.")
    content_warning = models.CharField(
        max_length=300, blank=True, help_text="Named before anybody joins, such as “contains slurs”."
    )
    is_blurred = models.BooleanField("texts are blurred until they are pointed at", default=False)
    consent = models.TextField(blank=True, help_text="What workers agree to before they join.")
    pay_note = models.CharField(
        "pay", max_length=300, blank=True, help_text="What is paid, when, and how long it takes."
    )
    language = models.CharField(
        max_length=35, default="en", help_text="Of question and texts, such as en, ar, es."
    )
    words = OrderedJSONField(default=dict, blank=True)

    # How the work is given out.
    answers_wanted = models.PositiveSmallIntegerField("answers per unit", default=5)
    page_size = models.PositiveSmallIntegerField("units on a page", default=1)
    lease_minutes = models.PositiveIntegerField("minutes for a page", default=30)
    most_per_worker = models.PositiveIntegerField(
        "most units per worker",
        null=True,
        blank=True,
        help_text="Check questions among them; qualification questions come before. Empty: no limit.",
    )
    seconds_least = models.DecimalField(
        "seconds per unit, at least",
        max_digits=6,
        decimal_places=1,
        default=0,
        help_text="Faster answers are flagged to the organiser; nobody is excluded for them.",
    )
    check_share = models.FloatField(
        "share of check questions", default=0.0, help_text="Of what a worker is given, from 0 to 0.5."
    )
    check_threshold = models.FloatField(
        "right check questions, at least",
        default=0.7,
        help_text="From 0 to 1; whoever falls below is excluded, and all their answers are collected again.",
    )
    check_least = models.PositiveSmallIntegerField("check questions before anybody is excluded", default=5)
    qualification_threshold = models.FloatField(
        "right qualification questions, at least",
        null=True,
        blank=True,
        help_text="From 0 to 1. Empty: whoever answers all of them goes on.",
    )
    qualification_median_of = models.PositiveSmallIntegerField(
        "workers of whom the median is taken",
        null=True,
        blank=True,
        help_text="Once so many have answered all qualification questions, whoever has at least their median right "
        "goes on; until then they wait. Empty: the share decides.",
    )
    order_seed = models.BigIntegerField(help_text="By which units and options are drawn; not secret.")
    sealed_seed = models.BinaryField(
        null=True, editable=False, help_text="By which ties are drawn; sealed to the scorer's key."
    )
    sealed_seed_commitment = models.CharField(max_length=64, blank=True, editable=False)
    is_sealed = models.BooleanField(
        "answers are sealed",
        default=True,
        help_text="On arrival, to the scorer's key: needed where answers become gold labels or tell of them.",
    )
    judges_systems = models.BooleanField(
        "people judge what systems gave",
        db_default=False,
        default=False,
        editable=False,
        help_text="Workers get what each system gave equally often, and nobody who takes part is a worker.",
    )

    # How it stands.
    status = models.CharField(max_length=16, choices=Status, default=Status.DRAFT)
    paused_because = models.CharField(max_length=300, blank=True, help_text="Told to workers.")
    definition_sha256 = models.CharField(max_length=64, blank=True, editable=False)
    opened_at = models.DateTimeField(null=True, blank=True, editable=False)
    closed_at = models.DateTimeField(null=True, blank=True, editable=False)
    # Counted on by whoever wants an outcome; a worker notes which count it has seen to.
    outcomes_wanted = models.PositiveIntegerField(default=0, editable=False)
    outcomes_made = models.PositiveIntegerField(default=0, editable=False)
    outcome_problem = models.CharField("why there is no outcome", max_length=1000, blank=True, editable=False)
    clues_are_known = models.BooleanField(
        default=False, editable=False, help_text="Whether labels are loaded though clues tell of them."
    )
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    made_at = models.DateTimeField()

    objects = CampaignQuerySet.as_manager()

    class Meta:
        ordering = ["-made_at", "title"]
        constraints = [
            models.CheckConstraint(
                condition=Q(status__in=["draft", "open", "paused", "closed"]), name="campaign_status_known"
            ),
            models.CheckConstraint(
                condition=Q(answers_wanted__gte=1, page_size__gte=1, lease_minutes__gte=1),
                name="campaign_limits_from_one",
            ),
            models.CheckConstraint(
                condition=Q(check_share__gte=0, check_share__lte=0.5), name="campaign_check_share_in_range"
            ),
            models.CheckConstraint(
                condition=Q(status="draft") ^ Q(opened_at__isnull=False),
                name="campaign_opened_has_an_instant",
            ),
            models.CheckConstraint(
                condition=Q(status="closed") ^ Q(closed_at__isnull=True),
                name="campaign_closed_has_an_instant",
            ),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def asked(self) -> CampaignQuestion:
        return CampaignQuestion.from_json(self.question)

    @property
    def kind(self) -> QuestionKind:
        return QUESTION_KINDS[self.question["kind"]]

    @property
    def is_open(self) -> bool:
        return self.status == self.Status.OPEN

    @property
    def why_paused(self) -> str:
        """What workers read while it is paused; empty at other times."""
        if self.status != self.Status.PAUSED:
            return ""
        return self.paused_because or "The organisers have paused this campaign. Come back later."

    @property
    def refuses_participants(self) -> bool:
        """Whether members of teams that take part are refused: answers tell of hidden labels, or judge systems."""
        return self.is_sealed or self.judges_systems

    @property
    def is_right_to_left(self) -> bool:
        return self.language.split("-")[0] in {"ar", "dv", "fa", "he", "ks", "ps", "sd", "ug", "ur", "yi"}

    def get_absolute_url(self) -> str:
        return reverse("labelling:campaign", args=[self.pk])


class Invitation(models.Model):
    """A link by which people without an account join; its token is kept as a digest alone."""

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="invitations")
    token_sha256 = models.CharField(max_length=64, unique=True, editable=False)
    note = models.CharField(max_length=120, blank=True, help_text="To whom it was given.")
    most_workers = models.PositiveIntegerField("people who may join by it", default=1)
    joined = models.PositiveIntegerField(default=0, editable=False)
    expires_at = models.DateTimeField()
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["-made_at"]
        constraints = [
            models.CheckConstraint(
                condition=Q(joined__lte=F("most_workers")), name="invitation_joined_within_limit"
            )
        ]

    def __str__(self) -> str:
        return self.note or f"invitation {self.pk}"
