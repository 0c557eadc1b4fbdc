"""Make a release once more from the stored files, and say bit for bit what differs from what was published."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.spec import RowKind
from leaderboard.assembly.judged_columns import judged_on
from leaderboard.assembly.release_boards import build_boards
from leaderboard.assembly.robustness_boards import CORRECT_SHARE
from leaderboard.board.model.board import Board
from leaderboard.board.model.board_diff import as_unsure_as, board_differences, with_people_of, worded_as
from leaderboard.board.model.serialization import nearest, ranking_of, to_dict, with_few_decimals
from leaderboard.models import Release, ReleaseCell
from leaderboard.publication.log_comparison import LogComparison
from leaderboard.reports.definition import defined_as
from scoring.disclosure.final_choice import runs_over_all
from scoring.disclosure.judged_answers import judge_again
from scoring.disclosure.standings import Standing, StandingAnswer, row_key
from scoring.disclosure.tries import with_tries
from scoring.models import Score
from scoring.reproduction.recomputation import Recomputed, recompute

_AT_ONCE = 500  # runs; a database takes only so many ids in one statement
OLDER = (
    "The release is from before definitions were frozen with releases: boards are made by the definition of today, so "
    "that tasks, columns and published rows that have come since are listed as differences."
)


def reproduce(release: Release) -> tuple[Recomputed, int]:
    """Recompute every score that fills a cell of the release, and all its boards from these scores; returns how many.

    Gold versions and scorer are those of the release. What this server cannot make again is left out with its reason;
    boards are then made with the stored score. What is published, and what the release was made from, is held against
    the log too. Nothing is written.
    """
    cells = _cells(release)
    beside = _runs_over_all(release, cells)
    result = recompute({cell.score.run_id for cell in cells} | set(beside.values()))
    if not defined_as(release.benchmark, release.reports):
        result.left_out.append(OLDER)
    boards = _boards(release, cells, result.scores, beside)
    result.differences += _judged_otherwise(release)
    _compare(release, boards, result)
    log = LogComparison()
    result.differences += [*log.differences(), *log.of_release(release.pk)]
    result.left_out += log.left_out
    if cells and not result.score_count:
        result.failed.append("Not one score was made again, so nothing is known of any.")
    result.left_out += _reworded(release, boards)
    return result, len(boards)


def _compare(release: Release, boards: Mapping[str, dict[str, Any]], result: Recomputed) -> None:
    """Add what boards have otherwise than those that were frozen."""
    if release.ranking != ranking_of(release.overall):
        result.differences.append("ranking: it is not what the overall board says.")
    for key in dict.fromkeys([*release.boards, *boards]):
        if key not in boards:
            result.differences.append(f"board {key}: it is not made again.")
        elif key not in release.boards:
            result.differences.append(f"board {key}: it is not in the release.")
        else:
            frozen = release.boards[key]
            shown = as_unsure_as(boards[key], frozen)
            if shown is not boards[key]:
                result.left_out.append(
                    f"board {key}: its intervals, or its decisions about two systems; the release is from before "
                    "there were any."
                )
            peopled = with_people_of(shown, frozen)
            if peopled is not shown:
                result.left_out.append(f"board {key}: its rows of people; others stand there since.")
            differences = board_differences(frozen, worded_as(peopled, frozen))
            result.differences += [f"board {key}: {difference}" for difference in differences]


def made_otherwise(release: Release) -> list[str]:
    """What boards made of the stored scores of a release have otherwise than those that were frozen.

    Of a release from before definitions were frozen nothing is said.
    """
    result = Recomputed()
    if defined_as(release.benchmark, release.reports):
        _compare(release, in_digits_of(release, boards_with_all_digits(release)), result)
    return result.differences


def _cells(release: Release) -> list[ReleaseCell]:
    related = ("submission__system__team", "task", "split", "score__run", "disclosed")
    return list(ReleaseCell.objects.of(release).select_related(*related).order_by("place"))


def boards_with_all_digits(release: Release) -> dict[str, Board]:
    """The boards of a release once more from its stored scores, with all digits, also where published numbers have few.

    Where a rule shows something else than scores, that stands in them as it stands in the release.
    """
    defined_as(release.benchmark, release.reports)
    cells = _cells(release)
    beside = _runs_over_all(release, cells)
    runs = {cell.score.run_id for cell in cells} | set(beside.values())
    scores: dict[int, dict[str, Score]] = {run: {} for run in runs}
    ids = sorted(runs)
    for start in range(0, len(ids), _AT_ONCE):
        for score in Score.objects.filter(run__in=ids[start : start + _AT_ONCE]):
            scores[score.run_id][score.metric] = score
    return _built(release, cells, scores, beside)


def _runs_over_all(release: Release, cells: list[ReleaseCell]) -> dict[int, int]:
    """By the run that fills a cell of a final release, that of the same predictions over all items."""
    if not (release.batch.is_final and release.batch.rule.keeps_back):
        return {}
    ranked = runs_over_all(cell.score.run for cell in cells)
    return {pk: run.pk for pk, run in ranked.items()}


def _boards(
    release: Release,
    cells: list[ReleaseCell],
    scores: Mapping[int, Mapping[str, Score]],
    beside: Mapping[int, int],
) -> dict[str, dict[str, Any]]:
    """The boards of the answers that filled the cells, their numbers rounded where those of the release are."""
    return in_digits_of(release, _built(release, cells, scores, beside))


def in_digits_of(release: Release, built: Mapping[str, Board]) -> dict[str, dict[str, Any]]:
    """The boards as they are frozen, those with few decimals as these were made when the release came out."""
    frozen = release.boards
    few = {key for key in built if frozen.get(key, {}).get("decimals")}
    made = {key: to_dict(with_few_decimals(board) if key in few else board) for key, board in built.items()}
    for key in few:
        before = to_dict(with_few_decimals(built[key], nearest))
        if _numbers(before) == _numbers(frozen[key]):
            made[key] = before
    return made


def _numbers(board: Mapping[str, Any]) -> list[Any]:
    return [row["cells"] for row in board["rows"]]


def _built(
    release: Release,
    cells: list[ReleaseCell],
    scores: Mapping[int, Mapping[str, Score]],
    beside: Mapping[int, int],
) -> dict[str, Board]:
    phase = release.phase
    phase.benchmark = release.benchmark
    grouped = defaultdict(list)
    for cell in cells:
        cell.task.benchmark = release.benchmark
        grouped[cell.submission_id, cell.split_id].append(cell)
    rows: dict[str, Standing] = {}
    for own in grouped.values():
        first, by_seed = own[0], {cell.seed: scores[cell.score.run_id] for cell in own}
        over_all = {
            cell.seed: scores[beside[cell.score.run_id]] for cell in own if cell.score.run_id in beside
        }
        answer = StandingAnswer(
            first.submission,
            first.task,
            first.split,
            by_seed,
            first.disclosed,
            first.score.run.part,
            over_all,
        )
        standing = rows.setdefault(row_key(phase, answer.submission), Standing(first.submission.system))
        standing.answers[answer.place] = answer
    for standing in rows.values():
        of_phase = [answer for answer in standing.answers.values() if answer.submission.phase_id == phase.pk]
        latest = max(of_phase or standing.answers.values(), key=lambda answer: answer.submission.received_at)
        standing.system = latest.submission.system
    return build_boards(
        phase=phase,
        rows=with_tries(release.batch, rows.values()),
        release=release.number,
        published_at=release.published_at,
        judged=judged_on(release.boards),
        correct_shares=_correct_shares(release),
    )


def _correct_shares(release: Release) -> dict[str, float | None]:
    """Of each attack, by its title, the share of correct samples that a release was made with, where it is another now.

    Where boards have few decimals, it has as few.
    """
    today = dict(release.benchmark.attacks.values_list("title", "correct_share"))
    found = {}
    for board in release.boards.values():
        for row in board["rows"]:
            if row["kind"] == RowKind.ATTACK and (cell := row["cells"].get(CORRECT_SHARE)):
                now, digits = today.get(row["system"]), board.get("decimals")
                if cell["value"] != (now if now is None or digits is None else round(now, digits)):
                    found[row["system"]] = cell["value"]
    return found


def _judged_otherwise(release: Release) -> Iterator[str]:
    """Whether the rule of the release, asked from the first answer on, shows what was shown."""
    if release.batch.rule.shows_all:
        return
    for was, now in judge_again(release.batch):
        if now is None or (was.shown, was.leads) != (now.shown, now.leads):
            shown = "nothing" if now is None else repr(now.shown)
            yield (
                f"submission {str(was.run.submission_id)[:8]}, {was.run.split.task.slug}/{was.run.split.slug}: the "
                f"rule {was.rule} showed {was.shown!r}, and shows {shown} now."
            )


def _reworded(release: Release, boards: Mapping[str, dict[str, Any]]) -> Iterator[str]:
    """Systems and boards that are called something else since; what they were called is taken from the release."""
    said = set()
    for key, board in boards.items():
        frozen = release.boards.get(key, board)
        then = {row["system_id"]: row["system"] for row in frozen["rows"]}
        for row in board["rows"]:
            was = then.get(row["system_id"], row["system"])
            if row["system_id"] and was != row["system"] and was not in said:
                said.add(was)
                yield f"{was} is called {row['system']} now; its name is taken from the release."
        texts = {**board, "rows": frozen["rows"]}
        if worded_as(texts, frozen) != texts:
            yield f"board {key}: its title, note or heads say something else now; they are taken from the release."
