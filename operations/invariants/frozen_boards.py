"""I5: a published board follows from the scores of its release."""

import datetime as dt
from collections.abc import Iterator

from leaderboard.models import Release
from leaderboard.publication.reproduction import made_otherwise
from operations.releases import looked_at
from operations.violation import Invariant, Violation


class FrozenBoards(Invariant):
    """Whether boards that are made of the stored scores of a release are the boards that were frozen."""

    key = "I5"
    title = "each published board follows from the stored scores of its release"

    def violations(self, now: dt.datetime, *, thoroughly: bool) -> Iterator[Violation]:
        for release in looked_at(thoroughly=thoroughly):
            for difference in made_otherwise(release):
                yield Violation(str(release), difference, _do(release))


def _do(release: Release) -> str:
    return (
        f"`manage.py reproduce {release.benchmark_id} {release.number}` makes the scores too from the files that were "
        "sent; compare with a backup of then."
    )
