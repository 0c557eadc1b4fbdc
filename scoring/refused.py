"""An organiser's file that was not taken."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from django.utils.translation import gettext as _

from submissions.intake import Problem


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
    told = []
    for problem in problems:
        place = [problem.file]
        place += [_("line %(line)s") % {"line": problem.line}] if problem.line else []
        place += [_("column %(column)s") % {"column": problem.column}] if problem.column else []
        told.append(f"{', '.join(place)}: {problem.message}")
    return [*told, _("%(more)s further problems were found.") % {"more": more}] if more else told
