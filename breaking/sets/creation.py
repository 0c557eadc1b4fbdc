"""A breaker's pairs become a split: its ids and texts public, its labels sealed.

The pairs were handed in here, or finished elsewhere, such as those of an earlier year: then they come from a file of
gold labels.
"""

import datetime as dt
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from itertools import chain, count

from django.db import transaction
from django.utils.text import slugify
from django.views.decorators.debug import sensitive_variables

from accounts.models import User
from benchmarks.models import Benchmark, Phase, Task
from benchmarks.services import keep_made_split
from benchmarks.spec import DEV, SplitSpec
from breaking.models import BreakerSet, Contest, Pair, PairFile
from breaking.querysets import lock_task
from catalogue.problems import quoted
from scoring.core.measures.minimality import change_between
from scoring.file_refusal import FileRefused
from scoring.gold.versions import GoldRefused, keep_gold, public_key
from scoring.item_sets.texts import TEST, answered, drop_texts, pack, store
from submissions.intake import GoldFile, ItemIds
from submissions.intake.canonical import answer_reader
from submissions.intake.pairs.finished_pairs import FinishedItem, FinishedPairs, read_finished_pairs
from submissions.intake.pairs.minimal_pairs import layout_of_pairs, makes_pairs
from submissions.intake.sealing import VaultError, seal_file
from submissions.intake.tables.texts import TextsFile
from submissions.uploads.expected_splits import item_ids

_LONGEST_SLUG = 40
_NAMELESS = "breaker"
_FILE_NAME = re.compile(r"(?!.*\.\.)[A-Za-z0-9*][A-Za-z0-9._*/-]{0,99}")
_LONGEST_BREAKER = 80
_LONGEST_FILE_NAME = 255
IMPORTED_AGAIN = "The set was imported anew."


@dataclass(frozen=True, slots=True)
class SetItems:
    """The items of a set. `texts` has an entry per id, with a text per name in `columns`; neither if none are known."""

    ids: tuple[str, ...]
    labels: tuple[str, ...] = field(repr=False)
    columns: tuple[str, ...] = ()
    texts: tuple[tuple[str, ...], ...] = ()


def set_of(file: PairFile) -> BreakerSet | None:
    """The set of the breaker whose file it is, made of this file or of an earlier one."""
    sets = BreakerSet.objects.select_related("split", "pair_file").defer("pair_file__sealed")
    own = {"pair_file__team": file.team_id} | ({} if file.team_id else {"pair_file__breaker": file.breaker})
    return sets.filter(split__task=file.task_id, **own).first()


def place_set(
    *, file: PairFile, items: SetItems, now: dt.datetime, user: User | None, prediction_file: str = ""
) -> BreakerSet:
    """Make the items of a file the set of its breaker; one that was made of an earlier file of his changes.

    Nobody has answered that one. Call it in a transaction that holds the task's row. `prediction_file` is what files
    of predictions for the set are called.
    """
    # Names of files are no two tasks' alike.
    Benchmark.objects.select_for_update().get(pk=file.task.benchmark_id)
    task = Task.objects.select_related("benchmark").get(pk=file.task_id)
    earlier = set_of(file)
    breaker = file.team.name if file.team else file.breaker  # which may have been removed since the file came
    spec = task.spec.split(earlier.split.slug) if earlier else _new_split(task, breaker, prediction_file)
    if prediction_file and earlier:
        spec = replace(spec, file=prediction_file)
    keep_made_split(task=task, split=spec)
    reader = answer_reader(task.spec.output.gold, task.spec.gold)
    codes = reader.array([reader.value((label,)) for label in items.labels])
    split = keep_gold(
        task=task,
        gold=GoldFile(ItemIds(items.ids), codes),
        now=now,
        user=user,
        show_class_counts=False,
        note="",
        split_slug=spec.id,
    ).version.split
    drop_texts([split])
    if items.columns:
        by_item = dict(zip(items.ids, items.texts, strict=True))
        rows = tuple(by_item[item] for item in item_ids(split.pk, split.ids_sha256).ids)
        store(split, pack(split, TextsFile(items.columns, rows)), seed=None, now=now)
    values = {"pair_file": file, "made_at": now}
    return BreakerSet.objects.update_or_create(split=split, defaults=values)[0]


def _new_split(task: Task, breaker: str, prediction_file: str) -> SplitSpec:
    """A split for a breaker that has none yet. Its id and the name of its files are nobody else's."""
    taken = {
        TEST,
        DEV,
        *(split.id for split in task.spec.splits),
        *task.splits.values_list("slug", flat=True),
    }
    files = {one.path_of(split.id) for one in task.benchmark.spec.tasks for split in one.splits}
    words = slugify(re.sub(r"[^\w]+", "-", breaker))
    plainest = words[:_LONGEST_SLUG].strip("-_") or _NAMELESS
    slugs = chain([plainest], (f"{plainest}-{number}" for number in count(2)))
    ending = layout_of_pairs(task.spec).ending
    names = ((slug, prediction_file or f"{task.slug}_{slug}.{ending}") for slug in slugs if slug not in taken)
    slug, file = next((slug, file) for slug, file in names if prediction_file or file not in files)
    return SplitSpec(slug, breaker, file=file)


def is_file_taken(task: Task, path: str, *, except_of: str) -> bool:
    """Whether a file of that name could as well be that of another set; `except_of` is the id of the own one."""
    others = [
        other.path_of(split.id)
        for other in task.benchmark.spec.tasks
        for split in other.splits
        if (other.id, split.id) != (task.slug, except_of)
    ]
    return any(fnmatchcase(path, other) or fnmatchcase(other, path) for other in others)


@sensitive_variables()  # the file is one of gold labels
def import_set(
    *,
    task: Task,
    breaker: str,
    data: bytes,
    file_name: str,
    now: dt.datetime,
    user: User | None,
    prediction_file: str = "",
    contest_repeats: bool = False,
) -> BreakerSet:
    """Make a file in the form of the task's gold labels the set of a breaker. The same file again changes nothing.

    An earlier import of that breaker is replaced as long as nobody has answered it. `prediction_file` is what files of
    predictions for the set are called; it may hold `*`. With `contest_repeats`, ids may stand in several rows: the
    first is in force, and every such item becomes a contested one, for an organiser to decide.

    Raises
    ------
    FileRefused
        If the file has problems, the benchmark takes no pairs or its gold labels are public already, or systems have
        answered the breaker's earlier set.
    """
    breaker = " ".join(breaker.split())
    phase = _phase_of(task, breaker, prediction_file)
    read = read_finished_pairs(data, file_name=file_name, task=task.spec, may_repeat=contest_repeats)
    finished = read.content_or(FileRefused.because_of)
    try:
        sealed = seal_file(data, public_key())
    except (GoldRefused, VaultError) as error:
        raise FileRefused(str(error)) from None
    file = PairFile(
        task=task,
        phase=phase,
        breaker=breaker,
        submitted_by=user,
        received_at=now,
        file_name=file_name[-_LONGEST_FILE_NAME:],
        file_digest=PairFile.digest_of(data),
        sealed=sealed.ciphertext,
        key_fingerprint=sealed.key_fingerprint,
        commitment=sealed.commitment,
        pair_count=len(finished.pairs),
    )
    with transaction.atomic():
        file.task = lock_task(task.pk)
        earlier = set_of(file)
        if earlier and earlier.pair_file.file_digest == file.file_digest:
            return earlier
        _refuse_unfit(file, prediction_file, earlier)
        if earlier:
            earlier.pair_file.end(PairFile.Status.REPLACED, IMPORTED_AGAIN, now)
            contests = Contest.objects.filter(split=earlier.split, status=Contest.Status.OPEN)
            contests.update(status=Contest.Status.RETRACTED, note=IMPORTED_AGAIN, decided_at=now)
        return _keep(file, finished, now=now, user=user, prediction_file=prediction_file)


def _phase_of(task: Task, breaker: str, prediction_file: str) -> Phase:
    """The phase that the pairs count as handed in in. FileRefused also where a name is none."""
    phase: Phase | None = Phase.objects.filter(benchmark=task.benchmark_id, kind=Phase.Kind.BREAK).first()
    if phase is None or not makes_pairs(task.spec) or not task.spec.gold.layout.is_table:
        raise FileRefused(
            f"{task} takes no pairs: its benchmark needs a phase of the kind break, and the task "
            "`pairs`, one label of a set or a span as answer, and gold labels in a table."
        )
    if not 1 <= len(breaker) <= _LONGEST_BREAKER or not breaker.isprintable():
        raise FileRefused(f"A breaker's name has 1 to {_LONGEST_BREAKER} printable characters.")
    if prediction_file and not _FILE_NAME.fullmatch(prediction_file):
        raise FileRefused(
            f"{quoted(prediction_file)} cannot be what files of predictions are called: give up to 100 "
            "letters, digits, dots, hyphens, underscores, slashes and stars, such as Team1_breaker_*."
        )
    return phase


def _refuse_unfit(file: PairFile, prediction_file: str, earlier: BreakerSet | None) -> None:
    """FileRefused where it is too late for a set, or its predictions could be taken for those of another."""
    if earlier and answered([earlier.split]):
        raise FileRefused(
            f"Systems have answered the set of {file.breaker}, so it stays as it is. Withdraw it, and "
            "import the file under another name."
        )
    if file.task.splits.filter(gold_opened_at__isnull=False).exists():
        raise FileRefused(f"The gold labels of {file.task.title} are public by now, so no set can be added.")
    own = earlier.split.slug if earlier else ""
    if prediction_file and is_file_taken(file.task, prediction_file, except_of=own):
        raise FileRefused(
            f"A file called {quoted(prediction_file)} could be one for another set. Give one that fits this set alone."
        )


def _keep(
    file: PairFile, finished: FinishedPairs, *, now: dt.datetime, user: User | None, prediction_file: str
) -> BreakerSet:
    file.save(force_insert=True)
    Pair.objects.bulk_create(_rows(file, finished))
    items = [item for pair in finished.pairs for item in pair]
    breaker_set = place_set(
        file=file,
        items=SetItems(
            ids=tuple(item.id for item in items),
            labels=tuple(item.label for item in items),
            columns=finished.columns,
            texts=tuple(item.texts for item in items) if finished.columns else (),
        ),
        now=now,
        user=user,
        prediction_file=prediction_file,
    )
    for item in items:
        if item.id in finished.repeated:
            _contest(breaker_set, [item, *finished.repeated[item.id]], user, now)
    return breaker_set


def _rows(file: PairFile, finished: FinishedPairs) -> Iterator[Pair]:
    for position, (original, changed) in enumerate(finished.pairs):
        before, after = ("".join(item.texts[:1]) for item in (original, changed))
        change = change_between(before, after)
        yield Pair(
            pair_file=file,
            position=position,
            line=changed.line,
            original_item=original.id,
            changed_item=changed.id,
            original_id=original.id,
            original_text=before,
            changed_text=after,
            character_edits=change.character_edits,
            token_edits=change.token_edits,
            token_count=change.token_count,
        )


def _contest(made: BreakerSet, rows: Sequence[FinishedItem], user: User | None, now: dt.datetime) -> None:
    """Ask the organiser which of the rows of an item is meant; what each says is sealed."""
    lines = [{"line": row.line, "label": row.label} for row in rows]
    sealed = seal_file(json.dumps(lines, ensure_ascii=False).encode(), public_key())
    *others, last = (str(row.line) for row in rows)
    Contest.objects.create(
        split=made.split,
        item=rows[0].id,
        reason=f"Lines {', '.join(others)} and {last} of the file {made.pair_file.file_name} give this "
        f"item. Line {rows[0].line} counts until it is decided.",
        raised_by=user,
        raised_at=now,
        sealed_lines=sealed.ciphertext,
        sealed_lines_commitment=sealed.commitment,
    )
