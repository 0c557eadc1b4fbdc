"""Why pairs, contests and votes were not taken, beside what `submissions.exceptions` has."""

from collections.abc import Sequence
from http import HTTPStatus

from breaking.models import Contest
from submissions.exceptions import CannotChange, SubmissionError, found_in
from submissions.intake import Problem


class PairsRefused(SubmissionError):
    """The file has problems; `more` counts those that are not listed."""

    code = "file_refused"
    status = HTTPStatus.UNPROCESSABLE_ENTITY

    def __init__(self, problems: Sequence[Problem], more: int) -> None:
        super().__init__(found_in("the file of pairs", len(problems) + more))
        self.problems = tuple(problems)
        self.more = more


class SetAnswered(CannotChange):
    """Systems have answered the set that was made of the team's earlier pairs."""

    title = "Not taken: the set has been answered"


class ContestRefused(SubmissionError):
    """What was said cannot be taken: no such item, no reason, no such label."""

    code = "contest_refused"
    status = HTTPStatus.UNPROCESSABLE_ENTITY


class NotTakingPart(SubmissionError):
    """The team neither builds nor breaks here."""

    code = "not_taking_part"


class GoldSealed(SubmissionError):
    """The labels are not public yet, so nobody can know what to contest."""

    code = "gold_sealed"
    status = HTTPStatus.CONFLICT


class ContestClosed(SubmissionError):
    """The contest is decided or was taken back."""

    code = "contest_closed"
    status = HTTPStatus.CONFLICT


class AlreadyContested(SubmissionError):
    """Somebody else contests the item; `contest` says with which reason."""

    code = "already_contested"
    status = HTTPStatus.CONFLICT

    def __init__(self, contest: Contest) -> None:
        super().__init__(
            f"The label of {contest.item!r} is contested already. Your team may add its voice to that contest."
        )
        self.contest = contest
