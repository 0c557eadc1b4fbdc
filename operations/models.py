"""What operators were told and is not over yet, and what was begun to keep the server."""

from django.db import models


class Alert(models.Model):
    """Something that is wrong with this server now. It is there from when operators were told until it is over."""

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

    name = models.CharField(max_length=64, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name
