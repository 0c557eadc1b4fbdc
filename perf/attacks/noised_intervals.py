"""How often intervals of numbers with noise hold the true score, and by how much they are too wide for F1.

Run it from the project's folder: `python -m perf.attacks.noised_intervals [games per line]`. A row of displayed items
gets some judged answers, none better than another, each of which differs from the one before in a share of the items.
"""

import numpy as np
from sklearn.metrics import f1_score

from catalogue.disclosure.noised_error import error_of_noised
from catalogue.disclosure.noisy_display import NoisyDisplay
from catalogue.metrics.label_effect import mean_of_f1
from perf.timing import number_asked_for

ITEMS = (1_000, 2_500, 10_000)
ACCURACIES = (0.6, 0.8, 0.95)
HISTORIES = ((1, 0.0), (4, 0.1), (10, 0.1), (10, 0.3))  # judged answers, and the share of items that change
SHARES = ((0.5, 0.5), (0.75, 0.25), (0.9, 0.1), (0.4, 0.3, 0.2, 0.1))
QUANTILE = 1.96


def holds(items: int, accuracy: float, answers: int, changing: float, random: np.random.Generator) -> bool:
    """Whether the interval of a row after so many answers holds the accuracy that all of them have."""
    display = NoisyDisplay(items, 1 / items)
    right, row = random.random(items) < accuracy, None
    for _ in range(answers):
        right = np.where(random.random(items) < changing, random.random(items) < accuracy, right)
        level = float(right.mean()) + display.deviation * random.standard_normal()
        differing = round(2 * accuracy * (1 - accuracy) * changing * items)
        row = display.row_after(row, level, differing) or row
    shown = min(max(row.shown, 0.0), 1.0) if row else 0.0
    deviation = 2**0.5 * display.deviation
    error = error_of_noised(shown, deviation=deviation, effect=display.label_effect, low=0, high=1)
    return abs(shown - accuracy) <= QUANTILE * error


def width_of_f1(
    items: int, shares: tuple[float, ...], accuracy: float, games: int, random: np.random.Generator
) -> float:
    """How many times larger the error of macro F1 is than its deviation over test sets, without any noise."""
    values = []
    for _ in range(games):
        gold = random.choice(len(shares), items, p=shares)
        guesses = random.choice(len(shares), items, p=shares)
        predictions = np.where(random.random(items) < accuracy, gold, guesses)
        values.append(f1_score(gold, predictions, average="macro"))
    effect = mean_of_f1(items, len(shares), 0.9 * min(shares))
    if effect is None:
        raise ValueError("A share of a label must be above 0.")
    mean = float(np.mean(values))
    return error_of_noised(mean, deviation=0, effect=effect, low=0, high=1) / float(np.std(values))


def main(games: int) -> None:
    random = np.random.default_rng(1)
    print(
        "| displayed items | accuracy | " + " | ".join(f"{n} answers, {c:.0%}" for n, c in HISTORIES) + " |"
    )
    print("| --- | --- |" + " --- |" * len(HISTORIES))
    for items in ITEMS:
        for accuracy in ACCURACIES:
            held = [
                np.mean([holds(items, accuracy, *history, random) for _ in range(games)])
                for history in HISTORIES
            ]
            print(
                f"| {items:,} | {accuracy} | " + " | ".join(f"{100 * share:.0f} %" for share in held) + " |"
            )
    print("\n| shares of labels | error of macro F1 / its deviation |\n| --- | --- |")
    for shares in SHARES:
        print(f"| {shares} | {width_of_f1(2_500, shares, 0.8, games, random):.1f} |")


if __name__ == "__main__":
    main(number_asked_for(400))
