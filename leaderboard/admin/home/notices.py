"""Pages and mail: what participants read, and what was written to them."""

from dataclasses import dataclass

from accounts.formats.instants import in_words
from benchmarks.models import Announcement, Benchmark, Mailing, ParticipantQuestion
from benchmarks.notices.models import WrittenPage
from benchmarks.notices.services import current_terms
from leaderboard.admin.home.acts import Act, HomeLinks
from leaderboard.models import Webhook, WebhookDelivery
from leaderboard.webhooks.delivery import messages_in_words
from leaderboard.webhooks.givers import gone_giver


@dataclass(frozen=True, slots=True)
class PagesAndMail:
    """Lines with a button each."""

    lines: tuple[Act, ...]


def pages_and_mail(links: HomeLinks) -> PagesAndMail:
    """The public page and others, announcements, mail, questions, terms and webhooks of a benchmark."""
    benchmark = links.benchmark
    return PagesAndMail(
        (
            Act("Look", f"/benchmarks/{benchmark.pk}/", "The public page", "As a visitor sees it."),
            *links.button(
                "edit_texts", "Change…", "Title, summary and instructions", "Of it and of each task."
            ),
            _pages(links),
            _announcements(links),
            *links.button("write_mail", "Write…", "Mail to participants", _last_mail(benchmark)),
            _questions(links),
            *links.button("edit_terms", "Change…", "Terms", _agreed(benchmark)),
            _webhooks(links),
        )
    )


def _pages(links: HomeLinks) -> Act:
    standing = links.benchmark.written_pages.count()
    if not standing:
        note = "None yet: an overview, the rules, a contact. They are linked from the public page."
        return Act("Write…", links.add(WrittenPage), "Further pages", note)
    return Act("Write…", links.rows(WrittenPage), "Further pages", f"{standing} written.")


def _announcements(links: HomeLinks) -> Act:
    news = links.benchmark.announcements.order_by("-published_at").first()
    if news is None:
        note = "None yet. They stand on the public page."
        return Act("Write…", links.add(Announcement), "Announcements", note)
    return Act("Write…", links.rows(Announcement), "Announcements", f"The last one: {news.title}.")


def _last_mail(benchmark: Benchmark) -> str:
    written = Mailing.objects.filter(benchmark=benchmark).order_by("-pk").first()
    if written is None:
        return "None yet. You see everybody who gets it before it is sent."
    return f"The last one: {written.subject}."


def _questions(links: HomeLinks) -> Act:
    asked = ParticipantQuestion.objects.filter(benchmark=links.benchmark)
    open_ones = asked.filter(answered_at=None).count()
    note = f"{asked.count()} asked, {open_ones} without an answer."
    return Act("Read", links.rows(ParticipantQuestion), "Questions of participants", note)


def _agreed(benchmark: Benchmark) -> str:
    terms = current_terms(benchmark)
    if terms is None or not terms.text:
        return "Nothing has to be accepted."
    return f"Version {terms.version}, of {in_words(terms.written_at)}."


def _webhooks(links: HomeLinks) -> Act:
    webhooks = Webhook.objects.filter(benchmark=links.benchmark)
    if not webhooks:
        note = "None yet. An address of yours is told what is accepted, scored and released."
        return Act("Add…", links.add(Webhook), "Webhooks", note)
    silent = sum(gone_giver(webhook) is not None for webhook in webhooks)
    note = f"{_addresses(len(webhooks) - silent)} told what is accepted, scored and released."
    if silent:
        note += f" {_addresses(silent)} silent: whoever gave it runs the benchmark no more."
    if given_up := WebhookDelivery.objects.filter(
        webhook__in=webhooks, status=WebhookDelivery.Status.FAILED
    ).count():
        note += f" {messages_in_words(given_up).capitalize()} given up."
    return Act("Look", links.rows(Webhook), "Webhooks", note)


def _addresses(count: int) -> str:
    return "1 address is" if count == 1 else f"{count} addresses are"
