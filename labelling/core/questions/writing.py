"""A text that the worker writes, such as one that a model must get wrong."""

from collections.abc import Sequence

from labelling.core.answers import Value
from labelling.core.questions.question import CampaignQuestion, QuestionKind, Sent, UnfitAnswer, one

LONGEST_TEXT = 2_000


class Writing(QuestionKind):
    """A text of at most `LONGEST_TEXT` characters. Options are the labels that texts are to have."""

    key = "writing"
    title = "a text of one's own"
    needs_options = False
    is_written = True
    uses = ("options",)
    page = "labelling/questions/writing.html"
    fields = ("text",)

    def read(self, sent: Sent, question: CampaignQuestion, items: Sequence[str]) -> Value:
        text = " ".join(one(sent, "text").split())
        if not text:
            raise UnfitAnswer("There is no text yet. Write one.")
        if len(text) > LONGEST_TEXT or "\0" in text:
            raise UnfitAnswer(f"The text has {len(text)} characters; at most {LONGEST_TEXT} are taken.")
        return text
