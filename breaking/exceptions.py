"""Why pairs, contests and votes were not taken, beside what `submissions.exceptions` has."""

from collections.abc import Sequence

from breaking.models import Contest
from submissions.exceptions import SubmissionError, found_in
from submissions.intake import Problem


class PairsRefused(SubmissionError):
    """The file has problems; `more` counts those that are not listed."""

    code = "file_refused"

    def __init__(self, problems: Sequence[Problem], more: int) -> None:
        super().__init__(found_in("the file of pairs", len(problems) + more))
        self.problems = tuple(problems)
        self.more = more


class ContestRefused(SubmissionError):
    """What was said cannot be taken: no such item, no reason, no such label."""

    code = "contest_refused"


class NotTakingPart(SubmissionError):
    """The team neither builds nor breaks here."""

    code = "not_taking_part"


class GoldSealed(SubmissionError):
    """The labels are not public yet, so nobody can know what to contest."""

    code = "gold_sealed"


class ContestClosed(SubmissionError):
    """The contest is decided or was taken back."""

    code = "contest_closed"


class AlreadyContested(SubmissionError):
    """Somebody else contests the item; `contest` says with which reason."""

    code = "already_contested"

    def __init__(self, contest: Contest) -> None:
        super().__init__(
            f"The label of {contest.item!r} is contested already. Your team may add its voice to that contest."
        )
        self.contest = contest
