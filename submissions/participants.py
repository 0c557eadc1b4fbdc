"""Who takes part, as rows: teams that are approved or wait for it, and who shares a quota and has used what of it."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from accounts.models import Team, User
from benchmarks.models import Benchmark, Phase


class ParticipantGroup(models.Model):
    """Everybody who is linked through teams that take part in a phase, for as long as the phase lasts.

    Where two groups become linked, one of them stays: it is the `root` of both, and of whatever had joined them. So
    what once named a group still leads to the one that counts. Nobody but the server knows who is in which group.
    """

    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="participant_groups")
    root = models.ForeignKey(
        "self",
        null=True,  # a row has to be there before it can name itself
        on_delete=models.PROTECT,
        related_name="branches",
        help_text="The group that counts: itself, until it is merged into another.",
    )

    def __str__(self) -> str:
        return f"Group {self.pk}"


class GroupLink(models.Model):
    """That a team, or a person, belongs to a group. It is never taken back: to leave a team splits no group."""

    group = models.ForeignKey(ParticipantGroup, on_delete=models.PROTECT, related_name="links")
    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="+")
    team = models.ForeignKey(Team, null=True, on_delete=models.PROTECT, related_name="group_links")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="group_links"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["phase", "team"], name="group_link_once_per_team"),
            models.UniqueConstraint(fields=["phase", "user"], name="group_link_once_per_person"),
            models.CheckConstraint(
                condition=Q(team__isnull=True) ^ Q(user__isnull=True), name="group_link_of_a_team_or_a_person"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.team or self.user} in {self.group_id}"


class GroupUse(models.Model):
    """How many submissions one group has sent to a phase until a cut-off, the newest that it sent something for.

    There is a row from when the group is made; those of groups that were merged are added up. Whoever submits holds it
    locked, so that what other limits ask for can be counted meanwhile (`submissions.quota.slots`).
    """

    group = models.OneToOneField(ParticipantGroup, on_delete=models.PROTECT, related_name="use")
    window_ends_at = models.DateTimeField(
        null=True, help_text="Of the window that `used` is about; empty before the first submission."
    )
    used = models.PositiveIntegerField(default=0, help_text="Submissions accepted in that window.")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(used__gte=0), name="group_used_not_negative"),
        ]

    def __str__(self) -> str:
        return f"{self.group}: {self.used}"


class Ban(models.Model):
    """That a team or a person is kept from a benchmark, with whoever belongs to them, until an organiser lifts it.

    `team` or `person` is whom it is about; `teams` and `people` are all that it keeps out.
    """

    benchmark = models.ForeignKey(Benchmark, on_delete=models.CASCADE, related_name="bans")
    team = models.ForeignKey(Team, null=True, on_delete=models.PROTECT, related_name="+")
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    teams = models.ManyToManyField(Team, related_name="bans")
    people = models.ManyToManyField(settings.AUTH_USER_MODEL, related_name="bans")
    reason = models.CharField(max_length=300)
    banned_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    banned_at = models.DateTimeField()
    lifted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    lifted_at = models.DateTimeField(null=True, help_text="Empty: it stands.")

    class Meta:
        ordering = ["-banned_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(team__isnull=True) ^ Q(person__isnull=True), name="ban_of_a_team_or_a_person"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.whom} in {self.benchmark}"

    @property
    def whom(self) -> str:
        """The team or the person that it is about."""
        return str(self.team or self.person)


class TeamRegistration(models.Model):
    """That a team would take part in a benchmark whose organisers approve teams, and what they have decided.

    It waits, is approved or is declined; one that is declined can still be approved.
    """

    class State(models.TextChoices):
        WAITING = "waiting", "waits for an organiser"
        APPROVED = "approved", "approved"
        DECLINED = "declined", "declined"

    benchmark = models.ForeignKey(Benchmark, on_delete=models.CASCADE, related_name="registrations")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="registrations")
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField()
    approved_at = models.DateTimeField(null=True, help_text="Empty: it waits for an organiser.")
    declined_at = models.DateTimeField(null=True, help_text="Empty: it was not declined.")
    decline_reason = models.CharField(max_length=500, blank=True, default="")

    class Meta:
        ordering = ["-asked_at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["benchmark", "team"], name="registration_once_per_team"),
            models.CheckConstraint(
                condition=Q(approved_at__isnull=True) | Q(declined_at__isnull=True),
                name="registration_approved_or_declined",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.team} in {self.benchmark}"

    @property
    def state(self) -> State:
        if self.approved_at is not None:
            return self.State.APPROVED
        return self.State.DECLINED if self.declined_at is not None else self.State.WAITING


class RowClaim(models.Model):
    """That a team says a row of an earlier leaderboard is its own, and what an organiser has decided.

    The row is named as its table names it (`benchmarks.spec.ReportedRow.name`), so a corrected table keeps the claim.
    """

    class State(models.TextChoices):
        WAITING = "waiting", "waits for an organiser"
        ACCEPTED = "accepted", "accepted"
        REFUSED = "refused", "refused"

    benchmark = models.ForeignKey(Benchmark, on_delete=models.CASCADE, related_name="row_claims")
    system_there = models.CharField("system there", max_length=200)
    team_there = models.CharField("team there", max_length=200)
    date = models.CharField("date there", max_length=10)
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="row_claims")
    system = models.ForeignKey(
        "submissions.System", null=True, blank=True, on_delete=models.SET_NULL, related_name="row_claims"
    )
    note = models.TextField("how organisers can tell", blank=True, max_length=2000)
    asked_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField()
    state = models.CharField(max_length=16, choices=State, default=State.WAITING)
    decided_by = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="+")
    decided_at = models.DateTimeField(null=True)
    reason = models.CharField(max_length=500, blank=True, help_text="Why it was refused.")

    class Meta:
        ordering = ["-asked_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["benchmark", "system_there", "team_there", "date"],
                condition=Q(state="accepted"),
                name="row_claim_accepted_once",
            ),
            models.UniqueConstraint(
                fields=["benchmark", "system_there", "team_there", "date", "team"],
                name="row_claim_once_per_team",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "accepted", "refused"]), name="row_claim_state_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.system_there} ({self.team_there}, {self.date})"

    @property
    def name(self) -> tuple[str, str, str]:
        """What the row is told by."""
        return self.system_there, self.team_there, self.date
