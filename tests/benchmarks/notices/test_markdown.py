"""What organisers write cannot execute on anybody's screen: 200 payloads, read as a parser of HTML reads them."""

from html.parser import HTMLParser
from urllib.parse import urlsplit

import pytest

from benchmarks.notices.markdown import Surroundings, as_safe_html

AROUND = Surroundings(
    pages={"data": "/benchmarks/toy/pages/data/"},
    files={"train.tsv": "/benchmarks/toy/files/train.tsv", "a.png": "/benchmarks/toy/files/a.png",
           "a.svg": "/benchmarks/toy/files/a.svg"},
)  # fmt: skip
ALLOWED = {
    "a": {"href", "rel"}, "img": {"src", "alt", "loading"}, "ol": {"start"}, "th": {"scope", "style"},
    "td": {"style"}, "div": {"class", "tabindex", "role", "aria-label"}, "table": {"class"},
    "pre": {"tabindex", "role", "aria-label"}, **{f"h{level}": {"id"} for level in range(3, 7)},
    **{key: set[str]() for key in ("p", "br", "hr", "em", "strong", "code", "ul", "li", "thead", "tbody", "tr")},
}  # fmt: skip

MARKUP = (
    "<script>alert(1)</script>", "<ScRiPt src=//evil.example/x.js></sCrIpT>", "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)>", "<svg><script>alert(1)</script></svg>", "<iframe src=javascript:alert(1)>",
    "<iframe srcdoc='<script>alert(1)</script>'>", "<object data=data:text/html,<script>alert(1)</script>>",
    "<embed src=javascript:alert(1)>", "<body onload=alert(1)>", "<details open ontoggle=alert(1)>",
    "<input autofocus onfocus=alert(1)>", "<video><source onerror=alert(1)></video>",
    "<math><mi xlink:href=javascript:alert(1)>x</mi></math>", "<style>@import '//evil.example'</style>",
    "<link rel=stylesheet href=//evil.example>", "<meta http-equiv=refresh content=0;url=javascript:alert(1)>",
    "<base href=//evil.example/>", "<form action=javascript:alert(1)><button>x</button></form>",
    "<a href=javascript:alert(1)>x</a>", "<!--><script>alert(1)</script-->", "<![CDATA[<script>alert(1)</script>]]>",
    "<?php echo 1 ?>", "</article><script>alert(1)</script>", "<p style=background:url(javascript:alert(1))>",
)  # fmt: skip
TARGETS = (
    "javascript:alert(1)", "JaVaScRiPt:alert(1)", " javascript:alert(1)", "java\tscript:alert(1)",
    "java&#10;script:alert(1)", "&#106;avascript:alert(1)", "javascript&colon;alert(1)", "\x01javascript:alert(1)",
    "vbscript:msgbox(1)", "data:text/html,<script>alert(1)</script>", "data:text/html;base64,PHNjcmlwdD4=",
    "data:image/svg+xml,<svg onload=alert(1)>", "data:image/png;base64,AAAA", "file:///etc/passwd", "blob:null/1",
    "//evil.example/x", "\\\\evil.example", "/accounts/logout/", "../../admin/", "filesystem:http://x/y", "ftp://x/y",
    "view-source:http://x", "ws://x", "intent://x#Intent;end", "tel:+1",
)  # fmt: skip
AS_LINKS = (
    "[x]({})", "[x](<{}>)", "![x]({})", "[x][1]\n\n[1]: {}", "<{}>",
)  # fmt: skip
IN_PLACES = ("{}", "## {}", "- {}")
PAYLOADS = [place.format(each) for each in MARKUP for place in IN_PLACES]
PAYLOADS += [link.format(target) for target in TARGETS for link in AS_LINKS]


class Reader(HTMLParser):
    """Notes each thing that no page of an organiser may hold."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.wrong: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ALLOWED:
            self.wrong.append(f"<{tag}>")
        for name, value in attrs:
            if name not in ALLOWED.get(tag, set()):
                self.wrong.append(f"{tag} {name}={value}")
            if name == "href" and not self._leads_well(value or ""):
                self.wrong.append(f"{tag} {name}={value}")
            if name == "src" and value != "/benchmarks/toy/files/a.png":
                self.wrong.append(f"{tag} {name}={value}")
            if name == "style" and value not in ("text-align:left", "text-align:right", "text-align:center"):
                self.wrong.append(f"{tag} {name}={value}")

    def _leads_well(self, href: str) -> bool:
        is_ours = href.startswith("#") or href in {*AROUND.pages.values(), *AROUND.files.values()}
        return is_ours or urlsplit(href).scheme in {"http", "https", "mailto"}

    def handle_comment(self, data: str) -> None:
        self.wrong.append(f"<!--{data}")

    def handle_decl(self, decl: str) -> None:
        self.wrong.append(f"<!{decl}")

    def handle_pi(self, data: str) -> None:
        self.wrong.append(f"<?{data}")


def faults(html: str) -> list[str]:
    reader = Reader()
    reader.feed(html)
    reader.close()
    return reader.wrong


def test_there_are_two_hundred_payloads():
    assert len(set(PAYLOADS)) == 200


def test_no_payload_becomes_more_than_words_and_links_that_are_allowed():
    found = {payload: wrong for payload in PAYLOADS if (wrong := faults(as_safe_html(payload, AROUND)))}
    assert found == {}


@pytest.mark.parametrize(
    "payload", ["<b onclick=alert(1)>x</b>", "<!-- x -->", '<a href="javascript:1">x</a>']
)
def test_the_reader_of_this_test_sees_what_is_wrong(payload):
    assert faults(payload)


@pytest.mark.parametrize(
    ("text", "html"),
    [
        (
            "[x](https://example.org/a?b=1)",
            '<a href="https://example.org/a?b=1" rel="nofollow noopener">x</a>',
        ),
        ("[x](mailto:a@example.org)", '<a href="mailto:a@example.org" rel="nofollow noopener">x</a>'),
        ("[x](train.tsv)", '<a href="/benchmarks/toy/files/train.tsv">x</a>'),
        ("[x](data)", '<a href="/benchmarks/toy/pages/data/">x</a>'),
        ("![A curve](a.png)", '<img src="/benchmarks/toy/files/a.png" alt="A curve" loading="lazy">'),
        ("![A curve](https://example.org/a.png)", "<p>A curve</p>"),
        ("![A curve](a.svg)", "<p>A curve</p>"),
        ("# One\n\n[x](#one)", '<h3 id="one">One</h3>\n<p><a href="#one">x</a></p>'),
        ("## One\n\n### Two", '<h3 id="one">One</h3>\n<h4 id="two">Two</h4>'),
    ],
)
def test_links_and_pictures_lead_where_they_may(text, html):
    assert html in as_safe_html(text, AROUND)


def test_a_table_scrolls_by_itself_and_is_named():
    assert 'aria-label="Table: Sizes, 1"' in as_safe_html("## Sizes\n\n|a|b|\n|-|-|\n|1|2|", AROUND)
