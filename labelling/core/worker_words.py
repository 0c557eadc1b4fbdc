"""The words of workers' pages: every button and note, in English unless a campaign gives its own."""

from collections.abc import Mapping
from types import MappingProxyType

DEFAULTS: Mapping[str, str] = MappingProxyType(
    {
        # Before joining.
        "guidelines": "Guidelines",
        "before_you_begin": "Before you begin",
        "warning": "What you may meet",
        "consent": "What you agree to",
        "pay": "Pay",
        "agree": "I have read this and agree.",
        "join": "Begin",
        "go_on": "Go on",
        "link_until": "This link can be used until",
        "leave_any_time": "You may stop at any time. What you did until then counts, and your name is shown nowhere.",
        # At work. {done} and {total} are numbers.
        "progress": "{done} of {total}",
        "saved": "Saved. {done} of {total}.",
        "qualifying": "Questions that show whether the guidelines are clear",
        "send": "Next",
        "send_page": "Send and go on",
        "cannot_tell": "I cannot tell",
        "report": "Something is wrong with this text",
        "report_note": "What is wrong?",
        "report_send": "Give it back with this note",
        "undo": "Change the last answer",
        "keep": "Leave it as it was",
        "sealed_last": "Your answer is sealed and cannot be shown. Answer anew to replace it.",
        "stop": "Stop here",
        "most": "most",
        "least": "least",
        "yes": "Yes",
        "no": "No",
        "reason": "Why not?",
        "left_text": "A",
        "right_text": "B",
        "left_better": "A is better",
        "tie": "Neither is better",
        "right_better": "B is better",
        "judged": "To be judged",
        "nothing": "(There is no text.)",
        "number": "Your number",
        "border": "From which score on is a text of class {label}?",
        "listed": "{done} of {total} texts, from the lowest score to the highest",
        "text": "Your text",
        "own_work": "Your work so far",
        "own_counts": "{done} answered in {minutes} minutes.",
        "come_back": "This address brings you back to your work, on this device or another. Keep it to yourself:",
        "keys": "Keys: numbers choose, Enter sends, u changes the last answer, ? shows the guidelines.",
        "blurred": "Texts are blurred. Point at one, or move to it with the Tab key, to read it.",
        "right": "As expected.",
        "not_right": "Not as expected. Expected was:",
        "too_late": "Your last answer came after its time, when enough others had answered. It counts as your work, "
        "and not towards the result.",
        "unsent": "There is no connection. Your answer is kept here and sent again by itself; leave this page open.",
        # While others still answer the first questions.
        "waits": "Thank you. Now the others have their turn",
        "waits_answered": "You answered {done} of {total} first questions as expected.",
        "waits_progress": "{done} of the {total} people who are awaited have answered them.",
        "waits_note": "Whoever has at least as many right as the median goes on. Come back to this address: it shows "
        "your work once you are let in, or that you are not.",
        # When it is over.
        "none_left": "There is nothing left for you at present",
        "none_left_note": "Others may still give texts back, so that some come up later.",
        "look_again": "Look again",
        "finish": "Finish",
        "thanks": "Thank you",
        "code": "Your completion code",
        "code_note": "Take it back to where you came from, so that your work is counted.",
        "copy": "Copy",
        "copied": "Copied",
        # Writing with a model in the loop. {label} is a label, {number} the number of a try.
        "target": "It is to be: {label}.",
        "start_from": "Start from",
        "own_sentence": "Your text",
        "ask_model": "Ask the model",
        "tries": "Your tries",
        "tries_used": "{done} of {total} tries used.",
        "fooled": "fooled",
        "not_fooled": "not fooled",
        "try_number": "try {number}",
        "model_saw": "It saw {label}",
        "model_asked": "The model is being asked.",
        "model_silent": "The model did not answer; this used up no try.",
        "refresh": "Look for its answer",
        "confirm": "A person must see at once that the text is: {label}. If it is, take it; if not, go on trying.",
        "take": "It is, take it",
        "used_up": "All tries are used. The last text is handed in as it is.",
        "hand_in": "Hand it in",
    }
)
"""What a campaign may say otherwise, by key. A word in braces stands for a number or a label, and may be left out."""
LONGEST_WORDS = 300


class UnfitWords(ValueError):
    """Words that no page can show, in a sentence for the organiser."""


def words_of(own: Mapping[str, str]) -> Mapping[str, str]:
    """All words of a campaign's pages: its own where it has some, else the English ones."""
    return {**DEFAULTS, **{key: text for key, text in own.items() if key in DEFAULTS and text.strip()}}


def check_words(own: Mapping[str, object]) -> None:
    """UnfitWords where a key is none of those that pages know, or the words are too long or no text."""
    for key, text in own.items():
        if key not in DEFAULTS:
            raise UnfitWords(
                f"“{key}” is none of the words of workers' pages. They are: {', '.join(DEFAULTS)}."
            )
        if not isinstance(text, str) or len(text) > LONGEST_WORDS:
            raise UnfitWords(f"“{key}” must be a text of at most {LONGEST_WORDS} characters.")


def filled(words: str, **values: object) -> str:
    """Words with what stands in braces put in; braces that mean nothing stay as they are."""
    for name, value in values.items():
        words = words.replace(f"{{{name}}}", str(value))
    return words
