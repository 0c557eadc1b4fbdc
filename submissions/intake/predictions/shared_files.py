"""What is wrong with a file that several tasks read, told once where all of them find it."""

from collections.abc import Collection

from catalogue.problems import FaultKind, FileReport, Find, Finding, Report

# A fault by its line (where it has none, by its sentence), its column and its kind.
Told = tuple[int | str, str | None, FaultKind]


class TaskReport(FileReport):
    """The report of one of the tasks that read a file. What is `told_before` by another is not told again.

    `told` gets what is told here.
    """

    def __init__(
        self, report: Report, *, file: str, task: str, told_before: Collection[Told], told: set[Told]
    ) -> None:
        super().__init__(report, file=file, task=task)
        self._told_before, self._told, self._has_silent = told_before, told, False

    @property
    def is_clean(self) -> bool:
        return super().is_clean and not self._has_silent

    def add(self, finding: Finding, *, line: int | None = None, column: str | None = None) -> None:
        if self._is_news(finding.message if line is None else line, column, (finding.code, finding.pattern)):
            super().add(finding, line=line, column=column)

    def add_lazily(
        self,
        find: Find,
        *,
        kind: FaultKind | None = None,
        line: int | None = None,
        column: str | None = None,
    ) -> None:
        if line is None or kind is None or self._is_news(line, column, kind):
            super().add_lazily(find, kind=kind, line=line, column=column)

    def _is_news(self, place: int | str, column: str | None, kind: FaultKind) -> bool:
        fault = (place, column, kind)
        if fault in self._told_before:
            self._has_silent = True
            return False
        self._told.add(fault)
        return True
