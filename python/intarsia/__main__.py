"""`python -m intarsia` is the `intarsia` command."""

import sys

from intarsia.cli.core.main import main

if __name__ == "__main__":
    sys.exit(main())
