"""Made-up tweets from the least angry to the most, and what is told to whoever compares them. Pure."""

TWEETS = (
    "Slept ten hours. The window was open and it rained.",
    "Found my grandmother's recipe for plum cake, and it worked.",
    "The swifts are back above our street.",
    "New library card, same old smile at the desk.",
    "We walked around the lake twice because nobody wanted to stop.",
    "My train was early. I did not know that they could.",
    "Tea, a blanket, and the second season.",
    "The choir sang in the underpass today and people stayed.",
    "Meeting at ten, report by noon, then the weekend.",
    "The shop moved to number twelve.",
    "It is Tuesday again.",
    "They changed the timetable from Monday on.",
    "Third cup of coffee and still not awake.",
    "Whoever designed this form has never filled one in.",
    "The lift is out of order. Seventh floor. Fine.",
    "My parcel says delivered. My doormat says otherwise.",
    "Two hours on hold, and then the line went dead.",
    "They cancelled the bus and told nobody. Again.",
    "Why do I pay for a seat that somebody else has been sold as well?",
    "He read my idea out as his own, and they clapped.",
    "The landlord raises the rent and the heating is still broken. I have had enough.",
    "They closed the library, and I am done being polite about it.",
    "You lied to my face and you will hear from me.",
    "I am shaking. How dare they treat her like that!",
)
"""In the order of their anger; a made-up writer each."""

ANGER = """Annoyance, frustration, rage and resentment all count as anger. Judge what the words show, not whether the
writer is right. Irony counts by what is meant.

If two are the same, take either: every text comes back in eight sets.

**Example.** Of “Lovely morning”, “The bus is late”, “The bus is late again, and nobody cares” and “It is Monday”, the
third writer is the most angry and the first the least.
"""

CLASSES_OF_ANGER = """The scores say how angry a tweet is beside the others. Say from which score on a tweet is
of a class. A class holds all from there up to the next class.

- **0**: no anger can be inferred.
- **1**: a low amount of it.
- **2**: a moderate amount of it.
- **3**: a high amount of it.
"""

EMOTIONS = {
    "anger": "Annoyance and rage too",
    "disgust": "Dislike and loathing too",
    "joy": "Serenity and ecstasy too",
    "sadness": "Pensiveness and grief too",
}
NEUTRAL = "neutral"


def emotions_of(item: str) -> frozenset[str]:
    """What the writer of a tweet feels, by its id; none for those in the middle."""
    anger = anger_of(item)
    if anger < 0.33:
        return frozenset({"joy"})
    return frozenset({"anger"} if anger > 0.5 else ()) | frozenset({"disgust"} if anger > 0.8 else ())


def anger_of(item: str) -> float:
    """How angry the writer of a tweet is, from 0 to 1, by its id."""
    return (int(item.rpartition("-")[2]) - 1) / (len(TWEETS) - 1)
