"""Pages and mail: what participants read, and what was written to them."""

from dataclasses import dataclass

from accounts.formats.instants import in_words
from benchmarks.admin.base import list_address
from benchmarks.models import Announcement, Benchmark, Mailing, ParticipantQuestion
from benchmarks.notices.services import current_terms
from leaderboard.admin.home.acts import Act, button_of


@dataclass(frozen=True, slots=True)
class PagesAndMail:
    """Lines with a button each."""

    lines: tuple[Act, ...]


def pages_and_mail(benchmark: Benchmark) -> PagesAndMail:
    """The public page, announcements, mail, questions and terms of a benchmark."""
    news = benchmark.announcements.order_by("-published_at").first()
    written = Mailing.objects.filter(benchmark=benchmark).order_by("-pk").first()
    asked = ParticipantQuestion.objects.filter(benchmark=benchmark)
    terms = current_terms(benchmark)
    last = f"The last one: {news.title}." if news else "None yet. They stand on the public page."
    mail = "None yet. You see everybody who gets it before it is sent."
    if written:
        mail = f"The last one: {written.subject}."
    agreed = "Nothing has to be accepted."
    if terms and terms.text:
        agreed = f"Version {terms.version}, of {in_words(terms.written_at)}."
    return PagesAndMail(
        (
            Act("Look", f"/benchmarks/{benchmark.pk}/", "The public page", "As everybody sees it."),
            Act("Write…", list_address(Announcement), "Announcements", last),
            Act("Write…", button_of(benchmark, "write_mail"), "Mail to participants", mail),
            Act(
                "Read",
                list_address(ParticipantQuestion),
                "Questions of participants",
                f"{asked.count()} asked, {asked.filter(answered_at=None).count()} without an answer.",
            ),
            Act("Change…", button_of(benchmark, "edit_terms"), "Terms", agreed),
        )
    )
