"""What honest use of a board tells of hidden labels: the ledger's bound, the model's figure, and what a reader wins.

Run it from the project's folder: `python -m perf.honest [games per line]`. In each game honest systems answer two
labels, right on most items and alike on many, without regard to the board. A reader knows every prediction and names
each label by the votes of the systems; with the scores at hand, by votes that are weighed by them.
"""

import numpy as np

from catalogue.answers import Label
from catalogue.disclosure.noisy_display import NoisyDisplay
from perf.timing import number_asked_for
from scoring.core.figure_bits import PublishedFigure
from scoring.core.honest_leak import honest_bits
from scoring.core.ledger import Ledger
from scoring.core.noised_ledger import NoisedLedger

SIZES = (150, 1_200, 5_000)
SYSTEMS = (10, 70)
GAMES = 20
OUTPUT = Label(names=("no", "yes"))


def game(items: int, systems: int, *, is_noised: bool, seed: int) -> tuple[float, float, float, float]:
    """Bound and model in bits, then the shares of labels that a reader names rightly without and with the scores."""
    random = np.random.default_rng(seed)
    gold = random.integers(0, 2, items).astype(np.uint8)
    ease = random.normal(1.5, 1.5, items)
    skill = random.normal(0, 0.5, (systems, 1))
    right = random.random((systems, items)) < 1 / (1 + np.exp(-(ease + skill)))
    answers = np.where(right, gold, 1 - gold).astype(np.uint8)
    shown = items // 2 if is_noised else items
    scores = right[:, :shown].mean(axis=1)
    if is_noised:
        display = NoisyDisplay(shown, 1 / shown)
        scores = scores + random.normal(0, display.deviation, systems)
        noised = NoisedLedger(2, shown, display.sigma)
        for answer in answers:
            noised.add(answer)
        bound, sigma = noised.spent, display.sigma
    else:
        ledger = Ledger(OUTPUT, items, [PublishedFigure("accuracy")])
        for answer in answers:
            ledger.add(answer)
        ledger.compare()
        bound, sigma = ledger.spent, None
    model = honest_bits(list(answers), 2, scored_count=shown, sigma=sigma)
    signs = 2.0 * answers - 1
    held = np.clip(scores, 0.02, 0.98)
    named = [weights @ signs > 0 for weights in (np.ones(systems), np.log(held / (1 - held)))]
    without, with_scores = (float((names == gold).mean()) for names in named)
    return bound, min(model, bound), without, with_scores


def main(games: int) -> None:
    print("| items | systems | shown | bound | expected of honest use | named by votes | with the scores |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for items in SIZES:
        for systems in SYSTEMS:
            for is_noised in (False, True) if items >= 2_000 else (False,):
                played = [game(items, systems, is_noised=is_noised, seed=seed) for seed in range(games)]
                bound, model, without, with_scores = np.mean(played, axis=0)
                shown = "protected" if is_noised else "exact"
                print(
                    f"| {items:,} | {systems} | {shown} | {bound:,.0f} bits | {model:,.0f} bits | "
                    f"{100 * without:.1f} % | {100 * with_scores:.1f} % |"
                )


if __name__ == "__main__":
    main(number_asked_for(GAMES))
