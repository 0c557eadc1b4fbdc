from collections.abc import Iterable, Iterator
from typing import Any

from django.db import migrations, models
from django.db.models import PROTECT, Q

from accounts.server.append_only_triggers import protect, unprotect
from leaderboard.release_cells import FACTS, rising_places

CELLS = "leaderboard_releasecell"
_AT_ONCE = 10_000  # rows in one statement


def store_once(apps: Any, schema_editor: Any) -> None:
    """Of the rows that say the same in releases of a phase in a row keep the first."""
    for releases in _by_phase(apps):
        held: dict[tuple[Any, ...], tuple[int, int]] = {}
        for release, number in releases:
            held = _go_on(apps, schema_editor, held, release, number)
    schema_editor.connection.check_constraints()  # PostgreSQL changes no table while rows of it are to be checked


def _go_on(apps: Any, schema_editor: Any, held: Any, release: int, number: int) -> dict[Any, tuple[int, int]]:
    """Keep of a release's rows those that begin with it, and end those held that it lacks; returns what is held now."""
    cells = apps.get_model("leaderboard", "ReleaseCell").objects
    rows = list(cells.filter(first=release).order_by("pk").values_list("pk", *FACTS))
    wanted = [tuple(facts) for _, *facts in rows]
    places = rising_places({facts: place for facts, (_, place) in held.items()}, wanted)
    going_on: dict[Any, tuple[int, int]] = {}
    begun, again = [], []
    for (key, *_), facts, place in zip(rows, wanted, places, strict=True):
        if held.get(facts, (0, 0))[1] == place:
            going_on[facts] = held[facts]
            again.append(key)
        else:
            going_on[facts] = key, place
            begun.append((place, key))
    kept = {key for key, _ in going_on.values()}
    for some in _parts([key for key, _ in held.values() if key not in kept]):
        cells.filter(pk__in=some).update(until=number)
    for some in _parts(again):
        cells.filter(pk__in=some).delete()
    with schema_editor.connection.cursor() as cursor:
        cursor.executemany(f"UPDATE {CELLS} SET place = %s WHERE id = %s", begun)  # noqa: S608  # a name of ours
    return going_on


def store_each(apps: Any, schema_editor: Any) -> None:
    """What code of before reads: a row for each release that has it, in their order."""
    model = apps.get_model("leaderboard", "ReleaseCell")
    for releases in _by_phase(apps):
        numbers = dict(releases)
        rows = model.objects.filter(first__in=numbers)
        stored = list(rows.order_by("place").values_list("pk", "first", "until", *FACTS))
        for some in _parts([key for key, *_ in stored]):
            model.objects.filter(pk__in=some).delete()
        for release, number in releases:
            model.objects.bulk_create(
                model(first_id=release, place=place, **dict(zip(FACTS, facts, strict=True)))
                for place, (_, first, until, *facts) in enumerate(stored, start=1)
                if numbers[first] <= number and (until is None or number < until)
            )
    schema_editor.connection.check_constraints()  # as above


def _by_phase(apps: Any) -> Iterator[list[tuple[int, int]]]:
    """The keys and numbers of each phase's releases, in their order."""
    releases = apps.get_model("leaderboard", "Release").objects
    for phase in releases.order_by().values_list("phase", flat=True).distinct():
        yield list(releases.filter(phase=phase).order_by("number").values_list("pk", "number"))


def _parts(keys: list[int]) -> Iterable[list[int]]:
    return (keys[start : start + _AT_ONCE] for start in range(0, len(keys), _AT_ONCE))


def free(apps: Any, schema_editor: Any) -> None:
    """SQLite makes the table anew, and loses its triggers."""
    unprotect(schema_editor, CELLS)


def keep(apps: Any, schema_editor: Any) -> None:
    protect(schema_editor, CELLS)


def keep_as_before(apps: Any, schema_editor: Any) -> None:
    protect(schema_editor, CELLS, wholly=True)


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0014_places_of_systems")]

    operations = [
        migrations.RunPython(free, keep_as_before),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveConstraint("releasecell", "cell_once_per_release"),
                migrations.RenameField("releasecell", "release", "first"),
                migrations.AlterField(
                    "releasecell",
                    "first",
                    models.ForeignKey(
                        "leaderboard.release",
                        PROTECT,
                        db_column="release_id",
                        db_index=False,
                        help_text="The first release that has it.",
                        related_name="begun_cells",
                    ),
                ),
                migrations.AddConstraint(
                    "releasecell",
                    models.UniqueConstraint(
                        fields=["first", "system", "split", "track", "seed"], name="cell_once_per_release"
                    ),
                ),
            ]
        ),
        migrations.AddField(
            "releasecell",
            "until",
            models.PositiveIntegerField(
                null=True,
                help_text="Number of the phase's first release that has it no more; empty while the newest has it.",
            ),
        ),
        migrations.AddField(
            "releasecell",
            "place",
            models.BigIntegerField(
                db_default=0,
                help_text="The cells of a release stand by it in their order; no two share one.",
            ),
        ),
        migrations.RunPython(store_once, store_each),
        migrations.AddIndex("releasecell", models.Index(fields=["first", "until"], name="cells_of_release")),
        migrations.AddConstraint(
            "releasecell", models.CheckConstraint(condition=Q(place__gte=1), name="cell_has_a_place")
        ),
        migrations.RunPython(keep, free),
    ]
