"""Files that organisers give to everybody: data, texts, starter kits, instructions; each from an instant on."""

from __future__ import annotations

import zlib

from django.core.validators import RegexValidator
from django.db import models
from django.urls import reverse

from benchmarks.models.benchmark import Benchmark
from benchmarks.spec.read_phases import FILE_NAME, FILE_NAME_IN_WORDS


class GivenFile(models.Model):
    """A file by its name, which may be told before it is there. Its newest version is the one that is given."""

    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="given_files")
    name = models.CharField(
        max_length=120,
        validators=[RegexValidator(rf"^{FILE_NAME}\Z", f"Expected {FILE_NAME_IN_WORDS}.")],
        help_text="As people save it, such as train.tsv or starter-kit.zip.",
    )
    description = models.CharField(max_length=300, blank=True)
    licence = models.CharField(max_length=120, blank=True, help_text="Such as CC BY 4.0.")
    given_at = models.DateTimeField(
        "given from", null=True, blank=True, help_text="Nobody can load it before. Empty: at once."
    )

    class Meta:
        ordering = ["benchmark", "given_at", "name"]
        constraints = [models.UniqueConstraint(fields=["benchmark", "name"], name="given_file_once_per_name")]

    def __str__(self) -> str:
        return self.name

    @property
    def newest(self) -> GivenVersion | None:
        """What is given of it; None as long as nothing was loaded."""
        return next(iter(self.versions.all()), None)

    def get_absolute_url(self) -> str:
        return reverse("benchmarks:given_file", args=[self.benchmark_id, self.name])


class GivenVersion(models.Model):
    """What a file held from an instant on. Versions stay, so that what somebody has used can be fetched again."""

    file = models.ForeignKey(GivenFile, on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    loaded_at = models.DateTimeField()
    size = models.PositiveIntegerField(help_text="In bytes.")
    sha256 = models.CharField(max_length=64)

    class Meta:
        ordering = ["file", "-number"]
        constraints = [models.UniqueConstraint(fields=["file", "number"], name="given_version_once")]

    def __str__(self) -> str:
        return f"{self.file}, version {self.number}"

    def get_absolute_url(self) -> str:
        return f"{self.file.get_absolute_url()}?version={self.number}"


class GivenBytes(models.Model):
    """The bytes of a version, compressed."""

    version = models.OneToOneField(
        GivenVersion, primary_key=True, on_delete=models.CASCADE, related_name="bytes"
    )
    packed = models.BinaryField()

    class Meta:
        verbose_name_plural = "given bytes"

    def __str__(self) -> str:
        return str(self.version)

    def unpacked(self) -> bytes:
        return zlib.decompress(self.packed)
