"""Zips that lie, overflow, hide or break."""

import io
import struct
import zipfile
import zlib

import pytest

from submissions.intake import Problem, ProblemCode
from tests.submissions.intake.uploads import FILES, MOOD_CSV, read, zip_problem, zipped

MOOD_PATH = "data/mood/predictions.csv"
GOOD = zipped(FILES)
END = GOOD.rindex(b"PK\x05\x06")
DIRECTORY = GOOD.index(b"PK\x01\x02")


def patched(data: bytes, *changes: tuple[int, bytes]) -> bytes:
    """The bytes with others written over them at the given places."""
    buffer = bytearray(data)
    for at, new in changes:
        buffer[at : at + len(new)] = new
    return bytes(buffer)


def two_bytes(value: int) -> bytes:
    return struct.pack("<H", value)


def four_bytes(value: int) -> bytes:
    return struct.pack("<L", value)


def problems_of(files: dict[str, bytes], name: str) -> list[Problem]:
    return [problem for problem in read(zipped(files)).problems if problem.file == name]


class Pipe(io.RawIOBase):
    """A file that can only be written forwards."""

    def __init__(self) -> None:
        self.data = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        self.data += bytes(data)  # type: ignore[call-overload]  # any buffer
        return len(bytes(data))  # type: ignore[call-overload]


@pytest.mark.parametrize("big", [False, True])
def test_zip_written_to_a_pipe_is_read(big: bool):
    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in FILES.items():
            with archive.open(name, "w", force_zip64=big) as entry:
                entry.write(content)
    assert read(bytes(pipe.data)).ok


def test_zip_with_stored_entries_is_read():
    assert read(zipped(FILES, zipfile.ZIP_STORED)).ok


def test_zip_with_a_comment_is_read():
    assert read(patched(GOOD, (END + 20, two_bytes(5))) + b"hello").ok


def test_zip_that_states_some_sizes_before_and_some_after_the_entry_is_read():
    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in FILES.items():
            archive.writestr(name, content)
    assert read(patched(bytes(pipe.data), (22, four_bytes(len(MOOD_CSV))))).ok


def test_empty_zip_is_refused():
    assert zip_problem(zipped({})).code is ProblemCode.ZIP_EMPTY


@pytest.mark.parametrize("size", [4, 30, 100, DIRECTORY, END, END + 10, len(GOOD) - 1])
def test_truncated_zip_is_refused(size: int):
    assert zip_problem(GOOD[:size]).code is ProblemCode.ZIP_TRUNCATED


@pytest.mark.parametrize(
    "data",
    [
        GOOD + b"x",
        GOOD[:DIRECTORY] + b"hidden" + patched(GOOD, (END + 16, four_bytes(DIRECTORY + 6)))[DIRECTORY:],
        patched(GOOD, (END + 12, four_bytes(END - DIRECTORY - 1))),
        patched(GOOD, (END + 8, two_bytes(1)), (END + 10, two_bytes(1))),
    ],
    ids=["after", "between", "directory-size", "entry-count"],
)
def test_zip_with_bytes_that_belong_to_nothing_is_refused(data: bytes):
    assert zip_problem(data).code is ProblemCode.ZIP_EXTRA_DATA


def test_overlapping_entries_are_refused():
    second = GOOD.index(b"PK\x01\x02", DIRECTORY + 4)
    problem = zip_problem(patched(GOOD, (second + 42, four_bytes(0))))
    assert problem.code is ProblemCode.ZIP_OVERLAP


def test_zip_in_several_parts_is_refused():
    assert zip_problem(patched(GOOD, (END + 4, two_bytes(1)))).code is ProblemCode.ZIP_VARIANT


def test_damaged_directory_is_refused():
    assert zip_problem(patched(GOOD, (DIRECTORY, b"PX"))).code is ProblemCode.ZIP_CORRUPT


def test_too_many_entries_are_refused():
    files = {f"f{number}": b"" for number in range(201)}
    assert zip_problem(zipped(files)).code is ProblemCode.ZIP_TOO_MANY_ENTRIES


@pytest.mark.parametrize(
    ("at", "new"),
    [
        (4 + 2, two_bytes(0x0800)),
        (8, two_bytes(0)),
        (14, b"\x00\x01"),
        (18, b"\x01"),
        (22, b"\x01"),
        (30, b"D"),
    ],
    ids=["flags", "method", "checksum", "packed", "unpacked", "name"],
)
def test_local_header_that_contradicts_the_directory_is_refused(at: int, new: bytes):
    problem = zip_problem(patched(GOOD, (at, new)))
    assert (problem.code, problem.file) == (ProblemCode.ZIP_HEADER_MISMATCH, MOOD_PATH)


def resized(unpacked: int) -> bytes:
    """The good zip with another size stated for its first entry, in both places."""
    return patched(GOOD, (22, four_bytes(unpacked)), (DIRECTORY + 24, four_bytes(unpacked)))


@pytest.mark.parametrize("unpacked", [0, 10, len(MOOD_CSV) - 1, len(MOOD_CSV) + 1, 900_000])
def test_lying_size_is_refused(unpacked: int):
    problem = zip_problem(resized(unpacked))
    assert (problem.code, problem.file) == (ProblemCode.ZIP_WRONG_SIZE, MOOD_PATH)


def test_bad_checksum_is_refused():
    bad = four_bytes(zlib.crc32(MOOD_CSV) ^ 1)
    problem = zip_problem(patched(GOOD, (14, bad), (DIRECTORY + 16, bad)))
    assert problem.code is ProblemCode.ZIP_BAD_CHECKSUM


def test_damaged_content_is_refused():
    start = 30 + len(MOOD_PATH)
    assert zip_problem(patched(GOOD, (start, b"\xff" * 20))).code is ProblemCode.ZIP_CORRUPT


def test_encrypted_entry_is_refused():
    problem = zip_problem(patched(GOOD, (6, two_bytes(1)), (DIRECTORY + 8, two_bytes(1))))
    assert problem.code is ProblemCode.ZIP_ENCRYPTED
    assert "password" in problem.message


def test_unusual_compression_is_refused():
    (problem, *_) = read(zipped(FILES, zipfile.ZIP_LZMA)).problems
    assert problem.code is ProblemCode.ZIP_COMPRESSION


def test_zip_bomb_is_refused_by_its_ratio():
    problem = zip_problem(zipped({**FILES, MOOD_PATH: bytes(2 * 1024 * 1024)}))
    assert problem.code is ProblemCode.ZIP_RATIO


def test_entry_over_32_megabytes_is_refused():
    first = four_bytes(33 * 1024 * 1024)
    assert zip_problem(patched(GOOD, (22, first), (DIRECTORY + 24, first))).code is ProblemCode.ZIP_TOO_LARGE


def test_zip_over_200_megabytes_is_refused_as_a_whole():
    problem = zip_problem(resized(201 * 1024 * 1024))
    assert (problem.code, problem.file) == (ProblemCode.ZIP_TOO_LARGE, "upload.zip")


@pytest.mark.parametrize("name", ["inner.zip", "data/mood/task.json"])
def test_nested_archive_is_refused(name: str):
    (problem,) = problems_of({**FILES, name: GOOD}, name)
    assert problem.code is ProblemCode.ZIP_NESTED


def test_of_a_zip_in_a_zip_no_file_is_said_to_be_missing():
    assert [problem.code for problem in read(zipped({"inner.zip": GOOD})).problems] == [
        ProblemCode.ZIP_NESTED
    ]
    assert ProblemCode.MISSING_FILE in {
        problem.code for problem in read(zipped({"notes.txt": b"x"})).problems
    }


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_doubled_name_is_refused():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in [*FILES.items(), (MOOD_PATH, MOOD_CSV)]:
            archive.writestr(name, content)
    problem = zip_problem(buffer.getvalue())
    assert (problem.code, problem.file) == (ProblemCode.ZIP_DUPLICATE_NAME, MOOD_PATH)


@pytest.mark.parametrize("name", ["/etc/passwd", "../x.csv", "data/../x.csv", "./x", "a//b", "C:/x.csv"])
def test_unsafe_name_is_refused(name: str):
    (problem,) = problems_of({**FILES, name: b"x"}, name)
    assert problem.code is ProblemCode.ZIP_UNSAFE_NAME


@pytest.mark.parametrize("character", [b"\\", b"\x00", b"\n"])
def test_backslash_and_control_characters_in_names_are_refused(character: bytes):
    data = zipped({**FILES, "x?y": b""}).replace(b"x?y", b"x" + character + b"y")
    assert zip_problem(data).code is ProblemCode.ZIP_UNSAFE_NAME


def test_long_name_is_refused():
    assert zip_problem(zipped({**FILES, "x" * 201: b""})).code is ProblemCode.ZIP_LONG_NAME


@pytest.mark.parametrize("mode", [0o120777, 0o020600, 0o040755], ids=["link", "device", "folder"])
def test_links_and_special_files_are_refused(mode: int):
    problem = zip_problem(patched(GOOD, (DIRECTORY + 38, four_bytes(mode << 16))))
    assert problem.code is ProblemCode.ZIP_LINK


def test_folder_with_content_is_refused():
    assert zip_problem(zipped({**FILES, "data/x/": b"hidden"})).code is ProblemCode.ZIP_WRONG_SIZE


def test_litter_is_checked_though_nobody_reads_it():
    files = {**FILES, "__MACOSX/bomb": bytes(5 * 1024 * 1024)}
    assert zip_problem(zipped(files)).code is ProblemCode.ZIP_RATIO


def test_damaged_entry_does_not_count_as_missing_and_hides_no_other_problem():
    bad = zipped({MOOD_PATH: GOOD, "data/bank/predictions.csv": b"ID,Label\n"})
    codes = [problem.code for problem in read(bad).problems]
    assert codes == [ProblemCode.ZIP_NESTED, ProblemCode.NO_ROWS]
