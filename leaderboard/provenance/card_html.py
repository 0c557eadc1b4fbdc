"""The cards of a provenance page as HTML, by hand: a template takes ten times as long over thousands of lines."""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from html import escape
from typing import Any

from django.utils.formats import localize

_UNKNOWN = "\N{EN DASH}"


def cards(systems: Iterable[Mapping[str, Any]], *, names_seeds: bool) -> str:
    """One `<section>` and a line break for each row of a release; all text escaped.

    `systems` are those of the document that `leaderboard.provenance.score_cards` writes as JSON.
    """
    write = _Cards(names_seeds)
    return "".join(write.card(row) for row in systems)


class _Cards:
    """What repeats from line to line is translated and escaped once."""

    def __init__(self, names_seeds: bool) -> None:
        self._seed: Callable[[int], str] = cache(_seed if names_seeds else lambda seed: "")
        self._version, self._metric, self._scorer = cache(_version), cache(_metric), cache(_scorer)
        self._interval, self._escape, self._head = cache(_interval), cache(escape), cache(_head)
        self._rule = cache(_rule)

    def card(self, row: Mapping[str, Any]) -> str:
        """The part of one row with a line for each of its scores."""
        name, has_file = escape(row["system"]), bool(row["system_id"])
        title = f'<a href="/systems/{escape(row["system_id"])}/">{name}</a>' if has_file else name
        if row["team"] and row["team"] != row["system"]:
            title += f' <span class="quiet">{escape(row["team"])}</span>'
        lines = "".join(self._line(one, has_file=has_file) for one in row["scores"])
        return (
            f'<section id="{escape(row["anchor"])}" class="card-of">\n<h2>{title}</h2>\n'
            f'<div class="scroll" tabindex="0" role="region" aria-label="{name}"><table class="plain roomy">\n'
            f"{self._head(has_file)}\n<tbody>\n{lines}</tbody>\n</table></div>\n</section>\n"
        )

    def _line(self, one: Mapping[str, Any], *, has_file: bool) -> str:
        anchor = f' id="{escape(one["anchor"])}"' if one["anchor"] else ""
        metrics = "".join([self._metric(metric["title"], metric["version"]) for metric in one["metrics"]])
        return (
            f'<tr{anchor}><th scope="row">{self._escape(one["title"])}'
            f"<small>{self._escape(one['track'])}{self._seed(one['seed'])}</small></th>"
            f"<td>{escape(one['shown'])}</td>{_file(one) if has_file else ''}"
            f"<td>{self._version(one['gold_version'])}</td><td>{metrics}</td>"
            f"<td>{self._scorer(one['scorer_version'], one['code_commit'])}</td>"
            f"<td>{self._sureness(one)}</td></tr>\n"
        )

    def _sureness(self, one: Mapping[str, Any]) -> str:
        """How its interval was made, or the rule that shows no exact score and so none."""
        if one["interval"]:
            return self._interval(**one["interval"])
        return self._rule(one["rule"]) if one["rule"] else _UNKNOWN


def _head(has_file: bool) -> str:
    heads = [
        "Set",
        "Score",
        *(["Submission and its file"] if has_file else []),
        "Gold labels",
        "Metrics",
        "Scorer",
        "Interval",
    ]
    columns = "".join(f'<th scope="col">{head}</th>' for head in heads)
    return f"<thead><tr>{columns}</tr></thead>"


def _file(one: Mapping[str, Any]) -> str:
    received = escape(one["received_at"])
    return (
        f'<td><code>{escape(one["submission"][:8])}</code> <time datetime="{received}">{received}</time>'
        f'<small><code class="hash">{escape(one["file_sha256"])}</code></small></td>'
    )


def _seed(seed: int) -> str:
    return " " + f"seed {localize(seed)}"


def _version(version: int) -> str:
    return f"version {localize(version)}"


def _metric(title: str, version: int) -> str:
    return f"{escape(title)} <small>{_version(version)}</small>"


def _scorer(version: str, commit: str | None) -> str:
    noted = f'<code class="hash">{escape(commit)}</code>' if commit else "commit not noted"
    return f"{escape(version)}<small>{noted}</small>"


def _interval(*, method: str, resamples: int, seed_id: str) -> str:
    drawn = f"{localize(resamples)} resamples, seed {escape(seed_id)}"
    return f"{escape(method)}<small>{drawn}</small>"


def _rule(rule: str) -> str:
    return f"no exact score: shown by the rule {escape(rule)}"
