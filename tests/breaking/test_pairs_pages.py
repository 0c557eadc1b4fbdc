"""Breakers' pages: read by everybody, handed in on by teams, and fit for whatever stands in a sentence."""

import datetime as dt
import re
from collections.abc import Callable

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from benchmarks.models import Benchmark, Phase, Task
from breaking.models import Pair, PairFile
from leaderboard.pages.benchmark_pages import render_benchmark
from submissions.intake.pairs.minimal_pairs import read_minimal_pairs
from tests.breaking.hands import hand_in, start
from tests.games import BREAK_CLOSES, DEFINITION, IN_BREAK, IN_BUILD, IN_SCORE, TONE_PAIRS, phase_of
from tests.pages import browser_of, text_of

pytestmark = [pytest.mark.thorough, pytest.mark.django_db]
PAGE = "/benchmarks/games/pairs/"
HEADER = b"id,original_id,text,label,rationale\n"


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[dt.datetime], None]:
    """Sets the database's clock; every test begins in the break phase."""

    def _set(instant: dt.datetime) -> None:
        monkeypatch.setattr("accounts.server.clock.database_now", lambda: instant)

    _set(IN_BREAK)
    return _set


@pytest.fixture
def tone(games: Benchmark) -> Task:
    task: Task = games.tasks.get(slug="tone")
    start(task)
    return task


@pytest.fixture
def browser(owner, team) -> Client:
    return browser_of(owner)


def send(browser: Client, task: Task, team, data: bytes = TONE_PAIRS, /, **fields):
    form = {
        "phase": str(phase_of(task.benchmark, "break").pk),
        "team": str(team.pk),
        "task": str(task.pk),
        "file": SimpleUploadedFile("north.csv", data),
    }
    return browser.post(PAGE, {key: value for key, value in (form | fields).items() if value is not None})


@pytest.mark.parametrize(
    ("at", "words"),
    [(IN_BUILD, "opens</b>"), (IN_BREAK, "is open</b>"), (IN_SCORE, "closed</b>")],
    ids=["before", "open", "closed"],
)
def test_everybody_reads_which_phase_it_is(tone, clock, at, words):
    clock(at)
    page = text_of(browser_of(None).get(PAGE))
    assert words in page
    assert ("Sign in to hand in pairs" in page) == (at == IN_BREAK)


def test_everybody_reads_the_organisers_rule_in_numbers(tone):
    page = text_of(browser_of(None).get(PAGE))
    assert "at most 50 % of the words and punctuation marks" in page
    assert "Every original stands in the starter data" in page
    assert "is welcome and not needed" in page


def test_every_task_s_own_form_is_told(sync, gold_keys):
    page = browser_of(None)
    sync(DEFINITION)
    assert "Between the cells stand commas." in text_of(page.get(PAGE))
    sync(DEFINITION.replace('tone_*.csv", ', 'tone_*.csv", dialect: tsv, '))
    assert "Between the cells stand tabs for Tone, commas for Who." in text_of(page.get(PAGE))


def test_labels_that_are_never_right_are_not_offered(sync, gold_keys):
    neutral = DEFINITION.replace('labels: ["-1", "1"]', 'labels: ["-1", "0", "1"]\n    never_right: ["0"]')
    start(sync(neutral).tasks.get(slug="tone"))
    page = text_of(browser_of(None).get(PAGE))
    assert "The labels are <code>-1</code>, <code>1</code>." in page


def test_another_rule_reads_otherwise(sync, gold_keys):
    rule = "{largest_token_edits: 3, from_scratch: true, needs_rationale: true}"
    sync(DEFINITION.replace("{largest_token_share: 0.5}", rule))
    page = text_of(browser_of(None).get(PAGE))
    assert "at most 3 words and marks" in page
    assert "Originals of your own making are allowed" in page
    assert "Every pair needs a rationale" in page


def test_the_kinds_of_changes_that_the_organiser_names_are_told(sync, gold_keys):
    sync(DEFINITION.replace("{largest_token_share: 0.5}", "{categories: [negation, idioms]}"))
    assert "one of negation, idioms" in text_of(browser_of(None).get(PAGE))


def test_material_can_be_downloaded_as_far_as_it_is_there(tone):
    page = text_of(browser_of(None).get(PAGE))
    assert "/benchmarks/games/starter/tone.csv" in page
    assert "/benchmarks/games/pairs/template/tone.csv" in page
    assert "/benchmarks/games/starter/who.csv" not in page
    assert "has not loaded its starter data" in page


def test_the_template_lacks_only_the_changes_and_their_labels(tone):
    answer = browser_of(None).get("/benchmarks/games/pairs/template/tone.csv")
    assert text_of(answer).splitlines()[1] == "11_b,11,I like this old song.,,,"
    changed = text_of(answer)
    for number, line in enumerate(changed.splitlines()[1:]):
        changed = changed.replace(line, f"{line.split(',')[0]},{line.split(',')[1]},Quite new {number}.,1,,")
    starter = {row.split(",")[1]: (row.split(",")[2], "1") for row in text_of(answer).splitlines()[1:]}
    read = read_minimal_pairs(changed.encode(), file_name="x", task=tone.spec, starter=starter)
    assert len(read.content or ()) == 3


@pytest.mark.parametrize("address", ["tone.tsv", "who.csv", "none.csv"])
def test_other_templates_are_not_found(tone, address):
    assert browser_of(None).get(f"{PAGE}template/{address}").status_code == 404


def test_a_benchmark_without_a_break_phase_has_no_such_page(toy):
    assert browser_of(None).get("/benchmarks/toy/pairs/").status_code == 404


def test_who_is_in_no_team_is_told_to_found_one(tone, outsider):
    assert "Found a team" in text_of(browser_of(outsider).get(PAGE))


def test_a_good_file_is_taken_and_shown(tone, team, browser):
    answer = send(browser, tone, team)
    taken = PairFile.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, f"{PAGE}{taken.pk}/")
    page = text_of(browser.get(answer["Location"]))
    assert "Accepted: 2 pairs" in page
    assert "I <del>like</del><ins>loathe</ins> this old song." in page
    assert "a rare verb" in page
    assert "1 of 6 words and marks (16.7 %), 4 characters" in page


def test_the_form_carries_the_token_that_its_post_needs(tone, team, owner):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(owner)
    form = browser.get(PAGE).content.decode()
    (token,) = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', form)
    assert send(browser, tone, team, csrfmiddlewaretoken=token).status_code == 302


def test_the_same_file_again_is_said_to_count_already(tone, team, browser, clock):
    send(browser, tone, team)
    clock(IN_BREAK + dt.timedelta(minutes=1))
    answer = send(browser, tone, team)
    assert "was handed in before, and counts" in text_of(browser.get(answer["Location"]))


def test_files_stand_on_the_page_with_their_status(tone, team, browser):
    send(browser, tone, team)
    send(browser, tone, team, HEADER + b"11_b,11,Never again shall we hear of it!,-1,\n")
    page = text_of(browser.get(PAGE))
    assert "replaced by a later file" in page
    assert "1 waits for the organiser" in page


def test_a_bad_file_is_told_line_by_line(tone, team, browser):
    answer = send(browser, tone, team, TONE_PAIRS.replace(b"song.,-1", b"song.,bad"))
    page = text_of(answer)
    assert answer.status_code == 422
    assert "Not accepted: 1 problem" in page
    assert "<b>Line 2, column label:</b>" in page
    assert "heldout pairs pairs.csv --phase games/break --task tone --check-only" in page
    assert not PairFile.objects.exists()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("team", None),
        ("team", "00000000-0000-4000-8000-000000000000"),
        ("team", "x"),
        ("task", "99999"),
        ("task", "x"),
        ("phase", "99999"),
        ("file", None),
        ("file", SimpleUploadedFile("n" * 300, b"x")),
    ],
    ids=[
        "no team",
        "unknown team",
        "no id",
        "unknown task",
        "no number",
        "unknown phase",
        "no file",
        "long name",
    ],
)
def test_a_wrong_form_is_shown_again(tone, team, browser, field, value):
    answer = send(browser, tone, team, **{field: value})
    assert answer.status_code == 422
    assert not PairFile.objects.exists()


def test_an_empty_file_is_told(tone, team, browser):
    answer = send(browser, tone, team, b"")
    assert (answer.status_code, "The file is empty" in text_of(answer)) == (422, True)


def test_another_team_is_no_choice(tone, team, outsider):
    assert send(browser_of(outsider), tone, team).status_code == 422


def test_whoever_is_signed_out_is_sent_to_sign_in(tone, team):
    answer = send(browser_of(None), tone, team)
    assert (answer.status_code, answer["Location"].startswith("/accounts/login/?next=")) == (302, True)


def test_after_the_close_a_sentence_says_so(tone, team, browser, clock):
    clock(BREAK_CLOSES)
    answer = send(browser, tone, team)
    assert (answer.status_code, "closed on Wed 16 Dec 2026" in text_of(answer)) == (403, True)


def test_without_starter_data_a_sentence_says_so(games, team, browser):
    answer = send(browser, games.tasks.get(slug="who"), team)
    assert (answer.status_code, "has not loaded the starter data" in text_of(answer)) == (503, True)


def test_a_set_that_was_answered_is_not_replaced(tone, team, browser, monkeypatch):
    monkeypatch.setattr("breaking.pairs.uploads.answered", lambda splits: ["north"])
    answer = send(browser, tone, team)
    assert (answer.status_code, "Not taken: the set has been answered" in text_of(answer)) == (409, True)


def test_a_file_s_page_is_its_team_s_alone(tone, team, owner, teammate, outsider, staff):
    address = hand_in(tone, team, owner).get_absolute_url()
    statuses = [browser_of(one).get(address).status_code for one in (owner, teammate, outsider, staff, None)]
    assert statuses == [200, 200, 404, 404, 302]
    assert browser_of(outsider).post(f"{address}withdraw/").status_code == 404
    assert browser_of(outsider).get(PAGE).content.count(b"north.csv") == 0


def test_the_kind_of_a_change_stands_beside_its_pair(tone, team, browser):
    data = HEADER.replace(b"\n", b",category\n") + b"11_b,11,I loathe this old song.,-1,why,rare verbs\n"
    answer = send(browser, tone, team, data)
    assert "rare verbs" in text_of(browser.get(answer["Location"]))
    unfit = send(browser, tone, team, data.replace(b"rare verbs", b"x" * 61))
    assert unfit.status_code == 422
    assert "cannot be a category" in text_of(unfit)


def test_what_the_organiser_decides_stands_beside_the_pair(tone, team, owner, browser):
    taken = hand_in(tone, team, owner, HEADER + b"11_b,11,Never again shall we hear of it!,-1,\n")
    assert "the rule allows at most 50 %" in text_of(browser.get(taken.get_absolute_url()))
    Pair.objects.update(decision="left_out", decision_reason="That is another sentence.")
    page = text_of(browser.get(taken.get_absolute_url()))
    assert "left out by the organiser" in page
    assert "That is another sentence." in page


def test_a_file_is_withdrawn_after_a_question(tone, team, owner, browser):
    address = hand_in(tone, team, owner).get_absolute_url()
    assert "Withdraw this file?" in text_of(browser.get(f"{address}withdraw/"))
    assert PairFile.objects.get().status == "accepted"
    answer = browser.post(f"{address}withdraw/", follow=True)
    assert "The file was withdrawn" in text_of(answer)
    assert PairFile.objects.get().status == "withdrawn"
    assert "Withdraw</a>" not in text_of(answer)


def test_after_the_close_nothing_is_withdrawn_by_its_team(tone, team, owner, browser, clock):
    address = hand_in(tone, team, owner).get_absolute_url()
    clock(IN_SCORE)
    assert "Withdraw</a>" not in text_of(browser.get(address))
    answer = browser.post(f"{address}withdraw/", follow=True)
    assert "Please ask the organiser" in text_of(answer)
    assert PairFile.objects.get().status == "accepted"


def test_the_cells_that_a_changed_sentence_keeps_are_shown(games, team, owner, browser):
    who = games.tasks.get(slug="who")
    start(who)
    page = text_of(browser.get(hand_in(who, team, owner).get_absolute_url()))
    assert re.search(
        r"<dt>predicate</dt><dd[^>]*>fed</dd><dt>question</dt><dd[^>]*>Who fed someone\?</dd>", page
    )


def test_markup_in_a_file_is_text(tone, team, browser):
    rows = HEADER + b"11_b,11,I like <script>alert(1)</script> song.,-1,<img src=x onerror=alert(2)>\n"
    answer = send(browser, tone, team, rows, file=SimpleUploadedFile("<b>.csv", rows))
    page = text_of(browser.get(answer["Location"])) + text_of(browser.get(PAGE))
    assert "<script>alert" not in page
    assert "<img" not in page
    assert "<b>.csv" not in page
    assert "&lt;script&gt;" in page


def test_characters_that_reorder_others_are_spelt_out(tone, team, browser):
    rows = HEADER + "11_b,11,I like \u202ethis\u202c old \u2066song\u2069.,-1,\u202ewhy\n".encode()
    page = text_of(browser.get(send(browser, tone, team, rows)["Location"]))
    assert not set(page) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
    assert "\\u202e" in page


def test_a_word_without_end_is_taken_and_shown(tone, team, browser):
    rows = HEADER + b"11_b,11,I like this old " + b"s" * 900 + b".,-1,\n"
    page = text_of(browser.get(send(browser, tone, team, rows)["Location"]))
    assert "s" * 900 in page


def test_many_pairs_stand_on_several_pages(tone, team, owner, browser):
    rows = b"".join(b"11_%d_b,11,I like this old song %d.,-1,\n" % (n, n) for n in range(2, 62))
    address = hand_in(tone, team, owner, HEADER + rows).get_absolute_url()
    first, second = text_of(browser.get(address)), text_of(browser.get(f"{address}?page=2"))
    assert (first.count('class="change"'), second.count('class="change"')) == (50, 10)
    assert 'start="51"' in second


def test_no_label_of_a_file_stands_on_its_page(tone, team, owner, browser):
    one = hand_in(tone, team, owner, HEADER + b"11_b,11,I loathe this old song.,-1,\n")
    other = hand_in(tone, team, owner, HEADER + b"11_b,11,I loathe this old song.,1,\n")
    pages = [
        re.sub(r"[0-9a-f-]{36}|csrf\w*\" value=\"\w+", "", text_of(browser.get(file.get_absolute_url())))
        for file in (one, other)
    ]
    shown = [re.findall(r'<ol class="pairs.*?</ol>', page, re.DOTALL)[0] for page in pages]
    assert shown[0] == shown[1]


def test_a_benchmark_with_several_break_phases_asks_which(games, tone, team, browser):
    Phase.objects.filter(benchmark=games, kind="build").update(kind="break")
    page = text_of(browser.get(PAGE))
    assert 'type="hidden" name="phase"' not in page
    assert '<select name="phase"' in page


def test_the_benchmarks_page_leads_to_the_pairs(games, toy):
    pages = {page.path: page.body.decode() for one in (games, toy) for page in render_benchmark(one)}
    assert f'href="{PAGE}"' in pages["/benchmarks/games/"]
    assert "/pairs/" not in pages["/benchmarks/toy/"]


def test_a_script_that_sends_the_file_is_told_where_its_page_is(browser, tone, team):
    form = {"phase": str(phase_of(tone.benchmark, "break").pk), "team": str(team.pk), "task": str(tone.pk)}
    file = SimpleUploadedFile("north.csv", TONE_PAIRS)
    answer = browser.post(PAGE, form | {"file": file}, headers={"X-Requested-With": "XMLHttpRequest"})
    assert answer.status_code == 201
    assert answer["X-Next"] == PairFile.objects.get().get_absolute_url()
    assert "Accepted: " in text_of(browser.get(answer["X-Next"]))
