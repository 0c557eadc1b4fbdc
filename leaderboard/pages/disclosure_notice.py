"""What a page says where a rule shows something else than exact scores over all items."""

from benchmarks.models import Phase
from catalogue.disclosure import RULES, OpenHalf
from catalogue.disclosure.rule import DISPLAYED, REMAINDER
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board
from scoring.gold.rankings import rankings_of_tasks

AT_THE_END = (
    "Final: {what} of the half that was kept back. Half of the items were, until the phase closed; one answer of "
    "each team, chosen before, was scored on them, once. {guarantee} In parentheses is the score of the same answer "
    "over all items; it ranks nothing, and scores that were published elsewhere can be compared with it."
)
FOR_THE_FIRST_TIME = "These items rank for the first time: exactly."
AGAIN = (
    "These items rank for the {time} time: with noise of a quarter of a standard error, because earlier finals told of "
    "them. The same predictions get the same number as long as no label is corrected. Intervals and ranges of ranks "
    "are made from these numbers; tests and other metrics are left out, as they would tell the exact one."
)
TOLD_BEFORE = (
    "All this is said of what this phase itself shows: {phases} ranked these items before, and nothing bounds what "
    "that told of their labels."
)
OF_AN_OLDER_RULE = (
    "Numbers are shown by the rule “{code}” of an earlier version of this server; they are no exact scores."
)


def disclosure_notice(board: Board) -> str:
    """What the numbers of a board are, in a few sentences; empty where they are exact scores over all items."""
    if board.is_final:
        is_exact = board.part == REMAINDER
        return AT_THE_END.format(
            what="exact scores" if is_exact else "scores", guarantee=guarantee(_rankings_before(board))
        )
    if board.part == DISPLAYED:
        return OpenHalf.texts.on_page
    if board.disclosure and board.disclosure not in RULES:
        return OF_AN_OLDER_RULE.format(code=board.disclosure)
    return RULES[board.disclosure].texts.on_page if board.disclosure else ""


def first_sentence(notice: str) -> tuple[str, str]:
    """The first sentence of a notice, which stands open, and the others, which are folded below it."""
    first, _, others = notice.partition(". ")
    return (f"{first}." if others else first), others


def guarantee(rankings_before: int) -> str:
    """What holds for the ranking of items that have ranked so often before."""
    return AGAIN.format(time=_ordinal(rankings_before + 1)) if rankings_before else FOR_THE_FIRST_TIME


def what_is_left_open(phase: Phase, item_count: int, rankings_before: int) -> str:
    """What the numbers of a rule leave open: how items that are kept back will rank, and what was told before."""
    keeps_back = phase.rule.part(item_count, at_the_end=True) == REMAINDER
    sentences = [f"When the phase closes: {guarantee(rankings_before)}"] if keeps_back else []
    if rankings_before:
        phases = "an earlier phase has" if rankings_before == 1 else f"{rankings_before} earlier phases have"
        sentences.append(TOLD_BEFORE.format(phases=phases))
    return " ".join(sentences)


def _rankings_before(board: Board) -> int:
    if board.part == REMAINDER:
        return 0
    phase = Phase.objects.select_related("benchmark").get(benchmark=board.benchmark, slug=board.phase)
    rankings = rankings_of_tasks(phase)
    return rankings[board.task] if board.task else max(rankings.values(), default=0)


def _ordinal(number: int) -> str:
    return {2: "second", 3: "third"}.get(number, fmt.ordinal(number))
