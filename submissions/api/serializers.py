"""Submissions and receipts as the API shows them. Shape only; what they mean is in services."""

import datetime as dt
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.reverse import reverse

from benchmarks.api import BenchmarkSerializer, PhaseSerializer, TaskSerializer
from benchmarks.models import Benchmark, Phase
from submissions.fact_sheets.services import fact_lists, is_missing
from submissions.intake import ProblemCode
from submissions.models import Submission
from submissions.participants import TeamRegistration
from submissions.quota.slots import Count, Quota
from submissions.systems.replacements import told_of_others
from submissions.systems.status_texts import Passed, StatusView, describe
from submissions.uploads.answer_summary import AnsweredSplit, answered_splits
from submissions.uploads.signed_receipts import signed_receipt


class UploadSerializer(serializers.Serializer[Any]):
    """The form that an upload is sent as."""

    phase = serializers.CharField(max_length=129, help_text="benchmark/phase, such as raft/main.")
    system = serializers.CharField(
        max_length=80, help_text="The system's id, or its name if you have one such."
    )
    file = serializers.FileField(
        allow_empty_file=True, max_length=None, help_text="A zip of prediction files, or one task's CSV file."
    )
    task = serializers.CharField(
        max_length=64, required=False, allow_blank=True, help_text="What a single file answers."
    )
    split = serializers.CharField(
        max_length=64,
        required=False,
        allow_blank=True,
        help_text="Which split of the task a single file answers, where neither its name nor the first split does.",
    )
    track = serializers.CharField(
        max_length=64,
        required=False,
        allow_blank=True,
        help_text="One of the benchmark's tracks; else the main.",
    )
    fact_sheet = serializers.FileField(
        allow_empty_file=True,
        max_length=None,
        required=False,
        help_text="What the system is made of: a JSON file, an object from every list's id to a list of options.",
    )
    dry_run = serializers.BooleanField(
        default=False, help_text="Only check: the same verdict, nothing is kept and no slot is used."
    )


class DryRunSerializer(serializers.Serializer[Any]):
    """Whether an upload is only checked, as the address says it."""

    dry_run = serializers.BooleanField(default=False, help_text="As the form's field of that name.")


class FactListSerializer(serializers.Serializer[Any]):
    """One question of a fact sheet: which of these options a system uses."""

    id = serializers.CharField()
    title = serializers.CharField()
    options = serializers.ListField(child=serializers.CharField())


class SubmissionFilterSerializer(serializers.Serializer[Any]):
    """What a list of submissions can be narrowed down by."""

    phase = serializers.CharField(max_length=129, required=False, help_text="benchmark/phase")
    system = serializers.UUIDField(required=False)
    status = serializers.ChoiceField(choices=Submission.Status.choices, required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        unknown = set(self.initial_data) - set(self.fields) - {"limit", "offset", "format"}
        if unknown:
            raise serializers.ValidationError(
                dict.fromkeys(sorted(unknown), "This is no filter; there are phase, system and status.")
            )
        return attrs


class NextStepSerializer(serializers.Serializer[Any]):
    sentence = serializers.CharField()
    at = serializers.DateTimeField(allow_null=True)


class AnsweredSplitSerializer(serializers.Serializer[AnsweredSplit]):
    """A split that a submission answers."""

    task = serializers.CharField()
    split = serializers.CharField()
    seeds = serializers.IntegerField(help_text="With how many seeds.")


class SubmissionSerializer(serializers.ModelSerializer[Submission]):
    """A submission with its status, in words of the instant `now` of the context."""

    url = serializers.SerializerMethodField(help_text="Its page.")
    status_url = serializers.SerializerMethodField(help_text="Where its status can be asked for.")
    status_sentence = serializers.SerializerMethodField()
    next_step = serializers.SerializerMethodField()
    phase = serializers.CharField(source="phase.__str__")
    system_name = serializers.CharField(source="system.name")
    submitted_by = serializers.CharField(source="submitted_by.__str__")
    tasks = serializers.SerializerMethodField(help_text="The tasks that it answers.")
    splits = serializers.SerializerMethodField(help_text="The splits of them that it answers.")

    class Meta:
        model = Submission
        fields = [
            "id", "url", "status_url", "status", "status_sentence", "next_step", "phase", "system", "system_name",
            "submitted_by", "received_at", "cut_off_at", "ended_at", "track", "tasks", "splits", "file_name",
            "file_size", "file_sha256", "file_removed_at", "file_removed_because",
        ]  # fmt: skip

    def get_url(self, submission: Submission) -> str:
        return str(self.context["request"].build_absolute_uri(submission.get_absolute_url()))

    def get_status_url(self, submission: Submission) -> str:
        return reverse("api:submission", args=[submission.pk], request=self.context["request"])

    def get_status_sentence(self, submission: Submission) -> str:
        return self._status(submission).sentence

    @extend_schema_field(NextStepSerializer)
    def get_next_step(self, submission: Submission) -> dict[str, Any]:
        view = self._status(submission)
        return NextStepSerializer({"sentence": view.next_step, "at": view.next_at}).data

    def _status(self, submission: Submission) -> StatusView:
        told = self.context.get("others")
        others = (told_of_others([submission], dt.UTC) if told is None else told).get(submission.pk, "")
        return describe(submission, now=self.context["now"], passed=self.passed(submission), others=others)

    def passed(self, submission: Submission) -> Passed:
        """What is known of its past; nothing here, where no release is known."""
        return Passed()

    def get_tasks(self, submission: Submission) -> list[str]:
        return list(dict.fromkeys(one.task for one in self.answered(submission)))

    @extend_schema_field(AnsweredSplitSerializer(many=True))
    def get_splits(self, submission: Submission) -> list[Any]:
        splits: Any = self.answered(submission)
        return list(AnsweredSplitSerializer(splits, many=True).data)

    def answered(self, submission: Submission) -> list[AnsweredSplit]:
        """The splits that it answers."""
        return answered_splits(submission.predictions.all())


class LimitCountSerializer(serializers.Serializer[Count]):
    """One limit of a phase, and how much of it is used."""

    period = serializers.CharField(help_text="`per_cut_off`, `per_day`, `per_week` or `total`.")
    task = serializers.SerializerMethodField(help_text="null where the limit is about the whole phase.")
    split = serializers.SerializerMethodField(help_text="null where the limit is about the whole phase.")
    limit = serializers.IntegerField()
    used = serializers.IntegerField()
    window_ends_at = serializers.DateTimeField(
        source="resets_at", allow_null=True, help_text="null where no further slot opens in the phase."
    )

    def get_task(self, count: Count) -> str | None:
        return count.target and count.target[0]

    def get_split(self, count: Count) -> str | None:
        return count.target and count.target[1]


class QuotaSerializer(serializers.Serializer[Quota]):
    """The limit that will refuse first, and all of them."""

    limit = serializers.IntegerField()
    used = serializers.IntegerField(
        help_text="By you, your team and everybody linked to it through teams that take part in the phase."
    )
    window_ends_at = serializers.DateTimeField(
        source="resets_at", allow_null=True, help_text="null where no further slot opens in the phase."
    )
    limits = LimitCountSerializer(source="counts", many=True)


class ReceiptSerializer(SubmissionSerializer):
    """What is answered to an upload that was accepted."""

    labels_read = serializers.SerializerMethodField()
    is_repeat = serializers.SerializerMethodField(
        help_text="These predictions had been sent before; no slot was used."
    )
    quota = serializers.SerializerMethodField()
    fact_sheet_missing = serializers.SerializerMethodField(
        help_text="The benchmark asks for a fact sheet and the system has none. Scores do not need it."
    )
    replaces = serializers.SerializerMethodField(
        help_text="Ids of submissions that wait for the same cut-off and that this one takes the place of, wherever "
        "both answer. Withdrawing them gives their slots back."
    )
    receipt = serializers.SerializerMethodField(
        help_text="A signed note of what was taken, when and for what; null where the server has no key for it."
    )

    class Meta(SubmissionSerializer.Meta):
        fields = [
            *SubmissionSerializer.Meta.fields, "labels_read", "is_repeat", "quota", "fact_sheet_missing", "replaces",
            "receipt",
        ]  # fmt: skip

    def answered(self, submission: Submission) -> list[AnsweredSplit]:
        return list(self.context["answered"])

    def get_replaces(self, submission: Submission) -> list[str]:
        return [str(other.pk) for other in self.context["replaces"]]

    def get_receipt(self, submission: Submission) -> str | None:
        return signed_receipt(submission)

    def get_fact_sheet_missing(self, submission: Submission) -> bool:
        return is_missing(submission.system, submission.phase.benchmark)

    def get_labels_read(self, submission: Submission) -> int:
        return int(self.context["receipt"].result.labels_read)

    def get_is_repeat(self, submission: Submission) -> bool:
        return bool(self.context["receipt"].is_repeat)

    @extend_schema_field(QuotaSerializer)
    def get_quota(self, submission: Submission) -> dict[str, Any]:
        return QuotaSerializer(self.context["quota"]).data


class CheckedSplitSerializer(serializers.Serializer[Any]):
    task = serializers.CharField()
    split = serializers.CharField()
    seed = serializers.IntegerField()


class CheckedSerializer(serializers.Serializer[Any]):
    """What is answered to an upload without problems that was only checked."""

    dry_run = serializers.SerializerMethodField()
    phase = serializers.CharField()
    system = serializers.UUIDField()
    splits = CheckedSplitSerializer(many=True, help_text="What it answers, with which seeds.")
    labels_read = serializers.IntegerField()
    quota = QuotaSerializer()

    def get_dry_run(self, checked: dict[str, Any]) -> bool:
        return True


class ProblemSerializer(serializers.Serializer[Any]):
    file = serializers.CharField()
    line = serializers.IntegerField(allow_null=True, help_text="As editors count, from 1.")
    column = serializers.CharField(allow_null=True, help_text="By its name in the header.")
    code = serializers.ChoiceField(choices=[code.value for code in ProblemCode])
    found = serializers.CharField(allow_null=True)
    expected = serializers.CharField(allow_null=True)
    message = serializers.CharField()


class CauseInFileSerializer(serializers.Serializer[Any]):
    file = serializers.CharField()
    count = serializers.IntegerField()
    lines = serializers.ListField(
        child=serializers.IntegerField(allow_null=True), help_text="Of its first places."
    )


class CauseSerializer(serializers.Serializer[Any]):
    """One cause over all files of an upload."""

    code = serializers.ChoiceField(choices=[code.value for code in ProblemCode])
    pattern = serializers.CharField(
        allow_blank=True, help_text="Tells causes apart that share a code, such as `decimal`."
    )
    title = serializers.CharField()
    count = serializers.IntegerField(help_text="How often it stands in what was read.")
    file_count = serializers.IntegerField()
    remarks = serializers.ListField(child=serializers.CharField())
    first = ProblemSerializer()
    files = CauseInFileSerializer(many=True)


class RefusedUploadSerializer(serializers.Serializer[Any]):
    """The answer to an upload with problems: the first fifty of them, how many `more` there are, and their causes."""

    code = serializers.CharField()
    detail = serializers.CharField()
    problems = ProblemSerializer(many=True)
    more = serializers.IntegerField()
    causes = CauseSerializer(many=True)
    repair_url = serializers.URLField(
        required=False, help_text="Of the repaired upload, for an hour, where there is one way to mend it."
    )


class QuotaUsedUpSerializer(serializers.Serializer[Any]):
    """The answer where no slot is left."""

    code = serializers.CharField()
    detail = serializers.CharField()
    next_slot_at = serializers.DateTimeField(
        allow_null=True, help_text="null where no further slot opens in the phase."
    )


class TeamQuotaSerializer(QuotaSerializer):
    team = serializers.UUIDField(source="team.pk")
    team_name = serializers.CharField(source="team.name")


class PhaseWithQuotaSerializer(PhaseSerializer):
    """A phase with its quota, and what each of my teams has used of it."""

    quota_limit = serializers.IntegerField(allow_null=True, help_text="Per cut-off; null without one.")
    quota_per_day = serializers.IntegerField(allow_null=True)
    quota_per_week = serializers.IntegerField(allow_null=True)
    quota_total = serializers.IntegerField(allow_null=True)
    quotas = serializers.SerializerMethodField(help_text="One for each of my teams; empty without a token.")

    class Meta(PhaseSerializer.Meta):
        fields = [
            *PhaseSerializer.Meta.fields, "quota_limit", "quota_per_day", "quota_per_week", "quota_total", "quotas"
        ]  # fmt: skip

    @extend_schema_field(TeamQuotaSerializer(many=True))
    def get_quotas(self, phase: Phase) -> list[Any]:
        quotas = [quota for quota in self.context["quotas"] if quota.phase == phase]
        return [TeamQuotaSerializer(quota).data for quota in quotas]


class TrackSerializer(serializers.Serializer[Any]):
    """What part of the training data the systems of a track have seen."""

    id = serializers.CharField(help_text="What an upload gives as `track`.")
    title = serializers.CharField()
    share = serializers.FloatField(help_text="Of the training data, from 0 to 1.")


class TeamRegistrationSerializer(serializers.ModelSerializer[TeamRegistration]):
    """What the organisers of a benchmark that approves teams have decided about one of my teams."""

    team_name = serializers.CharField(source="team.name")
    state = serializers.ChoiceField(
        choices=TeamRegistration.State.choices, help_text="A team that is declined can still be approved."
    )

    class Meta:
        model = TeamRegistration
        fields = ["team", "team_name", "state", "asked_at", "approved_at", "declined_at", "decline_reason"]


class BenchmarkDetailSerializer(BenchmarkSerializer):
    """A benchmark with its tasks and phases."""

    citation = serializers.CharField(source="spec.citation")
    tasks = TaskSerializer(many=True)
    phases = PhaseWithQuotaSerializer(many=True)
    seeds = serializers.IntegerField(
        source="spec.seeds", help_text="With how many seeds a system is to be trained."
    )
    tracks = TrackSerializer(
        many=True, source="spec.tracks", help_text="The first is the main one; empty where there are none."
    )
    fact_sheet = serializers.SerializerMethodField(
        help_text="The lists that every system is asked about; empty where there are none."
    )

    registrations = serializers.SerializerMethodField(
        help_text="Of my teams that have asked to take part where organisers approve teams; empty without a token."
    )

    class Meta(BenchmarkSerializer.Meta):
        fields = [
            *BenchmarkSerializer.Meta.fields,
            "citation",
            "tasks",
            "phases",
            "seeds",
            "tracks",
            "fact_sheet",
            "registrations",
        ]

    @extend_schema_field(TeamRegistrationSerializer(many=True))
    def get_registrations(self, benchmark: Benchmark) -> list[Any]:
        mine = [one for one in self.context["registrations"] if one.benchmark_id == benchmark.pk]
        return [TeamRegistrationSerializer(one).data for one in mine]

    @extend_schema_field(FactListSerializer(many=True))
    def get_fact_sheet(self, benchmark: Benchmark) -> list[Any]:
        return [FactListSerializer(one).data for one in fact_lists(benchmark)]
