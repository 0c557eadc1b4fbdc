"""Version 2 of the format, as Codabench writes it."""

from benchmarks.spec.model import LONGEST_TERMS
from submissions.intake.bundles.competition import (
    BundleColumn,
    BundlePage,
    BundlePhase,
    BundleTask,
    Competition,
    Counts,
    FactQuestion,
    OfferedFile,
)
from submissions.intake.bundles.parts import FEWER, OF_TASKS, Part, Reading, page, slug, terms
from submissions.intake.bundles.report import Fate
from submissions.intake.bundles.yaml_reader import Lined, LinedList

_RULES = {
    "add": Counts.CHOSEN,
    "add_and_delete": Counts.CHOSEN,
    "add_and_delete_multiple": Counts.CHOSEN,
    "force_last": Counts.LATEST,
    "force_latest_multiple": Counts.LATEST,
    "force_best": Counts.BEST,
}
_SHOWN = ("show_detailed_results_in_submission_panel", "show_detailed_results_in_leaderboard")


def read_codabench(values: Lined, reading: Reading) -> Competition:
    """The competition, with a note for everything that is not carried as it stands."""
    top = Part(values, "", reading)
    top.raw("version")
    title = top.text("title") or "Untitled competition"
    tasks = _tasks(top)
    if not tasks:
        reading.wrong("tasks", "no tasks", line=top.line("tasks") or top.line("title"))
    phases, files = _phases(top, {task.key for task in tasks})
    columns, counts, several = _boards(top)
    _told(top)
    found = Competition(
        version="2",
        title=title[:120],
        summary=top.text("description") or title,
        terms=terms(reading, top.text("terms"), key="terms", line=top.line("terms"), longest=LONGEST_TERMS),
        pages=_pages(top),
        tasks=tasks,
        phases=phases,
        columns=columns,
        questions=_questions(top),
        files=files,
        approval=not top.flag("registration_auto_approve"),
        anonymous=False,
        counts=counts,
        one_per_team=not several,
        takes_code=any(part.raw("ingestion_program") for part in top.parts("tasks"))
        and not all(part.flag("accepts_only_result_submissions") for part in top.parts("phases")),
    )
    top.close()
    return found


def _told(top: Part) -> None:
    top.all_left_out(FEWER)
    for key in (
        *_SHOWN,
        "make_programs_available",
        "competition_type",
        "can_participants_make_submissions_public",
    ):
        top.left_out(key, "nothing follows from it here")
    top.left_out(
        "contact_email", "it has no place of its own", "Write it on a page, if people shall read it."
    )
    top.left_out(
        "make_input_data_available", "files are given one by one", "Load them as files for everybody."
    )
    if "auto_run_submissions" in top.values and not top.flag("auto_run_submissions", default=True):
        top.left_out("auto_run_submissions", "submissions are scored at the cut-offs of their phase")
    top.raw("auto_run_submissions")
    top.left_out(
        "solutions", "they hold programs or files of another form", "Submit results of them as a baseline."
    )


def _tasks(top: Part) -> tuple[BundleTask, ...]:
    found = []
    for number, part in enumerate(top.parts("tasks")):
        name = part.text("name") or f"Task {number + 1}"
        if part.text("key"):
            top.reading.wrong(
                part.key("key"),
                "the task is on another server; its data are not in the bundle",
                line=part.line("key"),
            )
        place = part.file("reference_data", is_needed=True)
        program = part.file("scoring_program")
        part.all_left_out(OF_TASKS)
        part.raw("ingestion_only_during_scoring")
        key = part.text("index") or str(number)
        found.append(BundleTask(key, name[:120], part.text("description") or name, place, program, part.path))
        part.close()
    return tuple(found)


def _phases(top: Part, known: set[str]) -> tuple[tuple[BundlePhase, ...], tuple[OfferedFile, ...]]:
    phases: list[BundlePhase] = []
    files: list[OfferedFile] = []
    taken: set[str] = set()
    parts = sorted(enumerate(top.parts("phases")), key=lambda pair: _index(pair[1], pair[0]))
    if not parts:
        top.reading.wrong("phases", "no phases", line=top.line("phases") or top.line("title"))
    for number, part in parts:
        title = part.text("name") or f"Phase {number + 1}"
        tasks = _tasks_of(part, known)
        phases.append(
            BundlePhase(
                id=slug(title, f"phase-{number + 1}", taken),
                title=title[:120],
                opens=part.instant("start"),
                closes=part.instant("end"),
                per_day=part.count("max_submissions_per_day", 5),
                total=part.count("max_submissions", 100),
                tasks=tasks,
                hides_scores=part.flag("hide_score_output"),
            )
        )
        files += part.offered()
        for key in ("execution_time_limit", "hide_output", "hide_prediction_output"):
            part.left_out(key, "nothing is executed here")
        part.left_out("description", "phases have no texts", "Write it on a page.")
        if part.flag("auto_migrate_to_this_phase"):
            part.left_out(
                "auto_migrate_to_this_phase", "nothing is sent again by itself", "Participants submit anew."
            )
        part.raw("accepts_only_result_submissions")
        part.close()
    return tuple(phases), tuple(files)


def _tasks_of(part: Part, known: set[str]) -> tuple[str, ...]:
    named = part.raw("tasks")
    if not isinstance(named, LinedList):
        return ()
    for one, line in zip(named, named.lines, strict=True):
        if str(one) not in known:
            part.reading.wrong(part.key("tasks"), f"the task {str(one)[:40]} is not defined", line=line)
    return tuple(map(str, named))


def _index(part: Part, number: int) -> float:
    value = part.raw("index")
    return float(value) if isinstance(value, int | float) else float(number)


def _boards(top: Part) -> tuple[tuple[BundleColumn, ...], Counts, bool]:
    columns: list[BundleColumn] = []
    rules: list[str] = []
    for board in top.parts("leaderboards"):
        title = board.text("title") or board.text("key") or "Results"
        rules.append(board.text("submission_rule", "Add").lower().replace(" ", "_"))
        if board.flag("hidden"):
            board.left_out(
                "hidden",
                "boards are shown once there is a release",
                "Publish by hand, or choose a rule that shows nothing.",
            )
        board.raw("key")
        board.raw("hidden")
        ordered = sorted(enumerate(board.parts("columns")), key=lambda pair: _index(pair[1], pair[0]))
        for _, part in ordered:
            columns.append(
                BundleColumn(
                    key=part.text("key"),
                    title=part.text("title") or part.text("key"),
                    lower=part.text("sorting", "desc").lower() == "asc",
                    digits=part.count("precision"),
                    hidden=part.flag("hidden"),
                    computed=part.text("computation"),
                    board=title,
                    place=part.path,
                    line=part.line("key"),
                )
            )
            part.raw("computation_indexes")
            part.close()
        board.close()
    if len(set(rules)) > 1:
        top.reading.note(
            "leaderboards",
            Fate.OTHERWISE,
            "the boards have several rules; the first one's holds for all",
            line=top.line("leaderboards"),
        )
    rule = rules[0] if rules else "add"
    return tuple(columns), _RULES.get(rule, Counts.CHOSEN), rule.endswith("_multiple")


def _pages(top: Part) -> tuple[BundlePage, ...]:
    taken: set[str] = set()
    found = []
    for number, part in enumerate(top.parts("pages")):
        title = part.text("title") or f"Page {number + 1}"
        read = page(
            top.reading,
            slug(title, f"page-{number + 1}", taken),
            title,
            part.text("file"),
            key=part.key("file"),
            line=part.line("file"),
        )
        found += [read] if read else []
        part.close()
    return tuple(found)


def _questions(top: Part) -> tuple[FactQuestion, ...]:
    found = []
    taken: set[str] = {"advisors"}
    for name, part in top.named("fact_sheet"):
        kind, title = part.text("type"), part.text("title") or name
        selection = part.raw("selection")
        options = [str(one) for one in selection if str(one).strip()] if isinstance(selection, list) else []
        options = ["yes", "no"] if kind == "checkbox" else list(dict.fromkeys(options))
        if part.flag("is_required"):
            part.left_out("is_required", "no question has to be answered to submit")
        if part.flag("is_on_leaderboard"):
            part.left_out(
                "is_on_leaderboard",
                "answers stand on the pages of systems and among the figures, in no column",
            )
        if options:
            found.append(
                FactQuestion(slug(part.text("key") or name, "fact", taken), title[:120], tuple(options))
            )
        else:
            top.reading.note(
                part.path,
                Fate.LEFT_OUT,
                "a question that is answered in words has no place in a fact sheet",
                "Offer answers to choose from, or ask it on a page.",
                line=part.line("type"),
            )
        part.raw("key"), part.raw("is_required"), part.raw("is_on_leaderboard")
        part.close()
    return tuple(found)
