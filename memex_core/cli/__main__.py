"""``python -m memex_core.cli``."""

from memex_core.cli import main

raise SystemExit(main())
