"""What happened to accounts, in the admin: for superusers, and for reading alone."""

from django.contrib import admin

from accounts.admin_look import ReadBySuperusers
from accounts.models import AccountEvent


@admin.register(AccountEvent)
class AccountEventAdmin(ReadBySuperusers):
    """Whose account it was, what happened, from which client and when."""

    list_display = ("at", "user", "kind", "detail", "client", "by")
    list_filter = ("kind",)
    list_select_related = ("user", "by")
    list_per_page = 100
    search_fields = ("user__email", "user__name", "client", "detail")
    date_hierarchy = "at"
    fields = (("at", "user"), ("kind", "detail"), ("client", "by"))
