"""Read what a definition says beside its tasks: attacks, tracks, fact sheets and boards."""

from collections.abc import Sequence
from math import isfinite

from benchmarks.spec.document import identifier, read_each, read_named, refuse, refuse_doubles, repeated
from benchmarks.spec.model import AverageSpec, ReportedRow, TaskSpec
from benchmarks.spec.protocol import (
    ADVISORS,
    LONGEST_CATEGORY,
    LONGEST_PAGE,
    LONGEST_PAGE_TITLE,
    MOST_PAGES,
    OVERALL,
    ROUNDING,
    AttackSpec,
    BoardSpec,
    BreakRuleSpec,
    ColumnGroup,
    FactListSpec,
    PublishedTable,
    ReproducedFigure,
    ReproductionSpec,
    RoundSpec,
    TrackSpec,
    WrittenPageSpec,
)
from catalogue.section import Section, nearest


def read_attacks(top: Section, tasks: tuple[TaskSpec, ...]) -> tuple[AttackSpec, ...]:
    """The attacks; every split that names one must name one of these."""
    attacks = read_named(top, "attacks", _attack)
    known = [attack.id for attack in attacks]
    for task in tasks:
        made = [split.attack for split in task.splits if split.attack]
        for double in sorted({attack for attack in made if made.count(attack) > 1}):
            top.wrong("attacks", f"{task.id} has several splits of the attack {double!r}; expected one")
        for attack in made:
            if attack not in known:
                top.wrong("attacks", f"{task.id} has a split of the attack {attack!r}, which is not listed")
    return attacks


def _attack(section: Section) -> AttackSpec:
    share = _share(section, "correct_share")
    return AttackSpec(identifier(section), section.text("title"), share)


def _share(section: Section, key: str) -> float | None:
    share = section.real(key) if section.has(key) else None
    refuse(section, (share and not 0 <= share <= 1, key, f"expected a number from 0 to 1, found {share}"))
    return share


def read_track(section: Section) -> TrackSpec:
    """One of the tracks, of which the first is the main one."""
    share = section.real("share")
    refuse(section, (not 0 < share <= 1, "share", f"expected a number above 0 and up to 1, found {share}"))
    return TrackSpec(identifier(section), section.text("title"), share)


def read_rounds(top: Section, tasks: tuple[TaskSpec, ...]) -> tuple[RoundSpec, ...]:
    """The rounds; each has a task of its own with dev and test."""
    rounds = read_named(top, "rounds", lambda section: _round(section, tasks))
    named = [one.task for one in rounds]
    for task in sorted({task for task in named if named.count(task) > 1}):
        top.wrong("rounds", f"several rounds have the task {task!r}; expected a task of its own for each")
    return rounds


def _round(section: Section, tasks: tuple[TaskSpec, ...]) -> RoundSpec:
    one = RoundSpec(identifier(section), section.text("title"), section.text("task"))
    splits = {task.id: {split.id for split in task.splits} for task in tasks}
    if one.task not in splits:
        section.wrong("task", f"no task has the id {one.task!r}{nearest(one.task, list(splits))}")
    elif missing := {"dev", "test"} - splits[one.task]:
        section.wrong("task", f"{one.task} has no split {min(missing)!r}; a round has dev and test")
    return one


def read_break_rule(top: Section, tasks: tuple[TaskSpec, ...]) -> BreakRuleSpec | None:
    """What minimal pairs are held against; None where the definition does not say. Only a task with `pairs` has any."""
    section = top.optional_section("break_rule")
    if section is None:
        return None
    share, edits = _share(section, "largest_token_share"), "largest_token_edits"
    rule = BreakRuleSpec(
        largest_token_share=share,
        largest_token_edits=section.number(edits, low=1, high=1_000) if section.has(edits) else None,
        from_scratch=section.flag("from_scratch", default=False),
        needs_rationale=section.flag("needs_rationale", default=False),
        categories=section.texts("categories", default=()),
    )
    for category in rule.categories:
        if not 0 < len(category) <= LONGEST_CATEGORY or " ".join(category.split()) != category:
            section.wrong(
                "categories", f"{category!r} is none; expected 1 to {LONGEST_CATEGORY} characters in one line"
            )
    if not any(task.pairs for task in tasks):
        top.wrong("break_rule", "no task has `pairs`; expected one whose items come in minimal pairs")
    section.close()
    return rule


def read_fact_list(section: Section) -> FactListSpec:
    """One of the lists of the fact sheet that is asked of every system."""
    options = section.texts("options")
    refuse(section, (section.raw("options") == [], "options", "is empty; expected at least one option"))
    name = identifier(section)
    refuse(section, (name == ADVISORS, "id", "every sheet may name advisors anyway; expected another id"))
    return FactListSpec(name, section.text("title"), options)


def read_pages(top: Section) -> tuple[WrittenPageSpec, ...]:
    """The pages about the benchmark, in their order."""
    pages = read_named(top, "pages", _page)
    refuse(top, (len(pages) > MOST_PAGES, "pages", f"expected at most {MOST_PAGES}, found {len(pages)}"))
    return pages


def _page(section: Section) -> WrittenPageSpec:
    page = WrittenPageSpec(identifier(section), section.text("title"), section.text("text"))
    for key, most in (("title", LONGEST_PAGE_TITLE), ("text", LONGEST_PAGE)):
        length = len(getattr(page, key))
        refuse(section, (length > most, key, f"expected at most {most:,} characters, found {length:,}"))
    return page


def read_notes(top: Section, boards: Sequence[str]) -> dict[str, str]:
    """What the definition has to say below boards, by their ids."""
    section = top.optional_section("notes")
    if section is None:
        return {}
    notes = {str(board): section.text(str(board)) for board in section.values}
    for board in notes.keys() - set(boards):
        section.wrong(board, f"the benchmark has no such board{nearest(board, boards)}")
    return notes


def read_tables(
    top: Section, tasks: tuple[TaskSpec, ...], averages: tuple[AverageSpec, ...]
) -> tuple[PublishedTable, ...]:
    """Published tables of figures over tasks and averages, which stand by themselves."""
    heads = {task.id: task.code for task in tasks} | {average.id: average.title for average in averages}
    return read_named(top, "tables", lambda section: _table(section, heads))


def _table(section: Section, heads: dict[str, str]) -> PublishedTable:
    """Under columns of the boards scores with three decimals; under `heads` of its own figures as they are written."""
    is_own = section.has("heads")
    columns = section.texts("heads" if is_own else "columns")
    for column in () if is_own else columns:
        if column not in heads:
            section.wrong(
                "columns", f"no task or average has the id {column!r}{nearest(column, list(heads))}"
            )
    rows = _figures_by_row(section, len(columns))
    return PublishedTable(
        id=identifier(section),
        title=section.text("title"),
        source=section.text("source"),
        head=section.text("head"),
        heads=columns if is_own else tuple(heads.get(column, column) for column in columns),
        rows=rows,
        decimals=max((_decimals(figure) for _, row in rows for figure in row), default=0) if is_own else 3,
    )


def _figures_by_row(section: Section, count: int) -> tuple[tuple[str, tuple[float, ...]], ...]:
    rows = section.raw("rows")
    is_mapping = isinstance(rows, dict) and bool(rows)
    refuse(section, (not is_mapping, "rows", "expected a mapping from the name of a row to its figures"))
    read = [(str(name), figures) for name, figures in rows.items()] if is_mapping else []
    for name, figures in read:
        is_right = isinstance(figures, list) and len(figures) == count and all(map(_is_figure, figures))
        refuse(section, (not is_right, f"rows.{name}", f"expected a list of {count} numbers"))
    return tuple(
        (name, tuple(filter(_is_figure, figures))) for name, figures in read if isinstance(figures, list)
    )


def _decimals(figure: float) -> int:
    return len(f"{figure:.6f}".rstrip("0").partition(".")[2])


def _is_figure(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def read_reproductions(top: Section, reported: Sequence[ReportedRow]) -> tuple[ReproductionSpec, ...]:
    """Printed figures beside those that our formulas give, each of a value that a reported row has."""
    values = {(row.system, column): value for row in reported for column, value in row.values.items()}
    sections = top.sections("reproductions", required=False)
    return read_each(sections, lambda section: _reproduction(section, values))


def _reproduction(section: Section, values: dict[tuple[str, str], float]) -> ReproductionSpec:
    shared = {key: section.raw(key) for key in ("column", "gold") if section.has(key)}
    reproduction = ReproductionSpec(
        of=section.text("of"),
        figures=read_each((each.over(shared) for each in section.sections("figures")), _figure),
        unit=section.real("unit"),
        within=section.real("within"),
        scale=section.text("scale", ""),
        because=section.text("because", ""),
        case=section.text("case", ""),
    )
    refuse(section, (not reproduction.figures, "figures", "is empty; expected at least one figure"))
    refuse(section, (reproduction.unit <= 0, "unit", "expected a number above 0"))
    for figure in reproduction.figures:
        _check_against_the_row(section, reproduction, figure, values)
    agree = all(map(reproduction.agrees, reproduction.figures))
    refuse(
        section,
        (agree and reproduction.because, "because", "all figures agree; expected no reason why they differ"),
        (
            not agree and not reproduction.because,
            "because",
            "is missing; expected why figures differ from the print",
        ),
    )
    return reproduction


def _figure(section: Section) -> ReproducedFigure:
    return ReproducedFigure(
        system=section.text("system"),
        column=section.text("column"),
        printed=section.real("printed"),
        ours=section.real("ours"),
        gold=section.text("gold", ""),
        predictions=section.text("predictions", ""),
    )


def _check_against_the_row(
    section: Section,
    reproduction: ReproductionSpec,
    figure: ReproducedFigure,
    values: dict[tuple[str, str], float],
) -> None:
    """A reported value is the printed figure on the scale of boards, so that the two stand on one scale there."""
    typed = values.get((figure.system, figure.column))
    if typed is None:
        section.wrong("figures", f"no reported row of {figure.system!r} has a value of {figure.column!r}")
    elif (
        reproduction.unit > 0
        and abs(typed * reproduction.unit - figure.printed) > reproduction.within + ROUNDING
    ):
        expected = figure.printed / reproduction.unit
        section.wrong(
            "figures",
            f"{figure.system} has {typed:g} in {figure.column}, and {figure.printed:g} is printed; on the scale of "
            f"boards expected {expected:.4f}",
        )


def read_boards(
    top: Section, tasks: tuple[TaskSpec, ...], averages: tuple[AverageSpec, ...], anyway: Sequence[str]
) -> tuple[BoardSpec, ...]:
    """The boards beside the ones that a benchmark has `anyway`. Their ids are no task's."""
    metrics = _metrics_of(tasks, averages)
    splits = {split.id for task in tasks for split in task.splits}
    sections = [one for section in top.sections("boards", required=False) for one in repeated(section)]
    boards = read_each(sections, lambda section: _board(section, metrics, splits))
    refuse_doubles(top, "boards", [task.id for task in tasks] + [board.id for board in boards])
    named = {task.id for task in tasks} | {board.id for board in boards if board.id != OVERALL}
    for taken in sorted(named.intersection(anyway)):
        top.wrong(
            "boards", f"the benchmark has a board {taken!r} anyway; no task or other board may have this id"
        )
    return boards


def _metrics_of(tasks: tuple[TaskSpec, ...], averages: tuple[AverageSpec, ...]) -> dict[str, set[str]]:
    """The metrics that each task has, or that all parts of an average have."""
    metrics = {task.id: {metric.name for metric in task.metrics} for task in tasks}
    parts = {average.id: average.of for average in averages}

    def shared(column: str, seen: tuple[str, ...] = ()) -> set[str]:
        if column in seen or column not in parts:  # what is wrong with an average is said where it is read
            return metrics.get(column, set())
        inner = [shared(part, (*seen, column)) for part in parts[column]]
        return set.intersection(*inner) if inner else set()

    return metrics | {average: shared(average) for average in parts}


def _board(section: Section, metrics: dict[str, set[str]], splits: set[str]) -> BoardSpec:
    board_id = identifier(section)
    board = BoardSpec(
        id=board_id,
        title=section.text("title", "Overall" if board_id == OVERALL else None),
        axis=section.text("axis", "" if board_id == OVERALL else None),
        groups=read_each(section.sections("groups"), lambda group: _group(group, metrics, splits)),
    )
    refuse(section, (not board.groups, "groups", "is empty; a board has at least one column"))
    refuse_doubles(section, "groups", [group.key(name) for group in board.groups for name in group.columns])
    return board


def _group(section: Section, metrics: dict[str, set[str]], splits: set[str]) -> ColumnGroup:
    columns = section.raw("columns")
    heads = columns if isinstance(columns, dict) else {}
    for column, title in heads.items():
        if not isinstance(title, str):
            section.wrong(f"columns.{column}", f"expected a short title, found {title!r}")
    group = ColumnGroup(
        title=section.text("title", ""),
        columns=tuple(map(str, heads)) if isinstance(columns, dict) else section.texts("columns"),
        metric=section.text("metric", ""),
        heads=tuple((str(column), str(title)) for column, title in heads.items()),
        split=section.text("split", ""),
    )
    if group.split and group.split not in splits:
        section.wrong("split", f"no task has a split {group.split!r}{nearest(group.split, sorted(splits))}")
    refuse(section, (columns in ([], {}), "columns", "is empty; expected at least one column"))
    for name, metric in map(group.asked, group.columns):
        if name not in metrics:
            section.wrong("columns", f"no task or average has the id {name!r}{nearest(name, list(metrics))}")
        elif metric and metric not in metrics[name]:
            key = "metric" if metric == group.metric else "columns"
            section.wrong(key, f"{name} has no metric {metric!r}")
    return group
