"""Texts of test items and attack sets on a participant's machine."""

import pytest

from benchmarks.models import Texts
from scoring.item_sets.attacks import make_attack
from tests.attacks import TEXTS, load_attacked
from tests.conftest import NOW

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "texts"


@pytest.fixture
def fetch(run, server, folder):
    return lambda benchmark="debates": run("texts", "--benchmark", benchmark, "--folder", folder)


@pytest.fixture
def task(sync, gold_keys):
    return load_attacked(sync)


def test_texts_and_attack_sets_are_saved(fetch, task, folder):
    made = make_attack(task=task, attack="spelling", seed=7, now=NOW)
    result = fetch()
    assert result.exit_code == 0, result.output
    assert (folder / "test" / "claims.csv").read_bytes() == TEXTS
    assert (folder / "spelling" / "claims.csv").read_bytes() == made.texts.csv()
    assert "4 items" in result.output


def test_what_is_there_is_not_fetched_again(fetch, task):
    fetch()
    assert "was here already" in fetch().output


def test_a_file_that_was_changed_is_fetched_again(fetch, task, folder):
    fetch()
    (folder / "test" / "claims.csv").write_text("mine")
    fetch()
    assert (folder / "test" / "claims.csv").read_bytes() == TEXTS


def test_a_damaged_file_is_not_kept(fetch, task, folder):
    Texts.objects.update(sha256="0" * 64)
    result = fetch()
    assert (result.exit_code, "came damaged" in result.stderr) == (2, True)
    assert not folder.exists()


def test_a_benchmark_without_texts_says_so(fetch, server):
    result = fetch("toy")
    assert (result.exit_code, "no texts of toy" in result.output) == (0, True)
