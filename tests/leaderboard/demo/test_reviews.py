"""The made-up reviews that responses are made up for."""

import numpy as np

from demo.material.reviews import LABELS, MIXED, json_lines, reviews
from scoring.core.measures.votes import majority
from submissions.intake.tables.responses import read_responses

WANTED = [*LABELS, MIXED, None] * 40
IDS = [f"r{number}" for number in range(len(WANTED))]


def made(seed: int = 1, **options: str):
    return reviews(IDS, WANTED, np.random.default_rng(seed), **options)


def test_most_workers_say_the_label_that_is_wanted():
    read = read_responses(json_lines(made()), file_name="reviews.jsonl")

    assert read.problems == ()
    found = [majority([category for _, category in item.responses], 3) for item in read.content or ()]
    assert found == WANTED


def test_each_is_made_from_a_prompt_of_its_own_where_there_are_prompts():
    read = read_responses(json_lines(made(prompt="Note")), file_name="reviews.jsonl")

    assert len({item.prompt for item in read.content or ()}) == len(IDS)
    assert not any(one.prompt for one in made())


def test_the_same_seed_makes_the_same_reviews():
    assert json_lines(made(1)) == json_lines(made(1)) != json_lines(made(2))
