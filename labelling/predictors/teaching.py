"""Name the model of a campaign: an organiser's endpoint, or texts with labels from which the server trains its own."""

import datetime as dt
import json
import zlib
from collections.abc import Sequence

from django.db import transaction
from django.db.models import F

from accounts.server.outgoing import AddressRefused
from benchmarks.models import Split, Task
from catalogue.answers.arrays import as_texts
from labelling.exceptions import CannotChangeCampaign
from labelling.models import AskedModel, Campaign, TaughtRows
from labelling.predictors.embedded import CannotTrain, LabelledText, check_rows, version_of
from labelling.predictors.endpoint import check_endpoint
from labelling.predictors.training_files import read_labelled_texts
from scoring.file_refusal import FileRefused
from scoring.gold.versions import public_key
from submissions.intake.sealing import seal_file
from submissions.intake.tables.training import read_training_file
from submissions.uploads.expected_splits import item_ids

Kind, Status = AskedModel.Kind, Campaign.Status
LONGEST_SECRET = 200
_BETWEEN_COLUMNS = ". "


@transaction.atomic
def name_endpoint(*, campaign: Campaign, url: str, secret: str = "") -> AskedModel:
    """Have texts of a campaign tried at an address; the secret, if it asks for one, is sealed at once.

    Raises
    ------
    CannotChangeCampaign
        If the address is none that the operator allows, the secret cannot be sent in a header, or the campaign is open.
    """
    locked = _changeable(campaign, Status.DRAFT, Status.PAUSED)
    if len(secret) > LONGEST_SECRET or not secret.isascii() or not secret.isprintable():
        raise CannotChangeCampaign(
            f"Expected a secret of at most {LONGEST_SECRET} letters, digits and signs of ASCII."
        )
    try:
        check_endpoint(url)
        sealed = seal_file(secret.encode(), public_key()) if secret else None
    except (AddressRefused, FileRefused) as refused:
        raise CannotChangeCampaign(str(refused)) from None
    return _named(
        locked,
        Kind.ENDPOINT,
        url=url,
        secret_box=sealed.ciphertext if sealed else None,
        secret_commitment=sealed.commitment if sealed else "",
    )


@transaction.atomic
def teach(
    *, campaign: Campaign, rows: Sequence[LabelledText], file_name: str, now: dt.datetime
) -> AskedModel:
    """Have a worker train the campaign's model on texts and their labels.

    Raises
    ------
    CannotChangeCampaign
        If they make no model, a label is none of the campaign's, or the campaign is no draft.
    """
    locked = _changeable(campaign, Status.DRAFT)
    labels = locked.asked.labels
    if strange := sorted({label for _, label in rows} - set(labels)):
        raise CannotChangeCampaign(
            f"“{strange[0]}” is a label of the training data and none of the question: {', '.join(labels)}."
        )
    try:
        check_rows(rows)
    except CannotTrain as fault:
        raise CannotChangeCampaign(str(fault)) from None
    model = _named(locked, Kind.EMBEDDED, url="", secret_box=None, secret_commitment="")
    given = {
        "claimed_until": None,
        "packed": zlib.compress(json.dumps(rows).encode()),
        "row_count": len(rows),
        "version": version_of(rows),
        "file_name": file_name[:255],
        "given_at": now,
    }
    TaughtRows.objects.update_or_create(model=model, defaults=given)
    return model


def teach_from_file(*, campaign: Campaign, data: bytes, file_name: str, now: dt.datetime) -> AskedModel:
    """Have the campaign's model trained on a file: in the format of its task, or with the columns id, text and label.

    Raises
    ------
    FileRefused
        With the faults of the file.
    CannotChangeCampaign
        As `teach`; or if the task gives items other than one label each, or the file holds gold labels or no texts.
    """
    if campaign.task is None:
        labels = campaign.asked.labels
        read = read_labelled_texts(data, file_name=file_name, labels=labels)
        rows = read.content_or(FileRefused.because_of)
    else:
        rows = rows_of_task(task=campaign.task, data=data, file_name=file_name)
    return teach(campaign=campaign, rows=rows, file_name=file_name, now=now)


def rows_of_task(*, task: Task, data: bytes, file_name: str) -> list[LabelledText]:
    """Texts and labels of a training file in the format of a task. Errors as `teach_from_file`."""
    if not task.spec.output.is_one_label:
        raise CannotChangeCampaign(f"{task} does not give each item one label; a model of a campaign does.")
    read = read_training_file(data, file_name=file_name, task=task.spec)
    training = read.content_or(FileRefused.because_of)
    ids = set(training.labels.ids.ids)
    for split in Split.objects.filter(task=task):
        if set(item_ids(split.pk, split.ids_sha256).ids) == ids:
            raise CannotChangeCampaign(
                f"{file_name} has exactly the ids of {split}: these are gold labels, not training data. "
                "Nothing was kept of it."
            )
    if not training.text_columns:
        raise CannotChangeCampaign(f"{file_name} has no column of text.")
    labels = as_texts(training.labels.codes, task.spec.output.labels)
    return [(_BETWEEN_COLUMNS.join(text), label) for text, label in zip(training.texts, labels, strict=True)]


def taught_rows(taught: TaughtRows) -> list[LabelledText]:
    """What `teach` has packed."""
    return [(text, label) for text, label in json.loads(zlib.decompress(bytes(taught.packed)))]


@transaction.atomic
def accept_version(*, campaign: Campaign) -> None:
    """Count tries on the version that the model told last; earlier tries stay what they were. CannotChangeCampaign."""
    model = of_another_version(campaign)
    model.version, model.failures = model.told_version, 0
    model.save(update_fields=["version", "failures"])


def of_another_version(campaign: Campaign) -> AskedModel:
    """The model, if it answered last as another version than tries count on; else CannotChangeCampaign."""
    model = AskedModel.objects.filter(campaign=campaign).exclude(told_version__in=["", F("version")]).first()
    if model is None:
        raise CannotChangeCampaign("Its model has told no other version than the one that tries count on.")
    return model


def _changeable(campaign: Campaign, *wanted: Campaign.Status) -> Campaign:
    locked = Campaign.objects.select_for_update().get(pk=campaign.pk)
    if locked.status not in wanted:
        pause = " Pause it first." if locked.is_open and Status.PAUSED in wanted else ""
        raise CannotChangeCampaign(
            f"The campaign is {locked.get_status_display()}, so its model stays.{pause}"
        )
    if locked.kind.key != "writing":
        raise CannotChangeCampaign("Only a campaign in which people write texts asks a model.")
    return locked


def _named(campaign: Campaign, kind: AskedModel.Kind, **values: object) -> AskedModel:
    """The campaign's model, which is of that kind now; another kind is another version."""
    model = AskedModel.objects.filter(campaign=campaign).first() or AskedModel(campaign=campaign)
    if model.kind != kind:
        model.version = ""
    model.kind, model.failures, model.last_fault, model.last_fault_at = kind, 0, "", None
    for name, value in values.items():
        setattr(model, name, value)
    model.save()
    return model
