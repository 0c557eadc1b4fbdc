"""Two hundred workers who label through their pages: how long an answer with the next page takes, and an empty request.

Every worker pauses so that all together send 40 answers a second (or the second argument), each a POST and the page
that it leads to. Where fewer came through, the server was full, and the times are those of a queue. Between them an
address is asked for at which there is nothing: what a request costs here at the least. Afterwards the database is
counted: every unit has the answers that were wanted and no more, and what was said to be saved is there.

Run: python -m perf.labelling [answers] [a second]        (HELDOUT_DATABASE_URL for another database than SQLite)
"""

import http.client
import os
import random
import re
import sys
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from statistics import median, quantiles
from urllib.parse import urlencode, urlsplit

from perf.pages import granian
from perf.server import scratch_server
from perf.timing import number_asked_for

WORKERS = 200
ANSWERS_PER_UNIT = 5
RATE = float(sys.argv[2]) if len(sys.argv) > 2 else 40.0  # answers a second, of all workers
_FIELD = re.compile(r'name="([^"]+)" value="([^"]*)"')


def main(answers: int) -> None:
    with scratch_server() as data:
        study, campaign = _campaign(answers // ANSWERS_PER_UNIT)
        given = {"HELDOUT_DATA": str(data), "HELDOUT_GOLD_PUBLIC_KEY": _public_key()}
        environment = os.environ | given | {"HELDOUT_LOG_LEVEL": "ERROR"}
        with (
            granian("config.wsgi:application", environment) as url,
            ThreadPoolExecutor(max_workers=WORKERS) as pool,
        ):
            workers = [_Hand(url, f"{study}?PROLIFIC_PID=p{number}") for number in range(WORKERS)]
            began = time.perf_counter()
            for worker in list(pool.map(_Hand.labour, workers)):
                worker.close()
            seconds = time.perf_counter() - began
        _print(workers, seconds)
        _count(
            campaign, answers // ANSWERS_PER_UNIT * ANSWERS_PER_UNIT, sum(len(each.spent) for each in workers)
        )


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
    """One worker with a connection and cookies of their own. `spent` and `empty` are seconds of requests."""

    def __init__(self, url: str, study: str) -> None:
        self._connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=120)
        self._study = study
        self._cookies: dict[str, str] = {}
        self._lot = random.Random(study)  # pauses, not secrets
        self.spent: list[float] = []
        self.empty: list[float] = []

    def labour(self) -> "_Hand":
        """Join and answer until nothing is left."""
        pause = WORKERS / RATE
        time.sleep(self._lot.random() * pause)
        page = self._ask("GET", self._study)
        page = self._ask("POST", self._study, dict(_FIELD.findall(page)))
        while 'name="unit"' in page:
            self.close()  # a server ends connections that are idle for long; the next request opens one
            time.sleep(pause * (0.5 + self._lot.random()))
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
            page = self._ask("POST", work, {**sent, f"{sent['unit']}-label": "good"})
            self.spent.append(time.perf_counter() - began)
        return self

    def _ask(self, method: str, path: str, sent: dict[str, str] | None = None) -> str:
        """The page at an address, or the one that it leads to."""
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
            return self._ask("GET", answer.headers["Location"])
        if answer.status not in (http.HTTPStatus.OK, http.HTTPStatus.NOT_FOUND):
            sys.exit(f"{method} {path}: {answer.status} {body[:500]}")
        return body

    def close(self) -> None:
        self._connection.close()


def _print(workers: list[_Hand], seconds: float) -> None:
    spent = [seconds for worker in workers for seconds in worker.spent]
    empty = [seconds for worker in workers for seconds in worker.empty]
    came = len(spent) / seconds
    print(f"{WORKERS} workers, {len(spent):,} answers, {RATE:g} a second wanted, {came:.1f} sent")
    for name, times in (("an answer and the next", spent), ("an empty request", empty)):
        print(f"  {name:24} median {1000 * median(times):6.0f} ms   p95 {1000 * _p95(times):6.0f} ms")
    print(
        f"  ratio of the p95 {_p95(spent) / _p95(empty):.2f}, of the medians {median(spent) / median(empty):.2f}"
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
    main(number_asked_for(20_000))
