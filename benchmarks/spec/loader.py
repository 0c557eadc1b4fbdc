"""Build a BenchmarkSpec from a definition, naming file and key of every mistake."""

import datetime as dt
import math
from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from benchmarks.spec.averages import check_averages
from benchmarks.spec.disclosure import read_disclosure
from benchmarks.spec.document import DefinitionError, identifier, parse_yaml, refuse_doubles
from benchmarks.spec.model import (
    BREAKER_SCORE,
    LONGEST_TERMS,
    PAIR_MEASURES,
    AverageSpec,
    BenchmarkSpec,
    BundleRule,
    Counting,
    MissingTask,
    PhaseKind,
    PhaseSpec,
    QuotaSpec,
    ReportedRow,
    RowKind,
    TaskSpec,
)
from benchmarks.spec.protocol import boards_anyway, column_key
from benchmarks.spec.read_protocol import (
    read_attacks,
    read_boards,
    read_break_rule,
    read_fact_lists,
    read_rounds,
    read_tracks,
)
from benchmarks.spec.tasks import read_tasks
from catalogue.section import Section, nearest

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def load_definition(text: str, file_name: str) -> BenchmarkSpec:
    """Read one benchmark's YAML.

    Parameters
    ----------
    text
        The YAML text.
    file_name
        Named in every mistake.

    Raises
    ------
    DefinitionError
        With one line per mistake.
    """
    return build_spec(parse_yaml(text, file_name), file_name)


def build_spec(document: Mapping[str, Any], file_name: str) -> BenchmarkSpec:
    """As `load_definition`, from the parsed document."""
    mistakes: list[str] = []
    top = Section(document, file_name, "", mistakes)
    tasks = read_tasks(top)
    averages = _averages(top, tasks)
    check_averages(top, tasks, averages)
    attacks, tracks = read_attacks(top, tasks), read_tracks(top)
    paired = [task.id for task in tasks if task.pairs]
    bundle = top.section("bundle")
    spec = BenchmarkSpec(
        id=identifier(top),
        title=top.text("title"),
        summary=top.text("summary"),
        url=top.text("url"),
        citation=top.text("citation"),
        bundle=bundle.choice("files", BundleRule),
        bundle_root=bundle.text("root", ""),
        also_allowed=bundle.texts("also_allowed", default=()),
        tasks=tasks,
        averages=averages,
        reported=_reported(top, tasks, averages),
        phases=tuple(_phase(section) for section in top.sections("phases")),
        seeds=top.number("seeds", low=1, high=100) if top.has("seeds") else 1,
        tracks=tracks,
        attacks=attacks,
        fact_lists=read_fact_lists(top),
        boards=read_boards(top, tasks, averages, boards_anyway(attacks, tracks, paired)),
        baselines=top.texts("baselines", default=("majority", "random")),
        median_team=top.flag("median_team", default=False),
        rounds=read_rounds(top, tasks),
        break_rule=read_break_rule(top, tasks),
        anonymous=top.flag("anonymous", default=False),
        terms=_terms(top),
    )
    bundle.close()
    top.close()
    refuse_doubles(top, "phases", [phase.id for phase in spec.phases])
    _refuse_unknown_predecessors(top, spec.phases)
    _refuse_phases_without_pairs(top, spec)
    _refuse_disclosure(top, spec)
    if mistakes:
        raise DefinitionError(mistakes)
    return spec


def _terms(top: Section) -> str:
    text = top.text("terms", "")
    if len(text) > LONGEST_TERMS:
        top.wrong("terms", f"expected at most {LONGEST_TERMS:,} characters, found {len(text):,}")
    return text


def _averages(top: Section, tasks: tuple[TaskSpec, ...]) -> tuple[AverageSpec, ...]:
    sections = list(top.sections("averages", required=False))
    known = [task.id for task in tasks] + [str(section.values.get("id")) for section in sections]
    averages = tuple(_average(section, tasks, known) for section in sections)
    refuse_doubles(top, "averages", known)
    return averages


def _average(section: Section, tasks: tuple[TaskSpec, ...], known: list[str]) -> AverageSpec:
    of = section.raw("of")
    members = tuple(task.id for task in tasks) if of == "all tasks" else section.texts("of")
    for member in members:
        if member not in known:
            section.wrong("of", f"no task or average is called {member!r}{nearest(member, known)}")
    average = AverageSpec(
        id=identifier(section),
        title=section.text("title"),
        of=members,
        missing=section.choice("missing", MissingTask, MissingTask.UNRANKED),
    )
    section.close()
    return average


def _reported(
    top: Section, tasks: tuple[TaskSpec, ...], averages: tuple[AverageSpec, ...]
) -> tuple[ReportedRow, ...]:
    metrics = {metric.name for task in tasks for metric in task.metrics[1:]}
    columns = [task.id for task in tasks] + [average.id for average in averages]
    splits = {split.id for task in tasks for split in task.splits}
    columns = [
        column_key(column, metric, split)
        for column in columns
        for metric in ("", *metrics)
        for split in ("", *splits)
    ]
    columns += ["resilience", "relative_resilience"] if top.has("attacks") else []
    columns += [
        column_key(task.id, measure)
        for task in tasks
        if task.pairs
        for measure in (*PAIR_MEASURES, BREAKER_SCORE)
    ]
    return tuple(_reported_row(section, columns) for section in top.sections("reported", required=False))


def _reported_row(section: Section, columns: list[str]) -> ReportedRow:
    values = section.raw("values")
    if not isinstance(values, dict):
        section.wrong("values", "expected a mapping from task or average to number")
        values = {}
    for column, value in values.items():
        if column not in columns:
            section.wrong(
                f"values.{column}", f"no task or average has this id{nearest(str(column), columns)}"
            )
        elif isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            section.wrong(f"values.{column}", f"expected a number, found {value!r}")
    kind = section.choice("kind", RowKind, RowKind.REPORTED)
    if kind not in (RowKind.REPORTED, RowKind.HUMAN):
        section.wrong("kind", "a published row is reported or human")
    row = ReportedRow(
        system=section.text("system"),
        kind=kind,
        source=section.text("source"),
        values={str(column): float(value) for column, value in values.items() if _is_number(value)},
    )
    section.close()
    return row


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _phase(section: Section) -> PhaseSpec:
    cut_off = section.section("cut_off")
    quota = section.section("quota")
    phase = PhaseSpec(
        id=identifier(section),
        title=section.text("title"),
        timezone=_timezone(cut_off),
        weekday=_weekday(cut_off),
        time=_time(cut_off),
        quota=QuotaSpec(limit=quota.number("per_cut_off", low=1, high=10_000)),
        counting=section.choice("counting", Counting),
        publish_automatically=section.flag("publish_automatically", default=True),
        one_per_team=section.flag("one_per_team", default=False),
        lasts_days=section.number("lasts_days", low=1, high=3660) if section.has("lasts_days") else 0,
        opens_after=section.text("opens_after", ""),
        kind=section.choice("kind", PhaseKind, PhaseKind.PREDICTIONS),
        disclosure=read_disclosure(section),
    )
    if phase.weekday is None and not phase.lasts_days:
        section.wrong("lasts_days", "is missing; a phase whose cut-off is its close has to close")
    cut_off.close()
    quota.close()
    section.close()
    return phase


def _weekday(cut_off: Section) -> int | None:
    if cut_off.has("at"):
        if cut_off.text("at") != "close":
            cut_off.wrong("at", "expected close, or `weekday` and `time` instead")
        return None
    weekday = cut_off.parsed("weekday", WEEKDAYS.index, "a day such as monday")
    return weekday if weekday is not None else 0


def _time(cut_off: Section) -> dt.time:
    if cut_off.has("at"):
        return dt.time(0)
    return cut_off.parsed("time", _time_of_day, 'a time of day such as "00:00"') or dt.time(0)


def _refuse_phases_without_pairs(top: Section, spec: BenchmarkSpec) -> None:
    """To break systems, items have to come in pairs."""
    for phase in spec.phases:
        if phase.kind is not PhaseKind.PREDICTIONS and not any(task.pairs for task in spec.tasks):
            top.wrong(
                "phases",
                f"{phase.id} is of the kind {phase.kind.value}, but no task has `pairs`; expected one whose items come "
                "in minimal pairs",
            )


def _refuse_disclosure(top: Section, spec: BenchmarkSpec) -> None:
    """What a rule cannot keep: phases whose answers become public one by one, and means over seeds."""
    for phase in spec.phases:
        rule = phase.disclosure
        if rule.is_exact:
            continue
        if phase.kind is not PhaseKind.PREDICTIONS:
            top.wrong("phases", f"{phase.id}: in a phase of the kind {phase.kind.value} scores are exact")
        if rule.remainder and any(task.pairs for task in spec.tasks):
            top.wrong(
                "phases", f"{phase.id}: items that come in pairs are not kept back; expected no `remainder`"
            )
        if spec.seeds > 1:
            top.wrong("phases", f"{phase.id}: scores of several seeds are exact; expected no `disclosure`")
        if rule.rule.keeps_best and phase.counting is not Counting.BEST:
            top.wrong(
                "phases",
                f"{phase.id}: {rule.rule.key} shows the best answer so far; expected `counting: best`",
            )


def _refuse_unknown_predecessors(top: Section, phases: tuple[PhaseSpec, ...]) -> None:
    """A phase can only open after one that is listed before it and closes."""
    closing: list[str] = []
    for phase in phases:
        if phase.opens_after and phase.opens_after not in closing:
            top.wrong(
                "phases",
                f"{phase.id!r} cannot open after {phase.opens_after!r}: expected the id of a phase that is listed "
                "before it and has `lasts_days`",
            )
        if phase.lasts_days:
            closing.append(phase.id)


def _time_of_day(text: str) -> dt.time:
    return dt.datetime.strptime(text, "%H:%M").time()  # noqa: DTZ007  # a time of day; its zone is a key of its own


def _timezone(section: Section) -> str:
    name = section.text("timezone", "UTC")
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        section.wrong("timezone", f"expected a zone such as UTC or Europe/Berlin, found {name!r}")
        return "UTC"
    return name
