"""Responses in the admin: loaded for a task's split, and what may be counted in them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.safestring import SafeString
from django.views.decorators.debug import sensitive_variables
from unfold.widgets import UnfoldAdminFileFieldWidget, UnfoldAdminSelectWidget

from accounts.admin_look import button
from accounts.formats.numbers import decimal, grouped, percent
from accounts.models import User
from accounts.server.clock import database_now
from benchmarks.admin.base import OrganisedAdmin, Question, Table, address, digest, link
from benchmarks.models import Task
from scoring.admin.item_sets.attacks import HasTexts
from scoring.file_refusal import FileRefused, unforeseen
from scoring.gold.responses import LoadedResponses, load_responses
from scoring.models import ResponseSet
from submissions.intake.tables.responses import RESPONSES_PER_ITEM


class ResponsesForm(forms.Form):
    """A file of responses and the split that they are for."""

    split = forms.ChoiceField(widget=UnfoldAdminSelectWidget, help_text="What the items are for.")
    file = forms.FileField(
        label="File of responses",
        allow_empty_file=True,
        widget=UnfoldAdminFileFieldWidget,
        help_text="JSON lines in UTF-8: text_id (or the id key of the gold file), sentence, and "
        "label_distribution, which gives for each category the list of workers who chose it: "
        '{"positive": ["w1", "w2"], …}.',
    )

    def __init__(self, *args: Any, task: Task, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [(split.id, split.title) for split in task.spec.gold_splits]
        cast(forms.ChoiceField, self.fields["split"]).choices = choices


if TYPE_CHECKING:
    Base = HasTexts
else:
    Base = object


class LoadsResponses(Base):
    """A button on a task's page that takes a file of responses."""

    @button("Load responses", icon="how_to_vote")
    def load_responses(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Take a file of responses, or say what is wrong with it without repeating an answer."""
        task = self.task_or_404(request, object_id)
        form = ResponsesForm(request.POST or None, request.FILES or None, task=task)
        problems: tuple[str, ...] = ()
        if request.method == "POST" and form.is_valid():
            loaded, problems = _load(task, form, cast(User, request.user))
            if loaded:
                for sentence in loaded.sentences:
                    messages.success(request, sentence)
                for warning in loaded.warnings:
                    messages.warning(request, warning)
                self.log_change(request, task, f"Loaded {loaded.responses}.")
                return HttpResponseRedirect(address(loaded.responses))
        return self.ask(request, _question(task, form, problems), row=task)


@sensitive_variables()
def _load(task: Task, form: ResponsesForm, user: User) -> tuple[LoadedResponses | None, tuple[str, ...]]:
    """What was loaded, or the sentences that say why nothing was."""
    upload = form.cleaned_data["file"]
    try:
        loaded = load_responses(
            task=task,
            split_slug=form.cleaned_data["split"],
            data=upload.read(),
            file_name=upload.name,
            now=database_now(),
            user=user,
        )
    except FileRefused as refused:
        return None, refused.sentences
    except Exception as error:  # noqa: BLE001  # its message or traceback could hold labels
        return None, (unforeseen(f"loading responses of {task}", error),)
    return loaded, ()


def _question(task: Task, form: ResponsesForm, problems: tuple[str, ...]) -> Question:
    labels = ", ".join(task.spec.output.labels)
    return Question(
        title=f"Load responses for {task.title}",
        sentences=(
            (
                f"One item a line, with {RESPONSES_PER_ITEM} responses by as many workers. What at least "
                "three of them say becomes its gold label; items without such a majority, or with one on "
                f"none of the labels ({labels or 'this task has none'}), are left out of the split and counted."
            ),
            (
                "The file is sealed to the scorer's key the moment it arrives, and so are the gold "
                "labels. The web server cannot read them again, so keep your own copy. What stays "
                "readable are counts: classes, agreement, workers and the human estimate, which the next "
                "release shows as a row of the board."
            ),
        ),
        button="Seal and load",
        form=form,
        problems=problems,
    )


def responses_table(task: Task) -> Table:
    """The files of responses that were loaded, below a task's page."""
    found = ResponseSet.objects.filter(split__task=task).select_related("split", "gold_version")
    rows = [
        (
            link(one, f"{one.split.slug} {one.number}"),
            grouped(one.item_count),
            grouped(one.human["items"]),
            _decimal(one.report["kappa"]),
            _decimal(one.human["macro"]["f1"]),
        )
        for one in found.defer("sealed")
    ]
    headers = (
        "Version",
        "Items",
        "With a gold label",
        "Fleiss kappa",
        "Human estimate",
    )
    return Table("Responses", headers, rows, empty="No responses are loaded.")


@admin.register(ResponseSet)
class ResponseSetAdmin(OrganisedAdmin):
    """What several workers' responses say, as far as it gives no gold label away."""

    benchmark_path = "split__task__benchmark"
    unread_columns = ("sealed",)
    list_display = ("split", "number", "item_count", "kappa", "human_estimate", "loaded_at")
    list_select_related = ("split__task",)
    list_filter = (("split__task__benchmark", admin.RelatedOnlyFieldListFilter),)
    search_fields = ("split__task__slug", "split__task__title")
    fields = (
        ("split", "number"),
        ("gold", "is_current"),
        ("item_count", "in_split"),
        ("kappa", "human_estimate"),
        ("never_disagreeing", "beyond_rule"),
        ("loaded_by_name", "loaded_at"),
        "file_name",
        "commitment_in_parts",
        "key_fingerprint",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows = super().get_queryset(request).select_related("split__task", "gold_version__split__task")
        found: QuerySet[Any] = rows.defer("sealed")
        return found

    @admin.display(description="gold version")
    def gold(self, row: ResponseSet) -> str:
        return link(row.gold_version, row.gold_version.number)

    @admin.display(description="on the boards")
    def is_current(self, row: ResponseSet) -> str:
        if ResponseSet.objects.current().filter(pk=row.pk).exists():
            return "with the next release"
        return "no: newer responses or gold labels are loaded"

    @admin.display(description="items with a gold label")
    def in_split(self, row: ResponseSet) -> str:
        return f"{grouped(row.human['items'])} ({grouped(row.response_count)} responses)"

    @admin.display(description="Fleiss kappa")
    def kappa(self, row: ResponseSet) -> str:
        return _decimal(row.report["kappa"])

    @admin.display(description="human estimate, F1 macro")
    def human_estimate(self, row: ResponseSet) -> str:
        return _decimal(row.human["macro"]["f1"])

    @admin.display(description="workers who never disagree")
    def never_disagreeing(self, row: ResponseSet) -> str:
        share = row.report["never_disagreeing"]
        if share is None:
            return "no item has a majority"
        worker_count = len(row.report["workers"])
        return f"{percent(share, 1)} of {grouped(worker_count)} workers"

    @admin.display(description="workers beyond the 80 % rule")
    def beyond_rule(self, row: ResponseSet) -> str:
        return ", ".join(row.report["beyond_rule"]) or "none"

    @admin.display(description="commitment (salted SHA-256 of the file of responses)")
    def commitment_in_parts(self, row: ResponseSet) -> SafeString:
        return digest(row.commitment)

    @admin.display(description="loaded by", empty_value="manage.py")
    def loaded_by_name(self, row: ResponseSet) -> str | None:
        return str(row.loaded_by) if row.loaded_by else None

    def tables(self, request: HttpRequest, row: Any) -> list[Table]:
        report = row.report
        again = report["to_collect_again"]
        return [
            _counts("Items by the label of most workers", "Label", report["classes"]),
            _counts("Distributional labels: all responses", "Category", report["responses"]),
            _counts(
                "Items by how many workers gave the commonest response",
                "Workers",
                report["largest"],
            ),
            _human_table(row.human),
            Table(
                f"Items to collect again: {grouped(len(again))}",
                ("Ids",),
                [(", ".join(again),)] if again else [],
                empty="No worker disagrees with the majority more than 80 % of the time.",
            ),
            _workers_table(report["workers"]),
        ]


def _counts(title: str, head: str, counts: Mapping[str, int]) -> Table:
    whole = sum(counts.values())
    rows = [(name, grouped(count), percent(count / whole, 1)) for name, count in counts.items()]
    return Table(title, (head, "Number", "Share"), rows)


def _human_table(human: Mapping[str, Any]) -> Table:
    lines = {**human["labels"], "mean": human["macro"]}
    rows = [
        (name, *(_decimal(scores[measure]) for measure in ("precision", "recall", "f1")))
        for name, scores in lines.items()
    ]
    title = f"Human estimate: five synthetic annotators, seed {human['seed']}"
    return Table(title, ("Label", "Precision", "Recall", "F1"), rows)


def _workers_table(workers: list[dict[str, Any]]) -> Table:
    rows = [
        (
            one["worker"],
            grouped(one["responses"]),
            grouped(one["compared"]),
            grouped(one["agreed"]),
            percent(one["agreed"] / one["compared"], 1) if one["compared"] else None,
        )
        for one in workers
    ]
    return Table(
        f"Workers: {grouped(len(workers))}",
        (
            "Worker",
            "Responses",
            "On items with a majority",
            "Agreeing with it",
            "Share",
        ),
        rows,
    )


def _decimal(value: float | None) -> str:
    return "undefined" if value is None else decimal(value, 3)
