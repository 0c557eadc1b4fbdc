"""The table of a breaker's pairs as HTML, written by hand: a template takes long over thousands of cells."""

from collections.abc import Sequence
from html import escape
from urllib.parse import urlencode

from leaderboard.board.model.number_format import NONE
from leaderboard.board.tables.item_table import (
    SIDES,
    Answerer,
    ContestedLabel,
    ItemTable,
    PublishedItem,
    PublishedPair,
    PublishedSet,
    answering,
)
from scoring.core.measures.minimality import SegmentKind

_TAGS = {SegmentKind.REMOVED: "del", SegmentKind.ADDED: "ins"}


def items_body(table: ItemTable, of_set: PublishedSet, *, contest_url: str = "") -> str:
    """A `<thead>`, and a `<tbody>` per pair; all text escaped.

    An item's label is contested at `contest_url` with the item as its query; no link where that is empty.
    """
    places = answering(table, of_set)
    systems = [table.systems[at] for at in places]
    heads = "".join(_head(system) for system in systems)
    head = f'<thead><tr><th scope="col">Item</th><th scope="col">Gold</th>{heads}</tr></thead>\n'
    rows = _Rows(table.systems, places, contest_url)
    return head + "".join(rows.pair(pair) for pair in of_set.pairs)


def _head(system: Answerer) -> str:
    under = "baseline" if not system.is_counted else system.team
    small = f"<small><bdi>{escape(under)}</bdi></small>" if under else ""
    return f'<th scope="col"><bdi>{escape(system.name)}</bdi>{small}</th>'


class _Rows:
    """The rows of every pair, with a cell for each of these systems."""

    def __init__(self, systems: Sequence[Answerer], places: Sequence[int], contest_url: str) -> None:
        self._systems, self._places, self._contest_url = systems, places, contest_url

    def pair(self, pair: PublishedPair) -> str:
        """The pair's own row, and one for each of its items."""
        items = "".join(self._item(item, side) for item, side in zip(pair.items, SIDES, strict=True))
        width = len(self._places) + 2
        head = f'<th scope="rowgroup" colspan="{width}"><div>{self._about(pair)}</div></th>'
        return f'<tbody><tr class="pair">{head}</tr>{items}</tbody>\n'

    def _about(self, pair: PublishedPair) -> str:
        context = "".join(
            f"<div><dt>{escape(name)}</dt><dd dir=auto>{escape(text)}</dd></div>"
            for name, text in pair.context
            if text
        )
        contests = "".join(_contest(item, contest) for item in pair.items for contest in item.contests)
        parts = [
            f"<dl>{context}</dl>" if context else "",
            f"<p dir=auto>{_sentence(pair)}</p>",
            f'<p class="why" dir=auto>{escape(pair.rationale)}</p>' if pair.rationale else "",
            f"<small>{self._facts(pair)}</small>",
            contests,
        ]
        return "".join(parts)

    def _facts(self, pair: PublishedPair) -> str:
        broken, of = pair.outcomes(self._systems)
        facts = [f"<b>breaks {broken} of {of} system{'' if of == 1 else 's'}</b>"] if of else []
        change = pair.change
        if change:
            facts.append(f"{change.token_edits} of {change.token_count} words and marks changed")
            facts.append(
                f"{change.character_edits} character{'' if change.character_edits == 1 else 's'} edited"
            )
        return " · ".join(facts)

    def _item(self, item: PublishedItem, side: str) -> str:
        cells = "".join(_answer(item.answers[at], is_right=item.rights[at]) for at in self._places)
        url = f"{self._contest_url}?{urlencode({'item': item.id})}" if self._contest_url else ""
        link = f' <a href="{escape(url)}">Contest</a>' if url else ""
        return (
            f'<tr><th scope="row"><code dir=auto>{escape(item.id)}</code><small>{side}{link}</small></th>'
            f"<td><bdi>{escape(item.label)}</bdi></td>{cells}</tr>"
        )


def _sentence(pair: PublishedPair) -> str:
    if not pair.has_texts:
        return f"Pair <code dir=auto>{escape(pair.id)}</code>; its sentences are not known here."
    segments = ((_TAGS.get(segment.kind), escape(segment.text)) for segment in pair.segments)
    return "".join(f"<{tag}>{text}</{tag}>" if tag else text for tag, text in segments)


def _answer(answer: str | None, *, is_right: bool | None) -> str:
    if answer is None:
        return f'<td class="none">{NONE}<span class="vh"> not answered</span></td>'
    css, word = ("yes", "right") if is_right else ("no", "wrong")
    return f'<td class={css}><span class="vh">{word}: </span><bdi>{escape(answer)}</bdi></td>'


def _contest(item: PublishedItem, contest: ContestedLabel) -> str:
    votes = ", ".join(f"{count} for <bdi>{escape(label)}</bdi>" for label, count in contest.votes)
    parts = [
        f'<span class="tag">contested</span> <code dir=auto>{escape(item.id)}</code>: {escape(contest.outcome)}.',
        f" <bdi>{escape(contest.reason)}</bdi>",
        f" Proposed: <bdi>{escape(contest.proposed)}</bdi>." if contest.proposed else "",
        f" Votes: {votes}." if votes else "",
        f" Decision: <bdi>{escape(contest.note)}</bdi>" if contest.note else "",
    ]
    return f'<p class="contest">{"".join(parts)}</p>'
