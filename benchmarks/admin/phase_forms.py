"""What organisers may enter about a phase."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.dates import WEEKDAYS
from django.utils.formats import time_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from accounts.models import validate_timezone
from benchmarks.models import Phase, Split
from benchmarks.spec.disclosure import EXACT_SCORES, LARGEST_REMAINDER
from benchmarks.spec.schedule import changes_its_clock
from catalogue.disclosure import RULES, Rule
from catalogue.disclosure.noisy_ladder import LARGEST_SCALE
from catalogue.disclosure.precision import MOST_DIGITS

if TYPE_CHECKING:
    BaseForm = forms.ModelForm[Phase]
else:
    BaseForm = forms.ModelForm

SCHEDULE = ("opens_at", "closes_at", "timezone", "weekday", "time")
SHOWN = ("disclosure", "disclosure_digits", "disclosure_scale", "remainder")
"""What is shown while the phase runs."""
# Clocks are put forward and back in the small hours; see `PhaseForm.clean`.
CLOCKS_ARE_QUIET_FROM = dt.time(4)


class PhaseForm(BaseForm):
    """Schedule, quota and counting rule of a phase, and how much of a score it shows."""

    class Meta:
        model = Phase
        fields = (
            "title",
            *SCHEDULE,
            "quota_limit",
            "counting",
            "one_per_team",
            "publish_automatically",
            *SHOWN,
        )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        zone = f"In your own time zone, {timezone.get_current_timezone_name()}."
        ends = {"opens_at": "Empty: open from the start.", "closes_at": "Empty: open without end."}
        for name in ends.keys() & self.fields.keys():
            self.fields[name].help_text = f"{zone} {ends[name]}"
        if "disclosure" in self.fields:
            self.fields["disclosure"].label = "Rule"
            self.fields["disclosure"].help_text = explained(RULES)
        for name in self.fields.keys() & set(SHOWN[1:]):
            self.fields[name].required = False

    def clean_timezone(self) -> str:
        """A zone that exists."""
        name: str = self.cleaned_data["timezone"].strip()
        validate_timezone(name)
        return name

    def clean_quota_limit(self) -> int:
        """At least one; to take no submissions, a phase is closed."""
        limit: int = self.cleaned_data["quota_limit"]
        if limit < 1:
            raise ValidationError(
                "A quota is at least 1. To take no more submissions, set when the phase closes."
            )
        return limit

    def clean_disclosure_digits(self) -> int:
        """As many as a rule may have; empty as it comes."""
        digits: int | None = self.cleaned_data["disclosure_digits"]
        if digits is None:
            return EXACT_SCORES.settings.digits
        if not 1 <= digits <= MOST_DIGITS:
            raise ValidationError(
                f"Scores are rounded to 1 to {MOST_DIGITS} decimals. Please give a number between them."
            )
        return digits

    def clean_disclosure_scale(self) -> float:
        """Above 0: a Ladder without noise is a rule of its own. Empty as it comes."""
        scale: float | None = self.cleaned_data["disclosure_scale"]
        if scale is None:
            return EXACT_SCORES.settings.scale
        if not 0 < scale <= LARGEST_SCALE:
            raise ValidationError(
                f"Noise is above 0 and at most {LARGEST_SCALE:g} standard errors. For none, choose the Ladder itself."
            )
        return scale

    def clean_remainder(self) -> float:
        """A share that leaves something to score before; empty for none."""
        remainder: float | None = self.cleaned_data["remainder"]
        if remainder is None:
            return EXACT_SCORES.remainder
        if not 0 <= remainder <= LARGEST_REMAINDER:
            raise ValidationError(
                f"The private remainder is a share from 0 to {LARGEST_REMAINDER:g}. For 30 % of the items, give 0.3."
            )
        return remainder

    def clean(self) -> dict[str, Any]:
        """The fields in themselves are fine; here they are held against each other."""
        super().clean()
        values: dict[str, Any] = self.cleaned_data
        opens, closes = values.get("opens_at"), values.get("closes_at")
        if opens and closes and opens >= closes:
            self.add_error("closes_at", "The phase would close before it opens. Please choose a later end.")
        if values.get("weekday") is None and not closes and "closes_at" in values:
            self.add_error(
                "closes_at", "Without a weekday the one cut-off is when the phase closes. Say when."
            )
        if "closes_at" in values and self._would_open_again(closes):
            self.add_error(
                "closes_at",
                "The phase is over, and the gold labels of what was answered are public, so it cannot "
                "open again.",
            )
        zone, time = values.get("timezone"), values.get("time")
        if zone and time and time < CLOCKS_ARE_QUIET_FROM and changes_its_clock(zone, after=timezone.now()):
            self.add_error(
                "time",
                f"Clocks in {zone} are put forward and back between 00:00 and 04:00: once a year "
                f"{time_format(time, 'TIME_FORMAT')} may not exist, and once it may come twice. "
                "Please choose 04:00 or later, or a zone without summer time such as UTC.",
            )
        self._check_what_is_shown()
        return values

    def _check_what_is_shown(self) -> None:
        """What a rule cannot keep: the same as `benchmarks.spec.loader` refuses in definitions."""
        rule = RULES[self.cleaned_data.get("disclosure") or EXACT_SCORES.rule.key]
        kept_back = self.cleaned_data.get("remainder")
        counting = self.cleaned_data.get("counting", Phase.CountingRule.BEST)
        never = self._why_always_exact()
        if never:
            if not rule.shows_all:
                self.add_error("disclosure", never)
            if kept_back:
                self.add_error("remainder", never)
            return
        if kept_back and any(task.pairs for task in self.instance.benchmark.spec.tasks):
            self.add_error(
                "remainder",
                "Items that come in pairs are not kept back. Please give 0 as the private remainder.",
            )
        if rule.keeps_best and counting != Phase.CountingRule.BEST:
            self.add_error(
                "disclosure",
                "Under this rule a row shows its best answer so far. Please let the best submission count (above), "
                "or choose exact or rounded scores.",
            )

    def _why_always_exact(self) -> str:
        """Why the phase can have no rule, with what to do; empty where it can."""
        if self.instance.kind != Phase.Kind.PREDICTIONS:
            return (
                "What teams hand in here becomes public, and scores are exact. Please choose exact scores, and 0 as "
                "the private remainder."
            )
        if self.instance.benchmark.spec.seeds > 1:
            return (
                "The benchmark asks for several seeds of each system, and means over seeds are exact. Please choose "
                "exact scores, and 0 as the private remainder."
            )
        return ""

    def _would_open_again(self, closes: dt.datetime | None) -> bool:
        """Whether a phase that teams break each other's systems in would go on although gold labels are public."""
        public = Split.objects.filter(
            task__benchmark=self.instance.benchmark_id, gold_opened_at__isnull=False
        )
        is_plain = self.instance.kind == Phase.Kind.PREDICTIONS
        return not is_plain and (closes is None or closes > timezone.now()) and public.exists()


def weekday_choices() -> list[tuple[int | str, str]]:
    """The days of the week as the database counts them, and none of them."""
    return [("", "None: once, when the phase closes"), *WEEKDAYS.items()]


def explained(rules: Iterable[type[Rule]]) -> SafeString:
    """A list of rules, each with what it gives and what it does not keep."""
    rows = ((rule.texts.title, rule.texts.for_organisers) for rule in rules)
    return format_html("<ul>{}</ul>", format_html_join("", "<li><b>{}:</b> {}</li>", rows))
