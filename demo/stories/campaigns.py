"""People answer in the demo: campaigns that are over, with what came of them, and open ones for whoever visits."""

import datetime as dt
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

import numpy as np

from accounts.models import User
from accounts.sign_in.addresses import confirm_address
from benchmarks.models import Attack, Benchmark
from benchmarks.people.models import Role
from benchmarks.people.services import give_role
from demo import cast
from demo.material.feelings import ANGER, CLASSES_OF_ANGER, EMOTIONS, NEUTRAL, TWEETS, anger_of, emotions_of
from demo.material.reviews import CATEGORIES, LABELS, reviews
from labelling.core.answer_files import FoundAnswer
from labelling.core.answers import Value
from labelling.core.questions.question import CampaignQuestion, Option
from labelling.core.tuples import balanced_tuples
from labelling.models import Campaign, Unit
from labelling.outcomes.settling import settle_due
from labelling.predictors.asking import train_due
from labelling.predictors.teaching import teach
from labelling.units.from_attack import units_from_attack
from labelling.units.from_prompts import units_from_prompts
from labelling.units.from_scores import BORDER, units_from_scores
from labelling.units.from_split import units_from_split
from labelling.units.new_units import NewUnit, store_units
from labelling.work.campaigns import close_campaign, open_campaign
from labelling.work.imports import keep_answers
from scoring.gold.alignment import opened_version
from scoring.item_sets.texts import TEST
from scoring.models import GoldVersion

DAY = dt.timedelta(days=1)
HUMAN_TASKS = ("arc", "snopes")
ANGER_CLASSES = "EI-oc-en-anger"
WORDS = {"positive": "Positive", "negative": "Negative", "neutral": "No sentiment", "mixed": "Mixed"}
GLOSSES = {
    "positive": "The writer likes what the sentence is about.",
    "negative": "The writer does not like it.",
    "neutral": "The sentence says nothing of like or dislike.",
    "mixed": "It says something of both.",
}
SENTIMENT = CampaignQuestion(
    "one_label",
    "What does the sentence say about how its writer feels?",
    tuple(Option(label, WORDS[label], GLOSSES[label]) for label in CATEGORIES),
)
MOST_ANGRY = CampaignQuestion(
    "best_worst", "Which of these four writers is the most angry, and which the least?"
)
WHICH_EMOTIONS = CampaignQuestion(
    "several_labels",
    "Which of these emotions does the writer show?",
    (
        *(Option(emotion, emotion.capitalize(), gloss) for emotion, gloss in EMOTIONS.items()),
        Option(NEUTRAL, "Neutral or no emotion", alone=True),
    ),
)
CORRECT = CampaignQuestion(
    "yes_no",
    "Does the changed text still say the same, in English that a reader understands?",
    wants_reason=True,
)


def tell(
    members: Mapping[str, User], told: Sequence[str], *, password: str, now: dt.datetime, seed: int
) -> None:
    """Let the campaigns of these benchmarks happen. Somebody may label in all of them."""
    annotator = User.objects.create_user(cast.ANNOTATOR_EMAIL, password, name="Demo annotator")
    confirm_address(annotator)
    stories: dict[str, Callable[[_Floor], None]] = {
        "ait2018": _feelings,
        "stance": _stance,
        "dynasent": _round,
    }
    for slug in told:
        if slug in stories:
            benchmark = Benchmark.objects.get(pk=slug)
            give_role(benchmark=benchmark, user=annotator, role=Role.ANNOTATOR)
            stories[slug](_Floor(benchmark, members[cast.ORGANISERS], now, seed))
    settle_due(now)


class _Floor:
    """One benchmark's campaigns, and people who answer them."""

    def __init__(self, benchmark: Benchmark, organiser: User, now: dt.datetime, seed: int) -> None:
        self.benchmark, self.now = benchmark, now
        self.lot = Random(seed)  # noqa: S311  # made-up answers
        self._organiser, self._seed = organiser, seed

    def begin(self, title: str, question: CampaignQuestion, at: dt.datetime, **values: Any) -> Campaign:
        return Campaign.objects.create(
            benchmark=self.benchmark,
            title=title,
            question=question.as_json(),
            made_by=self._organiser,
            made_at=at,
            order_seed=self._seed,
            **values,
        )

    def open(self, campaign: Campaign, units: Sequence[NewUnit], at: dt.datetime) -> None:
        if units:
            store_units(campaign=campaign, units=units)
        open_campaign(campaign=campaign, now=at)

    def answer(
        self, campaign: Campaign, people: int, say: Callable[[Unit, str], tuple[Value, str]], at: dt.datetime
    ) -> None:
        """Every unit is answered by as many of `people` as it wants, drawn at random."""
        names = [f"demo-{number:02}" for number in range(1, people + 1)]
        found = []
        for unit in campaign.units.filter(part=Unit.Part.MAIN):
            for name in self.lot.sample(names, campaign.answers_wanted):
                value, note = say(unit, name)
                found.append(FoundAnswer(unit.key, name, value, note))
        keep_answers(campaign=campaign, found=found, now=at)


def _feelings(floor: _Floor) -> None:
    _cut_points(floor, _best_and_worst(floor))
    _emotions(floor)


def _emotions(floor: _Floor) -> None:
    """Seven people say which emotions made-up tweets show; what more than a quarter of them say holds."""
    began = floor.now - 8 * DAY
    campaign = floor.begin(
        "Emotions in tweets",
        WHICH_EMOTIONS,
        began,
        purpose="answers",
        rule="ag2",
        answers_wanted=7,
        is_sealed=False,
        guidelines="Choose every emotion that the words show. Irony counts by what is meant.",
        pay_note="Nobody is paid: this is a demonstration.",
    )
    texts = {f"tweet-{number:02}": text for number, text in enumerate(TWEETS, start=1)}
    units = [NewUnit(name, (name,), [[("tweet", text)]]) for name, text in texts.items()]
    floor.open(campaign, units, began)

    def say(unit: Unit, name: str) -> tuple[Value, str]:
        shown = emotions_of(unit.items[0])
        chosen = [each for each in EMOTIONS if floor.lot.random() < (0.85 if each in shown else 0.06)]
        return tuple(chosen) or (NEUTRAL,), ""

    floor.answer(campaign, 15, say, began + 2 * DAY)
    close_campaign(campaign=campaign, now=began + 3 * DAY)


def _cut_points(floor: _Floor, scored: Campaign) -> None:
    """Five people say where the classes of anger begin on the scores of a campaign that is over."""
    task = floor.benchmark.tasks.filter(slug=ANGER_CLASSES).first()
    if task is None or not scored.closed_at:
        return
    began = scored.closed_at
    settle_due(began)
    campaign = floor.begin(
        "Classes of anger",
        CampaignQuestion("number", "Where does the class begin?"),
        began,
        purpose="ordinal_classes",
        task=task,
        after=scored,
        rule="",
        answers_wanted=5,
        is_sealed=False,
        guidelines=CLASSES_OF_ANGER,
        pay_note="Nobody is paid: this is a demonstration.",
    )
    units_from_scores(campaign=campaign)
    floor.open(campaign, (), began)

    def say(unit: Unit, name: str) -> tuple[Value, str]:
        begins = 0.05 + 0.25 * int(unit.source[BORDER]["class"])
        return round(begins + floor.lot.gauss(0, 0.03), 2), ""

    floor.answer(campaign, 5, say, began + DAY)
    close_campaign(campaign=campaign, now=began + 2 * DAY)


def _best_and_worst(floor: _Floor) -> Campaign:
    """Anger in made-up tweets: one campaign is over, and returned; another waits for visitors."""
    began = floor.now - 9 * DAY
    common: dict[str, Any] = {
        "purpose": "answers",
        "rule": "best_worst_counts",
        "answers_wanted": 4,
        "is_sealed": False,
        "guidelines": ANGER,
        "pay_note": "Nobody is paid: this is a demonstration.",
    }
    over = floor.begin("Anger in tweets", MOST_ANGRY, began, **common)
    floor.open(over, [*_tuples(range(len(TWEETS)), floor.lot)], began)

    def say(unit: Unit, name: str) -> tuple[Value, str]:
        felt = sorted(unit.items, key=lambda item: anger_of(item) + floor.lot.gauss(0, 0.16))
        return (felt[-1], felt[0]), ""

    floor.answer(over, 24, say, began + 5 * DAY)
    close_campaign(campaign=over, now=began + 6 * DAY)
    waiting = floor.begin("Anger in tweets, to try", MOST_ANGRY, began + DAY, **common)
    floor.open(waiting, [*_tuples(range(0, len(TWEETS), 2), floor.lot)], began + DAY)
    return over


def _tuples(numbers: range, lot: Random) -> Iterator[NewUnit]:
    names = [f"tweet-{number + 1:02}" for number in numbers]
    texts = {name: TWEETS[number] for name, number in zip(names, numbers, strict=True)}
    for place, shown in enumerate(balanced_tuples(names, lot), start=1):
        yield NewUnit(f"set-{place:03}", shown, [[("tweet", texts[name])] for name in shown])


def _stance(floor: _Floor) -> None:
    for task in HUMAN_TASKS:
        _people_on_a_sample(floor, task)
    _attacks(floor)


def _attacks(floor: _Floor) -> None:
    """Two people say of samples of the paraphrases whether they are correct."""
    began = floor.now - 20 * DAY
    attack = Attack.objects.filter(benchmark=floor.benchmark, slug="paraphrase").first()
    if attack is None:
        return
    campaign = floor.begin(
        "Are the paraphrases correct?",
        CORRECT,
        began,
        purpose="correct_share",
        attack=attack,
        rule="share_of_yes",
        answers_wanted=2,
        is_sealed=False,
        guidelines="Say **yes** where the second text means what the first one does and reads as English.",
    )
    units_from_attack(campaign=campaign, sample=25)
    floor.open(campaign, (), began)
    is_right = {unit.key: floor.lot.random() < 0.5 for unit in campaign.units.all()}

    def say(unit: Unit, name: str) -> tuple[Value, str]:
        agrees = floor.lot.random() < 0.85
        said = is_right[unit.key] if agrees else not is_right[unit.key]
        return said, "" if said else "It says something else."

    floor.answer(campaign, 2, say, began + DAY)
    close_campaign(campaign=campaign, now=began + 2 * DAY)


def _people_on_a_sample(floor: _Floor, slug: str) -> None:
    """Five people answer a sample of a task's test set, and boards show how well they do."""
    began = floor.now - 24 * DAY
    task = floor.benchmark.tasks.get(slug=slug)
    labels = task.spec.output.labels
    campaign = floor.begin(
        f"How well do people do? {task.title}",
        CampaignQuestion("one_label", task.spec.summary, tuple(Option(label, label) for label in labels)),
        began,
        purpose="human_row",
        task=task,
        split_slug=TEST,
        rule="plurality",
        row_name="People (made up)",
        answers_wanted=5,
    )
    units_from_split(campaign=campaign, sample=40)
    floor.open(campaign, (), began)
    split = task.splits.get(slug=TEST)
    _, gold = opened_version(GoldVersion.objects.current().get(split=split).pk)
    right = dict(zip(gold.ids, task.spec.output.gold.texts(gold.codes), strict=True))

    def say(unit: Unit, name: str) -> tuple[Value, str]:
        return (right[unit.items[0]] if floor.lot.random() < 0.35 else floor.lot.choice(labels)), ""

    floor.answer(campaign, 12, say, began + DAY)
    close_campaign(campaign=campaign, now=began + 2 * DAY)


def _round(floor: _Floor) -> None:
    _sentences(floor)
    _texts_that_fool(floor)


def _texts_that_fool(floor: _Floor) -> None:
    """Visitors write sentences that a model, which is trained here on made-up reviews, takes for something else."""
    began = floor.now - 2 * DAY
    labels = [label for label in LABELS for _ in range(40)]
    lessons = reviews([str(number) for number in range(len(labels))], labels, np.random.default_rng(7))
    options = tuple(Option(label, WORDS[label], GLOSSES[label]) for label in LABELS)
    campaign = floor.begin(
        "Fool the model",
        CampaignQuestion("writing", "Write a sentence that the model takes for something else", options),
        began,
        purpose="collection",
        rule="",
        answers_wanted=1,
        is_sealed=False,
        guidelines="It must be about a place to eat or to stay, and a person must see at once how its writer feels.",
    )
    prompts = [
        f"{place} {saying}."
        for place in ("The room", "The terrace", "Our table", "The breakfast", "The lift")
        for saying in (
            "was clean",
            "was closed when we came",
            "is near the station",
            "cost more than we thought",
        )
    ]
    units_from_prompts(campaign=campaign, prompts=prompts, without_prompt=10)
    rows = [(one.sentence, str(one.label)) for one in lessons]
    teach(campaign=campaign, rows=rows, file_name="made-up-reviews.csv", now=began)
    train_due(began)
    floor.open(campaign, (), began)


def _sentences(floor: _Floor) -> None:
    """Sentences that visitors may validate, ten on a page."""
    began = floor.now - 2 * DAY
    labels = [label if label != "mixed" else None for label in CATEGORIES] * 10
    ids = [f"say-{number:02}" for number in range(1, len(labels) + 1)]
    made = reviews(ids, labels, np.random.default_rng(floor.lot.getrandbits(32)))
    campaign = floor.begin(
        "Sentences about places",
        SENTIMENT,
        began,
        purpose="answers",
        rule="majority",
        answers_wanted=5,
        page_size=10,
        is_sealed=False,
        guidelines="Judge what the sentence says, not what you think of the place.",
    )
    floor.open(campaign, [NewUnit(one.id, (one.id,), [[("sentence", one.sentence)]]) for one in made], began)
