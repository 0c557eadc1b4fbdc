"""What must come out of a drawn event, worked out from the rules as the documentation states them.

Written apart from the server: the only things in common are scikit-learn and scipy.
"""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
from scipy import stats
from sklearn import metrics

DAY = dt.timedelta(days=1)
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MOMENT = dt.timedelta(microseconds=1)


@dataclass(frozen=True)
class Task:
    """What is asked; the first metric fills the column."""

    id: str
    kind: str
    metrics: tuple[str, ...]
    labels: tuple[str, ...]


@dataclass(frozen=True)
class Target:
    """A split of a task that a phase is about, and how often it may be answered."""

    task: str
    split: str
    limits: Mapping[str, int]


@dataclass
class Phase:
    """A phase. `weekday` and `hour` are of weekly cut-offs in its zone; None where the close is the one cut-off."""

    id: str
    opens: dt.datetime
    closes: dt.datetime | None
    zone: str
    weekday: int | None
    hour: int
    counting: str
    one_per_team: bool
    limits: Mapping[str, int]
    targets: tuple[Target, ...]

    @property
    def places(self) -> list[tuple[str, str]]:
        return [(target.task, target.split) for target in self.targets]

    def is_open(self, at: dt.datetime) -> bool:
        return self.opens <= at and (self.closes is None or at < self.closes)

    def midnight(self, at: dt.datetime) -> dt.datetime:
        """The first instant of the day of the phase's zone that `at` lies in."""
        day = at.astimezone(ZoneInfo(self.zone)).date()
        return dt.datetime.combine(day, dt.time(), ZoneInfo(self.zone)).astimezone(dt.UTC)

    def window(self, period: str, at: dt.datetime) -> object:
        """What two instants have in common that lie in one window of a limit."""
        day = at.astimezone(ZoneInfo(self.zone)).date()
        return {
            "total": lambda: None,
            "per_day": lambda: day,
            "per_week": lambda: day - day.weekday() * DAY,
            "per_cut_off": lambda: self.cut_off(at),
        }[period]()

    def cut_off(self, at: dt.datetime) -> dt.datetime:
        """The first cut-off after an instant: the close at the latest."""
        if self.weekday is None:
            assert self.closes
            return self.closes
        local = at.astimezone(ZoneInfo(self.zone))
        for days in range(9):
            day = local.date() + days * DAY
            weekly = dt.datetime.combine(day, dt.time(self.hour), ZoneInfo(self.zone)).astimezone(dt.UTC)
            if day.weekday() == self.weekday and weekly > at:
                return min(weekly, self.closes) if self.closes else weekly
        raise AssertionError

    def as_row(self) -> dict[str, Any]:
        weekly = self.weekday is not None
        release = {"when": "weekly", "weekday": WEEKDAYS[self.weekday or 0], "time": f"{self.hour:02}:00"}
        return {
            "id": self.id,
            "opens": _written(self.opens),
            **({"closes": _written(self.closes)} if self.closes else {}),
            "timezone": self.zone,
            "release": release if weekly else {"when": "at-close"},
            "counting": self.counting,
            "one_per_team": self.one_per_team,
            **({"quota": self.limits} if self.limits else {}),
            "targets": [
                {"task": one.task, "split": one.split, **({"quota": one.limits} if one.limits else {})}
                for one in self.targets
            ],
        }


@dataclass(frozen=True)
class Sent:
    """An upload: `answers` before the fault was put in, `fault` empty where the file is sound."""

    number: int
    at: dt.datetime
    team: str
    person: str
    phase: str
    task: str
    split: str
    system: str
    file: str
    answers: Mapping[str, Any]
    fault: str

    def as_row(self) -> dict[str, Any]:
        row = {
            "number": self.number,
            "sent_at": self.at.isoformat(),
            "team": self.team,
            "phase": self.phase,
            "task": self.task,
            "file": self.file,
        }
        return row | ({"system": self.system} if self.system else {})


@dataclass(frozen=True)
class Act:
    """What an organiser or, for `choose`, a team does. `answers` are the gold labels of a correction."""

    at: dt.datetime
    kind: str
    facts: Mapping[str, Any]
    answers: Mapping[str, Any] = field(default_factory=dict)

    def as_row(self) -> dict[str, Any]:
        return {"at": self.at.isoformat(), "act": self.kind, **self.facts}


def _written(at: dt.datetime) -> str:
    return f"{at:%Y-%m-%dT%H:%M:%SZ}"


LOWER_IS_BETTER = ("mae", "rmse")


def scored(task: Task, metric: str, truth: Sequence[Any], said: Sequence[Any]) -> float:
    """A metric by scikit-learn or scipy."""
    if metric == "pearson":
        return float(stats.pearsonr(truth, said).statistic)
    if metric == "spearman":
        return float(stats.spearmanr(truth, said).statistic)
    if metric == "mae":
        return float(metrics.mean_absolute_error(truth, said))
    if metric == "rmse":
        return float(metrics.root_mean_squared_error(truth, said))
    if metric == "accuracy":
        return float(metrics.accuracy_score(truth, said))
    if metric == "jaccard":
        return float(
            metrics.jaccard_score(np.array(truth), np.array(said), average="samples", zero_division=1.0)
        )
    if metric == "f1_micro":
        return float(metrics.f1_score(np.array(truth), np.array(said), average="micro", zero_division=0))
    # A label that is neither gold nor answered is left out, as scikit-learn does.
    return float(metrics.f1_score(truth, said, average="macro", zero_division=0))


def outcome_of(
    tasks: Sequence[Task],
    phases: Sequence[Phase],
    people: Mapping[str, Sequence[str]],
    gold: Mapping[tuple[str, str], Mapping[str, Any]],
    uploads: Iterable[Sent],
    acts: Iterable[Act],
) -> dict[str, Any]:
    """What has to stand in expected.json; acts on uploads that are refused have to be left out of the event."""
    event = _Event(tasks, [replace(phase) for phase in phases], people, gold)
    steps: list[tuple[dt.datetime, int, Act | Sent]] = [
        *((act.at, 0, act) for act in acts),
        *((sent.at, 1, sent) for sent in uploads),
    ]
    for at, _, step in sorted(steps, key=lambda one: one[:2]):
        event.pass_time(at)
        if isinstance(step, Act):
            event.act(step)
        else:
            event.send(step)
    return event.outcome()


class _Event:
    def __init__(
        self,
        tasks: Sequence[Task],
        phases: Sequence[Phase],
        people: Mapping[str, Sequence[str]],
        gold: Mapping[tuple[str, str], Mapping[str, Any]],
    ) -> None:
        self.tasks = {task.id: task for task in tasks}
        self.phases = {phase.id: phase for phase in phases}
        self.members = {team: set(members) for team, members in people.items()}
        self.part_of = {team: team for team in people}  # what a team has become a part of
        self.gold = dict(gold)
        self.sent: list[Sent] = []
        self.taken: dict[int, Sent] = {}
        self.disqualified: dict[int, dt.datetime] = {}
        self.chosen: dict[tuple[str, str, str, str], int] = {}  # by phase, system with its team, and task
        self.linked: dict[str, list[set[str]]] = {phase.id: [] for phase in phases}
        self.systems: dict[str, set[str]] = {team: set() for team in people}
        self.system_of: dict[int, tuple[str, str]] = {}  # team and name
        self.rows_at_close: dict[str, dict[int, tuple[str, str]]] = {}

    # What happens

    def pass_time(self, until: dt.datetime) -> None:
        """Keep whose row each answer is in at the close of a phase: a later merger changes nothing that is out."""
        for phase in self.phases.values():
            if phase.closes and phase.closes <= until:
                self.rows_at_close.setdefault(phase.id, dict(self.system_of))

    def send(self, sent: Sent) -> None:
        self.sent.append(sent)
        phase, team = self.phases[sent.phase], self.part_of[sent.team]
        name = sent.system or sent.team
        self.systems[team].add(name)
        if (
            sent.fault
            or not phase.is_open(sent.at)
            or self._left(phase, team, (sent.task, sent.split), sent.at) <= 0
        ):
            return
        self._link(phase, {f"team {team}", *self.members[team]})
        self.taken[sent.number] = sent
        self.system_of[sent.number] = (team, name)

    def act(self, act: Act) -> None:
        {
            "extend": self._extend,
            "disqualify": self._disqualify,
            "choose": self._choose,
            "correct_gold": self._correct,
            "merge": self._merge,
            "remove": lambda act: None,
        }[act.kind](act)

    def _extend(self, act: Act) -> None:
        phase = self.phases[act.facts["phase"]]
        before, phase.closes = phase.closes, dt.datetime.fromisoformat(act.facts["closes"])
        for other in self.phases.values():
            if other.opens == before and other.opens > act.at:
                other.opens = phase.closes

    def _disqualify(self, act: Act) -> None:
        self.disqualified[act.facts["upload"]] = act.at

    def _choose(self, act: Act) -> None:
        sent = self.taken[act.facts["upload"]]
        phase, (team, name) = self.phases[sent.phase], self.system_of[sent.number]
        if phase.closes is not None and phase.closes <= act.at:
            return  # what was chosen until then counts
        if phase.one_per_team:  # the team's one row has one choice, whichever of its systems it is of
            row = {key for key in self.chosen if (key[:2], key[3]) == ((phase.id, team), sent.task)}
            self.chosen = {key: number for key, number in self.chosen.items() if key not in row}
        self.chosen[phase.id, team, name, sent.task] = sent.number

    def _correct(self, act: Act) -> None:
        self.gold[act.facts["task"], act.facts["split"]] = act.answers

    def _merge(self, act: Act) -> None:
        team, into = act.facts["team"], act.facts["into"]
        for phase in self.phases.values():
            takes_part = any({f"team {team}", f"team {into}"} & group for group in self.linked[phase.id])
            if takes_part and (phase.closes is None or phase.closes > act.at):
                self._link(
                    phase, {f"team {one}" for one in (team, into)} | self.members[team] | self.members[into]
                )
        self.members[into] |= self.members[team]
        self.part_of = {name: into if held == team else held for name, held in self.part_of.items()}
        new_names = {}
        for name in sorted(self.systems.pop(team)):
            new_names[name] = f"{name} ({team})" if name in self.systems[into] else name
            self.systems[into].add(new_names[name])
        for number, (owner, name) in self.system_of.items():
            if owner == team:
                self.system_of[number] = (into, new_names[name])
        self.chosen = {
            (phase, into, new_names[name], task) if owner == team else (phase, owner, name, task): number
            for (phase, owner, name, task), number in self.chosen.items()
        }

    # Quota

    def _link(self, phase: Phase, together: set[str]) -> None:
        apart = [group for group in self.linked[phase.id] if not group & together]
        joined = together.union(*(group for group in self.linked[phase.id] if group & together))
        self.linked[phase.id] = [*apart, joined]

    def _left(self, phase: Phase, team: str, place: tuple[str, str], at: dt.datetime) -> int:
        """How many more of one target a team could have sent at an instant."""
        own = {f"team {team}", *self.members[team]}
        group = own.union(*(group for group in self.linked[phase.id] if group & own))
        sent = [
            one
            for one in self.taken.values()
            if one.phase == phase.id and f"team {self.part_of[one.team]}" in group
        ]
        rooms = [len(self.taken) + 99]
        for is_whole, limits in (
            (True, phase.limits),
            (False, next(target.limits for target in phase.targets if (target.task, target.split) == place)),
        ):
            for period, most in limits.items():
                window = phase.window(period, at)
                used = [
                    one
                    for one in sent
                    if phase.window(period, one.at) == window and (is_whole or (one.task, one.split) == place)
                ]
                rooms.append(most - len(used))
        return max(0, min(rooms))

    # What came out

    def outcome(self) -> dict[str, Any]:
        scores = {number: self._scores(sent) for number, sent in self.taken.items()}
        boards = {
            f"{phase.id}/{task}": rows
            for phase in self.phases.values()
            for task, split in phase.places
            if (rows := self._board(phase, task, scores))
        }
        counting = {row["upload"] for rows in boards.values() for row in rows}
        return {
            "uploads": [
                {
                    "number": sent.number,
                    "outcome": "scored",
                    "phase": sent.phase,
                    **({} if sent.number in self.disqualified else scores[sent.number]),
                    "counts": sent.number in counting,
                }
                if sent.number in self.taken
                else {"number": sent.number, "outcome": "refused"}
                for sent in self.sent
            ],
            "boards": boards,
            "quota_left_at_the_close": {
                f"{team} in {phase.id}": max(
                    self._left(phase, self.part_of[team], place, phase.closes - _MOMENT)
                    for place in phase.places
                )
                for phase in self.phases.values()
                if phase.closes
                for team in self.part_of
            },
        }

    def _scores(self, sent: Sent) -> dict[str, float]:
        task, gold = self.tasks[sent.task], self.gold[sent.task, sent.split]
        truth, said = list(gold.values()), [sent.answers[item] for item in gold]
        return {metric: scored(task, metric, truth, said) for metric in task.metrics}

    def _board(
        self, phase: Phase, task: str, scores: Mapping[int, Mapping[str, float]]
    ) -> list[dict[str, Any]]:
        first = self.tasks[task].metrics[0]
        sign = -1 if first in LOWER_IS_BETTER else 1
        merits = {number: sign * of_one[first] for number, of_one in scores.items() if first in of_one}
        rows: dict[tuple[str, str], Sent] = {}
        for sent in sorted(self.taken.values(), key=lambda one: one.at):
            if sent.phase != phase.id or sent.task != task or sent.number in self.disqualified:
                continue
            team, system = self.rows_at_close.get(phase.id, self.system_of)[sent.number]
            key = (team, "" if phase.one_per_team else system)
            if key not in rows or self._counts_more(phase, sent, rows[key], merits):
                rows[key] = sent
        return [
            {
                "rank": 1 + sum(merits[other.number] > merits[sent.number] for other in rows.values()),
                "team": self.part_of[team],
                "upload": sent.number,
                first: scores[sent.number][first],
            }
            for (team, _), sent in sorted(rows.items(), key=lambda row: -merits[row[1].number])
        ]

    def _counts_more(self, phase: Phase, later: Sent, held: Sent, merits: Mapping[int, float]) -> bool:
        if phase.counting == "best":
            return merits[later.number] >= merits[held.number]
        if phase.counting == "chosen":
            return self._is_chosen(later) or not self._is_chosen(held)
        return True

    def _is_chosen(self, sent: Sent) -> bool:
        return self.chosen.get((sent.phase, *self.system_of[sent.number], sent.task)) == sent.number
