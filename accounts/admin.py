"""People in the admin. Staff sign in where everyone does, so that the same limits hold for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allauth.account.decorators import secure_admin_login
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.db.models import Model
from django.http import HttpRequest
from django.utils.html import format_html
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

import accounts.events.admin  # registers its page
import accounts.mail.admin  # noqa: F401  # registers its page
from accounts.admin_look import TabularInline
from accounts.audit.admin import Audited
from accounts.models import ApiToken, User

if TYPE_CHECKING:  # unfold has no types; to the type checker its classes are Django's
    from django.contrib.auth.forms import AdminUserCreationForm as BaseCreationForm
    from django.contrib.auth.forms import UserChangeForm as BaseChangeForm

    BaseAdmin = DjangoUserAdmin[User]
    BaseCreation = BaseCreationForm[User]
    BaseChange = BaseChangeForm[User]
else:
    BaseCreation, BaseChange = UserCreationForm, UserChangeForm

    class BaseAdmin(Audited, DjangoUserAdmin):
        """Django's page for users in unfold's look, with the audit log."""


# Marked, so that a card of a row on a phone leaves out what the row does not have.
admin.site.empty_value_display = format_html('<span class="nothing">{}</span>', "-")
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]  # the documented way

# Groups grant nothing here, tokens and second factors belong to their owners, and addresses stand on their user's page.
# Providers come from the environment alone, so that no secret of theirs lies in the database.
for _foreign in (Group, ApiToken, Authenticator, EmailAddress, SocialAccount, SocialApp, SocialToken):
    if admin.site.is_registered(_foreign):
        admin.site.unregister(_foreign)


class NewUserForm(BaseCreation):
    """E-mail address and password of a new person."""

    class Meta:
        model = User
        fields = ("email", "name")

    def clean_email(self) -> str:
        """The address as it is stored; nobody else may have it in any spelling."""
        email = User.objects.normalize_email(self.cleaned_data["email"])
        if User.objects.filter(email__iexact=email).exists():
            raise ValidationError("Somebody has signed up with this e-mail address already.")
        return email


class UserForm(BaseChange):
    """A person as superusers may change them."""

    class Meta:
        model = User
        fields = "__all__"


class EmailAddressInline(TabularInline):
    """Addresses a person signs in with; an address can be marked as verified where mail does not get through."""

    model = EmailAddress
    fields = ("email", "primary", "verified")
    readonly_fields = ("email", "primary")
    verbose_name_plural = "e-mail addresses"
    extra = 0

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.is_superuser

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.is_superuser


@admin.register(User)
class UserAdmin(BaseAdmin):
    """For superusers. People are never deleted, because submissions and history name them: switch them off."""

    form = UserForm
    add_form = NewUserForm
    change_password_form = AdminPasswordChangeForm
    list_display = ("email", "name", "is_active", "is_staff", "is_superuser", "date_joined")
    list_filter = ("is_active", "is_staff", "is_superuser")
    search_fields = ("email", "name")
    ordering = ("email",)
    list_per_page = 50
    filter_horizontal = ()
    readonly_fields = ("email", "last_login", "date_joined")
    fieldsets = (
        (None, {"fields": ("email", "name", "timezone", "password")}),
        (
            "May do",
            {
                "fields": ("is_active", "is_staff", "is_superuser"),
                "description": (
                    "Staff may enter this admin and run the benchmarks that they organise; superusers run "
                    "everything. To keep a person out, switch “active” off."
                ),
            },
        ),
        ("Dates", {"fields": ("last_login", "date_joined")}),
    )
    add_fieldsets = ((None, {"fields": ("email", "name", "usable_password", "password1", "password2")}),)
    inlines = (EmailAddressInline,)

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> Any:
        return self.readonly_fields if obj else ()

    def get_inlines(self, request: HttpRequest, obj: Model | None) -> Any:
        return self.inlines if obj else ()

    def has_module_permission(self, request: HttpRequest) -> bool:
        return request.user.is_active and request.user.is_superuser

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return self.has_module_permission(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self.has_module_permission(request)

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return self.has_module_permission(request)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False
