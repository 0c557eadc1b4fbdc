"""Units of a pool: a query and a document that some system ranks among its first, without a word of which."""

from collections.abc import Sequence

from labelling.core.judged.pools import pooled
from labelling.core.unit_files import LONGEST, read_units
from labelling.exceptions import CannotChangeCampaign
from labelling.models import Campaign
from labelling.units.from_split import questions_kept, shown_texts
from labelling.units.new_units import JudgedSystems, NewUnit, store_units
from labelling.units.of_systems.chosen import outputs_of
from scoring.file_refusal import FileRefused
from scoring.item_sets.texts import texts_of
from submissions.models import Submission

QUERY, DOCUMENT = "query", "document"
"""Keys of a unit's `source`, and headings where there is no text."""
_NAMED = 3

Texts = Sequence[tuple[str, str]]


def units_of_pool(
    *,
    campaign: Campaign,
    submissions: Sequence[Submission],
    depth: int,
    documents: tuple[bytes, str] | None,
) -> int:
    """Ask about every document among the first `depth` of any submission's lists; returns how many units there are.

    `documents` is a file with the texts of documents by their ids, as a file of units; without it ids are shown.

    Raises
    ------
    CannotChangeCampaign
        If one of the submissions cannot be judged, a document has no text in the file, or an id is too long.
    FileRefused
        If the file has problems.
    """
    given = outputs_of(campaign, submissions, fewest=1)
    pool = dict(zip(given.items, pooled(given.outputs.values(), depth), strict=True))
    queries = shown_texts(given.split) if texts_of(given.split) else {}
    shown = _texts_of(campaign, documents, {document for of_query in pool.values() for document in of_query})
    units = []
    for query, of_query in pool.items():
        for document in of_query:
            key = f"{query}/{document}"
            if len(key) > LONGEST["id"]:
                raise CannotChangeCampaign(
                    f"The ids of query and document {key[:40]}… have {len(key)} characters; at most {LONGEST['id']} "
                    "can be asked about."
                )
            about = queries.get(query, [(QUERY, query)])
            source = {QUERY: query, DOCUMENT: document}
            told = shown.get(document, [(DOCUMENT, document)])
            units.append(
                NewUnit(key, (key,), [[*about, *told]], group=query[: LONGEST["group"]], source=source)
            )
    judged = JudgedSystems(given.submissions)
    return store_units(campaign=campaign, units=[*units, *questions_kept(campaign)], judged=judged)


def _texts_of(campaign: Campaign, documents: tuple[bytes, str] | None, pool: set[str]) -> dict[str, Texts]:
    """What the file says of the documents of the pool; nothing without a file."""
    if documents is None:
        return {}
    data, file_name = documents
    rows = read_units(data, file_name=file_name, question=campaign.asked).content_or(FileRefused.because_of)
    found = {row.id: row.texts for row in rows}
    if lacking := sorted(pool - found.keys()):
        more = f" and {len(lacking) - _NAMED:,} more" if len(lacking) > _NAMED else ""
        raise CannotChangeCampaign(
            f"{file_name} has no text of {', '.join(lacking[:_NAMED])}{more}. Add a row for each document of the pool."
        )
    return {document: found[document] for document in pool}
