"""Every table that names people, and what becomes of its rows when one of them is erased."""

from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.db.models import QuerySet

from accounts.models import User


@dataclass(frozen=True, slots=True)
class Holding:
    """A table that names people: the field that does, and what a person is given of its rows.

    They stand in the order of these fields. `is_deleted` says whether its rows go with the person; else they stay and
    name a person without name or address.
    Without `fields` nothing is given: the rows are somebody else's, and only say who wrote them.
    """

    model: str
    person: str
    fields: tuple[str, ...] = ()
    is_deleted: bool = False

    def rows(self) -> QuerySet[Any]:
        """All rows of the table."""
        rows: QuerySet[Any] = apps.get_model(self.model)._base_manager.all()  # noqa: SLF001  # documented by Django under this name
        return rows

    def rows_of(self, person: User) -> QuerySet[Any]:
        """The rows that name a person."""
        return self.rows().filter(**{self.person: person})


HOLDINGS = (
    Holding("account.EmailAddress", "user", ("email", "verified", "primary"), is_deleted=True),
    Holding("socialaccount.SocialAccount", "user", ("provider", "uid", "date_joined"), is_deleted=True),
    Holding(
        "accounts.ApiToken",
        "user",
        ("token_key", "name", "scope", "benchmark", "created", "expiry", "last_used_at"),
        is_deleted=True,
    ),
    Holding("mfa.Authenticator", "user", ("type", "created_at", "last_used_at"), is_deleted=True),
    Holding("accounts.ProviderGrant", "user", ("given",), is_deleted=True),
    Holding("accounts.AccountEvent", "user", ("at", "kind", "detail", "client")),
    Holding("accounts.Membership", "user", ("team__name", "joined_at"), is_deleted=True),
    Holding("accounts.Team", "founder", ("name", "created_at")),
    Holding("accounts.Mail", "user", ("created_at", "subject", "text", "status"), is_deleted=True),
    Holding("accounts.AuditEntry", "actor", ("at", "kind", "benchmark", "what")),
    Holding("benchmarks.Acceptance", "user", ("terms__benchmark", "terms__version", "accepted_at")),
    Holding("benchmarks.ParticipantQuestion", "asked_by", ("benchmark", "asked_at", "text", "answer")),
    Holding("submissions.TeamRegistration", "asked_by", ("benchmark", "team__name", "asked_at")),
    Holding(
        "submissions.RowClaim", "asked_by", ("benchmark", "team__name", "system_there", "note", "asked_at")
    ),
    Holding(
        "submissions.Submission",
        "submitted_by",
        (
            "received_at",
            "file_sha256",
            "phase__benchmark",
            "phase__slug",
            "system__name",
            "status",
            "file_name",
            "id",
        ),
    ),
    Holding(
        "submissions.Refusal",
        "submitted_by",
        ("phase__benchmark", "received_at", "file_name"),
        is_deleted=True,
    ),
    Holding("submissions.FactSheet", "changed_by", ("system__name", "benchmark", "answers", "changed_at")),
    Holding("breaking.PairFile", "submitted_by", ("task__benchmark", "received_at", "file_name")),
    Holding("breaking.Contest", "raised_by", ("item", "reason", "raised_at")),
    Holding(
        "labelling.Worker",
        "user",
        ("campaign__benchmark", "campaign__title", "number", "joined_at", "answered"),
    ),
    Holding("submissions.GroupLink", "user"),
    Holding("submissions.Ban", "person"),
    Holding(
        "submissions.Ban_people",
        "user",
        ("ban__benchmark", "ban__banned_at", "ban__reason", "ban__lifted_at"),
    ),
    Holding("admin.LogEntry", "user", is_deleted=True),
    Holding("benchmarks.BenchmarkRole", "user", ("benchmark", "role", "given_at"), is_deleted=True),
    Holding("leaderboard.Rehearsal", "person", ("file_name", "asked_at"), is_deleted=True),
    Holding("accounts.User_groups", "user", is_deleted=True),
    Holding("accounts.User_user_permissions", "user", is_deleted=True),
    *(
        Holding(model, person)
        for model, person in (
            ("accounts.AccountEvent", "by"),
            ("benchmarks.BenchmarkRole", "given_by"),
            ("benchmarks.RoleInvitation", "invited_by"),
            ("benchmarks.Terms", "written_by"),
            ("benchmarks.WrittenVersion", "written_by"),
            ("benchmarks.Mailing", "written_by"),
            ("submissions.Ban", "banned_by"),
            ("submissions.BoardName", "named_by"),
            ("submissions.Ban", "lifted_by"),
            ("benchmarks.ParticipantQuestion", "answered_by"),
            ("submissions.RowClaim", "decided_by"),
            ("scoring.GoldVersion", "loaded_by"),
            ("scoring.SealedDelivery", "handed_in_by"),
            ("scoring.OpeningOrder", "given_by"),
            ("leaderboard.ArchiveOrder", "asked_by"),
            ("scoring.PairSet", "uploaded_by"),
            ("scoring.ResponseSet", "loaded_by"),
            ("breaking.StarterData", "loaded_by"),
            ("breaking.Pair", "decided_by"),
            ("breaking.BreakerSet", "withdrawn_by"),
            ("breaking.Contest", "decided_by"),
            ("breaking.Vote", "entered_by"),
            ("labelling.Campaign", "made_by"),
            ("labelling.Outcome", "made_by"),
            ("labelling.Invitation", "made_by"),
            ("labelling.Exclusion", "by"),
        )
    ),
)


def tables_that_name_people() -> set[tuple[str, str]]:
    """Model and field of every reference to a person; what `HOLDINGS` has to know."""
    return {
        (model._meta.label, field.name)  # noqa: SLF001  # documented by Django under this name
        for model in apps.get_models(include_auto_created=True)
        for field in model._meta.concrete_fields  # noqa: SLF001
        if field.related_model is User
    }
