import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.spec import RowKind
from leaderboard.board.exports.latex import escape, to_latex
from leaderboard.board.model.board import Board
from leaderboard.board.model.ranking import rank
from tests.leaderboard.board.boards import ACCURACY, ERROR, TASK, board, cell, row

COUNT = replace(TASK, key="count", title="Count")
SPECIALS = r"a\b&c%d$e#f_g{h}i~j^k<l>m|n" + '"o'


def latex(made: Board) -> str:
    return to_latex(made).decode()


def ranked_board(**more: object) -> Board:
    rows = rank(
        [
            row("Larch", 0.775, 0.660),
            row("Sedge", 0.767, 0.641),
            row("Tern", None, 0.5),
            row("Human", 0.9, 0.9, kind=RowKind.HUMAN),
        ],
        ACCURACY,
    )
    return board(*rows, columns=(ACCURACY, TASK), **more)


def test_latex_prints_ranks_and_marks_best_and_second_best() -> None:
    body = latex(ranked_board()).split("\\midrule\n")[1].split("    \\bottomrule")[0].splitlines()
    assert [line.strip() for line in body] == [
        r"-- & Human \textit{(human estimate)} & Team Human & .900 & .900 \\",
        r"1 & Larch & Team Larch & \textbf{.775} & \textbf{.660} \\",
        r"2 & Sedge & Team Sedge & \underline{.767} & \underline{.641} \\",
        r"-- & Tern & Team Tern & -- & .500 \\",
    ]


def test_latex_prints_a_true_minus() -> None:
    assert r"& \textbf{$-$.031} \\" in latex(board(*rank([row("A", -0.0312)], ACCURACY)))


def test_latex_begins_with_a_comment_that_names_benchmark_and_release() -> None:
    first = latex(ranked_board()).splitlines()[0]
    assert first == "% RAFT (raft/main), release 3, published 2026-11-16 00:00 UTC"


def test_latex_comment_stays_a_comment_whatever_the_title() -> None:
    lines = latex(board(row("A", 0.5), title="x\n\\input{evil}")).splitlines()
    assert [line for line in lines if line.startswith("\\input")] == []


def test_latex_names_the_package_it_needs() -> None:
    assert r"\usepackage{booktabs}" in latex(ranked_board()).split(r"\begin{table}")[0]


def test_latex_label_is_made_of_plain_characters() -> None:
    assert r"\label{tab:raft-main-banking-77-3}" in latex(ranked_board(task="banking_77"))


def test_latex_caption_says_where_lower_is_better() -> None:
    made = board(*rank([row("A", 0.5)], ERROR), columns=(ERROR,))
    assert "Mean error. Lower is better in Error." in latex(made)


def test_latex_says_where_the_data_are_synthetic() -> None:
    text = latex(ranked_board(synthetic=True))
    assert "% Synthetic demo data." in text.splitlines()
    assert "Synthetic demo data.}" in text


def test_latex_of_real_data_does_not_speak_of_synthetic_data() -> None:
    assert "ynthetic" not in latex(ranked_board())


def test_escape_keeps_every_special_character_literal() -> None:
    assert escape(SPECIALS) == (
        r"a\textbackslash{}b\&c\%d\$e\#f\_g\{h\}i\textasciitilde{}j\textasciicircum{}k"
        r"\textless{}l\textgreater{}m\textbar{}n''o"
    )


def test_escape_leaves_hyphens_apart() -> None:
    assert escape("a-b--c---d") == "a-b-{}-c-{}-{}-d"


def test_escape_puts_everything_on_one_line() -> None:
    assert escape(" a\r\nb\tc\x00d\u2028e ") == "a b c d e"


def protocol_board() -> Board:
    """Groups, a second measure, deviations and missing seeds."""
    columns = (
        replace(ACCURACY, group="Mean & more", beside_title="F1_2"),
        replace(TASK, group="Mean & more"),
        COUNT,
    )
    cells = {
        "overall": cell(0.712, beside=-0.802, deviation=0.004),
        "banking_77": cell(0.5, seeds=3, seeds_wanted=5),
        "count": cell(3612.25),
    }
    return board(*rank([row("A")._replace(cells=cells)], ACCURACY), columns=columns)


def test_latex_has_a_line_of_group_titles_with_rules_below() -> None:
    lines = [line.strip() for line in latex(protocol_board()).splitlines()]
    start = lines.index(r"\toprule")
    assert lines[start + 1 : start + 5] == [
        r"&  &  & \multicolumn{2}{c}{Mean \& more} &  \\",
        r"\cmidrule(lr){4-5}",
        r"Rank & System & Team & Overall & B77 & Count \\",
        r"\midrule",
    ]


def test_latex_without_groups_has_one_line_of_heads() -> None:
    assert "cmidrule" not in latex(ranked_board())


def test_latex_prints_second_measures_deviations_and_missing_seeds() -> None:
    assert (
        r"1 & A & Team A & \textbf{.712} ($-$.802) {\scriptsize sd .004} & .500$^{3/5}$ & \textbf{3,612.25} \\"
    ) in latex(protocol_board())


def test_latex_caption_explains_the_marks_that_there_are() -> None:
    text = latex(protocol_board())
    assert r"In parentheses: F1\_2. sd: the standard deviation over seeds. Superscripts: seeds" in text
    assert "parentheses" not in latex(ranked_board())


def test_latex_lists_attacks_without_ranks_and_teams() -> None:
    text = latex(board(row("Spelling", 0.4, kind=RowKind.ATTACK, team="")))
    assert r"\begin{tabular}{lr}" in text
    assert "    Attack & Overall \\\\\n    \\midrule\n    Spelling & .400 \\\\" in text


def wide_board() -> Board:
    """Fifteen columns, and names that are full of what LaTeX takes for its own."""
    columns = [
        ACCURACY,
        *(replace(TASK, key=f"t{at}", title=f"T_{at}", group=f"{at // 5}&") for at in range(14)),
    ]
    rows = [row(f"{SPECIALS} {at} %&$#", 0.5 + at / 100, team="~^_{}") for at in range(3)]
    return board(*rank(rows, ACCURACY), columns=tuple(columns))


def test_latex_scales_a_table_that_is_too_wide_for_the_text() -> None:
    assert r"\resizebox{\textwidth}{!}{%" in latex(wide_board())
    assert "resizebox" not in latex(ranked_board())


@pytest.mark.walks
@pytest.mark.skipif(
    shutil.which("pdflatex") is None, reason="pdflatex is not installed: no export is compiled"
)
@pytest.mark.parametrize("packages", ["booktabs", "booktabs,graphicx"])
def test_latex_compiles(tmp_path: Path, packages: str) -> None:
    made = board(*rank([row(SPECIALS, -0.5), row("[B] Müller", 0.25)], ACCURACY), note=SPECIALS)
    tables = (made, protocol_board(), wide_board(), board(row("* [x]", 0.4, kind=RowKind.ATTACK, team="")))
    (tmp_path / "table.tex").write_bytes(b"".join(map(to_latex, tables)))
    document = rf"\documentclass{{article}}\usepackage{{{packages}}}\begin{{document}}\input{{table}}\end{{document}}"
    (tmp_path / "paper.tex").write_text(document)
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout[-2000:]
    is_scaled = "graphicx" in packages
    assert ("Overfull" not in run.stdout) == is_scaled
