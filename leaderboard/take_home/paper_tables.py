"""The tables of an overview paper in LaTeX: who took part, the data, and the results of each phase."""

from collections.abc import Iterator, Sequence

from django.db.models import Count

from benchmarks.models import Benchmark, Split
from benchmarks.spec import OVERALL
from leaderboard.board.exports.latex import LATEX, escape
from leaderboard.models import Release
from leaderboard.rendering.public_names import naming

_DOCUMENT = r"""%% Made by Heldout. Compile it with XeLaTeX or LuaLaTeX.
\documentclass{article}
\usepackage{booktabs,graphicx}
\begin{document}
%s
\end{document}
"""


def paper_tables(benchmark: Benchmark) -> Iterator[tuple[str, bytes]]:
    """Name and text of each table, and at last of a document with all of them."""
    names = []
    for name, table in _tables(benchmark):
        names.append(name)
        yield name, table
    inputs = "\n".join(rf"\input{{{name.removesuffix('.tex')}}}" for name in names)
    yield "tables.tex", (_DOCUMENT % inputs).encode()


def _tables(benchmark: Benchmark) -> Iterator[tuple[str, bytes]]:
    yield "participation.tex", _participation(benchmark)
    yield "data.tex", _data(benchmark)
    names = naming(benchmark)
    for phase in benchmark.phases.all():
        release = Release.objects.filter(phase=phase).order_by("-number").first()
        if release is None:
            continue
        for key, board in release.boards.items():
            title = "overall" if key == OVERALL else key.replace("/", "-")
            yield f"results-{phase.slug}-{title}.tex", LATEX.write(names.board(board))


def _participation(benchmark: Benchmark) -> bytes:
    phases = benchmark.phases.annotate(
        teams=Count("submissions__system__team", distinct=True),
        systems=Count("submissions__system", distinct=True),
        sent=Count("submissions", distinct=True),
    )
    rows = [(phase.title, str(phase.teams), str(phase.systems), str(phase.sent)) for phase in phases]
    return _table(
        ("Phase", "Teams", "Systems", "Submissions"),
        rows,
        f"Participation in {benchmark.title}.",
        "participation",
    )


def _data(benchmark: Benchmark) -> bytes:
    splits = Split.objects.filter(task__benchmark=benchmark, task__is_retired=False)
    spec, rows = benchmark.spec, []
    for split in splits.select_related("task").order_by("task__position", "slug"):
        newest = split.gold_versions.order_by("-number").first()
        counts = newest.class_counts if newest and newest.class_counts else {}
        said = ", ".join(f"{label} {count}" for label, count in counts.items())
        rows.append((spec.task(split.task.slug).title, split.slug, str(split.item_count), said))
    return _table(
        ("Task", "Split", "Items", "Labels, where their counts are public"), rows, "The data.", "data"
    )


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], caption: str, label: str) -> bytes:
    lines = [
        r"\begin{table}",
        r"  \centering",
        r"  \small",
        rf"  \caption{{{escape(caption)}}}",
        rf"  \label{{tab:{label}}}",
        rf"  \begin{{tabular}}{{{'l' * len(heads)}}}",
        r"    \toprule",
        "    " + " & ".join(map(escape, heads)) + r" \\",
        r"    \midrule",
        *("    " + " & ".join(map(escape, row)) + r" \\" for row in rows),
        r"    \bottomrule",
        r"  \end{tabular}",
        r"\end{table}",
    ]
    return ("\n".join(lines) + "\n").encode()
