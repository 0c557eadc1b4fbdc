"""The first two screens of a campaign: what for, and what of the benchmark is asked about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.forms.boundfield import BoundField
from unfold.widgets import (
    UnfoldAdminRadioSelectWidget,
    UnfoldAdminSelectWidget,
)

from benchmarks.models import Attack, Benchmark, Task
from labelling.admin.forms.fields import FormSection
from labelling.admin.forms.question_fit import uncut
from labelling.core.aggregation import AGGREGATION_RULES
from labelling.core.questions import QUESTION_KINDS
from labelling.models import Campaign
from labelling.outcomes import PURPOSES
from labelling.outcomes.purpose import Purpose

NOTHING = "—"


class PurposeForm(forms.Form):
    """The benchmark, and what becomes of the answers."""

    heading = "What for"
    benchmark = forms.ModelChoiceField(Benchmark.objects.none(), widget=UnfoldAdminSelectWidget)
    purpose = forms.ChoiceField(label="What becomes of the answers", widget=UnfoldAdminRadioSelectWidget)

    def __init__(self, *args: Any, benchmarks: QuerySet[Benchmark], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.benchmarks = benchmarks
        self.field("benchmark").queryset = benchmarks
        self.choose("purpose", [(each.key, f"{each.title}. {each.sentence}") for each in PURPOSES])

    def choose(self, name: str, choices: list[tuple[str, str]]) -> None:
        """Offer these choices of a field."""
        self.field(name).choices = choices

    def field(self, name: str) -> Any:
        """A field of this form, whatever its class."""
        return self.fields[name]

    def raw(self, name: str) -> Any:
        """What was sent or is proposed for a field."""
        return self.data.get(name) if self.is_bound else self.get_initial_for_field(self.fields[name], name)

    def sections(self) -> Iterator[FormSection]:
        yield FormSection("", tuple(self[name] for name in self.fields))

    def hidden(self) -> Iterator[BoundField]:
        shown = {field.name for section in self.sections() for field in section.fields}
        yield from (self[name] for name in self.fields if name not in shown)


class AboutForm(PurposeForm):
    """The kind of question, the rule, and what of the benchmark it is about."""

    heading = "What is asked about"
    kind = forms.ChoiceField(label="Kind of question", widget=UnfoldAdminSelectWidget)
    rule = forms.ChoiceField(
        widget=UnfoldAdminSelectWidget, help_text="By which the answers about an item become its value."
    )
    split = forms.ChoiceField(label="Task and split", required=False, widget=UnfoldAdminSelectWidget)
    attack = forms.ModelChoiceField(Attack.objects.none(), required=False, widget=UnfoldAdminSelectWidget)
    after = forms.ModelChoiceField(
        Campaign.objects.none(),
        required=False,
        widget=UnfoldAdminSelectWidget,
        help_text="The campaign whose outcome this one goes on from.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.chosen_purpose: Purpose = PURPOSES[str(self.raw("purpose"))]
        purpose, benchmark = self.chosen_purpose, self.benchmarks.filter(pk=self.raw("benchmark")).first()
        self.choose("kind", [(key, QUESTION_KINDS[key].title) for key in purpose.question_kinds])
        rules = purpose.offered_rules()
        self.choose("rule", [(rule.key, rule.title) for rule in rules])
        if not rules:
            del self.fields["rule"]
        tasks = list(Task.objects.filter(benchmark=benchmark, is_retired=False).select_related("benchmark"))
        self.tasks = {task.slug: task for task in tasks}
        self.choose("split", [*_no_split(purpose, tasks), *_splits(tasks)])
        self.field("attack").queryset = Attack.objects.filter(benchmark=benchmark)
        self.field("after").queryset = Campaign.objects.filter(benchmark=benchmark)
        for name, needs in (("split", {"split", "task"}), ("attack", {"attack"}), ("after", {"after"})):
            self.fields[name].required = bool(needs & purpose.needs)
        for name in {"attack", "after"} - purpose.needs - purpose.may_use:
            del self.fields[name]

    def sections(self) -> Iterator[FormSection]:
        asked = ("kind", "rule", "split", "attack", "after")
        yield FormSection("", tuple(self[name] for name in asked if name in self.fields))

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        kind, rule = values.get("kind"), values.get("rule")
        if kind and rule and kind not in AGGREGATION_RULES[rule].question_kinds:
            reads = " or ".join(QUESTION_KINDS[key].title for key in AGGREGATION_RULES[rule].question_kinds)
            self.add_error(
                "rule",
                f"“{AGGREGATION_RULES[rule].title}” reads answers of the kind {reads}, and this question asks for "
                f"{QUESTION_KINDS[kind].title}. Choose another of the two.",
            )
        task = self.task
        if values.get("split") and task and self.chosen_purpose.cuts_scores and (fault := uncut(task)):
            self.add_error("split", fault)
        if values.get("split") and task and (fault := self.chosen_purpose.unfit(task)):
            self.add_error("split", fault)
        return values

    @property
    def task(self) -> Task | None:
        """The task that is chosen, if any."""
        return self.tasks.get(str(self.raw("split") or "").partition("/")[0])

    @property
    def split_slug(self) -> str:
        """The split that is chosen; empty where there is none."""
        return str(self.raw("split") or "").partition("/")[2]


def _no_split(purpose: Purpose, tasks: list[Task]) -> list[tuple[str, str]]:
    """The choices that name no split: none where one is needed, and each task where that is."""
    if "split" in purpose.needs:
        return []
    return [(f"{task.slug}/", task.title) for task in tasks] if "task" in purpose.needs else [("", NOTHING)]


def _splits(tasks: list[Task]) -> Iterator[tuple[str, str]]:
    for task in tasks:
        named = {split.id: split.title for split in task.spec.splits if not split.attack}
        named |= {slug: slug for slug in task.splits.values_list("slug", flat=True) if slug not in named}
        for slug, title in named.items():
            yield f"{task.slug}/{slug}", f"{task.title} / {title}"
