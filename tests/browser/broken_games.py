"""What the teams of the walk through Build It Break It hand in, and what comes of it, computed the long way."""

from collections.abc import Iterable, Mapping
from statistics import fmean

from sklearn.metrics import f1_score

Labels = Mapping[str, str]

DEV: Labels = {"d1": "1", "d2": "-1", "d3": "1", "d4": "-1", "d5": "1", "d6": "-1"}
QASRL_DEV: Labels = {"w1": "The cook", "w2": "Ann"}
STARTER = (
    "id,text,label\n"
    "11,I like this old song.,1\n"
    "12,You are in my way again.,-1\n"
    "13,What a kind thing to say!,1\n"
    "14,Nobody asked for your help.,-1\n"
)
NORTH_PAIRS = (
    "id\toriginal_id\ttext\tlabel\trationale\n"
    "11_b\t11\tI loathe this old song.\t-1\ta rare verb, <b>bold</b>\n"
    "12_b\t12\tSing along with all of us!\t1\tno pair at all\n"
    "13_b\t13\tWhat an unkind thing to say!\t-1\ta prefix\n"
    "14_b\t14\tEverybody asked for your own advice!\t1\ta quantifier\n"
)
SOUTH_PAIRS = (
    "id\toriginal_id\ttext\tlabel\trationale\n"
    "12_b\t12\tYou are on my way again.\t1\ta preposition\n"
    "13_b\t13\tWhat a kind thing to do!\t1\ta verb that changes nothing\n"
)
QASRL_PAIRS = (
    "id,original_id,text,label,rationale\n21_b,21,The old cook fed Parker.,The old cook,a longer answer\n"
)
# The pair of 12 is left out by the organiser, the one of 14 admitted.
NORTH: Labels = {"11_a": "1", "11_b": "-1", "13_a": "1", "13_b": "-1", "14_a": "-1", "14_b": "1"}
SOUTH: Labels = {"12_a": "-1", "12_b": "1", "13_a": "1", "13_b": "1"}
SETS: Mapping[str, Labels] = {"team-north": NORTH, "team-south": SOUTH}
CORRECTED: Mapping[str, Labels] = {**SETS, "team-north": {**NORTH, "13_b": "1"}}

# Items that each system gets wrong, by set. Siskin has no answers for the development data.
WRONG: Mapping[str, Mapping[str, set[str]]] = {
    "Wren": {"dev": {"d6"}, "team-north": {"11_b", "13_a", "13_b"}, "team-south": {"12_b"}},
    "Dunnock": {"dev": {"d5", "d6"}, "team-north": {"14_a"}, "team-south": set()},
    "Siskin": {"team-north": {"11_a", "13_a"}, "team-south": {"12_a", "12_b"}},
}
QASRL_ANSWERS: Mapping[str, Labels] = {
    "Wren": {"21_a": "The cook", "21_b": "The cook"},
    "Dunnock": {"21_a": "The cook", "21_b": "The old cook"},
}


def answers(system: str, of: str) -> Labels:
    """What a system says of a set of sentences: the gold label, or the other one."""
    gold = DEV if of == "dev" else SETS[of]
    return {item: turned(label) if item in WRONG[system][of] else label for item, label in gold.items()}


def turned(label: str) -> str:
    return {"1": "-1", "-1": "1"}[label]


def sentiment_file(labels: Labels, column: str = "label") -> str:
    rows = "".join(f"{item}\t-\t{label}\n" for item, label in labels.items())
    return f"sentence_id\tsentence\t{column}\n{rows}"


def qasrl_file(labels: Labels) -> str:
    return "id,answer\n" + "".join(f"{item},{span}\n" for item, span in labels.items())


# The numbers


def weighted_f1(system: str, of: str, gold: Mapping[str, Labels] = SETS) -> float:
    said = answers(system, of)
    return float(f1_score(list(gold[of].values()), list(said.values()), average="weighted"))


def broken(system: str, of: str, gold: Mapping[str, Labels] = SETS) -> list[bool]:
    """Of each pair whether exactly one of its two items is right."""
    said, right = answers(system, of), gold[of]
    hits = {item: said[item] == label for item, label in right.items()}
    return [hits[f"{one}_a"] != hits[f"{one}_b"] for one in pairs(of)]


def pairs(of: str) -> list[str]:
    """The names of a set's pairs, in its order."""
    return [item.removesuffix("_a") for item in SETS[of] if item.endswith("_a")]


def breaks(of: str) -> dict[str, int]:
    """How many systems each pair breaks."""
    outcomes = zip(*(broken(one, of) for one in WRONG), strict=True)
    return {pair: sum(one) for pair, one in zip(pairs(of), outcomes, strict=True)}


def accuracy(system: str) -> float:
    """That of the development data."""
    return 1 - len(WRONG[system]["dev"]) / len(DEV)


def breaker_score(of: str, gold: Mapping[str, Labels] = SETS) -> float:
    """The formula of the paper, over the two systems that have answered the development data."""
    return sum(accuracy(one) * fmean(broken(one, of, gold)) for one in ("Wren", "Dunnock")) / 2


def mean_share(of: str, gold: Mapping[str, Labels] = SETS) -> float:
    """The plain mean of the shares of broken pairs, over all systems."""
    return fmean(fmean(broken(one, of, gold)) for one in WRONG)


def printed(value: float) -> str:
    """A score as boards print it."""
    return f"{value:.3f}".removeprefix("0")


def builder_cells(system: str, gold: Mapping[str, Labels] = SETS) -> list[str]:
    """Mean F1, share of all pairs that break it, then per set the F1 with the share of its pairs."""
    per_set = [weighted_f1(system, one, gold) for one in gold]
    shares = [broken(system, one, gold) for one in gold]
    beside = [f"{printed(f1)} ({printed(fmean(one))})" for f1, one in zip(per_set, shares, strict=True)]
    return [printed(fmean(per_set)), printed(pooled(shares)), *beside]


def matrix_cells(system: str, gold: Mapping[str, Labels] = SETS) -> list[str]:
    """Share of all pairs that break it, and of each set's."""
    shares = [broken(system, one, gold) for one in gold]
    return [printed(pooled(shares)), *(printed(fmean(one)) for one in shares)]


def pooled(shares: Iterable[list[bool]]) -> float:
    return fmean(pair for one in shares for pair in one)


def breaker_cells(of: str, gold: Mapping[str, Labels] = SETS) -> list[str]:
    return [printed(breaker_score(of, gold)), printed(mean_share(of, gold))]
