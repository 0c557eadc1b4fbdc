"""Responses in the admin: loaded for a task's split, and what may be counted in them."""

import datetime as dt
from collections.abc import Mapping
from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.http import HttpRequest
from unfold.widgets import UnfoldAdminFileFieldWidget, UnfoldAdminSelectWidget, UnfoldBooleanWidget

from accounts.formats.numbers import decimal, grouped, percent
from accounts.models import User
from benchmarks.admin.asks import Ask, Done
from benchmarks.admin.organised.links import digest, link
from benchmarks.admin.organised.organised_admin import OrganisedAdmin, Question, Table, column
from benchmarks.models import Task
from benchmarks.people.rights import Right
from scoring.admin.item_sets.attacks import of_task
from scoring.file_refusal import FileRefused, unforeseen
from scoring.gold.responses import LoadedResponses, load_responses
from scoring.models import ResponseSet
from submissions.intake.tables.responses import RESPONSES_PER_ITEM


def clues_are_known() -> forms.BooleanField:
    """The tick of an organiser who loads labels that ids, their order or texts tell of."""
    return forms.BooleanField(
        label="Clues are known",
        required=False,
        widget=UnfoldBooleanWidget,
        help_text="Load the labels although they can be guessed from ids, their order or texts. Leave it off: you "
        "are told what can be guessed before anything is loaded.",
    )


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

    confirm_clues = clues_are_known()

    def __init__(self, *args: Any, task: Task, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [(split.id, split.title) for split in task.spec.gold_splits]
        cast(forms.ChoiceField, self.fields["split"]).choices = choices


def _load(
    *,
    task: Task,
    split: str,
    data: bytes,
    file_name: str,
    confirm_clues: bool,
    user: User,
    now: dt.datetime,
) -> LoadedResponses:
    return load_responses(
        task=task,
        split_slug=split,
        data=data,
        file_name=file_name,
        user=user,
        now=now,
        confirm_clues=confirm_clues,
    )


def _loaded(task: Task, loaded: LoadedResponses) -> Done:
    successes = [(messages.SUCCESS, sentence) for sentence in loaded.sentences]
    warned = [(messages.WARNING, warning) for warning in loaded.warnings]
    return Done(log=loaded.sentence, also=successes + warned, leads_to=loaded.responses)


def _question(task: Task) -> Question:
    labels = ", ".join(task.spec.output.labels)
    return Question(
        title=f"Load responses for {task.title}",
        sentences=(
            f"One item a line, with {RESPONSES_PER_ITEM} responses by as many workers. What at least "
            "three of them say becomes its gold label; items without such a majority, or with one on "
            f"none of the labels ({labels or 'this task has none'}), are left out of the split and counted.",
            "The file is sealed to the scorer's key the moment it arrives, and so are the gold "
            "labels. The web server cannot read them again, so keep your own copy. What stays "
            "readable are counts: classes, agreement, workers and the human estimate, which the next "
            "release shows as a row of the board.",
        ),
        button="Seal and load",
    )


LOAD_RESPONSES = Ask(
    label="Load responses",
    icon="how_to_vote",
    question=_question,
    form=ResponsesForm,
    given=of_task,
    do=_load,
    done=_loaded,
    refused=(FileRefused,),
    unforeseen=lambda task, error: unforeseen(f"loading responses of {task}", error),
)


def responses_table(task: Task) -> Table:
    """The files of responses that were loaded, below a task's page."""
    response_sets = ResponseSet.objects.filter(split__task=task).select_related("split", "gold_version")
    return Table(
        "Responses",
        ("Version", "Items", "With a gold label", "Fleiss kappa", "Human estimate"),
        [
            (
                link(responses, f"{responses.split.slug} {responses.number}"),
                grouped(responses.item_count),
                grouped(responses.human["items"]),
                _decimal(responses.report["kappa"]),
                _decimal(responses.human["macro"]["f1"]),
            )
            for responses in response_sets.defer("sealed")
        ],
        empty="No responses are loaded.",
    )


@admin.register(ResponseSet)
class ResponseSetAdmin(OrganisedAdmin):
    """What several workers' responses say, as far as it gives no gold label away."""

    read_right = Right.GOLD
    benchmark_path = "split__task__benchmark"
    related = ("split__task", "gold_version__split__task")
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

    gold = column("gold version", lambda row: link(row.gold_version, row.gold_version.number))
    in_split = column(
        "items with a gold label",
        lambda row: f"{grouped(row.human['items'])} ({grouped(row.response_count)} responses)",
    )
    kappa = column("Fleiss kappa", lambda row: _decimal(row.report["kappa"]))
    human_estimate = column("human estimate, F1 macro", lambda row: _decimal(row.human["macro"]["f1"]))
    beyond_rule = column(
        "workers beyond the 80 % rule", lambda row: ", ".join(row.report["beyond_rule"]) or "none"
    )
    commitment_in_parts = column(
        "commitment (salted SHA-256 of the file of responses)", lambda row: digest(row.commitment)
    )
    loaded_by_name = column("loaded by", "loaded_by", empty="manage.py")

    @admin.display(description="on the boards")
    def is_current(self, row: ResponseSet) -> str:
        if ResponseSet.objects.current().filter(pk=row.pk).exists():
            return "with the next release"
        return "no: newer responses or gold labels are loaded"

    @admin.display(description="workers who never disagree")
    def never_disagreeing(self, row: ResponseSet) -> str:
        share = row.report["never_disagreeing"]
        if share is None:
            return "no item has a majority"
        return f"{percent(share, 1)} of {grouped(len(row.report['workers']))} workers"

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
            Table(
                f"Human estimate: five synthetic annotators, seed {row.human['seed']}",
                ("Label", "Precision", "Recall", "F1", "95 % from", "to"),
                [
                    (
                        name,
                        *map(_decimal, map(scores.get, ("precision", "recall", "f1", "f1_low", "f1_high"))),
                    )
                    for name, scores in {**row.human["labels"], "mean": row.human["macro"]}.items()
                ],
            ),
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


def _workers_table(workers: list[dict[str, Any]]) -> Table:
    rows = [
        (
            worker["worker"],
            grouped(worker["responses"]),
            grouped(worker["compared"]),
            grouped(worker["agreed"]),
            percent(worker["agreed"] / worker["compared"], 1) if worker["compared"] else None,
        )
        for worker in workers
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
