"""Build It Break It in the demo: builders, breakers, the close, a contested label, and names at the end."""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import cycle, islice
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from django.db.models import Q

from accounts.models import Team
from benchmarks.models import Phase
from breaking.contests.campaign_units import ask_about_contests
from breaking.contests.decisions import decide
from breaking.contests.services import contest_item
from breaking.jobs import do_what_is_due
from breaking.models import BreakerSet, Contest, Pair
from breaking.pairs.review import decide_pairs
from breaking.pairs.starter_data import load_starter
from breaking.pairs.uploads import hand_in_pairs
from catalogue.answers import Answers
from demo.material import sentence_changes as changes
from demo.material.answers import SyntheticAnswers
from demo.material.sentence_changes import Change, Changed
from demo.stage import DAY, Members, Stage, run_batch
from labelling.core.answer_files import FoundAnswer
from labelling.outcomes.settling import settle_due
from labelling.work.campaigns import close_campaign, open_campaign
from labelling.work.imports import keep_answers
from leaderboard.publication.visibility import hide_names, lift_anonymity
from scoring.gold.versions import load_gold
from submissions.intake import CanonicalPredictions
from submissions.intake.predictions.file_writer import write_gold
from submissions.uploads.expected_splits import item_ids

DEV = "dev"
SENTIMENT, QASRL = "sentiment", "qasrl"
DEV_SIZES = {SENTIMENT: 80, QASRL: 40}
STARTER = {SENTIMENT: changes.reviews(80), QASRL: changes.deeds(60)}
SINCE_THE_END = 12 * DAY  # since the score phase closed


class _Breaker(NamedTuple):
    """A team's pairs of one task: every `step`-th sentence of the starter data from `first` on, changed one way.

    Its first file, handed in earlier, has `draft` pairs; none was handed in where it is 0.
    """

    team: str
    task: str
    change: Change
    first: int
    step: int
    draft: int = 0

    def pairs(self) -> list[Changed]:
        return [self.change(sentence) for sentence in STARTER[self.task][self.first :: self.step]]


BREAKERS = (
    _Breaker("Demo Team Harbour", SENTIMENT, changes.denied, 0, 4, draft=7),
    _Breaker("Demo Team Meadow", SENTIMENT, changes.in_an_idiom, 1, 3),
    _Breaker("Demo Team Orchard", SENTIMENT, changes.wished, 2, 5),
    _Breaker("Demo Team Harbour", QASRL, changes.passive, 0, 3),
    _Breaker("Demo Team Delta", QASRL, changes.with_a_bystander, 1, 3),
)
# Differs from its original by more than the organisers allow.
REWRITTEN = "Whoever cut this must have been in a hurry, or asleep, or both at once."
MISLABELLED = "Demo Team Meadow"  # one of whose labels is contested


class _Builder(NamedTuple):
    """How often a system is right, by task, on what nobody changed; and what share of that each change leaves."""

    system: str
    right: Mapping[str, float]
    left: Mapping[str, float]
    answers_dev: bool = True


BUILDERS = (
    _Builder(
        "Larch",
        {SENTIMENT: 0.88, QASRL: 0.84},
        {"denied": 0.55, "in_an_idiom": 0.7, "wished": 0.45, "passive": 0.6},
    ),
    _Builder(
        "Dunlin",
        {SENTIMENT: 0.84, QASRL: 0.8},
        {"denied": 0.8, "in_an_idiom": 0.85, "wished": 0.7, "passive": 0.85},
    ),
    _Builder(
        "Juniper",
        {SENTIMENT: 0.8, QASRL: 0.7},
        {"denied": 0.75, "in_an_idiom": 0.75, "wished": 0.8},
    ),
    _Builder("Hornbeam", {SENTIMENT: 0.74}, {"denied": 0.2, "in_an_idiom": 0.55, "wished": 0.15}),
    # Came too late for the development data, so it takes no part in the breakers' scores.
    _Builder(
        "Goldcrest",
        {SENTIMENT: 0.92},
        {"denied": 0.9, "in_an_idiom": 0.9, "wished": 0.8},
        answers_dev=False,
    ),
)


def tell(members: Members, *, now: dt.datetime, seed: int) -> None:
    """Let the three phases and what came after them happen."""
    beginning = now - 98 * DAY - SINCE_THE_END
    ids = {
        task: [f"{task[0]}{number:03}" for number in range(1, size + 1)] for task, size in DEV_SIZES.items()
    }
    stage = Stage("bibi", members, lambda spec: SyntheticAnswers(spec, seed, ids), now=beginning)
    hide_names(stage.benchmark)
    story = _Story(stage)
    story.prepare(beginning)
    story.build(stage.phase("build"))
    story.break_(stage.phase("break"))
    story.score(stage.phase("score"))
    story.contest(stage.phase("score"))
    lift_anonymity(stage.benchmark)


class _Story(NamedTuple):
    stage: Stage

    def prepare(self, at: dt.datetime) -> None:
        for task in self.stage.benchmark.tasks.all():
            load_gold(
                task=task,
                data=write_gold(
                    task.spec,
                    self.stage.material.ids[task.slug],
                    self._codes(task.slug, _gold_texts(task.slug)),
                ),
                file_name=f"{task.slug}_dev_gold",
                now=at,
                user=self.stage.organiser,
                note="Synthetic gold labels of the demo.",
                split_slug=DEV,
                confirm_clues=True,
            )
            load_starter(
                task=task,
                data=changes.starter_file(STARTER[task.slug]),
                file_name=f"{task.slug}_starter.csv",
                now=at,
                user=self.stage.organiser,
            )

    def build(self, phase: Phase) -> None:
        closes_at = _close_of(phase)
        for number, builder in enumerate(builder for builder in BUILDERS if builder.answers_dev):
            self.stage.send(
                builder.system,
                [
                    self._answers(builder, task, DEV, dict(zip(ids, _gold_texts(task), strict=True)))
                    for task, ids in self.stage.material.ids.items()
                    if task in builder.right
                ],
                phase,
                closes_at - (9 - number) * DAY,
            )
        run_batch(closes_at)

    def break_(self, phase: Phase) -> None:
        """Breakers hand in pairs; the organisers decide about those that differ by more than the rule allows."""
        closes_at = _close_of(phase)
        for number, breaker in enumerate(BREAKERS):
            own = breaker.pairs()
            if breaker.draft:
                self._hand_in(breaker, own[: breaker.draft], phase, closes_at - 15 * DAY)
            self._hand_in(breaker, _with_oddities(breaker, own), phase, closes_at - (8 - number) * DAY)
        waiting = Pair.objects.waiting().filter(pair_file__phase=phase)
        rewritten = Q(changed_text=REWRITTEN)
        for chosen, admit, reason in (
            (rewritten, False, "Nothing of the original is left: no pair at all."),
            (~rewritten, True, "A passive moves many words for one reason."),
        ):
            decide_pairs(
                pairs=list(waiting.filter(chosen)),
                admit=admit,
                reason=reason,
                user=self.stage.organiser,
                now=closes_at - DAY,
            )
        run_batch(closes_at)

    def score(self, phase: Phase) -> None:
        closes_at = _close_of(phase)
        for number, builder in enumerate(BUILDERS):
            self.stage.send(
                builder.system,
                [
                    self._answers_to_set(builder, made)
                    for made in BreakerSet.objects.select_related("split__task", "pair_file__team")
                    if made.split.task.slug in builder.right
                ],
                phase,
                closes_at - (7 - number) * DAY,
            )
        run_batch(closes_at)

    def contest(self, phase: Phase) -> None:
        """A builder doubts a label, people are asked in a campaign, and the organisers change it."""
        closes_at = _close_of(phase)
        split = BreakerSet.objects.get(pair_file__breaker=MISLABELLED, pair_file__task__slug=SENTIMENT).split
        wrong = next(breaker for breaker in BREAKERS if breaker.team == MISLABELLED).pairs()[0]
        contest = contest_item(
            split=split,
            item=wrong.item,
            reason="The idiom says the same as the adjective, so the label must be that of the original.",
            team=Team.objects.get(name="Demo Team South"),
            user=self.stage.members["Demo Team South"],
            now=closes_at + 2 * DAY,
            proposed_label=wrong.label,
        )
        self._ask_people(contest, wrong, closes_at + 3 * DAY)
        decided_at = closes_at + 4 * DAY
        decide(
            contest=contest,
            choice=Contest.Choice.LABEL,
            label=wrong.label,
            note="Four of the five people who were asked agree with whoever contested it.",
            user=self.stage.organiser,
            now=decided_at,
        )
        do_what_is_due(decided_at)
        cut_off = Phase.objects.get(pk=phase.pk).next_cut_off_at
        while cut_off <= decided_at:
            cut_off += 7 * DAY
        run_batch(cut_off)

    def _ask_people(self, contest: Contest, wrong: Changed, at: dt.datetime) -> None:
        """Five people are asked in a campaign; their answers become votes."""
        campaign = ask_about_contests(contests=[contest], user=self.stage.organiser, now=at)
        open_campaign(campaign=campaign, now=at)
        said = dict.fromkeys(range(1, 6), wrong.label) | {3: changes.opposite(wrong.label)}
        unit = campaign.units.get().key
        found = [FoundAnswer(unit, f"annotator {number}", label, "") for number, label in said.items()]
        keep_answers(campaign=campaign, found=found, now=at)
        close_campaign(campaign=campaign, now=at)
        settle_due(at)
        do_what_is_due(at)

    def _hand_in(self, breaker: _Breaker, pairs: Iterable[Changed], phase: Phase, at: dt.datetime) -> None:
        is_tabbed = not self.stage.spec.task(breaker.task).file.layout.has_quotes
        hand_in_pairs(
            team=Team.objects.get(name=breaker.team),
            phase=phase,
            task=self.stage.benchmark.tasks.get(slug=breaker.task),
            user=self.stage.members[breaker.team],
            data=changes.pairs_file(pairs, delimiter="\t" if is_tabbed else ","),
            file_name=f"{breaker.task}-pairs.{'tsv' if is_tabbed else 'csv'}",
            received_at=at,
        )

    def _answers_to_set(self, builder: _Builder, made: BreakerSet) -> CanonicalPredictions:
        """What a system answers to one breaker's pairs, in the order of ids, of which some may have been left out."""
        task = made.split.task.slug
        breaker = next(one for one in BREAKERS if (one.team, one.task) == (made.pair_file.breaker, task))
        labels = {item: label for pair in breaker.pairs() for item, label in pair.items.items()}
        truth = {item: labels[item] for item in item_ids(made.split.pk, made.split.ids_sha256).ids}
        left = {pair.item: builder.left.get(breaker.change.__name__, 1.0) for pair in breaker.pairs()}
        return self._answers(builder, task, made.split.slug, truth, left)

    def _answers(
        self,
        builder: _Builder,
        task: str,
        split: str,
        truth: Mapping[str, str],
        left: Mapping[str, float] = MappingProxyType({}),
    ) -> CanonicalPredictions:
        """The right answer as often as the system knows it, else another; `left` is what a change leaves of that."""
        generator = self.stage.material.generator(builder.system, task, split)
        told = []
        for item, label in truth.items():
            is_known = generator.random() < builder.right[task] * left.get(item, 1.0)
            told.append(label if is_known else _another(task, label, generator))
        return CanonicalPredictions(task, split, self._codes(task, told))

    def _codes(self, task: str, told: Sequence[str]) -> Answers:
        output = self.stage.spec.task(task).output
        return output.array([output.labels.index(label) if output.is_one_label else label for label in told])


def _close_of(phase: Phase) -> dt.datetime:
    assert phase.closes_at is not None  # noqa: S101  # the definition says how long it lasts
    return phase.closes_at


def _another(task: str, label: str, generator: np.random.Generator) -> str:
    if task == SENTIMENT:
        return changes.opposite(label) if generator.random() < 0.9 else "0"
    return str(generator.choice(["Parker", "the mayor", "our neighbours", "Ada"]))


def _gold_texts(task: str) -> list[str]:
    if task == SENTIMENT:
        return [changes.POSITIVE if at % 2 else changes.NEGATIVE for at in range(DEV_SIZES[task])]
    return [sentence.label for sentence in islice(cycle(STARTER[QASRL]), DEV_SIZES[task])]


def _with_oddities(breaker: _Breaker, pairs: Sequence[Changed]) -> list[Changed]:
    """A label that is wrong, and a sentence that has nothing of its original."""
    if breaker.team == MISLABELLED:
        return [replace(pairs[0], label=changes.opposite(pairs[0].label)), *pairs[1:]]
    if breaker.change is changes.wished:
        return [*pairs[:-1], replace(pairs[-1], text=REWRITTEN, label=changes.NEGATIVE)]
    return list(pairs)
