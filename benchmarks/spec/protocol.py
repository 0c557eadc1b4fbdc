"""What a benchmark's protocol has beside its tasks: attacks, tracks, fact sheets and boards."""

from collections.abc import Sequence
from dataclasses import dataclass

OVERALL = "overall"
"""The id of the board at a benchmark's own address."""
ATTACK_BOARDS, TRACK_BOARD = ("attacks", "resilience", "potency"), "tracks"
ATTACK_MEASURES = ("resilience", "relative_resilience", "potency", "raw_potency")
"""What may be reported of attacks: the first two of systems, the others of the attacks themselves."""
PAIR_BOARDS = ("builders", "breakers", "matrix")
"""What the ids of the boards of a task with minimal pairs begin with."""


@dataclass(frozen=True, slots=True)
class Titled:
    """A part of a definition that is called by its id and shown by its title."""

    id: str
    title: str


@dataclass(frozen=True, slots=True)
class AttackSpec(Titled):
    """A way of perturbing test texts.

    `correct_share` (c_a, in 0..1) is the share of samples that it transforms correctly; None while nobody has
    determined it.
    """

    correct_share: float | None = None


@dataclass(frozen=True, slots=True)
class TrackSpec(Titled):
    """What part of the training data (`share`, in 0..1) the systems of a track have seen."""

    share: float


@dataclass(frozen=True, slots=True)
class BreakRuleSpec:
    """What breaker teams' minimal pairs are held against.

    Pairs that change more than `largest_token_share` (in 0..1) of the tokens, or take more than `largest_token_edits`,
    wait for the organiser; None sets no limit. `from_scratch` allows originals of a team's own making. `categories` are
    the kinds of changes that a pair may name; none of them: it names its kind in words of its own.
    """

    largest_token_share: float | None = None
    largest_token_edits: int | None = None
    from_scratch: bool = False
    needs_rationale: bool = False
    categories: tuple[str, ...] = ()


LONGEST_CATEGORY = 60
"""Characters of the name of a kind of change."""
LONGEST_PAGE = 50_000
"""Characters of the text of a page about a benchmark."""
MOST_PAGES = 20
"""Pages about a benchmark that a definition may have."""
LONGEST_PAGE_TITLE = 80
ADVISORS = "advisors"
"""What a fact sheet calls its list of people who advise a team and need be no members; no other list has this id."""


@dataclass(frozen=True, slots=True)
class FactListSpec(Titled):
    """One question of the fact sheet: which of these options a system uses."""

    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WrittenPageSpec(Titled):
    """A page about the benchmark, such as its data or its timeline; `text` is Markdown."""

    text: str


@dataclass(frozen=True, slots=True)
class ColumnGroup:
    """Columns that stand under a common head.

    `columns` are ids of tasks and averages, each perhaps with a metric, as `round1:f1_neutral`. `metric` is the one
    of those that name none, empty for the primary metric of each task; an average is then the mean of that metric.
    `split` is empty for the test split. `heads` are short titles for some of the columns, under this common head.
    """

    title: str
    columns: tuple[str, ...]
    metric: str = ""
    heads: tuple[tuple[str, str], ...] = ()
    split: str = ""

    def asked(self, column: str) -> tuple[str, str]:
        """The id of the task or average that one of its columns shows, and the metric; empty for the primary one."""
        name, _, metric = column.partition(":")
        return name, metric or self.metric

    def key(self, column: str) -> str:
        return column_key(*self.asked(column), self.split)


@dataclass(frozen=True, slots=True)
class BoardSpec(Titled):
    """A board that the definition asks for. `axis` is the head under which links to it stand."""

    axis: str
    groups: tuple[ColumnGroup, ...]

    @property
    def parts(self) -> frozenset[str]:
        """The ids of the tasks and averages that its columns show."""
        return frozenset(group.asked(column)[0] for group in self.groups for column in group.columns)


@dataclass(frozen=True, slots=True)
class PublishedTable(Titled):
    """A table of a source that holds no systems of a board, such as the settings that its authors tried.

    `head` stands over the names of the rows, `heads` over the figures; each of `rows` is a name with its figures, which
    are shown to `decimals` places.
    """

    source: str
    head: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, tuple[float, ...]], ...]
    decimals: int = 3


@dataclass(frozen=True, slots=True)
class RoundSpec(Titled):
    """A stage of a benchmark that grows against the best systems: a task with dev and test.

    It is solved once a system reaches the human estimate of the task's primary metric on the test split.
    """

    task: str


@dataclass(frozen=True, slots=True)
class ReproducedFigure:
    """A printed figure of a reported row beside what our formula gives from the system's own files.

    `printed` is as the source has it, `ours` on the scale of the boards. `gold` and `predictions` name the files, each
    a path in the folder of the case or empty; of a human estimate, `gold` holds the responses.
    """

    system: str
    column: str
    printed: float
    ours: float
    gold: str = ""
    predictions: str = ""


@dataclass(frozen=True, slots=True)
class ReproductionSpec:
    """Whether a published table comes out of the systems' own files.

    A printed figure agrees where it is `unit` times ours, give or take `within`. `scale` says what the printed figures
    count where boards count something else, `because` why figures differ; empty where all agree. `case` is the folder
    of the files among the cases; they are no part of the project.
    """

    of: str
    figures: tuple[ReproducedFigure, ...]
    unit: float
    within: float
    scale: str = ""
    because: str = ""
    case: str = ""

    def agrees(self, figure: ReproducedFigure) -> bool:
        """Whether a figure is printed as our formula has it."""
        return abs(figure.ours * self.unit - figure.printed) <= self.within + ROUNDING

    @property
    def sentence(self) -> str:
        """What boards with one of the columns say.

        >>> figure = ReproducedFigure("Reference", "overall", printed=52.8, ours=0.652)
        >>> ReproductionSpec("Table 1", (figure,), unit=100, within=0.05, because="Why is unknown.").sentence
        'Not reproduced from the published files: Table 1 (1 of 1 figure differs). Why is unknown.'
        """
        count = len(self.figures)
        figures = f"{count} figure{'' if count == 1 else 's'}"
        differing = count - sum(map(self.agrees, self.figures))
        if differing:
            differ = "differs" if differing == 1 else "differ"
            what = f"{self.of} ({differing} of {figures} {differ})"
            return f"Not reproduced from the published files: {what}. {self.because}"
        what = f"{self.of} ({figures}, to within {self.within:g})"
        return f"Reproduced from the published files: {what}. {self.scale}".rstrip()


ROUNDING = 1e-9
"""So that a difference of exactly `within` agrees."""


def boards_anyway(
    attacks: Sequence[AttackSpec], tracks: Sequence[TrackSpec], paired: Sequence[str] = ()
) -> list[str]:
    """Ids of the boards that a benchmark has without declaring them, beside those of its tasks.

    `paired` are the ids of the tasks whose items come in minimal pairs.

    >>> boards_anyway([AttackSpec("typos", "Typos")], [])
    ['overall', 'attacks', 'resilience', 'potency', 'attack-typos']
    """
    return [OVERALL, *attack_boards(attacks), *track_boards(tracks), *pair_boards(paired)]


def attack_boards(attacks: Sequence[AttackSpec]) -> list[str]:
    return [*ATTACK_BOARDS, *(f"attack-{attack.id}" for attack in attacks)] if attacks else []


def track_boards(tracks: Sequence[TrackSpec]) -> list[str]:
    """Ids of the boards about shares of the training data: all of them together, and each but the whole."""
    return [TRACK_BOARD, *(f"{OVERALL}-{track.id}" for track in tracks[1:])] if len(tracks) > 1 else []


def pair_boards(paired: Sequence[str]) -> list[str]:
    return [f"{board}-{task}" for task in paired for board in PAIR_BOARDS]


def column_key(column: str, metric: str = "", split: str = "") -> str:
    """How a board calls the column of a task or average, of its primary metric and test split unless others are named.

    >>> column_key("EI-reg-en", "pearson_gold_ge_0.5")
    'EI-reg-en:pearson_gold_ge_0.5'
    >>> column_key("round1", "f1_neutral", "dev")
    'round1@dev:f1_neutral'
    """
    place = f"{column}@{split}" if split else column
    return f"{place}:{metric}" if metric else place


@dataclass(frozen=True, slots=True)
class AveragePart:
    """What an average is made of: the first metric of a task or another average, or another metric of a task.

    `ends`, the lower one first, are the scores that count 0 and 1, or 1 and 0 where the part `falls`, that is, where
    lower is better. `worst` is what a missing part counts as, if the average says so; None where there is no worst.
    """

    id: str
    metric: str = ""
    weight: float = 1.0
    ends: tuple[float, float] | None = None
    falls: bool = False
    worst: float | None = None

    @property
    def key(self) -> str:
        return column_key(self.id, self.metric)

    @property
    def stretch(self) -> float:
        """By how much differences of scores grow when they are counted."""
        return 1 / (self.ends[1] - self.ends[0]) if self.ends else 1.0

    def counted(self, score: float) -> float:
        """The score as it counts: as it is, or on the way from the worse of both ends (0) to the better one (1).

        >>> AveragePart("error", ends=(0.0, 5.0), falls=True).counted(1.0)
        0.8
        """
        if self.ends is None:
            return score
        low, high = self.ends
        return max(0.0, min(1.0, (high - score if self.falls else score - low) / (high - low)))
