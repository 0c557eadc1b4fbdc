"""Texts are tried on a model: at most ten per unit, judged by the server, and none is lost when the model is away."""

import datetime as dt
import json
import threading
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from labelling.core.questions.question import CampaignQuestion, Option, UnfitAnswer
from labelling.exceptions import CannotChangeCampaign, NotAtWork, NotTaken
from labelling.models import AskedModel, Assignment, Attempt, Campaign, TrainedWeights, Worker
from labelling.predictors import asking, embedded
from labelling.predictors.asking import ask_due, train_due
from labelling.predictors.endpoint import Endpoint
from labelling.predictors.prediction import NoPrediction, Prediction
from labelling.predictors.teaching import accept_version, name_endpoint, rows_of_task, teach, teach_from_file
from labelling.predictors.tries import tries_left, try_text
from labelling.units.new_units import NewUnit, store_units
from labelling.work.campaigns import open_campaign, resume_campaign
from labelling.work.places import take_units
from scoring.file_refusal import FileRefused
from tests.conftest import the_toy
from tests.crowds import NOW, hired, new_campaign
from tests.servers import Caller, serving
from tests.threads import at_once

WRITE = CampaignQuestion("writing", "Write a bad sentence.", (Option("bad", "Bad"), Option("good", "Good")))
SOON = dt.timedelta(seconds=2)
LATER = NOW + dt.timedelta(hours=1)


@pytest.fixture(autouse=True)
def allowed(settings: Any, socket_enabled: None) -> None:
    settings.WEBHOOKS_REACH_PRIVATE_HOSTS = True
    settings.MODEL_HOSTS = ["127.0.0.1"]


class Model:
    """An endpoint that finds a text bad where it says so; `answer` may be changed while it runs."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.version = "1"
        self.url = ""
        self.answer: Callable[[Caller], None] = self.judge

    def judge(self, caller: Caller) -> None:
        label = "bad" if "bad" in json.loads(caller.body)["text"] else "good"
        caller.give(
            json.dumps({"label": label, "scores": {label: 0.9}, "model_version": self.version}).encode()
        )

    def break_off(self, caller: Caller) -> None:
        caller.give(b"SECRET trace", status=500)

    def __call__(self, caller: Caller) -> None:
        self.asked.append(json.loads(caller.body)["text"])
        self.answer(caller)


@pytest.fixture
def model() -> Iterator[Model]:
    model = Model()
    with serving(model) as model.url:
        yield model


def drafted(benchmark: Any, targets: tuple[str, ...] = ("bad", "bad"), **values: Any) -> Campaign:
    campaign = new_campaign(benchmark, WRITE, **values)
    units = [
        NewUnit(
            key=f"p{n}", items=(f"p{n}",), shown=[[("prompt", f"Prompt {n}.")]], source={"target": target}
        )
        for n, target in enumerate(targets)
    ]
    store_units(campaign=campaign, units=units)
    return campaign


def with_endpoint(benchmark: Any, url: str, **values: Any) -> Campaign:
    campaign = drafted(benchmark, **values)
    name_endpoint(campaign=campaign, url=url, secret="between us")
    open_campaign(campaign=campaign, now=NOW)
    return campaign


def in_hand(campaign: Campaign, worker: Worker | None = None) -> Assignment:
    [assignment] = take_units(worker=worker or hired(campaign)[0], now=NOW)
    return assignment


def try_one(
    assignment: Assignment, text: str, at: dt.datetime = NOW, client_id: uuid.UUID | None = None
) -> Attempt:
    return try_text(
        assignment_id=assignment.pk,
        worker=assignment.worker,
        sent={"text": [text]},
        client_id=client_id or uuid.uuid4(),
        now=at,
    )


@pytest.fixture
def assignment(toy, gold_keys, model):
    return in_hand(with_endpoint(toy, model.url))


def again(attempt: Attempt) -> Attempt:
    return Attempt.objects.get(pk=attempt.pk)


def test_the_page_does_not_wait_and_the_server_decides_what_fooled_the_model(assignment, model):
    fooling, plain = try_one(assignment, "I loved the cold soup."), try_one(assignment, "It was bad.")
    assert (fooling.state, model.asked) == ("waiting", [])
    assert ask_due(NOW + SOON) == 2
    assert sorted(model.asked) == ["I loved the cold soup.", "It was bad."]
    assert [(again(each).state, again(each).is_fooling) for each in (fooling, plain)] == [
        ("answered", True),
        ("answered", False),
    ]
    assert again(fooling).prediction == {"label": "good", "scores": {"good": 0.9}, "model_version": "1"}
    assert ask_due(NOW + SOON) == 0


def test_a_try_that_is_sent_twice_is_one(assignment):
    mark = uuid.uuid4()
    assert try_one(assignment, "Once.", client_id=mark) == try_one(assignment, "Once.", client_id=mark)
    assert tries_left(assignment) == 9


def test_ten_tries_and_no_more(assignment):
    for number in range(10):
        assert try_one(assignment, f"Text {number}.").number == number + 1
    with pytest.raises(NotTaken, match="All 10 tries are used"):
        try_one(assignment, "Another.")


def test_what_is_no_try_uses_up_none(assignment, model):
    try_one(assignment, "Once.")
    with pytest.raises(NotTaken, match="this very text"):
        try_one(assignment, "  Once. ")
    with pytest.raises(UnfitAnswer):
        try_one(assignment, " ")
    (stranger,) = hired(assignment.unit.campaign)
    with pytest.raises(NotTaken, match="not given to you"):
        try_text(
            assignment_id=assignment.pk,
            worker=stranger,
            sent={"text": ["x"]},
            client_id=uuid.uuid4(),
            now=NOW,
        )
    assert tries_left(assignment) == 9


def test_twenty_a_minute_and_no_more(toy, gold_keys, model):
    campaign = with_endpoint(toy, model.url, targets=("bad",) * 3, page_size=3)
    (worker,) = hired(campaign)
    held = take_units(worker=worker, now=NOW)
    for number in range(20):
        try_one(held[number // 10], f"Text {number}.")
    with pytest.raises(NotTaken, match="20 times within a minute"):
        try_one(held[2], "Another.")
    assert try_one(held[2], "Another.", at=NOW + dt.timedelta(seconds=61)).number == 1


@pytest.mark.postgres
def test_of_twenty_threads_that_try_at_once_ten_do(transactional_db, gold_keys, model):
    assignment = in_hand(with_endpoint(the_toy(), model.url))
    came = at_once([partial(try_one, assignment, f"Text {number}.") for number in range(20)])
    attempts = [each for each in came if isinstance(each, Attempt)]
    assert {type(each) for each in came} == {Attempt, NotTaken}
    assert sorted(each.number for each in attempts) == list(range(1, 11))
    assert Attempt.objects.count() == 10
    # Two jobs at the same moment ask about each text once.
    answered = at_once([lambda: ask_due(NOW + SOON)] * 2)
    assert sum(answered) == 10
    assert len(model.asked) == len(set(model.asked)) == 10


def test_the_database_itself_refuses_an_eleventh_and_a_second_of_one_number(assignment):
    first = try_one(assignment, "Text.")
    for number in (1, 11):
        with pytest.raises(IntegrityError), transaction.atomic():
            Attempt(**_row(first, number)).save(force_insert=True)


def _row(attempt: Attempt, number: int) -> dict[str, Any]:
    names = ("assignment_id", "model_id", "text", "text_sha256", "target", "asked_at")
    return {name: getattr(attempt, name) for name in names} | {"number": number, "client_id": uuid.uuid4()}


def test_a_try_without_an_answer_is_given_back_and_its_text_kept(assignment, model):
    model.answer = model.break_off
    lost = try_one(assignment, "I loved it.")
    assert ask_due(NOW + SOON) == 0
    assert (again(lost).state, again(lost).text, tries_left(assignment)) == ("given_back", "I loved it.", 10)
    asked = AskedModel.objects.get()
    assert (asked.failures, asked.last_fault) == (1, "It answered with status 500; expected 200.")
    assert "SECRET" not in str([*AskedModel.objects.values(), *Attempt.objects.values()])
    model.answer = model.judge
    second = try_one(assignment, "I loved it.")
    assert ask_due(NOW + SOON) == 1
    assert (again(second).is_fooling, AskedModel.objects.get().failures) == (True, 0)


def test_five_failures_in_a_row_pause_the_campaign_until_somebody_resumes_it(assignment, model):
    campaign = assignment.unit.campaign
    model.answer = model.break_off
    for number in range(4):
        try_one(assignment, f"Text {number}.")
        ask_due(NOW + SOON)
    campaign.refresh_from_db()
    assert campaign.is_open
    try_one(assignment, "The fifth.")
    ask_due(NOW + SOON)
    campaign.refresh_from_db()
    assert (campaign.status, campaign.paused_because) == ("paused", asking.AWAY)
    with pytest.raises(NotAtWork, match="has not answered"):
        try_one(assignment, "The sixth.")
    model.answer = model.judge
    resume_campaign(campaign=campaign, now=LATER)
    goes_on = try_one(assignment, "The sixth.", at=LATER)
    assert ask_due(LATER + SOON) == 1
    assert again(goes_on).number == 1


def test_a_model_that_is_down_and_comes_up_again_goes_on_where_it_was(toy, gold_keys):
    model = Model()
    with serving(model) as url:
        assignment = in_hand(with_endpoint(toy, url))
    lost = try_one(assignment, "I loved it.")
    ask_due(NOW + SOON)
    assert again(lost).state == "given_back"
    assert "could not be reached (connection refused)" in AskedModel.objects.get().last_fault
    with serving(model, port=int(url.split(":")[2].strip("/"))):
        second = try_one(assignment, lost.text)
        assert ask_due(NOW + SOON) == 1
    assert (again(second).number, again(second).is_fooling) == (1, True)


def test_what_waits_while_a_campaign_is_paused_is_asked_when_it_goes_on(assignment, model):
    campaign = assignment.unit.campaign
    model.answer = model.break_off
    waiting = [try_one(assignment, f"Text {number}.") for number in range(7)]
    ask_due(NOW + SOON)
    campaign.refresh_from_db()
    assert campaign.status == "paused"
    states = [again(each).state for each in waiting]
    assert set(states) <= {"given_back", "waiting"}
    assert ask_due(NOW + SOON) == 0
    model.answer = model.judge
    resume_campaign(campaign=campaign, now=LATER)
    assert ask_due(LATER) == sum(state == "waiting" for state in states)
    assert {again(each).state for each in waiting} <= {"given_back", "answered"}


def test_the_same_text_is_answered_from_the_store_as_long_as_the_version_stays(toy, gold_keys, model):
    campaign = with_endpoint(toy, model.url)
    first, second = (in_hand(campaign, worker) for worker in hired(campaign, 2))
    try_one(first, "I loved it.")
    ask_due(NOW + SOON)
    known = try_one(second, "I loved  it.")
    assert (known.state, known.is_fooling, len(model.asked)) == ("answered", True, 1)


def test_another_version_pauses_until_an_organiser_accepts_it(assignment, model):
    campaign = assignment.unit.campaign
    before = try_one(assignment, "I loved it.")
    ask_due(NOW + SOON)
    model.version = "2"
    other = try_one(assignment, "I adored it.")
    assert ask_due(NOW + SOON) == 0
    campaign.refresh_from_db()
    assert (campaign.status, campaign.paused_because) == ("paused", asking.CHANGED)
    assert again(other).state == "given_back"
    assert "as version 2; tries so far were on 1" in AskedModel.objects.get().last_fault
    accept_version(campaign=campaign)
    resume_campaign(campaign=campaign, now=LATER)
    try_one(assignment, "I adored it.", at=LATER)
    assert ask_due(LATER) == 1
    assert again(before).model_version == "1"


def test_a_job_that_was_killed_is_made_up_for_and_its_late_answer_is_not_stored(
    assignment, model, monkeypatch
):
    attempt = try_one(assignment, "I loved it.")
    answers: list[int] = []

    def _ask(endpoint: Endpoint, text_id: str, *rest: Any) -> Prediction:
        if not answers:
            # While this process is away, its claim runs out, and another asks in its place.
            answers.append(0)
            answers.append(ask_due(NOW + asking.CLAIM + SOON))
            return Prediction("bad", {}, "1")
        return Prediction("good", {}, "1")

    monkeypatch.setattr(asking, "ask_endpoint", _ask)
    monkeypatch.setattr(asking, "ThreadPoolExecutor", AtOnce)
    assert ask_due(NOW + SOON) == 0
    assert answers == [0, 1]
    assert again(attempt).prediction == {"label": "good", "scores": {}, "model_version": "1"}


class AtOnce:
    """A pool that does what it is given in the same thread, so that it sees the test's transaction."""

    def __init__(self, max_workers: int) -> None:
        pass

    def __enter__(self) -> "AtOnce":
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def submit(self, action: Callable[[], Prediction]) -> Any:
        future: Future[Prediction] = Future()
        try:
            future.set_result(action())
        except NoPrediction as fault:
            future.set_exception(fault)
        return future


def test_a_text_whose_askers_are_killed_again_and_again_is_given_back(assignment):
    attempt = try_one(assignment, "It kills.")
    Attempt.objects.filter(pk=attempt.pk).update(claims=3, claimed_until=NOW + asking.CLAIM)
    ask_due(NOW + SOON)
    assert again(attempt).state == "waiting"
    ask_due(NOW + asking.CLAIM)
    assert again(attempt).state == "given_back"


def test_no_more_than_four_are_asked_at_once(toy, gold_keys, model):
    campaign = with_endpoint(toy, model.url)
    assignment = in_hand(campaign)
    for number in range(9):
        try_one(assignment, f"Text {number}.")
    inside, most = [], []
    lock = threading.Lock()

    def _count(caller: Caller) -> None:
        with lock:
            inside.append(caller)
            most.append(len(inside))
        caller.server.over.wait(0.05)
        with lock:
            inside.remove(caller)
        model.judge(caller)

    model.answer = _count
    assert ask_due(NOW + SOON) == 9
    assert max(most) == 4


def test_the_secret_is_sealed_and_only_a_worker_with_the_key_asks(assignment, model, settings):
    asked = AskedModel.objects.get()
    assert b"between us" not in bytes(asked.secret_box or b"")
    key, settings.GOLD_PRIVATE_KEY_FILE = settings.GOLD_PRIVATE_KEY_FILE, ""
    try_one(assignment, "I loved it.")
    assert ask_due(NOW + SOON) == 0
    assert model.asked == []
    settings.GOLD_PRIVATE_KEY_FILE = key
    assert ask_due(NOW + SOON) == 1


ROWS = [(f"A {word} place, {word} as ever.", label) for label, words in
        {"bad": ("cold", "rude", "dirty"), "good": ("warm", "kind", "clean")}.items() for word in words]  # fmt: skip


def test_a_model_that_was_trained_here_is_asked_in_the_same_way(toy, gold_keys):
    campaign = drafted(toy)
    teach(campaign=campaign, rows=ROWS, file_name="train.csv", now=NOW)
    with pytest.raises(CannotChangeCampaign, match="not trained yet"):
        open_campaign(campaign=campaign, now=NOW)
    assert (train_due(NOW), train_due(NOW)) == (1, 0)
    open_campaign(campaign=campaign, now=NOW)
    assignment = in_hand(campaign)
    attempt = try_one(assignment, "A warm welcome from a cold heart: kind, clean, and never again.")
    assert (attempt.state, attempt.is_fooling) == ("answered", True)
    assert again(attempt).model_version == TrainedWeights.objects.get().version


def test_a_model_that_was_trained_anew_by_other_code_pauses_until_it_is_accepted(toy, gold_keys, monkeypatch):
    campaign = drafted(toy)
    teach(campaign=campaign, rows=ROWS, file_name="train.csv", now=NOW)
    train_due(NOW)
    open_campaign(campaign=campaign, now=NOW)
    assignment = in_hand(campaign)
    for module in (embedded, asking):
        monkeypatch.setattr(module, "CODE", 2)
    assert train_due(NOW) == 1
    waits = try_one(assignment, "A warm place.")
    assert waits.state == "waiting"
    ask_due(NOW + SOON)
    campaign.refresh_from_db()
    assert (campaign.status, again(waits).state) == ("paused", "given_back")
    accept_version(campaign=campaign)
    resume_campaign(campaign=campaign, now=LATER)
    assert try_one(assignment, "A warm place.", at=LATER).state == "answered"


def test_a_campaign_without_a_task_takes_a_file_of_its_own(toy, gold_keys):
    campaign = drafted(toy, task=None)
    good = b"id,text,label\n1,Warm and kind,good\n2,Cold and rude,bad\n"
    teach_from_file(campaign=campaign, data=good, file_name="train.csv", now=NOW)
    assert train_due(NOW) == 1
    bad = b"id,text,label\n1,Warm,mixed\n1,Cold,bad\n"
    with pytest.raises(FileRefused) as refused:
        teach_from_file(campaign=campaign, data=bad, file_name="train.csv", now=NOW)
    assert [(each.line, each.column) for each in refused.value.problems] == [(2, "label"), (3, "id")]
    with pytest.raises(FileRefused):
        teach_from_file(campaign=campaign, data=b"id,text,label\n", file_name="train.csv", now=NOW)


def test_other_rows_are_another_model_and_it_is_trained_anew(toy, gold_keys):
    campaign = drafted(toy)
    teach(campaign=campaign, rows=ROWS, file_name="train.csv", now=NOW)
    train_due(NOW)
    first = TrainedWeights.objects.get().version
    teach(campaign=campaign, rows=ROWS[1:], file_name="train.csv", now=NOW)
    assert train_due(NOW) == 1
    assert TrainedWeights.objects.get().version != first


def test_a_training_file_has_the_format_of_the_task_and_is_not_its_gold_file(toy, gold_keys):
    task = toy.tasks.get(slug="mood")
    data = b"ID,Label,Text\nt1,good,So kind\nt2,bad,So rude\n"
    rows = rows_of_task(task=task, data=data, file_name="train.csv")
    assert rows == [("So kind", "good"), ("So rude", "bad")]
    gold = b"ID,Label,Text\n" + b"".join(b"m%d,good,x\n" % n for n in range(1, 7))
    with pytest.raises(CannotChangeCampaign, match="these are gold labels"):
        rows_of_task(task=task, data=gold, file_name="train.csv")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            lambda c: name_endpoint(campaign=c, url="http://elsewhere.example.org/"),
            "does not allow models at",
        ),
        (lambda c: name_endpoint(campaign=c, url="http://127.0.0.1/", secret="zwei\nZeilen"), "ASCII"),
        (lambda c: teach(campaign=c, rows=[("a", "mixed")], file_name="", now=NOW), "“mixed” is a label"),
        (lambda c: teach(campaign=c, rows=[("a", "bad")], file_name="", now=NOW), "1 different labels"),
    ],
)
def test_a_model_that_could_not_be_asked_is_refused_when_it_is_named(toy, gold_keys, change, words):
    campaign = drafted(toy)
    with pytest.raises(CannotChangeCampaign, match=words):
        change(campaign)
    assert not AskedModel.objects.exists()


def test_a_campaign_with_a_model_opens_once_every_unit_says_what_its_text_is_to_be(toy, gold_keys, model):
    campaign = drafted(toy, targets=("bad", "mixed"))
    name_endpoint(campaign=campaign, url=model.url)
    with pytest.raises(CannotChangeCampaign, match="The unit p1 does not say which label"):
        open_campaign(campaign=campaign, now=NOW)


def test_a_model_stays_while_its_campaign_is_open(assignment, model):
    with pytest.raises(CannotChangeCampaign, match="Pause it first"):
        name_endpoint(campaign=assignment.unit.campaign, url=model.url)
