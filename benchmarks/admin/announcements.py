"""Announcements in the admin: written, mended and taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from unfold.widgets import UnfoldAdminTextareaWidget

from accounts.server.clock import database_now
from benchmarks.admin.organised.organised_admin import OrganisedAdmin
from benchmarks.notices.models import Announcement
from benchmarks.notices.services import save_announcement, was_just_announced

if TYPE_CHECKING:
    BaseForm = forms.ModelForm[Announcement]
else:
    BaseForm = forms.ModelForm


class AnnouncementForm(BaseForm):
    """What everybody reads of it."""

    class Meta:
        model = Announcement
        fields = ("benchmark", "title", "text", "is_taken_back")
        widgets = {"text": UnfoldAdminTextareaWidget(attrs={"rows": 12})}
        help_texts = {
            "text": (
                "Plain text. Blank lines make paragraphs, addresses become links. It stands on public "
                "pages and in the feed word for word: where systems are anonymous, name neither systems "
                "nor teams here."
            ),
            "is_taken_back": "No page and no feed shows it any longer. Copies that readers have stay theirs.",
        }

    def clean(self) -> dict[str, Any] | None:
        """New words only: *Save* that is pressed twice announces once."""
        values = super().clean()
        if self.instance.pk or not {"benchmark", "title", "text"} <= self.cleaned_data.keys():
            return values
        given = {name: self.cleaned_data[name] for name in ("benchmark", "title", "text")}
        if was_just_announced(**given, now=database_now()):
            raise forms.ValidationError(
                "These words were announced within the last hour and stand already; nothing was added."
            )
        return values


@admin.register(Announcement)
class AnnouncementAdmin(OrganisedAdmin):
    """News of a benchmark: the newest three on its page, all in its list and its feed. The author is not shown."""

    benchmark_path = "benchmark"
    is_editable = True
    may_add = True
    form = AnnouncementForm
    list_display = ("title", "benchmark", "published_at", "is_taken_back")
    list_select_related = ("benchmark",)
    list_filter = (("benchmark", admin.RelatedOnlyFieldListFilter), "is_taken_back")
    search_fields = ("title",)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        written = ("benchmark", "title", "text")
        return (*written, "is_taken_back", "published_at") if obj else written

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return ("benchmark", "published_at") if obj else ()

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        save_announcement(announcement=obj, is_new=not change, now=database_now())
