"""Yes or no, with a reason for a no where one is asked for."""

from collections.abc import Sequence

from labelling.core.answers import Value
from labelling.core.questions.question import CampaignQuestion, QuestionKind, Sent, UnfitAnswer, one

_ANSWERS = {"yes": True, "no": False}


class YesNo(QuestionKind):
    """Yes or no."""

    key = "yes_no"
    title = "yes or no"
    needs_options = False
    uses = ("wants_reason",)
    page = "labelling/questions/yes_no.html"

    def read(self, sent: Sent, question: CampaignQuestion, items: Sequence[str]) -> Value:
        said = one(sent, "label")
        if said not in _ANSWERS:
            raise UnfitAnswer("Choose yes or no.")
        if said == "no" and question.wants_reason and not one(sent, "note").strip():
            raise UnfitAnswer("Say in a few words why not.")
        return _ANSWERS[said]

    def cells(self, value: Value) -> tuple[str, ...]:
        return ("yes" if value else "no",)

    def in_words(self, value: Value, question: CampaignQuestion) -> str:
        return "yes" if value else "no"
