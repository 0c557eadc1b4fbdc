"""A drawn chart with its data beside it, and the one writer of SVG: groups of marks of one colour.

Colours stand in the SVG as on white paper, so that a chart can be downloaded and printed; inlined in a page, the
style sheet's rules for `.chart` take their place, in light and in dark. No style attributes, no scripts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from catalogue.csv_text import csv_bytes
from leaderboard.board.charts.text_layout import wrapped
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.plain_text import one_line

WIDTH = 400  # pixels of a chart that can be read on a phone, where it is drawn at four fifths of its size
SEEN = 320  # pixels of a wider chart that a phone shows without scrolling
TITLE_SIZE, SIZE, SMALL = 15.0, 13.0, 12.0
TITLE_LINES = 3
HEAVY = 4_000  # bytes
MOST_SHOWN = 24  # lines of data on a page
BOLD = 1.2  # how much wider bold letters are

INK, FAINT, RULE, GREY, HUMAN = "#1b1e22", "#5a6069", "#e4e1da", "#85817a", "#8a4a08"
COLOURS = ("#0b5d69", "#6a3d9a", "#a3326b", "#3f6b1f", "#2f5fb3")
SYMBOLS = (
    "M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0Z",  # disc
    "M-3.2-3.2h6.4v6.4h-6.4Z",  # square
    "M0-4.2L4 3H-4Z",  # triangle
    "M0-4.4L4.4 0L0 4.4L-4.4 0Z",  # diamond
    "M0 4.2L4-3H-4Z",  # triangle on its tip
)
Datum = str | int | float | None


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawn chart: `key` is made for addresses, `svg` is UTF-8 and can stand in an HTML page as it is.

    `title` says in a sentence what is seen. `rows` below `heads` are what is drawn. `is_wide` is
    true of one that does not fit a phone. `note` stands below it on a page.
    """

    key: str
    title: str
    svg: bytes
    heads: tuple[str, ...]
    rows: tuple[tuple[Datum, ...], ...]
    is_synthetic: bool = False
    is_wide: bool = False
    note: str = ""

    @property
    def inline(self) -> str:
        """The chart as text that a template takes over unescaped: all names in it are escaped already."""
        return self.svg.decode()

    @property
    def is_heavy(self) -> bool:
        """Whether a page shows it as an image of its file, for it would be a good part of the page."""
        return len(self.svg) > HEAVY

    @property
    def is_short(self) -> bool:
        """Whether its data can stand on its page; more than that are read from its CSV."""
        return len(self.rows) <= MOST_SHOWN

    @property
    def lines(self) -> list[list[str]]:
        return [
            [
                fmt.score(value) if isinstance(value, float) else str("" if value is None else value)
                for value in row
            ]
            for row in self.rows
        ]

    @property
    def csv(self) -> bytes:
        """The data as UTF-8 CSV; of made-up data every line says so, as in a board's CSV."""
        return csv_bytes(self.heads, self.rows, is_synthetic=self.is_synthetic)


class Marks:
    """A group of marks of one colour. Names of attributes are written with hyphens: `stroke_width`."""

    def __init__(self, element: ET.Element) -> None:
        self.element = element

    def group(self, css: str, colour: str, title: str = "", **more: str) -> Marks:
        """A group within this one; `colour` is that on paper, `title` is shown to those who point at it."""
        return Marks(self._added("g", title, class_=css, color=colour, fill="currentColor", **more))

    def path(self, d: str, title: str = "", **more: str) -> None:
        self._added("path", title, d=d, **more)

    def stroke(self, d: str, width: str = "1", **more: str) -> None:
        self.path(d, fill="none", stroke="currentColor", stroke_width=width, **more)

    def text(self, line: str, x: float, y: float, anchor: str = "start", **more: str) -> None:
        """A line of text, whatever it holds."""
        anchored = {} if anchor == "start" else {"text_anchor": anchor}
        self._added("text", x=f"{x:.1f}", y=f"{y:.1f}", **anchored, **more).text = one_line(line)

    def _added(self, tag: str, title: str = "", **attributes: str) -> ET.Element:
        written = {name.strip("_").replace("_", "-"): value for name, value in attributes.items()}
        element = ET.SubElement(self.element, tag, written)
        if title:
            ET.SubElement(element, "title").text = one_line(title)
        return element


class Canvas(Marks):
    """An SVG that is being drawn: its title stands in it already, with what is measured below it.

    `key` distinguishes the chart from others in the same page. The drawing may begin at `top`.
    """

    def __init__(self, key: str, *, title: str, about: str, description: str, wide: float = WIDTH) -> None:
        label, details = f"chart-{key}-title", f"chart-{key}-description"
        names = {"role": "img", "aria-labelledby": label, "aria-describedby": details}
        font = {"font-family": "system-ui, sans-serif", "font-size": f"{SIZE:g}"}
        self.key, self.title, self.wide = key, title, wide
        super().__init__(ET.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", **names, **font}))
        self._added("title", id=label).text = one_line(title)
        self._added("desc", id=details).text = one_line(description)
        self._ground = self._added("path", class_="ground")  # its height is known at the end
        self.top = self._heading(title, about)

    def _heading(self, title: str, about: str) -> float:
        room = self.wide - 4 if self.wide <= WIDTH else SEEN
        heading = self.group("heading", INK, font_size=f"{TITLE_SIZE:g}", font_weight="600")
        y = 16
        for line in wrapped(title, room, TITLE_SIZE * BOLD, lines=TITLE_LINES):
            heading.text(line, 2, y)
            y += 19
        below = self.group("scales", FAINT)
        for line in wrapped(about, room, SIZE, lines=2):
            below.text(line, 2, y + 2)
            y += 17
        return y - 5

    def chart(
        self,
        height: float,
        heads: Sequence[str],
        rows: Iterable[tuple[Datum, ...]],
        *,
        is_synthetic: bool,
        note: str = "",
    ) -> Chart:
        """The chart of that height with its data. The same drawing always gives the same bytes."""
        size = {"width": f"{self.wide:g}", "height": f"{height:g}"}
        self.element.attrib |= {"viewBox": " ".join(["0", "0", *size.values()]), **size}
        self._ground.attrib |= {"d": f"M0 0h{self.wide:g}v{height:g}H0Z", "fill": "#fff"}
        svg = ET.tostring(self.element, encoding="unicode").encode()
        is_wide = self.wide > WIDTH
        return Chart(self.key, self.title, svg, tuple(heads), tuple(rows), is_synthetic, is_wide, note)
