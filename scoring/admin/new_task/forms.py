"""What an organiser says of a table of ids and labels, and how it is proposed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminDecimalFieldWidget,
    UnfoldAdminFileFieldWidget,
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from accounts.models import User
from benchmarks.admin.phase_forms import explained, weekday_choices
from benchmarks.fields import rule_choices
from benchmarks.models import Benchmark
from benchmarks.spec.rule_fit import what_would_do
from catalogue.answers import KINDS
from catalogue.disclosure import RULES, proposed_rule
from catalogue.metrics.choice import metrics_for
from scoring.admin.new_task.table_facts import TableFacts, facts_of
from scoring.definitions.task_import import NewBenchmark, open_to
from submissions.intake.tables.labelled import LabelledTable
from submissions.intake.tables.task_proposal import Draft, Proposal, labels_of, proposable_kinds

MAX_MEGABYTES = 32
LASTS_DAYS = 28
WEEKLY_LASTS_DAYS = 70
LONGEST_DAYS = 3660
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


class TableForm(forms.Form):
    """The file alone: asked for at every step, because the server does not keep it."""

    file = forms.FileField(
        label="CSV or TSV file",
        allow_empty_file=True,
        widget=UnfoldAdminFileFieldWidget,
        help_text=(
            f"UTF-8, commas or tabs, the first line names the columns; at most {MAX_MEGABYTES} MB. The server does not "
            "keep the file between the steps, so that no label lies about unsealed: unless your browser "
            "sends it again by itself, choose it once more at each step."
        ),
    )

    def clean_file(self) -> UploadedFile[Any]:
        """Of a size that is read while somebody waits."""
        file: UploadedFile[Any] = self.cleaned_data["file"]
        if (file.size or 0) > MAX_MEGABYTES * 1024 * 1024:
            raise ValidationError(
                f"The file has more than {MAX_MEGABYTES} MB. Load its gold labels with manage.py load_gold."
            )
        return file


def _line(label: Any, length: int, help_text: Any = "", **more: Any) -> forms.CharField:
    widget = UnfoldAdminTextInputWidget
    return forms.CharField(label=label, max_length=length, widget=widget, help_text=help_text, **more)


def _words(label: Any, help_text: Any = "", **more: Any) -> forms.CharField:
    widget = UnfoldAdminTextareaWidget(attrs={"rows": 3})
    return forms.CharField(label=label, max_length=5000, widget=widget, help_text=help_text, **more)


class DraftForm(TableForm):
    """Everything about the task. The choices of columns are those of the table."""

    kind = forms.ChoiceField(
        label="Kind of answer",
        choices=[(kind.key, kind.title) for kind in proposable_kinds()],
        widget=UnfoldAdminSelectWidget,
    )
    id_column = forms.ChoiceField(label="Column of ids", widget=UnfoldAdminSelectWidget)
    label_columns = forms.MultipleChoiceField(
        label="Column of labels",
        widget=UnfoldAdminCheckboxSelectMultipleWidget,
        help_text="One; for subsets, the column of each label. They are sealed, and nobody can read them here "
        "again.",
    )
    text_columns = forms.MultipleChoiceField(
        label="Columns for everybody to download",
        required=False,
        widget=UnfoldAdminCheckboxSelectMultipleWidget,
        help_text="The inputs. Columns that are not ticked anywhere are not kept.",
    )
    more_labels = _words(
        "Further labels", "That may be answered although no item has them; one a line.", required=False
    )
    low = forms.FloatField(
        label="Lowest",
        required=False,
        widget=UnfoldAdminDecimalFieldWidget,
        help_text="Of numbers and classes.",
    )
    high = forms.FloatField(
        label="Highest",
        required=False,
        widget=UnfoldAdminDecimalFieldWidget,
        help_text="Of numbers and classes.",
    )
    metric = forms.ChoiceField(
        widget=UnfoldAdminSelectWidget,
        help_text="What fills the column. The list follows the kind of answer.",
    )
    title = _line("Title of the task", 120)
    task_id = _line("Id of the task", 64, "Letters, digits, - and _. It stands in addresses and file names.")
    code = _line("Short code", 12, "The head of the column on boards.")
    summary = _line("Summary", 500, "One sentence for the top of the page.")
    instructions = _words("Instructions")
    licence = _line("Licence", 200)
    citation = _words("Citation")
    into = forms.ModelChoiceField(
        Benchmark.objects.none(),
        label="Benchmark",
        required=False,
        empty_label="A new one, which belongs to you",
        widget=UnfoldAdminSelectWidget,
        help_text="Or one of yours that nothing has been submitted to yet; what follows is then not needed.",
    )
    benchmark_title = _line("Title of the benchmark", 120, required=False)
    benchmark_id = _line("Id of the benchmark", 64, "Its address: /benchmarks/…/", required=False)
    url = forms.URLField(
        label="Where more can be read",
        required=False,
        assume_scheme="https",
        widget=UnfoldAdminTextInputWidget,
        help_text="Empty: the benchmark's own page.",
    )
    weekday = forms.TypedChoiceField(
        label="Weekly cut-off",
        coerce=int,
        empty_value=None,
        required=False,
        choices=weekday_choices,
        widget=UnfoldAdminSelectWidget,
    )
    lasts_days = forms.IntegerField(
        label="Open for so many days",
        min_value=1,
        max_value=LONGEST_DAYS,
        required=False,
        widget=UnfoldAdminIntegerFieldWidget,
        help_text="From now. With a weekly cut-off it may be empty: open without end.",
    )
    quota = forms.IntegerField(
        label="Submissions per cut-off",
        min_value=1,
        max_value=10_000,
        widget=UnfoldAdminIntegerFieldWidget,
        help_text="That one team may have accepted.",
    )
    disclosure = forms.ChoiceField(
        label="Shown before the end",
        choices=rule_choices,
        widget=UnfoldAdminSelectWidget,
    )
    states_share = forms.BooleanField(
        required=False,
        widget=UnfoldBooleanWidget,
        help_text=(
            "It was counted in your file and rounded down, and would stand in the public definition "
            "(`rarest_label_share`). The noise of “protected” is made from it: without it the chosen metric has no "
            "bound on what one label can change. Tick it only if everybody may know."
        ),
    )
    is_sure = forms.BooleanField(
        label="I have had the second look that is asked for", required=False, widget=UnfoldBooleanWidget
    )

    def __init__(
        self, answers: Mapping[str, Any], files: MultiValueDict[str, Any], *, table: LabelledTable, user: User
    ) -> None:
        kind = str(answers.get("kind", ""))
        fitting = _fitting(kind)
        if answers.get("metric") not in fitting:  # another kind was chosen: its own metric is proposed again
            answers = answers.copy() if isinstance(answers, QueryDict) else dict(answers)
            answers["metric"] = KINDS[kind].metric if fitting else ""
        super().__init__(answers, files)
        self.table = table
        columns = [(name, name) for name in table.header]
        for name in ("id_column", "label_columns", "text_columns"):
            self._field(name).choices = columns
        self._field("metric").choices = sorted(fitting.items(), key=lambda choice: choice[1])
        self._field("into").queryset = open_to(user)
        self._field("weekday").help_text = "At 00:00 UTC. Without one all is scored once, at the close."
        self.facts = facts_of(table, self.data)
        self._field("disclosure").help_text = _rules_in_numbers(self.facts)
        self._field("states_share").label = f"Publish that every label has {self._least_share} of the items"
        if not (self.facts.share_would_help and self.facts.rarest_share):
            del self.fields["states_share"]

    @property
    def _least_share(self) -> str:
        return f"at least {100 * self.facts.rarest_share:.0f} %"

    def _field(self, name: str) -> Any:
        return self.fields[name]

    def clean_task_id(self) -> str:
        return _identifier(self.cleaned_data["task_id"])

    def clean_benchmark_id(self) -> str:
        given = self.cleaned_data["benchmark_id"]
        return _identifier(given) if given else ""

    def clean(self) -> dict[str, Any]:
        """Hold the fields against each other."""
        super().clean()
        given = self.cleaned_data
        kind = KINDS[given["kind"]] if "kind" in given else None
        labels = given.get("label_columns", [])
        if len(labels) > 1 and not (kind and kind.is_subset):
            self.add_error("label_columns", "For this kind of answer, tick one column alone.")
        used = [given.get("id_column"), *labels, *given.get("text_columns", [])]
        double = sorted({str(name) for name in used if used.count(name) > 1})
        if double:
            self.add_error(
                "text_columns",
                f"A column is one thing only; ticked twice: {', '.join(double)}.",
            )
        if kind and kind.has_bounds:
            self._check_bounds(is_whole=not kind.is_continuous)
        if not given.get("into"):
            self._check_new_benchmark()
        return given

    def _check_bounds(self, *, is_whole: bool) -> None:
        low, high = self.cleaned_data.get("low"), self.cleaned_data.get("high")
        if low is None or high is None or low >= high:
            self.add_error("high", "Give the lowest and the highest answer; the highest is larger.")
        elif is_whole and not (low.is_integer() and high.is_integer()):
            self.add_error("high", "Classes are whole numbers.")

    def _check_new_benchmark(self) -> None:
        for name in ("benchmark_title", "benchmark_id"):
            if not self.cleaned_data.get(name) and name not in self.errors:
                self.add_error(name, "A new benchmark needs it.")
        if Benchmark.objects.filter(pk=self.cleaned_data.get("benchmark_id", "")).exists():
            self.add_error("benchmark_id", "A benchmark has this id already. Please choose another.")
        self._check_schedule()

    def _check_schedule(self) -> None:
        """What only a phase with weekly cut-offs, or one with an end, can have."""
        given = self.cleaned_data
        is_weekly, ends = given.get("weekday") is not None, bool(given.get("lasts_days"))
        if not is_weekly and not ends and "lasts_days" not in self.errors:
            self.add_error("lasts_days", "A phase that is scored once, at its close, has to close.")
        rule = RULES[given["disclosure"]] if given.get("disclosure") else None
        if rule and is_weekly and not rule.shows_before_end:
            self.add_error("weekday", "A sealed phase has one cut-off, when it closes. Leave this empty.")
        if rule and rule.keeps_back and not (is_weekly and ends):
            self.add_error(
                "disclosure",
                "Items are kept back from weekly scores until the end of a phase: choose a weekly cut-off and how "
                "many days the phase is open, or another rule.",
            )

    def draft(self) -> Draft:
        """The task, once the form is valid."""
        given = self.cleaned_data
        kind = KINDS[given["kind"]]
        more = [line.strip() for line in given["more_labels"].splitlines() if line.strip()]
        named = ("title", "task_id", "code", "summary", "instructions", "licence", "citation", "low", "high")
        return Draft(
            kind=kind,
            id_column=given["id_column"],
            label_columns=tuple(given["label_columns"]),
            text_columns=tuple(given["text_columns"]),
            labels=labels_of(self.table, kind, given["label_columns"], more),
            metric=given["metric"],
            metric_title=_fitting(kind.key)[given["metric"]],
            rarest_label_share=self.facts.rarest_share if given.get("states_share") else 0.0,
            layout=self.table.layout,
            **{name: given[name] for name in named},
        )

    def new_benchmark(self) -> NewBenchmark:
        """The benchmark to begin with this task, where none was chosen."""
        given = self.cleaned_data
        return NewBenchmark(
            id=given["benchmark_id"],
            title=given["benchmark_title"],
            url=given["url"],
            weekday=given["weekday"],
            lasts_days=given["lasts_days"],
            quota=given["quota"],
            disclosure=RULES[given["disclosure"]],
        )


def proposed(proposal: Proposal, table: LabelledTable) -> dict[str, Any]:
    """The proposal as the form's own values, with the rule that fits the table and a schedule that fits the rule."""
    values = _described(proposal)
    rule = proposed_rule(facts_of(table, values).hidden())
    if rule.shows_before_end:
        values |= {"weekday": 0, "lasts_days": WEEKLY_LASTS_DAYS}
    return values | {"disclosure": rule.key}


def _described(proposal: Proposal) -> dict[str, Any]:
    return {
        "kind": proposal.kind.key,
        "id_column": proposal.id_column,
        "label_columns": list(proposal.label_columns),
        "text_columns": list(proposal.text_columns),
        "low": proposal.low,
        "high": proposal.high,
        "metric": proposal.metric,
        "title": proposal.title,
        "task_id": proposal.slug,
        "code": proposal.slug[:3].upper(),
        "summary": f"{proposal.title}.",
        "instructions": proposal.kind.instruction,
        "licence": "No licence stated",
        "citation": "Not published yet",
        "benchmark_title": proposal.title,
        "benchmark_id": proposal.slug,
        "weekday": "",
        "lasts_days": LASTS_DAYS,
        "quota": 2,
    }


def _rules_in_numbers(facts: TableFacts) -> SafeString:
    """The rule that is proposed for a test set, why not another, and every rule with its numbers for it."""
    items = facts.hidden()
    said = f"For these {items.item_count:,} items {proposed_rule(items).key} is proposed."
    why = what_would_do(items, facts.metric, facts.metrics) if facts.metric else ""
    return format_html("<p>{} {}</p>{}", said, why, explained(RULES, items))


def _fitting(kind: str) -> dict[str, str]:
    """The titles of the metrics for a kind of answer, by name, but not of those made for certain labels."""
    is_proposable = kind in {each.key for each in proposable_kinds()}
    fitting = metrics_for(KINDS[kind]) if is_proposable else []
    return {metric.name: metric.title for metric in fitting if not metric.labels}


def _identifier(value: str) -> str:
    if not _ID.fullmatch(value):
        raise ValidationError("Letters, digits, - and _ only; the first a letter or digit.")
    return value
