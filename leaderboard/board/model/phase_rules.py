"""The rules of a phase as sentences for its board."""

from calendar import day_name

from benchmarks.spec import (
    HANDED_IN,
    Counting,
    PhaseKind,
    PhaseSpec,
    handed_in,
    quota_in_words,
)

COUNTING = {
    Counting.LATEST: "A system is scored by its latest accepted submission.",
    Counting.BEST: "A system is scored by the best of its accepted submissions.",
    Counting.CHOSEN: "A team chooses which accepted submission its system is scored by.",
}


ONE_PER_TEAM = {
    Counting.LATEST: "A team has one row; each of its cells holds the team's latest accepted submission.",
    Counting.BEST: "A team has one row; each of its cells holds the best of the team's accepted submissions.",
    Counting.CHOSEN: "A team has one row and chooses which accepted submission counts for each of its cells.",
}


BREAKING = (
    "Handed in are minimal pairs; a later file of a team for the same task replaces its earlier one. No quota.",
    "A team may withdraw its file until the phase closes. Pairs that exceed the rule wait for the organiser.",
    "When the phase is closed and no pair of a task waits, they become one set for each breaker: the texts are public, "
    "the labels sealed.",
)
BESIDE = {
    PhaseKind.BUILD: (
        "What a system stands with here is shown beside the scores of the pairs, and weighs in those of breakers.",
    ),
    PhaseKind.SCORE: (
        "Development data count as they were answered while systems were built; a system without them is ranked among "
        "the builders and left out of the scores of breakers.",
        "A set that the organiser withdraws counts in no score from the next release on; files that answer it are "
        "still taken.",
        "Once the phases are over and all that was handed in is scored, the gold labels of all sets and of the "
        "development data are public, and so are the answers of every system. No phase opens again then.",
    ),
}


EDITIONS = (
    "When this edition closes, the next one opens. "
    "It begins without submissions; what is to stand in it is sent anew."
)


def rules(phase: PhaseSpec) -> tuple[str, ...]:
    """What a phase takes, when it closes its batches, how much a team may submit, and which submission counts."""
    if phase.kind is PhaseKind.BREAK:
        return BREAKING
    words = handed_in(phase.kind, [target.place for target in phase.targets])
    taken = () if words == HANDED_IN[PhaseKind.PREDICTIONS] else (f"Handed in are {words}.",)
    return (*taken, *_of_predictions(phase), *BESIDE.get(phase.kind, ()))


def _of_predictions(phase: PhaseSpec) -> tuple[str, ...]:
    published = (
        "as soon as the batch is scored" if phase.publish_automatically else "when the organiser says so"
    )
    if phase.not_before:
        published += f", on {phase.not_before:%-d %b %Y, %H:%M} UTC at the earliest"
    if phase.weekday is None:
        cut_off = "One cut-off, when the phase closes"
    else:
        day = day_name[phase.weekday]
        cut_off = f"Cut-off every {day} at {phase.time:%H:%M} ({phase.timezone})"
    return (
        f"{cut_off}; the release follows {published}.",
        f"Submissions per team and per person: {quota_in_words(phase)}. A file that is refused costs nothing.",
        (ONE_PER_TEAM if phase.one_per_team else COUNTING)[phase.counting],
        *([] if phase.disclosure.shows_everything() else [phase.disclosure.texts.on_board]),
        *([EDITIONS] if phase.editions_per_year else []),
    )
