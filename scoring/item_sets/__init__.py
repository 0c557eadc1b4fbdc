"""Sets of items that come from a task's own: texts, attacks, pairs for equity reports, the parts of a next round."""
