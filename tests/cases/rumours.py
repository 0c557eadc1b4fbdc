"""RumourEval 2019: replies to rumours (task A) and their veracity with a confidence (task B)."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.cases.draws import Draws

REPLIES = ("support", "deny", "query", "comment")
VERACITY = ("true", "false", "unverified")
REPLY_COUNT = 1066
RUMOUR_COUNT = 56
ELSEWHERE = 20  # ids of which the gold file knows nothing, as those of another site

Answers = Mapping[str, Any]


def write_answers(folder: Path) -> None:
    """Gold labels of both tasks, eight systems, and faulty files."""
    draws = Draws(400)
    ids = [f"{900_000_000_000 + at * 7919}" for at in range(REPLY_COUNT)]
    replies = dict(zip(ids, draws.picks((*REPLIES, *["comment"] * 5), REPLY_COUNT), strict=True))
    truth = {item: draws.pick((*VERACITY, "true", "false")) for item in ids[::19][:RUMOUR_COUNT]}
    (folder / "gold").mkdir()
    gold = {"subtaskaenglish": replies, "subtaskbenglish": truth, "subtaskbdanish": {}}
    (folder / "gold" / "final-eval-key.twitter-only.json").write_text(json.dumps(gold, indent=2), "utf-8")
    right = {item: [value, 1.0] for item, value in truth.items()}
    unsure = {item: [value, float(value != "unverified")] for item, value in truth.items()}
    systems: dict[str, tuple[Answers, Answers | None]] = {
        "majority_comment_false": (dict.fromkeys(ids, "comment"), {item: ["false", 0.5] for item in truth}),
        "perfect_conf1": (replies, right),
        "perfect_unverified_conf0": (replies, unsure),
        "random": (
            {item: draws.pick(REPLIES) for item in ids},
            {item: [draws.pick(VERACITY), draws.share()] for item in truth},
        ),
        "edge_b_confidence_out_of_range": (
            replies,
            {item: [value, 1.7] for item, (value, _) in right.items()},
        ),
        "edge_b_three_values": (replies, {item: [*answer, 1] for item, answer in right.items()}),
        "edge_half_of_A_missing": (dict(list(replies.items())[::2]), dict(list(right.items())[::2])),
        "edge_no_subtask_b": (replies, None),
        "edge_unknown_label_A": ({**replies, ids[0]: "maybe"}, right),
    }
    for name, share in (("model_a", 0.8), ("model_b", 0.6), ("model_c", 0.5), ("model_d", 0.3)):
        systems[name] = model(draws, replies, truth, share)
    (folder / "predictions").mkdir()
    for name, (a, b) in systems.items():
        answers = {"subtaskaenglish": a} | ({} if b is None else {"subtaskbenglish": b})
        (folder / "predictions" / f"{name}.json").write_text(json.dumps(answers, indent=0), "utf-8")


def model(draws: Draws, replies: Answers, truth: Answers, share: float) -> tuple[Answers, Answers]:
    """Answers that are right with this probability; the second line and others answer what the gold file lacks."""
    first, *rest = replies
    a = dict(zip(replies, draws.mostly(list(replies.values()), REPLIES, share), strict=True))
    b = {
        item: [draws.mostly([value], VERACITY[:2], share)[0], draws.share()] for item, value in truth.items()
    }
    elsewhere = {f"r{at}": "comment" for at in range(ELSEWHERE)}
    return {first: a[first], **elsewhere, **{item: a[item] for item in rest}}, b
