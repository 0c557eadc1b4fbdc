"""Breakers' sets as rows, and systems that have answered them: what stands when the games' score phase is over."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from benchmarks.models import Benchmark, Task
from benchmarks.services import keep_made_split
from benchmarks.spec import SplitSpec
from breaking.models import BreakerSet, Pair, PairFile
from leaderboard.publication.services import publish_ready
from scoring.core.measures.minimality import change_between
from scoring.gold.versions import load_gold
from scoring.item_sets.texts import load_texts
from scoring.queue.batches import close_due, finish_batches
from scoring.queue.runs import score_all_due
from submissions.intake.sealing import seal_file
from submissions.models import Submission, System
from submissions.services import PredictionUpload, submit_predictions
from tests.games import BREAK_CLOSES, IN_BUILD, IN_SCORE, phase_of
from tests.uploads import zip_of


@dataclass(frozen=True)
class OnePair:
    """A pair of a breaker; `more` are further columns of its texts, the same for both items."""

    stem: str
    original: str
    changed: str
    labels: tuple[str, str]
    rationale: str = ""
    more: Mapping[str, str] | None = None
    category: str = ""


NORTH = (
    OnePair("11", "I like this old song.", "I loathe this old song.", ("1", "-1"), "a rare verb"),
    OnePair("13", "What a kind thing to say!", "What an unkind thing to say!", ("1", "-1"), "a prefix"),
)
SOUTH = (OnePair("12", "You are in my way again.", "You are on my way again.", ("-1", "1")),)
WHO = (
    OnePair(
        "21",
        "The cook fed Parker.",
        "The old cook fed Parker.",
        ("The cook", "The old cook"),
        "a longer answer",
        {"predicate": "fed", "question": "Who fed someone?"},
    ),
)


def make_set(
    benchmark: Benchmark,
    slug: str,
    pairs: Sequence[OnePair] = NORTH,
    *,
    task: str = "tone",
    title: str = "",
    now: dt.datetime = BREAK_CLOSES,
) -> BreakerSet:
    """A breaker's set with its texts and its sealed labels."""
    row: Task = benchmark.tasks.get(slug=task)
    title = title or slug.title()
    keep_made_split(task=row, split=SplitSpec(slug, title, file=f"{task}_{slug}.csv"))
    row.benchmark.refresh_from_db()
    benchmark.refresh_from_db()
    items = [(f"{pair.stem}_{side}", pair, at) for pair in pairs for at, side in enumerate("ab")]
    answer = row.spec.gold.label_column
    gold = table(["id", answer], [[item, pair.labels[at]] for item, pair, at in items])
    load_gold(task=row, data=gold, file_name="gold.csv", now=now, split_slug=slug)
    split = row.splits.get(slug=slug)
    further = list(pairs[0].more or ())
    rows = [
        [item, (pair.original, pair.changed)[at], *(pair.more or {}).values()] for item, pair, at in items
    ]
    load_texts(split=split, data=table(["id", "text", *further], rows), file_name="texts.csv", now=now)
    return BreakerSet.objects.create(
        split=split, pair_file=_pair_file(row, benchmark, title, pairs, now), made_at=now
    )


def _pair_file(
    task: Task, benchmark: Benchmark, title: str, pairs: Sequence[OnePair], now: dt.datetime
) -> PairFile:
    sealed = seal_file(b"pairs", settings.GOLD_PUBLIC_KEY)
    file = PairFile.objects.create(
        task=task,
        phase=phase_of(benchmark, "break"),
        breaker=title,
        received_at=now,
        file_name="pairs.csv",
        file_digest="0" * 64,
        sealed=sealed.ciphertext,
        key_fingerprint=sealed.key_fingerprint,
        commitment=sealed.commitment,
        pair_count=len(pairs),
    )
    Pair.objects.bulk_create(_pair(file, at, pair) for at, pair in enumerate(pairs))
    return file


def _pair(file: PairFile, position: int, pair: OnePair) -> Pair:
    change = change_between(pair.original, pair.changed)
    return Pair(
        pair_file=file,
        position=position,
        line=position + 2,
        original_item=f"{pair.stem}_a",
        changed_item=f"{pair.stem}_b",
        original_id=pair.stem,
        original_text=pair.original,
        changed_text=pair.changed,
        rationale=pair.rationale,
        category=pair.category,
        character_edits=change.character_edits,
        token_edits=change.token_edits,
        token_count=change.token_count,
    )


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> bytes:
    """A CSV file whose every cell is quoted."""
    lines = [header, *rows]
    return "".join(
        ",".join('"' + cell.replace('"', '""') + '"' for cell in line) + "\n" for line in lines
    ).encode()


def answer(
    system: System, benchmark: Benchmark, files: Mapping[str, Mapping[str, str]], **more: Any
) -> Submission:
    """A submission of the score phase: answers by item, by the name of the file."""
    user = system.team.members.order_by("pk").first()
    assert user is not None
    data = zip_of(
        {
            name: table(["id", "answer" if name.startswith("who") else "label"], list(map(list, own.items())))
            for name, own in files.items()
        }
    )
    arguments = {
        "file_name": "all.zip",
        "received_at": IN_SCORE,
        "phase": phase_of(benchmark, "score"),
        **more,
    }
    return submit_predictions(PredictionUpload(system=system, user=user, data=data, **arguments)).submission


def answer_dev(system: System, benchmark: Benchmark) -> Submission:
    """A submission of the build phase, three of four right."""
    dev = {"tone_dev.csv": {"d1": "1", "d2": "-1", "d3": "1", "d4": "1"}}
    return answer(system, benchmark, dev, phase=phase_of(benchmark, "build"), received_at=IN_BUILD)


def run(now: dt.datetime) -> None:
    """What beat and workers do, without what is due for breakers."""
    close_due(now)
    score_all_due(now)
    finish_batches(now)
    publish_ready(now)
