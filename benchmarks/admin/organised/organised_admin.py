"""What the admin's pages have in common: organisers see their own benchmarks, and history stays."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.utils import unquote
from django.core.checks import CheckMessage, Error
from django.core.exceptions import PermissionDenied
from django.db.models import Model, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse

from accounts.admin_look import coloured
from accounts.audit.admin import Audited
from accounts.formats.instants import in_words
from accounts.models import AuditEntry
from benchmarks.admin.organised.links import address
from benchmarks.admin.organised.stale_forms import refusing_stale
from benchmarks.models import Benchmark
from benchmarks.people.request_rights import is_superuser, may_run, organised, slugs_with
from benchmarks.people.rights import Right

# What may follow a filter's field in a query string; see `OrganisedAdmin.lookup_allowed`.
_LOOKUPS = frozenset({"exact", "isnull", "isempty", "gte", "lt", "id", "slug"})


@dataclass(frozen=True, slots=True)
class Table:
    """A small table below an admin page: cells are text or safe links."""

    title: str
    headers: Sequence[str]
    rows: Sequence[Sequence[Any]]
    empty: str = ""  # what stands there without rows; “Nothing yet.” where it does not say
    is_wide: bool = False  # scrolls sideways rather than breaking lines


@dataclass(frozen=True, slots=True)
class Question:
    """A page that says what a button does before it is done; nothing happens without its POST."""

    title: str
    sentences: Sequence[str]
    button: str
    form: forms.Form | None = None
    is_grave: bool = False
    problems: Sequence[str] = ()
    tables: Sequence[Table] = ()
    leads_on: bool = False  # to a second question, which then asks why

    @property
    def asks_why(self) -> bool:
        """Whether the page asks for a reason by itself; some forms ask for a public one."""
        if self.leads_on:
            return False
        return self.form is None or not {"reason", "note"} & set(self.form.fields)


class OrganisedAdmin(Audited):
    """An admin page whose rows belong to benchmarks. Read-only unless `is_editable`; never adds, never deletes.

    Superusers see every row, others only those of benchmarks in which their role has `read_right`, and they change
    and press only where it has the right to run it. Django's own permission rows play no part.
    """

    read_right = Right.READ

    benchmark_path = ""  # the lookup from a row to its benchmark; empty where rows belong to several
    is_editable = False
    may_add = False
    linked_lookups: Sequence[str] = ()  # query strings that our own links use beside the filters
    related: Sequence[str] = ()  # rows of other tables that every page fetches along
    annotations: Mapping[str, Any] = {}  # what the database counts for every page
    unread_columns: Sequence[str] = ()  # large or sealed columns that no page here fetches
    list_per_page = 50
    show_full_result_count = False
    view_on_site = False  # pages that show more than the admin does are linked in words
    change_form_after_template = "admin/_tables.html"
    list_before_template = "admin/_made_from.html"
    made_from: Any = ""  # how rows come about that a button on another page makes

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: QuerySet[Any] = super().get_queryset(request).annotate(**self.annotations)
        rows = rows.select_related(*self.related) if self.related else rows
        rows = rows.defer(*self.unread_columns)
        return rows if is_superuser(request) else self.of_benchmarks(rows, self.readable_slugs(request))

    def readable_slugs(self, request: HttpRequest) -> frozenset[str]:
        """The benchmarks whose rows whoever asks may see on this page."""
        return slugs_with(request, self.read_right)

    def may(self, request: HttpRequest, right: Right, rows: Sequence[Any]) -> bool:
        """Whether whoever asks has a right in a benchmark of each of these rows."""
        if is_superuser(request):
            return True
        keys = {row.pk for row in rows}
        of_model: QuerySet[Any] = self.model._default_manager.filter(pk__in=keys)  # noqa: SLF001  # documented by Django
        found = self.of_benchmarks(of_model, slugs_with(request, right)).values_list("pk", flat=True)
        return keys == set(found)

    def of_benchmarks(self, rows: QuerySet[Any], slugs: frozenset[str]) -> QuerySet[Any]:
        """Those of `rows` that belong to these benchmarks."""
        return rows.filter(**{f"{self.benchmark_path}__in": slugs})

    def benchmark_of(self, row: Any) -> str:
        for name in self.benchmark_path.split("__"):
            row = getattr(row, name, "")
        return str(getattr(row, "pk", row))

    def entries_for(self, request: HttpRequest, row: Any) -> QuerySet[AuditEntry]:
        """Of a row that belongs to several benchmarks: one's own lines, and those of benchmarks that one reads."""
        entries = super().entries_for(request, row)
        if self.benchmark_path or is_superuser(request):
            return entries
        return entries.filter(Q(actor=request.user) | Q(benchmark__in=self.readable_slugs(request)))

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        form = super().get_form(request, obj, change, **kwargs)
        return form if obj is None else refusing_stale(form)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return is_superuser(request) or bool(self.readable_slugs(request))

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return self.has_module_permission(request) and (
            obj is None or self.may(request, self.read_right, [obj])
        )

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        if not self.is_editable or not self.has_view_permission(request, obj):
            return False
        return may_run(request) if obj is None else self.may(request, Right.RUN, [obj])

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self.may_add and may_run(request)

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """A row is added to a benchmark that whoever adds it runs."""
        if db_field.name == "benchmark":
            kwargs["queryset"] = Benchmark.objects.filter(pk__in=organised(request))
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Only the filters that the page itself offers.

        Django lets a query string compare any column of the model; letter by letter, that would answer
        questions about what no page shows.
        """
        offered = [*self.linked_lookups, *map(_parameter, self.get_list_filter(request or HttpRequest()))]
        return any(_asks_for(lookup, field) for field in offered)

    def _changeform_view(
        self, request: HttpRequest, object_id: str | None, form_url: str, extra_context: Any
    ) -> HttpResponse:
        """Django's, in a transaction. Of two who save a row at once, one waits and is told that it was changed."""
        row = self.get_object(request, unquote(object_id)) if request.method == "POST" and object_id else None
        if row is not None:
            rows: QuerySet[Any] = self.model._base_manager.filter(pk=row.pk)  # noqa: SLF001  # documented by Django
            rows.select_for_update(no_key=True).only("pk").get()
        answer: HttpResponse = super()._changeform_view(  # type: ignore[misc]  # the stubs do not have it
            request, object_id, form_url, extra_context
        )
        return answer

    def _get_obj_does_not_exist_redirect(self, *args: Any) -> HttpResponse:
        """Another organiser's row and one that never was look alike."""
        raise Http404

    def row_or_404(self, request: HttpRequest, object_id: str, right: Right = Right.RUN) -> Any:
        """The row that a button was pressed for, in whose benchmark whoever pressed it has that right.

        Raises
        ------
        PermissionDenied, Http404
            If the person's role does not have the right, or they have none here.
        """
        if not self.has_view_permission(request):
            raise PermissionDenied
        row = self.get_object(request, unquote(object_id))
        if row is None:
            raise Http404
        if not self.may(request, right, [row]):
            raise PermissionDenied
        return row

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        """What the audit log knows of a row is for those who run its benchmark."""
        row = self.get_object(request, unquote(object_id))
        if row is not None and not self.may(request, Right.RUN, [row]):
            raise PermissionDenied
        return super().history_view(request, object_id, extra_context)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        return super().get_actions(request) if may_run(request) else {}

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> list[Any]:
        """The buttons of a row, without those that could do nothing for it, or not for whoever asks."""
        buttons = super().get_actions_detail(request, object_id)
        row = self.get_object(request, unquote(object_id)) if buttons else None
        if row is None:
            return []
        may_change = self.has_change_permission(request, row)
        held = {right for right in Right if self.may(request, right, [row])}

        def is_offered(ask: Any) -> bool:
            if ask is None:
                return Right.RUN in held
            if ask.right not in held or (ask.changes_row and not may_change):
                return False
            return ask.shown is None or bool(ask.shown(row))

        return [one for one in buttons if is_offered(getattr(one.method, "ask", None))]

    def buttons_of(self, request: HttpRequest, row: Model) -> frozenset[str]:
        """The names of the buttons that a row has for whoever asks."""
        return frozenset(one.path for one in self.get_actions_detail(request, row.pk))

    def check(self, **kwargs: Any) -> list[CheckMessage]:
        """Django's own checks, and those of what is declared here."""
        found = super().check(**kwargs)
        for name in dir(type(self)):
            declared = getattr(type(self), name, None)
            if ask := getattr(declared, "ask", None):
                found += ask.check(self, name)
            path = getattr(declared, "path", None)
            if isinstance(path, str) and not _leads(self.model, path):
                found.append(Error(f"{type(self).__name__}.{name}: {path} leads nowhere.", id="heldout.E003"))
        return found

    def tables(self, request: HttpRequest, row: Any) -> Sequence[Table]:
        """What stands below a row's fields."""
        return ()

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        row = context.get("original")
        context["tables"] = self.tables(request, row) if row else ()
        return super().render_change_form(request, context, *args, **kwargs)

    def get_list_filter(self, request: HttpRequest) -> list[Any]:
        """With that of the benchmark, which the links of its home use; shown to whoever runs several."""
        named = list(super().get_list_filter(request))
        path = self.benchmark_path
        known = {_parameter(one) for one in named}
        if path in ("", "pk") or path in known:
            return named
        return [(path, admin.RelatedOnlyFieldListFilter), *named]

    def _frame(self, request: HttpRequest) -> dict[str, Any]:
        """What stands around a page; whoever has no role yet sees in the sidebar what they may begin."""
        site: Any = self.admin_site
        frame = {**site.each_context(request), "opts": self.opts}
        if not site.has_permission(request):
            frame["sidebar_navigation"] = site.get_sidebar_list(request)
        return frame

    def drawn(self, request: HttpRequest, template: str, *, title: str, **shown: Any) -> TemplateResponse:
        """A page of ours within the frame of the admin."""
        context = {**self._frame(request), "title": title, **shown}
        return TemplateResponse(request, template, context)

    def ask(
        self,
        request: HttpRequest,
        question: Question,
        *,
        row: Model | None = None,
        selected: Sequence[Model] = (),
        action: str = "",
        back: str = "",
    ) -> TemplateResponse:
        """Show a question about one row, or about the rows selected for an action of the list."""
        context = {
            **self._frame(request),
            "title": question.title,
            "original": row,
            "question": question,
            "back": back or (address(row) if row else request.get_full_path()),
            "selected": [one.pk for one in selected],
            "selected_name": ACTION_CHECKBOX_NAME,
            "action": action,
        }
        return TemplateResponse(request, "admin/ask.html", context)


def column(
    heading: str,
    value: str | Callable[[Any], Any],
    *,
    ordering: Any = None,
    empty: str | None = None,
    colours: Mapping[str, str] | None = None,
) -> Callable[[Any, Any], Any]:
    """A column or field of a page: where a dotted path leads from a row, or what a function makes of it."""
    get = attrgetter(value) if isinstance(value, str) else value

    def shown(page: OrganisedAdmin, row: Any) -> Any:
        found = get(row)
        # Django writes the instants of fields in words, and of functions only in lists.
        return in_words(found) if isinstance(found, dt.datetime) else found

    if isinstance(value, str):
        vars(shown)["path"] = value
    if colours:
        return coloured(heading, colours, ordering=ordering)(shown)
    return admin.display(description=heading, ordering=ordering, empty_value=empty)(shown)


def _leads(model: Any, path: str) -> bool:
    """Whether a dotted path resolves, as far as fields know what they lead to."""
    for name in path.split("."):
        if not hasattr(model, name):
            return False
        field = getattr(getattr(model, name), "field", None)
        model = getattr(field, "related_model", None)
        if model is None:
            break
    return True


def was_confirmed(request: HttpRequest) -> bool:
    """Whether the button of a question was pressed."""
    return request.method == "POST" and "confirmed" in request.POST


def _parameter(filter_item: Any) -> str:
    if isinstance(filter_item, type):
        return str(getattr(filter_item, "parameter_name", ""))
    return str(filter_item[0] if isinstance(filter_item, tuple | list) else filter_item)


def _asks_for(lookup: str, field: str) -> bool:
    if lookup == field:
        return True
    return lookup.startswith(f"{field}__") and _LOOKUPS.issuperset(
        lookup.removeprefix(f"{field}__").split("__")
    )


if TYPE_CHECKING:
    AdminMixin = OrganisedAdmin
else:
    AdminMixin = object
"""What a class extends that adds pages or buttons to an `OrganisedAdmin` beside which it stands as a base."""
