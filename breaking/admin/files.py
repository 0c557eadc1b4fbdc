"""Files of pairs in the admin: what may be read of them. Their labels are sealed."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.admin_look import ActionVariant
from accounts.formats.numbers import grouped
from benchmarks.admin.asks import Ask, Selected
from benchmarks.admin.organised.links import link, list_link
from benchmarks.admin.organised.organised_admin import OrganisedAdmin, Question, Table
from benchmarks.people.request_rights import is_superuser
from benchmarks.people.rights import Right
from breaking.admin.campaigns import ASK_ABOUT_LABELS, ASK_ABOUT_MINIMALITY, ASK_NOBODY
from breaking.admin.pairs import PairReasonForm, pairs_table
from breaking.models import BreakerSet, Pair, PairFile
from breaking.pairs.review import CannotDecide, withdraw_file

SHOWN_PAIRS = 200


@admin.register(PairFile)
class PairFileAdmin(OrganisedAdmin):
    """Breakers' files: what may be read of them, and what becomes of them."""

    read_right = Right.GOLD
    benchmark_path = "task__benchmark"
    unread_columns = ("sealed",)
    list_display = ("breaker", "task", "phase", "status", "pair_count", "waiting", "left_out", "received_at")
    list_filter = (
        "status",
        ("task", admin.RelatedOnlyFieldListFilter),
        ("phase", admin.RelatedOnlyFieldListFilter),
        ("task__benchmark", admin.RelatedOnlyFieldListFilter),
    )
    search_fields = ("breaker", "file_name")
    fields = (
        ("breaker", "team_name"),
        ("task", "phase"),
        ("pair_count", "made_set"),
        ("status", "status_reason"),
        ("received_at", "submitted_by_name"),
        "file_name",
        "commitment",
        "key_fingerprint",
    )
    actions = ("ask_labels", "ask_minimality", "ask_nobody")
    actions_detail = ("withdraw",)
    ask_labels = Selected(ASK_ABOUT_LABELS)
    ask_minimality = Selected(ASK_ABOUT_MINIMALITY)
    ask_nobody = Selected(ASK_NOBODY)
    withdraw = Ask(
        label="Withdraw",
        icon="block",
        variant=ActionVariant.DANGER,
        question=Question(
            title="Withdraw the pairs of {row.breaker}",
            sentences=(
                "No set is made of the file. While the phase is open, the team may hand in another one.",
                "The team reads your reason. This cannot be undone.",
            ),
            button="Withdraw",
            is_grave=True,
        ),
        form=PairReasonForm,
        do=withdraw_file,
        refused=(CannotDecide,),
        done="The pairs of {row.breaker} are withdrawn.",
        log="Withdrawn. {reason}",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows = PairFile.objects.listed()
        found: QuerySet[Any] = (
            rows if is_superuser(request) else self.of_benchmarks(rows, self.readable_slugs(request))
        )
        return found

    @admin.display(description="waiting", ordering="waiting_count")
    def waiting(self, file: Any) -> str:
        if not file.waiting_count or file.status != PairFile.Status.ACCEPTED:
            return "none"
        wanted = {"decision__exact": Pair.Decision.WAITING.value, "pair_file__id__exact": file.pk}
        return list_link(Pair, file.waiting_count, **wanted)

    @admin.display(description="left out", ordering="left_out_count")
    def left_out(self, file: Any) -> int:
        count: int = file.left_out_count
        return count

    @admin.display(description="team")
    def team_name(self, file: PairFile) -> str:
        return link(file.team) if file.team else "imported"

    @admin.display(description="handed in by", empty_value="manage.py")
    def submitted_by_name(self, file: PairFile) -> str | None:
        return str(file.submitted_by) if file.submitted_by else None

    @admin.display(description="set")
    def made_set(self, file: PairFile) -> str:
        made = BreakerSet.objects.filter(pair_file=file).select_related("split__task").first()
        return link(made) if made else "none yet"

    def tables(self, request: HttpRequest, row: Any) -> list[Table]:
        pairs = list(row.pairs.all()[:SHOWN_PAIRS])
        title = "Pairs"
        if row.pair_count > SHOWN_PAIRS:
            shown = {"shown": SHOWN_PAIRS, "total": grouped(row.pair_count)}
            title = "Pairs, the first {shown} of {total}".format(**shown)
        return [pairs_table(title, pairs)]
