"""`python -m server` is `conquest serve`."""

import sys

from server.command import main

sys.exit(main())
