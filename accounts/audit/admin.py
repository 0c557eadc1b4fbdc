"""Admin pages that write down in the audit log what is done on them, and show it per row."""

from typing import Any, cast
from weakref import WeakKeyDictionary

from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.utils import flatten_fieldsets, unquote
from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse

from accounts.admin_look import ModelAdmin
from accounts.audit import log
from accounts.models import AuditEntry, User

_BEFORE: WeakKeyDictionary[HttpRequest, dict[tuple[type[Model], str], log.Values]] = WeakKeyDictionary()


class Audited(ModelAdmin):
    """Whatever Django's own log is told of, the audit log is told too, with the values before and after."""

    audited: tuple[str, ...] = ()  # fields beside those that the page shows
    object_history_template = "admin/audit_history.html"

    def benchmark_of(self, row: Any) -> str:
        """The id of the benchmark that a row belongs to; empty where it belongs to none, or to several."""
        return ""

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        row = super().get_object(request, object_id, from_field)
        if row is not None and request.method == "POST":
            self._remember(request, row)
        return row

    def response_action(
        self, request: HttpRequest, queryset: QuerySet[Any], *args: Any, **kwargs: Any
    ) -> HttpResponse | None:
        chosen, key = queryset, self.opts.pk
        try:
            for one in request.POST.getlist(ACTION_CHECKBOX_NAME):
                key.clean(one, None)
        except ValidationError:
            raise Http404 from None  # before the database is asked for a key that it could not hold
        if request.POST.get("select_across") != "1":
            chosen = queryset.filter(pk__in=request.POST.getlist(ACTION_CHECKBOX_NAME))
        for row in chosen:
            self._remember(request, row)
        return super().response_action(request, queryset, *args, **kwargs)

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        entry = super().log_addition(request, obj, message)
        self._record(request, obj, entry.get_change_message())
        return entry

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        entry = super().log_change(request, obj, message)
        self._record(request, obj, entry.get_change_message() if message else "")
        return entry

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        row = self.get_object(request, unquote(object_id))
        entries = self.entries_for(request, row) if row is not None else ()
        return super().history_view(request, object_id, {"entries": entries, **(extra_context or {})})

    def entries_for(self, request: HttpRequest, row: Any) -> QuerySet[AuditEntry]:
        """The lines about a row that whoever asks may read."""
        return log.entries_of(row)

    def audited_values(self, request: HttpRequest, row: Model) -> log.Values:
        """What the log keeps of a row: the model's own fields among those that the page shows, and `audited`."""
        shown = flatten_fieldsets(self.get_fieldsets(request, row))
        return log.values(row, dict.fromkeys([*shown, *self.audited]))

    def _remember(self, request: HttpRequest, row: Model) -> None:
        before = _BEFORE.setdefault(request, {})
        key = type(row), str(row.pk)
        if key not in before:
            before[key] = self.audited_values(request, row)

    def _record(self, request: HttpRequest, row: Model, what: str) -> None:
        before = _BEFORE.get(request, {}).get((type(row), str(row.pk)))
        changes: list[log.Change] = []
        if before is not None:
            # Anew from the database: much is written past the row in hand.
            now = type(row)._base_manager.get(pk=row.pk)  # noqa: SLF001  # documented by Django under this name
            changes = log.differences(before, self.audited_values(request, now))
        if not what and not changes:
            return  # somebody saved a form that they had not touched
        log.record(
            row=row,
            kind=_kind(request),
            by="admin",
            what=what,
            actor=cast(User, request.user),
            benchmark=self.benchmark_of(row),
            changes=changes,
            reason=request.POST.get("reason") or request.POST.get("note") or "",
        )


def _kind(request: HttpRequest) -> str:
    """What was pressed, in words."""
    name = request.resolver_match.url_name if request.resolver_match else ""
    pressed = str(name).split("_", 2)[-1]
    if pressed == "changelist":
        pressed = request.POST.get("action", "").removesuffix("_selected")
    return log.tidy(pressed.replace("_", " "))[:64]
