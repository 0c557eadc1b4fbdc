"""What the functions answer: plain frozen values that print as sentences."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console

from client import show
from client.errors import ClientError
from client.uploads import as_document
from submissions.intake import Cause, IntakeResult, Problem


def printed(write: Callable[[Console], None]) -> str:
    """What the command line would print."""
    text = io.StringIO()
    write(Console(file=text, width=100, color_system=None))
    return text.getvalue().rstrip("\n")


@dataclass(frozen=True)
class CheckResult:
    """What the server would say of predictions; true where it would take them.

    `tasks` are those whose answers are fine, `seeds` what was read, from 1. `labels_read` counts answers. Of the
    `problems` at most some hundred are told one by one, `more` counts the rest; `causes` sum all of them up.
    """

    ok: bool
    tasks: tuple[str, ...]
    seeds: tuple[int, ...]
    labels_read: int
    problems: tuple[Problem, ...]
    more: int
    causes: tuple[Cause, ...]
    found: IntakeResult = field(repr=False, compare=False)

    @classmethod
    def of(cls, found: IntakeResult) -> CheckResult:
        return cls(
            ok=found.ok,
            tasks=tuple(dict.fromkeys(found.tasks_fine)),
            seeds=tuple(found.seeds),
            labels_read=found.labels_read,
            problems=tuple(found.problems),
            more=found.more,
            causes=tuple(found.causes),
            found=found,
        )

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        told = as_document(self.found)
        if self.ok:
            return printed(lambda console: show.show_fine(console, self.found))
        return printed(
            lambda console: show.show_refusal(console, told["problems"], told["more"], told["causes"])
        )


class NotAccepted(ClientError):
    """The predictions have problems, all of them in `result`; nothing was sent, and nothing was used of the quota."""

    def __init__(self, result: CheckResult) -> None:
        super().__init__(str(result))
        self.result = result


@dataclass(frozen=True)
class SubmissionReceipt:
    """What the server answered to predictions that it took.

    `is_repeat` where they had been sent before: `id` is that submission then, and nothing was used of the quota.
    `replaces` are ids of waiting submissions that this one takes the place of. `receipt` is the file of the signed
    receipt; None where the server signs none. `answer` is all that the API said.
    """

    id: str
    url: str
    status: str
    is_repeat: bool
    tasks: tuple[str, ...]
    labels_read: int
    quota_used: int
    quota_limit: int
    replaces: tuple[str, ...]
    next_step: str
    receipt: Path | None
    answer: Mapping[str, Any] = field(repr=False, compare=False)

    @classmethod
    def of(cls, answer: Mapping[str, Any], receipt: Path | None) -> SubmissionReceipt:
        return cls(
            id=answer["id"],
            url=answer["url"],
            status=answer["status"],
            is_repeat=answer["is_repeat"],
            tasks=tuple(answer["tasks"]),
            labels_read=answer["labels_read"],
            quota_used=answer["quota"]["used"],
            quota_limit=answer["quota"]["limit"],
            replaces=tuple(answer.get("replaces", ())),
            next_step=answer["next_step"]["sentence"],
            receipt=receipt,
            answer=answer,
        )

    def __str__(self) -> str:
        return printed(lambda console: show.show_receipt(console, self.answer))


@dataclass(frozen=True)
class SystemResult:
    """Where the system of a published submission stands in the newest release; `answer` is all that the API said.

    `rank`, its range and `value` are None where each column is a ranking of its own. `columns` are as the API has them,
    the one with most to gain first.
    """

    release: int
    sentence: str
    is_provisional: bool
    value: float | None
    ci_low: float | None
    ci_high: float | None
    rank: int | None
    rank_low: int | None
    rank_high: int | None
    columns: Sequence[Mapping[str, Any]] = field(repr=False)
    answer: Mapping[str, Any] = field(repr=False, compare=False)

    @classmethod
    def of(cls, answer: Mapping[str, Any]) -> SystemResult:
        result = answer["result"]
        named = {name: result[name] for name in cls.__dataclass_fields__ if name != "answer"}
        return cls(**named, answer=answer)

    def __str__(self) -> str:
        return printed(lambda console: show.show_result(console, self.answer))
