"""From prompts to gold labels: some people write, others validate, and three of five make a label."""

import datetime as dt
import json
import re

import pytest

from benchmarks.models import Phase
from labelling.core.questions.question import CampaignQuestion, Option
from labelling.exceptions import CannotChangeCampaign
from labelling.models import Assignment, Campaign
from labelling.outcomes.settling import settle_due
from labelling.units.from_prompts import units_from_prompts
from labelling.units.from_writing import units_from_writing
from labelling.work.campaigns import close_campaign, open_campaign
from labelling.work.exclusions import erase_outside_ids
from labelling.work.joining import join_from_panel
from labelling.work.places import take_units
from leaderboard.models import Page
from leaderboard.publication.services import refresh
from scoring.gold.box_opening import open_version
from scoring.models import ResponseSet
from tests.conftest import person
from tests.crowds import NOW, hired, new_campaign, say
from tests.labelling.test_admin_campaigns import organiser, press
from tests.labelling.test_new_campaign import DETAILS, go
from tests.pages import text_of

__all__ = ["go", "organiser", "press"]

WRITE = CampaignQuestion("writing", "Write a sentence.", (Option("good", "Good"), Option("bad", "Bad")))
JUDGE = CampaignQuestion(
    "one_label", "Which?", (Option("bad", "Bad"), Option("good", "Good"), Option("mixed", "Mixed"))
)
PROMPTS = [f"The room number {number} was clean." for number in range(4)]


def collection(toy, prompts=PROMPTS, without_prompt=2):
    campaign = new_campaign(toy, WRITE, purpose="collection", rule="", answers_wanted=1)
    units_from_prompts(campaign=campaign, prompts=prompts, without_prompt=without_prompt)
    return campaign


@pytest.fixture
def written(toy):
    """Two people with accounts have written three texts each."""
    campaign = collection(toy)
    open_campaign(campaign=campaign, now=NOW)
    for name in ("ann", "bea"):
        (worker,) = hired(campaign, user=person(name))
        for number in range(3):
            (assignment,) = take_units(worker=worker, now=NOW)
            say(assignment, sent={"text": [f"Text {number} of {name}."]})
    close_campaign(campaign=campaign, now=NOW)
    return campaign


def test_each_prompt_is_used_once_and_targets_are_balanced(toy):
    units = list(collection(toy).units.all())
    assert sorted(unit.source["prompt"] for unit in units) == ["", "", *PROMPTS]
    for group in ("with prompt", "without prompt"):
        targets = [unit.source["target"] for unit in units if unit.group == group]
        assert targets.count("good") == targets.count("bad")


@pytest.mark.parametrize(
    ("prompts", "told"), [(["Once.", "Once. "], "stands twice"), (["Once.", " "], "Prompt 2 is empty")]
)
def test_prompts_that_cannot_be_used_are_told(toy, prompts, told):
    with pytest.raises(CannotChangeCampaign, match=told):
        collection(toy, prompts)


def validation(written, **values):
    task = written.benchmark.tasks.get(slug="mood")
    campaign = new_campaign(
        written.benchmark,
        JUDGE,
        purpose="round_validation",
        task=task,
        split_slug="test",
        after=written,
        answers_wanted=5,
        is_sealed=True,
        **values,
    )
    units_from_writing(campaign=campaign)
    open_campaign(campaign=campaign, now=NOW)
    return campaign


def test_an_organiser_has_the_texts_of_a_campaign_validated_without_a_file(written, go, press, gold_keys):
    about = {"kind": "one_label", "rule": "majority", "split": "mood/test", "after": str(written.pk)}
    validated = {"purpose": "round_validation", "options": "good\nbad\nmixed", "title": "Validated"}
    assert "is a draft" in text_of(go(3, "keep", **DETAILS | about | validated))
    draft = Campaign.objects.get(title="Validated")
    page = text_of(press(draft, "draw_units"))
    assert "There are 6 units now." in page
    assert {unit.author_id for unit in draft.units.all()} == set(written.workers.values_list("pk", flat=True))


def test_nobody_validates_what_they_have_written(written):
    campaign = validation(written)
    author = written.workers.first()
    (again,) = hired(campaign, user=author.user)
    seen = []
    while page := take_units(worker=again, now=NOW):
        seen += [assignment.unit.author_id for assignment in page]
        say(page[0], "good")
    assert len(seen) == 3
    assert author.pk not in seen


def test_nobody_validates_their_own_after_the_ids_of_the_platform_were_erased(toy):
    written = collection(toy)
    open_campaign(campaign=written, now=NOW)
    for name in ("5f3a9", "77b01"):
        writer = join_from_panel(campaign=written, platform="prolific", outside_id=name, now=NOW)
        for number in range(3):
            say(take_units(worker=writer, now=NOW)[0], sent={"text": [f"Text {number} of {name}."]})
    close_campaign(campaign=written, now=NOW)
    erase_outside_ids(campaign=written, now=NOW)
    campaign = validation(written, page_size=6)
    again = join_from_panel(campaign=campaign, platform="prolific", outside_id="77b01", now=NOW)
    shown = [assignment.unit.author_id for assignment in take_units(worker=again, now=NOW)]
    assert shown == [written.workers.get(number=1).pk] * 3


def test_three_of_five_make_a_sealed_gold_label_and_the_human_estimate(written):
    campaign = validation(written, page_size=6)
    for number, worker in enumerate(hired(campaign, 5)):
        for assignment in take_units(worker=worker, now=NOW):
            is_good = assignment.unit.key.startswith("prompt")
            say(assignment, "mixed" if number == 4 else "good" if is_good else "bad")
    close_campaign(campaign=campaign, now=NOW)
    settle_due(NOW)
    outcome = campaign.outcomes.get()
    assert campaign.outcome_problem == ""
    labels = open_version(outcome.gold_version)[1]
    named = campaign.task.spec.output.texts(labels.codes)
    assert {item.partition("-")[0]: label for item, label in zip(labels.ids, named, strict=True)} == {
        "prompt": "good",
        "free": "bad",
    }
    responses = ResponseSet.objects.get(gold_version=outcome.gold_version)
    assert responses.report["classes"] == {"bad": 2, "good": 4, "mixed": 0, "no majority": 0}
    assert responses.human["macro"]["f1"] < 1
    assert outcome.report["incomplete"] == 0


def test_sentences_with_fewer_than_five_answers_are_counted_and_left_out(written):
    campaign = validation(written, page_size=6)
    for worker in hired(campaign, 5):
        for assignment in take_units(worker=worker, now=NOW):
            if worker.number < 5 or assignment.number > 2:
                say(assignment, "good")
    close_campaign(campaign=campaign, now=NOW)
    settle_due(NOW)
    report = campaign.outcomes.get().report
    assert report["incomplete"] == 2
    assert Assignment.objects.filter(status="expired").count() == 2


def test_the_card_of_the_round_tells_labels_fooling_and_what_prompts_change(written):
    campaign = validation(written, page_size=6)
    campaign.units.update(source={"prompt": PROMPTS[0], "predicted": "bad"})
    for number, worker in enumerate(hired(campaign, 5)):
        for assignment in take_units(worker=worker, now=NOW):
            say(assignment, "bad" if number > 3 else "good")
    close_campaign(campaign=campaign, now=NOW)
    settle_due(NOW)
    card = campaign.outcomes.get().report["card"]
    assert card["distribution"] == {"bad": 0, "good": 6, "mixed": 0}
    assert card["conditions"]["prompt"]["fooled"][:2] == [6, 6]
    assert card["conditions"]["prompt"]["edits"][0] > 10
    assert "no prompt" not in card["conditions"]


def test_everybody_reads_what_prompts_change_on_the_card_once_no_phase_guards_labels(toy, written):
    campaign = validation(written, page_size=6)
    torn = campaign.units.filter(group="without prompt").first()
    for unit in campaign.units.all():
        # The model takes the texts that began with a prompt for bad, and the others for what they are.
        unit.source["predicted"] = "bad" if unit.source["prompt"] else "good"
        unit.save()
    for worker in hired(campaign, 5):
        for assignment in take_units(worker=worker, now=NOW):
            said = ["good", "good", "mixed", "mixed", "bad"][worker.number - 1]
            say(assignment, said if assignment.unit == torn else "good")
    close_campaign(campaign=campaign, now=NOW)
    settle_due(NOW)
    end = NOW + dt.timedelta(days=60)
    Phase.objects.filter(benchmark=toy).update(disclosure="open", closes_at=end, one_per_team=True)
    refresh(toy)
    assert "Card of the round" not in _how_labels_were_made(".html")

    Phase.objects.filter(benchmark=toy).update(disclosure="exact")
    refresh(toy)

    table = _how_labels_were_made(".html").partition("Card of the round</th>")[2].partition("</table>")[0]
    rows = [re.findall(r"<t[hd][^>]*>([^<]+)<", row) for row in table.split("<tr>")[1:]]
    assert [[cell.strip() for cell in row[:4]] for row in rows] == [
        ["All texts", "6", "83 %", "80 %"],
        ["Begun with a prompt", "4", "100 %", "100 %"],
        ["Begun without one", "2", "50 %", "0 %"],
    ]
    (one,) = [each for each in json.loads(_how_labels_were_made(".json"))["campaigns"] if each["conditions"]]
    with_prompt, without = one["conditions"][1:]
    assert with_prompt["edits"][2] > 10
    assert without["edits"] == []


def _how_labels_were_made(kind):
    path = "/benchmarks/toy/labelling" + {".html": "/", ".json": ".json"}[kind]
    return bytes(Page.objects.get(pk=path).body).decode()
