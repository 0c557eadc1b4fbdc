"""What organisers upload beside gold labels: pairs of items with their test results, and workers' responses."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from benchmarks.fields import SHA256_HEX, OrderedJSONField
from benchmarks.models import Split
from scoring.models.gold import GoldVersion
from scoring.querysets import ResponseSetQuerySet
from submissions.models import Predictions


class PairSet(models.Model):
    """One version of the pairs of items that a system should score alike, as an organiser uploaded them."""

    split = models.ForeignKey(Split, on_delete=models.PROTECT, related_name="pair_sets")
    comparison = models.SlugField(max_length=64, help_text="What the two sides of a pair differ in: gender.")
    title = models.CharField(max_length=120)
    number = models.PositiveIntegerField()
    first = models.CharField(max_length=80)
    second = models.CharField(max_length=80)
    packed = models.BinaryField()
    pair_count = models.PositiveIntegerField()
    item_count = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64, validators=[SHA256_HEX])
    file_name = models.CharField(max_length=255)
    uploaded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    uploaded_at = models.DateTimeField()

    class Meta:
        ordering = ["split", "comparison", "-number"]
        constraints = [
            models.UniqueConstraint(
                fields=["split", "comparison", "number"], name="pair_set_number_once_per_comparison"
            )
        ]

    def __str__(self) -> str:
        return f"{self.split} {self.comparison} {self.number}"


class EquityResult(models.Model):
    """A paired test of one system's scores on one set of pairs. `stratum` is empty for all pairs together."""

    predictions = models.ForeignKey(Predictions, on_delete=models.PROTECT, related_name="equity_results")
    pair_set = models.ForeignKey(PairSet, on_delete=models.PROTECT, related_name="results")
    stratum = models.CharField(max_length=64, blank=True)
    pair_count = models.PositiveIntegerField()
    mean_first = models.FloatField()
    mean_second = models.FloatField()
    mean_difference = models.FloatField()
    mean_absolute_difference = models.FloatField()
    largest_absolute_difference = models.FloatField()
    first_higher_count = models.PositiveIntegerField()
    equal_count = models.PositiveIntegerField()
    t = models.FloatField(null=True)
    is_t_infinite = models.BooleanField(default=False)
    p = models.FloatField(null=True)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["predictions", "pair_set", "stratum"]
        constraints = [
            models.UniqueConstraint(
                fields=["predictions", "pair_set", "stratum"], name="equity_result_once_per_stratum"
            )
        ]

    def __str__(self) -> str:
        return f"{self.predictions} {self.pair_set}"


class ResponseSet(models.Model):
    """One version of several workers' responses for a split: sealed as they came, and what may be read of them."""

    split = models.ForeignKey(Split, on_delete=models.PROTECT, related_name="response_sets")
    number = models.PositiveIntegerField()
    gold_version = models.OneToOneField(
        GoldVersion, on_delete=models.PROTECT, help_text="The gold labels inferred from them."
    )
    sealed = models.BinaryField()
    key_fingerprint = models.CharField(max_length=64)
    commitment = models.CharField(
        max_length=64, validators=[SHA256_HEX], help_text="Salted SHA-256 of the file of responses."
    )
    item_count = models.PositiveIntegerField(help_text="All items of the file.")
    response_count = models.PositiveIntegerField(
        help_text="The responses for the items that are in the split."
    )
    report = OrderedJSONField(help_text="Counts over all items of the file.")
    human = OrderedJSONField(help_text="The human estimate on the items that are in the split.")
    file_name = models.CharField(max_length=255)
    loaded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    loaded_at = models.DateTimeField()

    objects = ResponseSetQuerySet.as_manager()

    class Meta:
        ordering = ["split", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["split", "number"], name="response_set_number_once_per_split"),
            models.CheckConstraint(condition=Q(number__gte=1), name="response_set_number_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.split} responses {self.number}"
