"""unfold's classes and decorators for the admin. unfold has no types: to the type checker they are Django's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from unfold.decorators import action, display

__all__ = ["ActionVariant", "ModelAdmin", "ReadBySuperusers", "TabularInline", "button", "coloured"]

if TYPE_CHECKING:
    from enum import Enum

    from django.contrib import admin
    from django.db.models import Model, QuerySet
    from django.http import HttpRequest

    class ActionVariant(Enum):
        DEFAULT = "default"
        PRIMARY = "primary"
        DANGER = "danger"

    class ModelAdmin(admin.ModelAdmin[Any]):
        actions_detail: Sequence[str]

        def get_queryset(self, request: HttpRequest) -> QuerySet[Any]: ...
        def get_actions_detail(self, request: HttpRequest, object_id: Any) -> list[Any]: ...

    class TabularInline(admin.TabularInline[Any, Model]): ...

else:
    from unfold.admin import ModelAdmin, TabularInline
    from unfold.enums import ActionVariant

Method = TypeVar("Method", bound=Callable[..., Any])


class ReadBySuperusers(ModelAdmin):
    """Rows that superusers read and nobody adds, changes or deletes."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        return request.user.is_active and request.user.is_superuser

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return self.has_module_permission(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


def button(
    title: str, *, icon: str, variant: ActionVariant = ActionVariant.DEFAULT
) -> Callable[[Method], Method]:
    """A method of a ModelAdmin behind a button above a row's page; named in `actions_detail`."""
    decorator: Callable[[Method], Method] = action(description=title, icon=icon, variant=variant)
    return decorator


def coloured(title: str, colours: Mapping[Any, str], *, ordering: str) -> Callable[[Method], Method]:
    """A column whose words stand on a colour: info, success, warning or danger."""
    decorator: Callable[[Method], Method] = display(description=title, label=dict(colours), ordering=ordering)
    return decorator
