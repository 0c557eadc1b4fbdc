"""Who plays in the demo: teams and systems. All of them are made up, and so is what each system sends."""

from dataclasses import dataclass, field

from catalogue.declared_facts import DeclaredFacts

ORGANISERS = "Demo Organisers"

ORGANISER_EMAIL = "organiser@example.org"
ANNOTATOR_EMAIL = "annotator@example.org"
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
    """A system; it may take part in several benchmarks."""

    name: str
    team: str
    description: str
    tags: tuple[str, ...] = ()
    facts: DeclaredFacts = field(default_factory=DeclaredFacts)


TEAMS = (
    DemoTeam(ORGANISERS, ORGANISER_EMAIL, signs_in=True),
    DemoTeam("Demo Team North", PARTICIPANT_EMAILS[0], signs_in=True, timezone="Europe/Berlin"),
    DemoTeam("Demo Team Harbour", PARTICIPANT_EMAILS[1], signs_in=True, timezone="America/New_York"),
    DemoTeam("Demo Team South", "south@example.org"),
    DemoTeam("Demo Team Meadow", "meadow@example.org"),
    DemoTeam("Demo Team Hill", "hill@example.org"),
    DemoTeam("Demo Team Island", "island@example.org"),
    DemoTeam("Demo Team Lagoon", "lagoon@example.org"),
    DemoTeam("Demo Team Orchard", "orchard@example.org"),
    DemoTeam("Demo Team Prairie", "prairie@example.org"),
    DemoTeam("Demo Team Delta", "delta@example.org"),
)

_SYSTEMS = (
    DemoSystem(
        "Siskin",
        "Demo Team North",
        "Retrieves similar training examples for each item and asks a language model.",
        ("few-shot", "retrieval"),
        DeclaredFacts(examples=50),
    ),
    DemoSystem(
        "Larch",
        "Demo Team North",
        "Fine-tuned sentence encoder with a linear head per task.",
        ("fine-tuned",),
        DeclaredFacts(335_000_000, "open", "given", 0.4, examples=1_000),
    ),
    DemoSystem(
        "Dunlin",
        "Demo Team Harbour",
        "Vote of five prompts; the wording was chosen on the training examples.",
        ("few-shot", "ensemble"),
        DeclaredFacts(70_000_000_000, "open", "given", 38.0),
    ),
    DemoSystem(
        "Sorrel",
        "Demo Team Harbour",
        "Trained on synthetic examples that a larger model wrote.",
        ("synthetic data",),
    ),
    DemoSystem(
        "Juniper",
        "Demo Team South",
        "Instruction-tuned model, one prompt for all tasks.",
        ("zero-shot",),
    ),
    DemoSystem(
        "Fieldfare",
        "Demo Team South",
        "Small encoder, contrastive training on label descriptions.",
        ("contrastive",),
        DeclaredFacts(110_000_000, "open", "given", 0.1),
    ),
    DemoSystem(
        "Hornbeam",
        "Demo Team Meadow",
        "Bag of words with logistic regression.",
        ("classical",),
    ),
    DemoSystem(
        "Wagtail",
        "Demo Team Meadow",
        "Mixture of a retrieval and a prompting system.",
        ("few-shot", "retrieval", "ensemble"),
        DeclaredFacts(13_000_000_000, "open", "further", 9.5),
    ),
    DemoSystem(
        "Rowan",
        "Demo Team Hill",
        "Gradient boosting on character n-grams.",
        ("classical",),
    ),
    DemoSystem(
        "Goldcrest",
        "Demo Team Hill",
        "Large model with examples chosen per item; every answer is checked twice.",
        ("few-shot", "retrieval"),
        DeclaredFacts(None, "closed", "given", 412.0),
    ),
    DemoSystem(
        "Plover",
        "Demo Team Island",
        "Made for one task or one language alone.",
        ("fine-tuned",),
    ),
    DemoSystem(
        "Heron",
        "Demo Team Island",
        "Taken back by its team: the training data held test items.",
        ("fine-tuned",),
    ),
    DemoSystem(
        "Curlew",
        "Demo Team Lagoon",
        "Word embeddings trained on Arabic posts, with a recurrent network on top.",
        ("fine-tuned", "Arabic"),
    ),
    DemoSystem(
        "Medlar",
        "Demo Team Orchard",
        "One classifier per label, chained in the order of how often labels occur together.",
        ("classical", "multi-label"),
        DeclaredFacts(2_500_000, "open", "given", 0.0),
    ),
    DemoSystem(
        "Harrier",
        "Demo Team Prairie",
        "Support vector regression on affect lexicons.",
        ("classical", "lexicons"),
        DeclaredFacts(32_000_000_000, "open", "given", 21.0),
    ),
    DemoSystem(
        "Teal",
        "Demo Team Delta",
        "Multilingual encoder, trained on all three languages at once.",
        ("fine-tuned", "multilingual"),
    ),
)

SYSTEMS = {system.name: system for system in _SYSTEMS}
