"""``python -m memex_core.wikimem``."""

import sys

from memex_core.wikimem.cli import main

sys.exit(main())
