import zlib

import numpy as np
import pytest

from benchmarks.spec import FileFormat
from catalogue.answers import Label
from submissions.intake import CanonicalPredictions, ItemIds, content_sha256
from submissions.intake.canonical import answer_reader


def predictions(task: str = "mood", codes: tuple[int, ...] = (0, 2, 1)) -> CanonicalPredictions:
    return CanonicalPredictions(task, "test", np.array(codes, dtype=np.uint8))


def test_item_ids_survive_storage():
    ids = ItemIds(["50", "q-7", "größe 3"])
    assert ItemIds.from_bytes(ids.to_bytes()).ids == ("50", "q-7", "größe 3")


def test_item_ids_of_an_empty_split_survive_storage():
    assert len(ItemIds.from_bytes(ItemIds(()).to_bytes())) == 0


def test_item_ids_digest_depends_on_the_order():
    assert ItemIds(["1", "2"]).sha256 != ItemIds(["2", "1"]).sha256


@pytest.mark.parametrize("item", ["", "a\nb", "a\rb", "a\x00", "a\u2028b", "x" * 1_001])
def test_item_ids_refuse_what_no_file_can_name(item: str):
    with pytest.raises(ValueError, match="cannot be an id"):
        ItemIds(["1", item])


def test_item_ids_refuse_a_repeated_id():
    with pytest.raises(ValueError, match="twice"):
        ItemIds(["1", "2", "1"])


@pytest.mark.parametrize(("labels", "dtype"), [(2, "|u1"), (256, "|u1"), (257, "<u2")])
def test_codes_use_the_smallest_type(labels: int, dtype: str):
    reader = answer_reader(Label(tuple(map(str, range(labels)))), FileFormat("x.csv", "ID", "Label"))
    assert reader.array([0]).dtype.str == dtype


def test_predictions_survive_storage():
    stored = CanonicalPredictions.from_bytes(predictions().to_bytes())
    assert (stored.task, stored.split, stored.codes.tolist()) == ("mood", "test", [0, 2, 1])
    assert stored.sha256 == predictions().sha256


def test_predictions_with_wide_codes_survive_storage():
    wide = CanonicalPredictions("t", "test", np.array([1, 300, 10], dtype="<u2"))
    assert CanonicalPredictions.from_bytes(wide.to_bytes()).codes.tolist() == [1, 300, 10]


@pytest.mark.parametrize("dtype", ["|u1", "<u2", "<u8"])
@pytest.mark.parametrize("count", [0, 1, 8, 1001])
def test_whole_numbers_of_every_width_survive_storage(dtype: str, count: int):
    most = np.iinfo(dtype).max
    for highest in (0, 1, 2, most // 2 + 1, most):
        codes = np.random.default_rng(count).integers(0, highest, count, dtype=dtype, endpoint=True)
        again = CanonicalPredictions.from_bytes(CanonicalPredictions("t", "test", codes).to_bytes()).codes
        assert (again.dtype, again.tolist()) == (codes.dtype, codes.tolist())
        assert not again.flags.writeable


def test_predictions_stored_before_labels_were_packed_by_bits_are_read():
    stored = b"\n".join([b"heldout predictions 1", b"mood", b"test", b"|u1", zlib.compress(bytes([0, 2, 1]))])
    assert CanonicalPredictions.from_bytes(stored).sha256 == predictions().sha256


def test_damaged_labels_are_not_read_as_others():
    stored = predictions(codes=(0, 2, 1) * 100).to_bytes()
    for place in range(stored.index(b"\n300\n") + len(b"\n300\n"), len(stored)):
        damaged = stored[:place] + bytes([stored[place] ^ 1]) + stored[place + 1 :]
        with pytest.raises(ValueError, match="damaged"):
            CanonicalPredictions.from_bytes(damaged)
    for damaged in (stored[:-1], stored.replace(b"\n300\n", b"\n299\n")):
        with pytest.raises(ValueError, match="damaged"):
            CanonicalPredictions.from_bytes(damaged)


def test_stored_predictions_are_recognised():
    with pytest.raises(ValueError, match="not stored predictions"):
        CanonicalPredictions.from_bytes(b"something else")


@pytest.mark.parametrize("other", [predictions(codes=(0, 1, 2)), predictions(task="bank")])
def test_digest_differs_for_other_answers_or_another_task(other: CanonicalPredictions):
    assert other.sha256 != predictions().sha256


def test_content_digest_does_not_depend_on_the_order_of_the_files():
    first, second = predictions(), predictions(task="bank")
    assert content_sha256([first, second]) == content_sha256([second, first])
