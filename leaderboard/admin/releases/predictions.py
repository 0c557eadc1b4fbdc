"""The button of a release that makes the predictions behind it public."""

from accounts.admin_look import ActionVariant
from accounts.server.clock import database_now
from benchmarks.admin.asks import Ask
from benchmarks.admin.organised.organised_admin import Question
from leaderboard.publication.predictions import CannotPublishPredictions, may_publish, publish_predictions

PUBLISH_PREDICTIONS = Ask(
    label="Publish predictions",
    icon="dataset",
    variant=ActionVariant.DANGER,
    question=Question(
        title="Publish the predictions behind {row}",
        sentences=(
            "Every label that stands behind a score of this release can then be downloaded by anybody, as one zip "
            "beside the release, under the names that its boards show. This cannot be undone.",
            "Ask the teams first. Together with the gold labels, which must be public before, anybody can then make "
            "every score again with `heldout audit`.",
        ),
        button="Publish predictions",
        is_grave=True,
    ),
    do=publish_predictions,
    refused=(CannotPublishPredictions,),
    leads_back=True,
    done="The predictions behind {row} are public: {result}",
    log="Published the predictions.",
    shown=lambda release: may_publish(release, database_now()),
)
