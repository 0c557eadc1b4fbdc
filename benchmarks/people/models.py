"""Roles per benchmark, and invitations to one, as rows."""

import datetime as dt
import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from accounts.server.database_rights import Writer


class Role(models.TextChoices):
    """What somebody is to a benchmark; what that lets them do stands in `benchmarks.people.rights`."""

    OWNER = "owner", "owner: everything, also roles and deletion"
    ORGANISER = "organiser", "organiser: everything but roles and deletion"
    ANNOTATOR = "annotator", "annotator: labels in campaigns, and contested labels"
    READER = "reader", "reader: sees the organisers' pages, without gold labels and buttons"


class BenchmarkRole(models.Model):
    """That somebody has a role in a benchmark; one each."""

    sole_writer = Writer.WEB

    benchmark = models.ForeignKey("benchmarks.Benchmark", on_delete=models.CASCADE, related_name="roles")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="roles")
    role = models.CharField(max_length=16, choices=Role)
    given_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="Empty: the server, as for whoever began the benchmark.",
    )
    given_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = "role"
        ordering = ["benchmark", "given_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["benchmark", "user"], name="role_once_per_person"),
            models.CheckConstraint(
                condition=Q(role__in=["owner", "organiser", "annotator", "reader"]), name="role_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user}, {self.role} of {self.benchmark_id}"


class RoleInvitation(models.Model):
    """A role that waits for whoever has an e-mail address; taken once, within a fortnight."""

    sole_writer = Writer.WEB

    LIFETIME = dt.timedelta(days=14)

    benchmark = models.ForeignKey(
        "benchmarks.Benchmark", on_delete=models.CASCADE, related_name="role_invitations"
    )
    address = models.EmailField("e-mail address")
    role = models.CharField(max_length=16, choices=Role)
    nonce = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    invited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    invited_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True)
    withdrawn_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-invited_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(role__in=["owner", "organiser", "annotator", "reader"]),
                name="invitation_role_known",
            ),
            models.CheckConstraint(
                condition=Q(accepted_at__isnull=True) | Q(withdrawn_at__isnull=True),
                name="invitation_accepted_or_withdrawn",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.address}, {self.role} of {self.benchmark_id}"

    @property
    def ends_at(self) -> dt.datetime:
        return self.invited_at + self.LIFETIME
