"""People and teams."""

from __future__ import annotations

import uuid
import zoneinfo
from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser, BaseUserManager
from django.core.exceptions import ValidationError
from django.db import models

from accounts.querysets import TeamQuerySet


def validate_timezone(name: str) -> None:
    """Refuse a name that is not an IANA time zone."""
    if name not in zoneinfo.available_timezones():
        raise ValidationError(f"{name!r} is not a time zone; expected a name such as Europe/Berlin.")


class UserManager(BaseUserManager["User"]):
    """Creates users by e-mail address."""

    def create_user(self, email: str, password: str | None = None, **extra: Any) -> User:
        user = self.model(email=self.normalize_email(email).lower(), **extra)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **extra: Any) -> User:
        return self.create_user(email, password, is_staff=True, is_superuser=True, **extra)

    def get_by_natural_key(self, username: str | None) -> User:
        return self.get(email__iexact=username)


class User(AbstractUser):
    """A person who signs in with an e-mail address."""

    username = None  # type: ignore[assignment]  # the e-mail address stands in its place
    first_name = None  # type: ignore[assignment]  # `name` stands in its place
    last_name = None  # type: ignore[assignment]  # `name` stands in its place
    name = models.CharField(max_length=120, blank=True)
    email = models.EmailField("e-mail address", unique=True)
    timezone = models.CharField(
        "time zone",
        max_length=64,
        default="UTC",
        validators=[validate_timezone],
        help_text="Times on your own pages are shown in this zone, with UTC beside them.",
    )

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    objects: ClassVar[UserManager] = UserManager()  # type: ignore[assignment]  # typed as its own class

    def __str__(self) -> str:
        return self.name or self.email

    def get_full_name(self) -> str:
        return str(self)

    def get_short_name(self) -> str:
        return str(self)


class Team(models.Model):
    """People who submit together; quota is counted per team."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=80, unique=True)
    members = models.ManyToManyField(User, through="Membership", related_name="teams")
    invitation_nonce = models.UUIDField(default=uuid.uuid4, editable=False)
    created_at = models.DateTimeField()

    objects = TeamQuerySet.as_manager()

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """The team's own page, for its members."""
        return f"/teams/{self.pk}/"


class Membership(models.Model):
    """One person in one team."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    joined_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["team", "user"], name="membership_once_per_team")]

    def __str__(self) -> str:
        return f"{self.user} in {self.team}"
