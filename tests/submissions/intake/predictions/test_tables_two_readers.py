"""The fast reader and the explaining one agree on lines of every kind, whatever is done to the file."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.spec import TaskSpec
from catalogue.answers import Answers
from catalogue.layouts import JSON_LINES, FileFormat, text_lines
from catalogue.problems import FileReport, Report
from submissions.intake import ItemIds, SplitTarget
from submissions.intake.canonical import FileTarget
from submissions.intake.predictions.diagnosing_reader import read_explaining
from submissions.intake.predictions.fast_reader import read_ordinary
from tests.at_length import examples
from tests.submissions.intake.kinds import CLASSES, IDS, NUMBER, SPANS, SUBSET, tweets
from tests.submissions.intake.uploads import task_spec

LABELS = task_spec("colour", ("red", "dark blue", "né"))
# One line, a few lines, and all of them at once.
PIECES_OF_FILES = (1, 30, 256 * 1024)


def in_json_lines(task: TaskSpec) -> TaskSpec:
    return replace(task, file=FileFormat("f.jsonl", "id", "label", layout=JSON_LINES))


FILES = {
    "labels": (LABELS, "ID,Label\na1,red\na2,dark blue\na3,né\n"),
    "quoted spans": (SPANS, '"id","span"\n"a1","the cat"\n"a2","b"\n"a3","ü"\n'),
    "spans": (SPANS, "id,span\na1,the cat\na2,b\na3,ü\n"),
    "numbers": (NUMBER, tweets("0.5", "1e-2", "-0.0")),
    "classes": (CLASSES, tweets("-3: very", "0", "2: half")),
    "labels in JSON": (
        in_json_lines(LABELS),
        '{"id": "a1", "label": "red"}\n{"id": "a2", "label": "dark blue"}\n{"id": "a3", "label": "né"}\n',
    ),
    "numbers in JSON, answers first": (
        in_json_lines(NUMBER),
        '{"label":0.5,"id":"a1"}\n{"label":-0.0,"id":"a2"}\n{"label":1e-2,"id":"a3"}\n',
    ),
    "spans in JSON": (
        in_json_lines(SPANS),
        '{"id": "a1", "label": "the cat"}\n{"id": "a2", "label": "b"}\n{"id": "a3", "label": "ü"}\n',
    ),
    "subsets": (SUBSET, "ID\tTweet\tanger\tjoy\ttrust\na1\tx\t1\t0\t0\na2\ty\t0\t1\t1\na3\tz\t0\t0\t0\n"),
}
PIECES = [
    "\t",
    "\n",
    "\r\n",
    "\r",
    '"',
    ",",
    '","',
    "1",
    "0",
    ":",
    "nan",
    "\x00",
    "\u2028",
    "\x85",
    "a1",
    "\xa0",
    "\uff11",
    "x" * 1001,
    " ",
    " " * 100_000,
    "}",
    "\\u0061",
    "\x7f",
    '{"id": "a1", "label": "red"}\n',
]


def target(task: TaskSpec) -> FileTarget:
    return FileTarget(task, (SplitTarget(task, "test", ItemIds(IDS)),))


def both(data: bytes, task: TaskSpec, piece: int) -> tuple[Answers | None, Answers | None]:
    """What the fast reader takes, which reads the file in pieces of about so many bytes, and what the other does."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_lines, "PIECE", piece)
        fast = read_ordinary(data, target(task))
    return fast, read_explaining(data, target(task), FileReport(Report(), file="x"))


def lines_of(task: TaskSpec, text: str) -> tuple[list[str], list[str]]:
    """The header, if there is one, and the rows."""
    lines, first = text.splitlines(), int(task.file.layout.is_table)
    return lines[:first], lines[first:]


@pytest.mark.parametrize("piece", PIECES_OF_FILES)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("kind", FILES)
def test_an_ordinary_file_is_read_alike(kind, line_end, piece):
    task, text = FILES[kind]
    fast, patient = both(text.replace("\n", line_end).encode(), task, piece)
    assert fast is not None
    assert patient is not None
    assert (fast.tobytes(), fast.dtype) == (patient.tobytes(), patient.dtype)


@pytest.mark.parametrize("piece", PIECES_OF_FILES)
@pytest.mark.parametrize("kind", FILES)
def test_shuffled_rows_are_read_alike(kind, piece):
    task, text = FILES[kind]
    header, rows = lines_of(task, text)
    random.Random(3).shuffle(rows)
    fast, patient = both("\n".join([*header, *rows]).encode(), task, piece)
    assert fast is not None
    assert patient is not None
    assert fast.tobytes() == patient.tobytes()


@settings(max_examples=examples(300))
@given(
    kind=st.sampled_from(sorted(FILES)),
    size=st.sampled_from(PIECES_OF_FILES),
    at=st.integers(0, 200),
    cut=st.integers(0, 3),
    piece=st.sampled_from(PIECES).map(str.encode) | st.binary(max_size=3),
)
def test_what_the_fast_reader_takes_the_patient_one_takes_alike(kind, size, at, cut, piece):
    task, text = FILES[kind]
    data = text.encode()
    fast, patient = both(data[:at] + piece + data[at + cut :], task, size)
    if fast is not None:
        assert patient is not None
        assert fast.tobytes() == patient.tobytes()


def drawn(rng: random.Random) -> tuple[TaskSpec, bytes]:
    """A file of any kind: shuffled, quoted, with any line ends, and with up to two faults in it."""
    task, text = FILES[rng.choice(sorted(FILES))]
    header, rows = lines_of(task, text)
    if rng.random() < 0.5:
        rng.shuffle(rows)
    lines = [*header, *rows]
    mark = task.file.layout.delimiter
    if task.file.layout.is_table and mark == "," and '"' not in text and rng.random() < 0.5:
        columns = rng.sample(range(2), rng.randint(1, 2))
        cells = [line.split(mark) for line in lines]
        lines = [
            mark.join(f'"{one}"' if at in columns else one for at, one in enumerate(line)) for line in cells
        ]
    data = (rng.choice(["\n", "\n", "\r\n"]).join(lines) + rng.choice(["", "\n"])).encode()
    for _ in range(rng.choice([0, 1, 1, 2])):
        at, cut = rng.randint(0, len(data)), rng.randint(0, 3)
        data = data[:at] + rng.choice(PIECES).encode() + data[at + cut :]
    return task, data


@pytest.mark.thorough
def test_of_ten_thousand_files_none_is_read_in_two_ways():
    rng, taken = random.Random(20), 0
    for number in range(10_000):
        task, data = drawn(rng)
        fast, patient = both(data, task, rng.choice(PIECES_OF_FILES))
        if fast is not None:
            taken += 1
            assert patient is not None, f"file {number}: {data!r}"
            assert (fast.tobytes(), fast.dtype) == (patient.tobytes(), patient.dtype), (
                f"file {number}: {data!r}"
            )
    assert 2_000 < taken < 8_000
