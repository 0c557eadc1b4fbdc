"""Build a BenchmarkSpec from a definition, naming file and key of every mistake."""

import datetime as dt
import math
from collections.abc import Mapping
from typing import Any

from benchmarks.spec.averages.reading import read_averages
from benchmarks.spec.document import (
    DefinitionError,
    identifier,
    parse_yaml,
    read_each,
    read_named,
    refuse,
)
from benchmarks.spec.model import (
    LONGEST_TERMS,
    AverageSpec,
    BenchmarkSpec,
    BundleRule,
    RegistrationMode,
    ReportedRow,
    RowKind,
    TaskSpec,
    reported_columns,
)
from benchmarks.spec.phases import Feedback, PhaseKind
from benchmarks.spec.protocol import boards_anyway
from benchmarks.spec.read_phases import read_instant, read_phases
from benchmarks.spec.read_protocol import (
    read_attacks,
    read_boards,
    read_break_rule,
    read_fact_list,
    read_notes,
    read_pages,
    read_reproductions,
    read_rounds,
    read_tables,
    read_track,
)
from benchmarks.spec.rule_fit import Window, guarded_targets, misfits, mixture
from benchmarks.spec.tasks import read_tasks
from catalogue.section import Section, nearest


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
    try:
        spec = _read(Section(document, file_name, "", mistakes))
    except Exception:
        # What is read of a part that is wrong may fit nothing else. What is wrong with it was noted before.
        if not mistakes:
            raise
        raise DefinitionError(mistakes) from None
    if mistakes:
        raise DefinitionError(mistakes)
    return spec


def _read(top: Section) -> BenchmarkSpec:
    """What a definition says; its mistakes are noted in the section."""
    tasks = read_tasks(top)
    averages = read_averages(top, tasks)
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
        tables=read_tables(top, tasks, averages),
        phases=read_phases(top, tasks),
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
        pages=read_pages(top),
        **_registration(top),
    )
    length = f"expected at most {LONGEST_TERMS:,} characters, found {len(spec.terms):,}"
    refuse(top, (len(spec.terms) > LONGEST_TERMS, "terms", length))
    bundle.close()
    top.close()
    _check_phases(top, spec)
    return spec


def _registration(top: Section) -> dict[str, Any]:
    """How teams come to take part: a mode alone, or a mapping of it and the dates between which new teams do."""
    if not isinstance(top.raw("registration"), dict):
        return {"registration": top.choice("registration", RegistrationMode, RegistrationMode.OPEN)}
    section = top.section("registration")
    opens_at, closes_at = read_instant(section, "opens"), read_instant(section, "closes")
    is_turned = bool(opens_at and closes_at and opens_at >= closes_at)
    refuse(section, (is_turned, "closes", f"expected an instant after {opens_at}, found {closes_at}"))
    mode = section.choice("mode", RegistrationMode, RegistrationMode.OPEN)
    section.close()
    return {
        "registration": mode,
        "registration_opens_at": opens_at,
        "registration_closes_at": closes_at,
    }


MOST_RANKED = 10_000


def _reported(
    top: Section, tasks: tuple[TaskSpec, ...], averages: tuple[AverageSpec, ...]
) -> tuple[ReportedRow, ...]:
    columns = reported_columns(tasks, averages, has_attacks=top.has("attacks"))
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
    return ReportedRow(
        section.text("system"),
        kind,
        section.text("source"),
        numbers,
        _printed_ranks(section, numbers),
        _day(section),
    )


def _day(section: Section) -> str:
    day = section.text("date", "")
    refuse(section, (not is_day(day), "date", f"expected a day such as '2018-06-05', found {day!r}"))
    return day


def is_day(text: str) -> bool:
    """Whether the text is a day as YYYY-MM-DD, or empty."""
    try:
        return not text or str(dt.date.fromisoformat(text)) == text
    except ValueError:
        return False


def _printed_ranks(section: Section, values: Mapping[str, float]) -> dict[str, int]:
    """Ranks that the source printed, each beside a value of the row."""
    if not section.has("ranks"):
        return {}
    ranks = section.section("ranks")
    printed = {
        column: ranks.number(column, low=1, high=MOST_RANKED) for column in values if ranks.has(column)
    }
    ranks.close()
    return printed


def _check_phases(top: Section, spec: BenchmarkSpec) -> None:
    """Of each phase that it can open, that there is what it takes, and that its rule can keep what it promises."""
    has_pairs = any(task.pairs for task in spec.tasks)
    windows = [
        Window(
            phase.title,
            phase.disclosure,
            phase.opens_at,
            phase.closes_at,
            frozenset(target.place for target in phase.targets),
        )
        for phase in spec.phases
    ]
    mixed = mixture(windows)
    refuse(top, (mixed, "phases", mixed))
    closing = [""]
    stated = {
        one.get("id") for one in top.raw("phases") or () if isinstance(one, dict) and "disclosure" in one
    }
    for phase in spec.phases:
        tells_early = phase.feedback is Feedback.DAILY or (
            phase.feedback is Feedback.AT_CUT_OFF and phase.weekday is not None
        )
        guarded = ", ".join(f"{task}/{split}" for task, split in guarded_targets(spec, phase))
        refuse(
            top,
            (
                tells_early and guarded and phase.id not in stated,
                f"phases[{phase.id}].disclosure",
                f"is missing; feedback before a release tells the labels of {guarded} little by little. State the "
                "rule: `open` shows half of the items, `exact` says that you know",
            ),
        )
        is_plain = phase.kind is PhaseKind.PREDICTIONS
        refuse(
            top,
            (
                phase.opens_after not in closing,
                "phases",
                f"{phase.id!r} cannot open after {phase.opens_after!r}: expected the id of a phase that is listed "
                "before it and has `lasts_days` or `closes`",
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
        closing += [phase.id] if phase.lasts_days or phase.closes_at else []
