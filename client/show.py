"""What is printed. Whatever came from a file or from the server is printed as text and nothing else."""

import datetime as dt
import time
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from catalogue.disclosure import RULES
from catalogue.problems import counted, visible
from client.log.audit import Findings
from submissions.intake import IntakeResult
from submissions.intake.tables.sealed_gold import SealedGold

_LONGEST = 1000
# So many problems are told one by one, more by their causes.
FEW_PROBLEMS = 12


def plain(value: object) -> Text:
    """The value as text: no markup, no control character."""
    return Text(visible(str(value), _LONGEST))


def line(console: Console, *parts: object) -> None:
    """One line of text, wrapped between words only."""
    console.print(*(plain(part) for part in parts), soft_wrap=True)


def place(problem: Mapping[str, Any]) -> str:
    """`file:line:column`, as far as it is known."""
    return ":".join(str(problem[key]) for key in ("file", "line", "column") if problem.get(key) is not None)


def show_problems(console: Console, problems: Iterable[Mapping[str, Any]], more: int) -> None:
    """Problems as compilers print them, so that editors can jump to the place; and how many more there are."""
    problems = list(problems)
    total = len(problems) + more
    line(console, f"Not accepted: {total} problem{'' if total == 1 else 's'}.")
    for problem in problems:
        line(console, f"{place(problem)}: {problem.get('message')} [{problem.get('code')}]")
    if more:
        line(console, f"And {more} more.")


def show_refusal(
    console: Console,
    problems: Iterable[Mapping[str, Any]],
    more: int,
    causes: Collection[Mapping[str, Any]],
) -> None:
    """Why an upload is refused: a few problems as they are, many by their causes with the first places of each file."""
    problems = list(problems)
    total = len(problems) + more
    if total <= FEW_PROBLEMS or not causes:
        show_problems(console, problems, more)
        return
    reasons = "one reason" if len(causes) == 1 else f"{len(causes)} reasons"
    line(console, f"Not accepted, for {reasons}: {total:,} problems.")
    for cause in causes:
        files = f"{cause['file_count']:,} file{'' if cause['file_count'] == 1 else 's'}"
        times = "once" if cause["count"] == 1 else f"{cause['count']:,} times"
        line(console, f"{cause['title']}: {times}, in {files} [{cause['code']}]")
        for remark in cause["remarks"]:
            line(console, f"  {remark}")
        for each in cause["files"]:
            lines = ", ".join(str(number) for number in each["lines"] if number is not None)
            where = f", first on line {lines}" if lines else ""
            line(console, f"  {each['file']}: {each['count']:,}{where}")
        line(console, f"  {place(cause['first'])}: {cause['first'].get('message')}")


def show_fine(console: Console, result: IntakeResult) -> None:
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("task")
    for title in ("split", "seeds", "labels"):
        table.add_column(title, justify="left" if title == "split" else "right")
    seeds = Counter((one.task, one.split) for one in result.predictions)
    labels = {(one.task, one.split): len(one.codes) for one in result.predictions}
    for (task, split), count in seeds.items():
        table.add_row(plain(task), plain(split), f"{count}", f"{count * labels[task, split]:,}")
    tasks = len({task for task, _ in seeds})
    line(console, f"No problem found: {counted(tasks, 'task')}, {counted(result.labels_read, 'label')}.")
    console.print(table)


def show_receipt(console: Console, receipt: Mapping[str, Any]) -> None:
    quota = receipt["quota"]
    if receipt["is_repeat"]:
        line(console, "These predictions had been sent before. Nothing was used of your quota.")
    else:
        track = f", track {receipt['track']}" if receipt["track"] else ""
        line(console, f"Accepted: {len(receipt['tasks'])} tasks, {receipt['labels_read']:,} labels{track}.")
    line(console, receipt["next_step"]["sentence"])
    ends = quota["window_ends_at"]
    until = f"until {instant(ends)}" if ends else "in this phase"
    line(console, f"You and your team have used {quota['used']} of {quota['limit']} submissions {until}.")
    if receipt.get("fact_sheet_missing"):
        line(
            console,
            "Its fact sheet is missing: send it with --fact-sheet, or fill it in from this page:",
        )
    line(console, receipt["url"])
    line(console, f"Follow it with: heldout status {receipt['id']}")


def show_pairs_receipt(console: Console, receipt: Mapping[str, Any]) -> None:
    """What the server has accepted of a breaker, and which pairs wait for the organiser."""
    if receipt["is_repeat"]:
        line(console, "This very file was handed in before, and counts. Nothing has changed.")
    else:
        count = receipt["pair_count"]
        line(console, f"Accepted: {count:,} pair{'' if count == 1 else 's'} of {receipt['team_name']}.")
    if receipt["waiting"]:
        line(console, f"Pairs that wait for the organiser: {len(receipt['waiting']):,}.")
    for pair in receipt["waiting"]:
        line(console, f"{receipt['file_name']}:{pair['line']}: {pair['item']}: {pair['reason']}")
    line(console, receipt["url"])


def show_status(console: Console, submission: Mapping[str, Any]) -> None:
    line(console, f"{submission['system_name']}, {submission['phase']}, {submission['file_name']}")
    line(console, f"Received {instant(submission['received_at'])} by {submission['submitted_by']}.")
    line(console, submission["status_sentence"])
    line(console, submission["next_step"]["sentence"])
    if submission["scores"]:
        table = Table(box=None, padding=(0, 2, 0, 0))
        for title in ("task", "split", "metric", "score", "seeds", "release"):
            table.add_column(title)
        for score in submission["scores"]:
            value = score["undefined"] if score["value"] is None else f"{score['value']:.4f}"
            if score["deviation"] is not None:
                value += f" ± {score['deviation']:.4f}"
            cells = (score["task"], score["split"], score["metric"], value, score["seeds"], score["release"])
            table.add_row(*map(plain, cells))
        console.print(table)
    show_feedback(console, submission)
    rules = sorted({score["disclosure"] for score in submission["scores"] if score.get("disclosure")})
    if rules:
        for rule in rules:
            line(console, _no_exact_scores(rule))


def show_feedback(console: Console, submission: Mapping[str, Any]) -> None:
    """Scores that are told before a release; nothing once there are published ones, or where the phase tells none."""
    if submission["scores"] or not submission.get("feedback_note"):
        return
    table = Table(box=None, padding=(0, 2, 0, 0))
    for title in ("task", "split", "metric", "provisional score"):
        table.add_column(title)
    for score in submission["feedback"]:
        value = score["undefined"] if score["value"] is None else f"{score['value']:.4f}"
        table.add_row(*map(plain, (score["task"], score["split"], score["metric"], value)))
    if submission["feedback"]:
        console.print(table)
    line(console, submission["feedback_note"])


def show_result(console: Console, submission: Mapping[str, Any]) -> None:
    """Where the submission's system stands, then a line for each column, the one with most to gain first."""
    result = submission["result"]
    line(console, result["sentence"])
    if result["next"]:
        ahead = result["next"]
        line(console, f"To the next place, {ahead['system']}: {ahead['distance']:.3f}.")
    table = Table(box=None, padding=(0, 2, 0, 0))
    for title in ("column", "score", "95 % interval", "place", "best", "median", "half way to the best adds"):
        table.add_column(title)
    for one in result["columns"]:
        interval = "" if one["ci_low"] is None else f"{one['ci_low']:.3f} to {one['ci_high']:.3f}"
        gain = "" if one["gain"] is None else f"{one['gain']:+.3f}"
        place = f"{one['place']} of {one['of']}"
        value, best, median = (f"{one[name]:.3f}" for name in ("value", "best", "median"))
        table.add_row(*map(plain, (one["column"], value, interval, place, best, median, gain)))
    if result["columns"]:
        console.print(table)
    line(console, submission["url"])


def _no_exact_scores(rule: str) -> str:
    """What the numbers of a submission are that a rule shows; rules that this client does not know are named."""
    if rule in RULES and RULES[rule].texts.in_mail:
        return RULES[rule].texts.in_mail
    return f"These are no exact scores: the phase shows them by its rule “{rule}”."


def shown_when(phase: Mapping[str, Any]) -> str:
    """What a running phase shows before its end, and what follows then; empty where scores are exact throughout."""
    key = phase.get("disclosure", "exact")
    if key not in RULES:
        return f"; what is shown before its end follows the rule “{key}”"
    rule = RULES[key]
    if rule.shows_everything():
        return ""
    end = f"it closes on {instant(phase['closes_at'])}" if phase.get("closes_at") else "it closes"
    if not rule.shows_before_end:
        return f"; no score is shown before {end}, then all exactly"
    shown = (
        "exact scores of half of the items" if rule.shows_all else "scores of half of the items with noise"
    )
    return f"; {shown} are shown until {end}, then the other half ranks"


def show_submissions(console: Console, submissions: Iterable[Mapping[str, Any]]) -> None:
    """A list of submissions, two lines for each: a table of five columns is too wide for most terminals."""
    for one in submissions:
        line(console, f"{one['id']}  {one['status']}")
        line(console, f"  {one['system_name']}, {one['phase']}, received {instant(one['received_at'])}")


def show_findings(out: Console, err: Console, findings: Findings) -> None:
    """What an audit has looked at, and what it has found."""
    for sentence in findings.wrong:
        line(err, f"WRONG  {sentence}")
    counts = {
        "entries of the log": findings.entry_count,
        "releases": findings.release_count,
        "pages": findings.page_count,
        "opened commitments": findings.commitment_count,
        "scores made again": findings.score_count,
    }
    line(out, f"Looked at {', '.join(f'{count:,} {what}' for what, count in counts.items())}.")
    if findings.removed_count:
        line(out, f"Files that were removed, with date and reason in the log: {findings.removed_count:,}.")
    count = len(findings.wrong)
    line(out, f"{count} finding{'' if count == 1 else 's'}." if count else "Nothing was changed in silence.")


def instant(text: str) -> str:
    """An instant of the API in this machine's time zone."""
    at = dt.datetime.fromisoformat(text).astimezone()
    return f"{at:%a} {at.day} {at:%b %Y, %H:%M %Z}"


def is_to_come(text: str | None) -> bool:
    """Whether an instant of the API lies ahead, by this machine's clock; no instant does not."""
    return text is not None and dt.datetime.fromisoformat(text).timestamp() > time.time()


def show_sealed(
    console: Console, target: Path, sealed: SealedGold, *, benchmark: str, task: str, digest: str
) -> None:
    """What was sealed, where it is, and what an organiser does next, step by step."""
    for sentence in (
        f"Sealed: the labels of {counted(len(sealed.ids), 'item')}. Nothing was sent.",
        f"The sealed file: {target}",
        "Whoever has it can read the ids of the items and no label: only the server's scorer can open it.",
        "",
        "What to do next:",
        "1. Ask the operator of the server for the SHA-256 of its key (`manage.py keys`). It has to be",
        f"   {digest}",
        f"2. Upload the sealed file in the admin, on the page of the task {task} of {benchmark}, with “Load gold",
        "   labels”; or have the operator load it with `manage.py load_gold --sealed`.",
        "3. Compare the commitment that the server then publishes with this one. With it anybody can check, once the",
        "   labels are public, that none has changed (`heldout verify`).",
        f"   {sealed.commitment}",
    ):
        line(console, sentence)


def show_terms(console: Console, terms: Mapping[str, Any]) -> None:
    """The whole text of terms, line by line as it was written."""
    line(console, f"Terms of {terms['benchmark']}, version {terms['version']}:")
    for one in str(terms["text"]).splitlines():
        console.print(Text(visible(one, len(one))), soft_wrap=True)
