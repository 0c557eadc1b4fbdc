"""What organisers may enter about a phase."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from copy import copy
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.dates import WEEKDAYS
from django.utils.formats import time_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from accounts.formats.instants import in_own_zone
from accounts.models import validate_timezone
from benchmarks.admin.target_rows import TargetsField
from benchmarks.models import Phase, Split
from benchmarks.spec.read_phases import as_rows, read_targets
from benchmarks.spec.rule_fit import at_once, hidden_items, misfits, mixture, what_would_do
from benchmarks.spec.schedule import changes_its_clock
from catalogue.disclosure import RULES, Rule, proposed_rule
from catalogue.disclosure.rule import HiddenItems
from catalogue.metrics.choice import metric_for, metrics_for
from catalogue.problems import counted
from catalogue.section import Section

if TYPE_CHECKING:
    BaseForm = forms.ModelForm[Phase]
else:
    BaseForm = forms.ModelForm

QUOTAS = ("quota_limit", "quota_per_day", "quota_per_week", "quota_total")
NO_CUT_OFF = "none any more"
"""What stands for the next cut-off of a phase that is over."""
SCHEDULE = ("opens_at", "closes_at", "timezone", "weekday", "time")
NEEDS_A_WEEKLY_END = (
    "An edition has weekly cut-offs and an end, at which the next one opens. Please set a weekday and when it closes, "
    "or choose none."
)
# Clocks are put forward and back in the small hours; see `PhaseForm.clean`.
CLOCKS_ARE_QUIET_FROM = dt.time(4)


class PhaseForm(BaseForm):
    """Schedule, quota and counting rule of a phase, and how much of a score it shows."""

    targets = TargetsField(
        required=False,
        help_text="What the phase is about. Tick nothing for everything. Numbers: how many submissions a team may have "
        "accepted for it, beside the limits of the whole phase.",
    )

    class Meta:
        model = Phase
        fields = (
            "title",
            *SCHEDULE,
            "editions_per_year",
            *QUOTAS,
            "targets",
            "release_not_before",
            "feedback",
            "counting",
            "one_per_team",
            "publish_automatically",
            "disclosure",
        )
        labels = {"timezone": "Time zone"}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["targets"].widget.tasks = self.instance.benchmark.spec.tasks
        ends = {"opens_at": "Empty: open from the start.", "closes_at": "Empty: open without end."}
        for name in ends.keys() & self.fields.keys():
            self.fields[name].help_text = in_own_zone(ends[name])
        if "disclosure" in self.fields:
            self.fields["disclosure"].label = "Rule"
            self.fields["disclosure"].help_text = self._rules_in_numbers()
        if "feedback" in self.fields:
            self.fields["feedback"].help_text = what_is_told()

    def _rules_in_numbers(self) -> SafeString:
        """The rules for the smallest and the largest test set of the benchmark; in general where sizes are unknown."""
        spec = self.instance.benchmark.spec
        tasks = sorted((task for task in spec.tasks if task.test_size), key=lambda task: task.test_size or 0)
        if not tasks:
            return explained(RULES)
        ends = tasks[:1] if tasks[0].test_size == tasks[-1].test_size else [tasks[0], tasks[-1]]
        parts = []
        for task in ends:
            items = hidden_items(task, task.test_size or 0)
            metric = metric_for(task.output, task.primary_metric.name)
            parts.append(
                (
                    f"For {task.title}, {counted(items.item_count, 'item')}, {proposed_rule(items).key} is proposed.",
                    what_would_do(items, metric, metrics_for(type(task.output))),
                    explained(RULES, items),
                )
            )
        return format_html_join("", "<p>{} {}</p>{}", parts)

    def clean_timezone(self) -> str:
        """A zone that exists."""
        name: str = self.cleaned_data["timezone"].strip()
        validate_timezone(name)
        return name

    def clean_targets(self) -> list[dict[str, Any]]:
        """What the phase is about, in the keys of a definition."""
        mistakes: list[str] = []
        rows = self.cleaned_data["targets"] or []
        section = Section({"targets": rows}, self.instance.title, "", mistakes)
        targets = read_targets(section, "targets", self.instance.benchmark.spec.tasks)
        if mistakes:
            raise ValidationError(mistakes)
        if targets and self.instance.kind != Phase.Kind.PREDICTIONS:
            raise ValidationError(
                "A phase of this kind has its targets by its kind. Please leave this empty."
            )
        return as_rows(targets)

    def _check_quota(self, values: dict[str, Any]) -> None:
        """At least one where there is one, and some limit for whatever is taken."""
        for name in QUOTAS:
            if values.get(name) == 0:
                self.add_error(
                    name,
                    "A quota is at least 1. To take no more submissions, set when the phase closes; empty it for no "
                    "limit.",
                )
        targets = values.get("targets") or []
        is_limited = any(values.get(name) for name in QUOTAS)
        if not self.errors and not is_limited and not (targets and all(row.get("quota") for row in targets)):
            self.add_error("quota_limit", "Please set at least one limit, here or for each of the targets.")

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
        if values.get("editions_per_year") and (values.get("weekday") is None or not closes):
            self.add_error("editions_per_year", NEEDS_A_WEEKLY_END)
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
        if "quota_limit" in values or "quota_limit" in self.errors:
            self._check_quota(values)
        self._check_rule()
        return values

    def _check_rule(self) -> None:
        """What the chosen rule could not keep, the same as definitions are refused for."""
        if self.errors or "disclosure" not in self.cleaned_data:
            return
        phase = copy(self.instance)
        for name, value in self.cleaned_data.items():
            setattr(phase, name, value)
        for name, sentence in misfits(
            phase.benchmark.spec, phase.as_spec(), ends=phase.closes_at is not None
        ):
            self.add_error(name if name in self.fields else "disclosure", sentence)
        others = list(phase.benchmark.phases.exclude(pk=phase.pk))
        windows = [phase.window(), *(other.window() for other in others)]
        if sentence := mixture(windows):
            self.add_error("disclosure", sentence)
        elif sentence := at_once(windows):
            self.add_error("closes_at" if "closes_at" in self.fields else "disclosure", sentence)

    def _would_open_again(self, closes: dt.datetime | None) -> bool:
        """Whether a phase that teams break each other's systems in would go on although gold labels are public."""
        public = Split.objects.filter(
            task__benchmark=self.instance.benchmark_id, gold_opened_at__isnull=False
        )
        is_plain = self.instance.kind == Phase.Kind.PREDICTIONS
        return not is_plain and (closes is None or closes > timezone.now()) and public.exists()


def what_is_told() -> SafeString:
    """What a team may be told of its own submissions before a release, by the rule of the phase."""
    rows = (
        (RULES[key].texts.title if key else "development data and public labels", sentence)
        for key, sentence in _TOLD.items()
    )
    told = "Only to the team, provisional and no release. Withdrawing what was told gives no slot back."
    return format_html("<p>{}</p><ul>{}</ul>", told, format_html_join("", "<li><b>{}:</b> {}</li>", rows))


# By rule; without one, of what guards no labels.
_TOLD = {
    "": "Exact scores at any time, under every rule: they guard nothing.",
    "sealed": "None of the test set.",
    "protected": "At cut-offs: what the team's row shows, through noise, of the answers that the lot has drawn; and "
    "how many more are judged of it and those it is linked to.",
    "open": "At any time: exact scores of the displayed half. They tell its labels sooner than weekly tables.",
    "exact": "Daily or at cut-offs: exact scores, which give the labels away to whoever makes answers for that. Not "
    "right after each upload.",
}


def weekday_choices() -> list[tuple[int | str, str]]:
    """The days of the week as the database counts them, and none of them."""
    return [("", "None: once, when the phase closes"), *WEEKDAYS.items()]


def explained(rules: Iterable[type[Rule]], items: HiddenItems | None = None) -> SafeString:
    """A list of rules, each with what it gives and costs: in numbers for a test set, or in general."""
    rows = (
        (rule.texts.title, rule.in_numbers(items) if items else rule.texts.for_organisers) for rule in rules
    )
    return format_html("<ul>{}</ul>", format_html_join("", "<li><b>{}:</b> {}</li>", rows))
