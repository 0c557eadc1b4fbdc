"""An organiser's file that was not taken."""

import logging
from collections.abc import Sequence
from typing import Self

from submissions.intake import Problem

logger = logging.getLogger(__name__)


class FileRefused(Exception):
    """Nothing was changed; `sentences` say why. `problems` are those of the file, `more` counts the rest."""

    def __init__(self, *sentences: str, problems: Sequence[Problem] = (), more: int = 0) -> None:
        super().__init__("\n".join(sentences))
        self.sentences = sentences
        self.problems = tuple(problems)
        self.more = more

    @classmethod
    def because_of(cls, problems: Sequence[Problem], more: int) -> Self:
        """For the problems of a file, each told with its place."""
        return cls(*in_sentences(problems, more), problems=problems, more=more)


def in_sentences(problems: Sequence[Problem], more: int) -> list[str]:
    """Problems as an organiser reads them: file, line, column, and what is wrong."""
    sentences = []
    for problem in problems:
        place = f"{problem.file}{f', line {problem.line}' if problem.line else ''}"
        place += f", column {problem.column}" if problem.column else ""
        sentences.append(f"{place}: {problem.message}")
    return [*sentences, f"{more} further problems were found."] if more else sentences


def unforeseen(doing: str, error: Exception) -> str:
    """What an organiser is told of a fault that nobody foresaw; its kind is logged.

    Its message and its traceback could hold labels: nobody is told of them, the log neither.
    """
    fault = type(error).__name__
    logger.error("%s met an unforeseen %s", doing, fault)
    return f"The server met an unforeseen {fault} and changed nothing. Please report this, without the file."
