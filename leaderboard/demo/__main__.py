"""`python -m leaderboard.demo`: what `make demo` runs."""

from __future__ import annotations

import sys

from leaderboard.demo.supervisor import main

sys.exit(main())
