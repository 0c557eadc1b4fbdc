"""Boards about attacks and about the share of training data, as the stance benchmark shows them.

f(s, t) and f(s, a) are a system's first average over the test splits and over the splits of attack a; c_a is the
share of samples that the attack transforms correctly. Formulas: `scoring.core.measures.robustness`.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from benchmarks.models import Attack
from benchmarks.spec import BenchmarkSpec, RowKind
from benchmarks.spec.averages import MISSING_TASK
from benchmarks.spec.protocol import ATTACK_BOARDS, TRACK_BOARD, attack_boards, track_boards
from catalogue.metrics.metric import Undefined
from leaderboard.assembly.boards import TRACK_AXIS, BoardKind, Entrant, Frame, published_elsewhere
from leaderboard.assembly.replicates import Floats
from leaderboard.assembly.row_cells import with_interval
from leaderboard.board.charts.board_charts import share_charts
from leaderboard.board.charts.chart import Chart
from leaderboard.board.model.board import Board, BoardRow, Cell, Column
from scoring.core.measures import robustness
from scoring.core.uncertainty import derived

AXIS = "Robustness"
SHARE_UNKNOWN = "correct_share_unknown"
"""Undefined because nobody has determined what share of an attack's samples is correct."""
NO_CORRECT_SAMPLES = "no_correct_samples"
"""Undefined because the attacks transform no sample correctly, so that there is nothing to weigh them by."""
NOT_A_SHARE = "not_from_0_to_1"
"""Undefined because the formulas speak of scores from 0 to 1."""
RELATIVE_DROP = "relative drop from the test set"
POTENCY = (
    "Potency is the mean, over all systems with a score under the attack, of what it takes from a perfect score, times "
    "the share c_a of samples that it transforms correctly; raw potency leaves that share out."
)
RESILIENCE = (
    "Resilience is a system's mean score under all attacks, each weighted by the share of samples that it transforms "
    "correctly. Relative resilience is 1 minus the mean drop from the test set, weighted alike and taken without its "
    "sign: a system that is equally bad everywhere is fully resilient."
)

Resampled = Callable[[Sequence[float], Floats, Sequence[Floats]], Floats]
"""A measure over c_a and the replicates of f(s, t) and f(s, a)."""


class AttackBoards(BoardKind):
    """Scores under attacks, resilience, potency, and each attack; none for a benchmark without attacks."""

    key = "attacks"

    def ids(self, spec: BenchmarkSpec) -> list[str]:
        return attack_boards(spec.attacks)

    def boards(self, frame: Frame) -> dict[str, Board]:
        return Robustness(frame).attack_boards() if frame.attacks and frame.spec.averages else {}


class ShareBoard(BoardKind):
    """The shares of training data beside each other, for a benchmark with several."""

    key = TRACK_BOARD

    def ids(self, spec: BenchmarkSpec) -> list[str]:
        return track_boards(spec.tracks)[:1]

    def boards(self, frame: Frame) -> dict[str, Board]:
        is_shown = len(frame.spec.tracks) > 1 and frame.spec.averages
        return {TRACK_BOARD: Robustness(frame).shares()} if is_shown else {}

    def charts(self, board_id: str, board: Board, spec: BenchmarkSpec) -> tuple[Chart, ...]:
        shares = {track.id: track.share for track in spec.tracks}
        return share_charts(board, shares) if board_id == TRACK_BOARD else ()


@dataclass(frozen=True, slots=True)
class Robustness:
    """What the boards about attacks and tracks of one release have in common."""

    frame: Frame

    @property
    def attacks(self) -> tuple[Attack, ...]:
        """Those of the benchmark, with what is known of their correctness."""
        return self.frame.attacks

    def attack_boards(self) -> dict[str, Board]:
        """Every board about attacks by its id."""
        made = dict(zip(ATTACK_BOARDS, (self._attacks(), self._resilience(), self._potency()), strict=True))
        return made | {f"attack-{attack.slug}": self._attack(attack) for attack in self.attacks}

    # Table 6: the average under every attack

    def _attacks(self) -> Board:
        columns = [_column("test", "Test", f"{self._average_title}, test set", self._metric)]
        columns += [
            _column(
                attack.slug,
                attack.title,
                f"{self._average_title}, attacked: {attack.title}",
                self._metric,
                beside=RELATIVE_DROP,
            )
            for attack in self.attacks
        ]
        drawn = by_system(self.frame, self._drawn)
        rows = self._rows(self._attack_cells)
        return self.frame.board("Influence of attacks", columns, rows, axis=AXIS, replicates=drawn)

    def _attack_cells(self, entrant: Entrant) -> dict[str, Cell]:
        test = self._score(entrant)
        attacked = {attack.slug: self._score(entrant, attack.slug) for attack in self.attacks}
        return {"test": test} | {slug: _with_drop(cell, test) for slug, cell in attacked.items()}

    # Table 7: resilience

    def _resilience(self) -> Board:
        columns = [
            _column("relative_resilience", "Res. rel.", "Relative resilience", "relative_resilience"),
            _column("resilience", "Resilience", "Resilience", "resilience"),
        ]
        columns += [
            _column(
                f"relative_resilience:{attack.slug}",
                attack.title,
                f"Relative resilience to {attack.title.lower()}",
                "relative_resilience",
                group="Relative resilience to",
            )
            for attack in self.attacks
        ]
        keys = {column.key: column.key for column in columns}
        rows = [*self._rows(self._resilience_cells), *published_elsewhere(self.frame.spec, keys)]
        drawn = by_system(
            self.frame, lambda one: self._drawn_weighted(one, self.attacks, derived.relative_resilience)
        )
        return self.frame.board("Resilience", columns, rows, axis=AXIS, note=RESILIENCE, replicates=drawn)

    def _resilience_cells(self, entrant: Entrant) -> dict[str, Cell]:
        cells = {
            "relative_resilience": self._relative_resilience(entrant, self.attacks),
            "resilience": self._weighted(
                entrant,
                self.attacks,
                lambda shares, _, scores: robustness.resilience(shares, scores),
                lambda shares, _, scores: derived.weighted_mean(shares, scores),
            ),
        }
        for attack in self.attacks:
            cells[f"relative_resilience:{attack.slug}"] = self._relative_resilience(entrant, [attack])
        return cells

    def _relative_resilience(
        self, entrant: Entrant, attacks: Sequence[Attack], track: str | None = None
    ) -> Cell:
        return self._weighted(
            entrant, attacks, robustness.relative_resilience, derived.relative_resilience, track
        )

    def _weighted(
        self,
        entrant: Entrant,
        attacks: Sequence[Attack],
        measure: Callable[[Sequence[float], float, Sequence[float]], float],
        resampled: Resampled,
        track: str | None = None,
    ) -> Cell:
        """A measure over c_a, f(s, t) and f(s, a) of these attacks; of one attack alone its share cancels out.

        `resampled` is the same measure over replicates. Attacked copies of an item are drawn with the item.
        """
        shares = _shares(attacks)
        parts = [self._score(entrant, track=track)]
        parts += [self._score(entrant, attack.slug, track) for attack in attacks]
        test, *scores = (part.value for part in parts)
        known = [share for share in shares if share is not None]
        if len(known) < len(shares):
            return Cell(None, SHARE_UNKNOWN)
        if not any(known):
            return Cell(None, NO_CORRECT_SAMPLES)
        present = [score for score in scores if score is not None]
        if test is None or len(present) < len(scores):
            return Cell(None, MISSING_TASK)
        if not _are_shares([test, *present]):
            return Cell(None, NOT_A_SHARE)
        cell = from_parts(measure(known, test, present), parts)
        return with_interval(cell, self._drawn_weighted(entrant, attacks, resampled, track))

    def _drawn_weighted(
        self, entrant: Entrant, attacks: Sequence[Attack], resampled: Resampled, track: str | None = None
    ) -> Floats | None:
        """Of what `_weighted` gives, the values in every resample."""
        shares = _shares(attacks)
        known = [share for share in shares if share is not None]
        drawn = [self._drawn(entrant, track=track)]
        drawn += [self._drawn(entrant, attack.slug, track) for attack in attacks]
        there = alike(drawn)
        is_defined = bool(there) and len(known) == len(shares) and any(known)
        return resampled(known, there[0], there[1:]) if is_defined else None

    # Table 5: potency. The rows are attacks

    def _potency(self) -> Board:
        columns = [
            _column("potency", "Potency", "Potency", "potency"),
            _column("raw_potency", "Raw", "Raw potency", "raw_potency"),
            _column("correct_share", "c_a", "Share of samples transformed correctly", "correct_share"),
        ]
        rows = [
            BoardRow(attack.title, None, "", RowKind.ATTACK, self._potency_cells(attack))
            for attack in self.attacks
        ]
        return self.frame.board("Potency of attacks", columns, rows, axis=AXIS, note=POTENCY)

    def _potency_cells(self, attack: Attack) -> dict[str, Cell]:
        systems = (one for one in self.frame.entrants if one.standing.system.kind == RowKind.SYSTEM)
        scored = [(one, self._score(one, attack.slug)) for one in systems]
        counted = [(one, cell.value) for one, cell in scored if cell.value is not None and cell.is_complete]
        scores = [value for _, value in counted]
        share = attack.correct_share
        unknown = Cell(None, SHARE_UNKNOWN)
        if not scores or not _are_shares(scores):
            none = Cell(None, NOT_A_SHARE if scores else "no_system")
            return {"potency": none, "raw_potency": none, "correct_share": _cell_of(share)}
        drawn = alike([self._drawn(one, attack.slug) for one, _ in counted])
        raw = derived.raw_potency(drawn) if drawn else None
        potency = unknown if share is None else Cell(robustness.potency(share, scores), None)
        return {
            "potency": with_interval(potency, None if raw is None or share is None else share * raw),
            "raw_potency": with_interval(Cell(robustness.raw_potency(scores), None), raw),
            "correct_share": _cell_of(share),
        }

    # Table 11: one attack on every data set

    def _attack(self, attack: Attack) -> Board:
        spec = self.frame.spec
        average = spec.averages[0]
        tasks = [task for task in spec.tasks if task.attack_split(attack.slug)]
        columns = [
            _column(average.id, average.title, average.title, self._metric, beside=RELATIVE_DROP),
            *(
                _column(task.id, task.code, task.title, task.primary_metric.name, beside=RELATIVE_DROP)
                for task in tasks
            ),
        ]

        def cells(entrant: Entrant) -> dict[str, Cell]:
            found = {}
            for column in columns:
                cell = entrant.values.cell(column.key, attack=attack.slug)
                if cell is not None:
                    found[column.key] = _with_drop(cell, entrant.values.cell(column.key))
            return found

        drawn = by_system(self.frame, lambda one: self._drawn(one, attack.slug))
        title = f"Attacked: {attack.title}"
        return self.frame.board(title, columns, self._rows(cells), axis=AXIS, replicates=drawn)

    # Table 8 and Fig. 2: the share of training data

    def shares(self) -> Board:
        """Scores and relative resilience per share of the training data."""
        tracks = self.frame.spec.tracks
        columns = [
            _column(f"score:{track.id}", track.title, f"{self._average_title}, {track.title}", self._metric,
                    group=self._average_title)
            for track in tracks
        ]  # fmt: skip
        if self.attacks:
            columns += [
                _column(f"relative_resilience:{track.id}", track.title, f"Relative resilience, {track.title}",
                        "relative_resilience", group="Relative resilience")
                for track in tracks
            ]  # fmt: skip

        def cells(entrant: Entrant) -> dict[str, Cell]:
            answered = [track for track in tracks if entrant.values.answers_in(track.id)]
            found = {f"score:{track.id}": self._score(entrant, track=track.id) for track in answered}
            for track in answered if self.attacks else ():
                key = f"relative_resilience:{track.id}"
                found[key] = self._relative_resilience(entrant, self.attacks, track.id)
            return found

        drawn = by_system(self.frame, lambda one: self._drawn(one, track=tracks[0].id))
        rows = self._rows(cells)
        return self.frame.board("Less training data", columns, rows, axis=TRACK_AXIS, replicates=drawn)

    # What the boards share

    @property
    def _metric(self) -> str:
        return self.frame.spec.tasks[0].primary_metric.name

    @property
    def _average_title(self) -> str:
        return f"{self.frame.spec.tasks[0].primary_metric.title}, {self.frame.spec.averages[0].title.lower()}"

    def _score(self, entrant: Entrant, attack: str = "", track: str | None = None) -> Cell:
        cell = entrant.values.cell(self.frame.spec.averages[0].id, attack=attack, track=track)
        return cell if cell is not None else Cell(None, MISSING_TASK)

    def _drawn(self, entrant: Entrant, attack: str = "", track: str | None = None) -> Floats | None:
        """Of what `_score` gives, the values in every resample."""
        return entrant.values.drawn(self.frame.spec.averages[0].id, attack=attack, track=track)

    def _rows(self, cells: Callable[[Entrant], dict[str, Cell]]) -> Iterator[BoardRow]:
        """The systems with a value in at least one column."""
        for entrant in self.frame.entrants:
            found = cells(entrant)
            if any(cell.value is not None for cell in found.values()):
                yield entrant.row(found)


def _shares(attacks: Sequence[Attack]) -> list[float | None]:
    """What share of each attack's samples is correct, where known; of one attack alone it does not matter."""
    return [attack.correct_share for attack in attacks] if len(attacks) > 1 else [1.0]


def by_system(frame: Frame, drawn: Callable[[Entrant], Floats | None]) -> dict[str, Floats]:
    """What is drawn for each entrant, by the ids of their systems, as `Frame.board` takes it."""
    found = {str(one.standing.system.pk): drawn(one) for one in frame.entrants}
    return {system: values for system, values in found.items() if values is not None}


def _column(key: str, title: str, name: str, metric: str, *, group: str = "", beside: str = "") -> Column:
    return Column(key, title, name, metric, name, higher_is_better=True, group=group, beside_title=beside)


def _cell_of(value: float | None) -> Cell:
    return Cell(value, SHARE_UNKNOWN if value is None else None)


def _are_shares(scores: Sequence[float]) -> bool:
    return all(0 <= score <= 1 for score in scores)


def _with_drop(attacked: Cell, test: Cell | None) -> Cell:
    """The score under an attack, with the relative drop from the test split beside it where both are there."""
    if attacked.value is None or test is None or test.value is None:
        return attacked
    if not _are_shares([attacked.value, test.value]):
        return attacked
    drop = robustness.relative_drop(test.value, attacked.value)
    parts = from_parts(attacked.value, [attacked, test])
    return Cell(
        attacked.value,
        None,
        attacked.ci_low,
        attacked.ci_high,
        submission=attacked.submission,
        beside=None if isinstance(drop, Undefined) else drop,
        deviation=attacked.deviation,
        seeds=parts.seeds,
        seeds_wanted=parts.seeds_wanted,
    )


def from_parts(value: float, parts: Sequence[Cell]) -> Cell:
    """A value computed from cells: it has as many seeds as the part with the fewest."""
    counted = [part.seeds for part in parts if part.seeds is not None]
    if not counted:
        return Cell(value, None)
    return Cell(value, None, seeds=min(counted), seeds_wanted=parts[0].seeds_wanted)


def alike(drawn: Sequence[Floats | None]) -> list[Floats]:
    """All of these replicates; none at all where some are missing, or they differ in number."""
    there = [one for one in drawn if one is not None]
    return there if len(there) == len(drawn) and len({len(one) for one in there}) == 1 else []
