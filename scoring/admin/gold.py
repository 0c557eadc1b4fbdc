"""Tasks and their gold labels in the admin. Labels go in and are sealed; no page shows one again."""

from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.db.models import OuterRef, Subquery
from django.http import HttpRequest
from unfold.widgets import (
    UnfoldAdminFileFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from accounts.admin_look import ActionVariant
from accounts.formats.instants import in_words
from accounts.formats.numbers import grouped
from benchmarks.admin.asks import Ask, Done
from benchmarks.admin.organised.links import digest, link, list_link
from benchmarks.admin.organised.organised_admin import OrganisedAdmin, Question, Table, column
from benchmarks.models import Task
from benchmarks.people.rights import Right
from benchmarks.spec import TaskSpec
from catalogue.problems import counted
from scoring.admin.item_sets.attacks import LOAD_TEXTS, MAKE_ATTACK, of_task, texts_table
from scoring.admin.item_sets.equity import LOAD_PAIRS
from scoring.admin.item_sets.next_round import DRAW_ROUND
from scoring.admin.item_sets.responses import LOAD_RESPONSES, clues_are_known, responses_table
from scoring.admin.renewal import RENEW_ITEMS
from scoring.file_refusal import unforeseen
from scoring.gold.deliveries import hand_in
from scoring.gold.versions import GoldRefused, Loaded, load_gold
from scoring.item_sets.texts import TEST
from scoring.models import GoldVersion, ScoringRun, SealedDelivery
from submissions.intake.tables.sealed_gold import is_sealed_gold


class GoldForm(forms.Form):
    """A gold file and what may be told of it. Where a task has several sets of items, which of them it is of.

    Of two organisers who load the same file the second is asked again: everything would be scored twice.
    """

    stale = (
        "Gold labels of this task were loaded since you opened the page, so nothing was loaded. If yours are to "
        "replace them, choose the file and press the button once more."
    )

    split = forms.ChoiceField(label="Set of items", widget=UnfoldAdminSelectWidget)
    file = forms.FileField(
        label="Gold file",
        allow_empty_file=True,
        widget=UnfoldAdminFileFieldWidget,
        help_text="Written like a file of predictions, with the right labels.",
    )
    show_class_counts = forms.BooleanField(
        required=False,
        widget=UnfoldBooleanWidget,
        help_text="Everybody may see how many items have each label. Leave it off if unsure.",
    )
    note = forms.CharField(
        required=False,
        max_length=500,
        widget=UnfoldAdminTextInputWidget,
        help_text="Why this version is loaded. Public.",
    )

    confirm_clues = clues_are_known()

    def __init__(self, *args: Any, task: Task) -> None:
        super().__init__(*args)
        self._task = task
        named = [(split.id, split.title) for split in task.spec.gold_splits]
        field = cast(forms.ChoiceField, self.fields["split"])
        field.choices, field.initial = named, _usual_split(task.spec)
        field.required = field.initial != TEST
        if len(named) == 1:
            del self.fields["split"]

    def stands_on(self) -> object:
        versions = GoldVersion.objects.filter(split__task=self._task)
        return [
            rows.order_by("pk").values_list("pk", flat=True).last()
            for rows in (versions, self._task.sealed_deliveries.all())
        ]


def _usual_split(task: TaskSpec) -> str:
    splits = [split.id for split in task.gold_splits]
    return TEST if TEST in splits else splits[0]


def _question(task: Task) -> Question:
    file = task.spec.gold
    form = f"A {file.layout.title} file"
    if file.layout.is_table:
        headers = [", ".join(file_spec.header) for file_spec in (file, *task.spec.also_files)]
        with_header = "without a header, with the columns" if file.headerless else "with the header"
        form += f" {with_header} {' or '.join(headers)}"
    rows = "one row per test item"
    if task.spec.test_size:
        rows += f"; the definition states {grouped(task.spec.test_size)} of them"
    return Question(
        title=f"Load gold labels of {task.title}",
        sentences=(
            f"{form}, {rows}. Its ids become the public ids of the task.",
            "Best is a file that `heldout seal` made on your machine: the web server never sees its labels, and a "
            "worker looks into it.",
            "The labels of any other file are sealed to the scorer's key the moment they arrive. The web server "
            "cannot read them again, so keep your own copy of the file.",
            "Scores under the new version are made with the next batch and shown with the next release.",
        ),
        button="Seal and load",
    )


def _load(
    *, task: Task, data: bytes, file_name: str, split: str = "", **given: Any
) -> Loaded | SealedDelivery:
    if is_sealed_gold(data):
        about = {key: given[key] for key in ("now", "user", "show_class_counts", "note")}
        return hand_in(task=task, data=data, **about)
    options = {key: given[key] for key in ("now", "user", "show_class_counts", "note", "confirm_clues")}
    slug = split or _usual_split(task.spec)
    return load_gold(task=task, data=data, file_name=file_name, split_slug=slug, **options)


def _loaded(task: Task, loaded: Loaded | SealedDelivery) -> Done:
    if isinstance(loaded, SealedDelivery):
        return Done(
            f"Sealed gold labels of {counted(len(loaded.ids), 'item')} were handed in, commitment {loaded.commitment}. "
            "A worker looks into them within a minute; what comes of it stands below.",
            f"Handed in sealed gold labels, commitment {loaded.commitment}.",
        )
    version = loaded.version
    return Done(
        f"Gold version {version.number} was sealed: {loaded.items_in_words}, commitment {version.commitment}.",
        loaded.sentence,
        also=[(messages.WARNING, warning) for warning in loaded.warnings],
    )


def _deliveries_table(task: Task) -> Table:
    """The sealed files that were handed in, below a task's page, and what came of each."""
    deliveries = task.sealed_deliveries.select_related("handed_in_by").defer("sealed", "ids")
    return Table(
        "Sealed files",
        ("For", "Handed in", "By", "Commitment", "What came of it"),
        [
            (
                delivery.split_slug,
                in_words(delivery.handed_in_at),
                delivery.handed_in_by or "manage.py",
                delivery.commitment[:12] + "…",
                delivery.told,
            )
            for delivery in deliveries
        ],
        empty="No sealed file was handed in.",
    )


class TaskAdmin(OrganisedAdmin):
    """A task as its definition states it, with the history of its gold labels. Registered where its wizard is."""

    benchmark_path = "benchmark"
    annotations = {
        "gold": Subquery(
            GoldVersion.objects.filter(split__task=OuterRef("pk"), split__slug="test")
            .order_by("-number")
            .values("number")[:1]
        )
    }
    list_display = ("title", "name", "benchmark", "version", "retired", "gold")
    list_select_related = ("benchmark",)
    list_filter = ("is_retired", ("benchmark", admin.RelatedOnlyFieldListFilter))
    search_fields = ("slug", "title")
    fields = ("benchmark", "name", "title", "version", "retired", "file_written_as", "labels")
    actions_detail = (
        "load_gold",
        "load_texts",
        "make_attack",
        "load_pairs",
        "load_responses",
        "renew_items",
        "draw_round",
    )
    load_gold = Ask(
        label="Load gold labels",
        icon="lock",
        variant=ActionVariant.PRIMARY,
        question=_question,
        form=GoldForm,
        given=of_task,
        do=_load,
        done=_loaded,
        refused=(GoldRefused,),
        unforeseen=lambda task, error: unforeseen(f"loading gold of {task}", error),
        confirms_identity=True,
    )
    load_texts = LOAD_TEXTS
    make_attack = MAKE_ATTACK
    load_pairs = LOAD_PAIRS
    load_responses = LOAD_RESPONSES
    renew_items = RENEW_ITEMS
    draw_round = DRAW_ROUND

    name = column("id", "slug", ordering="slug")
    gold = column(
        "gold version", lambda task: "none yet" if task.gold is None else task.gold, ordering="gold"
    )
    retired = column(
        "retired",
        lambda task: "yes: the definition no longer names it" if task.is_retired else "no",
        ordering="is_retired",
    )

    @admin.display(description="file")
    def file_written_as(self, task: Task) -> str:
        if task.is_retired:
            return "not known any more"
        file = task.spec.file
        with_header = "without a header, in each row" if file.headerless else "with the header"
        return f"{file.path} ({file.layout}, {file.encoding}) {with_header} {file.header_line}"

    @admin.display(description="possible labels")
    def labels(self, task: Task) -> str:
        if task.is_retired:
            return "not known any more"
        return ", ".join(task.spec.output.labels) or task.spec.output.describe()

    def tables(self, request: HttpRequest, row: Any) -> list[Table]:
        versions = GoldVersion.objects.filter(split__task=row).select_related("split", "loaded_by")
        gold = Table(
            "Gold versions",
            ("Version", "Loaded", "By", "Items", "Commitment", "Note"),
            [
                (
                    link(version, f"{version.split.slug} {version.number}"),
                    in_words(version.loaded_at),
                    version.loaded_by or "manage.py",
                    grouped(version.item_count),
                    version.commitment[:12] + "…",
                    version.note,
                )
                for version in versions
            ],
            empty="No gold labels are loaded yet.",
        )
        return [gold, _deliveries_table(row), responses_table(row), texts_table(row)]


@admin.register(GoldVersion)
class GoldVersionAdmin(OrganisedAdmin):
    """What may be known of sealed gold labels."""

    read_right = Right.GOLD
    benchmark_path = "split__task__benchmark"
    related = ("split__task",)
    list_display = ("split", "number", "item_count", "loaded_at", "loaded_by", "note")
    list_select_related = ("split__task", "loaded_by")
    list_filter = (("split__task__benchmark", admin.RelatedOnlyFieldListFilter),)
    search_fields = ("split__task__slug", "split__task__title", "note")
    fields = (
        ("split", "number"),
        ("task_version", "item_count"),
        ("loaded_by_name", "loaded_at"),
        "note",
        "commitment_in_parts",
        "key_fingerprint",
        "counts",
    )

    commitment_in_parts = column(
        "commitment (salted SHA-256: proves later that gold never changed)",
        lambda version: digest(version.commitment),
    )
    loaded_by_name = column("loaded by", "loaded_by", empty="manage.py")

    @admin.display(description="class counts")
    def counts(self, version: GoldVersion) -> str:
        if version.class_counts is None:
            return "not shown"
        return ", ".join(f"{label}: {grouped(count)}" for label, count in version.class_counts.items())

    def tables(self, request: HttpRequest, row: Any) -> list[Table]:
        counts = [
            (list_link(ScoringRun, status.label, gold_version__exact=row.pk, status__exact=status), number)
            for status in ScoringRun.Status
            if (number := row.runs.filter(status=status).count())
        ]
        return [Table("Scoring runs under this version", ("Status", "Runs"), counts)]
