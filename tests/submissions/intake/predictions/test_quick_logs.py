"""Logs of runs as programs write them are read in pieces, and as the patient reader reads them."""

from dataclasses import replace

import pytest

from catalogue.layouts import CSV, LAYOUTS, FileFormat
from submissions.intake import ItemIds, SplitTarget
from tests.submissions.intake.predictions.test_two_readers import explained, fast
from tests.submissions.intake.uploads import task_spec

IDS = ("1", "2")
SAMPLES = FileFormat("f", "doc_id", "filtered_resps", layout=LAYOUTS["lm_eval_samples"], log_filter="none")
LOG = FileFormat("f", "id", "output.completion", layout=LAYOUTS["inspect_log"])
LOOSE = FileFormat("f", "id", "label", layout=CSV, columns=("id", "text", "label"), loose_columns=("text",))
DEEP = "[" * 6 + "]" * 6


def target_of(form: FileFormat, ids: tuple[str, ...] = IDS) -> SplitTarget:
    return SplitTarget(replace(task_spec("log", ("a", "b")), file=form), "test", ItemIds(ids))


def samples(first: str) -> bytes:
    rest = '{"doc_id": "2", "filtered_resps": "a", "filter": "none"}\n'
    passed_over = '{"doc_id": 1, "filtered_resps": ["a"], "filter": "strict"}\n'
    return (f'{{"doc_id": 1, "filter": "none", {first}}}\n' + passed_over + rest).encode()


def log(beside: str, last: str = "") -> bytes:
    first = '{"id": 1, "output": {"completion": " b\\n"}}'
    return f'{{{beside}"samples": [{first}, {{"id": "2", "output.completion": "a"}}]{last}}} \n'.encode()


@pytest.mark.parametrize(
    ("form", "data"),
    [
        (SAMPLES, samples('"filtered_resps": [["b"]]')),
        (SAMPLES, samples('"filtered_resps": [["-3", "False"], ["-1.5", "True"]]')),
        (SAMPLES, samples(f'"x": {DEEP}, "y": "\\ud83d\\ude00\\n", "filtered_resps": " b "')),
        (LOG, log("")),
        (LOG, log('"version": 2, "stats": {"samples": [1]}, ', ', "z": null')),
    ],
    ids=["lists", "likelihoods", "escapes", "log", "log with more"],
)
def test_a_log_is_read_quickly_and_alike(form, data):
    assert fast(data, target_of(form)) == explained(data, target_of(form)) == [1, 0]


@pytest.mark.parametrize(
    ("form", "data"),
    [
        (SAMPLES, samples(f'"x": [[{DEEP}]], "filtered_resps": "b"')),
        (SAMPLES, samples('"x": "\\ud83d", "filtered_resps": "b"')),
        (SAMPLES, samples('"filtered_resps": "b", "doc_id": 1')),
        (LOG, log(f'"x": {"[" * 64}{"]" * 64}, ')),
        (LOG, log("", ", ")),
        (LOG, log('"samples": [], ')),
        (LOG, log("")[:-3]),
    ],
    ids=["deep", "half a character", "key twice", "deep log", "comma", "samples twice", "cut"],
)
def test_what_is_refused_is_not_read_quickly(form, data):
    assert fast(data, target_of(form)) is None
    assert explained(data, target_of(form)) is None


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_table_is_read_quickly_though_some_cells_are_quoted_and_two_columns_name_an_item(end):
    ids = ('["1", "x, y"]', '["2", "say \\"z\\""]')
    rows = ["id,text,label", '2,"say ""z""",a', '1," x,  y","b"']
    data = end.join([*rows, ""]).encode()

    assert fast(data, target_of(LOOSE, ids)) == explained(data, target_of(LOOSE, ids)) == [1, 0]
