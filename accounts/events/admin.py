"""What happened to accounts, in the admin: for superusers, and for reading alone."""

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from accounts.admin_look import ModelAdmin
from accounts.models import AccountEvent


@admin.register(AccountEvent)
class AccountEventAdmin(ModelAdmin):
    """Whose account it was, what happened, from which client and when."""

    list_display = ("at", "user", "kind", "detail", "client", "by")
    list_filter = ("kind",)
    list_select_related = ("user", "by")
    list_per_page = 100
    search_fields = ("user__email", "user__name", "client", "detail")
    date_hierarchy = "at"
    fields = (("at", "user"), ("kind", "detail"), ("client", "by"))

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
