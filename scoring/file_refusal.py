"""An organiser's file that was not taken."""

import logging
from collections.abc import Sequence
from typing import Self

from submissions.intake import Problem

logger = logging.getLogger(__name__)

_MOST_LINES = 4


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


def grouped(problems: Sequence[Problem], more: int) -> dict[tuple[str, str], str]:
    """The same, each sentence once, with the first lines that it is about: by column and code of the problem."""
    alike: dict[tuple[str, str, str], list[Problem]] = {}
    for problem in problems:
        alike.setdefault((problem.column or "", str(problem.code), problem.message), []).append(problem)
    sentences: dict[tuple[str, str], str] = {}
    for (column, code, message), found in alike.items():
        at = [str(problem.line) for problem in found if problem.line]
        lines = f"line {at[0]}" if len(at) == 1 else f"lines {', '.join(at[:_MOST_LINES])}" if at else ""
        lines += f" and {len(at) - _MOST_LINES} more" if len(at) > _MOST_LINES else ""
        place = ", ".join(filter(None, [found[0].file, lines, f"column {column}" if column else ""]))
        sentences.setdefault((column, code), f"{place}: {message}")
    if more and sentences:
        last = list(sentences)[-1]
        sentences[last] += f" {more} further problems were found."
    return sentences


def unforeseen(doing: str, error: Exception) -> str:
    """What an organiser is told of a fault that nobody foresaw; its kind is logged.

    Its message and its traceback could hold labels: nobody is told of them, the log neither.
    """
    fault = type(error).__name__
    logger.error("%s met an unforeseen %s", doing, fault)
    return f"The server met an unforeseen {fault} and changed nothing. Please report this, without the file."
