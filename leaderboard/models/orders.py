"""What organisers have workers make: archives and rehearsals."""

from django.conf import settings
from django.db import models

from benchmarks.fields import OrderedJSONField
from benchmarks.models import Benchmark


class ArchiveOrder(models.Model):
    """An organiser's word that everything about a benchmark be put into one file; a worker makes it, for a day."""

    benchmark = models.OneToOneField(
        Benchmark, primary_key=True, on_delete=models.CASCADE, related_name="archive_order"
    )
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    asked_at = models.DateTimeField()
    due_at = models.DateTimeField(null=True, help_text="When a worker may begin; later once one has begun.")
    made_at = models.DateTimeField(null=True, help_text="Empty: a worker has yet to make it.")
    stored_file = models.FileField(blank=True, max_length=200)
    said = models.CharField(max_length=300, blank=True, help_text="What it holds, or why it was not made.")

    def __str__(self) -> str:
        return f"{self.benchmark_id}: everything"


class Rehearsal(models.Model):
    """A person's word that a shared task in files be played; a worker does, and what came out stays for a day."""

    person = models.OneToOneField(
        settings.AUTH_USER_MODEL, primary_key=True, on_delete=models.CASCADE, related_name="rehearsal"
    )
    file_name = models.CharField(max_length=200)
    definition = models.TextField(
        blank=True, help_text="Played in place of the one in the folder; empty: that one."
    )
    sealed = models.BinaryField(help_text="The folder as a zip; empty once it was played.")
    commitment = models.CharField(max_length=64)
    asked_at = models.DateTimeField()
    began_at = models.DateTimeField(null=True, help_text="Empty: a worker has yet to begin.")
    ended_at = models.DateTimeField(null=True)
    outcome = OrderedJSONField(
        default=dict, help_text="What came out, or why the folder cannot be rehearsed."
    )
    pages = models.BinaryField(default=b"", help_text="Every page as it would be: a static site as a zip.")

    def __str__(self) -> str:
        return f"rehearsal of {self.file_name}"
