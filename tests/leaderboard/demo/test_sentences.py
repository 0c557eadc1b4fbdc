"""The made-up sentences that attacks are made of."""

import numpy as np

from demo.material.sentences import sentences
from scoring.core.attacks.spelling import misspelt


def test_every_sentence_has_a_paraphrase_in_other_words():
    made = sentences(40, np.random.default_rng(1))

    assert len(made) == 40
    assert all(text != other for text, other in made)


def test_every_sentence_can_be_misspelt():
    generator = np.random.default_rng(2)

    assert all(misspelt(text, generator) for text, _ in sentences(40, generator))
