"""Systems that organisers train for comparison: `manage.py make_baselines`."""
