"""Releases in the admin, as they were frozen."""

from dataclasses import replace
from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from benchmarks.admin.organised.links import page_link
from benchmarks.admin.organised.organised_admin import OrganisedAdmin, Table, column
from leaderboard.admin.releases.board_table import HIDDEN, board_table
from leaderboard.admin.releases.predictions import PUBLISH_PREDICTIONS
from leaderboard.board.model.serialization import from_dict
from leaderboard.models import Release


@admin.register(Release)
class ReleaseAdmin(OrganisedAdmin):
    """Releases as they were frozen."""

    benchmark_path = "benchmark"
    list_display = ("number", "benchmark", "phase", "published_at", "public_page")
    list_select_related = ("benchmark", "phase")
    list_filter = (("benchmark", admin.RelatedOnlyFieldListFilter),)
    fields = ("benchmark", "number", "phase", "batch", "published_at", "public_page")
    ordering = ("-published_at",)
    actions_detail = ("publish_predictions",)

    publish_predictions = PUBLISH_PREDICTIONS
    public_page = column(
        "public page",
        lambda release: page_link(f"/benchmarks/{release.benchmark_id}/releases/{release.number}/"),
    )

    def tables(self, request: HttpRequest, row: Any) -> list[Table]:
        board = board_table(from_dict(row.overall))
        hidden = f". {HIDDEN}" if row.benchmark.is_anonymous else ""
        return [replace(board, title=f"Overall board{hidden}")]
