"""`make screenshots`: the main pages as small PNGs in docs/screenshots, from a demo in a folder of its own.

Run: python -m tests.screenshots
"""

import base64
import io
import re
import struct
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from playwright.sync_api import Browser, Page, sync_playwright

from demo.cast import ORGANISER_EMAIL, PARTICIPANT_EMAILS
from tests.browser.chromium import CHROMIUM, FLAGS
from tests.ops.demos import Demo
from tests.ports import free_port
from tests.uploads import zip_of

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "screenshots"
BENCHMARKS = "raft,ait2018,stance,dynasent,bibi"
WIDTHS = (360, 768, 1440)
HEIGHT = 900
IN_THE_DARK = {"board", "refused"}
PAGES = {
    "home": "/",
    "board": "/benchmarks/raft/",
    "affect": "/benchmarks/ait2018/",
    "games": "/benchmarks/bibi/",
    "task": "/benchmarks/raft/tasks/banking_77/",
    "charts": "/benchmarks/raft/analysis/",
    "system": "/benchmarks/raft/",
    "compare": "/benchmarks/raft/compare/",
    "announcements": "/benchmarks/stance/announcements/",
    "terms": "/benchmarks/stance/terms/",
    "submit": "/submit/?benchmark=raft",
    "refused": "/submit/?benchmark=raft",
    "submissions": "/submissions/",
    "admin": "/admin/",
}


def main() -> None:
    """Start a demo, take every picture and stop it."""
    if not CHROMIUM:
        sys.exit("The pictures are taken with Chromium, which is not installed.")
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, _demo(Path(folder) / "data") as demo:
        take_pictures(f"http://localhost:{demo.port}", _password(demo.said()))


def take_pictures(url: str, password: str) -> None:
    """Every page at every width, light, and two of them dark, from the demo at that address."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        participant = _window(browser, url, PARTICIPANT_EMAILS[0], password)
        organiser = _window(browser, url, ORGANISER_EMAIL, password)
        blank = browser.new_page()
        for name, address in PAGES.items():
            window = organiser if name == "admin" else participant
            window.goto(address)
            _go_on(window, name)
            for width in WIDTHS:
                _take(window, blank, f"{name}-{width}", width, "light")
                if name in IN_THE_DARK:
                    _take(window, blank, f"{name}-{width}-dark", width, "dark")
        browser.close()


@contextmanager
def _demo(data: Path) -> Iterator[Demo]:
    demo = Demo(data, free_port(), benchmarks=BENCHMARKS)
    try:
        demo.wait_until_ready(within=600)
        yield demo
    finally:
        demo.end_for_sure()


def _password(said: str) -> str:
    found = re.search(r"Password +(\S+)", said)
    if found is None:
        raise SystemExit("The demo did not say its password.")
    return found[1]


def _window(browser: Browser, url: str, email: str, password: str) -> Page:
    window = browser.new_context(base_url=url, reduced_motion="reduce").new_page()
    window.goto("/accounts/login/")
    window.get_by_label("E-mail address").fill(email)
    window.get_by_label("Password").fill(password)
    window.get_by_role("button", name="Sign in").click()
    window.wait_for_url("**/submissions/")
    return window


def _go_on(window: Page, name: str) -> None:
    """From the page's address to what the picture shows."""
    if name == "compare":
        for at in (0, 1):
            window.locator("main select").nth(at).select_option(index=at + 1)
        window.locator(".choice button").click()
    if name == "system":
        window.locator("table.board tbody th a").first.click()
    if name == "refused":
        answer = window.request.get("/benchmarks/raft/samples/main.zip")
        data = _misspelt(answer.body())
        file: Any = {"name": "predictions.zip", "mimeType": "application/zip", "buffer": data}
        window.locator("input[type=file]").set_input_files(file)
        window.get_by_role("button", name="Upload and check").click()
        window.get_by_role("heading", name="Not accepted").wait_for()
    window.wait_for_load_state()


def _misspelt(data: bytes) -> bytes:
    """The sample submission with a letter too few on a line of one file and on two of another."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    for name, lines in (("banking_77", (17,)), ("tweet_eval_hate", (29, 304))):
        path = next(path for path in files if f"/{name}/" in path)
        rows = files[path].splitlines(keepends=True)
        for line in lines:
            item, _, label = rows[line - 1].partition(b",")
            rows[line - 1] = item + b"," + label[:2] + label[3:]
        files[path] = b"".join(rows)
    return zip_of(files)


def _take(window: Page, blank: Page, name: str, width: int, theme: Any) -> None:
    window.set_viewport_size({"width": width, "height": HEIGHT})
    window.emulate_media(color_scheme=theme)
    window.evaluate("document.activeElement.blur()")
    window.evaluate("scrollTo(0, 0)")
    if name.startswith("charts"):
        window.get_by_role("heading", name="In pictures").evaluate("head => head.scrollIntoView()")
    window.wait_for_timeout(150)
    (FOLDER / f"{name}.png").write_bytes(with_palette(_pixels(blank, window.screenshot())))


# A PNG with a palette is a third of the size. The browser reads the picture, numpy chooses its colours.

TO_PIXELS = """async picture => {
    const bitmap = await createImageBitmap(await (await fetch("data:image/png;base64," + picture)).blob());
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    canvas.drawImage(bitmap, 0, 0);
    const { data } = canvas.getImageData(0, 0, bitmap.width, bitmap.height);
    let text = "";
    for (let at = 0; at < data.length; at += 8192) text += String.fromCharCode(...data.subarray(at, at + 8192));
    return btoa(text);
}"""


def _pixels(blank: Page, png: bytes) -> npt.NDArray[np.uint8]:
    """Height x width x 3, red, green and blue."""
    width, height = struct.unpack(">II", png[16:24])
    raw = base64.b64decode(blank.evaluate(TO_PIXELS, base64.b64encode(png).decode()))
    return np.frombuffer(raw, np.uint8).reshape(height, width, 4)[:, :, :3]


def with_palette(pixels: npt.NDArray[np.uint8]) -> bytes:
    """A PNG of the picture in its 256 commonest colours; every other pixel takes the nearest of them."""
    height, width, _ = pixels.shape
    packed = pixels.astype(np.uint32) @ np.array([1 << 16, 1 << 8, 1], np.uint32)
    colours, codes, counts = np.unique(packed, return_inverse=True, return_counts=True)
    shades = np.stack([colours >> 16, colours >> 8 & 255, colours & 255], axis=1).astype(np.int32)
    palette = shades[np.argsort(-counts, kind="stable")[:256]]
    nearest = np.array([((palette - shade) ** 2).sum(axis=1).argmin() for shade in shades], np.uint8)
    rows = np.zeros((height, width + 1), np.uint8)
    rows[:, 1:] = nearest[codes].reshape(height, width)
    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = (
        (b"IHDR", head),
        (b"PLTE", palette.astype(np.uint8).tobytes()),
        (b"IDAT", zlib.compress(rows.tobytes(), 9)),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in (*parts, (b"IEND", b"")))


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


if __name__ == "__main__":
    main()
