"""Version 1 of the format (1.5), as CodaLab Competitions writes it."""

from benchmarks.spec.model import LONGEST_TERMS
from submissions.intake.bundles.competition import (
    BundleColumn,
    BundlePage,
    BundlePhase,
    BundleTask,
    Competition,
    Counts,
    OfferedFile,
)
from submissions.intake.bundles.parts import FEWER, OF_TASKS, Part, Reading, page, slug, terms
from submissions.intake.bundles.report import Fate
from submissions.intake.bundles.yaml_reader import Lined

_SILENT = (
    "show_datasets_from_yaml",
    "enable_per_submission_metadata",
    "allow_public_submissions",
    "allow_teams",
    "start_date",
    "require_team_approval",
    "require_profile",
    "url_redirect",
    "hide_chart",
    "hide_top_three",
)


def read_codalab(values: Lined, reading: Reading) -> Competition:
    """The competition, with a note for everything that is not carried as it stands."""
    top = Part(values, "", reading)
    title = top.text("title") or "Untitled competition"
    tasks, phases, files, takes_code = _phases(top)
    pages, path = _pages(top)
    found = Competition(
        version="1.5",
        title=title[:120],
        summary=top.text("description") or title,
        terms=terms(reading, path, key="html.terms", line=top.line("html"), longest=LONGEST_TERMS),
        pages=pages,
        tasks=tasks,
        phases=phases,
        columns=_columns(top),
        questions=(),
        files=files,
        approval=top.flag("has_registration", default=True),
        anonymous=top.flag("anonymous_leaderboard"),
        counts=_counts(top),
        one_per_team=True,
        takes_code=takes_code,
    )
    top.left_out(
        "admin_names", f"accounts are not made: {top.text('admin_names')[:200]}", "Add them as organisers."
    )
    top.all_left_out(FEWER)
    for key in ("version", *_SILENT):
        top.raw(key)
    top.close()
    return found


def _counts(top: Part) -> Counts:
    forced = top.flag("force_submission_to_leaderboard"), top.flag("disallow_leaderboard_modifying")
    return Counts.LATEST if all(forced) else Counts.CHOSEN


def _phases(
    top: Part,
) -> tuple[tuple[BundleTask, ...], tuple[BundlePhase, ...], tuple[OfferedFile, ...], bool]:
    parts = sorted(enumerate(top.parts("phases")), key=lambda pair: _number(pair[1], pair[0]))
    if not parts:
        top.reading.wrong("phases", "no phases", line=top.line("phases") or top.line("title"))
    parents = {part.text("phasenumber") for _, part in parts if part.flag("is_parallel_parent")}
    tasks: list[BundleTask] = []
    files: list[OfferedFile] = []
    children: dict[str, list[str]] = {}
    rows: list[tuple[Part, str, str]] = []
    for number, part in parts:
        key = part.text("phasenumber") or str(number + 1)
        parent = part.text("parent_phasenumber")
        parent = parent if parent in parents else ""
        rows.append((part, key, parent))
        if key not in parents:
            tasks.append(_task(part, key))
            if parent:
                children.setdefault(parent, []).append(key)
        files += part.offered()
    takes_code = any(
        part.raw("ingestion_program") and not part.flag("is_scoring_only") for part, _, _ in rows
    )
    starts = [(part.instant("start_date"), part, key) for part, key, parent in rows if not parent]
    end = top.instant("end_date")
    taken: set[str] = set()
    phases = []
    for place, (opens, part, key) in enumerate(starts):
        follows = starts[place + 1][0] if place + 1 < len(starts) else end
        phases.append(_phase(part, key, opens, follows, tuple(children.get(key, [key])), taken))
    for part, _, _ in rows:
        _told(part)
        part.close()
    return tuple(tasks), tuple(phases), tuple(files), takes_code


def _number(part: Part, number: int) -> float:
    try:
        return float(part.text("phasenumber") or number)
    except ValueError:
        return float(number)


def _task(part: Part, key: str) -> BundleTask:
    title = part.text("label") or f"Phase {key}"
    place = part.file("reference_data", is_needed=True)
    program = part.file("scoring_program")
    return BundleTask(key, title[:120], part.text("description") or title, place, program, part.path)


def _phase(
    part: Part, key: str, opens: object, closes: object, tasks: tuple[str, ...], taken: set[str]
) -> BundlePhase:
    title = part.text("label") or f"Phase {key}"
    is_best = part.flag("force_best_submission_to_leaderboard")
    return BundlePhase(
        id=slug(title, f"phase-{key}", taken),
        title=title[:120],
        opens=opens,  # type: ignore[arg-type]  # read above
        closes=closes,  # type: ignore[arg-type]  # read above
        per_day=part.count("max_submissions_per_day"),
        total=part.count("max_submissions"),
        tasks=tasks,
        counts=Counts.BEST if is_best else None,
        hides_scores=part.text("leaderboard_management_mode") == "hide_results",
    )


def _told(part: Part) -> None:
    part.all_left_out(OF_TASKS)
    if part.flag("auto_migration"):
        part.left_out("auto_migration", "nothing is sent again by itself", "Participants submit anew.")
    part.left_out("datasets", "addresses elsewhere are not followed", "Name them on a page.")
    part.left_out("description", "phases have no texts", "Write it on a page.")
    for name in (
        "execution_time_limit",
        "color",
        "is_scoring_only",
        "auto_migration",
        "is_parallel_parent",
        "leaderboard_management_mode",
        "force_best_submission_to_leaderboard",
        "parent_phasenumber",
        "start_date",
        "max_submissions",
        "max_submissions_per_day",
        "max_submissions_per_person",
        "count_failed_submissions",
        "delete_submissions_except_best_and_last",
    ):
        part.raw(name)


def _pages(top: Part) -> tuple[tuple[BundlePage, ...], str]:
    """The pages, and the path of the terms."""
    values = top.raw("html")
    if not isinstance(values, Lined):
        return (), ""
    html = Part(values, "html", top.reading)
    taken: set[str] = set()
    found = []
    for name in values:
        if name == "terms":
            continue
        title = name.replace("_", " ").strip().capitalize() or "Page"
        read = page(
            top.reading,
            slug(name, "page", taken),
            title,
            html.text(name),
            key=html.key(name),
            line=html.line(name),
        )
        found += [read] if read else []
    return tuple(found), html.text("terms")


def _columns(top: Part) -> tuple[BundleColumn, ...]:
    values = top.raw("leaderboard")
    if not isinstance(values, Lined):
        return ()
    part = Part(values, "leaderboard", top.reading)
    found = []
    for name, column in part.named("columns"):
        board = column.raw("leaderboard")
        computed = column.raw("computed")
        digits = column.count("numeric_format")
        found.append(
            (
                column.count("rank", 1) or 1,
                BundleColumn(
                    key=name,
                    title=column.text("label") or name,
                    lower=column.text("sort", "desc").lower() == "asc",
                    digits=digits,
                    hidden=column.flag("hidden"),
                    computed=str(computed.get("operation", "")) if isinstance(computed, dict) else "",
                    board=str(board.get("label", "Results")) if isinstance(board, dict) else "Results",
                    place=column.path,
                    line=part.values["columns"].lines.get(name, 0),
                ),
            )
        )
        column.raw("column_group")
        column.close()
    part.left_out("column_groups", "columns stand side by side", "Group them in `boards` of the definition.")
    part.raw("leaderboards")
    part.close()
    if not found:
        top.reading.note(
            "leaderboard.columns", Fate.TO_DECIDE, "there are no columns", line=top.line("leaderboard")
        )
    return tuple(column for _, column in sorted(found, key=lambda pair: pair[0]))
