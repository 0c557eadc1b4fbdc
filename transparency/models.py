"""The log: entries that are added and never changed, and the checkpoints that were signed of it."""

import json
from typing import Any

from django.db import models
from django.db.models import Q

from accounts.server.database_rights import Writer
from transparency.core.entries import EntryKind


class LogEntry(models.Model):
    """One entry. Its index counts from 0 without gaps; a trigger refuses every change.

    `payload` is public: the canonical JSON whose hash is the leaf. `opening` is not: the salts of its digests.
    """

    index = models.PositiveBigIntegerField(primary_key=True)
    kind = models.CharField(max_length=16, choices=[(kind.value, kind.value) for kind in EntryKind])
    benchmark = models.CharField(max_length=64, blank=True, help_text="Its id; empty where it is about all.")
    payload = models.TextField()
    opening = models.TextField(blank=True)
    leaf_hash = models.CharField(max_length=64)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["index"]
        verbose_name_plural = "log entries"
        indexes = [models.Index(fields=["benchmark", "kind", "index"], name="log_of_a_benchmark")]

    def __str__(self) -> str:
        return f"{self.index}: {self.kind} {self.benchmark}".strip()

    @property
    def facts(self) -> dict[str, Any]:
        """What the entry says, read."""
        facts: dict[str, Any] = json.loads(self.payload)
        return facts

    @property
    def salts(self) -> dict[str, Any]:
        """What opens its salted digests."""
        salts: dict[str, Any] = json.loads(self.opening or "{}")
        return salts


class LogHead(models.Model):
    """One row: how many entries there are. Its lock has entries follow one another, and is the last that is taken."""

    size = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(pk=1), name="log_head_is_one_row")]

    def __str__(self) -> str:
        return str(self.size)


class Checkpoint(models.Model):
    """A signed statement of the size and the root of the log. A trigger refuses every change."""

    sole_writer = Writer.WORKER

    size = models.PositiveBigIntegerField(primary_key=True)
    root = models.CharField(max_length=64)
    note = models.TextField()
    signed_at = models.DateTimeField()

    class Meta:
        ordering = ["-size"]

    def __str__(self) -> str:
        return f"log at {self.size}"


class LoggedPage(models.Model):
    """The digest of a page as the newest entry about it has it; found in the log again by reading it all."""

    path = models.CharField(max_length=255, primary_key=True)
    sha256 = models.CharField(max_length=64)

    def __str__(self) -> str:
        return self.path


class LoggedAudit(models.Model):
    """Which entry of the log holds the digest of an entry of the audit log, by the id of the latter."""

    audit_entry = models.BigIntegerField(primary_key=True)
    index = models.PositiveBigIntegerField()

    def __str__(self) -> str:
        return f"audit entry {self.audit_entry}"
