"""Files for everybody in the admin: named, dated, and loaded version by version."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest
from unfold.widgets import UnfoldAdminFileFieldWidget

from accounts.admin_look import ActionVariant
from accounts.formats.instants import in_words
from accounts.formats.numbers import grouped
from benchmarks.admin.asks import Ask
from benchmarks.admin.organised.links import digest, page_link
from benchmarks.admin.organised.organised_admin import OrganisedAdmin, Question, Table
from benchmarks.given_files import CannotGive, load_given_file
from benchmarks.models import GivenFile
from benchmarks.services import mark_stale


class VersionForm(forms.Form):
    """The bytes of a version."""

    file = forms.FileField(
        allow_empty_file=True,
        widget=UnfoldAdminFileFieldWidget,
        help_text=f"At most {settings.MAX_UPLOAD_BYTES >> 20} MB. Of larger data give a file that says where they are.",
    )


@admin.register(GivenFile)
class GivenFileAdmin(OrganisedAdmin):
    """Data, texts, starter kits and instructions that everybody may load from an instant on."""

    benchmark_path = "benchmark"
    is_editable = True
    may_add = True
    list_display = ("name", "benchmark", "given_at", "licence")
    list_select_related = ("benchmark",)
    list_filter = (("benchmark", admin.RelatedOnlyFieldListFilter),)
    search_fields = ("name",)
    actions_detail = ("load_version",)
    load_version = Ask(
        label="Load a version",
        icon="upload",
        variant=ActionVariant.PRIMARY,
        question=Question(
            title="Load a version of {row}?",
            sentences=(
                "From its instant on everybody may load it, whoever asks: never load hidden labels here.",
                "Earlier versions stay, each at an address of its own.",
            ),
            button="Load it",
        ),
        form=VersionForm,
        do=load_given_file,
        done="{result} is loaded.",
        log="Loaded {result}.",
        refused=(CannotGive,),
    )

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return ("benchmark", "name", "description", "licence", "given_at")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return ("benchmark", "name") if obj else ()

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        mark_stale(obj.benchmark_id)

    def tables(self, request: HttpRequest, row: Any) -> list[Table]:
        versions = [
            (
                page_link(version.get_absolute_url(), version.number),
                in_words(version.loaded_at),
                grouped(version.size),
                digest(version.sha256),
            )
            for version in row.versions.all()
        ]
        return [Table("Versions", ("Version", "Loaded", "Bytes", "SHA-256"), versions)]
