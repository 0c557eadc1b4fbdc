import pytest

from labelling.core.round_card import WrittenText, round_card

LABELS = ("positive", "negative")
CATEGORIES = (*LABELS, "mixed")


def written(text: str, predicted: str, majority: str, prompt: str = "") -> WrittenText:
    responses = {"none": ("positive", "positive", "negative", "negative", "mixed")}.get(
        majority, (majority,) * 3 + CATEGORIES[:2]
    )
    return WrittenText(text, predicted, responses, prompt)


CARD = round_card(
    [
        written("So good!", "negative", "positive", prompt="So bad!"),
        written("So very good!", "positive", "positive", prompt="So good!"),
        written("Well.", "positive", "mixed"),
        written("I would not.", "positive", "negative"),
        written("Who knows", "positive", "none"),
    ],
    CATEGORIES,
    LABELS,
)


def test_the_card_counts_labels_and_texts_without_a_majority():
    assert CARD.distribution == {"positive": 2, "negative": 1, "mixed": 1}
    assert CARD.without_majority == 1
    assert (CARD.all.with_majority.count, CARD.all.with_majority.total) == (4, 5)


def test_fooled_is_counted_where_most_readers_name_a_label_that_the_model_can_give():
    assert (CARD.all.fooled.count, CARD.all.fooled.total) == (2, 3)
    assert CARD.all.fooled.interval is not None
    assert CARD.all.fooled.interval.low < 0.2


def test_conditions_are_told_apart_with_edits_only_where_there_was_a_prompt():
    prompted, unprompted = CARD.prompted, CARD.unprompted

    assert (prompted.texts, unprompted.texts) == (2, 3)
    assert (prompted.fooled.count, prompted.fooled.total) == (1, 2)
    assert (unprompted.fooled.count, unprompted.fooled.total) == (1, 1)
    assert prompted.edits is not None
    assert prompted.edits.mean == pytest.approx((3 + 5) / 2)
    assert prompted.edited_share is not None
    assert prompted.edited_share.mean == pytest.approx((3 / 8 + 5 / 13) / 2)
    assert unprompted.edits is None
    assert unprompted.words is not None
    assert unprompted.words.median == 2
    assert unprompted.words.mean == pytest.approx((2 + 4 + 2) / 3)


def test_a_round_without_texts_has_no_shares():
    card = round_card([], CATEGORIES, LABELS)

    assert (card.all.fooled.total, card.all.fooled.interval, card.all.words) == (0, None, None)


def test_a_majority_needs_more_than_half_of_the_responses():
    with pytest.raises(ValueError, match="more than half"):
        round_card([written("Well.", "positive", "mixed")], CATEGORIES, LABELS, needed=2)


def test_a_text_that_no_model_was_asked_about_fooled_none():
    card = round_card([written("So good!", "", "positive")], CATEGORIES, LABELS)
    assert (card.all.with_majority.count, card.all.fooled.total) == (1, 0)
