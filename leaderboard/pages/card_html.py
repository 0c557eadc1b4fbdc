"""The cards of a provenance page as HTML, by hand: a template takes ten times as long over thousands of lines.

What repeats from line to line is escaped once.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from html import escape
from typing import Any

from django.utils.formats import localize

_UNKNOWN = "\N{EN DASH}"
_HELD = 1024  # titles, metrics and methods of a release
_once = lru_cache(maxsize=_HELD)
_escaped, _number = _once(escape), _once(localize)


def cards(systems: Iterable[Mapping[str, Any]], *, names_seeds: bool) -> str:
    """One `<section>` and a line break for each row of a release, its scores folded; all text escaped.

    `systems` are those of the document that `leaderboard.pages.score_cards` writes as JSON.
    """
    return "".join(_card(row, names_seeds=names_seeds) for row in systems)


def _card(row: Mapping[str, Any], *, names_seeds: bool) -> str:
    name, has_file = escape(row["system"]), bool(row["system_id"])
    title = f'<a href="/systems/{escape(row["system_id"])}/">{name}</a>' if has_file else name
    if row["team"] and row["team"] != row["system"]:
        title += f' <span class="quiet">{escape(row["team"])}</span>'
    heads = ["Set", "Score", "Submission and its file", "Gold labels", "Metrics", "Scorer", "Interval"]
    columns = "".join(
        f'<th scope="col">{head}</th>' for head in heads if has_file or head != "Submission and its file"
    )
    lines = "".join(_line(score, has_file=has_file, names_seeds=names_seeds) for score in row["scores"])
    count = len(row["scores"])
    return (
        f'<section id="{escape(row["anchor"])}" class="card-of">\n<h2>{title}</h2>\n'
        f"<details><summary>{_number(count)} score{'' if count == 1 else 's'}"
        f'<span class="vh"> of {name}</span></summary>\n'
        f'<div class="scroll" tabindex="0" role="region" aria-label="{name}"><table class="plain roomy">\n'
        f"<thead><tr>{columns}</tr></thead>\n<tbody>\n{lines}</tbody>\n</table></div></details>\n</section>\n"
    )


def _line(score: Mapping[str, Any], *, has_file: bool, names_seeds: bool) -> str:
    anchor = f' id="{escape(score["anchor"])}"' if score["anchor"] else ""
    seed = f" seed {_number(score['seed'])}" if names_seeds else ""
    metrics = "".join([_metric(metric["title"], metric["version"]) for metric in score["metrics"]])
    sureness = f"no exact score: shown by the rule {escape(score['rule'])}" if score["rule"] else _UNKNOWN
    if score["interval"]:
        sureness = _interval(**score["interval"])
    return (
        f'<tr{anchor}><th scope="row">{_escaped(score["title"])}<small>{_escaped(score["track"])}{seed}</small></th>'
        f"<td>{escape(score['shown'])}</td>{_file(score) if has_file else ''}"
        f"<td>{_version(score['gold_version'])}</td><td>{metrics}</td>"
        f"<td>{_scorer(score['scorer_version'], score['code_commit'], _libraries(score['libraries']))}</td>"
        f"<td>{sureness}</td></tr>\n"
    )


def _file(file: Mapping[str, Any]) -> str:
    received = escape(file["received_at"])
    return (
        f'<td><code>{escape(file["submission"][:8])}</code> <time datetime="{received}">{received}</time>'
        f'<small><code class="hash">{escape(file["file_sha256"])}</code></small></td>'
    )


def _version(version: int) -> str:
    return f"version {_number(version)}"


@_once
def _metric(title: str, version: int) -> str:
    return f"{escape(title)} <small>{_version(version)}</small>"


@_once
def _scorer(version: str, commit: str | None, libraries: str) -> str:
    noted = f'<code class="hash">{escape(commit)}</code>' if commit else "commit not noted"
    used = f"<small>{escape(libraries)}</small>" if libraries else ""
    return f"{escape(version)}<small>{noted}</small>{used}"


def _libraries(versions: Mapping[str, str] | None) -> str:
    return ", ".join(f"{name} {version}" for name, version in (versions or {}).items())


@_once
def _interval(*, method: str, resamples: int, seed_id: str) -> str:
    drawn = f"{_number(resamples)} resamples, seed {escape(seed_id)}"
    return f"{escape(method)}<small>{drawn}</small>"
