"""Who plays in the demo: teams, systems and what each of them sends in which week. All of it is made up."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

WEEKS = 7  # past cut-offs, each with its release; week number WEEKS is the one that is open now
ORGANISERS = "Demo Organisers"

ORGANISER_EMAIL = "organiser@example.org"
PARTICIPANT_EMAILS = ("north@example.org", "harbour@example.org")


@dataclass(frozen=True, slots=True)
class DemoTeam:
    """A team and its one member. `signs_in`: the account has a password and is printed by `make demo`."""

    name: str
    email: str
    signs_in: bool = False
    timezone: str = "UTC"


@dataclass(frozen=True, slots=True)
class DemoSystem:
    """A system. `skills` maps a week to what the upload of that week is worth, from 0 (guesses) to 1."""

    name: str
    team: str
    skills: dict[int, float]
    description: str
    tags: tuple[str, ...] = ()
    only_task: str | None = None
    is_baseline: bool = False

    def skill(self, week: int) -> float:
        """What it is worth in that week; where it sends nothing, what it was worth before."""
        return self.skills[max(known for known in self.skills if known <= week)]


class Happening(StrEnum):
    """What else goes on, so that the pages of a team have something to show."""

    CUT_SHORT = "cut_short"  # an upload whose first file breaks off: refused
    WITHDRAWN = "withdrawn"  # a published system is taken back


@dataclass(frozen=True, slots=True)
class DemoEvent:
    """Something that happens to a system in a week."""

    week: int
    system: str
    happening: Happening


TEAMS = (
    DemoTeam(ORGANISERS, ORGANISER_EMAIL, signs_in=True),
    DemoTeam("Demo Team North", PARTICIPANT_EMAILS[0], signs_in=True, timezone="Europe/Berlin"),
    DemoTeam("Demo Team Harbour", PARTICIPANT_EMAILS[1], signs_in=True, timezone="America/New_York"),
    DemoTeam("Demo Team South", "south@example.org"),
    DemoTeam("Demo Team Meadow", "meadow@example.org"),
    DemoTeam("Demo Team Hill", "hill@example.org"),
    DemoTeam("Demo Team Island", "island@example.org"),
)

SYSTEMS = (
    DemoSystem(
        "Most frequent label",
        ORGANISERS,
        {0: 0.0},
        "Gives every item of a task its commonest label.",
        is_baseline=True,
    ),
    DemoSystem(
        "Siskin",
        "Demo Team North",
        {0: 0.30, 2: 0.47, 4: 0.66, 6: 0.81},
        "Retrieves similar training examples for each item and asks a language model.",
        ("few-shot", "retrieval"),
    ),
    DemoSystem(
        "Larch",
        "Demo Team North",
        {1: 0.24, 3: 0.52, WEEKS: 0.74},
        "Fine-tuned sentence encoder with a linear head per task.",
        ("fine-tuned", "open weights"),
    ),
    DemoSystem(
        "Dunlin",
        "Demo Team Harbour",
        {0: 0.22, 1: 0.41, 3: 0.58, 5: 0.77, WEEKS: 0.93},
        "Vote of five prompts; the wording was chosen on the training examples.",
        ("few-shot", "ensemble"),
    ),
    DemoSystem(
        "Sorrel",
        "Demo Team Harbour",
        {4: 0.86},
        "Trained on synthetic examples that a larger model wrote.",
        ("synthetic data",),
    ),
    DemoSystem(
        "Juniper",
        "Demo Team South",
        {0: 0.37, 5: 0.63},
        "Instruction-tuned model, one prompt for all tasks.",
        ("zero-shot",),
    ),
    DemoSystem(
        "Fieldfare",
        "Demo Team South",
        {2: 0.61, 6: 0.70},
        "Small encoder, contrastive training on label descriptions.",
        ("open weights",),
    ),
    DemoSystem(
        "Hornbeam",
        "Demo Team Meadow",
        {1: 0.04, 6: 0.15},
        "Bag of words with logistic regression.",
        ("classical",),
    ),
    DemoSystem(
        "Wagtail",
        "Demo Team Meadow",
        {3: 0.71, WEEKS: 0.79},
        "Mixture of a retrieval and a prompting system.",
        ("few-shot", "retrieval", "ensemble"),
    ),
    DemoSystem(
        "Rowan",
        "Demo Team Hill",
        {0: 0.02, 2: 0.16, 5: 0.34},
        "Gradient boosting on character n-grams.",
        ("classical",),
    ),
    DemoSystem(
        "Goldcrest",
        "Demo Team Hill",
        {5: 0.99},
        "Large model with examples chosen per item; every answer is checked twice.",
        ("few-shot", "retrieval"),
    ),
    DemoSystem(
        "Plover",
        "Demo Team Island",
        {4: 0.90},
        "Made for one task alone.",
        ("fine-tuned",),
        only_task="overruling",
    ),
    DemoSystem(
        "Heron",
        "Demo Team Island",
        {2: 0.55},
        "Taken back by its team: the training data held test items.",
        ("fine-tuned",),
    ),
)

EVENTS = (
    DemoEvent(4, "Heron", Happening.WITHDRAWN),
    DemoEvent(5, "Siskin", Happening.CUT_SHORT),
    DemoEvent(WEEKS, "Dunlin", Happening.CUT_SHORT),
)

# The macro F1 that skill 1 reaches: tasks differ in how hard they are.
CEILINGS = {
    "ade_corpus_v2": 0.83,
    "banking_77": 0.70,
    "neurips_impact_statement_risks": 0.86,
    "one_stop_english": 0.70,
    "overruling": 0.96,
    "semiconductor_org_types": 0.91,
    "systematic_review_inclusion": 0.62,
    "tai_safety_research": 0.77,
    "terms_of_service": 0.71,
    "tweet_eval_hate": 0.74,
    "twitter_complaints": 0.90,
}

TASKS_WITH_CLASS_COUNTS = ("overruling",)


def system(name: str) -> DemoSystem:
    """The system of that name."""
    return next(one for one in SYSTEMS if one.name == name)
