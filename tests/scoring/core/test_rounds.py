"""Drawing the next round: what holds of every round, and what is told where none can be drawn."""

from collections import Counter
from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import f1_score

from scoring.core.rounds import Lack, Round, Shortage, draw_round, fitting_sizes, gold_label, spread

LABELS = ("positive", "negative", "neutral")
CATEGORIES = (*LABELS, "mixed")
# Of five responses, how many name the category; the others name the next two.
VOTES = {5: (5, 0, 0), 4: (4, 1, 0), 3: (3, 1, 1), 2: (2, 2, 1)}


@dataclass(frozen=True)
class Item:
    id: str
    responses: tuple[tuple[str, str], ...]
    prompt: str = ""
    rating: str = ""

    @property
    def has_prompt(self) -> bool:
        return bool(self.prompt)


def item(number: int, category: str, votes: int = 5, prompt: str | None = None) -> Item:
    """An item, by default with a prompt of its own."""
    prompt = f"prompt of {number}" if prompt is None else prompt
    at = CATEGORIES.index(category)
    answers = [CATEGORIES[(at + step) % 4] for step, count in enumerate(VOTES[votes]) for _ in range(count)]
    return Item(f"i{number:04}", tuple((f"w{place}", one) for place, one in enumerate(answers)), prompt)


@st.composite
def candidates(draw, least=2):
    """Items and a system's predictions: at least so many for every label and prediction, and others."""
    cells = [(label, predicted) for label in LABELS for predicted in LABELS for _ in range(least)]
    found: list[tuple[tuple[str, str], int, str | None]]
    found = [(cell, draw(st.sampled_from([4, 5])), None) for cell in cells]
    one = st.tuples(
        st.tuples(st.sampled_from(CATEGORIES), st.sampled_from(LABELS)),
        st.sampled_from([2, 3, 4, 5]),
        st.sampled_from(["", None, "A", "B", "C"]),
    )
    found += draw(st.lists(one, max_size=40))
    items = [item(number, cell[0], votes, prompt) for number, (cell, votes, prompt) in enumerate(found)]
    return items, {f"i{number:04}": cell[1] for number, (cell, _, _) in enumerate(found)}


def draw(items, predictions, *, dev=9, test=9, seed=1):
    return draw_round(items, predictions, labels=LABELS, size_dev=dev, size_test=test, seed=seed)


def gold_of(items):
    return {one.id: gold_label(one) for one in items}


@given(candidates(), st.integers(0, 5))
def test_dev_and_test_are_balanced_and_the_system_is_right_on_a_third_of_every_label(given_, seed):
    items, predictions = given_
    drawn = draw(items, predictions, seed=seed)
    gold = gold_of(items)

    for part in (drawn.dev, drawn.test):
        assert Counter(gold[one] for one in part) == dict.fromkeys(LABELS, 3)
        right = Counter(gold[one] for one in part if predictions[one] == gold[one])
        assert right == dict.fromkeys(LABELS, 1)


@given(candidates())
def test_where_the_candidates_allow_it_every_f1_is_at_chance(given_):
    items, predictions = given_
    drawn = draw(items, predictions)
    gold = gold_of(items)

    for part in (drawn.dev, drawn.test):
        scores = f1_score([gold[one] for one in part], [predictions[one] for one in part], average=None)
        assert scores == pytest.approx([1 / 3] * 3, abs=1e-12)


@given(candidates())
def test_dev_and_test_hold_only_items_that_four_of_five_agree_on(given_):
    items, predictions = given_
    drawn = draw(items, predictions)
    agreed = {one.id: max(Counter(label for _, label in one.responses).values()) for one in items}

    assert min(agreed[one] for one in drawn.dev + drawn.test) >= 4


@given(candidates())
def test_every_item_with_a_majority_is_in_one_part_and_no_other_in_any(given_):
    items, predictions = given_
    drawn = draw(items, predictions)

    everything = [*drawn.dev, *drawn.test, *drawn.train, *drawn.set_aside]
    assert sorted(everything) == sorted(name for name, label in gold_of(items).items() if label)


@given(candidates(least=0), st.integers(0, 5))
def test_a_prompt_is_used_once_in_dev_and_test_and_not_in_train_then(given_, seed):
    items, predictions = given_
    # So many that something can often be drawn with prompts alone.
    filled = [replace(one, prompt=f"{one.prompt}{number % 7}") for number, one in enumerate(items * 9)]
    renamed = [replace(one, id=f"{one.id}-{number}") for number, one in enumerate(filled)]
    drawn = draw(renamed, {one.id: predictions[one.id.partition("-")[0]] for one in renamed}, seed=seed)
    if isinstance(drawn, Shortage):
        return
    prompt = {one.id: one.prompt for one in renamed}
    used = [prompt[one] for one in drawn.dev + drawn.test]

    assert len(set(used)) == len(used)
    assert not set(used) & {prompt[one] for one in drawn.train}
    assert {prompt[one] for one in drawn.set_aside} <= set(used)


@given(candidates(), st.randoms(use_true_random=False))
def test_the_order_of_the_candidates_does_not_matter(given_, random):
    items, predictions = given_
    shuffled = items.copy()
    random.shuffle(shuffled)

    assert draw(shuffled, predictions) == draw(items, predictions)


def many(**votes):
    """Ten items of every label and prediction."""
    cells = [(label, predicted) for label in LABELS for predicted in LABELS for _ in range(10)]
    items = [item(number, label, **votes) for number, (label, _) in enumerate(cells)]
    return items, {f"i{number:04}": predicted for number, (_, predicted) in enumerate(cells)}


def test_another_seed_draws_other_items():
    assert draw(*many(), seed=1) != draw(*many(), seed=2)
    assert draw(*many(), seed=1) == draw(*many(), seed=1)


@given(candidates(least=0))
def test_a_shortage_names_what_is_there_and_needed(given_):
    items, predictions = given_
    items = [replace(one, prompt=f"prompt of {one.id}") for one in items]
    drawn = draw(items, predictions)
    gold = {one.id: gold_label(one, needed=4) for one in items}
    there = Counter((label, predictions[one] == label) for one, label in gold.items() if label in LABELS)
    needed = {True: 2, False: 4}
    short = [
        Lack(label, right, there[label, right], needed[right])
        for label in LABELS
        for right in (True, False)
        if there[label, right] < needed[right]
    ]

    assert (list(drawn.lacks) if isinstance(drawn, Shortage) else []) == short


@pytest.mark.parametrize(
    ("label", "right", "left", "most"), [("neutral", True, 5, 45), ("neutral", False, 15, 63)]
)
def test_a_shortage_says_how_many_items_could_be_drawn_instead(label, right, left, most):
    items, predictions = many()
    scarce = [one for one in items if gold_label(one) == label and (predictions[one.id] == label) == right]
    items = [one for one in items if one not in scarce[left:]]
    found = draw(items, predictions, dev=9, test=81)

    assert isinstance(found, Shortage)
    assert found.most == most
    assert isinstance(draw(items, predictions, dev=9, test=most - 9), Round)
    assert isinstance(draw(items, predictions, dev=9, test=most), Shortage)


def test_a_shortage_reads_as_a_sentence():
    items, predictions = many()
    predictions = dict.fromkeys(predictions, "positive")
    found = draw(items, predictions)

    assert isinstance(found, Shortage)
    assert [str(one) for one in found.lacks] == [
        "positive: 0 items with a prompt that the system gets wrong, and 4 are needed: 4 short.",
        "negative: 0 items with a prompt that the system gets right, and 2 are needed: 2 short.",
        "neutral: 0 items with a prompt that the system gets right, and 2 are needed: 2 short.",
    ]


@given(candidates(), st.integers(0, 5))
def test_what_was_written_without_a_prompt_is_for_train_alone(given_, seed):
    items, predictions = given_
    drawn = draw(items, predictions, seed=seed)
    unprompted = {one.id for one in items if not one.prompt}

    assert not unprompted & {*drawn.dev, *drawn.test}
    assert {one.id for one in items if one.id in unprompted and gold_label(one)} <= set(drawn.train)


def test_a_shortage_says_how_many_items_lack_a_prompt():
    items, predictions = many()
    right = [one for one in items if gold_label(one) == predictions[one.id] == "neutral"]
    items = [replace(one, prompt="") if one in right[1:] else one for one in items]
    found = draw(items, predictions)

    assert isinstance(found, Shortage)
    assert found.lacks == (Lack("neutral", right=True, there=1, needed=2, unprompted=9),)
    assert str(found.lacks[0]) == (
        "neutral: 1 item with a prompt that the system gets right, and 2 are needed: 1 short. "
        "9 more were written without a prompt."
    )


def test_a_shortage_counts_a_prompt_once_and_says_how_many_items_share_one():
    items, predictions = many()
    items = [
        replace(one, prompt=" The soup. ") if gold_label(one) == predictions[one.id] == "neutral" else one
        for one in items
    ]
    found = draw(items, predictions)

    assert isinstance(found, Shortage)
    assert found.lacks == (Lack("neutral", right=True, there=1, needed=2, sharing=9),)
    assert str(found.lacks[0]).endswith("9 more share their prompt with an item that is counted already.")


def test_of_a_repeated_prompt_the_item_of_the_scarcer_kind_is_kept():
    items, predictions = many()
    short = [one for one in items if gold_label(one) == predictions[one.id] == "neutral"]
    items = [one for one in items if one not in short[2:]]
    # The two that are needed stand under prompts that plentiful items share.
    for place, scarce in enumerate(short[:2]):
        items[items.index(scarce)] = replace(scarce, prompt=f"prompt {place}")
        items[place] = replace(items[place], prompt=f"prompt {place}")
    drawn = draw(items, predictions)

    assert isinstance(drawn, Round)
    assert {one.id for one in short[:2]} <= {*drawn.dev, *drawn.test}
    assert drawn.set_aside == ("i0000", "i0001")


def test_wrong_answers_are_spread_as_evenly_as_the_candidates_allow():
    items, predictions = many()
    # Of all positive items, one is taken for neutral.
    scarce = [one.id for one in items if gold_label(one) == "positive" and predictions[one.id] == "neutral"]
    drawn = draw([one for one in items if one.id not in scarce[1:]], predictions)
    gold = gold_of(items)
    wrong = Counter((gold[one], predictions[one]) for one in drawn.dev + drawn.test)

    assert wrong["positive", "neutral"] == 1
    assert wrong["positive", "negative"] == 3
    assert wrong["negative", "neutral"] == wrong["negative", "positive"] == 2


@given(st.lists(st.integers(0, 20), min_size=1, max_size=5), st.floats(0, 1))
def test_parts_are_even_but_where_all_there_is_is_taken(available, share):
    total = int(share * sum(available))
    parts = spread(available, total)

    assert sum(parts) == total
    assert all(0 <= part <= there for part, there in zip(parts, available, strict=True))
    below = [part for part, there in zip(parts, available, strict=True) if part < there]
    assert not below or max(parts) - min(below) <= 1


@given(candidates(), st.sampled_from([(9, 18), (18, 9), (27, 9)]))
def test_dev_and_test_may_differ_in_size(given_, sizes):
    items, predictions = given_
    more, more_predictions = many()
    items += [replace(one, id=f"more {one.id}", prompt=f"more {one.prompt}") for one in more]
    predictions |= {f"more {name}": label for name, label in more_predictions.items()}
    drawn = draw(items, predictions, dev=sizes[0], test=sizes[1])
    gold = gold_of(items)

    for part, size in ((drawn.dev, sizes[0]), (drawn.test, sizes[1])):
        cells = Counter((gold[one], predictions[one]) for one in part)
        assert set(cells.values()) == {size // 9}
        assert len(part) == size


def test_items_on_which_three_agree_are_for_train_alone():
    items, predictions = many(votes=3)

    assert isinstance(draw(items, predictions), Shortage)
    strong, strong_predictions = many()
    both = [*strong, *(replace(one, id=f"weak {one.id}", prompt=f"weak {one.prompt}") for one in items)]
    drawn = draw(both, strong_predictions)
    assert {f"weak {one.id}" for one in items} <= set(drawn.train)


@pytest.mark.parametrize(("size", "nearest"), [(600, "594 and 603"), (8, "9"), (0, "9"), (-9, "9")])
def test_a_size_that_cannot_be_at_chance_is_refused_with_the_nearest_that_can(size, nearest):
    with pytest.raises(ValueError, match=f"{size} is none. Nearest: {nearest}"):
        draw(*many(), test=size)


@given(st.integers(1, 10_000), st.integers(2, 7))
def test_fitting_sizes_enclose_the_size(size, label_count):
    below, above = fitting_sizes(size, label_count)

    assert below % label_count**2 == above % label_count**2 == 0
    assert above - below in (0, label_count**2)
    assert size <= above
    assert below <= size or below == label_count**2


def test_a_doubled_id_a_missing_prediction_and_another_number_of_responses_are_refused():
    items, predictions = many()

    with pytest.raises(ValueError, match="i0003 stands twice"):
        draw([*items, items[3]], predictions)
    with pytest.raises(ValueError, match="prediction for i0003 is missing"):
        draw(items, {name: label for name, label in predictions.items() if name != "i0003"})
    with pytest.raises(ValueError, match="i0003 has 4 responses instead of 5"):
        draw([*items[:3], replace(items[3], responses=items[3].responses[:4])], predictions)


def rated(items, rating_of):
    return [replace(each, rating=rating_of(gold_label(each), number)) for number, each in enumerate(items)]


def many_candidates(count=20):
    """So many items of every label and prediction, and the predictions."""
    cells = [(label, predicted) for label in LABELS for predicted in LABELS] * count
    items = [item(number, label) for number, (label, _) in enumerate(cells)]
    return items, {f"i{number:04}": predicted for number, (_, predicted) in enumerate(cells)}


def test_a_rating_has_no_predictive_value_in_dev_and_test():
    """Four of five positive candidates are from reviews with five stars, and of the others one in ten is."""
    items, predictions = many_candidates()
    often = {
        "positive": ("5", "5", "5", "5", "1"),
        "negative": ("1",) * 9 + ("5",),
        "neutral": ("3", "1", "5", "1"),
    }
    items = rated(items, lambda label, number: often[label][number // 9 % len(often[label])])
    drawn = draw(items, predictions, dev=18, test=36)
    by_id = {each.id: each for each in items}

    assert isinstance(drawn, Round)
    for part in (drawn.dev, drawn.test):
        counts = Counter((by_id[name].rating, gold_label(by_id[name])) for name in part)
        for rating in {rating for rating, _ in counts}:
            assert len({counts[rating, label] for label in LABELS}) == 1, counts
        right = Counter(
            gold_label(by_id[name]) for name in part if gold_label(by_id[name]) == predictions[name]
        )
        assert right == dict.fromkeys(LABELS, len(part) // 9)
    assert {by_id[name].rating for name in drawn.dev + drawn.test} == {"1", "5"}


def test_ratings_that_give_the_label_away_make_a_shortage_that_says_so():
    items, predictions = many_candidates()
    items = rated(items, lambda label, _: str(LABELS.index(label)))
    shortage = draw(items, predictions)

    assert isinstance(shortage, Shortage)
    assert len(shortage.lacks) == 2 * len(LABELS)
    assert str(shortage.lacks[0]) == (
        "positive: 0 items with a prompt that the system gets right, and 2 are needed: 2 short. 20 more have a rating "
        "that too few items of another label have."
    )


def test_one_rating_for_all_draws_what_no_rating_does():
    items, predictions = many_candidates()

    assert draw(rated(items, lambda *_: "4"), predictions) == draw(items, predictions)
