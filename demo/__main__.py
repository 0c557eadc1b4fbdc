"""`python -m demo`: what `make demo` runs."""

from __future__ import annotations

import sys

from demo.server.supervisor import main

sys.exit(main())
