"""Logs of Inspect as it writes them: zips with an entry for each sample, read as the log in one piece."""

import json
import struct
import zlib
from dataclasses import replace

import pytest
import zstandard

from benchmarks.spec import BenchmarkSpec, FileFormat
from catalogue.layouts import LAYOUTS
from submissions.intake import IntakeResult, ItemIds, SplitTarget, read_upload
from submissions.intake.predictions.repair import repaired
from tests.submissions.intake.uploads import ANY, BANK, zipped

FORM = FileFormat("bank.eval", "id", "output.completion", layout=LAYOUTS["inspect_log"])
TASK = replace(BANK, file=FORM)
SMALL: BenchmarkSpec = replace(ANY, bundle_root="", also_allowed=(), tasks=(TASK,))
IDS = ("q-1", "q-2", "q-3")
ANSWERS = ("card_lost", "top_up", "transfer")


def sample(item: str, answer: str, **more: object) -> bytes:
    """As Inspect writes it, over several lines here, with things that nobody reads."""
    told = {"id": item, "epoch": 1, "messages": [{"content": "x\\n"}], "output": {"completion": answer}}
    return json.dumps(told | more, indent=1).encode()


def entries(*samples: tuple[str, str]) -> dict[str, bytes]:
    told = samples or tuple(zip(IDS, ANSWERS, strict=True))
    return {
        "_journal/start.json": b"{}",
        **{f"samples/{item}_epoch_1.json": sample(item, answer) for item, answer in told},
        "summaries.json": b"[]",
        "header.json": b"{}",
    }


def in_zstd(files: dict[str, bytes]) -> bytes:
    """A zip that is compressed as newer versions of Inspect do it, which the standard library cannot write."""
    body, directory = b"", b""
    for name, content in files.items():
        packed, raw = zstandard.compress(content), name.encode()
        sizes = (zlib.crc32(content), len(packed), len(content))
        at = len(body)
        body += struct.pack("<4s5H3L2H", b"PK\x03\x04", 20, 0, 93, 0, 33, *sizes, len(raw), 0) + raw + packed
        fixed = (20, 20, 0, 93, 0, 33, *sizes, len(raw), 0, 0, 0, 0, 0, at)
        directory += struct.pack("<4s6H3L5H2L", b"PK\x01\x02", *fixed) + raw
    end = (0, 0, len(files), len(files), len(directory), len(body), 0)
    return body + directory + struct.pack("<4s4H2LH", b"PK\x05\x06", *end)


def read(data: bytes, file_name: str = "2026-01-10_bank.eval", task: str | None = None) -> IntakeResult:
    target = SplitTarget(TASK, "test", ItemIds(IDS))
    return read_upload(data, file_name=file_name, benchmark=SMALL, targets=(target,), task=task)


def answers(result: IntakeResult) -> list[str]:
    assert result.ok, result.problems
    return [BANK.output.labels[code] for code in result.predictions[0].codes]


@pytest.mark.parametrize("packed", [zipped, in_zstd])
def test_a_log_answers_as_its_samples_do(packed):
    assert answers(read(packed(entries()))) == list(ANSWERS)


def test_a_log_may_stand_in_a_zip_of_several_files():
    assert answers(read(zipped({"bank.eval": in_zstd(entries())}), "all.zip")) == list(ANSWERS)


def test_a_fault_is_told_by_the_number_of_its_sample():
    result = read(zipped(entries(("q-1", "top_up"), ("q-2", "Top up"), ("q-3", "top_up"))))
    (problem,) = result.problems
    assert (problem.code.value, problem.line, problem.column) == ("label_spacing", 2, "output.completion")


def test_a_sample_that_ran_twice_answers_its_id_twice():
    twice = entries() | {"samples/q-1_epoch_2.json": sample("q-1", "top_up")}
    assert [(one.code.value, one.line) for one in read(zipped(twice)).problems] == [("duplicate_id", 4)]


def test_what_is_no_log_is_read_as_a_zip_of_files():
    """A folder `samples/` alone makes no log."""
    files = {name: content for name, content in entries().items() if name.startswith("samples/")}
    assert "unknown_file" in {one.code.value for one in read(zipped(files), "all.zip").problems}


def test_a_log_that_holds_far_more_than_answers_need_is_refused():
    large = entries() | {"samples/q-1_epoch_1.json": sample("q-1", "top_up", store="ab" * 2_000_000)}
    assert [one.code.value for one in read(zipped(large)).problems] == ["file_too_large"]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda data: data.replace(b"\x28\xb5\x2f\xfd", b"\x28\xb5\x2f\xfe"), "zip_corrupt"),
        (lambda data: data[:-30], "zip_truncated"),
        (lambda data: data.replace(b"samples/q-2", b"samples/q-1"), "zip_duplicate_name"),
        (lambda data: data.replace(b"samples/q-2", b"samples/../"), "zip_unsafe_name"),
    ],
    ids=["damaged", "cut off", "one name twice", "a way out"],
)
def test_a_log_that_lies_is_refused(change, code):
    assert [one.code.value for one in read(change(in_zstd(entries()))).problems] == [code]


def test_an_entry_that_unpacks_to_more_than_it_says_is_refused():
    """Each entry is unpacked to what the zip states and one byte, whatever is in it."""
    files, content = entries(), sample("q-1", "card_lost")
    data = in_zstd(files)
    lied = data.replace(struct.pack("<L", len(content)), struct.pack("<L", len(content) - 1))
    assert [one.code.value for one in read(lied).problems] == ["zip_wrong_size"]


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b'{"id": 3, "id": 4}', b"]} , {"])
def test_a_sample_that_is_none_is_told(content):
    assert not read(zipped(entries() | {"samples/q-1_epoch_1.json": content})).ok


def test_nothing_of_a_log_is_mended():
    """What a program logged is not a table to be put right."""
    target = SplitTarget(TASK, "test", ItemIds(IDS))
    data = zipped(entries(("q-1", "Top up"), ("q-2", "top_up"), ("q-3", "top_up")))
    assert repaired(data, file_name="bank.eval", benchmark=SMALL, targets=(target,)) is None
