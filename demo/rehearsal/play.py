"""Plays an event through the services that everybody uses, instant by instant."""

import datetime as dt
import uuid
from collections.abc import Callable, Mapping
from dataclasses import replace

from accounts.models import Membership, Team, User
from accounts.services import create_team
from accounts.sign_in.addresses import confirm_address
from benchmarks.given_files import load_given_file
from benchmarks.models import Benchmark, Phase, Task
from benchmarks.people.models import Role
from benchmarks.people.services import give_role
from benchmarks.services import follow_close, sync_benchmark
from benchmarks.spec.schedule import calendar_window
from demo.rehearsal.event import Event, EventAct, EventUpload, FolderRefused, file_within
from demo.rehearsal.outcomes import Happening, Played, RehearsedOutcome, look_at_boards, look_at_quotas
from demo.stage import run_batch
from leaderboard.models import Release
from leaderboard.publication.services import NotReady, publish
from scoring.gold.versions import GoldRefused, load_gold
from scoring.models import Batch
from scoring.queue.batches import CannotClose, close_now
from scoring.queue.feedback import make_feedback_runs, tell_feedback
from scoring.queue.moved_dates import follow_dates
from scoring.queue.runs import score_all_due
from submissions.exceptions import CannotChange, SubmissionError, UploadRefused
from submissions.models import Submission, System
from submissions.services import PredictionUpload, submit_predictions
from submissions.systems.name_removals import remove_system_name, remove_team_name
from submissions.systems.status_transitions import choose as choose_submission
from submissions.systems.status_transitions import disqualify as disqualify_submission
from submissions.systems.status_transitions import withdraw as withdraw_submission
from submissions.systems.team_merges import CannotMerge, merge_teams

ORGANISER = "organiser@example.org"


def play(event: Event) -> Played:
    """Let an event happen in a database that has nothing of it yet.

    Raises
    ------
    FolderRefused
        If an act cannot be done.
    """
    return _Stage(event).play()


class _Stage:
    def __init__(self, event: Event) -> None:
        self.event, self.played = event, Played()
        self.now = event.begins_at
        sync_benchmark(spec=event.spec, document=event.document, position=0, now=self.now)
        Benchmark.objects.filter(pk=event.spec.id).update(
            is_synthetic=True
        )  # nobody is to take it for the event
        self.benchmark = Benchmark.objects.get(pk=event.spec.id)
        self.organiser = _person(ORGANISER)
        give_role(benchmark=self.benchmark, user=self.organiser, role=Role.OWNER)
        self.people = _people(event)
        self.members = {
            team: [self.people[team, name] for name in people] for team, people in event.people.items()
        }
        self.teams = {team: self._found(team) for team in event.people}
        self.removed: dict[uuid.UUID, str] = {}  # what those were called that have lost their names
        for (task, split), path in event.gold.items():
            self._load(task, split, path.read_bytes(), path.name)
        for file in self.benchmark.given_files.filter(name__in=event.given):
            load_given_file(given_file=file, data=event.given[file.name].read_bytes(), now=self.now)
            self.played.timeline.append(Happening(file.given_at or self.now, f"{file} is given"))

    def play(self) -> Played:
        steps: list[tuple[dt.datetime, int, EventUpload | EventAct]] = [
            *((upload.sent_at, 1, upload) for upload in self.event.uploads),
            *((act.at, 0, act) for act in self.event.acts),
        ]
        for at, _, step in sorted(steps, key=lambda one: one[:2]):
            self._pass_time(at)
            if isinstance(step, EventUpload):
                self._send(step)
            else:
                self._act(step)
        self._pass_time(self._end())
        look_at_boards(self.played, self.benchmark, self.removed)
        look_at_quotas(
            self.played,
            self.benchmark,
            {name: (self._sender(name), team) for name, team in self.teams.items()},
        )
        self.played.timeline.sort(key=lambda one: one.at)
        return self.played

    # People, gold labels and time

    def _found(self, name: str) -> Team:
        founder, *others = self.members[name]
        team = create_team(name=name, founder=founder, now=self.now)
        for member in others:
            Membership.objects.create(team=team, user=member, joined_at=self.now)
        return team

    def _load(self, task: str, split: str, data: bytes, name: str) -> None:
        row = Task.objects.select_related("benchmark").get(benchmark=self.benchmark, slug=task)
        try:
            load_gold(
                task=row,
                data=data,
                file_name=name,
                now=self.now,
                user=self.organiser,
                split_slug=split,
                confirm_clues=True,
            )
        except GoldRefused as refused:
            raise FolderRefused([f"gold/{split}/{name}: {refused}"]) from None
        self._tell(f"gold labels of {task}, {split} are loaded")

    def _pass_time(self, until: dt.datetime) -> None:
        """Let every cut-off and every release happen that comes before an instant, or at it."""
        while (instant := self._next_instant(until)) is not None:
            self.now = instant
            self._give_feedback()
            before = set(Release.objects.values_list("pk", flat=True))
            run_batch(instant)
            if self.benchmark.phases.filter(next_cut_off_at__lte=instant).exists():
                raise FolderRefused(
                    [f"the cut-off of {instant} could not be closed; the server's log says why"]
                )
            self._give_feedback()
            for release in Release.objects.exclude(pk__in=before).select_related("phase").order_by("number"):
                self._tell(f"release {release.number}, of {release.phase.slug}")
        self.now = until

    def _give_feedback(self) -> None:
        """Have teams told what is due before a release."""
        make_feedback_runs(self.now)
        score_all_due(self.now)
        if told := tell_feedback(self.now):
            self._tell(f"teams are told {told} score{'' if told == 1 else 's'}")

    def _next_instant(self, until: dt.datetime) -> dt.datetime | None:
        """The next cut-off, midnight of feedback, or first instant that a release may be out; None after `until`."""
        phases = self.benchmark.phases
        waiting = phases.filter(release_not_before__gt=self.now, release_not_before__lte=until)
        instants = [
            *phases.filter(next_cut_off_at__lte=until).values_list("next_cut_off_at", flat=True),
            *waiting.values_list("release_not_before", flat=True),
            *(at for phase in phases.all() if (at := _feedback_is_due(phase, self.now)) and at <= until),
        ]
        return min(instants, default=None)

    def _end(self) -> dt.datetime:
        """When everything is over: phases have ended, and each had a cut-off after whatever came last."""
        ends = [self.now]
        for phase in self.benchmark.phases.all():
            known = (phase.closes_at, phase.release_not_before, phase.cut_off_after(self.now))
            ends += filter(None, known)
        return max(ends)

    # What people do

    def _send(self, upload: EventUpload) -> None:
        phase = self._phase_for(upload)
        system, _ = System.objects.get_or_create(
            name=upload.system or upload.team,
            team=self.teams[upload.team],
            defaults={"description": "", "created_at": upload.sent_at},
        )
        outcome = RehearsedOutcome(upload, phase.slug)
        try:
            receipt = submit_predictions(
                PredictionUpload(
                    system=system,
                    phase=phase,
                    user=self.people[upload.team, upload.person]
                    if upload.person
                    else self._sender(upload.team),
                    data=upload.file.read_bytes(),
                    file_name=upload.file.name,
                    received_at=upload.sent_at,
                    task=upload.task or None,
                    split=upload.split or None,
                    track=upload.track,
                )
            )
            outcome = replace(outcome, submission=receipt.submission)
        except UploadRefused as refused:
            first = refused.result.problems[0]
            outcome = replace(
                outcome, code=first.code.value, message=first.message, line=first.line, column=first.column
            )
        except SubmissionError as refused:
            outcome = replace(outcome, code=refused.code, message=str(refused))
        self.played.outcomes[upload.number] = outcome
        self._give_feedback()
        said = "accepted" if outcome.is_accepted else f"refused: {outcome.message}"
        about = "/".join(filter(None, [phase.slug, upload.task]))
        self._tell(f"{upload.team} sends {upload.file.name} to {about}: {said}")

    def _phase_for(self, upload: EventUpload) -> Phase:
        """The phase that is named; else the one that takes the task now, or will next, or did last."""
        phases = list(self.benchmark.phases.select_related("benchmark"))
        if upload.phase:
            named = [phase for phase in phases if upload.phase in (phase.slug, phase.series)]
            if not named:
                raise FolderRefused([f"uploads.json: there is no phase {upload.phase!r}"])
            phases = named
        takers = [
            phase
            for phase in phases
            if not upload.task or any(task == upload.task for task, _ in phase.taking().places)
        ] or phases
        at = upload.sent_at
        open_now = [phase for phase in takers if phase.is_open(at)]
        over = [phase for phase in takers if phase.closes_at and phase.closes_at <= at]
        to_come = [phase for phase in takers if phase.opens_at and phase.opens_at > at]
        chosen: Phase = (open_now or over[-1:] or to_come or takers)[0]
        return chosen

    def _act(self, act: EventAct) -> None:
        if act.kind not in _ACTS:
            raise FolderRefused([f"acts.json: {act.kind!r} cannot be rehearsed; expected {', '.join(_ACTS)}"])
        try:
            sentence = _ACTS[act.kind](self, act)
        except KeyError as missing:
            raise FolderRefused([f"acts.json: {act.kind} needs {missing}"]) from None
        except (CannotChange, CannotClose, CannotMerge, NotReady) as refused:
            raise FolderRefused([f"acts.json: {act.kind} at {act.at}: {refused}"]) from None
        self._tell(sentence)

    def _sender(self, team: str) -> User:
        """Who sends where nobody is named."""
        return self.members[team][0]

    def _sent(self, act: EventAct) -> Submission:
        """The submission that an upload has become."""
        outcome = self.played.outcomes.get(number := act.facts["upload"])
        if outcome is None or outcome.submission is None:
            why = "is not sent yet" if outcome is None else "was refused"
            raise FolderRefused([f"acts.json: {act.kind} of upload {number}, which {why} at {act.at}"])
        return Submission.objects.get(pk=outcome.submission.pk)

    def choose(self, act: EventAct) -> str:
        return self._of_team(act, choose_submission, "is chosen to count")

    def withdraw(self, act: EventAct) -> str:
        return self._of_team(act, withdraw_submission, "is withdrawn")

    def _of_team(self, act: EventAct, move: Callable[..., object], done: str) -> str:
        """What a team does with an upload of its own; a refusal is what happens then, as with an upload."""
        number, submission = act.facts["upload"], self._sent(act)
        user = self._sender(self.played.outcomes[number].upload.team)
        try:
            move(submission=submission, user=user, now=self.now)
        except CannotChange as refused:
            return f"{act.kind} of upload {number} is refused: {refused}"
        return f"upload {number} {done}"

    def close(self, act: EventAct) -> str:
        phase = self._phase(act)
        close_now(phase=phase, now=self.now)
        run_batch(self.now)
        return f"{phase.slug} is closed by hand"

    def publish(self, act: EventAct) -> str:
        batch = Batch.objects.filter(phase=self._phase(act), status=Batch.Status.SCORED).first()
        if batch is None:
            raise FolderRefused(
                [f"acts.json: nothing of {act.facts['phase']} waits to be published at {act.at}"]
            )
        return f"release {publish(batch=batch, now=self.now).number}, of {batch.phase.slug}"

    def _phase(self, act: EventAct) -> Phase:
        phase: Phase | None = self.benchmark.phases.filter(slug=act.facts["phase"]).first()
        if phase is None:
            raise FolderRefused([f"acts.json: there is no phase {act.facts['phase']!r}"])
        return phase

    def correct_gold(self, act: EventAct) -> str:
        task, split = act.facts["task"], act.facts.get("split", "test")
        path = file_within(self.event.folder, act.facts["file"])
        if path is None:
            raise FolderRefused([f"acts.json: correct_gold: there is no file {act.facts['file']!r}"])
        self._load(task, split, path.read_bytes(), path.name)
        return f"the gold labels of {task}, {split} are corrected"

    def disqualify(self, act: EventAct) -> str:
        reason = act.facts.get("reason", "Disqualified in the rehearsal.")
        disqualify_submission(submission=self._sent(act), reason=reason, now=self.now)
        return f"upload {act.facts['upload']} is disqualified: {reason}"

    def extend(self, act: EventAct) -> str:
        closes_at = dt.datetime.fromisoformat(act.facts["closes"]).astimezone(dt.UTC)
        phase = self._phase(act)
        before, phase.closes_at = phase.closes_at, closes_at
        phase.save(update_fields=["closes_at"])
        follow_dates(phase=phase, now=self.now)
        moved = follow_close(phase=phase, closed_before=before, now=self.now)
        follows = "".join(f"; {other.slug} opens then" for other in moved)
        return f"{phase.slug} closes on {closes_at:%Y-%m-%d %H:%M} UTC{follows}"

    def merge(self, act: EventAct) -> str:
        team, into = self.teams[act.facts["team"]], self.teams[act.facts["into"]]
        merge_teams(team=team, into=into, now=self.now)
        self.members[act.facts["team"]] = self.members[act.facts["into"]]
        self.teams[act.facts["team"]] = into
        return f"{team} becomes a part of {into}"

    def remove(self, act: EventAct) -> str:
        reason = act.facts.get("reason", "removed in the rehearsal")
        if "upload" in act.facts or "system" in act.facts:
            system = self._system(act)
            self.removed[system.pk] = system.name
            called = remove_system_name(system=system, reason=reason, now=self.now)
            return f"a system of {system.team} is called {called!r} now"
        team = self.teams[act.facts["team"]]
        self.removed[team.pk] = team.name
        return f"a team is called {remove_team_name(team=team, reason=reason, now=self.now)!r} now"

    def _system(self, act: EventAct) -> System:
        """The system of an upload, or that of a team by its name."""
        systems = System.objects.select_related("team").filter(team__in=self.teams.values())
        if "upload" in act.facts:
            systems = systems.filter(pk=self._sent(act).system_id)
        else:
            systems = systems.filter(name=act.facts["system"])
        if "team" in act.facts:
            systems = systems.filter(team=self.teams[act.facts["team"]])
        found: list[System] = list(systems)
        if len(found) != 1:
            raise FolderRefused(
                [f"acts.json: {len(found)} systems are meant by {dict(act.facts)}; expected one"]
            )
        return found[0]

    def _tell(self, sentence: str) -> None:
        self.played.timeline.append(Happening(self.now, sentence))


_ACTS: Mapping[str, Callable[[_Stage, EventAct], str]] = {
    "choose": _Stage.choose,
    "close": _Stage.close,
    "correct_gold": _Stage.correct_gold,
    "disqualify": _Stage.disqualify,
    "extend": _Stage.extend,
    "merge": _Stage.merge,
    "publish": _Stage.publish,
    "remove": _Stage.remove,
    "withdraw": _Stage.withdraw,
}


def _feedback_is_due(phase: Phase, after: dt.datetime) -> dt.datetime | None:
    """The next midnight of a phase at which teams are told something; None where nobody waits for one."""
    waiting = Submission.objects.live().filter(phase=phase, told_at__isnull=True, received_at__lte=after)
    if phase.feedback != Phase.FeedbackMoment.DAILY or not waiting.exists():
        return None
    received_at = waiting.order_by("-received_at").values_list("received_at", flat=True)[0]
    due = calendar_window(phase.timezone, received_at)[1]
    return due if due > after else None


def _people(event: Event) -> dict[tuple[str, str], User]:
    """An account for everybody, by team and name; who is in two teams has one."""
    accounts: dict[str, User] = {}
    for people in event.people.values():
        for name in people:
            if name not in accounts:
                accounts[name] = _person(name if "@" in name else f"{name}@example.org")
    return {(team, name): accounts[name] for team, people in event.people.items() for name in people}


def _person(email: str) -> User:
    person = User.objects.create_user(email, None, name=email.partition("@")[0])
    confirm_address(person)
    return person
