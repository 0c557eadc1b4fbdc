"""What systems predicted for the development data: for breakers, once building is over, and never with gold labels."""

import csv
import datetime as dt
import io
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from accounts.formats.instants import day_in_utc, time_in_utc
from accounts.models import Team, User
from benchmarks.models import Benchmark, Phase, Split, Task, Texts
from benchmarks.spec.model import DEV
from scoring.disclosure.standings import Answer, latest_scored, standings_by_row
from scoring.models import Batch
from submissions.exceptions import NotYourTeam, PhaseNotReady
from submissions.models import Predictions
from submissions.systems.pseudonyms import PublicName, public_names
from submissions.uploads.expected_splits import alignment_sha256, item_ids


class NothingBuilt(Exception):
    """There are no predictions for development data, and there will be none."""


@dataclass(frozen=True, slots=True)
class BlindOffer:
    """The tasks whose predictions may be downloaded; `why_not` says why there are none yet."""

    tasks: tuple[Task, ...]
    why_not: str


def blind_offer(benchmark: Benchmark, tasks: Iterable[Task], now: dt.datetime) -> BlindOffer | None:
    """What a page can offer; None where no systems are built beforehand."""
    phases = _build_phases(benchmark)
    if not phases:
        return None
    why_not = _why_not(phases, now)
    return BlindOffer(() if why_not else tuple(task for task in tasks if _development(task)), why_not)


def refuse_people_without_team(user: User) -> None:
    """NotYourTeam unless `user` is in any team."""
    if not Team.objects.of(user).exists():
        raise NotYourTeam(
            "What systems predicted is given to members of teams. Found a team, or ask for an "
            "invitation to one."
        )


def blind_predictions(benchmark: Benchmark, task: Task, *, now: dt.datetime) -> bytes:
    """The development data of a task with a column for each system that has answered them, as a CSV file.

    The columns are `id`, those of the texts as far as they are loaded, and the public names of the systems. Each
    stands with the submission that counts for it, of several seeds with the first. Cells are what was handed in,
    character by character: a spreadsheet may take one that begins with `=` for a formula.

    Raises
    ------
    NothingBuilt
        If no systems are built for the task.
    PhaseNotReady
        Before the build phase is closed and what was handed in there is scored.
    """
    phases, split = _build_phases(benchmark), _development(task)
    if not phases or split is None:
        raise NothingBuilt(f"No systems are built for {task}.")
    if why_not := _why_not(phases, now):
        raise PhaseNotReady(why_not)
    ids, (heads, texts) = item_ids(split.pk, split.ids_sha256).ids, _texts(split)
    names = public_names(benchmark)
    systems = sorted(
        (
            (names[answer.submission.system_id], answer, labels)
            for answer in _answers(phases, task)
            if (labels := _labels(answer, split)) is not None
        ),
        key=lambda one: (*_by_name(one[0]), one[1].submission.track),
    )
    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow(
        ["id", *heads, *_columns([(name, answer) for name, answer, _ in systems], ["id", *heads])]
    )
    for at, item in enumerate(ids):
        blank = [""] * len(heads)
        writer.writerow([item, *texts.get(item, blank), *(labels[at] for _, _, labels in systems)])
    return stream.getvalue().encode()


def _build_phases(benchmark: Benchmark) -> list[Phase]:
    return list(benchmark.phases.filter(kind=Phase.Kind.BUILD))


def _why_not(phases: Sequence[Phase], now: dt.datetime) -> str:
    """Why predictions are not given out yet, in a sentence; empty where they are."""
    for phase in phases:
        if phase.closes_at is None or now < phase.closes_at:
            if phase.closes_at is None:
                return f"They are given out when the phase {phase.title} closes."
            return (
                f"They are given out when the phase {phase.title} closes, on {day_in_utc(phase.closes_at)}, "
                f"{time_in_utc(phase.closes_at)} UTC."
            )
        if phase.next_cut_off_at <= now or phase.batches.filter(status=Batch.Status.SCORING).exists():
            return f"What the phase {phase.title} took in is being scored. Please come back in a few minutes."
    return ""


def _development(task: Task) -> Split | None:
    return task.splits.filter(slug=DEV).first() if task.spec.pairs else None


def _answers(phases: Iterable[Phase], task: Task) -> Iterable[Answer]:
    for phase in phases:
        batch = latest_scored(phase)
        rows = standings_by_row(batch, under_any_gold=True).values() if batch else ()
        for row in rows:
            yield from (
                one for one in row.answers.values() if (one.task.pk, one.split.slug) == (task.pk, DEV)
            )


def _labels(answer: Answer, split: Split) -> list[str] | None:
    """The answers in the order of the split; None where its ids or labels were changed since."""
    stored = Predictions.objects.filter(submission=answer.submission, split=split).order_by("seed").first()
    if stored is None or stored.alignment_sha256 != alignment_sha256(split):
        return None
    codes = stored.canonical().codes
    return split.task.spec.output.texts(codes)


def _texts(split: Split) -> tuple[list[str], dict[str, list[str]]]:
    """The heads of the columns of text, and the cells by item; nothing where no texts are loaded."""
    loaded = Texts.objects.filter(split=split).first()
    if loaded is None:
        return [], {}
    head, *rows = csv.reader(io.StringIO(loaded.csv().decode(), newline=""), strict=True)
    return head[1:], {item: cells for item, *cells in rows}


def _by_name(name: PublicName) -> tuple[bool, int, str, str]:
    """Numbers in their order, which tells nothing of whom they stand for; then names."""
    return not name.is_pseudonym, len(name.name) if name.is_pseudonym else 0, name.name.casefold(), name.team


def _columns(systems: Sequence[tuple[PublicName, Answer]], taken: Iterable[str]) -> list[str]:
    """The head of each system's column: its name, with more behind it where that is not its own."""
    named = [", ".join(filter(None, [name.name, answer.submission.track])) for name, answer in systems]
    counts = Counter([*taken, *named])
    return [
        f"{head} ({name.team})" if counts[head] > 1 else head
        for head, (name, _) in zip(named, systems, strict=True)
    ]
