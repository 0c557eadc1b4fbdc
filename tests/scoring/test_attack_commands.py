"""Texts and attack sets from the command line."""

import io
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from benchmarks.models import Texts
from tests.attacks import REWORDED, TEXTS, load_attacked


@pytest.fixture
def task(sync, gold_keys):
    return load_attacked(sync, with_texts=False)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "texts.csv"
    path.write_bytes(TEXTS)
    return path


def run(*arguments: str) -> tuple[str, str]:
    out, err = io.StringIO(), io.StringIO()
    call_command(*arguments, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def test_texts_then_an_attack_set(task, file):
    out, _ = run("load_texts", "debates", "claims", str(file))
    assert out == "debates/claims/test texts: 4 items, columns id, claim, text\n"
    out, err = run("make_attack", "debates", "claims", "spelling", "--seed", "7")
    assert out == "debates/claims/spelling texts: 4 items, columns id, claim, text\n"
    assert "1 of 8 texts stay as they are" in err
    assert Texts.objects.get(split__slug="spelling").seed == 7


def test_a_paraphrase_is_loaded_for_its_split(task, file):
    run("load_texts", "debates", "claims", str(file))
    file.write_bytes(REWORDED)
    out, _ = run("load_texts", "debates", "claims", str(file), "--split", "reworded")
    assert out.startswith("debates/claims/reworded texts: 4 items")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            ["load_texts", "debates", "claims", "{file}", "--split", "dev"],
            "has no split “dev”. It has test, spelling",
        ),
        (["load_texts", "debates", "claims", "{file}x"], "cannot be read: No such file"),
        (["load_texts", "debates", "nothing", "{file}"], "Known tasks: claims, posts."),
        (["make_attack", "debates", "claims", "spelling"], "has no texts yet"),
        (["make_attack", "debates", "nothing", "spelling"], "Known tasks: claims, posts."),
    ],
)
def test_what_cannot_be_done_is_told(task, file, arguments, told):
    with pytest.raises(CommandError) as error:
        run(*(argument.format(file=file) for argument in arguments))
    assert told in str(error.value)


def test_every_problem_of_a_file_is_told_with_its_place(task, file):
    file.write_bytes(TEXTS.replace(b"d1,", b"x1,").replace(b"d2,", b"d0,"))
    with pytest.raises(CommandError) as error:
        run("load_texts", "debates", "claims", str(file))
    assert "texts.csv, line 3, column id: “x1”" in str(error.value)
    assert "texts.csv, line 4, column id: The id “d0” stands on line 2" in str(error.value)
    assert not Texts.objects.exists()
