"""From standings to what all boards of a release have in common, and the way to make a board of rows and columns."""

import datetime as dt
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial

from benchmarks.models import Attack, Phase
from benchmarks.spec import DEV, TEST, BenchmarkSpec, RowKind, TaskSpec, column_key
from benchmarks.spec.averages import ends_of
from leaderboard.assembly.judged_columns import JudgedColumns, judged_columns, newest_judged
from leaderboard.assembly.peers import Peers
from leaderboard.assembly.people import PeopleRow, Place, people_rows
from leaderboard.assembly.replicates import Floats, RowReplicates, rows_of_answers
from leaderboard.assembly.row_cells import Ends, Entrant
from leaderboard.board.analysis.chance import Luck, with_chance, with_corrected
from leaderboard.board.model.board import Board, BoardRow, Column
from leaderboard.board.model.ranking import rank, unranked
from leaderboard.board.tables.people_table import BY_PEOPLE
from scoring.disclosure.standings import Standing, StandingAnswer

OVER_ALL = "over all items"

# An entrant's values of one column in every resample; None where they are not known.
DrawnFor = Callable[[Entrant], Floats | None]
# What the choice among an entrant's own answers adds to its value in one column; None where there was none.
LuckFor = Callable[[Entrant], Luck | None]


@dataclass(frozen=True)
class Frame:
    """What all boards of one release have in common."""

    phase: Phase
    spec: BenchmarkSpec
    release: int
    published_at: dt.datetime
    entrants: tuple[Entrant, ...]
    people: tuple[PeopleRow, ...]
    attacks: tuple[Attack, ...]
    judged: Mapping[Place, Sequence[JudgedColumns]] = field(default_factory=dict)

    @property
    def ranks_part(self) -> bool:
        """Whether the release is a final one in which half of the items rank, and scores over all stand beside them."""
        return any(entrant.over_all for entrant in self.entrants)

    @cached_property
    def _disclosure(self) -> str:
        return next((answer.disclosed.rule for answer in self._answers() if answer.disclosed), "")

    @cached_property
    def _part(self) -> str:
        return next((answer.part for answer in self._answers() if answer.part), "")

    def _answers(self) -> Iterator[StandingAnswer]:
        return (answer for entrant in self.entrants for answer in entrant.standing.answers.values())

    @cached_property
    def splits(self) -> tuple[str, ...]:
        """The splits that boards are about, the test set first where it is among them.

        They are the targets of the phase; without any, the development data while systems are built, else the test set.
        """
        if self.phase.targets:
            targets = dict.fromkeys(row["split"] for row in self.phase.targets)
            return tuple(sorted(targets, key=lambda split: split != TEST))
        return (DEV,) if self.phase.kind == Phase.Kind.BUILD else (TEST,)

    @property
    def split(self) -> str:
        """The split that the overall board is ranked by."""
        return self.splits[0]

    def split_of(self, task: TaskSpec) -> str:
        """The split that a task's board is about: the first that the phase takes of the task."""
        taken = {row["split"] for row in self.phase.targets if row["task"] == task.id}
        return next((split for split in self.splits if split in taken), self.split)

    def board(
        self,
        title: str,
        columns: Sequence[Column],
        rows: Iterable[BoardRow],
        *,
        task: str | None = None,
        axis: str = "",
        note: str = "",
        drawn: DrawnFor | None = None,
        luck: LuckFor | None = None,
        ends: tuple[float, float] = (0.0, 1.0),
        by_column: bool = False,
    ) -> Board:
        """A board ranked by its first column, whose values in every resample are `drawn`, and `ends` its range.

        One `by_column` ranks nobody.
        """
        rows = list(rows)
        board = Board(
            benchmark=self.spec.id,
            benchmark_title=self.spec.title,
            title=title,
            phase=self.phase.slug,
            release=self.release,
            published_at=self.published_at,
            columns=tuple(columns),
            rows=unranked(rows, columns) if by_column else rank(rows, columns[0]),
            by_column=by_column,
            task=task,
            rank_by=columns[0].key,
            synthetic=self.phase.benchmark.is_synthetic,
            note=" ".join(filter(None, (note, *self._reproductions(rows, task)))),
            axis=axis,
            disclosure=self._disclosure,
            part=self._part,
        )
        if self.ranks_part:
            board = _with_all_items_beside(board)
        replicates = {
            entrant.system_id: values
            for entrant in self.entrants
            if drawn and (values := drawn(entrant)) is not None
        }
        lucks = {
            entrant.system_id: own for entrant in self.entrants if luck and (own := luck(entrant)) is not None
        }
        return with_corrected(with_chance(board, replicates), replicates, lucks, ends)

    def _reproductions(self, rows: Sequence[BoardRow], task: str | None) -> list[str]:
        """Whether published figures of the rows come out here; a task's board calls metrics by their name alone."""
        shown = {(row.system, key) for row in rows if row.source for key in row.cells}
        shown |= {(system, column_key(task, key)) for system, key in shown} if task else set()
        return [
            reproduction.sentence
            for reproduction in self.spec.reproductions
            if any((figure.system, figure.column) in shown for figure in reproduction.figures)
        ]


def make_frame(
    *,
    phase: Phase,
    rows: Iterable[Standing],
    release: int,
    published_at: dt.datetime,
    drawn: Sequence[RowReplicates] | None,
    judged: Collection[int] | None,
    correct_shares: Mapping[str, float | None] | None,
) -> Frame:
    """The frame of a release that these standings go into. `drawn` are their replicates, where they are at hand.

    `judged` are the outcomes of campaigns about systems whose numbers it shows; the newest of each without it.
    `correct_shares` are of attacks, by their titles, the shares of correct samples that it counts by; those of today of
    any other.
    """
    spec = phase.benchmark.spec.about(phase.as_spec())
    standings = list(rows)
    replicates = rows_of_answers(spec, [row.answers for row in standings]) if drawn is None else drawn
    peers: Peers[Entrant] = Peers()
    over_all: Peers[Entrant] = Peers()
    ends = cache(partial(ends_of, spec))  # of each column once, for as long as the frame lives
    entrants = tuple(
        Entrant(row, spec, ends, own, _over_all(row, spec, ends, over_all), peers)
        for row, own in zip(standings, replicates, strict=True)
    )
    systems = [entrant for entrant in entrants if entrant.standing.system.kind == RowKind.SYSTEM]
    peers.members += systems
    over_all.members += [entrant.over_all for entrant in systems if entrant.over_all]
    people, attacks = people_rows(phase.benchmark), tuple(phase.benchmark.attacks.all())
    for attack in attacks:  # in memory alone
        attack.correct_share = (correct_shares or {}).get(attack.title, attack.correct_share)
    shown = judged_columns(newest_judged(phase.benchmark) if judged is None else judged)
    return Frame(phase, spec, release, published_at, entrants, people, attacks, shown)


def _over_all(standing: Standing, spec: BenchmarkSpec, ends: Ends, peers: Peers[Entrant]) -> Entrant | None:
    """The row with its scores over all items; None where these are what ranks it."""
    answers = {
        place: replace(answer, scores=answer.over_all, part="", over_all={})
        for place, answer in standing.answers.items()
        if answer.over_all
    }
    if not answers:
        return None
    return Entrant(Standing(standing.system, answers), spec, ends, RowReplicates(spec, {}, {}), peers=peers)


def _with_all_items_beside(board: Board) -> Board:
    """The board with its columns told apart from what stands beside them; published scores are of all items."""
    columns = tuple(
        column if column.group == BY_PEOPLE else replace(column, beside_title=OVER_ALL)
        for column in board.columns
    )
    rows = tuple(
        row._replace(cells={key: replace(cell, beside=cell.value) for key, cell in row.cells.items()})
        if row.kind is RowKind.REPORTED
        else row
        for row in board.rows
    )
    return replace(board, columns=columns, rows=rows)
