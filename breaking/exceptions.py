"""Why a file of pairs was not taken, beside what `submissions.exceptions` has."""

from collections.abc import Sequence

from submissions.exceptions import SubmissionError, found_in
from submissions.intake import Problem


class PairsRefused(SubmissionError):
    """The file has problems; `more` counts those that are not listed."""

    code = "file_refused"

    def __init__(self, problems: Sequence[Problem], more: int) -> None:
        super().__init__(found_in("the file of pairs", len(problems) + more))
        self.problems = tuple(problems)
        self.more = more
