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
)
from scoring.core.measures.minimality import SegmentKind, difference

_TAGS = {SegmentKind.REMOVED: "del", SegmentKind.ADDED: "ins"}


def items_body(table: ItemTable, of_set: PublishedSet, *, contest_url: str) -> str:
    """A `<thead>` with the systems that have answered any item, and a `<tbody>` per pair; all text escaped.

    An item's label is contested at `contest_url` with the item as its query; no link where that is empty.
    """
    items = [item for pair in of_set.pairs for item in pair.items]
    places = [at for at in range(len(table.systems)) if any(item.answers[at] is not None for item in items)]
    heads = "".join(_head(table.systems[at]) for at in places)
    head = f'<thead><tr><th scope="col">Item</th><th scope="col">Gold</th>{heads}</tr></thead>\n'
    body = []
    for pair in of_set.pairs:
        about = (
            f'<th scope="rowgroup" colspan="{len(places) + 2}"><div>{_about(pair, table.systems)}</div></th>'
        )
        rows = [_row(item, side, places, contest_url) for item, side in zip(pair.items, SIDES, strict=True)]
        body.append(f'<tbody><tr class="pair">{about}</tr>{"".join(rows)}</tbody>\n')
    return head + "".join(body)


def _head(system: Answerer) -> str:
    under = "baseline" if not system.is_counted else system.team
    small = f"<small><bdi>{escape(under)}</bdi></small>" if under else ""
    return f'<th scope="col"><bdi>{escape(system.name)}</bdi>{small}</th>'


def _about(pair: PublishedPair, systems: Sequence[Answerer]) -> str:
    context = "".join(
        f"<div><dt>{escape(name)}</dt><dd dir=auto>{escape(text)}</dd></div>"
        for name, text in pair.context
        if text
    )
    broken, of = pair.outcomes(systems)
    facts = [f"<bdi>{escape(pair.category)}</bdi>"] if pair.category else []
    facts += [f"<b>breaks {broken} of {of} system{'' if of == 1 else 's'}</b>"] if of else []
    sentence = f"Pair <code dir=auto>{escape(pair.id)}</code>; its sentences are not known here."
    if change := pair.change:
        edits = change.character_edits
        facts.append(f"{change.token_edits} of {change.token_count} words and marks changed")
        facts.append(f"{edits} character{'' if edits == 1 else 's'} edited")
        segments = difference(pair.original.text, pair.changed.text)
        tagged = ((_TAGS.get(segment.kind), escape(segment.text)) for segment in segments)
        sentence = "".join(f"<{tag}>{text}</{tag}>" if tag else text for tag, text in tagged)
    parts = [
        f"<dl>{context}</dl>" if context else "",
        f"<p dir=auto>{sentence}</p>",
        f'<p class="why" dir=auto>{escape(pair.rationale)}</p>' if pair.rationale else "",
        f"<small>{' · '.join(facts)}</small>",
        *(_contest(item, contest) for item in pair.items for contest in item.contests),
    ]
    return "".join(parts)


def _row(item: PublishedItem, side: str, places: Sequence[int], contest_url: str) -> str:
    cells = "".join(_answer(item.answers[at], is_right=item.rights[at]) for at in places)
    url = f"{contest_url}?{urlencode({'item': item.id})}"
    link = f' <a href="{escape(url)}">Contest</a>' if contest_url else ""
    return (
        f'<tr><th scope="row"><code dir=auto>{escape(item.id)}</code><small>{side}{link}</small></th>'
        f"<td><bdi>{escape(item.label)}</bdi></td>{cells}</tr>"
    )


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
