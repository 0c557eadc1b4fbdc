"""While a phase keeps items back, two worlds that differ in these items alone look the same to everybody."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import count

import pytest
import time_machine
from django.core import mail
from django.db import transaction
from django.test import Client

from accounts.models import User
from benchmarks.models import Phase, Task
from catalogue.disclosure.keyed_draws import normal
from catalogue.disclosure.noisy_display import NoisyDisplay
from catalogue.disclosure.rule import REMAINDER
from leaderboard.publication.services import refresh_stale
from scoring.gold.alignment import _places, opened_version
from scoring.gold.holdout_split import items_of_part, places_of_part
from scoring.gold.versions import load_gold
from scoring.models import GoldVersion
from submissions.models import Submission, System
from tests.conftest import NOW, TOY_DEFINITION, TOY_GOLD
from tests.functional.test_secrecy import Responses, World, differences, load_by_responses, without_chance
from tests.post import sent
from tests.published import published
from tests.quiz import GOLD as QUIZ_GOLD
from tests.quiz import ITEMS, make_quiz, new_system, send
from tests.quiz import OTHER as QUIZ_OTHER
from tests.weeks import CUT_OFF, HALF_WRONG, ONE_WRONG, WEEK, run_batch, upload

pytestmark = pytest.mark.thorough

HOUR = WEEK / 168
OTHER = {"good": "bad", "bad": "good", "red": "green", "green": "dark blue", "dark blue": "red"}
Labels = Mapping[str, Mapping[str, str]]
"""By task, the gold label of each item."""
Kept = Mapping[str, set[str]]
"""By task, the ids of the items that are kept back."""


class WithPages(World):
    """Every route, and every page that is published. Ids of submissions are drawn by lot, and pages shorten them."""

    def _addresses(self) -> Iterator[tuple[str, str]]:
        yield from ((route, path) for route, path in super()._addresses() if not route.startswith("admin/"))
        for path in published():
            key = path
            for system in System.objects.all():
                key = key.replace(str(system.pk), system.name)
            yield key, path
        for number, submission in enumerate(Submission.objects.order_by("received_at", "system__name")):
            for place in ("submissions", "api/v1/submissions"):
                yield f"{place}/{number}", f"/{place}/{submission.pk}/"

    def _get(self, browser: Client, path: str) -> tuple[int, bytes]:
        status, body = super()._get(browser, path)
        for pk in Submission.objects.values_list("pk", flat=True):
            body = body.replace(str(pk)[:8].encode(), b"#")
        return status, body


def labels_of(data: bytes) -> dict[str, str]:
    return dict(line.split(",") for line in data.decode().strip().split("\n")[1:])


def as_file(labels: Mapping[str, str]) -> bytes:
    return ("ID,Label\n" + "".join(f"{item},{label}\n" for item, label in labels.items())).encode()


GOLD: Labels = {task: labels_of(data) for task, data in TOY_GOLD.items()}


def loaded_plainly(task: Task, labels: Mapping[str, str], kept: set[str]) -> None:
    load_gold(task=task, data=as_file(labels), file_name="gold.csv", now=NOW)


def loaded_with_class_counts(task: Task, labels: Mapping[str, str], kept: set[str]) -> None:
    load_gold(task=task, data=as_file(labels), file_name="gold.csv", now=NOW, show_class_counts=True)


def loaded_by_responses(task: Task, labels: Mapping[str, str], kept: set[str]) -> None:
    if task.slug == "mood":
        load_by_responses(task, list(labels.items()), dissent=kept)
    else:
        loaded_plainly(task, labels, kept)


LOADED = {
    "labels": loaded_plainly,
    "class counts": loaded_with_class_counts,
    "responses": loaded_by_responses,
}


@pytest.fixture
def drawn_alike(monkeypatch) -> Callable[[], None]:
    """Makes salts be drawn from the first one on again, and forgets what was read of rows that were undone."""

    def _begin() -> None:
        for cached in (opened_version, _places, items_of_part, places_of_part):
            cached.cache_clear()
        mail.outbox.clear()
        numbers = count()
        monkeypatch.setattr(
            "submissions.intake.sealing.random_bytes",
            lambda size: sha256(b"salt %d" % next(numbers)).digest()[:size],
        )

    return _begin


@pytest.fixture
def crawl_toy(owner, outsider, system, sync, gold_keys, drawn_alike) -> Callable[..., tuple[Responses, Kept]]:
    """Two weeks of a phase that shows one half exactly, read by everybody and undone."""
    people = {"nobody": None, "outsider": outsider, "owner": owner}
    definition = TOY_DEFINITION.replace(
        "counting: latest", "counting: best\n    one_per_team: true\n    lasts_days: 28\n    disclosure: open"
    )

    def _crawl(how: str, gold: Labels, kept: Kept) -> tuple[Responses, Kept]:
        drawn_alike()
        with transaction.atomic():
            benchmark = sync(definition)
            for task in benchmark.tasks.all():
                LOADED[how](task, gold[task.slug], kept[task.slug])
            phase, found = benchmark.phases.get(), _kept()
            for week, moods in enumerate((HALF_WRONG, ONE_WRONG)):
                with time_machine.travel(CUT_OFF + week * WEEK, tick=False):
                    upload(system, phase, mood=moods, at=CUT_OFF + week * WEEK - HOUR)
                    run_batch(CUT_OFF + week * WEEK)
            responses = _read(people, system, phase)
            transaction.set_rollback(True)
        return responses, found

    return _crawl


@pytest.fixture
def crawl_quiz(outsider, sync, gold_keys, drawn_alike) -> Callable[..., tuple[Responses, Kept]]:
    """Two weeks of three teams in a phase with enough items for noise, read by everybody and undone."""

    systems = [new_system(name) for name in ("Larch", "Oak", "Elm")]

    def _crawl(rule: str, gold: Sequence[str]) -> tuple[Responses, Kept]:
        drawn_alike()
        with transaction.atomic():
            phase = make_quiz(sync, rule, gold)
            found = _kept()
            for week, steps in enumerate(((2, 3, 4), (5, 7, 3))):
                with time_machine.travel(CUT_OFF + week * WEEK, tick=False):
                    for system, step in zip(systems, steps, strict=True):
                        send(system, phase, range(0, ITEMS, step), at=CUT_OFF + week * WEEK - HOUR)
                    run_batch(CUT_OFF + week * WEEK)
            people = {"nobody": None, "outsider": outsider, "owner": systems[0].team.members.get()}
            responses = _read(people, systems[0], phase)
            transaction.set_rollback(True)
        return responses, found

    return _crawl


def _kept() -> Kept:
    found = {}
    for version in GoldVersion.objects.select_related("split__task"):
        is_kept = items_of_part(REMAINDER, version.pk)
        assert is_kept is not None
        ids = opened_version(version.pk)[1].ids
        found[version.split.task.slug] = {item for item, kept in zip(ids, is_kept, strict=True) if kept}
    return found


def _read(people: Mapping[str, User | None], system: System, phase: Phase) -> Responses:
    with time_machine.travel(CUT_OFF + WEEK + HOUR, tick=False):
        refresh_stale()
        world = WithPages(people, system, phase)
        (first, *_more) = phase.benchmark.tasks.all()
        world.arguments |= {
            "task": first.slug,
            "phase": phase.slug,
            "rest": f"{phase.benchmark_id}/tasks/{first.slug}/",
        }
        mails = {
            ("mail", f"{one.to} {one.subject}"): (200, without_chance(one.body.encode())) for one in sent()
        }
        return world.crawl() | mails


@pytest.mark.sqlite
@pytest.mark.redteam
@pytest.mark.parametrize("how", LOADED)
def test_labels_that_an_open_phase_keeps_back_show_nowhere(crawl_toy, how):
    """Nor in the human estimate or the class counts, which are made of all gold labels."""
    nothing: Kept = {task: set() for task in GOLD}
    one, kept = crawl_toy(how, GOLD, nothing)
    other_gold = {
        task: {item: OTHER[label] if item in kept[task] else label for item, label in labels.items()}
        for task, labels in GOLD.items()
    }
    other, kept_there = crawl_toy(how, other_gold, kept)

    assert kept_there == kept
    assert all(0 < len(kept[task]) < len(labels) for task, labels in GOLD.items())
    assert len(one) > 200
    assert one["nobody", "toy.json"][0] == 200
    assert b'"value"' in one["nobody", "toy.json"][1]
    assert differences(one, other) == []


@pytest.mark.sqlite
@pytest.mark.parametrize("rule", ["open", "protected"])
def test_labels_that_are_kept_back_of_a_large_test_set_show_nowhere(crawl_quiz, rule):
    one, kept = crawl_quiz(rule, QUIZ_GOLD)
    other_gold = [
        QUIZ_OTHER[label] if f"q{at}" in kept["quiz"] else label for at, label in enumerate(QUIZ_GOLD)
    ]
    other, kept_there = crawl_quiz(rule, other_gold)

    assert kept_there == kept
    assert 900 < len(kept["quiz"]) < 1_100
    assert len(one) > 200
    assert b'"value"' in one["nobody", "/benchmarks/quiz.json"][1]
    assert differences(one, other) == []


@pytest.mark.sqlite
@pytest.mark.redteam
def test_of_a_protected_phase_everything_that_shows_follows_from_the_numbers_with_noise(
    crawl_quiz, monkeypatch
):
    """Two worlds in which half of all labels differ look alike where the scorer gives the same numbers in both."""

    def _noised(display: NoisyDisplay, score: float, *, key: bytes, predictions: bytes) -> float:
        return 0.7 + display.deviation * normal(key, predictions)

    monkeypatch.setattr(NoisyDisplay, "noised", _noised)
    one, _kept = crawl_quiz("protected", QUIZ_GOLD)
    other, _kept_there = crawl_quiz(
        "protected", [QUIZ_OTHER[label] if at % 4 < 2 else label for at, label in enumerate(QUIZ_GOLD)]
    )

    assert b'"value"' in one["nobody", "/benchmarks/quiz.json"][1]
    assert differences(one, other) == []


@pytest.mark.sqlite
@pytest.mark.redteam
def test_the_crawl_tells_worlds_apart_that_differ_in_a_displayed_label(crawl_quiz):
    one, kept = crawl_quiz("open", QUIZ_GOLD)
    displayed = next(at for at in range(ITEMS) if f"q{at}" not in kept["quiz"])
    other, _kept_there = crawl_quiz(
        "open", [*QUIZ_GOLD[:displayed], QUIZ_OTHER[QUIZ_GOLD[displayed]], *QUIZ_GOLD[displayed + 1 :]]
    )

    assert ("nobody", "/benchmarks/quiz.json") in differences(one, other)
