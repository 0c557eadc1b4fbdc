"""Mail in the admin: what waits, what was sent, and what was given up and why. For superusers; nothing is changed."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.admin_look import ModelAdmin, coloured
from accounts.models import Mail

COLOURS = {
    Mail.Status.WAITING.label: "info",
    Mail.Status.SENDING.label: "info",
    Mail.Status.SENT.label: "success",
    Mail.Status.FAILED.label: "danger",
    Mail.Status.UNWANTED.label: "warning",
}


@admin.register(Mail)
class MailAdmin(ModelAdmin):
    """To see whether mail gets through. A mail that was given up is told in its row with the server's words."""

    list_display = (
        "subject",
        "user",
        "kind",
        "state",
        "attempts",
        "error",
        "created_at",
        "due_at",
        "sent_at",
    )
    list_filter = ("status", "kind")
    list_select_related = ("user",)
    list_per_page = 50
    search_fields = ("subject", "user__email", "about")
    fields = (
        ("user", "kind", "about"),
        "subject",
        "text",
        ("state", "attempts", "error"),
        ("created_at", "due_at", "sent_at"),
    )
    readonly_fields = ("state",)
    actions = None

    @coloured(_("status"), COLOURS, ordering="status")
    def state(self, mail: Mail) -> str:
        return mail.get_status_display()

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
