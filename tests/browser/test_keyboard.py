"""From the first page to an accepted file by the keyboard alone, and at every stop one sees where one is."""

from typing import Any

import pytest

from leaderboard.publication.services import refresh_stale
from tests.browser.steps import Page, file_of, fits, link_that_confirms, sees
from tests.uploads import toy_zip

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MOST_STOPS = 40  # of the Tab key, from the head of a page to what is wanted
FOCUS = """() => {
    const one = document.activeElement;
    const look = getComputedStyle(one);
    const box = one.getBoundingClientRect();
    const above = document.elementFromPoint(box.left + Math.min(box.width, 8) / 2, box.top + box.height / 2);
    const ring = look.outlineStyle !== "none" && parseFloat(look.outlineWidth) >= 2;
    const faults = [];
    if (!ring) faults.push("no ring round it");
    if (box.top < 0 || box.bottom > innerHeight + 1) faults.push("outside of the window");
    else if (above && !(one.contains(above) || above.contains(one))) faults.push("something lies on it");
    const named = one.ariaLabel || one.labels?.[0]?.innerText || one.innerText || one.name || "";
    return { named: named.trim().split("\\n")[0], type: one.type || "", faults };
}"""


class Keys:
    """A reader with nothing but a keyboard."""

    def __init__(self, page: Page) -> None:
        self.page, self.stops = page, 0
        # Asked for from the start: a browser that is told only as Space is pressed may hear the key first.
        page.on("filechooser", lambda _: None)

    def go_to(self, name: str) -> None:
        """Press Tab until what is called so has the focus; at each stop that can be seen."""
        seen: list[str] = []
        for _ in range(MOST_STOPS):
            self.page.keyboard.press("Tab")
            self.stops += 1
            focus: dict[str, Any] = self.page.evaluate(FOCUS)
            assert focus["named"] not in seen[:1], f"{self.page.url}: once round without {name!r}: {seen}"
            assert focus["faults"] == [], (self.page.url, focus, seen)
            seen.append(focus["named"])
            if focus["named"] == name:
                return
        raise AssertionError(f"{self.page.url}: {name!r} is not among the first stops: {seen}")

    def press(self, name: str) -> None:
        self.go_to(name)
        self.enter()

    def enter(self) -> None:
        """Follow the link or send the form that has the focus; a key pressed on the way would be lost."""
        with self.page.expect_navigation():
            self.page.keyboard.press("Enter")

    def write(self, name: str, text: str) -> None:
        self.go_to(name)
        self.page.keyboard.type(text)

    def choose(self, name: str, data: bytes) -> None:
        """A file, in the window that the browser opens."""
        self.go_to(name)
        with self.page.expect_file_chooser() as chooser:
            self.page.keyboard.press("Space")
        chooser.value.set_files(file_of("toy.zip", data))


def test_a_newcomer_comes_from_the_first_page_to_an_accepted_file_by_the_keyboard_alone(page, toy):
    refresh_stale()
    keys = Keys(page)

    page.goto("/")
    keys.press("Toy")
    keys.press("Submit")
    keys.press("Sign up")
    keys.write("E-mail address", "ada@example.org")
    keys.write("Password", "a long enough secret")
    keys.enter()
    page.goto(link_that_confirms())
    keys.press("Yes, confirm it")
    sees(page, "Submit predictions")
    keys.press("Found a team")
    keys.write("Name", "Team Ada")
    keys.enter()
    sees(page, "Enter a system")
    keys.write("Name", "Analytical")
    keys.enter()
    sees(page, "was entered")
    keys.choose("Predictions", toy_zip())
    keys.press("Upload and check")

    sees(page, "Accepted: 2 of 2 tasks, 10 labels")
    fits(page)
