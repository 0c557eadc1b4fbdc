"""Forms of participants: they check shape only; submissions/services.py and submissions/intake judge."""

import datetime as dt
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import fields
from typing import Any, cast

from django import forms
from django.conf import settings
from django.core.exceptions import NON_FIELD_ERRORS
from django.core.validators import URLValidator

from accounts.formats.names import one_line
from accounts.models import Team, User
from benchmarks.models import Benchmark, Phase
from benchmarks.spec import HANDED_IN, BenchmarkSpec, PhaseKind
from catalogue.declared_facts import (
    MOST_COST,
    MOST_EXAMPLES,
    TRAINING_DATA,
    WEIGHTS,
    DeclaredFacts,
    read_size,
)
from submissions.exceptions import UnknownTrack
from submissions.models import Submission, System
from submissions.services import PredictionUpload
from submissions.systems.services import DESCRIPTION_FIELDS, clean_tags
from submissions.uploads.expected_splits import known_track


class SystemChoice(forms.ModelChoiceField):  # type: ignore[type-arg]  # not generic at run time
    """One of a person's own systems, named with its team."""

    def label_from_instance(self, obj: Any) -> str:
        return f"{obj.name} ({obj.team.name})"


def own_systems(user: User, *, empty_label: str | None = None, required: bool = True) -> SystemChoice:
    """A field that offers the systems of `user`'s teams and takes no other."""
    field = SystemChoice(
        System.objects.of(user).select_related("team").order_by("name", "team__name"),
        label="System",
        empty_label=empty_label,
        required=required,
        error_messages={"invalid_choice": "Choose a system of one of your teams."},
    )
    field.widget.attrs["autocomplete"] = "off"
    return field


class SubmitForm(forms.Form):
    """One upload. Which phases are open is the service's to say, so a closed one passes here and is refused there.

    Where it `takes_one_file`, that may be called anything, and nobody is asked which task it answers.
    """

    phase = forms.CharField(
        label="Phase",
        help_text="Each phase has its own board, cut-off and quota.",
    )
    file = forms.FileField(
        label="Predictions",
        allow_empty_file=True,
        max_length=255,
        error_messages={
            "required": "Choose the file to upload.",
            "max_length": "Give the file a shorter name.",
        },
    )
    task = forms.CharField(
        label="Task",
        required=False,
        help_text="Only for a single file whose name does not say which task it answers.",
    )

    split = forms.CharField(
        label="Split",
        required=False,
        help_text="Only for a single file that answers another set of items than the test set.",
    )
    track = forms.CharField(
        label="Track",
        required=False,
        help_text="Which part of the training data the system has seen.",
    )

    field_order = ["phase", "system", "track", "file", "task", "split"]

    def __init__(self, user: User, phases: Iterable[Phase], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        phases = list(phases)
        self._offered = {str(phase): phase for phase in phases}
        self.fields["system"] = own_systems(user)
        self.fields["file"].widget.attrs["data-max-bytes"] = settings.MAX_UPLOAD_BYTES
        self.fields["phase"].widget = forms.Select(choices=[(str(one), _phase_label(one)) for one in phases])
        specs = list({phase.benchmark_id: phase.benchmark.spec for phase in phases}.values())
        self.fields["task"].widget = forms.Select(
            choices=_choices(
                specs, "Named by the file", lambda spec: [(task.id, task.title) for task in spec.tasks]
            )
        )
        taken: dict[str, set[tuple[str, str]]] = {}
        for phase in phases:
            taken.setdefault(phase.benchmark_id, set()).update(phase.taking().places)
        for name, empty, options in (
            (
                "split",
                "Named by the file, or the test set",
                lambda spec: _splits_apart(spec, taken[spec.id]),
            ),
            ("track", "The main track", lambda spec: [(track.id, track.title) for track in spec.tracks]),
        ):
            if any(map(options, specs)):
                self.fields[name].widget = forms.Select(choices=_choices(specs, empty, options))
            else:
                del self.fields[name]
        self.takes_one_file = sum(map(len, taken.values())) == 1
        sent = "a zip with one file per task, or the file of a single task"
        if self.takes_one_file:
            sent = "one file"
        most = settings.MAX_UPLOAD_BYTES // 2**20
        self.fields["file"].help_text = f"Drop it here, or choose it: {sent}. At most {most} MB."
        if any(spec.seeds > 1 for spec in specs):
            self.fields["file"].help_text += " Several seeds stand in folders seed1, seed2 … of the zip."
        self.order_fields(self.field_order)

    def clean_phase(self) -> Phase:
        """The phase called `benchmark/phase`; one that was offered, whatever its name stands for by now."""
        name = self.cleaned_data["phase"]
        try:
            return self._offered.get(name) or Phase.objects.named_to(self.user, name)
        except Phase.DoesNotExist:
            raise forms.ValidationError("There is no such phase. Choose one from the list.") from None

    def clean(self) -> None:
        """The track is one of the benchmark's, also where the form of a benchmark without tracks asks for none."""
        phase, track = self.cleaned_data.get("phase"), self.data.get("track", "")
        try:
            if phase:
                known_track(phase.benchmark.spec, track)
        except UnknownTrack as error:
            self.add_error("track" if "track" in self.fields else None, str(error))

    def upload(self, user: User, received_at: dt.datetime) -> PredictionUpload:
        """What was sent by this person at that instant."""
        file = self.cleaned_data["file"]
        return PredictionUpload(
            system=self.cleaned_data["system"],
            phase=self.cleaned_data["phase"],
            user=user,
            data=file.read(),
            file_name=file.name or "upload",
            received_at=received_at,
            task=self.cleaned_data["task"] or None,
            split=self.cleaned_data.get("split") or None,
            track=self.cleaned_data.get("track", ""),
        )


def _phase_label(phase: Phase) -> str:
    words = phase.taking().words
    what = "" if words == HANDED_IN[PhaseKind.PREDICTIONS] else f" ({words})"
    return f"{phase.benchmark.title}: {phase.title}{what}"


Options = list[tuple[str, str]]


def _choices(
    specs: list[BenchmarkSpec], empty: str, options: Callable[[BenchmarkSpec], Options]
) -> list[Any]:
    """The options of every benchmark that can be submitted to, under its title where there are several."""
    groups = [(spec.title, options(spec)) for spec in specs if options(spec)]
    return [("", empty), *(groups[0][1] if len(specs) == len(groups) == 1 else groups)]


def _splits_apart(spec: BenchmarkSpec, taken: Collection[tuple[str, str]]) -> Options:
    """The splits of any task that are among those `taken` and whose files stand apart from that of its first."""
    return list(
        {
            split.id: (split.id, split.title)
            for task in spec.tasks
            for split in task.splits
            if task.path_of(split.id) != task.path_of(task.splits[0].id) and (task.id, split.id) in taken
        }.values()
    )


class FilterForm(forms.Form):
    """Which submissions to list. What is not understood filters nothing."""

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        answered = Benchmark.objects.filter(phases__submissions__in=Submission.objects.of(user))
        self.fields["benchmark"] = forms.ModelChoiceField(
            answered.distinct(), required=False, empty_label="All benchmarks"
        )
        self.fields["system"] = own_systems(user, empty_label="All systems", required=False)

    def lookups(self) -> dict[str, Any]:
        """What to filter submissions by."""
        self.is_valid()
        wanted = {
            "phase__benchmark": self.cleaned_data.get("benchmark"),
            "system": self.cleaned_data.get("system"),
        }
        return {lookup: value for lookup, value in wanted.items() if value}


class WebAddressField(forms.URLField):
    """A link that browsers open: http or https and nothing else."""

    default_validators = [URLValidator(schemes=["http", "https"])]

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            required=False,
            max_length=500,
            assume_scheme="https",
            error_messages={"invalid": "Enter a whole address that begins with https:// or http://."},
            **kwargs,
        )


def _stated(known: Mapping[str, str]) -> list[tuple[str, str]]:
    return [("", "not stated"), *known.items()]


class SystemForm(forms.ModelForm):  # type: ignore[type-arg]  # not generic at run time
    """What a team says about its system."""

    paper_url = WebAddressField(label="Paper", help_text="Its web address.")
    code_url = WebAddressField(label="Code", help_text="Its web address.")
    tags = forms.CharField(
        label="Tags",
        required=False,
        max_length=400,
        help_text="Up to eight words with commas between them, such as: few-shot, retrieval",
    )
    parameters = forms.CharField(
        label="Size", required=False, max_length=40, help_text="How many parameters, such as 350M or 7B."
    )
    weights = forms.ChoiceField(label="Weights", required=False, choices=_stated(WEIGHTS))
    training_data = forms.ChoiceField(
        label="Training data",
        required=False,
        choices=_stated(TRAINING_DATA),
        help_text="Labelled items it was trained or prompted with.",
    )
    examples = forms.IntegerField(
        label="Training examples",
        required=False,
        min_value=0,
        max_value=MOST_EXAMPLES,
        help_text="How many labelled examples it was trained or prompted with. Where systems of a team differ in "
        "this, a picture shows their scores against it.",
    )
    cost = forms.FloatField(
        label="Cost",
        required=False,
        min_value=0,
        max_value=MOST_COST,
        help_text="US dollars for labelling the test set once. Nobody checks what is declared; boards show it.",
    )

    class Meta:
        model = System
        fields = ["team", "name", "description", "paper_url", "code_url", "tags"]
        labels = {
            "team": "Team",
            "name": "Name",
            "description": "Description",
        }
        widgets = {"description": forms.Textarea(attrs={"rows": 5})}
        help_texts = {
            "name": "The row on the board. Up to 80 characters.",
            "description": "What it is and what it was trained on. Plain text; blank lines make paragraphs.",
        }
        error_messages = {
            NON_FIELD_ERRORS: {
                "unique_together": "Your team has a system of this name already. Choose another name."
            }
        }

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        team = cast("forms.ModelChoiceField[Team]", self.fields["team"])
        team.queryset = Team.objects.of(user)
        team.empty_label = None
        self.fields["name"].widget.attrs["autocomplete"] = "off"
        facts = DeclaredFacts.from_dict(self.instance.facts)
        self.initial.update(facts.as_dict(), parameters=facts.size, tags=", ".join(self.instance.tags))
        team.disabled = not self.is_new

    @property
    def is_new(self) -> bool:
        return bool(self.instance._state.adding)  # noqa: SLF001  # documented: tells a new row from one that was read

    def clean_name(self) -> str:
        return one_line(self.cleaned_data["name"])

    def clean_tags(self) -> list[str]:
        """The words between the commas."""
        words = (word.strip() for word in self.cleaned_data["tags"].split(","))
        try:
            return clean_tags(word for word in words if word)
        except ValueError as error:
            raise forms.ValidationError(str(error)) from None

    def clean_parameters(self) -> int | None:
        """The number that "7B" stands for; what was not touched keeps all its digits."""
        text, stated = self.cleaned_data["parameters"], DeclaredFacts.from_dict(self.instance.facts)
        if not text or text == stated.size:
            return stated.parameters if text else None
        try:
            return DeclaredFacts(read_size(text)).parameters
        except ValueError as error:
            raise forms.ValidationError(str(error)) from None

    def described(self) -> dict[str, Any]:
        facts = DeclaredFacts(
            **{field.name: self.cleaned_data[field.name] for field in fields(DeclaredFacts)}
        )
        described = {field: self.cleaned_data[field] for field in DESCRIPTION_FIELDS if field != "facts"}
        return {**described, "facts": facts.as_dict()}


def open_phases(at: dt.datetime, user: User) -> list[Phase]:
    """The phases that take predictions of somebody at that instant, with their benchmarks."""
    phases = Phase.objects.filter(benchmark__in=Benchmark.objects.offered_to(user)).select_related(
        "benchmark"
    )
    return [phase for phase in phases.exclude(kind=Phase.Kind.BREAK) if phase.is_open(at)]


def open_break_phases(at: dt.datetime, user: User) -> list[Phase]:
    """The phases that take minimal pairs of somebody at that instant, with their benchmarks."""
    of_kind = Phase.objects.filter(kind=Phase.Kind.BREAK, benchmark__archived_at__isnull=True)
    phases = of_kind.seen_by(user).select_related("benchmark")
    return [phase for phase in phases if phase.is_open(at)]
