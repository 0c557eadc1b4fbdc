"""No bytes at all make intake raise, and nothing refused carries predictions."""

import zipfile

from hypothesis import given
from hypothesis import strategies as st

from submissions.intake import IntakeResult, read_gold_file
from tests.submissions.intake.uploads import FILES, MOOD, MOOD_CSV, read, zipped

PACKED = zipped(FILES)
STORED = zipped(FILES, zipfile.ZIP_STORED)
edits = st.lists(
    st.tuples(st.integers(0, 2_000), st.integers(0, 40), st.binary(max_size=6)), min_size=1, max_size=5
)


def edited(data: bytes, changes: list[tuple[int, int, bytes]]) -> bytes:
    for place, removed, inserted in changes:
        at = place % (len(data) + 1)
        data = data[:at] + inserted + data[at + removed :]
    return data


def assert_is_a_verdict(result: IntakeResult) -> None:
    assert result.ok == bool(result.predictions)
    for problem in result.problems:
        assert problem.message
        assert problem.file.isprintable()
        assert problem.found is None or problem.found.isprintable()
        assert all(text.isprintable() for _, text in problem.excerpt)


@given(st.binary(max_size=300), st.text(max_size=20), st.none() | st.text(max_size=6))
def test_any_bytes_get_a_verdict(data, file_name, task):
    assert_is_a_verdict(read(data, file_name=file_name, task=task))


@given(edits, st.sampled_from([PACKED, STORED]))
def test_any_change_to_a_zip_gets_a_verdict(changes, data):
    assert_is_a_verdict(read(edited(data, changes)))


@given(st.lists(st.tuples(st.integers(0, len(PACKED) - 1), st.integers(0, 255)), min_size=1, max_size=4))
def test_any_bytes_overwritten_in_a_zip_get_a_verdict(changes):
    data = bytearray(PACKED)
    for at, value in changes:
        data[at] = value
    assert_is_a_verdict(read(bytes(data)))


@given(edits)
def test_any_change_to_a_file_gets_a_verdict(changes):
    assert_is_a_verdict(read(edited(MOOD_CSV, changes), file_name="mood.csv"))


@given(st.text(alphabet=st.sampled_from('ID,Label"\r\n5061happy mood\x00\u2028;\t'), max_size=80))
def test_any_text_below_a_header_gets_a_verdict(text):
    assert_is_a_verdict(read(b"ID,Label\n" + text.encode(), file_name="mood.csv"))


@given(edits)
def test_any_change_to_a_gold_file_gets_an_answer(changes):
    result = read_gold_file(edited(MOOD_CSV, changes), file_name="gold.csv", task=MOOD)
    assert (result.content is None) == bool(result.problems)
