"""Files of predictions and of gold labels, written as a task's definition says: what the reader reads, backwards."""

import io
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from benchmarks.spec import FileFormat, TaskSpec
from benchmarks.spec.item_order import in_public_order
from catalogue.answers import AnswerKind, Answers
from catalogue.answers.reading import JsonShape
from catalogue.item_lines import Tokens
from catalogue.layouts.form import AnsweredPart
from submissions.intake.canonical import CanonicalPredictions, FileTarget, SplitTarget
from submissions.intake.predictions.seeds import folder_of
from submissions.intake.predictions.wanted_files import file_targets

# What stands where the definition leaves a part of a path open.
STAR = "predictions"
_SHOWN_TOKENS = ("<token>", "<token>")


def write_predictions(
    task: TaskSpec, ids: Sequence[str], answers: Answers, tokens: Sequence[Tokens] = ()
) -> bytes:
    """One task's prediction file, complete with whatever its format asks for; reading it gives the same answers.

    Parameters
    ----------
    ids
        Of the items, as `ItemIds` has them.
    answers : array of shape (len(ids),)
        The canonical array of the task's output. Columns that nobody compares, such as the texts, hold `-`.
    tokens
        Of each item, where answers label them; a file that has a place for tokens holds `-` for those not known.

    Raises
    ------
    ValueError
        If there are not as many answers as ids, or a text cannot be written in the task's format.
    """
    return _write([_answered(task.file, task.output, ids, task.output.written(answers), tokens)])


def write_gold(task: TaskSpec, ids: Sequence[str], labels: Answers) -> bytes:
    """One task's gold file, as `read_gold_file` reads it; `-` for tokens. ValueError as `write_predictions`."""
    kind = task.output.gold
    values: Sequence[Any] = kind.written(labels)
    if task.output.several:
        ids, values = _as_rows(task, ids, values)
    return _write([replace(_answered(task.gold, kind, ids, values, ()), is_gold=True)])


def _as_rows(
    task: TaskSpec, ids: Sequence[str], values: Sequence[list[Any]]
) -> tuple[Sequence[str], Sequence[Any]]:
    """Ids and what stands beside each: JSON holds several accepted answers in a list, other files in a row each."""
    if task.output.json_shape is JsonShape.ONE and task.gold.layout.has_lists:
        return ids, [accepted if len(accepted) > 1 else accepted[0] for accepted in values]
    pairs = [(item, one) for item, accepted in zip(ids, values, strict=True) for one in accepted]
    return [item for item, _ in pairs], [one for _, one in pairs]


def write_files(
    targets: Sequence[SplitTarget], predictions: Iterable[CanonicalPredictions], *, seeds: int = 1
) -> dict[str, bytes]:
    """Every file of an upload by its path in the zip: what `read_upload` reads, backwards.

    Splits and tasks that share a file stand in it together. With several `seeds`, the files of each stand in its
    folder. What no prediction answers is left out.

    Raises
    ------
    ValueError
        If only a part of a file is answered, or as `write_predictions` says.
    """
    found = {(one.task, one.split, one.seed): one.codes for one in predictions}
    files = {}
    for seed in sorted({seed for _, _, seed in found}):
        answered = {(task, split): codes for (task, split, of), codes in found.items() if of == seed}
        for path, sharing in file_targets(targets).items():
            if any(
                (target.task.id, split.split) in answered for target in sharing for split in target.splits
            ):
                name = (folder_of(seed) if seeds > 1 else "") + path.replace("*", STAR)
                files[name] = _write([_part(target, answered, path) for target in sharing])
    return files


def sample_answers(output: AnswerKind, count: int, tokens: Sequence[Tokens] = ()) -> Answers:
    """The same answer `count` times, as a canonical array: it knows nothing but the kind of answer.

    The first label; a subset without labels; the class nearest to 0; the middle of a range of numbers; a dash for a
    span of text. A label's confidence is 0. Each of an item's tokens has the first label.
    """
    answer = output.sample()
    return output.array([output.of_tokens(answer, len(of_item)) for of_item in tokens] or [answer] * count)


def form_of_file(task: TaskSpec) -> str:
    """How a file of a task begins: the answer to one item, with words in place of its id and tokens.

    Empty for a table whose header says it, since a cell holds no list or object, and where a file has answers alone.
    """
    layout, output = task.file.layout, task.output
    is_told_by_header = layout.is_table and (
        output.json_shape is not JsonShape.WHOLE or task.file.has_composite_ids or bool(task.file.separator)
    )
    if is_told_by_header or not (layout.has_ids or task.file.columns):
        return ""
    item = "1" if task.file.numeric_ids else layout.shown_id
    answer = output.of_tokens(output.shown_example(), len(_SHOWN_TOKENS))
    return write_predictions(task, [item], output.array([answer]), [_SHOWN_TOKENS]).decode().rstrip("\n")


def sample_files(targets: Sequence[SplitTarget], *, seeds: int = 1) -> dict[str, bytes]:
    """Every file of an upload that answers all the targets with each of the seeds, by its path in the zip."""
    predictions = (
        CanonicalPredictions(
            target.task.id,
            target.split,
            sample_answers(target.task.output, len(target.ids), target.ids.tokens),
            seed,
        )
        for seed in range(1, seeds + 1)
        for target in targets
    )
    return write_files(targets, predictions, seeds=seeds)


def zip_of(files: Mapping[str, bytes]) -> bytes:
    """A zip of files by path; the same files always give the same bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for path, content in files.items():
            archive.writestr(zipfile.ZipInfo(path), content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def _part(target: FileTarget, answered: dict[tuple[str, str], Answers], path: str) -> AnsweredPart:
    values: list[Any] = []
    for split in target.splits:
        codes = answered.get((target.task.id, split.split))
        if codes is None or len(codes) != len(split.ids):
            raise ValueError(
                f"{path} cannot be written: {target.task.id}/{split.split} is not answered in full."
            )
        values += target.task.output.written(codes)
    return _answered(target.task.file, target.task.output, target.ids.ids, values, target.ids.tokens)


def _answered(
    form: FileFormat,
    output: AnswerKind,
    ids: Sequence[str],
    values: Sequence[Any],
    tokens: Sequence[Tokens] = (),
) -> AnsweredPart:
    is_whole_line = output.json_shape is JsonShape.FRAME
    columns = form.layout.answer_columns(output, form.label_column)
    return in_order(AnsweredPart(form, ids, values, columns, tokens, is_whole_line))


def in_order(part: AnsweredPart) -> AnsweredPart:
    """The part as its file needs it: in the public order of the ids where rows do not say theirs."""
    if part.form.layout.has_ids:
        return part
    values = dict(zip(part.ids, part.values, strict=True))
    ids = in_public_order(part.ids)
    return replace(part, ids=ids, values=[values[item] for item in ids])


def _write(parts: Sequence[AnsweredPart]) -> bytes:
    """The file that holds these parts; several only where tasks can share a file."""
    form = parts[0].form
    return form.layout.write(parts).encode(form.encoding)
