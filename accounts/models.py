"""People and teams."""

from __future__ import annotations

import uuid
import zoneinfo
from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser, BaseUserManager
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import models
from django.db.models.functions import Now
from django.utils.crypto import salted_hmac
from knox.models import AbstractAuthToken

from accounts.formats.mailboxes import mailbox
from accounts.querysets import TeamQuerySet
from accounts.server.database_rights import Writer
from accounts.tokens.scopes import ALL_SCOPES, Scope

NAME_LENGTH = 120
TOKEN_NAME_LENGTH = 80
DETAIL_LENGTH = 200


def validate_timezone(name: str) -> None:
    if name not in zoneinfo.available_timezones():
        raise ValidationError(f"{name!r} is not a time zone; expected a name such as Europe/Berlin.")


class UserManager(BaseUserManager["User"]):
    @classmethod
    def normalize_email(cls, email: str | None) -> str:
        """As addresses are stored; Django calls it wherever it makes or changes a person."""
        return mailbox(email or "")

    def create_user(self, email: str, password: str | None = None, **extra: Any) -> User:
        user = self.model(email=self.normalize_email(email), **extra)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **extra: Any) -> User:
        return self.create_user(email, password, is_staff=True, is_superuser=True, **extra)

    def operators(self) -> models.QuerySet[User]:
        """Who runs this server: the superusers."""
        return self.filter(is_superuser=True, is_active=True).order_by("pk")

    def held(self, user: User) -> User:
        """The person's row, locked until the transaction ends: what is counted of theirs is counted one by one.

        Raises
        ------
        PermissionDenied
            If the account was erased or switched off since the request was let in; nothing new may name them.
        """
        held = self.select_for_update(no_key=True).only("is_active").get(pk=user.pk)
        if not held.is_active:
            raise PermissionDenied("The account was erased or switched off at this moment. Nothing was kept.")
        return held

    def get_by_natural_key(self, username: str | None) -> User:
        return self.get(email__iexact=mailbox(username or ""))


class MailKind(models.TextChoices):
    """What people are written about; each kind can be switched off by whoever gets it, see `User.mail_...`."""

    PUBLICATION = "publication", "releases with scores of your systems"
    FAILURE = "failure", "submissions that could not be scored"
    ORGANISER = "organiser", "news from the organisers of benchmarks that you take part in"
    OPERATION = "operation", "what is wrong with this server, because you run it"


class User(AbstractUser):  # type: ignore[django-manager-missing]  # that of its tokens is knox's
    """A person who signs in with an e-mail address.

    The fields `mail_…` say which kinds of mail (`MailKind`) they want; that of operation is for superusers. Who gets
    mail of a kind is asked with `wanting`; mail is sent with `put_in_post` alone (`accounts.mail.outbox`).
    """

    username = None  # type: ignore[assignment]  # the e-mail address stands in its place
    first_name = None  # type: ignore[assignment]  # `name` stands in its place
    last_name = None  # type: ignore[assignment]  # `name` stands in its place
    name = models.CharField(max_length=NAME_LENGTH, blank=True)
    email = models.EmailField("e-mail address", unique=True)
    timezone = models.CharField(
        "time zone",
        max_length=64,
        default="UTC",
        validators=[validate_timezone],
        help_text="Times on your own pages are shown in this zone, with UTC beside them.",
    )
    # Part of what a session is known by: a new one ends every session at once.
    sessions_nonce = models.CharField(max_length=32, blank=True, editable=False, default="", db_default="")
    mail_publication = models.BooleanField(
        "when a release is out",
        default=True,
        help_text="Ranks and scores of your systems, when something that your team sent is published.",
    )
    mail_failure = models.BooleanField(
        "when a submission could not be scored",
        default=True,
        help_text="Why, and what happens next. Organisers are told about those to their benchmarks.",
    )
    mail_organiser = models.BooleanField(
        "when an organiser writes",
        default=True,
        help_text="News from the organisers of benchmarks that you take part in.",
    )
    mail_operation = models.BooleanField(
        "when something is wrong with this server",
        default=True,
        help_text="What was found, and what to do; once when it begins and once when it is over.",
    )

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    objects: ClassVar[UserManager] = UserManager()  # type: ignore[assignment]  # typed as its own class

    def __str__(self) -> str:
        return self.name or self.email

    def _get_session_auth_hash(self, secret: str | bytes | None = None) -> str:
        """Django's, which a new password ends, and a new nonce too. Without a nonce it is Django's own."""
        key_salt = "django.contrib.auth.models.AbstractBaseUser.get_session_auth_hash"
        known_by = self.password + self.sessions_nonce
        return salted_hmac(key_salt, known_by, secret=secret, algorithm="sha256").hexdigest()

    def get_full_name(self) -> str:
        return str(self)

    def get_short_name(self) -> str:
        return str(self)


class Team(models.Model):
    """People who submit together and share a quota."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=80, unique=True)
    members = models.ManyToManyField(User, through="Membership", related_name="teams")
    founder = models.ForeignKey(
        User, null=True, editable=False, on_delete=models.SET_NULL, related_name="founded_teams"
    )
    invitation_nonce = models.UUIDField(default=uuid.uuid4, editable=False)
    invitation_made_at = models.DateTimeField(db_default=Now(), editable=False)
    created_at = models.DateTimeField()
    name_removed_at = models.DateTimeField(null=True, editable=False)

    objects = TeamQuerySet.as_manager()

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return f"/teams/{self.pk}/"


class Membership(models.Model):
    sole_writer = Writer.WEB
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    joined_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["team", "user"], name="membership_once_per_team")]

    def __str__(self) -> str:
        return f"{self.user} in {self.team}"


class Mail(models.Model):
    """One mail to one person, from when it was written until it is sent or given up; see `accounts.mail.outbox`.

    `about` names the occasion: nobody is written to twice about the same one.
    """

    class Status(models.TextChoices):
        WAITING = "waiting", "waiting to be sent"
        SENDING = "sending", "being sent"
        SENT = "sent", "sent"
        FAILED = "failed", "given up"
        UNWANTED = "unwanted", "switched off before it was sent"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="mails")
    kind = models.CharField(max_length=16, choices=MailKind)
    about = models.CharField("occasion", max_length=120)
    subject = models.CharField(max_length=200)
    text = models.TextField()
    status = models.CharField(max_length=16, choices=Status, default=Status.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    error = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField()
    due_at = models.DateTimeField(help_text="When it is tried next; of one being sent, when it is given up.")
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at", "id"]
        constraints = [
            models.UniqueConstraint(fields=["user", "about"], name="mail_once_per_occasion"),
            models.CheckConstraint(
                condition=models.Q(status__in=["waiting", "sending", "sent", "failed", "unwanted"]),
                name="mail_status_known",
            ),
        ]
        indexes = [models.Index(fields=["status", "due_at"], name="mail_due")]

    def __str__(self) -> str:
        return self.subject


class AuditEntry(models.Model):
    """Something done to a benchmark or an account by somebody who may. A trigger refuses every change of a row."""

    at = models.DateTimeField()
    actor = models.ForeignKey(
        User,
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="Empty: a command on the server.",
    )
    by = models.CharField("by way of", max_length=64, help_text="“admin”, or the command.")
    kind = models.CharField(max_length=64, help_text="What was pressed, in words: close now.")
    # By its id, as accounts know no benchmarks; empty for people, and for what several benchmarks share.
    benchmark = models.CharField(max_length=64, blank=True, db_index=True)
    model = models.CharField(max_length=64, help_text="As Django names it: benchmarks.phase.")
    object_id = models.CharField(max_length=64)
    object_name = models.CharField("done to", max_length=200)
    what = models.TextField(blank=True)
    changes = models.JSONField(default=list, help_text="A list of [field, old value, new value].")
    reason = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name_plural = "audit log"
        indexes = [models.Index(fields=["model", "object_id"], name="audit_of_a_row")]

    def __str__(self) -> str:
        return f"{self.kind}: {self.object_name}"

    @property
    def who(self) -> str:
        return str(self.actor) if self.actor else self.by


class ApiToken(AbstractAuthToken):  # type: ignore[misc]  # knox has no types
    """What a program signs in with. It stands in knox's own table, so that tokens made before it had scopes go on.

    Made and ended in `accounts.tokens.services` alone; only its hash is kept.
    """

    sole_writer = Writer.WEB

    name = models.CharField(max_length=TOKEN_NAME_LENGTH, blank=True, db_default="")
    scope = models.CharField(
        max_length=40, db_default=ALL_SCOPES, help_text="Words of `Scope` with a space between them."
    )
    # By its id, as accounts know no benchmarks; empty where the token is for all of them.
    benchmark = models.CharField(max_length=64, blank=True, db_default="")
    last_used_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        db_table = "knox_authtoken"
        verbose_name = "API token"

    def __str__(self) -> str:
        return self.name or f"{self.token_key[:8]}…"

    @property
    def scopes(self) -> list[Scope]:
        """What it lets a program do, in the order of `Scope`."""
        return [Scope(one) for one in str(self.scope).split()]


class EventKind(models.TextChoices):
    """What may happen to an account."""

    SIGN_IN = "sign_in", "signed in"
    SIGN_IN_FAILED = "sign_in_failed", "a wrong password was tried"
    FACTOR_FAILED = "factor_failed", "a wrong code was given after the password"
    SIGN_OUT_EVERYWHERE = "sign_out_everywhere", "signed out everywhere"
    RESET_ASKED = "reset_asked", "a link for a new password was asked for"
    PASSWORD = "password", "the password was changed"  # no secret, but a name
    ADDRESS = "address", "an e-mail address changed"
    PROVIDER = "provider", "signing in over another site changed"
    FACTOR = "factor", "the second factor changed"
    TOKEN_MADE = "token_made", "an API token was made"
    TOKEN_ENDED = "token_ended", "an API token was ended"
    TEAM = "team", "membership of a team changed"
    ROLE = "role", "a role in a benchmark changed"


class AccountEvent(models.Model):
    """Something that happened to an account. A trigger refuses changes of a row, and deletion before a year is over."""

    at = models.DateTimeField(db_index=True)
    user = models.ForeignKey(
        User, verbose_name="whose account", on_delete=models.PROTECT, related_name="account_events"
    )
    kind = models.CharField("what", max_length=32, choices=EventKind)
    detail = models.CharField(max_length=DETAIL_LENGTH, blank=True)
    client = models.GenericIPAddressField("from", null=True, help_text="Empty: a command or a worker.")
    by = models.ForeignKey(
        User, null=True, on_delete=models.PROTECT, related_name="+", help_text="Empty: the person."
    )

    class Meta:
        ordering = ["-at", "-pk"]
        indexes = [models.Index(fields=["user", "at"], name="events_of_an_account")]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.user}"


class SharedCount(models.Model):
    """A row of Django's cache in the database: how often somebody has tried something of late, for all processes."""

    cache_key = models.CharField(max_length=255, primary_key=True)
    value = models.TextField()
    expires = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.cache_key


class Sweep(models.Model):
    """When a worker last did one of its regular rounds."""

    sole_writer = Writer.WORKER

    name = models.CharField(max_length=64, primary_key=True)
    seen_at = models.DateTimeField()
    late_after_seconds = models.PositiveIntegerField(
        default=300, help_text="How long until the next one before it counts as late."
    )
    took_seconds = models.FloatField(null=True, help_text="Empty where nobody has measured it.")

    def __str__(self) -> str:
        return self.name


class ProviderGrant(models.Model):
    """What somebody may do because a group at the provider says so; what people gave has no such row."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="provider_grants")
    given = models.CharField(max_length=100, help_text="staff, or benchmark/role.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "given"], name="provider_grant_once")]

    def __str__(self) -> str:
        return f"{self.user}: {self.given}"
