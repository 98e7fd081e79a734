"""`python -m waypost`: the command line."""

import sys

from waypost.cli import main

sys.exit(main())
