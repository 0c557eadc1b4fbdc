"""Two to four systems of a newest release side by side, chosen in the address, and how far they are apart."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from html import escape
from itertools import zip_longest
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from benchmarks.models import Benchmark
from benchmarks.spec import TEST, BenchmarkSpec, RowKind
from leaderboard.assembly.peers import Peers
from leaderboard.assembly.replicates import RowReplicates, alike
from leaderboard.board.analysis.paired_differences import (
    BOOTSTRAP,
    EXCHANGE,
    MCNEMAR,
    Differences,
    JudgedDifference,
)
from leaderboard.board.analysis.system_comparison import (
    FEWEST,
    MOST,
    SystemComparison,
    comparable,
    compare,
    key_of,
)
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, BoardRow
from leaderboard.board.model.decisions import are_apart
from leaderboard.board.tables.board_query import MAX_SEARCH, BoardQuery, searched_text
from leaderboard.board.tables.board_table import TableView, table
from leaderboard.board.tables.ranking_picture import PictureView, picture
from leaderboard.models import Page, Release, ReleaseCell
from leaderboard.pages.disclosure_notice import disclosure_notice
from leaderboard.rendering.public_names import naming
from leaderboard.rendering.rendered_page import BenchmarkPage, html
from leaderboard.serving.published_boards import newest_boards, newest_boards_beside
from scoring.core.uncertainty.paired import paired_bootstrap
from scoring.disclosure.standings import Place
from scoring.uncertainty.paired_tests import Tests, paired_tests
from scoring.uncertainty.stored_replicates import replicates_of
from submissions.models import System

PLACES = ("First", "Second", "Third", "Fourth")
LONGEST_ECHO = 60
LISTED = 50  # systems in a list to choose from; who looks for another one searches


@dataclass(frozen=True, kw_only=True)
class ComparePage(BenchmarkPage):
    """Two to four systems of the newest release side by side: the form to choose them, and what was chosen.

    `places` are the lists to choose in, each with its options as HTML: the first of the `found` systems, those of
    `system_count` that were searched for. `near` is the board of the systems that were chosen alone, with its `table`
    and its `picture`.
    """

    template = "public/compare.html"
    board: Board | None
    places: Sequence[tuple[str, str]]
    can_choose: bool
    search: str
    system_count: int
    found: int
    listed: int
    disclosure: str
    faults: Sequence[str]
    lacks_one: bool
    comparison: SystemComparison | None
    near: Board | None
    table: TableView | None
    picture: PictureView | None


@require_safe
def comparison(request: HttpRequest, benchmark: str) -> HttpResponse:
    """`?system=<id>&system=<id>`: the form to choose them, and what was chosen in a table; the first two at first.

    With `?q=<words>` the lists hold the systems with these words in their names.
    """
    chosen = get_object_or_404(Benchmark, pk=benchmark)
    if not Page.objects.filter(pk=f"/benchmarks/{benchmark}/").exists():
        raise Http404("Nothing has been published of this benchmark.")
    board = newest_boards([benchmark]).get(benchmark)
    rows = comparable(board) if board else {}
    wanted = list(dict.fromkeys(key for key in request.GET.getlist("system") if key))
    if board and "system" not in request.GET:
        wanted = [key_of(row) for row in board.ranked[:FEWEST]]
    known = [key for key in wanted if key in rows]
    search = request.GET.get("q", "").strip()[:MAX_SEARCH]
    found = [key for key, row in rows.items() if search.casefold() in searched_text(row)]
    faults = _faults(wanted, rows)
    compared = _compare(chosen, board, known) if board and not faults else None
    near = _alone(board, [rows[key] for key in known]) if board and compared else None
    page = ComparePage(
        benchmark=chosen.spec,
        board=board,
        places=list(zip(PLACES, _lists(rows, found[:LISTED], known[:MOST]), strict=True)),
        can_choose=len(rows) >= FEWEST,
        search=search,
        system_count=len(rows),
        found=len(found),
        listed=LISTED,
        disclosure=disclosure_notice(board) if board else "",
        faults=faults,
        lacks_one=len(known) == 1 and not faults,
        comparison=compared,
        near=near,
        table=table(near) if near else None,
        picture=picture(near, BoardQuery(), is_alone=True) if near else None,
    )
    answer = html(request.path, page)
    return HttpResponse(answer.body, content_type=answer.content_type, status=400 if faults else 200)


def _alone(board: Board, chosen: Sequence[BoardRow]) -> Board | None:
    """The board of these systems alone, in its own order; None where it ranks none of them."""
    rows = tuple(row for row in board.ranked if row in chosen)
    return replace(board, rows=rows, chance=None) if len(rows) >= FEWEST else None


def _compare(benchmark: Benchmark, board: Board, keys: Sequence[str]) -> SystemComparison | None:
    if len(keys) < FEWEST:
        return None
    spec = benchmark.spec
    # While pages are put in place a task's may be of the release before; numbers of two releases never mix.
    others = [other for other in newest_boards_beside(spec) if other.release == board.release]
    urls = {task.id: f"/benchmarks/{spec.id}/tasks/{task.id}/" for task in spec.tasks}
    tasks = [other for other in others if other.task is not None]
    judged = _differences(benchmark, board, others, keys)
    return compare(board, tasks, keys, urls=urls, differences=judged)


def _faults(wanted: Sequence[str], rows: dict[str, BoardRow]) -> list[str]:
    """What is wrong with the choice, in words; too few are no fault, for one is chosen after the other."""
    unknown = [
        f"No system of the newest release has the id “{key[:LONGEST_ECHO]}”. Choose from the lists instead."
        for key in wanted
        if key not in rows
    ]
    too_many = (
        f"{len(wanted)} systems were asked for, and at most {MOST} fit beside each other. Leave "
        f"{len(wanted) - MOST} out."
    )
    return [*unknown[:MOST], *([too_many] if len(wanted) > MOST else [])]


def _lists(rows: Mapping[str, BoardRow], found: Sequence[str], chosen: Sequence[str]) -> Iterator[str]:
    """The options of each list, as HTML: what was found, and after it whatever else is chosen."""
    options = {
        key: f'<option value="{escape(key)}">{escape(_option(rows[key]))}</option>'
        for key in dict.fromkeys([*found, *chosen])
    }
    for own, _ in zip_longest(chosen, PLACES, fillvalue=""):
        picked = {own: options[own].replace('">', '" selected>', 1)} if own else {}
        yield "".join((options | picked).values())


def _option(row: BoardRow) -> str:
    """One line of a list to choose from: "1. Larch (North)"."""
    rank = "" if row.rank is None else f"{row.rank}. "
    about = ", ".join(part for part in (row.team, fmt.tag(row.kind, row.system)) if part)
    return f"{rank}{row.system}" + (f" ({about})" if about else "")


def _differences(
    benchmark: Benchmark, overall: Board, others: Iterable[Board], keys: Sequence[str]
) -> Differences:
    """Every later system's differences to the first, in each column whose replicates are known.

    From the replicates stored with their scores, and from the boards what has been decided about them. `overall` is the
    newest release's board; of the same release are the `others`, looked at by the column that ranks them.
    """
    releases = Release.objects.of(benchmark.pk).select_related("phase")
    release = releases.filter(number=overall.release).first()
    systems = _systems(benchmark, keys)
    if release is None or len(systems) < len(keys):
        return {}
    spec = benchmark.spec
    runs = _runs_of(release, [*(systems[key] for key in keys), *_peers_of(release, spec)], spec)
    all_runs = {run for of_row in runs for seeds in of_row.values() for run in seeds.values()}
    known, tests = replicates_of(all_runs), paired_tests(all_runs)
    peers: Peers[RowReplicates] = Peers()
    rows = [RowReplicates(spec, of_row, known, peers=peers) for of_row in runs]
    peers.members += rows[len(keys) :]
    # Who is compared is one of the peers, and ranked among the others.
    first, *rest = [
        next((peer for peer in peers.members if peer.runs == row.runs), row) for row in rows[: len(keys)]
    ]
    boards = [overall, *others]
    return {
        key: _judged(spec, boards, (keys[0], key), (first, other), tests)
        for key, other in zip(keys[1:], rest, strict=True)
    }


def _systems(benchmark: Benchmark, keys: Sequence[str]) -> dict[str, UUID]:
    """The systems behind the keys of addresses: their ids, or the numbers that they bear while they are anonymous."""
    hidden = {
        name.name.rpartition(" ")[2]: pk
        for pk, name in (naming(benchmark).names or {}).items()
        if name.is_pseudonym
    }
    systems = {key: hidden[key] for key in keys if key in hidden}
    for key in keys:
        with suppress(ValueError):  # no id of a system
            systems.setdefault(key, UUID(key))
    return systems


def _runs_of(
    release: Release, systems: Sequence[UUID], spec: BenchmarkSpec
) -> list[Mapping[Place, Mapping[int, int]]]:
    """Which scoring runs fill the cells of each system's row; where teams have one, those of the team's systems."""
    teams = dict(System.objects.filter(pk__in=systems, kind=RowKind.SYSTEM).values_list("pk", "team_id"))
    by_team = release.phase.one_per_team
    cells = ReleaseCell.objects.of(release).filter(disclosed__isnull=True).order_by("place")
    by_row: dict[object, dict[Place, dict[int, int]]] = defaultdict(lambda: defaultdict(dict))
    own_cells = cells.filter(system__team__in=teams.values()) if by_team else cells.filter(system__in=systems)
    for cell in own_cells.values_list(
        "system_id",
        "system__team_id",
        "system__kind",
        "track",
        "task__slug",
        "split__slug",
        "seed",
        "score__run_id",
    ):
        system, team, kind, track, task, split, seed, run = cell
        row = ("team", team) if by_team and kind == RowKind.SYSTEM else system
        by_row[row][track or spec.main_track, task, split][seed] = run
    return [by_row[("team", teams[system]) if by_team and system in teams else system] for system in systems]


def _peers_of(release: Release, spec: BenchmarkSpec) -> list[UUID]:
    """A system of each row that mean ranks are taken among; none where no average is one of ranks."""
    if not any(average.of_ranks for average in spec.averages):
        return []
    cells = ReleaseCell.objects.of(release).filter(system__kind=RowKind.SYSTEM).order_by("place")
    row = "system__team_id" if release.phase.one_per_team else "system_id"
    return list(dict(cells.values_list(row, "system_id")).values())


def _judged(
    spec: BenchmarkSpec,
    boards: Sequence[Board],
    keys: tuple[str, str],
    rows: tuple[RowReplicates, RowReplicates],
    tests: Tests,
) -> dict[str, JudgedDifference]:
    """The second less the first in every column that is a task's or an average's main score."""
    tasks = {task.id for task in spec.tasks}
    shown = tasks | {average.id for average in spec.averages}
    judged: dict[str, JudgedDifference] = {}
    ranked_by = {board.rank_by: board for board in reversed(boards) if not board.by_column}
    for board in boards:
        comparable_rows = comparable(board)
        columns = board.columns if board is boards[0] else [board.column(board.rank_by)]
        for column in columns if comparable_rows.keys() >= set(keys) else ():
            key = column.key
            first, second = (comparable_rows[system].value(key) for system in keys)
            drawn = alike([row.column(key) for row in rows]) if key in shown - judged.keys() else []
            if first is None or second is None or not drawn:
                continue
            difference = paired_bootstrap(second, first, (drawn[1], drawn[0]))
            if difference is not None:
                tried = {BOOTSTRAP: difference.p, **_stored(key, rows, tests)}
                is_sure = _decided(ranked_by.get(key), keys)
                judged[key] = JudgedDifference(
                    difference, tried, key in tasks, column.higher_is_better, is_sure
                )
    return judged


def _decided(board: Board | None, keys: tuple[str, str]) -> bool | None:
    """What the board decided about these two; None where there is none, or it ranks but one of them."""
    ranked = board.ranked if board else []
    places = {key_of(row): at for at, row in enumerate(ranked)}
    if not places.keys() >= set(keys):
        return None
    return are_apart(ranked, places[keys[0]], places[keys[1]])


def _stored(task: str, rows: tuple[RowReplicates, RowReplicates], tests: Tests) -> dict[str, float]:
    """The p of the tests that a process with the gold labels has made of these two; none of averages."""
    place = (rows[0].spec.main_track, task, TEST)
    runs = sorted(run for row in rows for run in row.runs.get(place, {}).values())
    test = tests.get((runs[0], runs[1])) if len(runs) == 2 else None
    known = {EXCHANGE: test.exchange_p, MCNEMAR: test.mcnemar_p} if test else {}
    return {name: p for name, p in known.items() if p is not None}
