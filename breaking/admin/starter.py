"""Starter data in the admin: what breakers may start from, public with its labels."""

from typing import Any, cast

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

from accounts.formats.numbers import grouped
from accounts.models import User
from accounts.server.clock import database_now
from benchmarks.admin.base import OrganisedAdmin, Question, address, may_organise
from breaking.admin.sets import TaskForm, ask_on_add_page, tasks_of_pairs
from breaking.models import StarterData
from breaking.pairs.starter_data import StarterRefused, load_starter


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

    def has_add_permission(self, request: HttpRequest) -> bool:
        return may_organise(request)

    @admin.display(description="columns")
    def columns(self, starter: StarterData) -> str:
        return ", ".join(starter.header)

    @admin.display(description="loaded by", empty_value="manage.py")
    def loaded_by_name(self, starter: StarterData) -> str | None:
        return str(starter.loaded_by) if starter.loaded_by else None

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """Take a file of starter data, or say what is wrong with it."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = TaskForm(tasks_of_pairs(request), request.POST or None, request.FILES or None)
        problems: tuple[str, ...] = ()
        if request.method == "POST" and form.is_valid():
            file = form.cleaned_data["file"]
            try:
                starter = load_starter(
                    task=form.cleaned_data["task"],
                    data=file.read(),
                    file_name=file.name,
                    now=database_now(),
                    user=cast(User, request.user),
                )
            except StarterRefused as refused:
                problems = refused.sentences
            else:
                messages.success(
                    request,
                    f"{starter}: {grouped(starter.item_count)} sentences.",
                )
                self.log_addition(request, starter, f"Loaded, SHA-256 {starter.sha256}.")
                return HttpResponseRedirect(address(starter))
        question = Question(
            title="Load starter data",
            sentences=(
                (
                    "The sentences that breakers change, with their labels: a table with the columns id, "
                    "text and label, and perhaps more that a changed sentence keeps, such as predicate and "
                    "question."
                ),
                (
                    "Everybody may download it, labels and all, from now on. See that its licence allows "
                    "this, and that no sentence of it is one of the development data."
                ),
                "Once pairs rest on it, it cannot be replaced.",
            ),
            button="Load",
            form=form,
            problems=problems,
        )
        return ask_on_add_page(self, request, question)
