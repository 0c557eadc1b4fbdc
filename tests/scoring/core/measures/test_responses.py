"""What is counted in responses, on data small enough to count by hand."""

from catalogue.metrics.metric import Undefined
from scoring.core.measures.responses import NO_MAJORITY, report_responses

CATEGORIES = ("a", "b", "mixed")


def answers(**of_workers: str) -> list[tuple[str, str]]:
    return list(of_workers.items())


AGREED = answers(u="a", v="a", w="a")
SPLIT = answers(u="a", v="b", x="mixed")


def test_an_item_without_a_majority_is_counted_as_such():
    report = report_responses({"i": AGREED, "j": SPLIT}, CATEGORIES, needed=2)
    assert report.classes == {"a": 1, "b": 0, "mixed": 0, NO_MAJORITY: 1}
    assert report.largest == {3: 1, 1: 1}


def test_a_worker_is_compared_only_where_there_is_a_majority():
    report = report_responses({"i": AGREED, "j": SPLIT}, CATEGORIES, needed=2)
    found = {one.worker: (one.responses, one.compared, one.agreed) for one in report.workers}
    assert found == {"u": (2, 1, 1), "v": (2, 1, 1), "w": (1, 1, 1), "x": (1, 0, 0)}


def test_whoever_was_never_compared_neither_agrees_nor_breaks_the_rule():
    report = report_responses({"i": AGREED, "j": SPLIT}, CATEGORIES, needed=2)
    assert report.never_disagreeing == 1.0
    assert report.beyond_rule == ()
    assert report_responses({"j": SPLIT}, CATEGORIES, needed=2).never_disagreeing is None


def test_only_more_than_eighty_percent_of_disagreement_breaks_the_rule():
    disagreeing = {f"i{number}": answers(u="a", v="a", w="b") for number in range(4)}
    agreeing = {"i4": AGREED}
    assert report_responses(disagreeing | agreeing, CATEGORIES, needed=2).beyond_rule == ()
    more = {"i5": answers(u="a", v="a", w="mixed")}
    assert report_responses(disagreeing | agreeing | more, CATEGORIES, needed=2).beyond_rule == ("w",)


def test_items_of_workers_beyond_the_rule_are_to_be_collected_again():
    items = {"i": answers(u="a", v="a", w="b"), "j": answers(u="a", v="a", x="a")}
    report = report_responses(items, CATEGORIES, needed=2)
    assert (report.beyond_rule, report.to_collect_again) == (("w",), ("i",))


def test_workers_stand_in_the_order_of_how_much_they_answered():
    items = {"i": answers(u="a", v="a", w="a"), "j": answers(z="a", w="a", v="b")}
    report = report_responses(items, CATEGORIES, needed=2)
    assert [one.worker for one in report.workers] == ["v", "w", "u", "z"]


def test_agreement_on_one_category_throughout_has_no_kappa():
    assert report_responses({"i": AGREED}, CATEGORIES, needed=2).kappa == Undefined("one_category")
