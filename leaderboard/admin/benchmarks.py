"""Benchmarks in the admin: what their definitions state, who runs them, and their buttons."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.db import transaction
from django.db.models import Count, Model
from django.http import HttpRequest, HttpResponseRedirect
from django.urls import reverse
from django.utils.html import format_html

from accounts.admin_look import ActionVariant
from accounts.server.clock import database_now
from benchmarks.admin.asks import Ask, Done
from benchmarks.admin.organised.links import link, list_link, page_link
from benchmarks.admin.organised.organised_admin import OrganisedAdmin, Question, Table, column
from benchmarks.admin.registration import ASK_FOR_APPROVAL, OPEN_REGISTRATION, REGISTRATION_DATES
from benchmarks.admin.terms import EDIT_TERMS
from benchmarks.models import Benchmark
from benchmarks.people.admin import INVITE, roles_tables
from benchmarks.people.request_rights import is_superuser
from benchmarks.people.rights import Right
from benchmarks.services import mark_stale
from leaderboard.admin.anonymity_buttons import HIDE_NAMES, LIFT_ANONYMITY
from leaderboard.admin.archiving import ARCHIVE, BRING_BACK
from leaderboard.admin.date_shift import SHIFT_DATES
from leaderboard.admin.home.page import HasHome, home_address
from leaderboard.admin.home.participant_page import PARTICIPANTS_CSV, ListsParticipants
from leaderboard.admin.phase_rows import ADD_PHASE, REMOVE_PHASE
from leaderboard.admin.take_home import FETCH_HOME, TAKE_HOME
from leaderboard.admin.visibility_buttons import ASK_TO_OPEN, SHOW_TO
from leaderboard.ledger.admin import SET_BIT_BUDGET, ledger_tables
from leaderboard.mail.admin import WritesMail
from leaderboard.models import Release
from leaderboard.publication.removal import CannotRemove, refuse_to_remove, remove_benchmark
from leaderboard.publication.services import refresh
from leaderboard.rehearsals.page import Rehearses
from scoring.admin.bundles import TakesBundles
from scoring.admin.definition import HasDefinition
from scoring.admin.definitions.texts import EDIT_TEXTS
from scoring.admin.moving_in import MOVE_IN
from scoring.admin.opening import OPEN_GOLD
from scoring.admin.published_rows import LOAD_PUBLISHED, published_table
from scoring.definitions.editing import as_yaml
from submissions.admin.codes import SET_REGISTRATION_CODE

logger = logging.getLogger(__name__)


def _removal(benchmark: Benchmark) -> Question:
    try:
        refuse_to_remove(benchmark)
        problems: tuple[str, ...] = ()
    except CannotRemove as error:
        problems = (str(error),)
    return Question(
        title=f"Delete {benchmark}",
        sentences=(
            "Its tasks, splits, phases, texts, terms, sealed gold labels and pages are deleted; this cannot be undone. "
            "The audit log keeps its entries.",
            "Where its definition lies among those of the server, the next sync_benchmarks makes it anew.",
        ),
        button="Delete",
        is_grave=True,
        problems=problems,
    )


def _remove(*, benchmark: Benchmark, log: Callable[[Benchmark, str], None]) -> Done:
    refuse_to_remove(benchmark)
    with transaction.atomic():
        log(benchmark, "Deleted, with its tasks, phases and gold labels.")
        remove_benchmark(benchmark)
    return Done(f"{benchmark} was deleted.", leads_to=HttpResponseRedirect(reverse("admin:index")))


@admin.register(Benchmark)
class BenchmarkAdmin(
    HasHome, ListsParticipants, HasDefinition, TakesBundles, Rehearses, WritesMail, OrganisedAdmin
):
    """A benchmark as its definition states it, who runs it, and its buttons."""

    benchmark_path = "pk"
    annotations = {"release_count": Count("releases")}
    is_editable = True
    list_display = ("home_link", "release", "data", "settings_link")
    list_display_links = None
    fieldsets = (
        (
            None,
            {
                "fields": (
                    "title",
                    "name",
                    "public_page",
                    "who_takes_part",
                    "names",
                    "visibility",
                    "is_synthetic",
                )
            },
        ),
        ("Definition", {"fields": ("definition_sha256", "definition_text"), "classes": ("collapse",)}),
    )
    readonly_fields = (
        "title",
        "name",
        "public_page",
        "who_takes_part",
        "names",
        "visibility",
        "definition_sha256",
        "definition_text",
    )
    audited = ("is_anonymous", "registration", "archived_at")
    actions_detail = (
        "add_phase",
        "remove_phase",
        "export_definition",
        "import_definition",
        "load_published",
        "move_in",
        "invite",
        "show_to",
        "ask_to_open",
        "edit_texts",
        "edit_terms",
        "write_mail",
        "render_anew",
        "hide_names",
        "lift_anonymity",
        "ask_for_approval",
        "open_registration",
        "set_registration_code",
        "registration_dates",
        "participants_csv",
        "shift_dates",
        "open_gold",
        "set_bit_budget",
        "take_home",
        "fetch_home",
        "archive",
        "bring_back",
        "remove",
    )

    load_published = LOAD_PUBLISHED
    move_in = MOVE_IN
    invite = INVITE
    add_phase = ADD_PHASE
    remove_phase = REMOVE_PHASE
    show_to = SHOW_TO
    ask_to_open = ASK_TO_OPEN
    edit_texts = EDIT_TEXTS
    edit_terms = EDIT_TERMS
    hide_names = HIDE_NAMES
    lift_anonymity = LIFT_ANONYMITY
    ask_for_approval = ASK_FOR_APPROVAL
    open_registration = OPEN_REGISTRATION
    set_registration_code = SET_REGISTRATION_CODE
    registration_dates = REGISTRATION_DATES
    participants_csv = PARTICIPANTS_CSV
    shift_dates = SHIFT_DATES
    open_gold = OPEN_GOLD
    set_bit_budget = SET_BIT_BUDGET
    take_home = TAKE_HOME
    fetch_home = FETCH_HOME
    render_anew = Ask(
        label="Render pages anew",
        icon="refresh",
        question=Question(
            title="Render the pages of {row} anew",
            sentences=(
                "Every page, also those of earlier releases, is printed again from the releases as they were "
                "frozen. No number, no rank and no release changes; this helps after an upgrade of the server.",
            ),
            button="Render anew",
        ),
        do=lambda benchmark: refresh(benchmark, archive=True),
        done="All pages of {row} were rendered anew.",
        log="Rendered all pages anew.",
    )
    archive = ARCHIVE
    bring_back = BRING_BACK
    remove = Ask(
        label="Delete",
        icon="delete",
        variant=ActionVariant.DANGER,
        right=Right.DELETE,
        question=_removal,
        do=_remove,
        refused=(CannotRemove,),
    )
    name = column("id", "slug")
    names = column(
        "systems are",
        lambda benchmark: "anonymous until you lift that" if benchmark.is_anonymous else "named",
    )
    home_link = column(
        "benchmark", lambda benchmark: page_link(home_address(benchmark.pk), benchmark), ordering="title"
    )
    settings_link = column("settings", lambda benchmark: link(benchmark, "Definition and settings"))
    release = column(
        "releases",
        lambda benchmark: list_link(Release, benchmark.release_count, benchmark__slug__exact=benchmark.pk),
        ordering="release_count",
    )
    data = column(
        "Data", lambda benchmark: "synthetic" if benchmark.is_synthetic else "real", ordering="is_synthetic"
    )
    public_page = column("public page", lambda benchmark: page_link(f"/benchmarks/{benchmark.slug}/"))
    who_takes_part = column(
        "participants",
        lambda benchmark: page_link(
            reverse("admin:benchmarks_benchmark_participants", args=[benchmark.pk]), "All teams"
        ),
    )
    definition_text = column(
        "definition",
        lambda benchmark: format_html(
            '<pre class="overflow-auto max-h-96 text-xs">{}</pre>', as_yaml(benchmark)
        ),
    )

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return is_superuser(request)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        mark_stale(obj.pk)

    def tables(self, request: HttpRequest, row: Any) -> list[Table]:
        return [*roles_tables(row, database_now()), published_table(row), *ledger_tables(row)]
