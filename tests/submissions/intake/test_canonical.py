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


def test_stored_predictions_are_recognised():
    with pytest.raises(ValueError, match="not stored predictions"):
        CanonicalPredictions.from_bytes(b"something else")


@pytest.mark.parametrize("other", [predictions(codes=(0, 1, 2)), predictions(task="bank")])
def test_digest_differs_for_other_answers_or_another_task(other: CanonicalPredictions):
    assert other.sha256 != predictions().sha256


def test_content_digest_does_not_depend_on_the_order_of_the_files():
    first, second = predictions(), predictions(task="bank")
    assert content_sha256([first, second]) == content_sha256([second, first])
