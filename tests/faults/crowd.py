"""Run as a process: open a campaign on an empty server, or put units that were not answered in time on offer again.

Run: python -m tests.faults.crowd open UNITS FILE     writes the address of the study and the campaign's id to the file
     python -m tests.faults.crowd sweep               as beat and a worker do, five times a second until it is killed
"""

import json
import os
import sys
import time
from pathlib import Path

import django


def open_study(units: int, told: Path) -> None:
    from tests.migrated import migrate

    migrate()
    from benchmarks.models import Benchmark
    from labelling.work.platforms import PLATFORMS, study_address
    from tests.crowds import opened
    from tests.faults.scene import open_benchmark

    open_benchmark()
    campaign = opened(Benchmark.objects.get(), units, is_sealed=True, lease_minutes=600)
    study = study_address(campaign, PLATFORMS["prolific"]).partition("?")[0]
    told.write_text(json.dumps({"study": study, "campaign": str(campaign.pk)}))


def sweep() -> None:
    from labelling.jobs import return_lapsed_units

    while True:
        return_lapsed_units()
        time.sleep(0.2)


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    django.setup()
    if sys.argv[1] == "open":
        open_study(int(sys.argv[2]), Path(sys.argv[3]))
    else:
        sweep()
