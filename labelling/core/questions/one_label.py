"""One label of several."""

from collections.abc import Sequence

from labelling.core.answers import Value
from labelling.core.questions.question import CampaignQuestion, QuestionKind, Sent, UnfitAnswer, one


class OneLabel(QuestionKind):
    """Exactly one of the options."""

    key = "one_label"
    title = "one label"
    page = "labelling/questions/one_label.html"

    def read(self, sent: Sent, question: CampaignQuestion, items: Sequence[str]) -> Value:
        label = one(sent, "label")
        if label not in question.labels:
            raise UnfitAnswer(
                f"“{label}” is none of the options." if label else "Nothing is chosen. Choose one option."
            )
        return label
