"""A made-up benchmark like Affect in Tweets: two languages, four emotions, bottom lines, boards and two phases.

Every test set has ten items and accuracy is the primary metric, so a file with n right answers scores n/10.
"""

import datetime as dt
from collections.abc import Callable, Mapping
from typing import Any

from benchmarks.models import Benchmark, Phase
from submissions.models import Submission, System
from submissions.services import PredictionUpload, submit_predictions
from tests.conftest import NOW
from tests.robustness import answers, load_all
from tests.uploads import zip_of

EMOTIONS = ("anger", "fear", "joy", "sadness")
DEFINITION = """
id: moods
title: Moods
summary: How strong are they?
url: https://example.org/moods
citation: Nobody, 2026.
bundle: {files: any}
task_defaults:
  summary: "Strong?"
  instructions: Say what it is.
  licence: CC0
  gold: public
  citation: Nobody, 2026.
  test_size: 10
  file: {path: "{task}.csv", id_column: id, label_column: label}
  labels: [con, pro]
  metrics: [{name: accuracy, title: Accuracy}, {name: f1_pro, title: F1 of pro}]
tasks:
  - for_each:
      - {code: en, emotion: anger}
      - {code: en, emotion: fear}
      - {code: en, emotion: joy}
      - {code: en, emotion: sadness}
      - {code: es, emotion: anger}
      - {code: es, emotion: fear}
      - {code: es, emotion: joy}
      - {code: es, emotion: sadness}
    id: "EI-{code}-{emotion}"
    code: "EI {code} {emotion}"
    title: "Intensity, {code}, {emotion}"
  - for_each: [{code: en}, {code: es}]
    id: "V-{code}"
    code: "V {code}"
    title: "Valence, {code}"
averages:
  - {id: EI-en, title: EI English, of: [EI-en-anger, EI-en-fear, EI-en-joy, EI-en-sadness], missing: unranked}
  - {id: EI-es, title: EI Spanish, of: [EI-es-anger, EI-es-fear, EI-es-joy, EI-es-sadness], missing: unranked}
boards:
  - id: overall
    groups:
      - {title: EI, columns: {EI-en: English, EI-es: Spanish}}
      - {title: V, columns: {V-en: English, V-es: Spanish}}
  - for_each: &languages [{code: en, Language: English}, {code: es, Language: Spanish}]
    id: "EI-{code}"
    title: "EI, {Language}"
    axis: Task and language
    groups:
      - title: Accuracy
        columns: &columns
          EI-{code}: avg.
          EI-{code}-anger: anger
          EI-{code}-fear: fear
          EI-{code}-joy: joy
          EI-{code}-sadness: sadness
      - {title: F1, metric: f1_pro, columns: *columns}
  - for_each: *languages
    id: "{code}"
    title: "{Language}"
    axis: Language
    groups:
      - {title: EI, columns: *columns}
      - {title: Valence, columns: ["V-{code}"]}
median_team: true
reported:
  - {system: Elder, source: "Nobody, 2020", values: {EI-en: 0.95, EI-en-anger: 0.9, "EI-en:f1_pro": 0.85, V-en: 0.2}}
phases:
  - id: evaluation
    title: Evaluation
    cut_off: {at: close, timezone: UTC}
    lasts_days: 7
    quota: {per_cut_off: 30}
    counting: latest
    one_per_team: true
    publish_automatically: true
  - id: after
    title: After
    opens_after: evaluation
    cut_off: {weekday: monday, time: "00:00", timezone: UTC}
    quota: {per_cut_off: 30}
    counting: latest
    publish_automatically: true
"""
CLOSE = NOW + dt.timedelta(days=7)
AFTER = CLOSE + dt.timedelta(hours=1)
NEXT = dt.datetime(2026, 11, 30, tzinfo=dt.UTC)
"""The first cut-off of the phase that opens when the evaluation closes."""


def load_moods(sync: Callable[[str], Benchmark]) -> Benchmark:
    """The benchmark with its gold labels."""
    benchmark = sync(DEFINITION)
    load_all(benchmark, splits=("test",))
    return benchmark


def files_of(rights: Mapping[str, int]) -> dict[str, str]:
    """Files with these numbers of right answers, by task."""
    return {f"{task}.csv": answers(right) for task, right in rights.items()}


def english(*rights: int) -> dict[str, int]:
    """Numbers of right answers for the English emotions in their order; fewer leave the last ones out."""
    return dict(zip((f"EI-en-{emotion}" for emotion in EMOTIONS), rights, strict=False))


def submit(system: System, phase: Phase, rights: Mapping[str, int], **more: Any) -> Submission:
    """A submission that scores these numbers of right answers out of ten."""
    user = system.team.members.order_by("pk").first()
    assert user is not None
    arguments = {"file_name": "files.zip", "received_at": NOW, "data": zip_of(files_of(rights)), **more}
    return submit_predictions(PredictionUpload(system=system, phase=phase, user=user, **arguments)).submission
