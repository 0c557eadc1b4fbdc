"""Options and words as organisers type them."""

from pathlib import Path

import pytest

from labelling.core.option_lines import UnfitLines, read_options, read_words, write_options, write_words
from labelling.core.questions.question import Option
from labelling.core.worker_words import DEFAULTS

LINES = """
joy | Joy | also serenity and ecstasy
fear
none | None of these | no emotion | alone
"""
OPTIONS = (
    Option("joy", "Joy", "also serenity and ecstasy"),
    Option("fear", "fear"),
    Option("none", "None of these", "no emotion", True),
)


def test_lines_become_options_and_options_lines():
    assert read_options(LINES) == OPTIONS
    assert read_options(write_options(OPTIONS)) == OPTIONS
    only_alone = (Option("none", "none", "", True),)
    assert read_options(write_options(only_alone)) == only_alone
    assert read_options("") == ()


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ("joy\n| Fear", "Line 2: “” cannot be the value of an option: give 1 to 64 printable characters."),
        ("joy\n\njoy | Joy", "Line 3: “joy” stands on line 1 already. Keep one of the two."),
        (
            "joy | Joy | glad | alone | x",
            "Line 1: there are 5 parts; expected are value | words | meaning | alone.",
        ),
        ("joy | Joy | glad | yes", "Line 1: the last part is “yes”; expected is alone, or nothing."),
        (f"joy | {'j' * 301}", "Line 1: words and meaning have at most 300 printable characters."),
    ],
)
def test_a_line_that_is_no_option_is_told(lines, sentence):
    with pytest.raises(UnfitLines) as unfit:
        read_options(lines)
    assert unfit.value.sentences == (sentence,)


def test_every_fault_is_told_at_once():
    with pytest.raises(UnfitLines) as unfit:
        read_options("a | b | c | d\na\na\n")
    assert len(unfit.value.sentences) == 2


def test_lines_become_words_and_words_lines():
    said = {"send": "Weiter: los", "most": "am meisten"}
    assert read_words(write_words(said)) == said


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ("send Weiter", "Line 1: write a key, a colon and printable words, such as send: Next."),
        ("sent: Weiter", "Line 1: “sent” is none of the words of workers' pages."),
        ("send: a\nsend: b", "Line 2: “send” stands there twice. Keep one of the two."),
    ],
)
def test_a_line_that_states_no_words_is_told(lines, sentence):
    with pytest.raises(UnfitLines) as unfit:
        read_words(lines)
    (told,) = unfit.value.sentences
    assert told.startswith(sentence)


def test_the_handbook_lists_every_key_with_its_english_words():
    page = (Path(__file__).resolve().parents[2] / "docs" / "labelling.md").read_text("utf-8")
    assert [key for key, words in DEFAULTS.items() if f"| `{key}` | {words} |" not in page] == []
