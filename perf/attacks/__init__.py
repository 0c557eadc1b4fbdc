"""Attacks on boards, measured: which strategies read how many labels under which rule."""
