"""Negation: a tautology before every sentence and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.core.attacks import perturb
from scoring.core.attacks.negation import negated

TAUTOLOGY = "false is not true and "


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("School day should be extended", 1),
        ("So much easier for parents! And cheaper.", 2),
        ("Really? Yes. No.", 3),
        ("so what? then go! fine", 3),
        ("Mr. Bean met J. Smith of the U.S. Army.", 1),
        ("This is approx. five of them.", 1),
        ("It costs 3.5 dollars.", 1),
        ("“Why?” he asked.", 1),
        ("He said “Go.” Then he left (for good). The end", 3),
        ("Well... maybe. See www.example.org for more.", 2),
        ("I said no. Then I left.", 2),
        ("A title\n\nand a paragraph", 2),
        ("a line\nand its rest", 1),
    ],
)
def test_every_sentence_gets_the_tautology(text, sentences):
    assert str(negated(text)).count(TAUTOLOGY) == sentences


def test_the_sentences_stand_behind_it_unchanged():
    assert negated("  Yes.  (No.)") == "  false is not true and Yes.  false is not true and (No.)"


@given(st.text(max_size=80))
def test_taking_it_away_gives_the_text_back(text):
    made = negated(text)
    assert text == (text if made is None else made.replace(TAUTOLOGY, ""))
    assert (made is None) == (not text.strip())


@given(st.text(min_size=1, max_size=80).filter(str.strip))
def test_the_first_sentence_always_gets_it(text):
    assert str(negated(text)).lstrip().startswith(TAUTOLOGY)


def test_the_seed_makes_no_difference():
    made = [
        perturb("negation", ids=["a"], columns=["text"], rows=[("Yes. No.",)], seed=seed) for seed in (1, 2)
    ]
    assert made[0] == made[1]


def test_an_empty_text_beside_a_full_one_stays_empty():
    made = perturb("negation", ids=["a"], columns=["claim", "text"], rows=[("", "Yes.")], seed=1)
    assert made.rows == (("", "false is not true and Yes."),)
    assert (made.text_count, made.untouched) == (1, 0)
