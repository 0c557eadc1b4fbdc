"""Stance: headlines and bodies (FNC-1), claims and perspectives, and tweets of SemEval-2016 Task 6 B."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tests.cases.draws import Draws, write_lines

STANCES = ("unrelated", "discuss", "agree", "disagree")
HEADLINES = 2600
FIRST = 2000  # rows of the smaller gold file, and of those who answer it
SIDES = ("UNDERMINE", "SUPPORT")
PERSPECTIVES = 600
TWEETS = 300
TWEET_STANCES = ("AGAINST", "FAVOR", "NONE")


def write_headlines(folder: Path) -> None:
    """Pairs of headline and body, of which some stand there twice."""
    draws = Draws(300)
    pairs = [f'"Headline {draws.below(700)}, said ""so""",{draws.below(400)}' for _ in range(HEADLINES)]
    pairs[150], pairs[1990], pairs[2500] = pairs[40], pairs[41], pairs[2400]
    gold = draws.picks(("unrelated",) * 7 + ("discuss",) * 2 + STANCES[2:], HEADLINES)
    model_a = draws.mostly(gold, STANCES, 0.7)
    model_b = draws.mostly(gold, STANCES[:3], 0.75)
    for name, count in (("competition_test_stances", HEADLINES), ("first2000", FIRST)):
        write_lines(folder / "gold" / f"{name}.csv", stance_lines(pairs[:count], gold))
    systems = {"model_a": model_a, "model_b": model_b, "majority_unrelated": ["unrelated"] * HEADLINES}
    for system, labels in systems.items():
        write_lines(folder / "predictions" / f"{system}.csv", stance_lines(pairs, labels))
    write_first_2000(folder / "predictions", draws, pairs, model_b[:FIRST])


def write_first_2000(folder: Path, draws: Draws, pairs: Sequence[str], labels: Sequence[str]) -> None:
    """Files for the first 2,000 rows, some of them faulty."""
    first = pairs[:FIRST]
    order = draws.shuffled(range(FIRST))
    lines = stance_lines(first, labels)
    unknown = [f"Headline of no test set,{at},unrelated" for at in range(200)]
    # The n-th row of a pair answers the n-th in the gold labels, so rows of a pair keep their order.
    order.sort(key=lambda at: (Counter(pairs[:at])[pairs[at]], 0))
    files = {
        "model_b": lines,
        "all_agree": stance_lines(first, ["agree"] * FIRST),
        "never_disagree": stance_lines(
            first, ["agree" if label == "disagree" else label for label in labels]
        ),
        "random": stance_lines(first, draws.picks(STANCES, FIRST)),
        "shuffled_rows": [lines[0], *(lines[at + 1] for at in order)],
        "bad_header": ["Headline,BodyID,Stance", *lines[1:]],
        "empty_label": [*lines[:6], f"{first[5]},", *lines[7:]],
        "label_uppercase": [*lines[:6], f"{first[5]},UNRELATED", *lines[7:]],
        "extra_200_rows": [*lines, *unknown],
        "truncated_to_1500": lines[:1501],
    }
    for name, content in files.items():
        write_lines(folder / f"edge2000_{name}.csv", content)


def stance_lines(pairs: Sequence[str], labels: Sequence[str]) -> list[str]:
    return [
        "Headline,Body ID,Stance",
        *(f"{pair},{label}" for pair, label in zip(pairs, labels, strict=False)),
    ]


def write_perspectives(folder: Path) -> None:
    """Claims and perspectives, of which one pair stands there twice."""
    draws = Draws(310)
    ids = [f"{at // 3}_{10000 + at}" for at in range(PERSPECTIVES)]
    ids[77] = ids[12]
    gold = draws.picks((*SIDES, "SUPPORT"), PERSPECTIVES)
    systems = {
        "majority": ["SUPPORT"] * PERSPECTIVES,
        "random": draws.picks(SIDES, PERSPECTIVES),
        "model": draws.mostly(gold, SIDES, 0.6),
    }
    write_lines(folder / "gold" / "perspectrum_test.csv", labelled(ids, gold))
    for system, labels in systems.items():
        write_lines(folder / "predictions" / f"perspectrum.{system}.csv", labelled(ids, labels))


def labelled(ids: Sequence[str], labels: Sequence[str]) -> list[str]:
    return ["id,label", *(f"{item},{label}" for item, label in zip(ids, labels, strict=True))]


def write_tweets(folder: Path) -> None:
    """Tweets in Latin-1 with one target, ten systems, and faulty files."""
    draws = Draws(320)
    gold = draws.picks(TWEET_STANCES, TWEETS)
    model_a, model_b, model_c = (draws.mostly(gold, TWEET_STANCES, share) for share in (0.6, 0.45, 0.3))
    perfect = tweet_lines(gold)
    never = [draws.pick(("AGAINST", "NONE")) if label == "FAVOR" else label for label in gold]
    unknown = ["UNKNOWN" if draws.share() < 0.2 else label for label in gold]
    raw = tweet_lines(model_a)
    lowered = perfect[4].rsplit("\t", 1)
    files = {
        "edge_UNKNOWN_label": tweet_lines(unknown),
        "majority_AGAINST": tweet_lines(["AGAINST"] * TWEETS),
        "majority_NONE": tweet_lines(["NONE"] * TWEETS),
        "never_FAVOR": tweet_lines(never),
        "random": tweet_lines(draws.picks(TWEET_STANCES, TWEETS)),
        "model_a.aligned": tweet_lines(model_a),
        "model_a.raw": [raw[0], *(f"{line}\t" for line in raw[1:])],
        "model_b.aligned": tweet_lines(model_b),
        "model_b.raw": tweet_lines(model_b, text="caf\u00e9"),
        "model_c.aligned": tweet_lines(model_c),
        "model_c.raw": tweet_lines(model_c, text="na\u00efve"),
        "edge_shuffled_perfect_rows": [perfect[0], *draws.shuffled(perfect[1:])],
        "edge_lowercase_label": [*perfect[:4], f"{lowered[0]}\t{lowered[1].lower()}", *perfect[5:]],
        "edge_no_header": perfect[1:],
        "edge_one_row_missing": perfect[:-1],
    }
    write_lines(folder / "gold" / "SemEval2016-Task6-subtaskB-testdata-gold.txt", perfect, encoding="latin-1")
    for name, lines in files.items():
        write_lines(folder / "predictions" / f"B_{name}.txt", lines, encoding="latin-1")


def tweet_lines(labels: Sequence[str], text: str = "-") -> list[str]:
    rows = (f"{20001 + at}\tDonald Trump\t{text}\t{label}" for at, label in enumerate(labels))
    return ["ID\tTarget\tTweet\tStance", *rows]
