"""The best and the worst of four items."""

from collections.abc import Sequence

from labelling.core.answers import Value
from labelling.core.questions.question import CampaignQuestion, QuestionKind, Sent, UnfitAnswer, one


class BestWorst(QuestionKind):
    """Of the items of a tuple the one that has most of a property, and another that has least.

    Source: Kiritchenko and Mohammad (2016), doi:10.18653/v1/N16-1095.
    """

    key = "best_worst"
    title = "best and worst of four"
    items_per_unit = 4
    needs_options = False
    uses = ()
    page = "labelling/questions/best_worst.html"
    fields = ("best", "worst")

    def read(self, sent: Sent, question: CampaignQuestion, items: Sequence[str]) -> Value:
        chosen = (one(sent, "best"), one(sent, "worst"))
        for name, item in zip(("most", "least"), chosen, strict=True):
            if not item:
                raise UnfitAnswer(f"Choose which one is {name}.")
            if item not in items:
                raise UnfitAnswer(f"“{item}” is none of the texts shown.")
        if chosen[0] == chosen[1]:
            raise UnfitAnswer("The same text cannot be both most and least. Choose two.")
        return chosen

    def in_words(self, value: Value, question: CampaignQuestion) -> str:
        return f"most {value[0]}, least {value[1]}" if isinstance(value, tuple) else str(value)
