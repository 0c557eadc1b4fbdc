"""`python -m demo`: what `make demo` runs."""

import sys

from demo.server.supervisor import main

sys.exit(main())
