"""What an organiser says of a table of ids and labels, of the task, and of the benchmark that it begins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.datastructures import MultiValueDict
from django.utils.html import escape, format_html
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminDecimalFieldWidget,
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from accounts.formats.instants import in_own_zone
from accounts.models import User
from benchmarks.admin.phase_forms import weekday_choices
from benchmarks.fields import rule_choices
from benchmarks.models import Benchmark
from catalogue.answers import KINDS, AnswerKind
from catalogue.disclosure import RULES
from catalogue.layouts.cells import DELIMITERS
from catalogue.layouts.form import UNSCORED
from leaderboard.admin.new_task.answers import fitting
from leaderboard.admin.new_task.field_texts import identifier, rules_in_numbers, slug, with_examples
from leaderboard.admin.new_task.file_form import TableForm
from leaderboard.admin.new_task.table_facts import facts_of, listed
from scoring.definitions.task_import import NewBenchmark, open_to
from submissions.intake.shared_stems import shared_stems
from submissions.intake.tables.gold_columns import gold_columns, shapes_of
from submissions.intake.tables.labelled import LabelledTable
from submissions.intake.tables.task_proposal import (
    RULE,
    Draft,
    columns_fault,
    labels_of,
    proposable_kinds,
    stated_of,
)

LONGEST_DAYS = 3660
_TEXTS = ("title", "task_id", "code", "summary", "instructions", "licence", "citation")
_ROUGH = {**dict.fromkeys(_TEXTS, "-"), "task_id": "task"}
LICENCES = ("CC BY 4.0", "CC BY-SA 4.0", "CC BY-NC 4.0", "CC0 1.0", "Not to be passed on")


def _line(label: Any, length: int, help_text: Any = "", attrs: Any = None, **more: Any) -> forms.CharField:
    widget = UnfoldAdminTextInputWidget(attrs=attrs)
    return forms.CharField(label=label, max_length=length, widget=widget, help_text=help_text, **more)


def _words(label: Any, help_text: Any = "", **more: Any) -> forms.CharField:
    widget = UnfoldAdminTextareaWidget(attrs={"rows": 3})
    return forms.CharField(label=label, max_length=5000, widget=widget, help_text=help_text, **more)


class DraftForm(TableForm):
    """Everything about the task. The choices of columns are those of the table.

    `answers` are what was sent or is proposed, see `answers.followed`.
    """

    read_as = forms.CharField(required=False, widget=forms.HiddenInput)
    range_of = forms.CharField(required=False, widget=forms.HiddenInput)
    id_column = forms.ChoiceField(label="Column of ids", widget=UnfoldAdminSelectWidget)
    label_columns = forms.MultipleChoiceField(
        label="Column of labels",
        widget=UnfoldAdminCheckboxSelectMultipleWidget,
        help_text="One; for subsets and shares, that of each label. They are sealed; nobody can read them here again.",
    )
    has_unscored = forms.BooleanField(
        label="Ask for items without a label, and score nobody on them",
        required=False,
        widget=UnfoldBooleanWidget,
    )
    text_columns = forms.MultipleChoiceField(
        label="Columns for everybody to download",
        required=False,
        widget=UnfoldAdminCheckboxSelectMultipleWidget,
        help_text="The inputs. Columns that are not ticked anywhere are not kept.",
    )
    kind = forms.ChoiceField(
        label="Kind of answer",
        widget=UnfoldAdminSelectWidget,
        help_text=format_html("<details><summary>How it is guessed</summary>{}</details>", RULE),
    )
    column_names = _line(
        "Names of the columns",
        1000,
        "The file has none. Empty: id, label and text, by what is chosen above. Else as many names as columns, with "
        "commas between them; files of predictions have those of ids and labels.",
        required=False,
    )
    more_labels = _words(
        "Further labels",
        "That may be answered although no item has them; one a line. Of labels in an order: all of them, the lowest "
        "first, where their order is not that of the alphabet.",
        required=False,
    )
    low = forms.FloatField(
        label="Lowest answer",
        required=False,
        widget=UnfoldAdminDecimalFieldWidget,
        help_text="Empty: as the column has it.",
    )
    high = forms.FloatField(
        label="Highest answer",
        required=False,
        widget=UnfoldAdminDecimalFieldWidget,
        help_text="Empty: as the column has it. An answer outside is refused.",
    )
    metric = forms.ChoiceField(widget=UnfoldAdminSelectWidget)
    title = _line("Title of the task", 120)
    task_id = _line(
        "Id of the task",
        64,
        "Letters, digits, - and _. It stands in addresses and file names. Empty: made from the title.",
        required=False,
    )
    code = _line(
        "Short code", 12, "The head of the column on boards. Empty: made from the title.", required=False
    )
    summary = _line("Summary", 500, "One sentence for the top of the page: what is asked of a system?")
    instructions = _words("Instructions", "What an answer is, for those who build systems.")
    licence = _line(
        "Licence of the data",
        200,
        "Under which everybody may use the texts, such as CC BY 4.0.",
        {"list": "licences", "autocomplete": "off"},
    )
    citation = _words("Citation", "How the data are to be cited; before there is a paper, who made them.")
    into = forms.ModelChoiceField(
        Benchmark.objects.none(),
        label="Benchmark",
        required=False,
        empty_label="A new one, which belongs to you",
        widget=UnfoldAdminSelectWidget,
        help_text="Or one of yours that nothing has been submitted to yet; what follows is then not needed.",
    )
    benchmark_title = _line("Title of the benchmark", 120, "Empty: that of this task.", required=False)
    benchmark_summary = _line(
        "Summary of the benchmark",
        500,
        "One sentence about all its tasks. Empty: that of this task.",
        required=False,
    )
    benchmark_id = _line(
        "Id of the benchmark", 64, "Its address: /benchmarks/…/. Empty: made from the title.", required=False
    )
    url = forms.URLField(
        label="Where more can be read",
        required=False,
        assume_scheme="https",
        widget=UnfoldAdminTextInputWidget,
        help_text="Empty: the benchmark's own page.",
    )
    opens = forms.DateTimeField(
        label="Opens",
        required=False,
        widget=UnfoldAdminTextInputWidget(attrs={"type": "datetime-local"}),
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
        help_text="From its opening. With a weekly cut-off it may be empty: open without end.",
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
        super().__init__(answers, files)
        self.table, self.user = table, user
        self._field("kind").choices = [(kind.key, kind.title) for kind in proposable_kinds(table)]
        offered = {
            "id_column": table.id_columns,
            "label_columns": table.header,
            "text_columns": table.text_columns,
        }
        for field, names in offered.items():
            self._field(field).choices = [(name, with_examples(name, table)) for name in names]
        known = fitting(str(answers.get("kind", "")))
        self._field("metric").choices = sorted(known.items(), key=lambda choice: choice[1])
        self._field("into").queryset = open_to(user)
        self._field("id_column").help_text = self._belonging()
        self._field("weekday").help_text = "At 00:00 UTC. Without one all is scored once, at the close."
        self._field("opens").help_text = in_own_zone("Empty: at once.")
        if not table.seen:
            self._field("layout").help_text = f"Cells are separated by {DELIMITERS[table.delimiter]}s."
        if not table.is_headerless:
            del self.fields["column_names"]
        if unlabelled := self._unlabelled():
            self._field("has_unscored").help_text = (
                f"{unlabelled:,} of {len(table.rows):,} rows have no label. If this is meant, as with distractors, "
                "tick here: everybody answers these items, nobody is told which they are, and scores are of the "
                "others. If it is a mistake, put the file right."
            )
        else:
            del self.fields["has_unscored"]
        self.facts = facts_of(table, self.data)
        self._field("disclosure").help_text = rules_in_numbers(self.facts)
        self._field("states_share").label = f"Publish that every label has {self._least_share} of the items"
        if not (self.facts.share_would_help and self.facts.rarest_share):
            del self.fields["states_share"]

    def _unlabelled(self) -> int:
        """How many rows of the table, though not all, have nothing in the columns of labels that are chosen."""
        names = [name for name in listed(self.data, "label_columns") if name in self.table.header]
        if (kind := self.kind_chosen) and any(one.separator for one in gold_columns(self.table, kind, names)):
            return 0  # an empty cell is an answer
        left = len(self.table.with_labels(names).rows) if names else 0
        return len(self.table.rows) - left if left else 0

    def _belonging(self) -> str:
        """What the ids in the chosen column say of items that may belong together; empty for nothing."""
        column = self.data.get("id_column")
        stems = shared_stems(self.table.column(column)) if column in self.table.header else None
        return escape(stems or "")  # help stands on pages as it is, and ids are what a file says

    @property
    def _least_share(self) -> str:
        return f"at least {100 * self.facts.rarest_share:.0f} %"

    def _field(self, name: str) -> Any:
        return self.fields[name]

    @property
    def kind_chosen(self) -> type[AnswerKind] | None:
        """The kind of answer, as far as one is chosen."""
        chosen = str(self.data.get("kind", ""))
        return KINDS[chosen] if fitting(chosen) else None

    @property
    def joins(self) -> bool:
        """Whether the task goes into a benchmark that there is already."""
        return bool(self.data.get("into"))

    def clean_task_id(self) -> str:
        return identifier(self.cleaned_data["task_id"] or slug(self.cleaned_data.get("title", "")) or "task")

    def clean_code(self) -> str:
        code: str = self.cleaned_data["code"]
        return code or (slug(self.cleaned_data.get("title", "")) or "task")[:3].upper()

    def clean_benchmark_title(self) -> str:
        return str(self.cleaned_data["benchmark_title"] or self.cleaned_data.get("title", ""))

    def clean_benchmark_id(self) -> str:
        given = self.cleaned_data["benchmark_id"] or slug(self.cleaned_data.get("benchmark_title", ""))
        return identifier(given) if given else ""

    def clean(self) -> dict[str, Any]:
        """Hold the fields against each other."""
        super().clean()
        given = self.cleaned_data
        kind = KINDS[given["kind"]] if "kind" in given else None
        labels = given.get("label_columns", [])
        self._check_names(labels, are_labels=bool(kind and kind.gold_in_columns))
        if fault := columns_fault(self.table, kind, labels):
            self.add_error("label_columns", fault)
        self._check_shape(kind, labels)
        used = [given.get("id_column"), *labels, *given.get("text_columns", [])]
        double = sorted({str(name) for name in used if used.count(name) > 1})
        if double:
            self.add_error(
                "text_columns",
                f"A column is one thing only; ticked twice: {', '.join(double)}.",
            )
        if kind and kind.has_bounds:
            self._check_bounds(is_whole=not kind.is_continuous)
        into = given.get("into")
        if into and any(task.id == given.get("task_id") for task in into.spec.tasks):
            self.add_error("task_id", f"{into} has a task with this id already. Please choose another.")
        if not into:
            self._check_new_benchmark()
        return given

    def _check_shape(self, kind: type[AnswerKind] | None, labels: Sequence[str]) -> None:
        """That the column holds what gold labels of the kind are."""
        if kind and any(shapes_of(self.table, name).isdisjoint(kind.gold_shapes()) for name in labels):
            self.add_error(
                "kind",
                f"The column {', '.join(labels)} cannot hold {kind.phrase}. Choose another column or kind.",
            )

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

    def _check_names(self, labels: Sequence[str], *, are_labels: bool) -> None:
        """Columns of a file that names none."""
        if not self.table.is_headerless or "column_names" in self.errors:
            return
        text = self.cleaned_data.get("column_names", "")
        names = [name.strip() for name in text.split(",")] if text else []
        if names and (len(names) != len(self.table.header) or "" in names or len(set(names)) < len(names)):
            self.add_error(
                "column_names",
                f"The file has {len(self.table.header)} columns. Give each a name of its own, with commas between; "
                f"found {len([name for name in names if name])}.",
            )
        elif are_labels and not names:
            self.add_error(
                "column_names",
                "The labels are called as their columns. Give all columns a name, from left to right.",
            )

    def _names(self) -> dict[str, str]:
        """What the columns are called from here on, where the file does not say."""
        if not self.table.is_headerless:
            return {}
        given = self.cleaned_data
        if given.get("column_names"):
            names = (name.strip() for name in given["column_names"].split(","))
            return dict(zip(self.table.header, names, strict=True))
        texts = given["text_columns"]
        named = {name: "text" if len(texts) == 1 else f"text {place}" for place, name in enumerate(texts, 1)}
        return named | {given["label_columns"][0]: "label", given["id_column"]: "id"}

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

    def draft(self, *, is_rough: bool = False) -> Draft:
        """The task, once the form is valid; a rough one needs what is said of the table, and no texts."""
        given = self.cleaned_data
        kind, names = KINDS[given["kind"]], self._names()
        more = [line.strip() for line in given["more_labels"].splitlines() if line.strip()]
        columns = given["label_columns"]
        labels = labels_of(self.table, kind, columns, more)
        output, options = stated_of(self.table, kind, given["id_column"], columns, labels)
        if given.get("has_unscored"):
            options["empty_labels"] = UNSCORED
        return Draft(
            kind=kind,
            id_column=given["id_column"],
            label_columns=tuple(given["label_columns"]),
            text_columns=tuple(given["text_columns"]),
            labels=tuple(names.get(label, label) for label in labels) if kind.gold_in_columns else labels,
            low=given["low"],
            high=given["high"],
            metric=given["metric"],
            metric_title=fitting(kind.key)[given["metric"]],
            rarest_label_share=self.facts.rarest_share if given.get("states_share") else 0.0,
            layout=self.table.layout,
            names=names,
            output=output,
            options=options,
            **(_ROUGH if is_rough else {name: given[name] for name in _TEXTS}),
        )

    def new_benchmark(self) -> NewBenchmark:
        """The benchmark to begin with this task, where none was chosen."""
        given = self.cleaned_data
        return NewBenchmark(
            id=given["benchmark_id"],
            title=given["benchmark_title"],
            summary=given["benchmark_summary"],
            url=given["url"],
            opens=given["opens"],
            weekday=given["weekday"],
            lasts_days=given["lasts_days"],
            quota=given["quota"],
            disclosure=RULES[given["disclosure"]],
        )
