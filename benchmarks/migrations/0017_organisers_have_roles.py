"""Whoever organised a benchmark has a role in it, in place of an entry in a list."""

from django.db import migrations


def carry_over(apps, schema_editor):
    """Whoever organised a benchmark first owns it from now on; the others are its organisers."""
    benchmarks = apps.get_model("benchmarks", "Benchmark")
    roles = apps.get_model("benchmarks", "BenchmarkRole")
    owned = set()
    for row in benchmarks.organisers.through.objects.order_by("pk"):
        role = "organiser" if row.benchmark_id in owned else "owner"
        owned.add(row.benchmark_id)
        roles.objects.create(benchmark_id=row.benchmark_id, user_id=row.user_id, role=role)


class Migration(migrations.Migration):
    dependencies = [("benchmarks", "0016_roles")]

    operations = [
        migrations.RunPython(carry_over, migrations.RunPython.noop),
        migrations.RemoveField(model_name="benchmark", name="organisers"),
    ]
