"""What nobody will read is never thought about: the nearest label of a row is sought only while problems are listed."""

import difflib
import json
from collections.abc import Callable, Sequence

import pytest

from benchmarks.spec import FactListSpec
from catalogue.problems import MAX_EXAMPLES, Finding
from submissions.intake import (
    MAX_PROBLEMS,
    ItemIds,
    Problem,
    SplitTarget,
    read_fact_sheet,
    read_gold_file,
    read_labels,
    read_upload,
)
from submissions.intake.pairs.finished_pairs import read_finished_pairs
from submissions.intake.pairs.minimal_pairs import read_minimal_pairs
from submissions.intake.pairs.starter_data import read_starter
from submissions.intake.pairs.votes import read_votes
from tests.submissions.intake.kinds import POSTS, RUMOUR, SENTENCES, SUBSET
from tests.submissions.intake.pairs.test_finished_pairs import BIBI
from tests.submissions.intake.pairs.test_minimal_pairs import SENTIMENT, STARTER
from tests.submissions.intake.pairs.test_votes import TONE
from tests.submissions.intake.uploads import ANY, BANK, MOOD, csv, zipped

ROWS = range(400)
IDS = ItemIds([f"q-{number}" for number in ROWS])
Read = Callable[[], tuple[Sequence[Problem], int]]


def labels(task, text: str) -> tuple[Sequence[Problem], int]:
    target = SplitTarget(task, "test", IDS)
    result = read_labels(text.encode(), file_name="file", target=target)
    return result.problems, result.more


def table() -> tuple[Sequence[Problem], int]:
    return labels(BANK, "ID,Label\n" + "".join(f"q-{number},card_arival{number}\n" for number in ROWS))


def json_lines() -> tuple[Sequence[Problem], int]:
    rows = ({"text_id": f"q-{number}", "gold_label": f"positiv {number}"} for number in ROWS)
    return labels(SENTENCES, "".join(json.dumps(row) + "\n" for row in rows))


def confidences() -> tuple[Sequence[Problem], int]:
    answers = {f"q-{number}": [f"truth {number}", 0.5] for number in ROWS}
    return labels(RUMOUR, json.dumps({"subtaskb": answers}, indent=1))


def json_keys() -> tuple[Sequence[Problem], int]:
    return labels(POSTS, json.dumps({f"subtask {number}": {} for number in ROWS}, indent=1))


def two_files_in_a_zip() -> tuple[Sequence[Problem], int]:
    rows = [f"q-{number},sad mod {number}" for number in ROWS]
    files = {"data/mood/predictions.csv": csv(rows), "data/bank/predictions.csv": csv(rows)}
    targets = [SplitTarget(task, "test", IDS) for task in (MOOD, BANK)]
    result = read_upload(zipped(files), file_name="a.zip", benchmark=ANY, targets=targets)
    return result.problems, result.more


def gold() -> tuple[Sequence[Problem], int]:
    rows = csv([f"q-{number},card_arival{number}" for number in ROWS])
    result = read_gold_file(rows, file_name="gold.csv", task=BANK)
    return result.problems, result.more


def fact_sheet() -> tuple[Sequence[Problem], int]:
    sheet = {"algorithms": [f"LSTN {number}" for number in ROWS]} | {f"list {number}": [] for number in ROWS}
    lists = (FactListSpec("algorithms", "Algorithms", ("SVM/SVR", "LSTM")),)
    result = read_fact_sheet(json.dumps(sheet).encode(), file_name="sheet.json", lists=lists)
    return result.problems, result.more


def minimal_pairs() -> tuple[Sequence[Problem], int]:
    rows = "".join(f"558_{number}_b,558,A new text {number}.,good {number},\n" for number in ROWS)
    data = ("id,original_id,text,label,rationale\n" + rows).encode()
    result = read_minimal_pairs(data, file_name="pairs.csv", task=SENTIMENT, starter=STARTER)
    return result.problems, result.more


def finished_pairs() -> tuple[Sequence[Problem], int]:
    rows = "".join(f"{number}_a\t-\tgood {number}\n" for number in ROWS)
    data = ("sentence_id\tsentence\tsentiment_label\n" + rows).encode()
    result = read_finished_pairs(data, file_name="set.tsv", task=BIBI.task("sentiment"))
    return result.problems, result.more


def starter_data() -> tuple[Sequence[Problem], int]:
    data = "id,text,label\n" + "".join(f"{number},A text,good {number}\n" for number in ROWS)
    result = read_starter(data.encode(), file_name="start.csv", task=SENTIMENT)
    return result.problems, result.more


def votes() -> tuple[Sequence[Problem], int]:
    data = "item,voter,label\n" + "".join(f"1{number}_b,Ada,good\n" for number in ROWS)
    result = read_votes(data.encode(), file_name="votes.csv", task=TONE, contested={"11_b": "A text."})
    return result.problems, result.more


@pytest.mark.parametrize(
    "read",
    [
        table,
        json_lines,
        confidences,
        json_keys,
        two_files_in_a_zip,
        gold,
        fact_sheet,
        minimal_pairs,
        finished_pairs,
        starter_data,
        votes,
    ],
)
def test_the_nearest_is_sought_for_listed_problems_alone(monkeypatch: pytest.MonkeyPatch, read: Read):
    sought = []

    class Counted(difflib.SequenceMatcher[str]):
        def __init__(self, a: str = "", b: str = "") -> None:
            sought.append(b)
            super().__init__(None, a, b)

    monkeypatch.setattr("catalogue.suggestions.difflib.SequenceMatcher", Counted)
    problems, more = read()
    assert len(problems) == MAX_PROBLEMS
    assert more >= len(ROWS) - MAX_PROBLEMS
    # Of what a second file of a zip has wrong, a few examples are told where the list is full.
    assert len(sought) <= MAX_PROBLEMS + MAX_EXAMPLES


def test_every_wrong_cell_of_a_subset_is_counted_also_where_none_is_listed():
    form = SUBSET.file
    cells = dict.fromkeys(SUBSET.file.header, "-") | {"anger": "2", "joy": "", "trust": "1"}
    rows = "".join(
        form.layout.delimiter.join((cells | {form.id_column: f"q-{number}"}).values()) + "\n"
        for number in ROWS
    )
    problems, more = labels(SUBSET, form.layout.delimiter.join(form.header) + "\n" + rows)
    assert (len(problems), more) == (MAX_PROBLEMS, 2 * len(ROWS) - MAX_PROBLEMS)


def wide_rows() -> tuple[Sequence[Problem], int]:
    return labels(BANK, "ID,Label\n" + "".join(f"q-{number},pin_blocked,\n" for number in ROWS))


def stray_quotes() -> tuple[Sequence[Problem], int]:
    return labels(BANK, "ID,Label\n" + "".join(f'q-{number},pin"blocked\n' for number in ROWS))


def control_characters() -> tuple[Sequence[Problem], int]:
    return labels(BANK, "ID,Label\n" + "".join(f"q-{number},pin_blocked\x01\n" for number in ROWS))


def no_lists() -> tuple[Sequence[Problem], int]:
    return labels(RUMOUR, json.dumps({"subtaskb": {f"q-{number}": "true" for number in ROWS}}, indent=1))


def no_answers() -> tuple[Sequence[Problem], int]:
    return labels(SENTENCES, "".join(json.dumps({"text_id": f"q-{number}"}) + "\n" for number in ROWS))


def no_json() -> tuple[Sequence[Problem], int]:
    rows = (json.dumps({"text_id": f"q-{number}", "gold_label": "positive"}) for number in ROWS)
    return labels(SENTENCES, "".join(f"{row[:-1]} what}}\n" for row in rows))


@pytest.mark.parametrize("read", [wide_rows, stray_quotes, control_characters, no_lists, no_answers, no_json])
def test_of_a_fault_in_every_row_only_what_is_listed_is_put_into_words(read: Read, monkeypatch) -> None:
    worded: list[object] = []
    create = Finding.__init__

    def counted(finding: Finding, *parts: object, **named: object) -> None:
        worded.append(type(finding))
        create(finding, *parts, **named)  # type: ignore[arg-type]  # handed on as they came

    monkeypatch.setattr(Finding, "__init__", counted)
    problems, more = read()
    assert len(problems) == MAX_PROBLEMS
    assert len(problems) + more >= len(ROWS)
    # The last one is of all ids that have no answer.
    assert worded.count(Finding) <= MAX_PROBLEMS + 1
