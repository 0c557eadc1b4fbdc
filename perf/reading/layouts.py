"""A million rows of every further layout and kind of answer, without a fault: CPU time per 100,000 rows, and memory.

A row is an item, in columns of tokens a token, in TREC's files a document; where a row is a part of an answer, a
million items have more rows. Each file is judged in a process of its own, as in `perf.reading.refused`. Before it
pandas reads a table of as many ids and labels and merges it with the ids, so that ratios hold whatever the machine's
speed. At most 2 s per 100,000 rows and 300 MB are allowed.

Run: python -m perf.reading.layouts [rows] [what ...]
"""

import io
import multiprocessing
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

from benchmarks.spec import FileFormat
from catalogue.answers import (
    AnswerKind,
    CharacterSpans,
    Frames,
    FreeText,
    Label,
    ManyLabels,
    Number,
    Probabilities,
    RankedList,
    ScoredPreference,
    TokenLabels,
)
from catalogue.answers.open_ended.ranked_list import BETWEEN
from catalogue.item_lines import Tokens
from catalogue.layouts import CONLL, CSV, JSON_LINES, LAYOUTS, ONE_A_LINE, TREC, TSV
from catalogue.layouts.form import BOOLEANS, NUMBERS
from perf.figures import Measurement, report
from perf.reading.refused import LABELS, MILLION, MOST_MEGABYTES, MOST_SECONDS, Judged, judged, task_of
from perf.timing import cpu_seconds, number_asked_for
from submissions.intake import ItemIds, SplitTarget
from submissions.intake.predictions.file_writer import write_predictions

CONLLU = LAYOUTS["conllu"]
TOKENS_OF_SENTENCE, DOCUMENTS_OF_QUERY = 20, 100


class Form(NamedTuple):
    """A kind of answer, what its file says, and how many rows an item has."""

    kind: AnswerKind
    file: dict[str, Any]
    rows: int = 1


WORDS = Label(LABELS)
FORMS = {
    "no header": Form(WORDS, {"layout": TSV, "headerless": True}),
    "loose texts": Form(
        WORDS, {"layout": CSV, "columns": ("id", "text", "label"), "loose_columns": ("text",)}
    ),
    "clipped": Form(Number(0, 1, clip=True), {"layout": CSV}),
    "one label a line": Form(WORDS, {"layout": ONE_A_LINE}),
    "one text a line": Form(FreeText(), {"layout": ONE_A_LINE}),
    "texts": Form(FreeText(), {"layout": JSON_LINES}),
    "numbers in JSON": Form(
        Label(("0", "1")), {"layout": JSON_LINES, "numeric_ids": True, "labels_as": NUMBERS}
    ),
    "booleans": Form(Label(("true", "false")), {"layout": JSON_LINES, "labels_as": BOOLEANS}),
    "nested": Form(WORDS, {"layout": JSON_LINES, "label_column": "answer.label"}),
    "lists": Form(ManyLabels(LABELS), {"layout": JSON_LINES}),
    "spans in JSON": Form(CharacterSpans(LABELS[:6]), {"layout": JSON_LINES}),
    "frames": Form(Frames(LABELS, LABELS[:6]), {"layout": JSON_LINES}),
    "probabilities": Form(Probabilities(LABELS[:3]), {"layout": CSV, "columns": ("id", *LABELS[:3])}),
    "probabilities in JSON": Form(Probabilities(LABELS[:3]), {"layout": JSON_LINES}),
    "two scores": Form(
        ScoredPreference(("a", "b", "tie")), {"layout": CSV, "columns": ("id", "score_1", "score_2")}
    ),
    "two scores in JSON": Form(ScoredPreference(("a", "b", "tie")), {"layout": JSON_LINES}),
    "tokens": Form(TokenLabels(LABELS), {"layout": CONLL}, TOKENS_OF_SENTENCE),
    "tokens in JSON": Form(TokenLabels(LABELS), {"layout": JSON_LINES}, TOKENS_OF_SENTENCE),
    "ranked lists": Form(RankedList(), {"layout": TREC}, DOCUMENTS_OF_QUERY),
    "lists in one cell": Form(ManyLabels(LABELS), {"layout": CSV, "separator": ";"}),
    "a row for each label": Form(ManyLabels(LABELS), {"layout": LAYOUTS["long_csv"]}),
    "a row for each span": Form(
        CharacterSpans(LABELS[:6]),
        {"layout": LAYOUTS["long_tsv"], "columns": ("id", "start", "end", "type")},
    ),
    "CoNLL-U": Form(
        TokenLabels(LABELS),
        {
            "layout": CONLLU,
            "columns": CONLLU.all_columns,
            "token_column": CONLLU.column_of_tokens,
            "label_column": "UPOS",
            "skipped": CONLLU.comments,
            "id_line": CONLLU.default_id_line,
        },
        TOKENS_OF_SENTENCE,
    ),
    "samples": Form(WORDS, {"layout": LAYOUTS["lm_eval_samples"]}),
    "log": Form(WORDS, {"layout": LAYOUTS["inspect_log"]}),
}


def _target(form: Form, rows: int) -> SplitTarget:
    task = task_of(
        form.kind, FileFormat(**{"path": "f", "id_column": "id", "label_column": "label"} | form.file)
    )
    ids = [str(number) for number in range(1, rows // form.rows + 1)]
    if form.file.get("loose_columns"):
        ids = [f'["{item}", "text {item}"]' for item in ids]
    return SplitTarget(task, "test", ItemIds(ids, _tokens(form, len(ids))))


def _tokens(form: Form, count: int) -> Sequence[Tokens]:
    words = tuple(f"word{at}" for at in range(form.rows))
    return [words] * count if form.kind.has_tokens else ()


def _answers(form: Form, count: int) -> Any:
    random = np.random.default_rng(0)
    if form.kind.is_ranking:
        names = [f"document-{number}" for number in range(10 * form.rows)]
        drawn = (random.choice(len(names), form.rows, replace=False) for _ in range(count))
        return form.kind.array(BETWEEN.join(names[place] for place in places) for places in drawn)
    if form.kind.has_tokens:
        codes = random.integers(len(LABELS), size=(count, form.rows)).tolist()
        return form.kind.array(" ".join(LABELS[code] for code in of_item) for of_item in codes)
    return form.kind.examples(count, random)


def _write(name: str, rows: int, path: Path) -> None:
    form, target = FORMS[name], _target(FORMS[name], rows)
    data = write_predictions(target.task, target.ids.ids, _answers(form, len(target.ids)), target.ids.tokens)
    path.write_bytes(data)


def _judge(name: str, rows: int, path: Path) -> Judged:
    return judged(path.read_bytes(), _target(FORMS[name], rows), rows)


def _peer(rows: int) -> float:
    """Seconds of the processor that pandas takes for 100,000 rows of ids and labels."""
    import pandas as pd  # not in the process whose memory is measured

    ids = [str(number) for number in range(1, rows + 1)]
    data = ("id,label\n" + "".join(f"{item},{LABELS[at % 77]}\n" for at, item in enumerate(ids))).encode()
    known = pd.DataFrame({"id": ids})

    def read() -> None:
        table = pd.read_csv(io.BytesIO(data), dtype=str, keep_default_na=False)
        known.merge(table, on="id", how="left")["label"].map({label: at for at, label in enumerate(LABELS)})

    return cpu_seconds(read) * 100_000 / rows


def main(rows: int, names: Sequence[str]) -> None:
    """Print the time of each file beside that of pandas, its memory, and the worst of all."""
    found: dict[str, Judged] = {}
    context = multiprocessing.get_context("fork")
    for name in names:
        with TemporaryDirectory() as folder, context.Pool(1, maxtasksperchild=1) as pool:
            path = Path(folder, "file")
            pool.apply(_write, (name, rows, path))
            peer = pool.apply(_peer, (rows,))
            one = pool.apply(_judge, (name, rows, path))
        if not one.is_fine:
            sys.exit(f"the good file of {name} was refused")
        ratio = one.seconds / peer
        print(f"{name:<22} {one.seconds:5.2f} s {ratio:5.1f} x pandas {one.megabytes:5.0f} MB", flush=True)
        found[name] = one
    slowest = max(found, key=lambda name: found[name].seconds)
    largest = max(found, key=lambda name: found[name].megabytes)
    what = f"{rows:,} rows"
    report(
        Measurement(f"100,000 of {what}, {slowest}", found[slowest].seconds, "s", MOST_SECONDS),
        Measurement(f"memory of {what}, {largest}", found[largest].megabytes, "MB", MOST_MEGABYTES),
    )


if __name__ == "__main__":
    main(number_asked_for(MILLION), sys.argv[2:] or list(FORMS))
