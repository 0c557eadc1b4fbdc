"""Build It Break It with four roles: organiser, builder, breaker, reader; from the first gold labels to the names."""

import csv
import io
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from django.conf import settings

from accounts.server.clock import database_now
from accounts.services import create_team
from benchmarks.models import Benchmark, Phase
from breaking.pairs.starter_data import load_starter
from breaking.pairs.uploads import hand_in_pairs
from leaderboard.publication.services import refresh_stale
from scoring.gold.versions import load_gold
from submissions.models import Pseudonym, System
from submissions.services import PredictionUpload, submit_predictions
from tests.browser import broken_games as games
from tests.browser.broken_games import printed
from tests.browser.steps import (
    Page,
    answer,
    board,
    close_now,
    do_the_workers_part,
    file_of,
    found_team_and_system,
    main_of,
    press,
    rows_of,
    sees,
    sign_in,
)
from tests.conftest import person
from tests.games import WHO_STARTER
from tests.people import appoint
from tests.uploads import zip_of

pytestmark = [pytest.mark.walks, pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PAIRS = "/benchmarks/bibi/pairs/"
Names = Mapping[str, str]
"""What everybody reads in place of each system's name."""


@pytest.fixture
def bibi(sync, gold_keys) -> Benchmark:
    definition = Path(settings.BASE_DIR) / "benchmarks" / "definitions" / "bibi.yaml"
    found: Benchmark = sync(definition.read_text("utf-8"))
    return found


def phase(kind: str) -> Phase:
    return Phase.objects.select_related("benchmark").get(benchmark="bibi", kind=kind)


# The organiser prepares


def prepare(page: Page) -> None:
    """Gold labels of the development data and starter data, each after a malformed file; names are hidden."""
    page.goto("/admin/benchmarks/task/")
    page.get_by_role("link", name="Sentiment", exact=True).click()
    press(page, "Load gold labels")
    gold = games.sentiment_file(games.DEV, "sentiment_label")
    answer(page, "Seal and load", file=file_of("dev.tsv", gold.replace("d3\t-\t1", "d3\t-\t0")))
    sees(page, "dev.tsv, line 4: Every label must be one of the task's labels.")
    answer(page, "Seal and load", file=file_of("dev.tsv", gold))
    sees(page, "Gold version 1 was sealed: 6 items")
    page.goto("/admin/breaking/starterdata/add/")
    task = str(phase("break").benchmark.tasks.get(slug="sentiment").pk)
    broken = games.STARTER.replace("way again.,-1", "way again.,maybe")
    answer(page, "Load", file=file_of("starter.csv", broken), task=task)
    sees(page, "starter.csv, line 3, column label")
    answer(page, "Load", file=file_of("starter.csv", games.STARTER), task=task)
    sees(page, "4 sentences")
    page.goto("/admin/benchmarks/benchmark/bibi/change/")
    press(page, "Hide names")
    answer(page, "Hide names")
    sees(page, "are anonymous from now on")


def prepare_qasrl(benchmark: Benchmark) -> None:
    task = benchmark.tasks.get(slug="qasrl")
    gold = games.qasrl_file(games.QASRL_DEV).encode()
    load_gold(task=task, data=gold, file_name="dev.csv", now=database_now(), split_slug="dev")
    load_starter(task=task, data=WHO_STARTER, file_name="starter.csv", now=database_now())


# Builders


def upload(page: Page, name: str, data: bytes | str, *, says: str) -> None:
    page.goto("/submit/?benchmark=bibi")
    page.locator("input[type=file]").set_input_files(file_of(name, data))
    page.get_by_role("button", name="Upload and check").click()
    sees(page, says)


def dev_files(system: str) -> bytes:
    return zip_of(
        {
            "sentiment_dev.tsv": games.sentiment_file(games.answers(system, "dev")),
            "qasrl_dev.csv": games.qasrl_file(games.QASRL_DEV),
        }
    )


def set_files(system: str) -> bytes:
    files = {f"sentiment_{one}.tsv": games.sentiment_file(games.answers(system, one)) for one in games.SETS}
    if system in games.QASRL_ANSWERS:
        files["qasrl_team-north.csv"] = games.qasrl_file(games.QASRL_ANSWERS[system])
    return zip_of(files)


def enter(name: str) -> System:
    """Another builder, of whom the walk sees no more than the scores."""
    team = create_team(name=f"Team {name}", founder=person(name.lower()), now=database_now())
    return System.objects.create(team=team, name=name, created_at=database_now())


def send(system: System, kind: str, data: bytes) -> None:
    user = system.team.members.get()
    submit_predictions(
        PredictionUpload(
            system=system,
            phase=phase(kind),
            user=user,
            data=data,
            file_name="all.zip",
            received_at=database_now(),
        )
    )


# Breakers


def downloaded(page: Page, address: str) -> list[list[str]]:
    """The rows of a CSV file that the page links to."""
    with page.expect_download() as download:
        page.locator(f"a[href$='{address}']").click()
    return list(csv.reader(io.StringIO(Path(download.value.path()).read_text("utf-8"))))


def before_the_break_phase(page: Page) -> None:
    page.goto(PAIRS)
    sees(page, "The phase “Break” opens")
    sees(page, "They are given out when the phase Build closes")
    assert page.locator("a[href*='/blind/']").count() == 0


def read_what_was_built(page: Page) -> None:
    """Starter data, and predictions without names."""
    page.goto(PAIRS)
    page.get_by_role("link", name="Found a team").click()
    page.get_by_label("Name").fill("Team North")
    page.locator("main form button").first.click()
    sees(page, "Hand in a file")
    starter = downloaded(page, "/starter/sentiment.csv")
    assert starter == list(csv.reader(io.StringIO(games.STARTER)))
    head, *rows = downloaded(page, "/blind/sentiment.csv")
    assert head == ["id", "System 1", "System 2"]
    labels = {tuple(column) for column in list(zip(*rows, strict=True))[1:]}
    assert labels == {tuple(games.answers(one, "dev").values()) for one in ("Wren", "Dunnock")}


def hand_in(page: Page, task: str, name: str, content: str, *, says: str) -> None:
    page.goto(PAIRS)
    form = page.locator("#hand-in form")
    form.locator("[name=task]").select_option(label=task)
    form.locator("input[type=file]").set_input_files(file_of(name, content))
    form.get_by_role("button", name="Check and hand in").click()
    sees(page, says)


def hand_in_pairs_of_north(page: Page) -> None:
    """Refused with its line, then taken; what was changed is shown, and what is too much waits."""
    faulty = games.NORTH_PAIRS.replace("-1\ta prefix", "maybe\ta prefix")
    hand_in(page, "Sentiment", "north.tsv", faulty, says="Line 4, column label")
    hand_in(page, "Sentiment", "north.tsv", games.NORTH_PAIRS, says="Accepted: 4 pairs")
    loathe = page.locator(".pairs li").filter(has_text="11_b")
    assert loathe.locator("del").inner_text() == "like"
    assert loathe.locator("ins").inner_text() == "loathe"
    assert "a rare verb, <b>bold</b>" in loathe.inner_text()
    assert page.locator(".pairs [data-status=pending]").count() == 2
    hand_in(page, "QA-SRL", "north.csv", games.QASRL_PAIRS, says="Accepted: 1 pair")


def hand_in_pairs_of_south(benchmark: Benchmark) -> None:
    user = person("dan")
    team = create_team(name="Team South", founder=user, now=database_now())
    taken = hand_in_pairs(
        team=team,
        phase=phase("break"),
        task=benchmark.tasks.get(slug="sentiment"),
        user=user,
        data=games.SOUTH_PAIRS.encode(),
        file_name="south.tsv",
        received_at=database_now(),
    )
    assert not taken.pairs.waiting().exists()


def decide_about_outliers(page: Page) -> None:
    """One is admitted, the other left out with a reason."""
    decided = (("14_b", "Admit", "A small idea."), ("12_b", "Leave out", "Another sentence."))
    for item, button, reason in decided:
        page.goto("/admin/breaking/pair/?decision__exact=waiting")
        page.get_by_role("link", name=item, exact=True).click()
        press(page, button)
        answer(page, button, reason=reason)
        sees(page, "1 of 1 pairs changed")


def read_what_was_decided(page: Page) -> None:
    """A breaker is told why a pair was left out."""
    page.goto(PAIRS)
    page.get_by_role("row", name="Sentiment").get_by_role("link").click()
    sees(page, "left out by the organiser Another sentence.")


# Scores


def answer_all_sets(page: Page) -> str:
    """The texts of every set to download, a file for another phase refused, answers accepted: one's own number."""
    page.goto("/benchmarks/bibi/tasks/sentiment/")
    assert page.get_by_role("link", name="Team North").count()
    head, *rows = downloaded(page, "/texts/sentiment/team-north.csv")
    assert head == ["id", "text"]
    assert [item for item, _ in rows] == list(games.NORTH)
    upload(
        page,
        "sentiment_dev.tsv",
        games.sentiment_file(games.answers("Wren", "dev")),
        says="belong to the phase Build; this one takes predictions for the pairs of all breakers",
    )
    upload(page, "sets.zip", set_files("Wren"), says="Accepted: 2 of 2 tasks")
    found = re.search(r"Others read (System \d+) in place of its name", main_of(page))
    assert found
    return found[1]


def no_items_yet(page: Page) -> None:
    """Until the score phase is over nobody reads an item with its label."""
    page.goto("/benchmarks/bibi/")
    assert "item by item" not in main_of(page)
    page.goto("/benchmarks/bibi/items/sentiment/")
    sees(page, "No page is published at this address")


# What everybody reads


def read_the_boards(page: Page, names: Names, gold: Mapping[str, games.Labels] = games.SETS) -> None:
    """Builders, breakers, and both against each other."""
    page.goto("/")
    board(page, "Build It Break It")
    rows = board(page, "Sentiment: builders")
    assert {name: rows[name][1:] for name in names.values()} == {
        names[one]: games.builder_cells(one, gold) for one in names
    }
    assert rows["Strawman"][:3] == ["", ".528", ".509"]
    rows = board(page, "Sentiment: breakers")
    assert rows["Team North"] == games.breaker_cells("team-north", gold)
    assert rows["Team South"] == games.breaker_cells("team-south", gold)
    rows = board(page, "Sentiment: matrix")
    assert {name: rows[name][1:] for name in names.values()} == {
        names[one]: games.matrix_cells(one, gold) for one in names
    }


def read_what_has_no_board_of_its_own(page: Page, names: Names) -> None:
    """Who is left out of breakers' scores, and spans: Wren gives two of the three words of one, all of them right."""
    page.goto("/benchmarks/bibi/boards/breakers-sentiment/")
    sees(page, f"for want of predictions for the development data: {names['Siskin']}")
    page.goto("/benchmarks/bibi/boards/matrix-qasrl/")
    rows = rows_of(page)
    assert [rows[names[one]][1:] for one in ("Wren", "Dunnock")] == [["1.000", "1.000"], [".000", ".000"]]
    page.goto("/benchmarks/bibi/tasks/qasrl/?view=columns")
    assert rows_of(page)[names["Wren"]][1:3] == [".500", printed((1 + 0.8) / 2)]
    assert not any(name in page.content() for name in names)


def read_the_items(page: Page, names: Names) -> None:
    """Every pair with its labels, whom it broke, and who answered what; breaker by breaker."""
    page.goto("/benchmarks/bibi/")
    page.get_by_text("Boards", exact=True).click()
    page.get_by_role("link", name="Sentiment: all pairs").click()
    page.locator("main a[href$='/items/sentiment/team-north/']").click()
    sees(page, "Pairs of Team North")
    assert page.locator("table.items thead th").all_inner_texts() == ["Item", "Gold", *sorted(names.values())]
    for pair, count in games.breaks("team-north").items():
        first = page.locator(f"th code:text-is('{pair}_a')")
        assert f"breaks {count} of 3 systems" in page.locator("tbody").filter(has=first).inner_text()
        for item in (f"{pair}_a", f"{pair}_b"):
            row = page.locator("table.items tr").filter(has=page.locator(f"th code:text-is('{item}')"))
            expected = {names[one]: games.answers(one, "team-north")[item] for one in names}
            cells = row.locator("td bdi").all_inner_texts()
            assert cells == [games.NORTH[item], *(expected[name] for name in sorted(expected))]
    assert "12_b" not in main_of(page)
    assert "a rare verb, <b>bold</b>" in main_of(page)
    page.get_by_role("navigation", name="Breakers").get_by_role("link", name="Team South").click()
    sees(page, "a verb that changes nothing")
    page.goto("/benchmarks/bibi/items/qasrl/team-north/")
    sees(page, "Who fed someone?")


# A contested label


def contest(page: Page) -> None:
    """A builder says from the item's row why its label is wrong."""
    page.goto("/benchmarks/bibi/items/sentiment/team-north/")
    page.locator("a[href$='item=13_b']").click()
    page.get_by_label("Reason").fill("Said with a <i>smile</i>.")
    page.get_by_label("Right label").select_option("1")
    page.get_by_role("button", name="Contest the label").click()
    sees(page, "Said with a <i>smile</i>.")


def decide(page: Page) -> None:
    """Annotators' votes from a file that is refused first, and the label that most of them give."""
    page.goto("/admin/breaking/contest/")
    page.get_by_role("link", name="13_b", exact=True).click()
    votes = "item,voter,label\n13_b,w1,1\n13_b,w2,-1\n13_b,w3,1\n"
    press(page, "Load votes")
    answer(page, "Take the votes", file=file_of("votes.csv", votes.replace("w3,1", "w3,maybe")))
    sees(page, "votes.csv, line 4, column label")
    answer(page, "Take the votes", file=file_of("votes.csv", votes))
    sees(page, "2 for “1”, 1 for “-1”")
    press(page, "Decide")
    answer(page, "Decide", choice="label", label="1", note="Two of three say so.")
    sees(page, "The gold labels follow within a minute or two.")
    do_the_workers_part()


def read_what_changed(page: Page, names: Names) -> None:
    """The release says which label changed why, and what that did to each system."""
    page.goto("/benchmarks/bibi/releases/3/")
    page.get_by_role("link", name="what changed for whom").click()
    changes = page.locator("#gold-changes")
    rows = [row.split("\t") for row in changes.locator("tbody tr").all_inner_texts()]
    assert ["13_b", "-1", "1", "Two of three say so."] in rows
    for one, name in names.items():
        before, after = (games.weighted_f1(one, "team-north", gold) for gold in (games.SETS, games.CORRECTED))
        (row,) = (row for row in rows if row[0] == name)
        assert row[-3:-1] == [printed(before), printed(after)]
    page.goto("/benchmarks/bibi/contests/")
    sees(page, "Said with a <i>smile</i>.")
    sees(page, "label changed")


def lift_anonymity(page: Page) -> None:
    page.goto("/admin/benchmarks/benchmark/bibi/change/")
    press(page, "Lift anonymity")
    answer(page, "Lift anonymity")
    sees(page, "name its systems within a minute")
    do_the_workers_part()


def test_build_it_break_it_from_the_first_labels_to_the_names(open_window, bibi, mailoutbox):
    refresh_stale()
    organiser = person("organiser", is_staff=True)
    appoint(bibi, organiser)
    admin = open_window(width=1400)  # wide enough for the admin's menu
    sign_in(admin, organiser.email, "organiser-password")
    prepare(admin)
    prepare_qasrl(bibi)

    ada, cy, reader = open_window(), open_window(), open_window()
    sign_in(ada, person("ada").email, "ada-password")
    found_team_and_system(ada, "Team Ada", "Wren")
    upload(ada, "dev.zip", dev_files("Wren"), says="Accepted: 2 of 2 tasks")
    dunnock, siskin = enter("Dunnock"), enter("Siskin")
    send(dunnock, "build", dev_files("Dunnock"))
    sign_in(cy, person("cy").email, "cy-password")
    before_the_break_phase(cy)
    close_now(admin, f"{bibi.title} / Build")

    read_what_was_built(cy)
    hand_in_pairs_of_north(cy)
    hand_in_pairs_of_south(bibi)
    decide_about_outliers(admin)
    read_what_was_decided(cy)
    close_now(admin, f"{bibi.title} / Break", says="The sets of pairs are made within minutes")

    number = answer_all_sets(ada)
    for system in (dunnock, siskin):
        send(system, "score", set_files(system.name))
    no_items_yet(reader)
    close_now(admin, f"{bibi.title} / Score")
    names = {
        str(one.system.name): f"System {one.number}" for one in Pseudonym.objects.select_related("system")
    }
    assert names["Wren"] == number
    read_the_boards(reader, names)
    read_what_has_no_board_of_its_own(reader, names)
    read_the_items(reader, names)

    contest(ada)
    decide(admin)
    close_now(admin, f"{bibi.title} / Score")
    read_what_changed(reader, names)
    read_the_boards(reader, names, games.CORRECTED)

    lift_anonymity(admin)
    reader.goto("/benchmarks/bibi/releases/2/boards/builders-sentiment/?view=columns")
    assert {name: rows_of(reader)[name][1:] for name in names} == {
        name: games.builder_cells(name) for name in names
    }
    assert [(mail.subject, mail.to) for mail in mailoutbox] == [
        ("Build It Break It: 2 pairs wait for your word", [organiser.email]),
        ("Build It Break It: the label of 13_b is contested", [organiser.email]),
    ]
