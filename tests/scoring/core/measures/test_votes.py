import pytest

from scoring.core.measures.votes import majority


@pytest.mark.parametrize(
    ("answers", "label"),
    [("aaabb", "a"), ("aabbc", None), ("aaaaa", "a"), ("abcde", None), ("", None)],
)
def test_majority_is_the_label_of_at_least_three_of_five(answers, label):
    assert majority(list(answers), needed=3) == label


def test_majority_refuses_a_number_that_two_labels_could_reach():
    with pytest.raises(ValueError, match="more than half of 5 answers"):
        majority(list("aabbc"), needed=2)
