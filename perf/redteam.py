"""The rules of disclosure as the server runs them, for any strategy, size and number of people.

    python -m perf.redteam                                            the tables of docs/test-set.md
    python -m perf.redteam --rule protected --items 5000 --seeds 20   one rule, one size, means over 20 seeds
    python -m perf.redteam --strategies FILE --people 10              strategies of a file; its identities are 10 people

A file of strategies has a list STRATEGIES and speaks the names of `perf.attacks.bench`, which it may import as `bench`.
`RULES` maps the name of each rule to what makes a fresh one, so that other benches can load this file as their adapter.
"""

import argparse
import importlib.util
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from hashlib import sha256
from math import floor, sqrt
from pathlib import Path
from typing import Any

sys.path.insert(
    0, str(Path(__file__).resolve().parent.parent)
)  # where another bench loads this file by its path

import numpy as np

from catalogue.answers import Label
from catalogue.comparison import Comparison
from catalogue.disclosure import RULES as SERVER_RULES
from catalogue.disclosure import Rule
from catalogue.disclosure.keyed_draws import draw_key, kept_back
from catalogue.disclosure.noisy_display import NoisyDisplay, ShownRow, Waiting
from catalogue.disclosure.rule import DECIMALS, DISPLAYED, NOISED, REMAINDER
from catalogue.metrics.choice import metric_for
from catalogue.metrics.metric import AnyMetric, Undefined
from perf.attacks import bench
from perf.attacks.bench import Labels, Mask, Match, Seen, Strategy, play
from perf.attacks.detecting_matrix import Floats
from perf.attacks.honest_teams import shares_that_show, tau_of_board
from perf.attacks.informed_strategies import INFORMED
from perf.attacks.strategies import STRATEGIES

METRICS = {"accuracy": "accuracy", "macro_f1": "f1_macro"}
SIZES = (150, 1_200, 5_000)
GAMES = 80  # some twenty minutes on one core for all rules and sizes


class ServedRule:
    """A rule of the server behind the interface of the bench: the same draws, noise, lots and rows.

    `people` says how many connected groups the identities belong to; None where each is a person of its own.
    """

    kept_back: Mask | None = None

    def __init__(self, rule: type[Rule], people: int | None = None) -> None:
        self.rule, self.people, self.name = rule, people, rule.key

    def begin(self, gold: Labels, labels: int, metric: str, seed: int) -> None:
        self.gold, self.kind = gold, Label(names=tuple(f"label {at}" for at in range(labels)))
        self.metric: AnyMetric = metric_for(self.kind, METRICS[metric])
        salt = sha256(f"perf.redteam {seed}".encode()).digest()
        self.noise, self.lots = draw_key(salt, "noise"), draw_key(salt, "lot")
        drawn = kept_back(draw_key(salt, "remainder"), [f"item {at}" for at in range(len(gold))])
        part = self.rule.part(len(gold), at_the_end=True)
        self.kept_back = None
        if self.rule.keeps_back:
            self.kept_back = drawn if part == REMAINDER else np.ones(len(gold), dtype=np.bool_)
        self.displayed = ~drawn
        self.display: NoisyDisplay | None = None
        if self.rule.part(len(gold), at_the_end=False) == NOISED:
            size = int(self.displayed.sum())
            self.display = self.rule.display(size, self._label_effect(size, labels))
        self.rows: dict[str, tuple[ShownRow, Labels]] = {}
        self.judged: Counter[str] = Counter()

    def _label_effect(self, size: int, labels: int) -> float | None:
        """By the statement that an organiser could make of the rarest label: its share, rounded down to a twentieth."""
        share = float(np.bincount(self.gold, minlength=labels).min()) / len(self.gold)
        return self.metric.label_effect(size, labels, floor(20 * share) / 20 or share)

    def show(self, week: int, answers: Mapping[str, Labels], *, last: bool = False) -> dict[str, Seen]:
        part = self.rule.part(len(self.gold), at_the_end=last)
        if part is None:
            return dict.fromkeys(answers, Seen())
        if self.display is not None and part == NOISED:
            return self._through_noise(self.display, week, answers)
        drawn = {DISPLAYED: self.displayed, REMAINDER: ~self.displayed}
        items = drawn.get(part, np.ones(len(self.gold), dtype=np.bool_))
        return {
            name: Seen(round(self._score(answer, items), DECIMALS), None, True)
            for name, answer in answers.items()
        }

    def _through_noise(
        self, display: NoisyDisplay, week: int, answers: Mapping[str, Labels]
    ) -> dict[str, Seen]:
        waiting = [Waiting(name, self._group(name)) for name in answers]
        moved = set()
        for name in display.lot(waiting, judged=self.judged, key=draw_key(self.lots, f"week {week}")):
            self.judged[self._group(name)] += 1
            answer = answers[name]
            level = display.noised(
                self._score(answer, self.displayed),
                key=self.noise,
                predictions=sha256(answer[self.displayed].tobytes()).digest(),
            )
            if self._moves(display, name, answer, level):
                moved.add(name)
        return {
            name: Seen(
                round(self.rows[name][0].shown, DECIMALS) if name in self.rows else None, None, name in moved
            )
            for name in answers
        }

    def _moves(self, display: NoisyDisplay, name: str, answer: Labels, level: float) -> bool:
        held = self.rows.get(name)
        differing = int(np.count_nonzero((answer != held[1])[self.displayed])) if held else 0
        after = display.row_after(held[0] if held else None, level, differing)
        if after is not None:
            self.rows[name] = after, answer
        return after is not None

    def _group(self, name: str) -> str:
        return name if self.people is None else str(sha256(name.encode()).digest()[0] % self.people)

    def _score(self, answer: Labels, items: Mask) -> float:
        code = self.kind.dtype
        value = self.metric.value(
            Comparison(self.kind, self.gold[items].astype(code), np.asarray(answer)[items].astype(code))
        )
        return 0.0 if isinstance(value, Undefined) else value

    def withdraw(self, week: int, identity: str) -> None:
        """The row leaves the board; what was judged stays charged."""
        self.rows.pop(identity, None)


RULES: dict[str, Callable[[], ServedRule]] = {rule.key: partial(ServedRule, rule) for rule in SERVER_RULES}


def main(arguments: Sequence[str]) -> None:
    """Print the tables that the command line asks for."""
    parser = argparse.ArgumentParser(description="Strategies against the rules of disclosure.")
    parser.add_argument(
        "--rule", choices=[*RULES], action="append", help="one or more; all of them by default"
    )
    parser.add_argument(
        "--items", type=int, action="append", help="of the test set; 150, 1,200 and 5,000 by default"
    )
    parser.add_argument("--answers", type=int, default=500, help="that a strategy may send")
    parser.add_argument("--seeds", type=int, default=GAMES, help="games that each figure is a mean of")
    parser.add_argument("--people", type=int, help="connected groups of people behind all identities")
    parser.add_argument("--strategies", type=Path, help="a file with a list STRATEGIES")
    chosen = parser.parse_args(arguments)
    rules = {key: partial(ServedRule, SERVER_RULES[key], chosen.people) for key in chosen.rule or RULES}
    strategies = strategies_of(chosen.strategies) if chosen.strategies else [*STRATEGIES, *INFORMED]
    for n in chosen.items or SIZES:
        print(f"\n*{n:,} items, at most {chosen.answers} answers, means of {chosen.seeds} games*\n")
        for line in attack_table(rules, strategies, n=n, answers=chosen.answers, seeds=range(chosen.seeds)):
            print(line)
    for line in honest_table(rules, chosen.items or SIZES, range(chosen.seeds)):
        print(line)


def strategies_of(path: Path) -> list[Strategy]:
    """The list STRATEGIES of a file, which may import the bench as `bench`."""
    sys.modules["bench"] = bench
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ValueError(f"{path} is no Python file.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    strategies: list[Strategy] = module.STRATEGIES
    return strategies


def attack_table(
    rules: Mapping[str, Callable[[], Any]],
    strategies: Sequence[Strategy],
    *,
    n: int,
    answers: int,
    seeds: Sequence[int],
) -> list[str]:
    """A table in Markdown: labels named rightly of those attacked; points on the displayed items, on the others.

    Beside each mean over the seeds stands its standard error.
    """
    lines = ["| strategy | " + " | ".join(rules) + " |", "|" + " --- |" * (len(rules) + 1)]
    for strategy in strategies:
        cells = [
            cell([play(make, strategy, n=n, answers=answers, seed=seed) for seed in seeds])
            for make in rules.values()
        ]
        lines.append(f"| {strategy.name} | " + " | ".join(cells) + " |")
    return lines


def cell(matches: Sequence[Match]) -> str:
    """Means of some matches, each of what varies with its standard error."""
    read, points, kept = (
        np.array([getattr(match, name) for match in matches]) for name in ("read", "points", "points_kept")
    )
    attacked = round(float(np.mean([match.attacked for match in matches])))
    parts = [f"{_with_error(100 * read, 0, '.0f')} % of {attacked}" if attacked else "names none"]
    proved = [match.certain for match in matches if match.certain_and_wrong <= match.certain / 20]
    if count := round(sum(proved) / len(matches)):
        parts[0] += f", {count} proved"
    if not np.isnan(points).all():
        parts.append(_with_error(points, 1, "+.1f"))
    if not np.isnan(kept).all():
        parts.append(f"kept {_with_error(kept, 1, '+.1f')}")
    return "; ".join(parts)


def _with_error(values: Floats, digits: int, form: str) -> str:
    """The mean of what is known of some games, with its standard error where that is no 0 when rounded."""
    values = values[~np.isnan(values)]
    mean = f"{round(float(values.mean()), digits) + 0.0:{form}}"
    error = float(values.std(ddof=1)) / sqrt(len(values)) if len(values) > 1 else 0.0
    return f"{mean} ± {error:.{digits}f}" if round(error, digits) else mean


def honest_table(
    rules: Mapping[str, Callable[[], Any]], sizes: Sequence[int], seeds: Sequence[int]
) -> list[str]:
    """What honest teams see, in Markdown."""
    lines = [
        "",
        "| honest teams | items | +1 point shows | luck shows | tau, week 8 | tau, end |",
        "|" + " --- |" * 6,
    ]
    for name, make in rules.items():
        for n in sizes:
            gain, luck = (
                float(np.mean([shares_that_show(make, n=n, seed=seed, gain=gain) for seed in seeds]))
                for gain in (0.01, 0.0)
            )
            week, end = np.mean([tau_of_board(make, n=n, seed=seed) for seed in seeds], axis=0)
            lines.append(
                f"| {name} | {n:,} | {100 * gain:.0f} % | {100 * luck:.0f} % | {week:.2f} | {end:.2f} |"
            )
    return lines


if __name__ == "__main__":
    main(sys.argv[1:])
