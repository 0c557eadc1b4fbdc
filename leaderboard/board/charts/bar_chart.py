"""How often each of some options is named, and how scores are spread, as bars of one scale."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise

from leaderboard.board.charts.chart import COLOURS, FAINT, INK, RULE, SIZE, WIDTH, Canvas, Chart, Datum
from leaderboard.board.charts.scale import Scale
from leaderboard.board.charts.text_layout import quoted, shortened
from leaderboard.board.model import number_format as fmt

NAMES, COUNTS = 236.0, 30.0  # room for the names of options at the left, and for counts at the right
ROW, THICK = 21, 11
BINS, TALL = 20, 120  # of a histogram: how many bars, and how high the highest is


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


def histogram(
    key: str,
    title: str,
    numbers: Sequence[float],
    borders: Sequence[float] = (),
    *,
    of: str = "items",
    is_synthetic: bool,
) -> Chart | None:
    """How many of some scores lie in each twentieth of their scale, with lines where classes begin.

    The scale goes from 0 to 1, or as far as there are scores beyond. A score at the border of two bars is in the
    upper one, the highest score in the last. None without scores.
    """
    if not numbers:
        return None
    scale = Scale.around([0.0, 1.0, *numbers, *borders], 14.0, WIDTH - 14.0)
    low, high = scale.ends
    edges = [low + (high - low) * place / BINS for place in range(BINS + 1)]
    counts = [0] * BINS
    for number in numbers:
        counts[min(bisect_right(edges, number), BINS) - 1] += 1
    rows: list[tuple[Datum, ...]] = [
        (start, end, count) for (start, end), count in zip(pairwise(edges), counts, strict=True)
    ]
    cuts = f" Classes begin at {', '.join(fmt.score(cut) for cut in borders)}." if borders else ""
    said = f"The highest bar, from {fmt.score(edges[counts.index(max(counts))])} on, has {max(counts):,} {of}.{cuts}"
    canvas = Canvas(key, title=title, about=f"{len(numbers):,} {of}, by score", description=said)
    top = canvas.top + (20 if borders else 6)
    bottom = top + TALL
    bars, names = canvas.group("line line-1", COLOURS[0]), canvas.group("scales", FAINT)
    for start, end, count in zip(edges, edges[1:], counts, strict=False):
        left, tall = scale.at(start) + 0.5, TALL * count / max(counts)
        if count:
            bars.path(
                f"M{left:.1f} {bottom:g}v-{tall:.1f}h{scale.at(end) - left - 0.5:.1f}v{tall:.1f}Z",
                f"{fmt.score(start)} to {fmt.score(end)}: {count:,}",
            )
    canvas.group("rules", RULE).stroke(f"M{scale.start:g} {bottom:g}H{scale.end:g}")
    for number in scale.numbers:
        names.text(scale.printed(number), scale.at(number), bottom + 16, "middle")
    lines = canvas.group("heading", INK)
    for cut in borders:
        lines.stroke(f"M{scale.at(cut):.1f} {top - 4:g}V{bottom:g}", "1.5", stroke_dasharray="4 3")
        lines.text(fmt.score(cut), scale.at(cut), top - 8, "middle")
    return canvas.chart(
        bottom + 22, ("From", "To", of.capitalize()), rows, is_synthetic=is_synthetic, note=cuts.strip()
    )
