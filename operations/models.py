"""What operators were told and is not over yet, what was begun to keep the server, what was counted and read of it."""

from django.db import models

from accounts.server.database_rights import Writer

ROUTE_LENGTH = 200


class Alert(models.Model):
    """Something that is wrong with this server now. It is there from when operators were told until it is over."""

    sole_writer = Writer.WORKER

    key = models.CharField(max_length=64, primary_key=True)
    said = models.TextField(help_text="As it was last told.")
    fingerprint = models.CharField(
        max_length=64, help_text="Of what was told; with another it is told again."
    )
    count = models.PositiveIntegerField(default=1, help_text="How many cases there are.")
    since = models.DateTimeField()
    told_at = models.DateTimeField()

    class Meta:
        ordering = ["since", "key"]

    def __str__(self) -> str:
        return self.key


class Begun(models.Model):
    """When a round that takes long was last begun, so that one process alone does it."""

    sole_writer = Writer.WORKER

    name = models.CharField(max_length=64, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name


class RequestCount(models.Model):
    """How many requests there were of a route with a class of status that took about as long, and their seconds in all.

    Counts only grow; see `operations.watching.request_counts`, whose `BOUNDS` are what `within` counts in.
    """

    route = models.CharField(max_length=ROUTE_LENGTH)
    code = models.CharField(max_length=3)
    within = models.PositiveSmallIntegerField()
    count = models.BigIntegerField()
    seconds = models.FloatField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["route", "code", "within"], name="request_count_once"),
        ]

    def __str__(self) -> str:
        return f"{self.route} {self.code}"


class ServerReading(models.Model):
    """A figure as a worker has read it; see `operations.watching.readings`."""

    name = models.CharField(max_length=64)
    at = models.DateTimeField()
    value = models.FloatField()

    class Meta:
        indexes = [models.Index(fields=["name", "at"], name="readings_by_name")]

    def __str__(self) -> str:
        return self.name
