"""Boards about attacks and about the share of training data, as the stance benchmark shows them.

f(s, t) and f(s, a) are a system's first average over the test splits and over the splits of attack a; c_a is the
share of samples that the attack transforms correctly. Formulas: `scoring.core.measures.robustness`.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from benchmarks.models import Attack
from benchmarks.spec import BenchmarkSpec, RowKind
from benchmarks.spec.averages import MISSING_TASK
from benchmarks.spec.protocol import ATTACK_BOARDS, TRACK_BOARD, attack_boards, track_boards
from catalogue.metrics.metric import Undefined
from leaderboard.assembly.boards import TRACK_AXIS, BoardKind, BoardsToMake, published_elsewhere
from leaderboard.assembly.frame import DrawnFor, Frame
from leaderboard.assembly.replicates import Floats, alike
from leaderboard.assembly.row_cells import Entrant, with_interval
from leaderboard.board.charts.board_charts import share_charts
from leaderboard.board.charts.chart import Chart
from leaderboard.board.model.board import Board, BoardRow, Cell, Column
from scoring.core.measures import robustness
from scoring.core.uncertainty import derived

AXIS = "Robustness"
# Undefined because nobody has determined what share of an attack's samples is correct.
SHARE_UNKNOWN = "correct_share_unknown"
CORRECT_SHARE = "correct_share"
"""The column of the potency board in which the share of an attack's correct samples stands."""
# Undefined because the attacks transform no sample correctly, so that there is nothing to weigh them by.
NO_CORRECT_SAMPLES = "no_correct_samples"
# Undefined because the formulas speak of scores from 0 to 1.
NOT_A_SHARE = "not_from_0_to_1"
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

# A measure over c_a and the replicates of f(s, t) and f(s, a).
Resampled = Callable[[Sequence[float], Floats, Sequence[Floats]], Floats]


class AttackBoards(BoardKind):
    """Scores under attacks, resilience, potency, and each attack; none for a benchmark without attacks."""

    key = "attacks"

    def ids(self, spec: BenchmarkSpec) -> list[str]:
        return attack_boards(spec.attacks)

    def boards(self, frame: Frame) -> BoardsToMake:
        return Robustness(frame).attack_boards() if frame.attacks and frame.spec.averages else {}


class ShareBoard(BoardKind):
    """The shares of training data beside each other, for a benchmark with several."""

    key = TRACK_BOARD

    def ids(self, spec: BenchmarkSpec) -> list[str]:
        return track_boards(spec.tracks)[:1]

    def boards(self, frame: Frame) -> BoardsToMake:
        is_shown = len(frame.spec.tracks) > 1 and frame.spec.averages
        return {TRACK_BOARD: Robustness(frame).shares} if is_shown else {}

    def charts(self, board_id: str, board: Board, spec: BenchmarkSpec) -> tuple[Chart, ...]:
        shares = {track.id: track.share for track in spec.tracks}
        return share_charts(board, shares) if board_id == TRACK_BOARD else ()


@dataclass(frozen=True, slots=True)
class Robustness:
    """What the boards about attacks and tracks of one release have in common."""

    frame: Frame

    def attack_boards(self) -> BoardsToMake:
        """Every board about attacks."""
        boards = dict(zip(ATTACK_BOARDS, (self._attacks, self._resilience, self._potency), strict=True))
        of_each = {f"attack-{attack.slug}": partial(self._attack, attack) for attack in self.frame.attacks}
        return boards | of_each

    # Table 6: the average under every attack

    def _attacks(self) -> Board:
        columns = [
            _column("test", "Test", f"{self._average_title}, test set", self._metric),
            *(
                _column(
                    attack.slug,
                    attack.title,
                    f"{self._average_title}, attacked: {attack.title}",
                    self._metric,
                    beside=RELATIVE_DROP,
                )
                for attack in self.frame.attacks
            ),
        ]

        def cells(entrant: Entrant) -> dict[str, Cell]:
            test = self._score(entrant)
            attacked = {attack.slug: self._score(entrant, attack.slug) for attack in self.frame.attacks}
            return {"test": test} | {slug: _with_drop(cell, test) for slug, cell in attacked.items()}

        return self._board("Influence of attacks", columns, cells, self._drawn)

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
            for attack in self.frame.attacks
        ]

        def cells(entrant: Entrant) -> dict[str, Cell]:
            of_each = {
                f"relative_resilience:{attack.slug}": self._relative_resilience(entrant, [attack])
                for attack in self.frame.attacks
            }
            return of_each | {
                "relative_resilience": self._relative_resilience(entrant, self.frame.attacks),
                "resilience": self._weighted(
                    entrant,
                    self.frame.attacks,
                    lambda shares, _, scores: robustness.resilience(shares, scores),
                    lambda shares, _, scores: derived.weighted_mean(shares, scores),
                ),
            }

        keys = {column.key: column.key for column in columns}
        return self._board(
            "Resilience",
            columns,
            cells,
            lambda entrant: self._drawn_weighted(entrant, self.frame.attacks, derived.relative_resilience),
            note=RESILIENCE,
            others=published_elsewhere(self.frame.spec, keys),
        )

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
        if shares is None:
            return Cell(None, SHARE_UNKNOWN)
        if not any(shares):
            return Cell(None, NO_CORRECT_SAMPLES)
        parts = [self._score(entrant, slug, track) for slug in ("", *(attack.slug for attack in attacks))]
        values = [part.value for part in parts if part.value is not None]
        if len(values) < len(parts):
            return Cell(None, MISSING_TASK)
        if not _are_shares(values):
            return Cell(None, NOT_A_SHARE)
        cell = from_parts(measure(shares, values[0], values[1:]), parts)
        return with_interval(cell, self._drawn_weighted(entrant, attacks, resampled, track))

    def _drawn_weighted(
        self, entrant: Entrant, attacks: Sequence[Attack], resampled: Resampled, track: str | None = None
    ) -> Floats | None:
        """Of what `_weighted` gives, the values in every resample."""
        shares = _shares(attacks)
        slugs = ("", *(attack.slug for attack in attacks))
        drawn = alike([self._drawn(entrant, slug, track) for slug in slugs])
        return resampled(shares, drawn[0], drawn[1:]) if drawn and shares and any(shares) else None

    # Table 5: potency. The rows are attacks

    def _potency(self) -> Board:
        columns = [
            _column("potency", "Potency", "Potency", "potency"),
            _column("raw_potency", "Raw", "Raw potency", "raw_potency"),
            _column(CORRECT_SHARE, "c_a", "Share of samples transformed correctly", CORRECT_SHARE),
        ]
        rows = [
            BoardRow(attack.title, None, "", RowKind.ATTACK, self._potency_cells(attack))
            for attack in self.frame.attacks
        ]
        rows += published_elsewhere(self.frame.spec, {column.key: column.key for column in columns})
        return self.frame.board("Potency of attacks", columns, rows, axis=AXIS, note=POTENCY)

    def _potency_cells(self, attack: Attack) -> dict[str, Cell]:
        systems = (
            entrant for entrant in self.frame.entrants if entrant.standing.system.kind == RowKind.SYSTEM
        )
        scored = [(entrant, self._score(entrant, attack.slug)) for entrant in systems]
        counted = [
            (entrant, cell.value) for entrant, cell in scored if cell.value is not None and cell.is_complete
        ]
        scores = [value for _, value in counted]
        share = attack.correct_share
        unknown = Cell(None, SHARE_UNKNOWN)
        cells = {CORRECT_SHARE: unknown if share is None else Cell(share, None)}
        if not scores or not _are_shares(scores):
            none = Cell(None, NOT_A_SHARE if scores else "no_system")
            return cells | {"potency": none, "raw_potency": none}
        drawn = alike([self._drawn(entrant, attack.slug) for entrant, _ in counted])
        raw = derived.raw_potency(drawn) if drawn else None
        potency = unknown if share is None else Cell(robustness.potency(share, scores), None)
        return cells | {
            "potency": with_interval(potency, None if raw is None or share is None else share * raw),
            "raw_potency": with_interval(Cell(robustness.raw_potency(scores), None), raw),
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
            return {
                column.key: _with_drop(cell, entrant.cell(column.key))
                for column in columns
                if (cell := entrant.cell(column.key, attack=attack.slug))
            }

        return self._board(
            f"Attacked: {attack.title}", columns, cells, lambda entrant: self._drawn(entrant, attack.slug)
        )

    # Table 8 and Fig. 2: the share of training data

    def shares(self) -> Board:
        """Scores and relative resilience, to all attacks and to each, per share of the training data."""
        tracks = self.frame.spec.tracks
        columns = [
            _column(f"score:{track.id}", track.title, f"{self._average_title}, {track.title}", self._metric,
                    group=self._average_title)
            for track in tracks
        ]  # fmt: skip
        if self.frame.attacks:
            columns += [
                _column(f"relative_resilience:{track.id}", track.title, f"Relative resilience, {track.title}",
                        "relative_resilience", group="Relative resilience")
                for track in tracks
            ]  # fmt: skip
            columns += [
                _column(f"relative_resilience-{attack.slug}:{track.id}", track.title,
                        f"Relative resilience to {attack.title.lower()}, {track.title}", "relative_resilience",
                        group=f"Relative resilience to {attack.title.lower()}")
                for attack in self.frame.attacks
                for track in tracks
            ]  # fmt: skip

        def cells(entrant: Entrant) -> dict[str, Cell]:
            answered = [track.id for track in tracks if entrant.answers_in(track.id)]
            scores = {f"score:{track}": self._score(entrant, track=track) for track in answered}
            resiliences = {
                f"relative_resilience:{track}": self._relative_resilience(entrant, self.frame.attacks, track)
                for track in (answered if self.frame.attacks else ())
            }
            of_each = {
                f"relative_resilience-{attack.slug}:{track}": self._relative_resilience(
                    entrant, [attack], track
                )
                for attack in self.frame.attacks
                for track in answered
            }
            return scores | resiliences | of_each

        return self._board(
            "Less training data",
            columns,
            cells,
            lambda entrant: self._drawn(entrant, track=tracks[0].id),
            axis=TRACK_AXIS,
        )

    # What the boards share

    @property
    def _metric(self) -> str:
        return self.frame.spec.tasks[0].primary_metric.name

    @property
    def _average_title(self) -> str:
        return f"{self.frame.spec.tasks[0].primary_metric.title}, {self.frame.spec.averages[0].title.lower()}"

    def _score(self, entrant: Entrant, attack: str = "", track: str | None = None) -> Cell:
        cell = entrant.cell(self.frame.spec.averages[0].id, attack=attack, track=track)
        return cell if cell is not None else Cell(None, MISSING_TASK)

    def _drawn(self, entrant: Entrant, attack: str = "", track: str | None = None) -> Floats | None:
        return entrant.drawn(self.frame.spec.averages[0].id, attack=attack, track=track)

    def _board(
        self,
        title: str,
        columns: Sequence[Column],
        cells: Callable[[Entrant], dict[str, Cell]],
        drawn: DrawnFor,
        *,
        axis: str = AXIS,
        note: str = "",
        others: Iterable[BoardRow] = (),
    ) -> Board:
        """The board of the systems with a value in at least one column, and of `others`."""
        by_entrant = [(entrant, cells(entrant)) for entrant in self.frame.entrants]
        rows = [
            entrant.row(own)
            for entrant, own in by_entrant
            if any(cell.value is not None for cell in own.values())
        ]
        return self.frame.board(title, columns, [*rows, *others], axis=axis, note=note, drawn=drawn)


def _shares(attacks: Sequence[Attack]) -> list[float] | None:
    """What share of each attack's samples is correct; None where one is not known. Of one alone it does not matter."""
    known = [attack.correct_share for attack in attacks if attack.correct_share is not None]
    if len(attacks) == 1:
        return [1.0]
    return known if len(known) == len(attacks) else None


def _column(key: str, title: str, name: str, metric: str, *, group: str = "", beside: str = "") -> Column:
    return Column(key, title, name, metric, name, higher_is_better=True, group=group, beside_title=beside)


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
    return replace(
        attacked,
        beside=None if isinstance(drop, Undefined) else drop,
        seeds=parts.seeds,
        seeds_wanted=parts.seeds_wanted,
    )


def from_parts(value: float, parts: Sequence[Cell]) -> Cell:
    """A value computed from cells: it has as many seeds as the part with the fewest."""
    counted = [part.seeds for part in parts if part.seeds is not None]
    if not counted:
        return Cell(value, None)
    return Cell(value, None, seeds=min(counted), seeds_wanted=parts[0].seeds_wanted)
