"""A field for the targets of a phase: a row for each split of each task, ticked or not, with limits of its own."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from benchmarks.spec import Period, TaskSpec

PERIODS = {
    Period.TOTAL: "in all",
    Period.DAY: "a day",
    Period.WEEK: "a week",
    Period.CUT_OFF: "per cut-off",
}


_CELL = "px-3 py-2 text-left whitespace-nowrap"
_INPUT = "bg-white border border-base-200 px-2 py-1 rounded-default dark:bg-base-900 dark:border-base-700"


class TargetsWidget(forms.Widget):
    """A table of all splits of a benchmark's tasks. Nothing ticked means everything."""

    tasks: Sequence[TaskSpec] = ()

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        """The lines as they are stored, or as they were sent."""
        stored = {(row["task"], row["split"]): row.get("quota", {}) for row in value or ()}
        heads = [("Takes",), *((f"{words[0].upper()}{words[1:]}",) for words in PERIODS.values())]
        head = format_html_join("", f'<th scope="col" class="{_CELL}">{{}}</th>', heads)
        lines = [
            (_line(name, task, split.id, stored.get((task.id, split.id))),)
            for task in self.tasks
            for split in task.splits
        ]
        return format_html(
            '<div class="max-h-96 max-w-4xl overflow-auto border border-base-200 rounded-default dark:border-base-800" '
            'role="group" tabindex="0" aria-label="Targets"><table class="text-sm"><thead><tr>{}</tr></thead>'
            "<tbody>{}</tbody></table></div>",
            head,
            format_html_join("", "<tr>{}</tr>", lines),
        )

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> list[dict[str, Any]]:
        """The ticked lines in the keys of a definition; a number that is none stays text and is refused later."""
        rows = []
        for task in self.tasks:
            for split in task.splits:
                if _box(name, task, split.id) not in data:
                    continue
                sent = {
                    period: str(data.get(_number(name, task, split.id, period), "")).strip()
                    for period in PERIODS
                }
                quota = {
                    period.value: int(text) if text.isdecimal() else text
                    for period, text in sent.items()
                    if text
                }
                rows.append({"task": task.id, "split": split.id} | ({"quota": quota} if quota else {}))
        return rows

    def value_omitted_from_data(self, data: Mapping[str, Any], files: Any, name: str) -> bool:
        """Never: a table without a tick says everything."""
        return False


class TargetsField(forms.Field):
    """The rows of `TargetsWidget`; what they may be is asked of the loader by whoever has the form."""

    widget = TargetsWidget

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Whether other rows were sent than are stored, in whatever order."""
        return _sorted(initial) != _sorted(data)


def _sorted(rows: Any) -> list[Any]:
    return sorted(
        (row["task"], row["split"], sorted(row.get("quota", {}).items(), key=str)) for row in rows or ()
    )


def _line(name: str, task: TaskSpec, split: str, quota: Mapping[str, Any] | None) -> SafeString:
    """A split's box, and a number for each period; `quota` is None where it is not ticked."""
    about = f"{task.title}, {split}"
    numbers = [
        (
            _CELL,
            _number(name, task, split, period),
            (quota or {}).get(period.value, ""),
            f"{about}: at most, {words}",
            _INPUT,
        )
        for period, words in PERIODS.items()
    ]
    return format_html(
        '<th scope="row" class="{}"><label><input type="checkbox" name="{}"{}> {}</label></th>{}',
        _CELL,
        _box(name, task, split),
        "" if quota is None else SafeString(" checked"),
        about,
        format_html_join(
            "",
            '<td class="{}"><input type="text" inputmode="numeric" size="4" maxlength="5" name="{}" value="{}" '
            'aria-label="{}" class="{}"></td>',
            numbers,
        ),
    )


def _box(name: str, task: TaskSpec, split: str) -> str:
    return f"{name}-{task.id}/{split}"


def _number(name: str, task: TaskSpec, split: str, period: Period) -> str:
    return f"{_box(name, task, split)}-{period.value}"
