"""The fact sheet as boxes to tick: on a page of its own, and beside an upload."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any
from uuid import UUID

from django import forms

from accounts.models import User
from benchmarks.models import Benchmark
from benchmarks.spec import ADVISORS, FactListSpec
from submissions.fact_sheets.services import Answers, fact_lists, save_fact_sheet, sheets_of
from submissions.intake.tables.fact_sheet import LONGEST_ADVISOR, MOST_ADVISORS, advisor
from submissions.models import System
from submissions.querysets import SystemQuerySet
from submissions.services import PredictionUpload

SHOWN_FOR = "fact_sheet_of"


class FactSheetForm(forms.Form):
    """One group of boxes per list of a benchmark."""

    def __init__(
        self, lists: Iterable[FactListSpec], said: Answers, data: Any = None, prefix: str | None = None
    ) -> None:
        advisors = "\n".join(said.get(ADVISORS, ()))
        super().__init__(data, prefix=prefix, initial={**said, ADVISORS: advisors})
        for one in lists:
            self.fields[one.id] = forms.MultipleChoiceField(
                label=one.title,
                required=False,
                choices=[(option, option) for option in one.options],
                widget=forms.CheckboxSelectMultiple,
                error_messages={
                    "invalid_choice": "The list has no option %(value)s (any more). Please look through it again."
                },
            )

        self.fields[ADVISORS] = forms.CharField(
            label="Advisors", required=False, widget=forms.Textarea(attrs={"rows": 2})
        )

    def clean(self) -> dict[str, Any]:
        """The names of advisors, one per line."""
        lines = [line for line in self.cleaned_data.get(ADVISORS, "").splitlines() if line.strip()]
        names = [advisor(line) for line in lines]
        if None in names or len(names) > MOST_ADVISORS:
            self.add_error(
                ADVISORS,
                f"Expected at most {MOST_ADVISORS} names, one per line, of up to {LONGEST_ADVISOR} characters each.",
            )
        self.cleaned_data[ADVISORS] = list(dict.fromkeys(names))
        return self.cleaned_data

    @property
    def lists(self) -> list[forms.BoundField]:
        """The groups of boxes."""
        return [field for field in self if field.name != ADVISORS]

    def answers(self) -> Answers:
        return {name: self.cleaned_data[name] for name in self.fields}

    def was_touched(self) -> bool:
        """Whether other boxes are ticked, or other advisors named, than were shown."""
        shown = {name: set(self.initial.get(name, ())) for name in self.fields}
        shown[ADVISORS] = set(self.initial[ADVISORS].splitlines())
        return {name: set(options) for name, options in self.answers().items()} != shown


class AskedFactSheets:
    """The fact sheets that the page of an upload asks for, one form per benchmark.

    What a system has said is shown ticked if the page knows which system is meant. Boxes left as they were shown
    change nothing, so that an upload for another system than the one shown never takes over what was said of that.
    """

    def __init__(
        self, user: User, benchmarks: Iterable[Benchmark], system: str, data: Mapping[str, Any] | None
    ) -> None:
        own = System.objects.of(user)
        self.system = _only(own, system) if data is None else _named(own, str(data.get(SHOWN_FOR, "")))
        said = sheets_of(self.system) if self.system else {}
        asking = {benchmark: fact_lists(benchmark) for benchmark in benchmarks}
        self.forms = {
            benchmark: FactSheetForm(
                lists, said.get(benchmark.slug, {}), data, prefix=f"facts:{benchmark.slug}:"
            )
            for benchmark, lists in asking.items()
            if lists
        }

    def are_valid_for(self, benchmark: Benchmark) -> bool:
        """Whether what was ticked for that benchmark can be taken; always, where it asks for nothing."""
        form = self.forms.get(benchmark)
        return form is None or form.is_valid()

    def save_for(self, upload: PredictionUpload) -> None:
        """Save what was ticked, even if the file is refused, so that nobody has to tick it all again."""
        benchmark = upload.phase.benchmark
        form = self.forms.get(benchmark)
        if form is not None and form.was_touched():
            save_fact_sheet(
                system=upload.system,
                benchmark=benchmark,
                answers=form.answers(),
                user=upload.user,
                now=upload.received_at,
            )


def _named(own: SystemQuerySet, wanted: str) -> System | None:
    with suppress(ValueError):
        return own.filter(pk=UUID(wanted)).first()
    return None


def _only(own: SystemQuerySet, wanted: str) -> System | None:
    """The system that an upload will be for, as far as the page can know: the one named, or the only one."""
    systems = own[:2]
    return _named(own, wanted) or (systems[0] if len(systems) == 1 else None)
