"""Files in gzip, alone and in a zip: read as what they hold, and unpacked no further than anybody could need."""

import gzip
import io
import tarfile
import tracemalloc
import zipfile
import zlib
from dataclasses import replace

import pytest

from benchmarks.spec import MetricUse, TaskSpec
from catalogue.answers import FreeText, Label
from catalogue.layouts import JSON_LINES, LAYOUTS, FileFormat
from submissions.intake import ItemIds, ProblemCode, SplitTarget, read_gold_file, read_upload
from submissions.intake.predictions.file_writer import write_gold
from tests.submissions.intake.uploads import COMPLETE, FILES, MOOD, MOOD_CSV, read, zipped

PACKED = gzip.compress(MOOD_CSV)


@pytest.mark.parametrize("name", ["mood.csv.gz", "mood.csv", "data/mood/predictions.csv.gz"])
def test_a_file_in_gzip_answers_like_the_file(name):
    assert read(PACKED, file_name=name).content_sha256 == read(MOOD_CSV, file_name="mood.csv").content_sha256


def test_files_in_a_zip_may_be_in_gzip():
    files = {f"{name}.gz": gzip.compress(content) for name, content in FILES.items()}
    assert read(zipped(files)).content_sha256 == read(zipped(FILES)).content_sha256
    twice = read(zipped(FILES | dict([next(iter(files.items()))])))
    assert [problem.code for problem in twice.problems] == [ProblemCode.ZIP_DUPLICATE_NAME]


def test_faults_keep_their_line():
    (plain,) = read(MOOD_CSV.replace(b"\n", b",x\n", 3), file_name="mood.csv").problems[:1]
    (packed,) = read(gzip.compress(MOOD_CSV.replace(b"\n", b",x\n", 3)), file_name="mood.csv.gz").problems[:1]
    assert (packed.code, packed.line, packed.column) == (plain.code, plain.line, plain.column)


def tar_of(data: bytes) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        entry = tarfile.TarInfo("mood.csv")
        entry.size = len(data)
        archive.addfile(entry, io.BytesIO(data))
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (PACKED[:-1], ProblemCode.GZIP_CORRUPT),
        (PACKED[:5], ProblemCode.GZIP_CORRUPT),
        (b"\x1f\x8b", ProblemCode.GZIP_CORRUPT),
        (PACKED[:-5] + b"?" + PACKED[-4:], ProblemCode.GZIP_CORRUPT),
        (PACKED + b"more", ProblemCode.GZIP_CORRUPT),
        (PACKED + PACKED, ProblemCode.GZIP_CORRUPT),
        (gzip.compress(b""), ProblemCode.EMPTY_FILE),
        (gzip.compress(PACKED), ProblemCode.NOT_A_ZIP),
        (gzip.compress(tar_of(MOOD_CSV)), ProblemCode.NOT_A_ZIP),
    ],
    ids=[
        "end missing",
        "head alone",
        "magic alone",
        "other sum",
        "more behind",
        "twice",
        "empty",
        "gzip",
        "tar",
    ],
)
def test_what_is_no_one_whole_file_is_refused(data, code):
    (problem,) = read(data, file_name="mood.csv.gz").problems
    assert problem.code is code


def bomb(size: int) -> bytes:
    deflater = zlib.compressobj(9, wbits=16 + zlib.MAX_WBITS)
    block = bytes(2**20)
    return b"".join(deflater.compress(block) for _ in range(size >> 20)) + deflater.flush()


def test_a_bomb_is_refused_before_it_is_unpacked():
    data = bomb(400 << 20)
    tracemalloc.start()
    (problem,) = read(data, file_name="mood.csv.gz").problems
    others = {name: content for name, content in FILES.items() if "mood" not in name}
    in_zip = read(zipped(others | {"data/mood/predictions.csv.gz": data})).problems[0]
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert problem.code is ProblemCode.FILE_TOO_LARGE
    assert in_zip.code is ProblemCode.FILE_TOO_LARGE
    assert most < 20 << 20


def test_a_bomb_in_a_zip_is_no_larger_where_answers_may_be_long():
    """Ten thousand texts may have hundreds of megabytes; no entry of a zip may, and neither may one in gzip there."""
    texts = replace(MOOD, output=FreeText(), file=FileFormat("t.jsonl", "id", "label", layout=JSON_LINES))
    target = SplitTarget(texts, "test", ItemIds(map(str, range(10_000))))
    benchmark = replace(COMPLETE, tasks=(texts,))
    data = zipped({"t.jsonl.gz": bomb(400 << 20)}, zipfile.ZIP_STORED)
    tracemalloc.start()
    found = read_upload(data, file_name="upload.zip", benchmark=benchmark, targets=[target])
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [problem.code for problem in found.problems] == [ProblemCode.FILE_TOO_LARGE]
    assert most < 100 << 20


def test_all_that_is_in_gzip_in_a_zip_has_one_limit_together(monkeypatch):
    files = {f"{name}.gz": gzip.compress(content) for name, content in FILES.items()}
    monkeypatch.setattr("submissions.intake.predictions.bundle.MAX_UNPACKED", len(MOOD_CSV) + 1)
    codes = [(problem.code, problem.task) for problem in read(zipped(files)).problems]
    assert codes == [(ProblemCode.FILE_TOO_LARGE, "bank")]


@pytest.mark.parametrize("key", [layout.key for layout in LAYOUTS if not layout.unfit(Label(("a", "b")))])
def test_gold_files_of_every_layout_for_labels_may_be_in_gzip(key):
    kind = Label(("a", "b"))
    task = TaskSpec(
        id="t", code="T", title="T", summary="", instructions="", licence="", citation="", test_size=2,
        output=kind, file=FileFormat("f", "id", "label", layout=LAYOUTS[key]), metrics=(MetricUse("accuracy", "A"),),
    )  # fmt: skip
    data = write_gold(task, ("1", "2"), kind.array([1, 0]))
    found = read_gold_file(gzip.compress(data), file_name="f", task=task).content_or(AssertionError)
    assert (found.gold.ids.ids, found.gold.codes.tolist()) == (("1", "2"), [1, 0])
    (problem,) = read_gold_file(gzip.compress(data)[:-3], file_name="f", task=task).problems
    assert problem.code is ProblemCode.GZIP_CORRUPT
