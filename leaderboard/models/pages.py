"""Pages as they are published, and what orders their printing."""

import gzip

from django.db import models
from django.db.models import Q

from benchmarks.models import Benchmark
from leaderboard.querysets import PageQuerySet
from leaderboard.rendering.body_bytes import compress, restored


class PageBody(models.Model):
    """What one page or several answer: kept once, compressed, under its digest. Releases share what has not changed."""

    sha256 = models.CharField(max_length=64, primary_key=True, help_text="Of what it says when unpacked.")
    packed = models.BinaryField(help_text="As gzip; or, where it has a base, what makes it of that.")
    base = models.ForeignKey(
        "self",
        null=True,
        on_delete=models.PROTECT,
        related_name="changes",
        help_text="What the same page of an earlier release says, which is stored whole.",
    )

    class Meta:
        verbose_name_plural = "page bodies"

    def __str__(self) -> str:
        return self.sha256

    @property
    def plain(self) -> bytes:
        if self.base is None:
            return gzip.decompress(self.packed)
        return restored(bytes(self.packed), self.base.plain)

    @property
    def gzipped(self) -> bytes:
        """What it says as gzip, as it is sent."""
        return bytes(self.packed) if self.base_id is None else compress(self.plain)


class Page(models.Model):
    """One published page or file, ready to be sent. Derived from releases; can be rendered anew at any time."""

    path = models.CharField(max_length=255, primary_key=True)
    benchmark = models.ForeignKey(Benchmark, null=True, on_delete=models.CASCADE, related_name="pages")
    content_type = models.CharField(max_length=64)
    stored = models.ForeignKey(PageBody, on_delete=models.PROTECT, related_name="pages")
    printing = models.PositiveBigIntegerField()

    objects = PageQuerySet.as_manager()

    def __str__(self) -> str:
        return self.path

    @property
    def body(self) -> bytes:
        """What it answers, not compressed."""
        return self.stored.plain


class HomeLine(models.Model):
    """A benchmark in the list of all, drawn with its pages: who prints another draws no more than that one's line."""

    benchmark = models.OneToOneField(Benchmark, primary_key=True, on_delete=models.CASCADE, related_name="+")
    html = models.TextField()
    next_cut_off_at = models.DateTimeField(null=True)
    published_at = models.DateTimeField(null=True, help_text="When its newest release came out.")
    system_count = models.PositiveIntegerField(null=True, help_text="In that release.")

    def __str__(self) -> str:
        return str(self.pk)


class Printing(models.Model):
    """One row that counts publications; web servers look at it to know when to forget what they hold."""

    number = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(pk=1), name="printing_is_one_row")]

    def __str__(self) -> str:
        return str(self.number)

    @classmethod
    def count(cls) -> int:
        """How many publications there were; 0 before the first."""
        return cls.objects.filter(pk=1).values_list("number", flat=True).first() or 0


class Press(models.Model):
    """A row of each benchmark, locked while its pages are drawn and put in place: older pages never come last."""

    benchmark = models.OneToOneField(Benchmark, primary_key=True, on_delete=models.CASCADE)

    class Meta:
        verbose_name_plural = "presses"

    def __str__(self) -> str:
        return str(self.pk)


class SiteAddress(models.Model):
    """One row: the address under which the site publishes, see `leaderboard.publication.site_address`."""

    url = models.URLField()

    class Meta:
        verbose_name_plural = "site addresses"
        constraints = [models.CheckConstraint(condition=Q(pk=1), name="site_address_is_one_row")]

    def __str__(self) -> str:
        return self.url
