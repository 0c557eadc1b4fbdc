"""The ledger of published bits on a benchmark's admin page: a gauge per task, over time, per team, and its budget."""

from collections import defaultdict
from collections.abc import Collection
from math import ceil
from typing import Any

from django import forms
from django.db.models import Count, Sum
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.widgets import UnfoldAdminIntegerFieldWidget

from accounts.formats.instants import in_words
from accounts.formats.numbers import decimal, grouped, percent
from accounts.models import Team
from benchmarks.admin.asks import Ask
from benchmarks.admin.organised.links import link
from benchmarks.admin.organised.organised_admin import Question, Table
from benchmarks.models import Benchmark
from leaderboard.ledger.accounts import in_whole, set_budget
from leaderboard.models import AnswerBudget, LedgerEntry, Release, TeamBits
from scoring.core.ledger import further_answers
from scoring.models import ToldAnswer

_MOST_SHOWN = 20  # releases over time, and teams


class BudgetForm(forms.Form):
    """How much of the gold labels published answers may carry."""

    percent = forms.IntegerField(
        label="Percent of the bits of each task's gold labels",
        min_value=1,
        max_value=100,
        widget=UnfoldAdminIntegerFieldWidget,
    )


def _budget(benchmark: Benchmark) -> dict[str, Any]:
    budget = AnswerBudget.objects.filter(benchmark=benchmark).first()
    return {"initial": {"percent": round(100 * budget.share)} if budget else {}}


SET_BIT_BUDGET = Ask(
    label="Set the budget of bits",
    icon="savings",
    question=Question(
        title="Set the budget of bits of {row}",
        sentences=(
            "Every published score gives away a little of the hidden gold labels. The ledger counts at most how "
            "much. Once what is published can carry more than this share of a task's labels, you get a mail.",
            "Nothing is closed or hidden by that, and nobody else sees the budget.",
        ),
        button="Set the budget",
    ),
    form=BudgetForm,
    given=_budget,
    do=set_budget,
    done="The budget is {percent} % of each task's bits.",
    log="Set the budget of bits to {percent} %.",
)


def ledger_tables(benchmark: Benchmark) -> list[Table]:
    """The gauge, its course and each team's share; of the newest release that is in the ledger."""
    entered = Release.objects.of(benchmark.pk).filter(ledger_entries__isnull=False).distinct()
    shown = list(entered[:_MOST_SHOWN])
    title = "Bits of the gold labels that are published, at most"
    told = _told_since(benchmark, shown[0] if shown else None)
    if not shown:
        return [Table(title, (), (), empty="The ledger is made by a worker after each release."), *told]
    entries = list(
        LedgerEntry.objects.filter(release__in=shown).select_related("task").order_by("task__position")
    )
    newest = [entry for entry in entries if entry.release_id == shown[0].pk and not entry.task.is_retired]
    budget = AnswerBudget.objects.filter(benchmark=benchmark).first()
    gauges = [
        _gauge(latest, [entry for entry in entries if entry.task_id == latest.task_id], budget)
        for latest in newest
    ]
    course = [
        _course(release, [entry for entry in entries if entry.release_id == release.pk]) for release in shown
    ]
    over_time = ("Release", "Published", "New answers", "Bits added", "Known", "All tasks")
    of_task = ("Task", "Known", "Bits", "Share", "If honest", "A new answer", "Answers until the budget")
    by_team = "Published bits by team, if it kept to its own answers"
    return [
        Table(title, of_task, gauges),
        *told,
        Table("Published bits over time", over_time, course),
        Table(by_team, ("Team", "Known", "Bits", "Share"), _teams(newest)),
    ]


def _told_since(benchmark: Benchmark, newest: Release | None) -> list[Table]:
    """What teams were told as feedback since the newest release in the ledger; the next one enters it."""
    told = ToldAnswer.objects.filter(run__split__task__benchmark=benchmark, bits__gt=0)
    if newest is not None:
        told = told.filter(told_at__gt=newest.published_at)
    rows = [
        (title, grouped(count), grouped(ceil(bits)))
        for title, count, bits in told.values_list("run__split__task__title")
        .annotate(count=Count("pk"), bits=Sum("bits"))
        .order_by("run__split__task__title")
    ]
    title = "Told to teams as feedback since then, each answer by itself"
    return [Table(title, ("Task", "Answers", "Bits, at most"), rows)] if rows else []


def _gauge(
    entry: LedgerEntry, of_task: Collection[LedgerEntry], budget: AnswerBudget | None
) -> tuple[Any, ...]:
    answers = sum(entry.answer_count for entry in of_task)
    # What a new answer to the task carries on the mean, by itself.
    bound = sum(entry.bound_bits for entry in of_task) / answers if answers else 0.0
    left = "no budget set"
    if budget:
        count = further_answers(entry.spent_bits, budget.share * entry.label_bits, bound)
        left = "" if count is None else grouped(count)
    known = _known(entry.spent_bits, entry.label_bits, budget)
    honest = in_whole(entry.spent_bits, entry.label_bits, entry.honest_bits).honest
    expected = "" if honest is None else grouped(honest)
    return (link(entry.task, entry.task.title), *known, expected, f"{decimal(bound, 1)} bits", left)


def _course(release: Release, entries: Collection[LedgerEntry]) -> tuple[Any, ...]:
    meter, bits, _share = _known(
        sum(entry.spent_bits for entry in entries), sum(entry.label_bits for entry in entries)
    )
    return (
        link(release, release.number),
        in_words(release.published_at),
        grouped(sum(entry.answer_count for entry in entries)),
        grouped(ceil(sum(entry.carried_bits for entry in entries))),
        meter,
        bits,
    )


def _teams(newest: Collection[LedgerEntry]) -> list[tuple[Any, ...]]:
    spent: dict[str, float] = defaultdict(float)
    kept = TeamBits.objects.filter(task__in=[entry.task_id for entry in newest])
    for by_team in kept.order_by("task__position").values_list("by_team", flat=True):
        for team, bits in by_team.items():
            spent[team] += bits
    first = sorted(spent, key=lambda team: -spent[team])[:_MOST_SHOWN]
    teams = {str(team.pk): team for team in Team.objects.filter(pk__in=first)}
    most = sum(entry.label_bits for entry in newest)
    return [(link(teams[team]), *_known(spent[team], most)) for team in first if team in teams]


def _known(spent: float, most: float, budget: AnswerBudget | None = None) -> tuple[SafeString, str, str]:
    """A gauge that every browser draws by itself, the number that stands beside it, and the share."""
    # Above the budget browsers draw it in the colour of what is bad; without one there is no such thing.
    good = round(budget.share * most, 1) if budget else 0.0
    marks = format_html(' low="{}" high="{}" optimum="0"', good, good) if budget else ""
    bits = in_whole(spent, most)
    label = f"{grouped(bits.spent)} of {grouped(bits.all)}"
    meter = format_html(
        '<meter min="0" max="{}" value="{}"{} aria-label="{}">{}</meter>',
        round(max(most, 1.0), 1),
        round(spent, 1),
        marks,
        label,
        label,
    )
    return meter, label, percent(spent / most, 1) if most else ""
