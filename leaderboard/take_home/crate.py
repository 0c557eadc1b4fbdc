"""What a folder of files says about itself to machines: RO-Crate, Croissant, what Zenodo asks for, and checksums.

The only place where these are written, for archives, static sites and data kits alike. Pure.
"""

import datetime as dt
import json
import mimetypes
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

RO_CRATE, CROISSANT, ZENODO, CHECKSUMS, CHECKSUM_NOTE = (
    "ro-crate-metadata.json",
    "croissant.json",
    ".zenodo.json",
    "SHA256SUMS",
    "SHA256SUMS.note",
)
_CROISSANT_CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "recordSet": "cr:recordSet",
    "sc": "https://schema.org/",
    "source": "cr:source",
}
_MEDIA_TYPES = {
    ".csv": "text/csv",
    ".jsonl": "application/jsonl",
    ".parquet": "application/vnd.apache.parquet",
    ".md": "text/markdown",
    ".tex": "application/x-tex",
    ".yaml": "application/yaml",
    ".bib": "application/x-bibtex",
    ".atom": "application/atom+xml",
}


@dataclass(frozen=True, slots=True)
class FileFacts:
    """One file of a folder: its path with slashes, its size in bytes and its digest.

    `columns` are the heads of a table of CSV that machines shall find; empty for every other file. `url` is where a
    file stands that is not beside its description, `licence` its own, where it has one.
    """

    path: str
    size: int
    sha256: str
    description: str = ""
    columns: tuple[str, ...] = ()
    url: str = ""
    licence: str = ""

    @property
    def media_type(self) -> str:
        ending = PurePosixPath(self.path).suffix
        return _MEDIA_TYPES.get(ending) or mimetypes.types_map.get(ending) or "application/octet-stream"


@dataclass(frozen=True, slots=True)
class FolderFacts:
    """What is said of the whole folder. `licence` is an address or a name as its owner gave it; empty: none was."""

    name: str
    description: str
    url: str
    made_at: dt.datetime
    creator: str
    citation: str = ""
    licence: str = ""
    keywords: tuple[str, ...] = ()


def described(folder: FolderFacts, files: Sequence[FileFacts]) -> dict[str, bytes]:
    """The files that describe a folder of these files, by name, in the order in which they are to be written.

    The same folder and files give the same bytes. The checksums are not among them, because they cover these too.
    """
    return {
        RO_CRATE: _json(_ro_crate(folder, files)),
        CROISSANT: _json(_croissant(folder, files)),
        ZENODO: _json(_zenodo(folder)),
    }


def checksums(files: Iterable[FileFacts]) -> bytes:
    """A line per file that `sha256sum -c` reads."""
    return "".join(f"{file.sha256}  {file.path}\n" for file in sorted(files, key=lambda f: f.path)).encode()


def _ro_crate(folder: FolderFacts, files: Sequence[FileFacts]) -> dict[str, Any]:
    """RO-Crate 1.1: https://www.researchobject.org/ro-crate/1.1/."""
    root: dict[str, Any] = {
        "@id": "./",
        "@type": "Dataset",
        "name": folder.name,
        "description": folder.description,
        "datePublished": folder.made_at.date().isoformat(),
        "url": folder.url,
        "license": folder.licence or "No licence was stated.",
        "creator": {"@id": "#creator"},
        "keywords": list(folder.keywords),
        "hasPart": [{"@id": file.path} for file in files],
    }
    if folder.citation:
        root["citation"] = folder.citation
    about = {
        "@id": RO_CRATE,
        "@type": "CreativeWork",
        "conformsTo": {"@id": "https://w3id.org/ro/crate/1.1"},
        "about": {"@id": "./"},
    }
    creator = {"@id": "#creator", "@type": "Organization", "name": folder.creator}
    parts = [
        {
            "@id": file.path,
            "@type": "File",
            "name": file.path,
            "contentSize": str(file.size),
            "encodingFormat": file.media_type,
            "sha256": file.sha256,
            **({"description": file.description} if file.description else {}),
            **({"license": file.licence} if file.licence else {}),
            **({"contentUrl": file.url} if file.url else {}),
        }
        for file in files
    ]
    return {"@context": "https://w3id.org/ro/crate/1.1/context", "@graph": [about, root, creator, *parts]}


def _croissant(folder: FolderFacts, files: Sequence[FileFacts]) -> dict[str, Any]:
    """Croissant 1.0: http://mlcommons.org/croissant/1.0."""
    document: dict[str, Any] = {
        "@context": _CROISSANT_CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": folder.name,
        "description": folder.description,
        "url": folder.url,
        "datePublished": folder.made_at.date().isoformat(),
        "license": folder.licence or "No licence was stated.",
        "creator": {"@type": "sc:Organization", "name": folder.creator},
        "keywords": list(folder.keywords),
        "version": folder.made_at.strftime("%Y.%m.%d"),
    }
    if folder.citation:
        document["citeAs"] = folder.citation
    document["distribution"] = [
        {
            "@type": "cr:FileObject",
            "@id": file.path,
            "name": file.path,
            "contentUrl": file.url or file.path,
            "contentSize": f"{file.size} B",
            "encodingFormat": file.media_type,
            "sha256": file.sha256,
            **({"description": file.description} if file.description else {}),
            **({"license": file.licence} if file.licence else {}),
        }
        for file in files
    ]
    document["recordSet"] = [_record_set(file) for file in files if file.columns]
    return document


def _record_set(file: FileFacts) -> dict[str, Any]:
    name = file.path.removesuffix(".csv")
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"{name}/{column}",
                "name": column,
                "dataType": "sc:Text",
                "source": {"fileObject": {"@id": file.path}, "extract": {"column": column}},
            }
            for column in file.columns
        ],
    }


def _zenodo(folder: FolderFacts) -> dict[str, Any]:
    """What a deposit asks for: https://developers.zenodo.org/#representation. Creators are completed by hand there."""
    document: dict[str, Any] = {
        "upload_type": "dataset",
        "title": folder.name,
        "description": folder.description,
        "publication_date": folder.made_at.date().isoformat(),
        "creators": [{"name": folder.creator}],
        "keywords": list(folder.keywords),
        "related_identifiers": [{"identifier": folder.url, "relation": "isDerivedFrom"}],
        "access_right": "open",
    }
    if folder.licence:
        document["license"] = folder.licence
    else:
        document["access_right"] = "closed"  # Zenodo takes nothing open without a licence
    if folder.citation:
        document["references"] = [folder.citation]
    return document


def _json(document: dict[str, Any]) -> bytes:
    return json.dumps(document, ensure_ascii=False, allow_nan=False, indent=1).encode() + b"\n"
