"""Fact sheets: what a benchmark asks, what a system has said, and what changes either."""

import datetime as dt
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from django.db import transaction

from accounts.models import User
from benchmarks.models import Benchmark, FactList
from benchmarks.services import mark_stale
from benchmarks.spec import ADVISORS, FactListSpec
from submissions.exceptions import SubmissionError, UploadRefused
from submissions.intake import FactAnswers, FileRead, IntakeResult, read_fact_sheet
from submissions.models import FactSheet, System
from submissions.services import refuse_strangers

Answers = Mapping[str, Collection[str]]


class OptionInUse(SubmissionError):
    """A fact sheet names an option that the organiser would take away."""

    code = "option_in_use"


def fact_lists(benchmark: Benchmark) -> tuple[FactListSpec, ...]:
    """What the benchmark asks of every system, as its organisers have set it; empty where it asks nothing."""
    lists = benchmark.fact_lists.all()
    return tuple(FactListSpec(one.slug, one.title, tuple(one.options)) for one in lists if one.options)


def sheets_of(system: System) -> dict[str, Answers]:
    """What a system has said, by benchmark."""
    return {sheet.benchmark_id: sheet.answers for sheet in FactSheet.objects.filter(system=system)}


def is_missing(system: System, benchmark: Benchmark) -> bool:
    """Whether the benchmark asks for a fact sheet and the system has none."""
    answered = FactSheet.objects.filter(system=system, benchmark=benchmark)
    is_asked = any(benchmark.fact_lists.order_by().values_list("options", flat=True))
    return is_asked and not answered.exists()


def read_for(benchmark: Benchmark, data: bytes, file_name: str) -> FileRead[FactAnswers]:
    """Hold a file against the lists of the benchmark."""
    return read_fact_sheet(data, file_name=file_name, lists=fact_lists(benchmark))


def upload_fact_sheet(
    *, system: System, benchmark: Benchmark, data: bytes, file_name: str, user: User, now: dt.datetime
) -> FactSheet:
    """Judge a file and, where it is faultless, keep it as the system's fact sheet.

    Raises
    ------
    NotYourTeam, UploadRefused
    """
    refuse_strangers(system, user)
    answers = read_for(benchmark, data, file_name).content_or(
        lambda problems, more: UploadRefused(IntakeResult((), tuple(problems), more, (), 0))
    )
    return save_fact_sheet(system=system, benchmark=benchmark, answers=answers, user=user, now=now)


@transaction.atomic
def save_fact_sheet(
    *, system: System, benchmark: Benchmark, answers: Answers, user: User, now: dt.datetime
) -> FactSheet:
    """Keep what a system says of itself, in place of all that it said for the benchmark before.

    `answers` has been held against the lists; what an organiser has taken out of them meanwhile is left out.

    Raises
    ------
    NotYourTeam
    """
    refuse_strangers(system, user)
    _lock_lists(benchmark.slug)
    sheet, _ = FactSheet.objects.update_or_create(
        system=system,
        benchmark=benchmark,
        defaults={
            "answers": {
                one.id: [option for option in one.options if option in answers[one.id]]
                for one in fact_lists(benchmark)
                if one.id in answers
            }
            | ({ADVISORS: list(answers[ADVISORS])} if answers.get(ADVISORS) else {}),
            "changed_at": now,
            "changed_by": user,
        },
    )
    mark_stale(benchmark.slug)
    return sheet


@transaction.atomic
def save_fact_list(*, fact_list: FactList, title: str, options: Sequence[str]) -> FactList:
    """Set a list's title and options; a list that is not stored yet goes to the end of the others.

    Releases that are out keep their counts.

    Raises
    ------
    OptionInUse
        If a fact sheet names an option that would go; nothing was changed.
    """
    if fact_list._state.adding:  # noqa: SLF001  # documented: tells a new row from one that was read
        fact_list.position = FactList.objects.filter(benchmark=fact_list.benchmark_id).count()
    else:
        refuse_removal(fact_list, options)
    fact_list.title, fact_list.options = title, list(options)
    fact_list.save()
    mark_stale(fact_list.benchmark_id)
    return fact_list


def _lock_lists(benchmark_slug: str) -> None:
    """Nobody takes an option away while a sheet that names it is being saved."""
    list(FactList.objects.select_for_update().filter(benchmark=benchmark_slug))


def refuse_removal(fact_list: FactList, options: Collection[str]) -> None:
    """OptionInUse if a fact sheet names an option of a stored list that is not among these. Within a transaction."""
    _lock_lists(fact_list.benchmark_id)
    before, uses = FactList.objects.get(pk=fact_list.pk).options, option_uses(fact_list)
    for option in before:
        number = uses.get(option, 0)
        if number and option not in options:
            sheets_name = "fact sheet names" if number == 1 else "fact sheets name"
            raise OptionInUse(
                f"{option!r} cannot be taken out or renamed: {number} {sheets_name} it. Put it back, and add "
                "other options beside it."
            )


def option_uses(fact_list: FactList) -> dict[str, int]:
    """How many fact sheets name each option."""
    sheets = FactSheet.objects.filter(benchmark=fact_list.benchmark_id).values_list("answers", flat=True)
    return Counter(option for answers in sheets for option in answers.get(fact_list.slug, ()))
