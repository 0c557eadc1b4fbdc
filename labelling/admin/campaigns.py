"""Campaigns in the admin: how each stands, and what an organiser does about it."""

from typing import Any

from django.contrib import admin
from django.db.models import Count, OuterRef, Q, Subquery, Sum
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.utils.safestring import SafeString

from accounts.formats.instants import in_words
from accounts.formats.numbers import grouped
from accounts.server.clock import database_now
from benchmarks.admin.asks import Ask
from benchmarks.admin.organised.links import digest, link, list_link
from benchmarks.admin.organised.organised_admin import OrganisedAdmin, Question, Table, column
from labelling.admin.answer_export import EXPORT_ANSWERS, EXPORT_VALUES
from labelling.admin.exclusion_rules import EXCLUDE_BY_RULE
from labelling.admin.model_asks import ACCEPT_VERSION, NAME_ENDPOINT, TRAIN_MODEL, model_table
from labelling.admin.new_campaign import BeginsCampaigns
from labelling.admin.overview.page import overview_of
from labelling.admin.running import CLOSE, MAKE_AGAIN, MEND_WORDS, OPEN, PAUSE, RESUME
from labelling.admin.system_asks import DRAW_SYSTEMS, EXPORT_SYSTEMS
from labelling.admin.unit_asks import ADD_UNITS, DRAW_UNITS, IMPORT_ANSWERS, WRITE_UNITS
from labelling.admin.ways_in import CHECK_CODES, INVITE, invitations, ways_in
from labelling.core.aggregation import AGGREGATION_RULES
from labelling.models import Assignment, Campaign, Unit, Worker
from labelling.outcomes import PURPOSES
from labelling.work.exclusions import erase_outside_ids

COLOURS = {"draft": "info", "open": "success", "paused": "warning", "closed": "info"}
_MAIN = Q(units__part=Unit.Part.MAIN)
_COUNTED = Assignment.objects.counted().filter(unit__campaign=OuterRef("pk"), unit__part=Unit.Part.MAIN)


@admin.register(Campaign)
class CampaignAdmin(BeginsCampaigns, OrganisedAdmin):
    """What people are asked; question and rule are fixed once it was opened."""

    benchmark_path = "benchmark"
    may_add = True
    change_form_before_template = "admin/_campaign_overview.html"
    related = ("benchmark", "task", "attack", "after", "made_by")
    unread_columns = ("sealed_seed",)
    annotations = {
        "unit_count": Count("units", filter=_MAIN),
        "places": Sum("units__wanted", filter=_MAIN, default=0),
        "answers_in": Coalesce(
            Subquery(_COUNTED.values("unit__campaign").annotate(count=Count("pk")).values("count")), 0
        ),
    }
    list_display = ("title", "benchmark", "purpose_now", "state", "units_now", "answers_now", "opened_at")
    list_filter = ("status", ("benchmark", admin.RelatedOnlyFieldListFilter))
    search_fields = ("title",)
    fieldsets = (
        (
            "What is asked",
            {
                "fields": (
                    ("of_benchmark", "about"),
                    ("purpose_now", "rule_now"),
                    ("asked_now", "options_now"),
                    ("answers_wanted", "page_size"),
                    ("lease_minutes", "most_per_worker"),
                    ("check_share", "check_threshold"),
                    "check_least",
                    ("qualification_threshold", "qualification_median_of"),
                    ("is_sealed", "order_seed"),
                    "definition",
                )
            },
        ),
        (
            "What workers read",
            {
                "fields": (
                    ("language", "is_blurred"),
                    "seconds_least",
                    "content_warning",
                    "pay_note",
                    "consent",
                    "guidelines",
                )
            },
        ),
    )
    actions_detail = (
        "edit",
        "add_units",
        "draw_units",
        "draw_systems",
        "write_units",
        "train_model",
        "name_endpoint",
        "accept_version",
        "open_it",
        "invite",
        "check_codes",
        "pause",
        "resume",
        "mend_words",
        "exclude_by_rule",
        "import_answers",
        "export_answers",
        "export_values",
        "export_systems",
        "close",
        "make_again",
        "erase_ids",
    )

    open_it, pause, resume, close, make_again = OPEN, PAUSE, RESUME, CLOSE, MAKE_AGAIN
    mend_words, invite, check_codes = MEND_WORDS, INVITE, CHECK_CODES
    train_model, name_endpoint, accept_version = TRAIN_MODEL, NAME_ENDPOINT, ACCEPT_VERSION
    add_units, draw_units, write_units = ADD_UNITS, DRAW_UNITS, WRITE_UNITS
    import_answers, exclude_by_rule = IMPORT_ANSWERS, EXCLUDE_BY_RULE
    export_answers, export_values = EXPORT_ANSWERS, EXPORT_VALUES
    draw_systems, export_systems = DRAW_SYSTEMS, EXPORT_SYSTEMS
    erase_ids = Ask(
        label="Erase outside ids",
        icon="person_off",
        question=Question(
            title="Erase by which ids platforms know the workers of {row}?",
            sentences=(
                "Answers stay under numbers. Pay what is due before: afterwards only completion codes say whose work "
                "it was.",
                "This cannot be undone.",
            ),
            button="Erase",
            is_grave=True,
        ),
        do=erase_outside_ids,
        done="{result} outside ids of {row} are erased.",
        log="{result} outside ids erased.",
        shown=lambda campaign: campaign.workers.filter(outside_id__isnull=False).exists(),
    )

    state = column("state", lambda one: one.get_status_display(), ordering="status", colours=COLOURS)
    purpose_now = column("purpose", lambda one: PURPOSES[one.purpose].title, ordering="purpose")
    of_benchmark = column("benchmark", lambda one: link(one.benchmark))
    units_now = column("units", lambda one: grouped(one.unit_count))
    answers_now = column(
        "answers", lambda one: f"{grouped(one.answers_in)} of {grouped(one.places)}" if one.places else "none"
    )
    asked_now = column("question", lambda one: f"{one.asked.text} ({one.kind.title})")
    options_now = column(
        "options", lambda one: "\n".join(_option(each) for each in one.asked.options) or "none"
    )
    definition = column(
        "digest of what is fixed",
        lambda one: digest(one.definition_sha256) if one.definition_sha256 else "a draft",
    )

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        row = context.get("original")
        context["overview"] = overview_of(row, database_now()) if row else None
        return super().render_change_form(request, context, *args, **kwargs)

    @admin.display(description="rule")
    def rule_now(self, campaign: Campaign) -> str:
        settings = ", ".join(f"{name} {value}" for name, value in campaign.rule_settings.items())
        rule = AGGREGATION_RULES[campaign.rule].title if campaign.rule else "none"
        return f"{rule} ({settings})" if settings else rule

    @admin.display(description="about")
    def about(self, campaign: Campaign) -> SafeString | str:
        if campaign.after:
            return link(campaign.after)
        if campaign.attack:
            return link(campaign.attack)
        if campaign.task:
            return f"{campaign.task} / {campaign.split_slug}" if campaign.split_slug else str(campaign.task)
        return "texts of its own"

    def tables(self, request: HttpRequest, row: Any) -> list[Table]:
        model = [model_table(row)] if row.kind.is_written else []
        entrances = [ways_in(row), invitations(row)] if row.status != Campaign.Status.CLOSED else []
        return [_outcomes(row), _workers(row), *model, *entrances]


def _option(option: Any) -> str:
    alone = ", stands alone" if option.alone else ""
    words = f"{option.value}: {option.text}" if option.text != option.value else option.value
    return f"{words}{f' ({option.gloss})' if option.gloss else ''}{alone}"


def _outcomes(campaign: Campaign) -> Table:
    rows = [
        (
            one.number,
            in_words(one.made_at),
            grouped(one.item_count),
            grouped(one.set_aside),
            link(one.gold_version, f"version {one.gold_version.number}") if one.gold_version else "none",
            digest(one.answers_sha256),
        )
        for one in campaign.outcomes.select_related("gold_version")
    ]
    empty = campaign.outcome_problem or "A worker of the server makes one within minutes of the close."
    heads = ("Number", "Made", "Items", "Set aside", "Gold labels", "Digest of the answers")
    return Table("Outcomes", heads, rows, empty=empty)


def _workers(campaign: Campaign) -> Table:
    counts = campaign.workers.values_list("stage").annotate(Count("pk")).order_by("stage")
    named = dict(Worker.Stage.choices)
    rows = [
        (named[stage], list_link(Worker, grouped(count), campaign__id__exact=campaign.pk, stage__exact=stage))
        for stage, count in counts
    ]
    return Table("Workers", ("Stage", "Number"), rows, empty="Nobody has joined yet.")
