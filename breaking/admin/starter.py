"""Starter data in the admin: what breakers may start from, public with its labels."""

from django.contrib import admin

from accounts.formats.numbers import grouped
from benchmarks.admin.asks import Adding, Ask, Done
from benchmarks.admin.organised.organised_admin import OrganisedAdmin, Question, column
from breaking.admin.sets import TaskForm, tasks_of_pairs
from breaking.models import StarterData
from breaking.pairs.starter_data import load_starter
from scoring.file_refusal import FileRefused


@admin.register(StarterData)
class StarterDataAdmin(OrganisedAdmin):
    """Loaded as a whole, and not replaced once pairs rest on it."""

    benchmark_path = "task__benchmark"
    unread_columns = ("packed",)
    list_display = ("task", "item_count", "columns", "file_name", "loaded_at")
    list_select_related = ("task",)
    list_filter = (("task__benchmark", admin.RelatedOnlyFieldListFilter),)
    search_fields = ("task__slug", "task__title")
    fields = (("task", "item_count"), "columns", "file_name", ("loaded_by_name", "loaded_at"), "sha256")

    columns = column("columns", lambda starter: ", ".join(starter.header))
    loaded_by_name = column("loaded by", "loaded_by", empty="manage.py")
    adding = Adding(
        Ask(
            question=Question(
                title="Load starter data",
                sentences=(
                    "The sentences that breakers change, with their labels: a table with the columns id, "
                    "text and label, and perhaps more that a changed sentence keeps, such as predicate and "
                    "question.",
                    "Everybody may download it, labels and all, from now on. See that its licence allows "
                    "this, and that no sentence of it is one of the development data.",
                    "Once pairs rest on it, it cannot be replaced.",
                ),
                button="Load",
            ),
            form=TaskForm,
            given=lambda request: {"tasks": tasks_of_pairs(request)},
            do=load_starter,
            done=lambda request, starter: Done(
                f"{starter}: {grouped(starter.item_count)} sentences.",
                f"Loaded, SHA-256 {starter.sha256}.",
                leads_to=starter,
            ),
            refused=(FileRefused,),
        )
    )
