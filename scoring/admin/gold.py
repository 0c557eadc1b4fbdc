"""Tasks and their gold labels in the admin. Labels go in and are sealed; no page shows one again."""

from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.safestring import SafeString
from django.views.decorators.debug import sensitive_variables
from unfold.widgets import (
    UnfoldAdminFileFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from accounts.admin_look import ActionVariant, button
from accounts.formats.instants import in_words
from accounts.formats.numbers import grouped
from accounts.models import User
from accounts.server.clock import database_now
from benchmarks.admin.base import OrganisedAdmin, Question, Table, address, digest, link, list_link
from benchmarks.models import Task
from benchmarks.spec import TaskSpec
from scoring.admin.item_sets.attacks import HasTexts, texts_table
from scoring.admin.item_sets.equity import LoadsPairs
from scoring.admin.item_sets.next_round import DrawsRounds
from scoring.admin.item_sets.responses import LoadsResponses, responses_table
from scoring.admin.new_task.wizard import MakesTasks
from scoring.file_refusal import unforeseen
from scoring.gold.versions import GoldRefused, Loaded, load_gold
from scoring.item_sets.texts import TEST
from scoring.models import GoldVersion, ScoringRun


class GoldForm(forms.Form):
    """A gold file and what may be told of it. Where a task has several sets of items, which of them it is of."""

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

    def __init__(self, task: TaskSpec, *args: Any) -> None:
        super().__init__(*args)
        named = [(split.id, split.title) for split in task.gold_splits]
        has_test = TEST in dict(named)
        self.default = TEST if has_test else named[0][0]
        field = cast(forms.ChoiceField, self.fields["split"])
        field.choices, field.initial, field.required = named, self.default, not has_test
        if len(named) == 1:
            del self.fields["split"]


@admin.register(Task)
class TaskAdmin(MakesTasks, DrawsRounds, LoadsResponses, HasTexts, LoadsPairs, OrganisedAdmin):
    """A task as its definition states it, with the history of its gold labels."""

    benchmark_path = "benchmark"
    list_display = ("title", "slug", "benchmark", "version", "retired", "gold")
    list_select_related = ("benchmark",)
    list_filter = ("is_retired", ("benchmark", admin.RelatedOnlyFieldListFilter))
    search_fields = ("slug", "title")
    fields = ("benchmark", "slug", "title", "version", "retired", "file_written_as", "labels")
    actions_detail = ("load_gold", "load_texts", "make_attack", "load_pairs", "load_responses", "draw_round")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        versions = GoldVersion.objects.filter(split__task=OuterRef("pk"), split__slug="test")
        newest = Subquery(versions.order_by("-number").values("number")[:1])
        rows: QuerySet[Any] = super().get_queryset(request).annotate(gold=newest)
        return rows

    @admin.display(description="gold version", ordering="gold")
    def gold(self, task: Any) -> int | str:
        number: int | None = task.gold
        return "none yet" if number is None else number

    @admin.display(description="retired", ordering="is_retired")
    def retired(self, task: Task) -> str:
        return "yes: the definition no longer names it" if task.is_retired else "no"

    @admin.display(description="file")
    def file_written_as(self, task: Task) -> str:
        if task.is_retired:
            return "not known any more"
        file = task.spec.file
        return f"{file.path} ({file.layout}, {file.encoding}) with the header {file.header_line}"

    @admin.display(description="possible labels")
    def labels(self, task: Task) -> str:
        if task.is_retired:
            return "not known any more"
        return ", ".join(task.spec.output.labels) or task.spec.output.describe()

    def tables(self, request: HttpRequest, row: Any) -> list[Table]:
        versions = GoldVersion.objects.filter(split__task=row).select_related("split", "loaded_by")
        rows = [
            (
                link(one, f"{one.split.slug} {one.number}"),
                in_words(one.loaded_at),
                one.loaded_by or "manage.py",
                grouped(one.item_count),
                one.commitment[:12] + "…",
                one.note,
            )
            for one in versions
        ]
        headers = (
            "Version",
            "Loaded",
            "By",
            "Items",
            "Commitment",
            "Note",
        )
        gold = Table("Gold versions", headers, rows, empty="No gold labels are loaded yet.")
        return [gold, responses_table(row), texts_table(row)]

    @button("Load gold labels", icon="lock", variant=ActionVariant.PRIMARY)
    def load_gold(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Take a gold file, or say what is wrong with it without repeating a word of it."""
        task = self.task_or_404(request, object_id)
        form = GoldForm(task.spec, request.POST or None, request.FILES or None)
        problems: tuple[str, ...] = ()
        if request.method == "POST" and form.is_valid():
            loaded, problems = _load(task, form, cast(User, request.user))
            if loaded:
                _tell(request, loaded)
                self.log_change(
                    request,
                    task,
                    f"Loaded gold version {loaded.version.number}.",
                )
                return HttpResponseRedirect(address(task))
        return self.ask(request, _question(task, form, problems), row=task)


def _form(task: TaskSpec) -> str:
    file = task.gold
    if file.layout.is_table:
        headers = [", ".join(one.header) for one in (file, *task.also_files)]
        return f"A {file.layout.title} file with the header {' or '.join(headers)}"
    return f"A {file.layout.title} file"


def _question(task: Task, form: GoldForm, problems: tuple[str, ...]) -> Question:
    if task.spec.test_size:
        rows = f"one row per test item; the definition states {grouped(task.spec.test_size)} of them"
    else:
        rows = "one row per test item"
    return Question(
        title=f"Load gold labels of {task.title}",
        sentences=(
            f"{_form(task.spec)}, {rows}. Its ids become the public ids of the task.",
            (
                "The labels are sealed to the scorer's key the moment they arrive. The web server cannot "
                "read them again, so keep your own copy of the file."
            ),
            "Scores under the new version are made with the next batch and shown with the next release.",
        ),
        button="Seal and load",
        form=form,
        problems=problems,
    )


@sensitive_variables()
def _load(task: Task, form: GoldForm, user: User) -> tuple[Loaded | None, tuple[str, ...]]:
    """What was loaded, or the sentences that say why nothing was."""
    upload = form.cleaned_data["file"]
    try:
        loaded = load_gold(
            task=task,
            data=upload.read(),
            file_name=upload.name,
            now=database_now(),
            user=user,
            show_class_counts=form.cleaned_data["show_class_counts"],
            note=form.cleaned_data["note"],
            split_slug=form.cleaned_data.get("split") or form.default,
        )
    except GoldRefused as refused:
        return None, refused.sentences
    except Exception as error:  # noqa: BLE001  # its message or traceback could hold labels
        return None, (unforeseen(f"loading gold of {task}", error),)
    return loaded, ()


def _tell(request: HttpRequest, loaded: Loaded) -> None:
    version = loaded.version
    messages.success(
        request,
        f"Gold version {version.number} was sealed: {grouped(version.item_count)} items, commitment "
        f"{version.commitment}.",
    )
    for warning in loaded.warnings:
        messages.warning(request, warning)


@admin.register(GoldVersion)
class GoldVersionAdmin(OrganisedAdmin):
    """What may be known of sealed gold labels."""

    benchmark_path = "split__task__benchmark"
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

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).select_related("split__task")

    @admin.display(description="commitment (salted SHA-256: proves later that gold never changed)")
    def commitment_in_parts(self, version: GoldVersion) -> SafeString:
        return digest(version.commitment)

    @admin.display(description="loaded by", empty_value="manage.py")
    def loaded_by_name(self, version: GoldVersion) -> str | None:
        return str(version.loaded_by) if version.loaded_by else None

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
