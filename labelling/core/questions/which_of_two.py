"""Which of two texts is better, or neither."""

from collections.abc import Sequence

from labelling.core.answers import Value
from labelling.core.questions.question import CampaignQuestion, QuestionKind, Sent, UnfitAnswer, one

LEFT, TIE, RIGHT = SIDES = ("left", "tie", "right")


class WhichOfTwo(QuestionKind):
    """The text on the left, the one on the right, or a tie."""

    key = "which_of_two"
    title = "which of two"
    needs_options = False
    uses = ()
    page = "labelling/questions/which_of_two.html"

    def read(self, sent: Sent, question: CampaignQuestion, items: Sequence[str]) -> Value:
        said = one(sent, "label")
        if said not in SIDES:
            raise UnfitAnswer(
                f"“{said}” is none of {', '.join(SIDES)}."
                if said
                else "Nothing is chosen. Choose one of the two, or that neither is better."
            )
        return said
