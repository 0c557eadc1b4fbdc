"""Build a BenchmarkSpec from a definition, naming file and key of every mistake."""

import datetime as dt
import math
from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from benchmarks.spec.averages import check_averages
from benchmarks.spec.document import (
    DefinitionError,
    identifier,
    parse_yaml,
    read_each,
    read_named,
    refuse,
    refuse_doubles,
)
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
    RegistrationMode,
    ReportedRow,
    RowKind,
    TaskSpec,
)
from benchmarks.spec.protocol import ATTACK_MEASURES, boards_anyway, column_key
from benchmarks.spec.read_protocol import (
    read_attacks,
    read_boards,
    read_break_rule,
    read_fact_list,
    read_notes,
    read_reproductions,
    read_rounds,
    read_track,
)
from benchmarks.spec.rule_fit import misfits, mixture
from benchmarks.spec.tasks import read_tasks
from catalogue.disclosure import RULES, Exact, Rule
from catalogue.section import Section, nearest

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

DEFAULT_RULE: type[Rule] = Exact


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
    attacks, tracks = read_attacks(top, tasks), read_named(top, "tracks", read_track)
    paired = [task.id for task in tasks if task.pairs]
    bundle = top.section("bundle")
    reported = _reported(top, tasks, averages)
    anyway = boards_anyway(attacks, tracks, paired)
    boards = read_boards(top, tasks, averages, anyway)
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
        reported=reported,
        reproductions=read_reproductions(top, reported),
        phases=read_each(top.sections("phases"), _phase),
        seeds=top.number("seeds", low=1, high=100) if top.has("seeds") else 1,
        tracks=tracks,
        attacks=attacks,
        fact_lists=read_named(top, "fact_sheet", read_fact_list),
        boards=boards,
        notes=read_notes(top, [*anyway, *(task.id for task in tasks), *(board.id for board in boards)]),
        baselines=top.texts("baselines", default=("majority", "random")),
        median_team=top.flag("median_team", default=False),
        rounds=read_rounds(top, tasks),
        break_rule=read_break_rule(top, tasks),
        anonymous=top.flag("anonymous", default=False),
        terms=top.text("terms", ""),
        registration=top.choice("registration", RegistrationMode, RegistrationMode.OPEN),
    )
    length = f"expected at most {LONGEST_TERMS:,} characters, found {len(spec.terms):,}"
    refuse(top, (len(spec.terms) > LONGEST_TERMS, "terms", length))
    bundle.close()
    top.close()
    refuse_doubles(top, "phases", [phase.id for phase in spec.phases])
    _check_phases(top, spec)
    if mistakes:
        raise DefinitionError(mistakes)
    return spec


def _averages(top: Section, tasks: tuple[TaskSpec, ...]) -> tuple[AverageSpec, ...]:
    sections = list(top.sections("averages", required=False))
    known = [task.id for task in tasks] + [str(section.values.get("id")) for section in sections]
    averages = read_each(sections, lambda section: _average(section, tasks, known))
    refuse_doubles(top, "averages", known)
    return averages


def _average(section: Section, tasks: tuple[TaskSpec, ...], known: list[str]) -> AverageSpec:
    is_of_all = section.raw("of") == "all tasks"
    members = tuple(task.id for task in tasks) if is_of_all else section.texts("of")
    for member in members:
        if member not in known:
            section.wrong("of", f"no task or average is called {member!r}{nearest(member, known)}")
    return AverageSpec(
        id=identifier(section),
        title=section.text("title"),
        of=members,
        missing=section.choice("missing", MissingTask, MissingTask.UNRANKED),
    )


def _reported(
    top: Section, tasks: tuple[TaskSpec, ...], averages: tuple[AverageSpec, ...]
) -> tuple[ReportedRow, ...]:
    metrics = {metric.name for task in tasks for metric in task.metrics[1:]}
    splits = {split.id for task in tasks for split in task.splits}
    columns = [
        column_key(name, metric, split)
        for name in [part.id for parts in (tasks, averages) for part in parts]
        for metric in ("", *metrics)
        for split in ("", *splits)
    ]
    columns += [*ATTACK_MEASURES] if top.has("attacks") else []
    measures = (*PAIR_MEASURES, BREAKER_SCORE)
    columns += [column_key(task.id, measure) for task in tasks if task.pairs for measure in measures]
    return read_each(
        top.sections("reported", required=False), lambda section: _reported_row(section, columns)
    )


def _reported_row(section: Section, columns: list[str]) -> ReportedRow:
    values = section.raw("values")
    if not isinstance(values, dict):
        section.wrong("values", "expected a mapping from task or average to number")
        values = {}
    numbers = {}
    for column, value in values.items():
        if isinstance(value, int | float) and not isinstance(value, bool):
            numbers[str(column)] = float(value)
        if column not in columns:
            message = f"no task or average has this id{nearest(str(column), columns)}"
            section.wrong(f"values.{column}", message)
        elif not math.isfinite(numbers.get(str(column), math.nan)):
            section.wrong(f"values.{column}", f"expected a number, found {value!r}")
    kind = section.choice("kind", RowKind, RowKind.REPORTED)
    is_other = kind not in (RowKind.REPORTED, RowKind.HUMAN)
    refuse(section, (is_other, "kind", "a published row is reported or human"))
    return ReportedRow(section.text("system"), kind, section.text("source"), numbers)


def _phase(section: Section) -> PhaseSpec:
    cut_off, quota = section.section("cut_off"), section.section("quota")
    phase_id, title, timezone = identifier(section), section.text("title"), _timezone(cut_off)
    weekday, time = _weekday_and_time(cut_off)
    phase = PhaseSpec(
        id=phase_id,
        title=title,
        timezone=timezone,
        weekday=weekday,
        time=time,
        quota=quota.number("per_cut_off", low=1, high=10_000),
        counting=section.choice("counting", Counting),
        publish_automatically=section.flag("publish_automatically", default=True),
        one_per_team=section.flag("one_per_team", default=False),
        lasts_days=section.number("lasts_days", low=1, high=3660) if section.has("lasts_days") else 0,
        opens_after=section.text("opens_after", ""),
        editions_per_year=_editions_per_year(section),
        kind=section.choice("kind", PhaseKind, PhaseKind.PREDICTIONS),
        disclosure=section.member("disclosure", RULES, DEFAULT_RULE),
    )
    if phase.weekday is None and not phase.lasts_days:
        section.wrong("lasts_days", "is missing; a phase whose cut-off is its close has to close")
    if phase.editions_per_year and (phase.weekday is None or phase.lasts_days):
        section.wrong(
            "editions",
            "expected weekly cut-offs and no `lasts_days`: an edition closes at a cut-off, when the next begins",
        )
    cut_off.close()
    quota.close()
    return phase


def _editions_per_year(section: Section) -> int:
    if not section.has("editions"):
        return 0
    editions = section.section("editions")
    per_year = editions.number("per_year", low=1, high=12)
    if 12 % per_year:
        editions.wrong("per_year", f"expected 1, 2, 3, 4, 6 or 12, found {per_year}")
    editions.close()
    return per_year


def _timezone(cut_off: Section) -> str:
    name = cut_off.text("timezone", "UTC")
    try:
        return ZoneInfo(name).key
    except (ZoneInfoNotFoundError, ValueError):
        cut_off.wrong("timezone", f"expected a zone such as UTC or Europe/Berlin, found {name!r}")
        return "UTC"


def _weekday_and_time(cut_off: Section) -> tuple[int | None, dt.time]:
    if cut_off.has("at"):
        is_other = cut_off.text("at") != "close"
        refuse(cut_off, (is_other, "at", "expected close, or `weekday` and `time` instead"))
        return None, dt.time(0)
    weekday = cut_off.parsed("weekday", WEEKDAYS.index, "a day such as monday")
    time = cut_off.parsed("time", _time_of_day, 'a time of day such as "00:00"')
    return weekday or 0, time or dt.time(0)


def _time_of_day(text: str) -> dt.time:
    return dt.datetime.strptime(text, "%H:%M").time()  # noqa: DTZ007  # a time of day; its zone is a key of its own


def _check_phases(top: Section, spec: BenchmarkSpec) -> None:
    """Of each phase that it can open, that there is what it takes, and that its rule can keep what it promises."""
    has_pairs = any(task.pairs for task in spec.tasks)
    mixed = mixture([phase.disclosure for phase in spec.phases])
    refuse(top, (mixed, "phases", mixed))
    closing = [""]
    for phase in spec.phases:
        is_plain = phase.kind is PhaseKind.PREDICTIONS
        refuse(
            top,
            (
                phase.opens_after not in closing,
                "phases",
                f"{phase.id!r} cannot open after {phase.opens_after!r}: expected the id of a phase that is listed "
                "before it and has `lasts_days`",
            ),
            (
                not is_plain and not has_pairs,
                "phases",
                f"{phase.id} is of the kind {phase.kind.value}, but no task has `pairs`; expected one whose items come "
                "in minimal pairs",
            ),
            *(
                (True, "phases", f"{phase.id}, {key}: {sentence}")
                for key, sentence in misfits(spec, phase, ends=phase.ends)
            ),
        )
        closing += [phase.id] if phase.lasts_days else []
