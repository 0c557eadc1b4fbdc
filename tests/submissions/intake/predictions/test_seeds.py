"""One upload with the predictions of several seeds."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.spec import BundleRule
from submissions.intake import CanonicalPredictions, IntakeResult, ProblemCode, read_upload
from tests.submissions.intake.uploads import (
    ANY,
    BANK_CSV,
    BANK_IDS,
    BANK_TARGET,
    MOOD_CSV,
    MOOD_IDS,
    MOOD_TARGET,
    csv,
    zipped,
)

SEEDED = replace(ANY, seeds=5)
LABELS = ("happy mood", "sad mood")


def mood(seed: int) -> bytes:
    """A file of `mood` that is different for every seed."""
    return csv(f"{item},{LABELS[place < seed]}" for place, item in enumerate(MOOD_IDS))


def bank(seed: int) -> bytes:
    return csv(f"{item},{'card_lost' if place < seed else 'transfer'}" for place, item in enumerate(BANK_IDS))


def group(*seeds: int) -> dict[str, bytes]:
    return {
        f"seed{seed}/{task}/predictions.csv": file(seed)
        for seed in seeds
        for task, file in (("mood", mood), ("bank", bank))
    }


def read(files: dict[str, bytes], *, seeds: int = 5, bundle: BundleRule = BundleRule.ANY) -> IntakeResult:
    benchmark = replace(SEEDED, seeds=seeds, bundle=bundle)
    return read_upload(
        zipped(files), file_name="group.zip", benchmark=benchmark, targets=(MOOD_TARGET, BANK_TARGET)
    )


def faults(files: dict[str, bytes]) -> list[tuple[str, str, str | None]]:
    return [(one.code.value, one.file, one.expected) for one in read(files).problems]


def digests(result: IntakeResult) -> set[tuple[str, int, str]]:
    return {(one.task, one.seed, one.sha256) for one in result.predictions}


def test_every_seed_is_read_from_its_own_folder():
    result = read(group(1, 2, 3, 4, 5))
    assert result.ok
    found = {one.seed: one.codes.tolist() for one in result.predictions if one.task == "mood"}
    assert found == {seed: [1] * seed + [0] * (12 - seed) for seed in range(1, 6)}
    assert result.seeds == (1, 2, 3, 4, 5)


@given(st.permutations(sorted(group(1, 2, 3, 4, 5))))
def test_the_order_of_the_entries_does_not_matter(names: list[str]):
    files = group(1, 2, 3, 4, 5)
    result = read({name: files[name] for name in names})
    assert digests(result) == digests(read(files))
    assert result.content_sha256 == read(files).content_sha256


def test_the_same_answers_of_two_seeds_have_two_digests():
    result = read({"seed1/mood/predictions.csv": MOOD_CSV, "seed2/mood/predictions.csv": MOOD_CSV})
    first, second = result.predictions
    assert first.sha256 != second.sha256


def test_what_one_seed_answers_has_the_digest_it_always_had():
    codes = np.array([0, 2, 1], dtype=np.uint8)
    assert CanonicalPredictions("mood", "test", codes).sha256 == (
        "14d27f0a092793860c617fab327d115b85ce36abc79ce479161a716cc9767d33"
    )


def test_predictions_of_a_seed_survive_storage():
    one = CanonicalPredictions("mood", "test", np.array([0, 2], dtype=np.uint8), 4)
    stored = CanonicalPredictions.from_bytes(one.to_bytes())
    assert (stored.split, stored.seed, stored.sha256) == ("test", 4, one.sha256)


def test_a_file_outside_of_the_seeds_folders_is_the_first_seeds():
    files = {"mood/predictions.csv": mood(1), "seed2/mood/predictions.csv": mood(2)}
    assert digests(read(files)) == {one for one in digests(read(group(1, 2))) if one[0] == "mood"}


@pytest.mark.parametrize("outside", ["mood/predictions.csv", "data/mood/predictions.csv"])
def test_the_first_seed_inside_and_outside_is_doubled(outside: str):
    (problem,) = read({"seed1/mood/predictions.csv": MOOD_CSV, outside: MOOD_CSV}).problems
    assert (problem.code, problem.file) == (ProblemCode.ZIP_DUPLICATE_NAME, outside)
    assert "seed1/mood/predictions.csv" in problem.message


@pytest.mark.parametrize("folder", ["data/seed{}/", "seed{}/data/", "mine/seed{}/", "mine/data/seed{}/"])
def test_seeds_may_be_packed_in_any_usual_way(folder: str):
    files = {
        folder.format(seed) + name.partition("/")[2]: content
        for seed in (1, 2)
        for name, content in group(seed).items()
    }
    assert digests(read(files)) == digests(read(group(1, 2)))


def test_what_may_be_there_may_be_there_for_every_seed():
    extras = {f"seed{seed}/README.md": b"" for seed in (1, 2)} | {"README.md": b"", "seed1/.DS_Store": b""}
    assert read(group(1, 2) | extras | {"seed1/": b"", "seed1/mood/": b""}).ok


def test_fewer_seeds_are_accepted():
    result = read(group(2, 5))
    assert (result.ok, result.seeds) == (True, (2, 5))


def test_a_seed_that_lacks_a_file_names_it_and_the_seeds_that_have_it():
    files = group(1, 2, 3)
    del files["seed2/bank/predictions.csv"]
    (problem,) = read(files).problems
    assert (problem.code, problem.file, problem.task) == (
        ProblemCode.SEED_INCOMPLETE,
        "seed2/data/bank/predictions.csv",
        "bank",
    )
    assert problem.found == "seed1, seed3"
    assert problem.expected == problem.file
    assert read(files | {problem.file: bank(2)}).ok


def test_every_lacking_file_is_named():
    files = {"seed1/mood/predictions.csv": MOOD_CSV, "seed2/bank/predictions.csv": BANK_CSV}
    assert [(code, file) for code, file, _ in faults(files)] == [
        ("seed_incomplete", "seed1/data/bank/predictions.csv"),
        ("seed_incomplete", "seed2/data/mood/predictions.csv"),
    ]


def test_a_file_with_a_fault_is_not_called_missing_as_well():
    problems = faults(group(1, 2) | {"seed2/bank/predictions.csv": b"ID,Label\n"})
    assert [code for code, _, _ in problems] == ["no_rows"]


@pytest.mark.parametrize(
    ("folder", "code", "expected"),
    [
        ("seed6", "unknown_seed", "seed1 … seed5"),
        ("seed0", "unknown_seed", "seed1 … seed5"),
        ("seed 7", "unknown_seed", "seed1 … seed5"),
        ("Seed1", "seed_spelling", "seed1"),
        ("seed 1", "seed_spelling", "seed1"),
        ("seed_3", "seed_spelling", "seed3"),
        ("seed-3", "seed_spelling", "seed3"),
        ("SEED05", "seed_spelling", "seed5"),
        ("seeds2", "seed_spelling", "seed2"),
    ],
)
def test_a_folder_that_is_no_seeds_is_told_once(folder: str, code: str, expected: str):
    files = {f"{folder}/mood/predictions.csv": MOOD_CSV, f"{folder}/bank/predictions.csv": BANK_CSV}
    assert faults(files) == [(code, f"{folder}/", expected)]
    assert faults(group(2) | files) == [(code, f"{folder}/", expected)]


def test_a_misnamed_seed_inside_another_folder_is_found():
    assert faults({f"mine/Seed1/{name[6:]}": content for name, content in group(1).items()}) == [
        ("seed_spelling", "Seed1/", "seed1")
    ]


def test_an_unknown_file_of_a_seed_is_told_its_place():
    problems = read(group(1) | {"seed1/mood/prediction.csv": b"x"}).problems
    assert [(one.code.value, one.expected) for one in problems] == [
        ("unknown_file", "seed1/data/mood/predictions.csv")
    ]


def test_where_one_seed_is_asked_for_a_folder_has_no_meaning():
    assert digests(read({f"Seed7/{name[6:]}": content for name, content in group(1).items()}, seeds=1)) == (
        digests(read(group(1)))
    )


def test_a_complete_bundle_is_complete_for_every_seed():
    assert read(group(1, 2), bundle=BundleRule.COMPLETE).ok
    files = {"seed1/mood/predictions.csv": mood(1), "seed2/mood/predictions.csv": mood(2)}
    (problem,) = read(files, bundle=BundleRule.COMPLETE).problems
    assert (problem.code, problem.task) == (ProblemCode.MISSING_FILE, "bank")


def test_a_full_group_may_have_more_entries_than_an_ordinary_zip():
    files = group(*range(1, 121))
    assert len(read(files, seeds=120).predictions) == 240
