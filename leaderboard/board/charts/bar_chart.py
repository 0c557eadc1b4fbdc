"""How often each of some options is named, as bars of one scale, the most frequent at the top."""

from collections.abc import Sequence

from leaderboard.board.charts.chart import COLOURS, INK, RULE, SIZE, WIDTH, Canvas, Chart
from leaderboard.board.charts.text_layout import quoted, shortened

NAMES, COUNTS = 236.0, 30.0  # room for the names of options at the left, and for counts at the right
ROW, THICK = 21, 11


def count_chart(
    key: str, title: str, counts: Sequence[tuple[str, int]], of: int, *, is_synthetic: bool
) -> Chart | None:
    """How many of `of` systems, at least one, name each option; a bar to the end of the scale is all of them.

    Options stand in the order given, the most frequent first; those that nobody names are told in words below.
    None where nobody names any.
    """
    named = [(option, count) for option, count in counts if count]
    if not named:
        return None
    said = "; ".join(f"{option} {count}" for option, count in named)
    about = f"{title}: systems that name them, of {of}"
    canvas = Canvas(key, title=_most_named(named, of), about=about, description=f"{said}.")
    names, bars = canvas.group("heading", INK), canvas.group("line line-1", COLOURS[0])
    end, bottom = WIDTH - COUNTS, canvas.top + ROW * len(named)
    canvas.group("rules", RULE).stroke(
        f"M{NAMES:g} {canvas.top:g}V{bottom:g}M{end:g} {canvas.top:g}V{bottom:g}"
    )
    for index, (option, count) in enumerate(named):
        top, wide = canvas.top + ROW * index, (end - NAMES) * count / of
        names.text(shortened(option, NAMES - 10, SIZE), 2, top + 15)
        bars.path(f"M{NAMES:g} {top + 5:g}h{wide:.1f}v{THICK}h-{wide:.1f}Z")
        names.text(str(count), WIDTH - 2, top + 15, "end")
    unused = ", ".join(option for option, count in counts if not count)
    note = f"Named by no system: {unused}." if unused else ""
    return canvas.chart(bottom + 6, (title, "Systems"), counts, is_synthetic=is_synthetic, note=note)


def _most_named(named: Sequence[tuple[str, int]], of: int) -> str:
    """ "LSTM is named most, by 2 of 3 systems"."""
    most = max(count for _, count in named)
    first = [quoted(option) for option, count in named if count == most]
    by = f"by {most} of {of} system{'' if of == 1 else 's'}"
    if len(first) > 2:
        return f"{len(first)} options are named most, each {by}"
    return f"{' and '.join(first)} {'are named most, each' if len(first) == 2 else 'is named most,'} {by}"
