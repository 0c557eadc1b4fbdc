"""The YAML of strangers is read without making objects, without growing, and with the line of what is wrong."""

import pytest

from submissions.intake.bundles.report import BundleRefused
from submissions.intake.bundles.yaml_reader import read_yaml

BOMB = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 10)}]\n"
    for before, name in zip("abcdef", "bcdefg", strict=True)
)


def test_values_and_lines():
    read = read_yaml("title: T\nphases:\n  - name: A\n    start: 2020-01-01\n    n: 1.8\n", "c.yaml")
    assert read["phases"][0] == {"name": "A", "start": "2020-01-01", "n": 1.8}
    assert read["phases"][0].lines == {"name": 3, "start": 4, "n": 5}


def test_aliases_and_merged_keys_are_followed():
    read = read_yaml("r: &r {label: Results}\nc: {board: *r}\nd: {<<: *r, rank: 1}\n", "c.yaml")
    assert read["c"]["board"]["label"] == "Results"
    assert read["d"] == {"rank": 1, "label": "Results"}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a: [1, 2\nb: 3\n", "line 1: yaml: refused: no YAML"),
        ("a: 1\nb: !!python/object/apply:os.system ['id']\n", "line 2: yaml: refused: the tag"),
        ("a: !!python/name:os.system\n", "the tag"),
        ("a: !!binary aGk=\n", "the tag"),
        ("a: !mine {b: 1}\n", "the tag !mine makes an object"),
        (BOMB, "more than 20,000 values"),
        ("a: " + "[" * 200 + "]" * 200, "nests deeper"),
        ("a: &a [*a]\n", "more than 20,000 values"),
        ("- a\n", "expected a mapping"),
        ("? [a]\n: b\n", "a key is no plain text"),
        ("\x00", "no YAML"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(text, sentence):
    with pytest.raises(BundleRefused) as caught:
        read_yaml(text, "competition.yaml")
    assert sentence in str(caught.value)
