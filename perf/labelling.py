"""Workers who label through their pages: how long an answer takes, the next page with it, and an empty request.

Two hundred workers pause so that all together send 40 answers a second (or the second argument): each a POST, which is
answered once the answer is kept, and then the page that it leads to. Where fewer came through, the server was full, and
the times are those of a queue. Between them an address is asked for at which there is nothing: what a request costs
here at the least. Afterwards the database is counted: every unit has the answers that were wanted and no more, and what
was said to be saved is there. With `highest` the rate rises by steps of a few seconds as long as the 95th percentile of
an answer stays below 200 ms. The processor's milliseconds are those of the server alone, empty requests among them;
workers have joined before.

Run: python -m perf.labelling [answers] [a second]        (HELDOUT_DATABASE_URL for another database than SQLite)
     python -m perf.labelling highest
"""

import http.client
import os
import random
import re
import sys
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median, quantiles
from urllib.parse import urlencode, urlsplit

from perf.pages import granian
from perf.server import scratch_server
from perf.timing import number_asked_for

WORKERS = 200
ANSWERS_PER_UNIT = 5
STEPS = (3, 5, 8, 12, 16, 20, 25, 30, 35, 40, 50, 60, 80, 100)  # answers a second
STEP_SECONDS = 12
PROMPT = 0.2  # seconds; what is answered later feels slow
_FIELD = re.compile(r'name="([^"]+)" value="([^"]*)"')


def main(answers: int, rate: float) -> None:
    with _server() as url:
        _labour(url, answers, rate, WORKERS)


def find_highest() -> None:
    """Raise the rate until answers take too long, or fewer come through than were wanted."""
    carried = 0.0
    with _server() as url:
        for rate in STEPS:
            p95, came = _labour(url, max(100, rate * STEP_SECONDS), rate, max(10, 2 * rate))
            if p95 > PROMPT:
                break
            carried = came
    print(f"The highest rate with a p95 below {1000 * PROMPT:.0f} ms: {carried:.1f} answers a second")


@contextmanager
def _server() -> Iterator[str]:
    """The web server as it ships, on a database of its own; its address."""
    with scratch_server() as data:
        given = {"HELDOUT_DATA": str(data), "HELDOUT_GOLD_PUBLIC_KEY": _public_key()}
        environment = os.environ | given | {"HELDOUT_LOG_LEVEL": "ERROR"}
        with granian("config.wsgi:application", environment) as url:
            yield url


def _labour(url: str, answers: int, rate: float, count: int) -> tuple[float, float]:
    """Have so many workers label a campaign to its end; the p95 of an answer in seconds, and how many came a second."""
    units = answers // ANSWERS_PER_UNIT
    study, campaign = _campaign(units)
    workers = [_Hand(url, f"{study}?PROLIFIC_PID=p{number}", count / rate) for number in range(count)]
    with ThreadPoolExecutor(max_workers=count) as pool:
        list(pool.map(_Hand.join, workers))
        began, processor = time.perf_counter(), _processor_seconds()
        for worker in list(pool.map(_Hand.labour, workers)):
            worker.close()
    seconds, processor = time.perf_counter() - began, _processor_seconds() - processor
    taken = [each for worker in workers for each in worker.taken]
    _print(workers, rate, seconds, processor)
    _count(campaign, units * ANSWERS_PER_UNIT, len(taken))
    return _p95(taken), len(taken) / seconds


def _processor_seconds() -> float:
    """What the processes that this one has started, and theirs, have used of the processor."""
    waiting, ticks = [os.getpid()], 0
    while waiting:
        pid = waiting.pop()
        with suppress(OSError):  # it has ended meanwhile
            started = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
            waiting += [int(child) for child in started]
            if pid != os.getpid():
                used = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                ticks += int(used[11]) + int(used[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _campaign(units: int) -> tuple[str, uuid.UUID]:
    """The address of a study about so many units, and its campaign."""
    from accounts.server.clock import database_now
    from benchmarks.models import Benchmark
    from labelling.core.questions.question import CampaignQuestion, Option
    from labelling.models import Campaign
    from labelling.units.new_units import NewUnit, store_units
    from labelling.work.campaigns import open_campaign
    from labelling.work.platforms import PLATFORMS, study_address

    question = CampaignQuestion("one_label", "Good or bad?", (Option("good", "Good"), Option("bad", "Bad")))
    now = database_now()
    benchmark = Benchmark.objects.order_by("pk")[0]
    campaign = Campaign.objects.create(
        benchmark=benchmark,
        title="Perf",
        purpose="gold_labels",
        rule="majority",
        rule_settings={"needed": 3},
        question=question.as_json(),
        answers_wanted=ANSWERS_PER_UNIT,
        order_seed=1,
        made_at=now,
        is_sealed=True,
    )
    made = [
        NewUnit(key=f"u{number}", items=(f"u{number}",), shown=[[("text", f"The text {number}. " * 6)]])
        for number in range(units)
    ]
    store_units(campaign=campaign, units=made)
    open_campaign(campaign=campaign, now=now)
    return study_address(campaign, PLATFORMS["prolific"]).partition("?")[0], campaign.pk


def _public_key() -> str:
    from django.conf import settings

    return str(settings.GOLD_PUBLIC_KEY)


class _Hand:
    """One worker with a connection and cookies of their own.

    `taken`, `spent` and `empty` are seconds: of an answer, of one with the next page, of an empty request.
    """

    def __init__(self, url: str, study: str, pause: float) -> None:
        self._connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=120)
        self._study = study
        self._pause = pause
        self._cookies: dict[str, str] = {}
        self._lot = random.Random(study)  # pauses, not secrets
        self._page = ""
        self.taken: list[float] = []
        self.spent: list[float] = []
        self.empty: list[float] = []

    def join(self) -> None:
        """Take part, and read the first page."""
        time.sleep(self._lot.random() * self._pause)
        page = self._ask("GET", self._study)
        self._page = self._ask("POST", self._study, dict(_FIELD.findall(page)))

    def labour(self) -> "_Hand":
        """Answer until nothing is left."""
        page = self._page
        while 'name="unit"' in page:
            self.close()  # a server ends connections that are idle for long; the next request opens one
            time.sleep(self._pause * (0.5 + self._lot.random()))
            if self._lot.random() < 0.1:
                began = time.perf_counter()
                self._ask("GET", f"/label/{uuid.uuid4()}/")
                self.empty.append(time.perf_counter() - began)
            sent = dict(_FIELD.findall(page.partition('class="work"')[2].partition("</form>")[0]))
            sent = {
                name: value
                for name, value in sent.items()
                if name != "give_back" and not name.endswith("-label")
            }
            work = re.findall(r'action="([^"]+)" class="work"', page)[0]
            began = time.perf_counter()
            following, _ = self._send("POST", work, {**sent, f"{sent['unit']}-label": "good"})
            self.taken.append(time.perf_counter() - began)
            page = self._ask("GET", following)
            self.spent.append(time.perf_counter() - began)
        return self

    def _ask(self, method: str, path: str, sent: dict[str, str] | None = None) -> str:
        """The page at an address, or the one that it leads to."""
        following, body = self._send(method, path, sent)
        return self._ask("GET", following) if following else body

    def _send(self, method: str, path: str, sent: dict[str, str] | None = None) -> tuple[str, str]:
        """Where a request leads to, if elsewhere, and what was answered."""
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self._cookies.items())}
        if sent is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        self._connection.request(method, path, urlencode(sent) if sent is not None else None, headers)
        answer = self._connection.getresponse()
        body = answer.read().decode()
        for cookie in answer.headers.get_all("Set-Cookie") or ():
            name, _, rest = cookie.partition("=")
            self._cookies[name] = rest.partition(";")[0]
        if answer.status == http.HTTPStatus.FOUND:
            return answer.headers["Location"], body
        if answer.status not in (http.HTTPStatus.OK, http.HTTPStatus.NOT_FOUND):
            sys.exit(f"{method} {path}: {answer.status} {body[:500]}")
        return "", body

    def close(self) -> None:
        self._connection.close()


def _print(workers: list[_Hand], rate: float, seconds: float, processor: float) -> None:
    taken = [seconds for worker in workers for seconds in worker.taken]
    spent = [seconds for worker in workers for seconds in worker.spent]
    empty = [seconds for worker in workers for seconds in worker.empty]
    came = len(taken) / seconds
    print(f"{len(workers)} workers, {len(taken):,} answers, {rate:g} a second wanted, {came:.1f} sent")
    for name, times in (("an answer", taken), ("an answer and the next", spent), ("an empty request", empty)):
        print(f"  {name:24} median {1000 * median(times):6.0f} ms   p95 {1000 * _p95(times):6.0f} ms")
    print(
        f"  ratio of an answer's p95 to an empty request's {_p95(taken) / _p95(empty):.2f}, of the medians "
        f"{median(taken) / median(empty):.2f}; {1000 * processor / len(taken):.1f} ms of the processor per answer"
    )


def _p95(seconds: list[float]) -> float:
    return quantiles(seconds, n=20)[-1]


def _count(campaign: uuid.UUID, wanted: int, saved: int) -> None:
    from labelling.models import Answer, Unit

    kept = Answer.objects.filter(assignment__unit__campaign=campaign).count()
    taken = set(Unit.objects.filter(campaign=campaign).values_list("taken", flat=True))
    print(f"  said to be saved {saved:,}, kept {kept:,}, wanted {wanted:,}; answers per unit {sorted(taken)}")
    if not kept == saved == wanted or taken != {ANSWERS_PER_UNIT}:
        sys.exit("answers are lost or too many")


if __name__ == "__main__":
    if sys.argv[1:] == ["highest"]:
        find_highest()
    else:
        main(number_asked_for(20_000), float(sys.argv[2]) if len(sys.argv) > 2 else 40.0)
