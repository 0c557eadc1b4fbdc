"""When a long board is first painted on a phone whose processor is four times slower, and when it is sorted there.

Beside it stands the same for a board of twelve. Run: python -m perf.boards.paint [systems]        (needs Chromium)
"""

import os
from statistics import median
from typing import Any

from perf.figures import Measurement, report
from perf.pages import granian, publish_large
from perf.server import scratch_server
from perf.timing import number_asked_for

FEW = 12
ROUNDS, SLOWER, PHONE = 5, 4, {"width": 390, "height": 844}
BOARD = "/benchmarks/raft/"
CHROMIUM = "/usr/bin/chromium"
FLAGS = ["--no-sandbox", "--disable-dev-shm-usage"]
MOST_SECONDS, MOST_KILOBYTES, MOST_NODES = 1, 60, 1500
PAINTED = """() => new Promise((done) => {
  const look = () => {
    const [painted] = performance.getEntriesByName("first-contentful-paint");
    if (painted) done(painted.startTime); else requestAnimationFrame(look);  // the page may be loaded before
  };
  look();
})"""
SORT = """async () => {
  const board = document.getElementById("board"), started = performance.now();
  const link = [...board.querySelectorAll(".menu a")].find((one) => one.textContent.trim() === "Team");
  await new Promise((done) => { board.addEventListener("shown", done, { once: true }); link.click(); });
  return performance.now() - started;
}"""


def main(systems: int) -> None:
    with scratch_server() as data:
        from playwright.sync_api import sync_playwright

        figures = {}
        for release, size in enumerate((FEW, systems), start=1):
            publish_large(size, release)
            with (
                granian("config.wsgi:application", os.environ | {"HELDOUT_DATA": str(data)}) as url,
                sync_playwright() as playwright,
            ):
                browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
                rounds = [_one_visit(browser, url) for _ in range(ROUNDS)]
                html, nodes = _size(browser, url)
                browser.close()
            figures[size] = [median(of_rounds) for of_rounds in zip(*rounds, strict=True)]
    print(
        f"The RAFT board, {PHONE['width']} pixels wide, processor {SLOWER} times slower, medians of {ROUNDS} visits"
    )
    report(
        Measurement(f"first paint of {systems} systems", figures[systems][0] / 1000, "s", MOST_SECONDS),
        Measurement("its HTML", html / 1000, "KB", MOST_KILOBYTES),
        Measurement("its nodes", nodes, "nodes", MOST_NODES),
        Measurement("sorted there for the first time", figures[systems][1] / 1000, "s"),
        Measurement("sorted once more", figures[systems][2] / 1000, "s"),
    )
    for name, few, many in zip(("first paint", "sorted", "sorted again"), *figures.values(), strict=True):
        print(
            f"  {name:12} {FEW} systems {few:6.0f} ms, {systems} systems {many:6.0f} ms, {many / few:5.2f} x"
        )


def _size(browser: Any, url: str) -> tuple[int, int]:
    """Bytes of the page's HTML, and nodes that it makes without a script."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    answer = page.goto(url + BOARD)
    sizes = len(answer.body()), page.locator("*").count()
    context.close()
    return sizes


def _one_visit(browser: Any, url: str) -> tuple[float, float, float]:
    """Milliseconds until the first paint, until rows stand by team, and until they do so once more."""
    context = browser.new_context(viewport=PHONE)
    page = context.new_page()
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.goto(url + BOARD)
    painted = page.evaluate(PAINTED)
    first, again = page.evaluate(SORT), page.evaluate(SORT)
    context.close()
    return painted, first, again


if __name__ == "__main__":
    main(number_asked_for(5_000))
