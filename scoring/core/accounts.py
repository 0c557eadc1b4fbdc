"""Teams that may be one person's: by the files they send, the members they share, and addresses that look alike."""

import re
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TypeVar

Team = TypeVar("Team", bound=Hashable)
Node = TypeVar("Node", bound=Hashable)
Member = TypeVar("Member", bound=Hashable)


def connected(pairs: Iterable[tuple[Node, Node]]) -> list[tuple[Node, ...]]:
    """What hangs together over pairs, however many steps apart; each in the order in which it was first named.

    >>> connected([("a", "b"), ("c", "d"), ("e", "b")])
    [('a', 'b', 'e'), ('c', 'd')]
    """
    cluster_of: dict[Node, list[Node]] = {}
    for pair in pairs:
        first, second = (cluster_of.setdefault(member, [member]) for member in pair)
        if first is not second:
            first += second
            cluster_of |= dict.fromkeys(second, first)
    order = {member: at for at, member in enumerate(cluster_of)}
    clusters = {id(cluster): tuple(sorted(cluster, key=order.__getitem__)) for cluster in cluster_of.values()}
    return list(clusters.values())


def same_files(files: Sequence[tuple[Hashable, str]]) -> list[tuple[int, ...]]:
    """Of rows of (team, digest of a file) the places of those with the same file, where it came from two teams or more.

    >>> same_files([("a", "x"), ("b", "y"), ("b", "x"), ("a", "x"), ("b", "y")])
    [(0, 2, 3)]
    """
    by_digest = defaultdict(list)
    for row, (_, digest) in enumerate(files):
        by_digest[digest].append(row)
    return [tuple(rows) for rows in by_digest.values() if len({files[row][0] for row in rows}) > 1]


def shared_members(
    members: Mapping[Team, Sequence[Member]],
) -> list[tuple[tuple[Team, ...], tuple[Member, ...]]]:
    """Teams that hang together by members in common, and these members; `members` are those of each team.

    >>> shared_members({"a": ["ann"], "b": ["bo", "ann"], "c": ["bo"], "d": ["eve"]})
    [(('a', 'b', 'c'), ('ann', 'bo'))]
    """
    teams_of = defaultdict(list)
    for team, people in members.items():
        for person in dict.fromkeys(people):
            teams_of[person].append(team)
    clusters = connected(pair for teams in teams_of.values() for pair in pairwise(teams))
    return [
        (teams, tuple(person for person, own in teams_of.items() if len(own) > 1 and own[0] in teams))
        for teams in clusters
    ]


def like_addresses(
    members: Mapping[Team, Sequence[str]],
) -> list[tuple[tuple[Team, ...], tuple[str, ...]]]:
    """Teams with addresses in them that look like one person's, and these addresses: together for each such person.

    That is the same name before the @, apart from dots, dashes, digits at its end and what follows a plus, at the same
    domain. Teams that share one address share a member, which is another matter.

    >>> like_addresses({"North": ["ann.smith1@example.org"], "South": ["annsmith+b@example.org", "bo@example.org"]})
    [(('North', 'South'), ('ann.smith1@example.org', 'annsmith+b@example.org'))]
    """
    by_person = defaultdict(list)
    for team, addresses in members.items():
        for address in addresses:
            name, _, domain = address.casefold().rpartition("@")
            name = re.sub(r"[._-]", "", name.partition("+")[0]).rstrip("0123456789")
            by_person[name, domain].append((team, address))
    alike = []
    for (name, _), own in by_person.items():
        teams, addresses = (tuple(dict.fromkeys(part)) for part in zip(*own, strict=True))
        if len(name) > 2 and len(teams) > 1 and len(addresses) > 1:  # initials are anybody's
            alike.append((teams, addresses))
    return alike
