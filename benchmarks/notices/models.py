"""What organisers tell those who take part, as rows: terms, announcements, mail."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q

from accounts.server.database_rights import Writer
from benchmarks.spec.protocol import LONGEST_PAGE_TITLE

LONGEST_QUESTION = 2000
"""Characters of what a participant asks."""


class Terms(models.Model):
    """One version of what a person accepts before the first submission to a benchmark.

    Rows are never changed: another text is another version. A version without text asks for nothing any more.
    """

    benchmark = models.ForeignKey("benchmarks.Benchmark", on_delete=models.PROTECT, related_name="terms")
    version = models.PositiveIntegerField()
    text = models.TextField(blank=True)
    written_at = models.DateTimeField()
    written_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="Empty where the definition said it.",
    )

    class Meta:
        ordering = ["benchmark", "-version"]
        verbose_name_plural = "terms"
        constraints = [
            models.UniqueConstraint(fields=["benchmark", "version"], name="terms_version_once_per_benchmark"),
            models.CheckConstraint(condition=Q(version__gte=1), name="terms_version_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.benchmark_id} terms, version {self.version}"


class Acceptance(models.Model):
    """That a person has accepted a version of the terms, and when. Rows are never changed."""

    sole_writer = Writer.WEB

    terms = models.ForeignKey(Terms, on_delete=models.PROTECT, related_name="acceptances")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="acceptances")
    accepted_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["terms", "user"], name="acceptance_once_per_person_and_version")
        ]

    def __str__(self) -> str:
        return f"{self.user} accepted {self.terms}"


class Announcement(models.Model):
    """News of a benchmark, for everybody to read. One that was taken back stands on no page."""

    benchmark = models.ForeignKey(
        "benchmarks.Benchmark", on_delete=models.PROTECT, related_name="announcements"
    )
    title = models.CharField(max_length=120)
    text = models.TextField(max_length=5000)
    published_at = models.DateTimeField()
    changed_at = models.DateTimeField()
    is_taken_back = models.BooleanField("taken back", default=False)

    class Meta:
        ordering = ["-published_at", "-pk"]

    def __str__(self) -> str:
        return self.title


class WrittenPage(models.Model):
    """A page about a benchmark, such as its data, its timeline or its contact, at an address of its own.

    What it says is its newest version; one without text stands nowhere.
    """

    benchmark = models.ForeignKey(
        "benchmarks.Benchmark", on_delete=models.PROTECT, related_name="written_pages"
    )
    slug = models.SlugField(
        "name in its address", max_length=64, help_text="Such as data or faq. It stays as it is."
    )
    position = models.PositiveIntegerField(default=0, help_text="Pages stand in the order of these numbers.")

    class Meta:
        ordering = ["benchmark", "position", "slug"]
        constraints = [models.UniqueConstraint(fields=["benchmark", "slug"], name="written_page_once")]

    def __str__(self) -> str:
        newest = self.newest
        return newest.title if newest else self.slug

    @property
    def newest(self) -> WrittenVersion | None:
        """What stands; None as long as nothing was written."""
        return next(iter(self.versions.all()), None)

    def get_absolute_url(self) -> str:
        return f"/benchmarks/{self.benchmark_id}/pages/{self.slug}/"


class WrittenVersion(models.Model):
    """What a page said from an instant on. Rows are never changed: another text is another version."""

    page = models.ForeignKey(WrittenPage, on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    title = models.CharField(max_length=LONGEST_PAGE_TITLE)
    text = models.TextField(blank=True)
    written_at = models.DateTimeField()
    written_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="Empty where the definition said it.",
    )

    class Meta:
        ordering = ["page", "-number"]
        constraints = [models.UniqueConstraint(fields=["page", "number"], name="written_version_once")]

    def __str__(self) -> str:
        return f"{self.title}, version {self.number}"


class Mailing(models.Model):
    """A mail from the organisers to those who take part, as it was when its sending was confirmed.

    What became of it for each person is in `accounts.models.Mail`, whose occasion is `about`. Its id is given to the
    page that asks for the confirmation, so that a button pressed twice sends one mail.
    """

    class Audience(models.TextChoices):
        SUBMITTED = "submitted", "everybody with a submission"
        FAULTY = "faulty", "those with a failed submission, or with a file refused in the current window"
        ABSENT = "absent", "those who take part but have no submission in this phase"
        BREAKERS = "breakers", "breakers who handed in pairs in this phase"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    benchmark = models.ForeignKey("benchmarks.Benchmark", on_delete=models.PROTECT, related_name="mailings")
    audience = models.CharField(max_length=16, choices=Audience)
    phase = models.ForeignKey(
        "benchmarks.Phase", null=True, on_delete=models.PROTECT, related_name="+", help_text="Empty: any."
    )
    subject = models.CharField(max_length=120)
    text = models.TextField(max_length=10_000)
    written_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    confirmed_at = models.DateTimeField()

    class Meta:
        ordering = ["-confirmed_at", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(audience__in=["submitted", "faulty", "absent", "breakers"]),
                name="mailing_audience_known",
            )
        ]

    def __str__(self) -> str:
        return self.subject

    @property
    def about(self) -> str:
        """The occasion, as rows of `accounts.models.Mail` name it."""
        return f"mailing:{self.pk}"


class ParticipantQuestion(models.Model):
    """What somebody asked the organisers, and their answer: to whoever asked, and to everybody where they say so."""

    benchmark = models.ForeignKey("benchmarks.Benchmark", on_delete=models.PROTECT, related_name="questions")
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="questions")
    asked_at = models.DateTimeField()
    text = models.TextField("question", max_length=LONGEST_QUESTION)
    answer = models.TextField(blank=True, max_length=5000)
    answered_at = models.DateTimeField(null=True, blank=True)
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    public_text = models.TextField(
        "question as everybody reads it",
        blank=True,
        max_length=LONGEST_QUESTION,
        help_text="Empty: only whoever asked reads question and answer.",
    )

    class Meta:
        ordering = ["-asked_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(answered_at__isnull=True, answer="", public_text="") | ~Q(answer=""),
                name="question_answered_with_words",
            )
        ]

    def __str__(self) -> str:
        return self.text[:60]
