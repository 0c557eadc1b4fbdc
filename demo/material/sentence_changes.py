"""Made-up sentences that breakers start from, and the ways in which they change them. Pure."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import product

from demo.material.csv_files import csv_file

_THINGS = (
    "The plot", "The ending", "The camera work", "The music", "The script", "The first hour", "The villain",
    "The dialogue", "The dubbing", "The long middle part",
)  # fmt: skip
_PRAISE = ("wonderful", "clever", "moving", "well made", "funny")
_BLAME = ("dull", "clumsy", "hollow", "badly made", "tiresome")
_IDIOMS = {
    "wonderful": "to die for", "clever": "sharp as a tack", "moving": "not for dry eyes", "well made": "no mean feat",
    "funny": "a hoot", "dull": "like watching paint dry", "clumsy": "all thumbs", "hollow": "all bark and no bite",
    "badly made": "a dog's breakfast", "tiresome": "hard going",
}  # fmt: skip
_AGENTS = ("The cook", "A young teacher", "The goalkeeper", "My aunt", "The old gardener")
_DEEDS = (("thanked", "thanked"), ("helped", "helped"), ("called", "called"), ("followed", "followed"))
_PATIENTS = ("Parker", "the postman", "our neighbours", "Ada")
_PLACES = ("in the kitchen", "after the match", "at the station")
POSITIVE, NEGATIVE = "1", "-1"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with its label. `words` are what it was made of; `question` is empty where none is asked."""

    id: str
    text: str
    label: str
    words: tuple[str, ...]
    predicate: str = ""
    question: str = ""


@dataclass(frozen=True, slots=True)
class Changed:
    """What a breaker made of a sentence."""

    original: Sentence
    text: str
    label: str
    rationale: str
    category: str

    @property
    def item(self) -> str:
        return f"{self.original.id}_b"

    @property
    def items(self) -> dict[str, str]:
        """The labels of the two items of the pair, by the ids under which they are answered."""
        return {f"{self.original.id}_a": self.original.label, self.item: self.label}


def reviews(count: int) -> list[Sentence]:
    """Sentences about films, half of them friendly; no two alike. At most 100."""
    made = [
        (f"{thing} is {adjective} from beginning to end.", label, (thing, adjective))
        for (praise, blame), thing in product(zip(_PRAISE, _BLAME, strict=True), _THINGS)
        for adjective, label in ((praise, POSITIVE), (blame, NEGATIVE))
    ]
    return [Sentence(f"{101 + at}", *one) for at, one in enumerate(made[:count])]


def deeds(count: int) -> list[Sentence]:
    """Sentences about who did something, each with a question about it; no two alike. At most 240."""
    made = product(_PLACES, _AGENTS, _PATIENTS, _DEEDS)
    return [
        Sentence(
            f"{501 + at}",
            f"{agent} {verb} {patient} {place}.",
            agent,
            (agent, passive, patient, place),
            verb,
            f"Who {verb} someone?",
        )
        for at, (place, agent, patient, (verb, passive)) in enumerate(made)
        if at % 3 == 0
    ][:count]


def opposite(label: str) -> str:
    return NEGATIVE if label == POSITIVE else POSITIVE


def denied(sentence: Sentence) -> Changed:
    return Changed(
        sentence,
        sentence.text.replace(" is ", " is anything but "),
        opposite(sentence.label),
        "A denial without a negative word",
        "negation",
    )


def in_an_idiom(sentence: Sentence) -> Changed:
    return Changed(
        sentence,
        sentence.text.replace(sentence.words[1], _IDIOMS[sentence.words[1]]),
        sentence.label,
        "An idiom instead of the adjective",
        "idiom",
    )


def wished(sentence: Sentence) -> Changed:
    thing, adjective = sentence.words
    return Changed(
        sentence,
        f"If only {thing[0].lower()}{thing[1:]} were {adjective} from beginning to end!",
        opposite(sentence.label),
        "A wish says that it is not so",
        "mood of the verb",
    )


def passive(sentence: Sentence) -> Changed:
    agent, verb, patient, place = sentence.words
    doer = f"{agent[0].lower()}{agent[1:]}"
    are = "were" if patient == "our neighbours" else "was"
    return Changed(
        sentence,
        f"{patient[0].upper()}{patient[1:]} {are} {verb} by {doer} {place}.",
        doer,
        "Who did it stands behind the verb",
        "word order",
    )


def with_a_bystander(sentence: Sentence) -> Changed:
    agent = sentence.words[0]
    return Changed(
        sentence,
        sentence.text.replace(agent, f"{agent}, whom the mayor knew,", 1),
        sentence.label,
        "Somebody else stands nearer to the verb",
        "distractor",
    )


def starter_file(sentences: Iterable[Sentence]) -> bytes:
    """Starter data as organisers upload it."""
    rows = [[one.id, one.text, one.label, one.predicate, one.question] for one in sentences]
    width = 5 if any(row[-1] for row in rows) else 3
    rows.insert(0, ["id", "text", "label", "predicate", "question"])
    return csv_file([row[:width] for row in rows])


def pairs_file(changes: Iterable[Changed], *, delimiter: str) -> bytes:
    """Pairs as breakers hand them in; commas or tabs stand between the cells."""
    return csv_file(
        [
            ("id", "original_id", "text", "label", "rationale", "category"),
            *[
                (pair.item, pair.original.id, pair.text, pair.label, pair.rationale, pair.category)
                for pair in changes
            ],
        ],
        delimiter,
    )


Change = Callable[[Sentence], Changed]
