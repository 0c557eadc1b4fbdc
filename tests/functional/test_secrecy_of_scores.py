"""While a rule is in force, exact scores stay inside: no page, export, feed, API or mail holds one."""

import datetime as dt
import re
from collections.abc import Iterator

import numpy as np
import pytest
import time_machine

from accounts.models import User
from benchmarks.models import Phase
from catalogue.answers import Label
from catalogue.disclosure.rule import DISPLAYED, REMAINDER
from leaderboard.publication.services import refresh_stale
from scoring.core import score
from scoring.gold.alignment import opened_version
from scoring.gold.holdout_split import items_of_part
from scoring.models import Disclosed, GoldVersion, Score
from submissions.models import Submission, System
from submissions.systems.status_transitions import withdraw
from tests.functional.test_secrecy import World
from tests.post import sent
from tests.published import published
from tests.quiz import ITEMS, end_now, make_quiz, new_system, send
from tests.weeks import CUT_OFF, WEEK, run_batch

pytestmark = pytest.mark.redteam

HOUR = dt.timedelta(hours=1)
BINARY = Label(names=("no", "yes"))
# Wrong items are even, so that one label is answered worse than the other, and accuracy and F1 are two numbers.
WEEKS = (
    {"Larch": 626, "Oak": 518, "Elm": 934},
    {"Larch": 616, "Oak": 382, "Elm": 958},
    {"Larch": 606, "Oak": 388, "Elm": 824},
)
DECIMAL = re.compile(r"(?<![\d.])([01]?\.\d{3,})(?![\d.]*\d)")
# Where a mark stands on a picture's axis, in percent of its width: drawn from the numbers beside it, and no score.
COORDINATE = re.compile(r' (?:c?x|[xy][12])="[\d.]+%"')
END = re.compile(r'"ci_(?:low|high)":([\d.]+)')
PERCENTAGE = re.compile(r"(?<![\d.])(\d{1,2}\.\d{1,})\s?(?:%|points?\b)")


class Quiz(World):
    """The quiz as everybody finds it: every route, every published page, and what teams see of their own."""

    def __init__(self, people: dict[str, User | None], phase: Phase, systems: dict[str, System]) -> None:
        super().__init__(people, systems["Larch"], phase)
        self.arguments |= {"rest": "quiz/tasks/quiz/", "task": "quiz", "phase": "main", "ending": "json"}
        self.systems = systems

    def _addresses(self) -> Iterator[tuple[str, str]]:
        for route, path in super()._addresses():
            if "admin/" not in route and "toy" not in path:
                yield route, path
        for path in published():
            yield path, path
        for pk in Submission.objects.values_list("pk", flat=True):
            for path in (f"/submissions/{pk}/", f"/api/v1/submissions/{pk}/"):
                yield path, path
        two = "&".join(f"system={one.pk}" for one in self.systems.values())
        for path in (f"/benchmarks/quiz/compare/?{two}", "/search/?q=Larch", "/benchmarks/quiz/?sort=quiz"):
            yield path, path


@pytest.fixture
def quiz(sync, gold_keys, outsider) -> Iterator[Quiz]:
    """Three weeks of three teams under the protected rule, in an open phase; one answer was taken back afterwards."""
    phase = make_quiz(sync, "protected")
    systems = {name: new_system(name) for name in WEEKS[0]}
    for week, wrong in enumerate(WEEKS):
        for name, count in wrong.items():
            send(systems[name], phase, range(0, 2 * count, 2), at=CUT_OFF + week * WEEK - HOUR)
        run_batch(CUT_OFF + week * WEEK)
    last = Submission.objects.filter(system=systems["Elm"]).latest("received_at")
    withdraw(submission=last, user=last.submitted_by, now=CUT_OFF + 2 * WEEK + HOUR)
    run_batch(CUT_OFF + 3 * WEEK)
    people = {name: one.team.members.get() for name, one in systems.items()}
    with time_machine.travel(CUT_OFF + 3 * WEEK + HOUR, tick=False):
        refresh_stale()
        yield Quiz({"nobody": None, "outsider": outsider, **people}, phase, systems)


def secrets() -> set[str]:
    """Accuracy and F1 of every answer, over all items and over either half, to three decimals.

    But for those that a number on a board happens to equal, or the end of its interval, which is made of that number
    alone; and none so small that the difference of two could be one.
    """
    version = GoldVersion.objects.get()
    _salt, gold = opened_version(version.pk)
    number = np.array([int(item.removeprefix("q")) for item in gold.ids])
    parts = [np.ones(ITEMS, dtype=np.bool_)]
    parts += [
        part for name in (DISPLAYED, REMAINDER) if (part := items_of_part(name, version.pk)) is not None
    ]
    exact = set()
    for week in WEEKS:
        for count in week.values():
            is_wrong = (number % 2 == 0) & (number < 2 * count)
            predicted = np.where(is_wrong, 1 - gold.codes, gold.codes).astype(gold.codes.dtype)
            for part in parts:
                compared = score(BINARY, ["accuracy", "f1_macro"], gold.codes[part], predicted[part])
                exact |= {
                    f"{one.value:.3f}" for one in compared.values if one.value and 0.3 < one.value < 0.95
                }
    noised = {f"{one.value:.3f}" for one in Score.objects.exclude(value=None)}
    shown = {f"{one.shown:.3f}" for one in Disclosed.objects.exclude(shown=None)}
    ends = {
        f"{float(end):.3f}"
        for body in published().values()
        for end in END.findall(body.decode(errors="replace"))
    }
    return (exact | noised) - shown - ends


def numbers_in(text: str) -> set[str]:
    """Every number of three decimals or more, and every percentage, as a number of three decimals."""
    text = COORDINATE.sub("", text)
    whole = {f"{float(found):.3f}" for found in DECIMAL.findall(text)}
    return whole | {f"{float(found) / 100:.3f}" for found in PERCENTAGE.findall(text)}


def test_no_exact_score_is_told_while_the_phase_runs(quiz):
    hidden = secrets()
    assert len(hidden) > 20

    crawled = quiz.crawl()
    assert {status for status, _ in crawled.values()} <= {200, 302, 400, 401, 403, 404, 405}
    for one in Submission.objects.all():
        assert crawled[one.system.name, f"/submissions/{one.pk}/"][0] == 200
        assert crawled[one.system.name, f"/api/v1/submissions/{one.pk}/"][0] == 200

    read = {key: body.decode(errors="replace") for key, (_, body) in crawled.items()}
    read |= {("mail", f"{one.to} {one.subject}"): f"{one.subject}\n{one.body}" for one in sent()}
    stored = {("page", path): body.decode(errors="replace") for path, body in published().items()}

    told = {key: found for key, text in (read | stored).items() if (found := numbers_in(text) & hidden)}
    assert told == {}
    numbers = set().union(*map(numbers_in, read.values()))
    assert {f"{one.shown:.3f}" for one in Disclosed.objects.filter(leads=True)} <= numbers


def test_the_crawl_finds_exact_scores_once_the_phase_is_over(quiz):
    hidden = secrets()
    end_now(CUT_OFF + 4 * WEEK)
    run_batch(CUT_OFF + 4 * WEEK)
    refresh_stale()

    stored = [body.decode(errors="replace") for body in published().values()]

    assert hidden & set().union(*map(numbers_in, stored))
