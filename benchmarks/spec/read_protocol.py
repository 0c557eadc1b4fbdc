"""Read what a definition says beside its tasks: attacks, tracks, fact sheets and boards."""

from collections.abc import Sequence

from benchmarks.spec.document import identifier, refuse_doubles, repeated
from benchmarks.spec.model import AverageSpec, TaskSpec
from benchmarks.spec.protocol import (
    OVERALL,
    AttackSpec,
    BoardSpec,
    BreakRuleSpec,
    ColumnGroup,
    FactListSpec,
    RoundSpec,
    TrackSpec,
)
from catalogue.section import Section, nearest


def read_attacks(top: Section, tasks: tuple[TaskSpec, ...]) -> tuple[AttackSpec, ...]:
    """The attacks; every split that names one must name one of these."""
    attacks = tuple(_attack(section) for section in top.sections("attacks", required=False))
    known = [attack.id for attack in attacks]
    refuse_doubles(top, "attacks", known)
    for task in tasks:
        made = [split.attack for split in task.splits if split.attack]
        for double in sorted({attack for attack in made if made.count(attack) > 1}):
            top.wrong("attacks", f"{task.id} has several splits of the attack {double!r}; expected one")
        for split in task.splits:
            if split.attack and split.attack not in known:
                top.wrong(
                    "attacks", f"{task.id} has a split of the attack {split.attack!r}, which is not listed"
                )
    return attacks


def _attack(section: Section) -> AttackSpec:
    share = section.real("correct_share") if section.has("correct_share") else None
    if share is not None and not 0 <= share <= 1:
        section.wrong("correct_share", f"expected a number from 0 to 1, found {share}")
    attack = AttackSpec(identifier(section), section.text("title"), share)
    section.close()
    return attack


def read_tracks(top: Section) -> tuple[TrackSpec, ...]:
    """The tracks, the main one first."""
    tracks = tuple(_track(section) for section in top.sections("tracks", required=False))
    refuse_doubles(top, "tracks", [track.id for track in tracks])
    return tracks


def _track(section: Section) -> TrackSpec:
    share = section.real("share")
    if not 0 < share <= 1:
        section.wrong("share", f"expected a number above 0 and up to 1, found {share}")
    track = TrackSpec(identifier(section), section.text("title"), share)
    section.close()
    return track


def read_rounds(top: Section, tasks: tuple[TaskSpec, ...]) -> tuple[RoundSpec, ...]:
    """The rounds; each has a task of its own with dev and test."""
    rounds = tuple(_round(section, tasks) for section in top.sections("rounds", required=False))
    refuse_doubles(top, "rounds", [one.id for one in rounds])
    named = [one.task for one in rounds]
    for task in sorted({task for task in named if named.count(task) > 1}):
        top.wrong("rounds", f"several rounds have the task {task!r}; expected a task of its own for each")
    return rounds


def _round(section: Section, tasks: tuple[TaskSpec, ...]) -> RoundSpec:
    one = RoundSpec(identifier(section), section.text("title"), section.text("task"))
    task = next((task for task in tasks if task.id == one.task), None)
    if task is None:
        section.wrong(
            "task", f"no task has the id {one.task!r}{nearest(one.task, [task.id for task in tasks])}"
        )
    elif missing := {"dev", "test"} - {split.id for split in task.splits}:
        section.wrong("task", f"{one.task} has no split {min(missing)!r}; a round has dev and test")
    section.close()
    return one


def read_break_rule(top: Section, tasks: tuple[TaskSpec, ...]) -> BreakRuleSpec | None:
    """What minimal pairs are held against; None where the definition does not say. Only a task with `pairs` has any."""
    section = top.optional_section("break_rule")
    if section is None:
        return None
    values = section.values
    share = section.real("largest_token_share") if "largest_token_share" in values else None
    if share is not None and not 0 <= share <= 1:
        section.wrong("largest_token_share", f"expected a number from 0 to 1, found {share}")
    has_edits = "largest_token_edits" in values
    rule = BreakRuleSpec(
        largest_token_share=share,
        largest_token_edits=section.number("largest_token_edits", low=1, high=1_000) if has_edits else None,
        from_scratch=section.flag("from_scratch", default=False),
        needs_rationale=section.flag("needs_rationale", default=False),
    )
    if not any(task.pairs for task in tasks):
        top.wrong("break_rule", "no task has `pairs`; expected one whose items come in minimal pairs")
    section.close()
    return rule


def read_fact_lists(top: Section) -> tuple[FactListSpec, ...]:
    """The lists of the fact sheet that is asked of every system."""
    lists = tuple(_fact_list(section) for section in top.sections("fact_sheet", required=False))
    refuse_doubles(top, "fact_sheet", [one.id for one in lists])
    return lists


def _fact_list(section: Section) -> FactListSpec:
    options = section.texts("options")
    if section.raw("options") == []:
        section.wrong("options", "is empty; expected at least one option")
    one = FactListSpec(identifier(section), section.text("title"), options)
    section.close()
    return one


def read_boards(
    top: Section, tasks: tuple[TaskSpec, ...], averages: tuple[AverageSpec, ...], anyway: Sequence[str]
) -> tuple[BoardSpec, ...]:
    """The boards beside the ones that a benchmark has `anyway`. Their ids are no task's."""
    metrics = _metrics_of(tasks, averages)
    splits = {split.id for task in tasks for split in task.splits}
    sections = [one for section in top.sections("boards", required=False) for one in repeated(section)]
    boards = tuple(_board(section, metrics, splits) for section in sections)
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
        return (
            set.intersection(*(shared(part, (*seen, column)) for part in parts[column]))
            if parts[column]
            else set()
        )

    return metrics | {average: shared(average) for average in parts}


def _board(section: Section, metrics: dict[str, set[str]], splits: set[str]) -> BoardSpec:
    board_id = identifier(section)
    board = BoardSpec(
        id=board_id,
        title=section.text("title", "Overall" if board_id == OVERALL else None),
        axis=section.text("axis", "" if board_id == OVERALL else None),
        groups=tuple(_group(group, metrics, splits) for group in section.sections("groups")),
    )
    if not board.groups:
        section.wrong("groups", "is empty; a board has at least one column")
    keys = [group.key(column) for group in board.groups for column in group.columns]
    refuse_doubles(section, "groups", keys)
    section.close()
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
    if columns in ([], {}):
        section.wrong("columns", "is empty; expected at least one column")
    for column in group.columns:
        name, metric = group.asked(column)
        if name not in metrics:
            section.wrong("columns", f"no task or average has the id {name!r}{nearest(name, list(metrics))}")
        elif metric and metric not in metrics[name]:
            section.wrong(
                "metric" if metric == group.metric else "columns", f"{name} has no metric {metric!r}"
            )
    section.close()
    return group
