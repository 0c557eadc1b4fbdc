"""What workers do for models: train them, ask them, and pause the campaign of one that does not answer.

The database is the queue. An attempt is claimed for `CLAIM`, and only who holds the claim stores what came of it, so
that a job that is run twice, or was killed, does no harm.
"""

import datetime as dt
import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from django.db import transaction
from django.db.models import F, Q, QuerySet

from labelling.exceptions import CannotChangeCampaign
from labelling.models import AskedModel, Attempt, Campaign, TaughtRows, TrainedWeights
from labelling.predictors.embedded import CODE, predict, to_bytes, train
from labelling.predictors.endpoint import Endpoint, ask_endpoint
from labelling.predictors.prediction import NoPrediction, Prediction
from labelling.predictors.teaching import taught_rows
from labelling.predictors.trained import weights_of
from labelling.predictors.tries import judge_attempt, known_prediction
from labelling.querysets import AttemptQuerySet
from labelling.work.campaigns import pause_campaign
from scoring.gold.box_opening import open_sealed_file
from scoring.gold.keys import has_private_key
from submissions.intake.sealing import VaultError

logger = logging.getLogger(__name__)

AT_ONCE = 4  # texts of a campaign with the model at the same time
FAILURES_THAT_PAUSE = 5
CLAIM = dt.timedelta(seconds=60)  # longer than `ask_due` may take
TRAINING = dt.timedelta(minutes=6)  # longer than a job may run
MOST_CLAIMS = 3  # whoever is cut short so often is given back
_ROUNDS = 5
_THREADS = 16  # of all campaigns at once
AWAY = (
    "The model has not answered several times in a row. Writing waits until the organisers have looked at it; "
    "what you wrote is kept."
)
CHANGED = (
    "The model is not the one that it was. Writing waits until the organisers have looked into it; "
    "what you wrote is kept."
)

Asking = Callable[[], Prediction]


@dataclass(frozen=True, slots=True)
class _Claimed:
    attempt: Attempt
    ask: Asking


def train_due(now: dt.datetime) -> int:
    """Train every model whose rows are not what its weights were made from; returns how many were."""
    trained = 0
    is_by_other_code = ~Q(version__startswith=f"embedded-{CODE}-")
    is_due = Q(model__weights__isnull=True) | ~Q(model__weights__version=F("version")) | is_by_other_code
    is_free = Q(claimed_until__isnull=True) | Q(claimed_until__lte=now)
    for taught in TaughtRows.objects.filter(is_due, is_free).select_related("model"):
        if not TaughtRows.objects.filter(is_free, pk=taught.pk).update(claimed_until=now + TRAINING):
            continue  # another worker trains it
        weights = train(taught_rows(taught))
        made = {"packed": to_bytes(weights), "version": weights.version, "trained_at": now}
        with transaction.atomic():
            # Rows that were given meanwhile are trained on in the next round.
            if TaughtRows.objects.select_for_update().filter(pk=taught.pk, version=taught.version).exists():
                TrainedWeights.objects.update_or_create(model=taught.model, defaults=made)
                TaughtRows.objects.filter(pk=taught.pk).update(version=weights.version, claimed_until=None)
                # Once a campaign runs, another version counts only when an organiser accepts it.
                drafts = AskedModel.objects.filter(pk=taught.model_id, campaign__status=Campaign.Status.DRAFT)
                drafts.update(version=weights.version)
                trained += 1
    return trained


def ask_due(now: dt.datetime) -> int:
    """Ask models about the texts that wait, the oldest first; returns how many were answered."""
    answered = 0
    with ThreadPoolExecutor(max_workers=_THREADS) as pool:
        for _ in range(_ROUNDS):
            claimed: list[_Claimed] = []
            for model in _wanted().order_by("?"):
                claimed += _claim(model, now, most=_THREADS - len(claimed))
            if not claimed:
                break
            asked = {pool.submit(each.ask): each.attempt for each in claimed}
            for future in as_completed(asked):
                try:
                    answered += _keep(asked[future], future.result(), now)
                except NoPrediction as fault:
                    _give_back(asked[future], str(fault), now)
    return answered


def _wanted() -> QuerySet[AskedModel]:
    """Models that somebody waits for, in campaigns that are not paused."""
    waiting = Attempt.objects.waiting().values("model")
    return AskedModel.objects.filter(pk__in=waiting, campaign__status=Campaign.Status.OPEN)


def _claim(model: AskedModel, now: dt.datetime, most: int) -> list[_Claimed]:
    """Attempts of a model that this process asks about: at most so many, and as many as `AT_ONCE` leaves."""
    if model.secret_box is not None and not has_private_key():
        return []  # only a worker that can open its secret asks it
    with transaction.atomic():
        locked = AskedModel.objects.select_for_update().get(pk=model.pk)
        waiting = locked.attempts.waiting()
        is_free = Q(claimed_until__isnull=True) | Q(claimed_until__lte=now)
        waiting.filter(is_free, claims__gte=MOST_CLAIMS).update(given_back=True)
        places = min(most, AT_ONCE - waiting.exclude(is_free).count())
        claimed = list(waiting.filter(is_free).order_by("asked_at", "pk")[: max(0, places)])
        mine = [attempt.pk for attempt in claimed]
        Attempt.objects.filter(pk__in=mine).update(claims=F("claims") + 1, claimed_until=now + CLAIM)
    for attempt in claimed:
        attempt.claims += 1
    return [_Claimed(attempt, _asking(locked, attempt)) for attempt in claimed]


def _asking(model: AskedModel, attempt: Attempt) -> Asking:
    """What asks about an attempt, in a thread that has no database."""
    if known := known_prediction(model, attempt.text_sha256):
        return lambda: known
    try:
        if model.kind == AskedModel.Kind.EMBEDDED:
            return partial(predict, weights_of(model), attempt.text)
        endpoint = Endpoint(model.url, _secret(model))
    except NoPrediction as fault:
        return partial(_fail, fault)
    labels = model.campaign.asked.labels
    return lambda: ask_endpoint(endpoint, str(attempt.pk), attempt.text, labels, time.time())


def _fail(fault: NoPrediction) -> Prediction:
    raise fault


def _secret(model: AskedModel) -> str:
    if model.secret_box is None:
        return ""
    try:
        return open_sealed_file(bytes(model.secret_box), model.secret_commitment).decode()
    except VaultError as error:
        raise NoPrediction(f"Its secret cannot be opened ({error}). Give it again.") from None


def _keep(attempt: Attempt, prediction: Prediction, now: dt.datetime) -> int:
    """Store what a model said of an attempt, if this process still holds it; returns 1 if it was stored."""
    with transaction.atomic():
        model = AskedModel.objects.select_for_update().get(pk=attempt.model_id)
        is_same = model.version in ("", prediction.model_version)
        model.told_version = prediction.model_version
        if is_same:
            model.version, model.failures = prediction.model_version, 0
        model.save(update_fields=["version", "told_version", "failures"])
        if is_same:
            judge_attempt(attempt, prediction, now)
            values = ("prediction", "model_version", "is_fooling", "answered_at")
            return _held(attempt).update(**{name: getattr(attempt, name) for name in values})
        _held(attempt).update(given_back=True)
    fault = f"It answered as version {prediction.model_version}; tries so far were on {model.version}."
    AskedModel.objects.filter(pk=model.pk).update(last_fault=fault[:300], last_fault_at=now)
    _pause(model.campaign, CHANGED, now)
    return 0


def _give_back(attempt: Attempt, fault: str, now: dt.datetime) -> None:
    """Give a try back that came to nothing; the fifth in a row pauses the campaign."""
    logger.info("model of attempt %s said nothing: %s", attempt.pk, fault)
    with transaction.atomic():
        model = AskedModel.objects.select_for_update().get(pk=attempt.model_id)
        if not _held(attempt).update(given_back=True):
            return
        model.failures, model.last_fault, model.last_fault_at = model.failures + 1, fault[:300], now
        is_away = model.failures >= FAILURES_THAT_PAUSE
        if is_away:
            model.failures = 0  # whoever resumes the campaign begins anew
        model.save(update_fields=["failures", "last_fault", "last_fault_at"])
    if is_away:
        _pause(model.campaign, AWAY, now)


def _held(attempt: Attempt) -> AttemptQuerySet:
    """The row of an attempt, as long as nobody else has taken it up or stored an answer."""
    return Attempt.objects.waiting().filter(pk=attempt.pk, claims=attempt.claims)


def _pause(campaign: Campaign, reason: str, now: dt.datetime) -> None:
    with suppress(CannotChangeCampaign):  # somebody has paused or closed it already
        pause_campaign(campaign=campaign, reason=reason, now=now)
